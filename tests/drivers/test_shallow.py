"""ShallowSearch: exact where nothing is known, and from there on one iteration a position."""

from statistics import median

import chess
import pytest
from support.parameters import PARAMETERS

from sssnake._fast.board.board import Board
from sssnake._fast.drivers.shallow import ShallowSearch
from sssnake._fast.search.tt import TranspositionTable
from sssnake._fast.search.worker import StopFlag, Worker
from sssnake._fast.values import MATE
from sssnake.engine.player import evaluation
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import DRIVERS, INTERNAL

QUIET = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
MATE_IN_TWO = "k7/8/2K5/8/8/8/8/7R w - - 0 1"  # 1. Kc7 Ka7 2. Ra1


def searcher(depth: int, driver: str = "MTD(f)") -> ShallowSearch:
    """With a worker and a table of its own."""
    worker = Worker(TranspositionTable(1), StopFlag(), PARAMETERS)
    worker.use_network(evaluation.load(INTERNAL))
    return ShallowSearch(worker, depth, driver)


def search(shallow: ShallowSearch, board: Board) -> tuple[str, int, int]:
    """(move, value, nodes)."""
    shallow.worker.set_position(board.copy())
    move, value = shallow.search()
    return board.uci(move), value, shallow.worker.nodes


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_first_search_of_a_game_is_exact(depth: int) -> None:
    """As PVS, which leaves no bracket open, whatever the driver's tolerance.

    Static values are not corrected: what corrects them depends on the passes of the driver.
    """
    PARAMETERS["correction_rate"] = 0
    with Engine(driver="PVS", hash_mb=1, parameters=PARAMETERS) as engine:
        wanted = engine.play(chess.Board(QUIET), Limits(depth=depth))
    move, value, _ = search(searcher(depth), Board(QUIET))
    assert wanted.move is not None and (move, value) == (wanted.move.uci(), wanted.score.cp)


def nodes_along_a_game(start: str, forgetful: bool) -> int:
    """Of 20 plies by one driver. forgetful: every position is taken for the first one; the table is kept."""
    shallow, board, total = searcher(6, "PVS"), Board(start), 0
    for _ in range(20):
        if forgetful:
            shallow.new_game()
        move, _, nodes = search(shallow, board)
        board.push(move)
        total += nodes
    return total


def test_along_a_game_the_last_iteration_alone_is_searched() -> None:
    """After each first move: one game alone may need as many nodes either way."""
    starts = []
    for move in chess.Board().legal_moves:
        board = chess.Board()
        board.push(move)
        starts.append(board.fen())
    remembering, forgetful = (
        sum(nodes_along_a_game(start, forgetful) for start in starts) for forgetful in (False, True)
    )
    assert remembering < 0.9 * forgetful


def test_the_value_is_turned_to_the_other_side() -> None:
    shallow, board = searcher(6), Board("4k3/pppp4/8/8/8/8/PPPP4/R3K3 w - - 0 1")
    for turn in (1, -1, 1, -1):
        move, value, _ = search(shallow, board)
        assert turn * value > 300
        board.push(move)


def test_after_another_move_nothing_is_known() -> None:
    """The search is that of a game that begins there: exact, and with all iterations."""
    shallow, other = searcher(3), Board(QUIET)
    best = search(shallow, other)[0]
    other.push(next(move for move in other.legal_moves() if move != best))
    shallow.worker.table.clear()
    shallow.worker.new_game()
    assert search(shallow, other) == search(searcher(3), other)


@pytest.mark.usefixtures("rules_off")
@pytest.mark.parametrize("driver", DRIVERS)
def test_mates_are_followed_to_the_end(driver: str) -> None:
    """Each value is a forced mate, counted exactly, for the side that gives it; the moves lead there."""
    shallow, board = searcher(8, driver), Board(MATE_IN_TWO)
    plies = []
    while not board.is_checkmate:
        move, value, _ = search(shallow, board)
        assert (value > 0) == board.turn
        plies.append(MATE - abs(value))
        board.push(move)
    assert plies[-1] == 1 and len(plies) <= 5 and plies == sorted(plies, reverse=True)


@pytest.mark.usefixtures("rules_off")
def test_values_of_a_closed_bracket_lie_within_its_tolerance() -> None:
    """Along a game the driver's value differs from the exact one of the same depth by little."""
    shallow, exact, board = searcher(4), searcher(4, "PVS"), Board(QUIET)
    differences = []
    for _ in range(30):
        move, value, _ = search(shallow, board)
        differences.append(abs(value - search(exact, board)[1]))
        board.push(move)
        exact.new_game()
    assert median(differences) <= 10


def test_what_cannot_be_searched() -> None:
    for depth in (0, -1, 128, 10_000):
        with pytest.raises(ValueError, match="depth"):
            searcher(depth)
    with pytest.raises(ValueError):
        searcher(3, "hope")
    shallow = searcher(3)
    with pytest.raises(ValueError, match="position"):
        shallow.search()
    shallow.worker.set_position(Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"))
    with pytest.raises(ValueError, match="no move"):
        shallow.search()
    assert search(shallow, Board(QUIET))[0], "and it goes on"
