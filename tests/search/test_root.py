"""The root stores only what holds of the position: not what some of its moves, or the game, have shown."""

import random
from collections.abc import Iterator

import chess
import pytest
from support.constants import KIWIPETE
from support.parameters import PARAMETERS

from sssnake._fast.board.board import Board
from sssnake._fast.search import root as search
from sssnake._fast.search.tt import TranspositionTable
from sssnake._fast.search.worker import StopFlag, Worker
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits

FENS = (
    "rnbqkbnr/pppppppp/8/8/P7/8/1PPPPPPP/RNBQKBNR b KQkq - 0 1",
    KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
)


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine(hash_mb=1) as engine:
        yield engine


def entry(engine: Engine, board: chess.Board) -> dict[str, int] | None:
    """What the transposition table holds of a position without its game."""
    assert engine.pool
    return engine.pool.table.get(Board.from_chess(board).table_key)


@pytest.mark.parametrize("fen", FENS)
def test_searchmoves_leave_nothing_at_the_root(engine: Engine, fen: str) -> None:
    board = chess.Board(fen)
    for move in list(board.legal_moves)[::7]:
        engine.clear_hash()
        engine.play(board, Limits(depth=6, searchmoves=[move.uci()]))
        assert entry(engine, board) is None
    engine.play(board, Limits(depth=6))
    assert entry(engine, board) is not None


def test_searchmoves_with_all_moves_are_no_restriction(engine: Engine) -> None:
    board = chess.Board(FENS[0])
    engine.play(board, Limits(depth=6, searchmoves=[move.uci() for move in board.legal_moves]))
    assert entry(engine, board) is not None


@pytest.mark.parametrize("restricted", ["g7g5", "f7f6", "h7h5", "b8a6"])
def test_a_restricted_search_does_not_raise_the_move_before(engine: Engine, restricted: str) -> None:
    """`go searchmoves` after a2a4, and then the start position: a2a4 looked a pawn up."""
    board = chess.Board()
    board.push_uci("a2a4")
    engine.play(board, Limits(depth=12, searchmoves=[restricted]))
    result = engine.play(chess.Board(), Limits(depth=7))
    assert result.move != chess.Move.from_uci("a2a4")
    assert result.score.value < 70


def test_later_lines_leave_the_first_ones_bound(engine: Engine) -> None:
    """MultiPV: the later lines search what is left of the moves, and say nothing of the position."""
    board = chess.Board(FENS[1])
    engine.configure(multipv=5)
    result = engine.play(board, Limits(depth=6))
    found = entry(engine, board)
    assert found
    assert found["move"] == Board(FENS[1]).parse(result.lines[0].pv[0].uci())
    assert found["upper"] > result.lines[1].score.value


def worker_at(board: chess.Board) -> Worker:
    worker = Worker(TranspositionTable(1), StopFlag(), PARAMETERS)
    worker.set_position(Board.from_chess(board))
    worker.new_iteration(3)
    return worker


@pytest.mark.parametrize("plies", [6, 8])
def test_a_move_that_the_game_makes_a_draw_does_not_bound_the_position(plies: int) -> None:
    """A third repetition, or a move that allows one, counts as a draw: in every pass that uses it."""
    board = chess.Board("6k1/8/8/8/8/8/8/RK6 w - - 0 1")
    for move in (("a1a2", "g8h8", "a2a1", "h8g8") * 2)[:plies]:
        board.push_uci(move)
    for gamma, fen, stored in ((9000, None, False), (9000, board.fen(), True)):
        worker = worker_at(board if fen is None else chess.Board(fen))
        for asked in (gamma, gamma - 500):  # the second pass takes over the bounds of the first
            assert 0 < search.mt(worker, asked, 3) < asked
            found = worker.table.get(Board.from_chess(board).table_key)
            assert (found is not None) == stored


def test_bounds_in_the_table_hold_after_any_restricted_search() -> None:
    """Random moves at the root, then the whole: what is stored must not depend on what came first."""
    rng = random.Random(53)
    for fen in FENS:
        board = Board(fen)
        moves = [board.parse(move) for move in board.legal_moves()]
        worker = Worker(TranspositionTable(4), StopFlag(), PARAMETERS)
        for _ in range(20):
            worker.set_position(board, rng.sample(moves, rng.randint(1, len(moves) - 1)))
            for depth in range(1, 4):
                worker.new_iteration(depth)
                for gamma in sorted(rng.sample(range(-400, 400), 4), reverse=True):
                    search.mt(worker, gamma, depth)
            assert worker.table.get(board.table_key) is None, fen
