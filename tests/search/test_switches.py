"""The rules of the search that are off by default: that each acts, where it must, and nowhere else.

As in test_rules.py all other rules are off. A move's history shows in futility pruning: `spared` says whether
its units are worth a given margin.
"""

import pytest
from support.one_rule import (
    DEEP,
    EVALUATOR,
    MOVE,
    QUEEN_HANGS,
    QUEEN_UP,
    THREE_KNIGHTS,
    after,
    passed,
    worker_at,
)
from support.parameters import PARAMETERS
from support.released import summary

from sssnake._fast.board.board import Board
from sssnake._fast.search import root
from sssnake._fast.search.parameters import find
from sssnake._fast.search.tt import Bound, TranspositionTable
from sssnake._fast.search.worker import Worker
from sssnake._fast.values import INFINITE, MATE

SWITCHES = {
    "null_move_tt_capture": 1,
    "null_move_capture": 300,
    "late_move_checks": 1,
    "futility_history": 8,
    "futility_correction": 128,
    "see_history": 8,
    "singular_value": 1,
    "recapture_extension": 1,
    "lmr_hindsight": 3,
    "correction_captures": 1,
    "continuation_six": 1,
    "continuation_weight": 32,
    "counter_weight": 16,
    "continuation_gravity": 4,
    "continuation_in_check": 1,
    "continuation_research": 1,
    "check_bonus": 8000,
    "history_cut_node": 4,
    "history_trivial": 3,
    "history_malus_fall": 4,
}
ORDER = (  # changed by these, the order of moves alone
    "continuation_six",
    "continuation_weight",
    "counter_weight",
    "continuation_gravity",
    "continuation_in_check",
    "check_bonus",
    "history_cut_node",
    "history_trivial",
    "history_malus_fall",
)
NO_CHECKS = "4k3/pppp4/8/8/8/8/4PPPP/4K3 w - - 0 1"  # no check within five plies
ROOKS = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
MATE_IN_ONE = "6k1/p4ppp/8/8/8/8/8/3R2K1 b - - 0 1"  # a6: Rd8 mates
CHECK = "6k1/p4pp1/7p/8/8/8/8/3R2K1 b - - 0 1"  # a6: Rd8 is no mate
KEPT_PAWN = "6k1/8/8/3p4/8/8/N3P3/K7 b - - 0 1"  # Kg7: e4 loses a pawn
LOST_QUEEN = "6k1/5p2/4p3/8/8/8/4Q3/K7 b - - 0 1"  # Kg7: Qxe6 loses the queen

rules_off = pytest.mark.usefixtures("rules_off")


def searched(board: Board, depth: int, **values: int) -> tuple[int, int]:
    """Value and nodes of a search of all moves with an open window."""
    for name, value in values.items():
        PARAMETERS[name] = value
    worker = worker_at(board, board.legal_moves(), depth)
    return root.window(worker, -INFINITE, INFINITE, depth), worker.nodes


def teach(worker: Worker, board: Board, move: str, *, depth: int = 6, first: str | None = None) -> None:
    """Let `move` cut off after MOVE, at depth - 1; as the TT move, or else after `first`, which is that."""
    node = after(board, MOVE)
    worker.use_table(TranspositionTable(1, exact=True))
    worker.new_iteration(depth)
    worker.table.put(node.table_key, 0, 0, Bound.NONE, node.parse(first or move))
    worker.table.put(after(node, move).table_key, -9000, DEEP, Bound.UPPER, pv=True)
    assert root.mt(worker, -8000, depth) == -9000


def static_after(worker: Worker, board: Board) -> int:
    """The corrected static value after MOVE: reverse futility pruning returns it, less its margin."""
    depth = PARAMETERS["reverse_futility_depth"]
    PARAMETERS["reverse_futility_depth"] = 9
    worker.use_table(TranspositionTable(1, exact=True))
    worker.set_learning(False)
    worker.new_iteration(2)
    value = PARAMETERS["reverse_futility_margin"] - root.mt(worker, 30_000, 2)
    worker.set_learning(True)
    PARAMETERS["reverse_futility_depth"] = depth
    return value


def spared(worker: Worker, board: Board, move: str, margin: int, first: str = "a1a2") -> bool:
    """Whether futility pruning spares the second move where its margin must be so much larger than usual."""
    node = after(board, MOVE)
    goal = static_after(worker, board) + PARAMETERS["futility_base"] + PARAMETERS["futility_margin"] + margin
    PARAMETERS["futility_depth"] = 7
    worker.use_table(TranspositionTable(1, exact=True))
    worker.new_iteration(2)
    worker.table.put(node.table_key, 0, 0, Bound.NONE, node.parse(first))
    worker.set_learning(False)
    root.mt(worker, 1 - goal, 2)
    worker.set_learning(True)
    PARAMETERS["futility_depth"] = 0
    return worker.table.get(after(node, move).table_key) is not None


def test_each_switch_is_off_by_default_and_acts_when_on() -> None:
    usual = summary("8")
    for name, value in SWITCHES.items():
        assert find(name).off is None and find(name).default == (16 if name == "continuation_weight" else 0)
        assert summary("8", "--param", f"{name}={value}") != usual, name


# The order of moves


@rules_off
@pytest.mark.parametrize("name", ORDER)
def test_an_order_of_moves_changes_no_value(name: str) -> None:
    board = Board(ROOKS)
    usual = searched(board, 8)
    value, nodes = searched(board, 8, **{name: SWITCHES[name]})
    assert value == usual[0] and nodes != usual[1]


@rules_off
@pytest.mark.parametrize("name", ["continuation_six", "continuation_in_check"])
def test_what_an_order_must_not_depend_on(name: str) -> None:
    """There is no sixth ply before the first six; nothing changes where there is no check."""
    board = Board(NO_CHECKS)
    usual = searched(board, 5)
    assert searched(board, 5, **{name: 1}) == usual
    assert searched(board, 5, continuation_history=0)[1] != usual[1]


@rules_off
@pytest.mark.parametrize("name", ["late_move_checks", "check_bonus"])
@pytest.mark.parametrize("on", [True, False])
def test_a_check_is_found_in_spite_of_late_move_pruning(name: str, on: bool) -> None:
    PARAMETERS["late_move_depth"] = 8
    PARAMETERS["late_move_base"] = 1
    PARAMETERS[name] = SWITCHES[name] * on
    worker = worker_at(Board(MATE_IN_ONE), ["a7a6"], 2)
    assert (root.mt(worker, -5000, 2) == 2 - MATE) == on
    assert worker.nodes < 10 + 5 * on, "late move pruning acts"


@rules_off
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


@rules_off
@pytest.mark.parametrize(
    ("values", "units"),
    [
        ({}, 2400),  # quiet history and that with the last move: 5 * 250 - 50 each
        ({"continuation_weight": 32}, 3600),
        ({"continuation_weight": 8}, 1800),
        ({"counter_weight": 32}, 4800),
        ({"history_cut_node": 8}, 4800),
        ({"history_cut_node": 8, "driver_pv_nodes": 1, "pv_cutoffs": 1}, 2400),
        ({"history_trivial": 4}, 2400),
        ({"history_trivial": 5}, 0),
    ],
)
def test_what_a_cutoff_is_worth_later(values: dict[str, int], units: int) -> None:
    """A unit more would be one too many."""
    PARAMETERS["futility_history"] = 32
    for name, value in values.items():
        PARAMETERS[name] = value
    board = Board(QUEEN_UP)
    worker = worker_at(board, [MOVE], 6)
    teach(worker, board, "a1b1")
    PARAMETERS["driver_pv_nodes"] = 0
    margin = units * 32 // 1024
    assert spared(worker, board, "a1b1", margin)
    assert not spared(worker, board, "a1b1", margin + 1)


@rules_off
def test_a_bonus_is_only_trivial_for_the_first_move() -> None:
    """Ka2 is tried before."""
    PARAMETERS["futility_history"] = 32
    PARAMETERS["history_trivial"] = 5
    board = Board(QUEEN_UP)
    worker = worker_at(board, [MOVE], 6)
    teach(worker, board, "a1b1", first="a1a2")
    assert spared(worker, board, "a1b1", 75)


@rules_off
@pytest.mark.parametrize("quarters", [0, 2, 4])
def test_the_sum_of_continuation_histories_holds_a_bonus_back(quarters: int) -> None:
    PARAMETERS["futility_history"] = 32
    PARAMETERS["continuation_gravity"] = quarters
    board = Board(QUEEN_UP)
    worker = worker_at(board, [MOVE], 6)
    quiet = continuation = 0
    for _ in range(12):
        teach(worker, board, "a1b1")
        quiet += 1200 - quiet * 1200 // 16384
        bonus = 1200 - (continuation * quarters // 4) * 1200 // 16384
        continuation += bonus - continuation * bonus // 16384
    margin = (quiet + continuation) * 32 // 1024
    assert spared(worker, board, "a1b1", margin)
    assert not spared(worker, board, "a1b1", margin + 1)


@rules_off
@pytest.mark.parametrize("fall", [0, 16])
def test_the_malus_falls_with_the_number_of_the_move(fall: int) -> None:
    """Below -1500 moves are pruned: with the fall the first one alone, else all that failed."""
    PARAMETERS["history_malus_fall"] = fall
    board = Board(QUEEN_UP)
    node = after(board, MOVE)
    worker = worker_at(board, [MOVE], 6)
    teach(worker, board, "d2d8", first="a1a2")
    PARAMETERS["history_depth"] = 5
    PARAMETERS["history_margin"] = 1500
    worker.use_table(TranspositionTable(1, exact=True))
    worker.new_iteration(2)
    worker.table.put(node.table_key, 0, 0, Bound.NONE, node.parse("d2d8"))
    root.mt(worker, -5000, 2)
    pruned = [move for move in node.legal_moves() if worker.table.get(after(node, move).table_key) is None]
    assert "a1a2" in pruned
    assert (len(pruned) == 1) == (fall > 0)


@rules_off
@pytest.mark.parametrize("on", [0, 1])
def test_a_move_that_fails_when_searched_again_gets_a_malus(on: int) -> None:
    """Planted entries of the reduced depth have all moves fail high; at full depth none does, nor cuts."""
    PARAMETERS["continuation_research"] = on
    PARAMETERS["lmr_depth"] = 2
    PARAMETERS["lmr_base_quiet"] = 2048
    board = Board(QUEEN_UP)
    node = after(board, MOVE)
    worker = worker_at(board, [MOVE], 5)
    worker.table.put(node.table_key, 0, 0, Bound.NONE, node.parse("a1a2"))
    for move in node.moves():
        worker.table.put(node.key_after(move), -9000, 1, Bound.UPPER)
    assert root.mt(worker, -5000, 5) > -5000
    PARAMETERS["lmr_depth"] = 0
    PARAMETERS["lmr_base_quiet"] = 0
    PARAMETERS["history_depth"] = 5
    PARAMETERS["history_margin"] = 500
    worker.use_table(TranspositionTable(1, exact=True))
    worker.new_iteration(2)
    worker.table.put(node.table_key, 0, 0, Bound.NONE, node.parse("a1a2"))
    root.mt(worker, -5000, 2)
    assert (worker.table.get(after(node, "a1b1").table_key) is None) == on


# Margins


@rules_off
@pytest.mark.parametrize("weight", [0, 128])
def test_an_uncertain_static_value_prunes_less(weight: int) -> None:
    PARAMETERS["correction_weight"] = find("correction_weight").default
    PARAMETERS["futility_correction"] = weight
    board = Board(QUEEN_UP)
    worker = worker_at(board, [MOVE], 6)
    plain = static_after(worker, board)
    for _ in range(20):
        teach(worker, board, "a1b1")
    size = static_after(worker, board) - plain
    assert size > 8
    assert spared(worker, board, "a1b1", size * weight // 128)
    assert not spared(worker, board, "a1b1", size * weight // 128 + 1)


@rules_off
@pytest.mark.parametrize("lessons", [0, 4])
@pytest.mark.parametrize("weight", [0, 32])
def test_a_move_with_a_history_may_lose_material(weight: int, lessons: int) -> None:
    PARAMETERS["see_history"] = weight
    board = Board(KEPT_PAWN)
    worker = worker_at(board, [MOVE], 6)
    for _ in range(lessons):
        teach(worker, board, "e2e4")
    assert kept_by_see(worker, board, "e2e4") == (weight > 0 and lessons > 0)


@rules_off
def test_a_move_that_loses_nothing_needs_no_history() -> None:
    """e4 has failed often, and is attacked, but protected."""
    PARAMETERS["see_history"] = 32
    board = Board(KEPT_PAWN.replace("N3", "3N"))
    worker = worker_at(board, [MOVE], 6)
    for _ in range(4):
        teach(worker, board, "a1a2", first="e2e4")
    assert kept_by_see(worker, board, "e2e4")


def kept_by_see(worker: Worker, board: Board, move: str) -> bool:
    """Whether SEE pruning leaves a move at depth 1 that is not the first."""
    node = after(board, MOVE)
    PARAMETERS["see_depth"] = 10
    worker.use_table(TranspositionTable(1, exact=True))
    worker.new_iteration(2)
    worker.table.put(node.table_key, 0, 0, Bound.NONE, node.parse("a1b1"))
    root.mt(worker, -5000, 2)
    PARAMETERS["see_depth"] = 0
    return worker.table.get(after(node, move).table_key) is not None


# Null moves


@pytest.mark.usefixtures("slow_null_move")
@pytest.mark.parametrize(("move", "plies"), [("d2d5", 2), ("a1b1", 0)])
def test_a_null_move_is_shallower_where_the_tt_move_captures(move: str, plies: int) -> None:
    """Seen by the depth of the entry after the null move, which fails."""
    PARAMETERS["null_move_tt_capture"] = 2
    board = Board(QUEEN_HANGS)
    node = after(board, MOVE)
    worker = worker_at(board, [MOVE], 7)
    worker.table.put(node.table_key, 0, 0, Bound.NONE, node.parse(move))
    root.mt(worker, 51 - EVALUATOR.evaluate(node), 7)
    entry = worker.table.get(passed(node).table_key)
    assert entry and entry["lower_depth"] == 5 - plies


@pytest.mark.usefixtures("slow_null_move")
@pytest.mark.parametrize(
    ("move", "least", "tried"),
    [("d2d5", 0, True), ("d2d5", 900, False), ("d2d5", 901, True), ("a1b1", 1, True)],
)
def test_no_null_move_where_the_tt_move_takes_much(move: str, least: int, tried: bool) -> None:
    """A planted entry says that passing is worth 900."""
    PARAMETERS["null_move_capture"] = least
    board = Board(QUEEN_HANGS)
    node = after(board, MOVE)
    worker = worker_at(board, [MOVE], 6)
    worker.table.put(node.table_key, 0, 0, Bound.NONE, node.parse(move))
    worker.table.put(passed(node).table_key, -900, DEEP, Bound.UPPER)
    assert (root.mt(worker, 51 - EVALUATOR.evaluate(node), 6) == -900) == (worker.nodes == 2) == tried


# Depths


@rules_off
@pytest.mark.parametrize("on", [0, 1])
@pytest.mark.parametrize("gap", [14, -5])
def test_what_several_cuts_return(gap: int, on: int) -> None:
    """A rook captures without the TT move. The bound tested lies above beta, or below it."""
    PARAMETERS["singular_depth"] = 4
    PARAMETERS["singular_value"] = on
    board = Board(THREE_KNIGHTS)
    node = after(board, MOVE)
    good = EVALUATOR.evaluate(node) + 150
    bound = good + gap
    tested = bound + PARAMETERS["singular_margin"] * 4 // 16
    worker = worker_at(board, [MOVE], 5)
    worker.table.put(node.table_key, tested, 3, Bound.LOWER, node.parse("a1a5"))
    value = -root.mt(worker, -good, 5)
    entry = worker.table.get(node.table_key)
    assert entry
    cut = entry["lower_depth"] == 3  # as planted: the node was left by the singular search
    assert cut == (gap > 0 or on)
    if cut:
        assert value > bound if on else value == bound
        assert value > good


@rules_off
@pytest.mark.parametrize("on", [0, 1])
@pytest.mark.parametrize(
    ("move", "reply", "pv", "extended"),
    [
        ("d8d2", "c1d2", 1, True),
        ("d8d2", "c1d2", 0, False),
        ("d8d2", "c1b1", 1, False),
        ("h7h6", "d2d8", 1, False),
    ],
)
def test_what_takes_back_is_extended_at_pv_nodes(
    move: str, reply: str, pv: int, extended: bool, on: int
) -> None:
    PARAMETERS["recapture_extension"] = on
    PARAMETERS["driver_pv_nodes"] = pv
    board = Board("3r2k1/7p/8/8/8/8/3R3P/2K5 b - - 0 1")
    node = after(board, move)
    worker = worker_at(board, [move], 4)
    worker.table.put(node.table_key, 0, 0, Bound.NONE, node.parse(reply))
    root.mt(worker, 0, 4)
    child = worker.table.get(after(node, reply).table_key)
    assert child and max(child["lower_depth"], child["upper_depth"]) == 2 + (extended and on)


@rules_off
@pytest.mark.parametrize("plies", [0, 2, 3])
def test_a_reduction_of_a_move_that_gained_is_taken_back(plies: int) -> None:
    """All moves but the first are reduced by two plies and fail low. Static values shrink by 1/220 a ply."""
    PARAMETERS["lmr_hindsight"] = plies
    PARAMETERS["lmr_depth"] = 2
    PARAMETERS["lmr_base_quiet"] = 2048
    PARAMETERS["lmr_scale_quiet"] = 100
    board = Board(QUEEN_UP)
    node = after(board, MOVE)
    worker = worker_at(board, [MOVE], 6)
    assert root.mt(worker, -5000, 6) > -5000
    depths = {True: set[int](), False: set[int]()}
    for move in node.legal_moves()[1:]:
        child = after(node, move)
        entry = worker.table.get(child.table_key)
        if entry and not child.is_check:
            gained = -EVALUATOR.evaluate(child) * 218 // 220 > EVALUATOR.evaluate(node) * 219 // 220 + 1
            depths[gained].add(entry["lower_depth"])
    assert depths == {True: {3 if plies == 2 else 2}, False: {2}}


# Correction


@rules_off
@pytest.mark.parametrize("on", [0, 1])
@pytest.mark.parametrize("loses", [True, False])
def test_a_capture_that_loses_material_corrects(loses: bool, on: int) -> None:
    PARAMETERS["correction_weight"] = find("correction_weight").default
    PARAMETERS["correction_captures"] = on
    board = Board(LOST_QUEEN if loses else LOST_QUEEN.replace("5p2", "p7"))
    worker = worker_at(board, [MOVE], 6)
    plain = static_after(worker, board)
    for _ in range(20):
        teach(worker, board, "e2e6")
    assert (static_after(worker, board) > plain) == (loses and on == 1)
