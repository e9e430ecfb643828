"""regret: rows of positions, what judges say of a move, and that few nodes lose by it."""

from pathlib import Path

import chess
import pytest
from support.commands import leave

from sssnake._fast.board.board import Board
from sssnake.engine.games.gamelog import MAX_SCORE, encode_move, pack_game
from sssnake.engine.games.openings import OpeningOptions, openings
from sssnake.engine.games.outcome import result_by_rules
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.tuning import regret
from sssnake.engine.tuning.regret import ROW, RowJob, Verdict, judge, report, rows, setting, weigh

PLIES = 40
ROWS = 32
NODES = 5000


def play(number: int) -> bytes:
    """A logged game of quick searches, level by its scores but for a stretch in the middle."""
    start = next(openings(None, OpeningOptions(seed=number)))
    board, engine = chess.Board(start.fen()), Engine(hash_mb=1)
    plies: list[tuple[int, int]] = []
    while len(plies) < PLIES and result_by_rules(Board.from_chess(board)) is None:
        move = engine.play(board, Limits(nodes=200)).move
        assert move is not None
        plies.append((encode_move(board, move), 900 if len(plies) == 20 else 10))
        board.push(move)
    return pack_game(chess.Board(start.fen()), 1, plies)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("regret") / "games"
    path.write_bytes(b"".join(map(play, range(6))))
    return path


def trials(games: Path, count: int, *texts: str) -> list[RowJob]:
    settings = tuple(map(setting, texts))
    found = rows([games], 3)
    return [RowJob(*next(found), settings, NODES, 4 * NODES) for _ in range(count)]


def test_rows_are_positions_of_one_side_in_open_games(games: Path) -> None:
    for trial in trials(games, 40, "SSS*"):
        boards = list(trial.positions())
        assert len(boards) == ROW
        assert {board.turn for board in boards} == {boards[0].turn}
        assert [len(board.move_stack) for board in boards] == [trial.first + 2 * i for i in range(ROW)]
        assert not trial.first <= 20 < trial.first + 2 * ROW - 1, "somebody was nine pawns up there"
        assert all(board.root().fen() == trial.start.fen() for board in boards)


def test_one_seed_one_choice_of_positions(games: Path) -> None:
    one, other = ([trial.first for trial in trials(games, 20, "PVS")] for _ in range(2))
    assert one == other and len(set(one)) > 5


def test_equal_settings_lose_nothing(games: Path) -> None:
    for trial in trials(games, 2, "SSS*", f"SSS*:{NODES}", "SSS*,grain=1"):
        assert weigh(trial) == [Verdict(0, 0, 0)] * 2


def test_few_nodes_lose(games: Path) -> None:
    """Four to seven standard errors over ROWS rows, so that a change of the search does not toss a coin."""
    settings = "SSS*", "SSS*:100", "PVS:100,late_move_base=1"
    found = [weigh(trial) for trial in trials(games, ROWS, *settings)]
    for number in range(2):
        verdicts = [verdict[number] for verdict in found]
        assert sum(verdict.lost for verdict in verdicts) > 0
        assert sum(verdict.differ for verdict in verdicts) > ROWS
        assert sum(verdict.deeper for verdict in verdicts) < -2 * ROWS * ROW
    again = weigh(trials(games, ROWS, *settings[:2])[-1])
    assert again == found[-1][:1], "a row depends on itself alone"


@pytest.mark.parametrize(
    ("fen", "move", "least", "most"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", MAX_SCORE, MAX_SCORE),
        ("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "c1c7", 0, 0),
        ("4k3/8/2n5/8/8/8/4P3/3QK3 w - - 0 1", "d1d4", -400, 100),
        ("4k3/8/2n5/8/8/8/4P3/3QK3 w - - 0 1", "d1c2", 101, MAX_SCORE),
    ],
)
def test_what_judges_say(fen: str, move: str, least: float, most: float) -> None:
    assert least <= judge(chess.Board(fen), move, 3000) <= most


def test_a_repetition_is_a_draw_for_the_judges() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1")
    for move in ("a1b1", "e8e7", "b1a1", "e7e8", "a1b1", "e8e7", "b1a1"):
        board.push_uci(move)
    assert judge(board, "e7e8", 1000) == 0


def test_report() -> None:
    line = report("x", [Verdict(8, 1, 4), Verdict(0, 1, 0)])
    assert line.split() == ["x", "+1.00", "1.96", "25.0", "%", "+0.50"]


def test_command(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "PVS",
        "SSS*",
        "SSS*,driver_tolerance=9",
        "--games",
        str(games),
        "--positions",
        "7",
        "--nodes",
        "300",
        "--judges-nodes",
        "600",
    ]
    assert regret.main(words) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["against", "PVS", "lost", "cp", "+-", "differ", "deeper"]
    assert [line.split()[0] for line in lines] == ["SSS*", "SSS*,driver_tolerance=9"]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["PVS"], "nothing to compare: give two settings or more"),
        (["PVS", "SSSS"], "no driver 'SSSS'; there are SSS*, "),
        (["PVS", "SSS*:many"], "'many' is no number of nodes"),
        (["PVS", "SSS*:0"], "0 is not positive"),
        (["PVS", "SSS*,no_such=1"], "no parameter 'no_such'"),
        (["PVS", "SSS*", "--games", "/nowhere/at/all"], "No such file"),
    ],
)
def test_bad_input(words: list[str], complaint: str, games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as refused:
        leave(regret.main, words if "--games" in words else [*words, "--games", str(games)])
    error = capsys.readouterr().err
    assert refused.value.code == 2 and complaint in error and error.count("\n") == 1


def test_games_too_short_or_decided_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start, board = chess.Board(), chess.Board()
    plies = []
    for name in ("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4"):
        plies.append((encode_move(board, chess.Move.from_uci(name)), 501))
        board.push_uci(name)
    (tmp_path / "games").write_bytes(pack_game(start, 1, plies))
    with pytest.raises(SystemExit):
        leave(regret.main, ["PVS", "SSS*", "--games", str(tmp_path / "games")])
    assert "no game with 7 plies in a row within 500 centipawns" in capsys.readouterr().err
