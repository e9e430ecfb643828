"""The protocol loop: positions, lists of moves, Chess960."""

import random
import time

import chess
import pytest
from support.sessions import InProcess, fen_of

from sssnake._fast.board.board import Board
from sssnake.engine.uci.game import STARTPOS, CurrentGame


@pytest.mark.parametrize(
    ("command", "moves"),
    [
        ("position startpos", []),
        ("position startpos moves", []),
        ("position\tstartpos  moves  e2e4\te7e5\r", ["e2e4", "e7e5"]),
        (f"position fen {STARTPOS} moves ", []),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - moves g1f3", ["g1f3"]),
        ("position startpos moves E2E4", ["e2e4"]),
    ],
)
def test_positions(session: InProcess, command: str, moves: list[str]) -> None:
    session.send(command)
    board = chess.Board()
    for move in moves:
        board.push_uci(move)
    assert fen_of(session) == board.fen()


@pytest.mark.parametrize(
    "command",
    [
        "position",
        "position fen",
        "position nonsense",
        "position moves e2e4",
        "position fen this is not a position",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen 4k3/4R3/8/8/8/8/4r3/4K3 w - - 0 1 moves e1e8",
        "position fen 4k3/8/8/8/8/8/4r3/4K3 b - - 0 1",
        "position startpos moves e2e4 e7e5 e1e3",
        "position startpos moves e2e4 0000",
        "position startpos moves z9z9",
    ],
)
def test_bad_positions_keep_the_old_one(session: InProcess, command: str) -> None:
    session.send("position startpos moves d2d4")
    before = fen_of(session)
    assert session.uci.game.board.fen() == before
    session.send(command)
    complaint = session.sync()
    assert len(complaint) == 1 and complaint[0].startswith("info string position: ")
    assert session.uci.game.board.fen() == before  # for the next list of moves; nothing tells it to anybody


@pytest.mark.parametrize(
    "refused",
    [
        "position nonsense",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e4 e7e5 e1e3 g8f6",  # wrong in the middle
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2 0000",
    ],
)
def test_no_move_is_played_for_the_position_before_a_refused_one(session: InProcess, refused: str) -> None:
    session.send("position startpos moves d2d4", refused)
    assert len(session.sync()) == 1
    session.send("setoption name UCI_Chess960 value true", "ucinewgame", "go depth 3")
    answer = ["info string go: the last position was refused", "info depth 0 score cp 0", "bestmove (none)"]
    assert session.lines.until("bestmove") == answer
    session.send("go infinite")
    assert session.sync() == answer[:2]
    session.send("stop")
    assert session.lines.until("bestmove") == answer[2:]
    for command in ("go perft 2", "perft 2", "eval", "d", "flip"):
        session.send(command)
        assert session.sync() == [f"info string {command.split()[0]}: the last position was refused"]
    session.send("position startpos moves d2d4", "go depth 1")
    assert session.lines.until("bestmove")[-1].split()[1] in session.engine.board.legal_moves()


def test_longer_lists_of_the_same_game_push_only_the_new_moves() -> None:
    pushed: list[str] = []

    class Counting:
        def __init__(self, fen: str, chess960: bool):
            self.played: list[str] = []

        def copy(self) -> "Counting":
            copy = Counting("", False)
            copy.played = self.played[:]
            return copy

        def push(self, move: str) -> None:
            if move == "bad":
                raise ValueError("bad")
            pushed.append(move)
            self.played.append(move)

    game = CurrentGame(Counting)  # type: ignore[arg-type]
    moves = [f"m{i}" for i in range(300)]
    for length in range(0, 301, 2):
        game.set(STARTPOS, moves[:length], False)
    assert pushed == moves
    with pytest.raises(ValueError, match="bad"):
        game.set(STARTPOS, [*moves, "bad"], False)
    assert game.board.played == moves  # type: ignore[attr-defined]
    game.set(STARTPOS, moves[:2], False)  # a take-back: from the start again
    assert game.board.played == moves[:2]  # type: ignore[attr-defined]


@pytest.mark.clock
def test_a_long_game_is_set_up_fast() -> None:
    rng, board = random.Random(1), chess.Board()
    moves: list[str] = []
    while len(moves) < 400 and not board.is_game_over():
        move = rng.choice(list(board.legal_moves))
        moves.append(move.uci())
        board.push(move)
    game = CurrentGame(Board)
    start = time.perf_counter()
    game.set(STARTPOS, moves, False)
    assert game.board.fen() == board.fen()
    assert time.perf_counter() - start < 0.25


def test_chess960_castling_in_and_out(session: InProcess) -> None:
    fen = "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w HBhb - 0 1"
    session.send(
        "setoption name UCI_Chess960 value true", f"position fen {fen}", "go depth 1 searchmoves f1h1"
    )
    assert session.lines.until("bestmove")[-1] == "bestmove f1h1"
    session.send(f"position fen {fen} moves f1h1")
    assert session.sync() == []


def test_chess960_set_after_the_position(session: InProcess) -> None:
    session.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1", "setoption name UCI_Chess960 value true")
    session.send("go depth 1 searchmoves e1h1")
    assert session.lines.until("bestmove")[-1] == "bestmove e1h1"
