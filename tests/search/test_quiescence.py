"""Quiescence: which captures and checks are tried below the horizon."""

import pytest
from support.one_rule import EVALUATOR, after, worker_at
from support.parameters import PARAMETERS

from sssnake._fast.board.board import Board
from sssnake._fast.search import root
from sssnake._fast.values import MATE

pytestmark = pytest.mark.usefixtures("rules_off")


@pytest.mark.parametrize(("wanted", "nodes"), [(50, 2), (150, 1)])
def test_delta_pruning_counts_the_pawn_taken_en_passant(wanted: int, nodes: int) -> None:
    """dxe6 may gain a pawn, and is tried for no more than that."""
    PARAMETERS["quiesce_margin"] = 0
    board = Board("4k1n1/p3p3/8/3P4/8/8/8/4K1N1 b - - 0 1")
    gamma = -EVALUATOR.evaluate(after(board, "e7e5")) - wanted
    worker = worker_at(board, ["e7e5"], 1)
    root.mt(worker, gamma, 1)
    assert worker.nodes == nodes


BACK_RANK = "6k1/1p3ppp/8/8/8/8/8/R5K1 b - - 0 1"  # b7b6 lets Ra8 mate


@pytest.mark.parametrize("plies", [0, 1])
def test_quiescence_tries_checks(plies: int) -> None:
    """Ra8 mate is found at the horizon."""
    PARAMETERS["quiesce_checks"] = plies
    board = Board(BACK_RANK)
    worker = worker_at(board, ["b7b6"], 1)
    value = root.mt(worker, -EVALUATOR.evaluate(after(board, "b7b6")) - 50, 1)
    assert worker.nodes == 1 + plies
    assert (value == 2 - MATE) == (plies > 0)


@pytest.mark.parametrize(
    ("fen", "tried"),
    [("6k1/1pn2ppp/8/8/8/8/8/R5K1 b - - 0 1", False), ("6k1/1p3ppp/3n4/8/8/8/8/R5K1 b - - 0 1", True)],
)
def test_quiescence_tries_no_check_that_loses_material(fen: str, tried: bool) -> None:
    """Nxa8, or not."""
    PARAMETERS["quiesce_checks"] = 1
    board = Board(fen)
    worker = worker_at(board, ["b7b6"], 1)
    root.mt(worker, -EVALUATOR.evaluate(after(board, "b7b6")) - 50, 1)
    assert (worker.nodes > 1) == tried


@pytest.mark.parametrize("plies", [1, 2])
def test_checks_are_tried_for_so_many_plies(plies: int) -> None:
    """After Rxa5 there is Rb1 mate, which one ply of checks does not find."""
    PARAMETERS["quiesce_checks"] = plies
    board = Board("1r4k1/5ppp/8/p7/8/8/5PPP/R5K1 b - - 0 1")
    worker = worker_at(board, ["h7h6"], 1)
    gamma = -EVALUATOR.evaluate(after(board, "h7h6")) - 50
    value = root.mt(worker, gamma, 1)
    assert (value < gamma) == (worker.nodes == 2) == (plies == 1)


@pytest.mark.parametrize(
    ("fen", "captures"), [("8/8/8/4k3/8/R7/8/K7 w - - 0 1", 0), ("3b4/8/8/4k3/8/R7/8/K7 w - - 0 1", 1)]
)
@pytest.mark.parametrize("most", [0, 1, 2, 3, 5, 20])
def test_so_many_quiet_evasions_are_tried(fen: str, captures: int, most: int) -> None:
    """After Ra5+ the king has six, far below alpha. One move at least is tried; Bxa5 does not count."""
    PARAMETERS["quiesce_evasions"] = most
    board = Board(fen)
    assert len(after(board, "a3a5").moves()) == 6 + captures
    worker = worker_at(board, ["a3a5"], 1)
    assert root.mt(worker, -5000, 1) >= -5000
    assert worker.nodes == 1 + captures + min(max(most, 1 - captures), 6)


@pytest.mark.parametrize(
    ("fen", "move", "tried"),
    [("8/8/8/4k3/8/R7/8/K7 w - - 0 1", "a3a5", 2), ("8/8/8/4k3/7P/8/8/K1B5 w - - 0 1", "c1b2", 6)],
)
def test_every_evasion_is_tried_where_the_win_hangs_on_a_pawn(fen: str, move: str, tried: int) -> None:
    PARAMETERS["quiesce_evasions"] = 2
    PARAMETERS["ending_pieces"] = 4
    worker = worker_at(Board(fen), [move], 1)
    assert root.mt(worker, 100, 1) >= 100
    assert worker.nodes == 1 + tried
