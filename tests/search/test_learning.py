"""How finished nodes update the histories, and when they must not."""

import pytest
from support.constants import KIWIPETE
from support.one_rule import EVALUATOR, MOVE, THREE_KNIGHTS, after, worker_at
from support.parameters import PARAMETERS

from sssnake._fast.board.board import Board
from sssnake._fast.search import root
from sssnake._fast.search.tt import Bound, TranspositionTable
from sssnake._fast.search.worker import StopFlag, Worker
from sssnake._fast.values import INFINITE, MATE

pytestmark = pytest.mark.usefixtures("rules_off")


def updated(worker: Worker, board: Board, depth: int) -> bool:
    """Whether a worker with an empty TT searches `board` unlike a new one: its histories have changed."""
    nodes = []
    for other in (worker, Worker(TranspositionTable(1), StopFlag(), PARAMETERS)):
        other.use_table(TranspositionTable(1, exact=True))
        other.set_position(board)
        other.new_iteration(depth)
        root.mt(other, EVALUATOR.evaluate(board) + 20, depth)
        nodes.append(other.nodes)
    return nodes[0] != nodes[1]


@pytest.mark.parametrize("near", [True, False])
def test_a_pass_without_learning_updates_no_histories(near: bool) -> None:
    """With all rules on, so that the histories have most influence."""
    PARAMETERS.reset()
    board = Board(KIWIPETE)
    worker = worker_at(board, board.legal_moves(), 6)
    worker.set_learning(near)
    root.mt(worker, EVALUATOR.evaluate(board), 6)
    assert updated(worker, board, 6) == near


@pytest.mark.parametrize("near", [True, False])
def test_a_pass_without_learning_stores_no_moves(near: bool) -> None:
    """The bounds of cut nodes are stored, their moves are not."""
    board = Board(KIWIPETE)
    worker = worker_at(board, board.legal_moves(), 3)
    worker.set_learning(near)
    root.mt(worker, 2000, 3)
    entries = [worker.table.get(board.key_after(move)) for move in board.moves("quiet")]
    cut = [entry for entry in entries if entry and entry["lower_depth"] >= 1]
    assert len(cut) > 20
    assert any(entry["move"] for entry in cut) == near


@pytest.mark.parametrize("on", [1, 0])
def test_captures_that_failed_get_a_malus(on: int) -> None:
    """Nxe5 loses the queen, the rooks win a knight: the second time they come first."""
    PARAMETERS["capture_history"] = on
    board = Board(THREE_KNIGHTS)
    gamma = -EVALUATOR.evaluate(after(board, MOVE)) - 150
    worker = worker_at(board, [MOVE], 2)
    nodes = [0]
    for _ in range(2):
        worker.use_table(TranspositionTable(1))
        worker.new_iteration(2)
        assert root.mt(worker, gamma, 2) < gamma
        nodes.append(worker.nodes - nodes[-1])
    assert (nodes[2] < nodes[1]) == on


@pytest.mark.parametrize("name", ["killers", "counter_moves", "continuation_history", "capture_history"])
def test_move_ordering_changes_no_value(name: str) -> None:
    """With all rules off the value stays the same, and the node count changes."""
    board = Board(KIWIPETE)
    found = []
    for on in (1, 0):
        PARAMETERS[name] = on
        worker = worker_at(board, board.legal_moves(), 5)
        found.append((root.window(worker, -INFINITE, INFINITE, 5), worker.nodes))
    assert found[0][0] == found[1][0]
    assert found[0][1] != found[1][1]


@pytest.mark.parametrize("gain", [0, 4])
def test_a_quiet_move_that_gained_is_tried_first(gain: int) -> None:
    """No move cuts the first time, but Rd8 stands out by its static value: the second time it comes first."""
    PARAMETERS["history_gain"] = gain
    board = Board("6k1/p4ppp/1p6/8/8/1P6/P3NPPP/3R2K1 b - - 0 1")
    worker = worker_at(board, ["h7h6"], 3)
    low, high = -5000, -EVALUATOR.evaluate(after(board, "h7h6", "d1d8")) - 200
    visited = []
    for gamma in (low, high):
        worker.use_table(TranspositionTable(1))
        before = worker.nodes
        root.mt(worker, gamma, 3)
        visited.append(worker.nodes - before)
    assert visited[0] > 40
    assert (visited[1] == 3) == (gain > 0)


def test_killers_of_the_next_ply_are_those_of_this_nodes_children() -> None:
    """Black mates with Ra1 after any move of the pawn; what one line updates does not change the other.

    No history learns at depth 1, no counter move fits both lines: two root moves cost what each costs alone.
    """
    PARAMETERS["history_bonus"] = 20
    PARAMETERS["history_bonus_offset"] = 20
    board = Board("r5k1/8/8/8/3b4/7p/1P5P/7K w - - 0 1")
    lines = {"b2b3": "g8g7", "b2b4": "g8h8"}
    nodes = []
    for moves in (["b2b3"], ["b2b4"], ["b2b3", "b2b4"]):
        worker = worker_at(board, moves, 4)
        for move, reply in lines.items():
            node = after(board, move)
            worker.table.put(node.table_key, 0, 0, Bound.NONE, node.parse(reply))
        assert root.mt(worker, 5 - MATE, 4) == 4 - MATE
        nodes.append(worker.nodes)
    assert nodes[2] == nodes[0] + nodes[1]


def test_a_search_without_a_move_leaves_no_trace() -> None:
    """Two moves cut: the node is left at once, its entry is as before and the histories are empty."""
    PARAMETERS["singular_depth"] = 4
    board = Board(THREE_KNIGHTS)
    node = after(board, MOVE)
    good = EVALUATOR.evaluate(node) + 150
    bound = good + 20 - PARAMETERS["singular_margin"] * 4 // 16
    worker = worker_at(board, [MOVE], 5)
    worker.table.put(node.table_key, good + 20, 3, Bound.LOWER, node.parse("a1a5"))
    before = worker.table.get(node.table_key)
    assert root.mt(worker, -good, 5) == -bound
    assert worker.table.get(node.table_key) == before
    PARAMETERS["singular_depth"] = 0
    assert not updated(worker, board, 2)
