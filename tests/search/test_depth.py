"""Rules that search a single move deeper or less deep: reductions, and extensions.

As in test_rules.py all other rules are off. A move's depth shows in the TT entry of its child.
"""

import pytest
from support.one_rule import MOVE, QUEEN_HANGS, QUEEN_UP, after, worker_at
from support.parameters import PARAMETERS

from sssnake._fast.board.board import Board
from sssnake._fast.search import root
from sssnake._fast.search.tt import Bound
from sssnake._fast.search.worker import Worker

pytestmark = pytest.mark.usefixtures("rules_off")

BOARD = Board(QUEEN_UP)
NODE = after(BOARD, MOVE)
TAKES = Board("3r2k1/7p/8/b7/1P6/8/3R3P/2K5 b - - 0 1")


def depth_of(worker: Worker, child: Board) -> int | None:
    """Of its TT entry, None without one."""
    entry = worker.table.get(child.table_key)
    return max(entry["lower_depth"], entry["upper_depth"]) if entry else None


# Reductions


def test_a_reduced_move_that_is_good_is_searched_again() -> None:
    """Planted entries of the reduced depth make all moves fail high; at full depth they do not."""
    PARAMETERS["lmr_depth"] = 2
    PARAMETERS["lmr_base_quiet"] = 2048
    PARAMETERS["lmr_scale_quiet"] = 100
    worker = worker_at(BOARD, [MOVE], 6)
    for move in NODE.moves():
        worker.table.put(NODE.key_after(move), -9000, 2, Bound.UPPER)
    assert root.mt(worker, -5000, 6) > -5000


def test_a_reduced_root_move_that_is_good_is_searched_again() -> None:
    """Planted entries of the reduced depth make the second move fail high; at full depth it does not."""
    PARAMETERS["lmr_root_moves"] = 1
    PARAMETERS["lmr_root"] = 0
    board = Board(QUEEN_UP)
    worker = worker_at(board, ["g8g7", "g8h7"], 6)
    worker.table.put(after(board, "g8g7").table_key, -2000, 4, Bound.UPPER)
    worker.table.put(after(board, "g8h7").table_key, -2000, 4, Bound.UPPER)
    assert root.mt(worker, 100, 6) < 100


# Extensions


@pytest.mark.parametrize(
    ("fen", "move", "pv", "plies"),
    [
        (QUEEN_HANGS, "d2d5", 0, 2),
        (QUEEN_HANGS, "d2d5", 1, 1),
        (QUEEN_UP, "a1b1", 0, -1),
        (QUEEN_UP, "a1b1", 1, 0),
    ],
)
def test_what_a_singular_search_extends(fen: str, move: str, pv: int, plies: int) -> None:
    """At cut nodes 2 plies for a singular move, -1 for one of many; at PV nodes 1 and 0."""
    PARAMETERS["singular_depth"] = 4
    PARAMETERS["driver_pv_nodes"] = pv
    board = Board(fen)
    node = after(board, MOVE)
    worker = worker_at(board, [MOVE], 5)
    worker.table.put(node.table_key, 201, 3, Bound.LOWER, node.parse(move))
    assert root.mt(worker, -199, 5) < -199
    child = worker.table.get(after(node, move).table_key)
    assert child and child["upper_depth"] == 3 + plies


@pytest.mark.parametrize("on", [0, 1])
@pytest.mark.parametrize(
    ("move", "best", "reply", "pv", "extended"),
    [
        ("d8d2", "c1d2", "c1d2", 1, True),
        ("d8d2", "c1d2", "c1d2", 0, False),  # no PV node
        ("d8d2", "c1b1", "c1d2", 1, False),  # not the TT move
        ("d8d2", "c1b1", "c1b1", 1, False),  # takes nothing
        ("h7h6", "d2d8", "d2d8", 1, False),  # nothing was taken
        ("d8d3", "d2d3", "d2d3", 1, False),
        ("d8d2", "b4a5", "b4a5", 1, False),  # takes elsewhere
    ],
)
def test_what_takes_back_is_extended_at_pv_nodes(
    move: str, best: str, reply: str, pv: int, extended: bool, on: int
) -> None:
    PARAMETERS["recapture_extension"] = on
    PARAMETERS["driver_pv_nodes"] = pv
    node = after(TAKES, move)
    worker = worker_at(TAKES, [move], 4)
    worker.table.put(node.table_key, 0, 0, Bound.NONE, node.parse(best))
    root.mt(worker, 0, 4)
    assert depth_of(worker, after(node, reply)) == 2 + (extended and on)
