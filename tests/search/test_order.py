"""What histories learn, and which quiet moves the order prefers.

As in test_rules.py all other rules are off. A move's history shows in its reduction, see `history_of`.
"""

from collections.abc import Sequence
from math import log

import pytest
from support.one_rule import (
    DEEP,
    MOVE,
    QUEEN_UP,
    after,
    worker_at,
)
from support.parameters import PARAMETERS

from sssnake._fast.board.board import Board
from sssnake._fast.search import root
from sssnake._fast.search.parameters import find
from sssnake._fast.search.tt import Bound, TranspositionTable
from sssnake._fast.search.worker import Worker
from sssnake._fast.values import INFINITE, MATE

ROOKS = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
MATE_IN_ONE = "6k1/p4ppp/8/8/8/8/8/3R2K1 b - - 0 1"  # a6: Rd8 mates
CHECK = "6k1/p4pp1/7p/8/8/8/8/3R2K1 b - - 0 1"  # a6: Rd8 is no mate

pytestmark = pytest.mark.usefixtures("rules_off")


def searched(board: Board, depth: int, **values: int) -> tuple[int, int]:
    """Value and nodes of a search of all moves with an open window."""
    for name, value in values.items():
        PARAMETERS[name] = value
    worker = worker_at(board, board.legal_moves(), depth)
    return root.window(worker, -INFINITE, INFINITE, depth), worker.nodes


def along(worker: Worker, board: Board, line: Sequence[str], depth: int, first: str) -> Board:
    """The position after a line. A search will come to `depth` there, and begin with `first`."""
    worker.use_table(TranspositionTable(1, exact=True))
    worker.set_position(board, [board.parse(line[0])])
    worker.new_iteration(depth + len(line))
    for i, move in enumerate([*line[1:], first], 1):
        node = after(board, *line[:i])
        worker.table.put(node.table_key, 0, 0, Bound.NONE, node.parse(move))
    return node


def teach(
    worker: Worker, board: Board, move: str, *, first: str | None = None, line: Sequence[str] = (MOVE,)
) -> None:
    """Let `move` cut off after a line, at depth 5; as the TT move, or else after `first`, which is that."""
    sign = -1 if len(line) % 2 else 1
    node = along(worker, board, line, 5, first or move)
    worker.table.put(after(node, move).table_key, -9000, DEEP, Bound.UPPER, pv=True)
    assert root.mt(worker, 8000 * sign, 5 + len(line)) == 9000 * sign


def history_of(
    worker: Worker, board: Board, move: str, first: str = "a1a2", line: Sequence[str] = (MOVE,)
) -> float:
    """Of a quiet move after a line, in units: as many as save it a ply. 0: fewer than 450."""
    PARAMETERS["lmr_depth"] = 2
    PARAMETERS["lmr_base_quiet"] = 1024
    PARAMETERS["lmr_scale_quiet"] = 600
    spare = int(600 * log(3) * log(2)) + 1  # of the ply that the second move at depth 3 is reduced by
    low, high = find("lmr_history").minimum, 1_000_000  # history units of a ply
    while high - low > 1:
        PARAMETERS["lmr_history"] = (low + high) // 2
        worker.set_learning(False)
        node = along(worker, board, line, 3, first)
        root.mt(worker, -5000 if len(line) % 2 else 5000, 3 + len(line))
        entry = worker.table.get(after(node, move).table_key)
        assert entry and entry["lower_depth"] in (1, 2)
        if entry["lower_depth"] == 2:
            low = PARAMETERS["lmr_history"]
        else:
            high = PARAMETERS["lmr_history"]
    worker.set_learning(True)
    PARAMETERS["lmr_depth"] = 0
    return spare * low / 1024 if low > find("lmr_history").minimum else 0


# The order of moves


def test_preferring_checks_changes_no_value() -> None:
    board = Board(ROOKS)
    usual = searched(board, 8)
    value, nodes = searched(board, 8, check_bonus=8000)
    assert value == usual[0] and nodes != usual[1]


@pytest.mark.parametrize("bonus", [0, 8000])
def test_a_check_is_found_in_spite_of_late_move_pruning(bonus: int) -> None:
    PARAMETERS["late_move_depth"] = 8
    PARAMETERS["late_move_base"] = 1
    PARAMETERS["check_bonus"] = bonus
    worker = worker_at(Board(MATE_IN_ONE), ["a7a6"], 2)
    assert (root.mt(worker, -5000, 2) == 2 - MATE) == (bonus > 0)
    assert worker.nodes < 10, "late move pruning acts"


@pytest.mark.parametrize("bonus", [0, 8000])
@pytest.mark.parametrize(
    ("fen", "check"),
    [
        ("6k1/p4pp1/7p/8/8/8/8/3Q2K1", "d1d8"),
        ("6k1/p4pp1/7p/8/8/8/8/3R2K1", "d1d8"),
        ("6k1/p5p1/7p/8/8/8/8/3B2K1", "d1b3"),
        ("6k1/p4pp1/7p/3N4/8/8/8/6K1", "d5e7"),
        ("6k1/p4p2/7P/8/8/3B4/1P6/6K1", "h6h7"),
    ],
)
def test_checks_of_all_pieces_are_preferred(fen: str, check: str, bonus: int) -> None:
    """Late move pruning lets two moves live."""
    PARAMETERS["late_move_depth"] = 8
    PARAMETERS["late_move_base"] = 1
    PARAMETERS["check_bonus"] = bonus
    board = Board(f"{fen} b - - 0 1")
    worker = worker_at(board, ["a7a6"], 2)
    root.mt(worker, -5000, 2)
    assert (worker.table.get(after(board, "a7a6", check).table_key) is not None) == (bonus > 0)


@pytest.mark.parametrize("safe", [True, False])
def test_a_check_that_loses_material_is_not_preferred(safe: bool) -> None:
    """A bishop may take the rook on d8. Late move pruning lets two moves live."""
    PARAMETERS["late_move_depth"] = 8
    PARAMETERS["late_move_base"] = 1
    PARAMETERS["check_bonus"] = 8000
    board = Board(CHECK if safe else CHECK.replace("7p", "5b1p"))
    worker = worker_at(board, ["a7a6"], 2)
    root.mt(worker, -5000, 2)
    assert (worker.table.get(after(board, "a7a6", "d1d8").table_key) is not None) == safe


# What histories learn


@pytest.mark.parametrize("first", [None, "a1a2"])
def test_what_a_cutoff_is_worth_later(first: str | None) -> None:
    """As the first move or not: 5 * 250 - 50 in the quiet history, and in that with the last move."""
    board = Board(QUEEN_UP)
    worker = worker_at(board, [MOVE], 6)
    teach(worker, board, "a1b1", first=first)
    assert history_of(worker, board, "a1b1") == pytest.approx(2400, rel=0.005)


@pytest.mark.parametrize("histories", [1, 2, 3])
def test_histories_with_moves_1_and_2_and_4_plies_before(histories: int) -> None:
    """White's moves are forced. Each history holds its own bonuses back."""
    board = Board("5bk1/8/6bp/8/2p5/2p5/8/K7 b - - 0 1")
    moves = ("h6h5", "a1a2", "h5h4", "a2a1", "h4h3")
    line, move = moves[: 2 * histories - 2], moves[2 * histories - 2]
    if histories == 1:
        board, line, move = Board(QUEEN_UP), (MOVE,), "a1b1"
    worker = worker_at(board, [line[0]], 6)
    entry = 0
    for _ in range(12):
        teach(worker, board, move, line=line)
        entry += 1200 - entry * 1200 // 16384
    first = "a1a2" if histories == 1 else "g8g7"
    found = history_of(worker, board, move, first, line)
    assert found == pytest.approx((1 + histories) * entry, rel=0.005)
