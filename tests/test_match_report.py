"""What a match says of its games: the tally, and PGN as its standard wants it."""

from pathlib import Path

import chess
import chess.pgn
import pytest

from engine.tools import match_report
from engine.tools.match_game import Played, TimeControl
from engine.tools.match_report import Tally
from engine.tools.match_runner import Task
from engine.tools.stable import Player
from engine.tools.uci_client import Info


def test_tally_counts_pairs_whatever_the_order() -> None:
    tally = Tally("A", "B")
    results = [(0, 0, "1-0"), (1, 0, "1/2-1/2"), (1, 1, "1-0"), (0, 1, "0-1"), (7, 0, "0-1"), (7, 1, "0-1")]
    for number, (pair, white, text) in enumerate(results):
        game = Played(chess.Board(), chess.Board(), result=text, reason="checkmate")
        tally.add(Task(number, 0, 1, white, pair, chess.Board()), game)
    # Pair 0: A won both; pair 1: A drew, then lost with Black; pair 7: A lost with White, won with Black.
    assert (tally.wins, tally.draws, tally.losses) == (3, 1, 2)
    assert tally.pairs == [0, 1, 1, 0, 1]
    assert tally.line().startswith("A - B: 6 games +3 =1 -2, 3.5/6 (58.3 %), pairs 0-1-1-0-1, Elo ")


def recorded(
    path: Path, reason: str, result: str = "1-0", clock: str = "3", moves: int = 2, detail: str = ""
) -> chess.pgn.Game:
    """A game of two players, read back from its PGN; `moves` after an opening of one ply."""
    start = chess.Board()
    start.push_san("e4")
    board = start.copy()
    plies = [(board.push_uci(move), 0.25, Info(depth=9, cp=12)) for move in ("e7e5", "g1f3")[:moves]]
    game = Played(start, board, plies, result, reason, detail=detail)
    players = [Player(["x"], TimeControl.parse(text), name=text) for text in ("3", clock)]
    match_report.append_pgn(path, Task(0, 0, 1, 0, 0, start), game, players)
    with path.open() as file:
        found = chess.pgn.read_game(file)
    assert found
    path.unlink()
    return found


@pytest.mark.parametrize(
    ("reason", "standard"),
    [
        ("checkmate", "normal"),
        ("threefold repetition", "normal"),
        ("adjudicated win", "adjudication"),
        ("adjudicated draw", "adjudication"),
        ("length", "adjudication"),
        ("time", "time forfeit"),
        ("illegal", "rules infraction"),
        ("crash", "abandoned"),
        ("stall", "abandoned"),
    ],
)
def test_terminations_are_those_of_the_standard(reason: str, standard: str, tmp_path: Path) -> None:
    game = recorded(tmp_path / "a.pgn", reason)
    assert game.headers["Termination"] == standard
    comments = [node.comment for node in game.mainline()]
    assert comments == ["book", "+0.12/9 0.250s", f"+0.12/9 0.250s, {reason}"]
    short = recorded(tmp_path / "a.pgn", reason, moves=0, detail="too} bad")
    assert short.end().comment == f"book, {reason}, too bad"


def test_time_controls_in_pgn(tmp_path: Path) -> None:
    same = recorded(tmp_path / "a.pgn", "time").headers
    differ = recorded(tmp_path / "a.pgn", "time", clock="5").headers
    assert same["TimeControl"] == "3+0" and "WhiteTimeControl" not in same
    assert "TimeControl" not in differ
    assert (differ["WhiteTimeControl"], differ["BlackTimeControl"]) == ("3+0", "5+0")
