"""The selective rules of the search, each alone: where it acts, and where it must not.

All rules are off but those that a test puts on. See also test_depth, test_quiescence, test_learning.
"""

import pytest
from support.constants import KIWIPETE
from support.one_rule import (
    DEEP,
    EVALUATOR,
    MOVE,
    PAWNS_UP,
    QUEEN_HANGS,
    QUEEN_UP,
    ROOK_UP,
    after,
    passed,
    worker_at,
)
from support.parameters import PARAMETERS

from sssnake._fast.board.board import Board
from sssnake._fast.search import root
from sssnake._fast.search.tt import Bound
from sssnake._fast.values import MATE

pytestmark = pytest.mark.usefixtures("rules_off")


# The null move


@pytest.mark.usefixtures("slow_null_move")
@pytest.mark.parametrize("verified", [True, False])
def test_a_null_move_is_verified(verified: bool) -> None:
    """Philidor's zugzwang: Black to move loses the rook, White to move would have a long way to go."""
    PARAMETERS["null_move_verify"] = 9 if verified else 64
    board = Board("1k6/1r6/2K5/8/8/8/8/4Q3 w - - 0 1")
    gamma = 150 - EVALUATOR.evaluate(after(board, "e1a5"))
    assert (root.mt(worker_at(board, ["e1a5"], 10), gamma, 10) >= gamma) == verified


@pytest.mark.usefixtures("slow_null_move")
def test_after_a_verification_null_moves_are_tried_again() -> None:
    """A null move cuts off after both root moves; the second value is that of the planted TT entry."""
    PARAMETERS["null_move_verify"] = 6
    board = Board(QUEEN_UP)
    worker = worker_at(board, ["g8g7", "g8h7"], 7)
    for move, value in (("g8g7", -900), ("g8h7", -800)):
        worker.table.put(passed(after(board, move)).table_key, value, DEEP, Bound.UPPER)
    assert root.mt(worker, -99, 7) == -800


@pytest.mark.usefixtures("slow_null_move")
@pytest.mark.parametrize(("fen", "tried"), [(PAWNS_UP, False), (PAWNS_UP.replace("K7", "KN6"), True)])
def test_pawns_alone_make_no_null_move(fen: str, tried: bool) -> None:
    """They may be in zugzwang. A planted entry says that passing is worth 900."""
    board = Board(fen)
    worker = worker_at(board, [MOVE], 6)
    worker.table.put(passed(after(board, MOVE)).table_key, -900, DEEP, Bound.UPPER)
    assert (root.mt(worker, -99, 6) == -900) == (worker.nodes == 2) == tried


@pytest.mark.parametrize(("fen", "pruned"), [(PAWNS_UP, False), (PAWNS_UP.replace("K7", "KN6"), True)])
def test_with_pawns_alone_no_move_is_pruned(fen: str, pruned: bool) -> None:
    """Far below alpha all moves but the first are futile."""
    PARAMETERS["futility_depth"] = 7
    board = Board(fen)
    worker = worker_at(board, [MOVE], 2)
    assert root.mt(worker, -5000, 2) >= -5000
    assert worker.nodes == (2 if pruned else 1 + len(after(board, MOVE).moves()))


# The 50-move rule


@pytest.mark.parametrize("depth", [1, 2, 6])
@pytest.mark.parametrize(
    ("fen", "move", "mate"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 90", "a1a8", True),
        ("6k1/1b3ppp/8/8/8/8/8/R5K1 w - - 0 90", "a1a8", False),  # Bxa8 would come too late
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 90", "a1a7", False),
    ],
)
def test_the_hundredth_ply_draws_unless_it_mates(fen: str, move: str, mate: bool, depth: int) -> None:
    for clock in (0, 99):
        board = Board(fen.replace(" 0 ", f" {clock} "))
        value = root.window(worker_at(board, [move], depth), -MATE, MATE, depth)
        drawn = clock == 99 and not mate
        assert after(board, move).is_fifty_moves == drawn
        assert (value == MATE - 1) == mate and (value == 0) == drawn


def test_the_ninety_ninth_ply_is_no_draw() -> None:
    board = Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 98 90")
    assert root.window(worker_at(board, ["a1a7"], 1), -MATE, MATE, 1) > 0


@pytest.mark.parametrize("plies", [40, 92])
@pytest.mark.parametrize("rule", ["table cutoff", "enhanced cutoff"])
def test_near_the_50_move_rule_tt_bounds_do_not_cut_off(rule: str, plies: int) -> None:
    """The same bound cuts off at a low 50-move counter."""
    board = Board(ROOK_UP.replace(" 0 1", f" {plies} 90"))
    worker = worker_at(board, ["h8g7"], 6)
    if rule == "table cutoff":
        worker.table.put(after(board, "h8g7").table_key, -900, DEEP, Bound.UPPER)
        gamma, value = 100, 900
    else:
        PARAMETERS["etc_depth"] = 3
        worker.table.put(after(board, "h8g7", "h1h2").table_key, -900, DEEP, Bound.UPPER)
        gamma, value = -100, -900
    cut_off = root.mt(worker, gamma, 6) == value
    assert cut_off == (worker.nodes == 1) == (plies == 40)


@pytest.mark.parametrize("repeated", [False, True])
def test_no_enhanced_cutoff_by_a_move_into_a_repetition(repeated: bool) -> None:
    """After Kc1 the position occurs for the third time."""
    PARAMETERS["etc_depth"] = 3
    board = Board("k7/8/8/8/8/8/6r1/2K4R b - - 0 1")
    for move in ("a8b8", "c1d1", "b8a8", "d1c1") * repeated + ("a8b8", "c1d1"):
        board.push(move)
    worker = worker_at(board, ["b8a8"], 6)
    worker.table.put(after(board, "b8a8", "d1c1").table_key, -900, DEEP, Bound.UPPER)
    cut_off = root.mt(worker, -100, 6) == -900
    assert cut_off == (worker.nodes == 1) == (not repeated)


def test_enhanced_cutoffs_are_tried_at_cut_nodes() -> None:
    """After Kg7 Kd1 Black is at an all node: the child's entry, which would cut off, is not probed."""
    board = Board(ROOK_UP)
    nodes = []
    for depth in (0, 3):
        PARAMETERS["etc_depth"] = depth
        worker = worker_at(board, ["h8g7"], 5)
        node = after(board, "h8g7")
        worker.table.put(node.table_key, 0, 0, Bound.NONE, node.parse("c1d1"))
        worker.table.put(after(node, "c1d1", "g7f6").table_key, -900, DEEP, Bound.UPPER)
        assert root.mt(worker, 100, 5) < 100
        nodes.append(worker.nodes)
    assert nodes[0] == nodes[1]


# Mates


def test_a_mate_after_a_null_move_is_only_a_bound() -> None:
    """A planted entry has a mate after the null move: the node fails high with beta, not with a mate."""
    PARAMETERS["null_move_depth"] = 3
    board = Board(QUEEN_UP)
    worker = worker_at(board, [MOVE], 6)
    worker.table.put(passed(after(board, MOVE)).table_key, -(MATE - 9), DEEP, Bound.UPPER, ply=2)
    assert root.mt(worker, -99, 6) == -100
    assert worker.nodes == 2


@pytest.mark.parametrize("mate", [False, True])
def test_reverse_futility_keeps_away_from_mates(mate: bool) -> None:
    """A TT bound that is too shallow for a cutoff sharpens the static value, unless it is a mate."""
    PARAMETERS["reverse_futility_depth"] = 9
    board = Board(QUEEN_UP)
    worker = worker_at(board, [MOVE], 4)
    worker.table.put(after(board, MOVE).table_key, MATE - 9 if mate else 2000, 1, Bound.LOWER, ply=1)
    root.mt(worker, -99, 4)
    assert (worker.nodes > 1) == mate


@pytest.mark.parametrize("gamma", [-99, 30_000])
def test_far_from_the_value_reverse_futility_is_not_bound_to_gamma(gamma: int) -> None:
    """The bound of a pass that updates nothing is the static value less the margin, wherever gamma is."""
    PARAMETERS["reverse_futility_depth"] = 9
    board = Board(QUEEN_UP)
    static = EVALUATOR.evaluate(after(board, MOVE)) * 219 // 220  # the 50-move counter is at 1
    worker = worker_at(board, [MOVE], 4)
    worker.set_learning(False)
    assert root.mt(worker, gamma, 4) == 3 * PARAMETERS["reverse_futility_margin"] - static
    assert worker.nodes == 1
    worker.set_learning(True)
    worker.new_iteration(4)
    trust = PARAMETERS["reverse_futility_trust"]
    assert root.mt(worker, gamma, 4) == gamma - 1 - (static + gamma - 1) // trust


def test_nothing_is_pruned_while_the_moves_before_are_mated() -> None:
    """After Ra7 planted entries have all Black's moves end in mate: no move may be pruned as futile."""
    PARAMETERS["futility_depth"] = 7
    board = Board("7k/8/R7/1R6/8/8/8/K6n w - - 0 1")
    worker = worker_at(board, ["a6a7"], 5)
    node = after(board, "a6a7")
    for move in node.legal_moves():
        worker.table.put(after(node, move).table_key, MATE - 3, DEEP, Bound.LOWER, ply=2)
    assert root.mt(worker, 100, 5) == MATE - 3


def test_no_node_is_pruned_in_a_window_of_mates() -> None:
    """White mates with Ra7 and Rb8: neither reverse futility for Black nor razoring for White may deny it."""
    PARAMETERS["reverse_futility_depth"] = 9
    board = Board("7k/8/R7/1R6/8/8/8/K6n w - - 0 1")
    assert root.mt(worker_at(board, ["a6a7"], 4), MATE - 3, 4) == MATE - 3
    PARAMETERS["razoring_depth"] = 4
    board = Board("7k/8/R7/1R6/8/8/8/K6n b - - 0 1")
    assert root.mt(worker_at(board, ["h1g3"], 4), 5 - MATE, 4) == 4 - MATE


@pytest.mark.parametrize("on", [1, 0])
def test_mate_distance_pruning(on: int) -> None:
    """No mate comes before the first move, nor is one suffered before the second."""
    PARAMETERS["mate_distance"] = on
    worker = worker_at(Board(), ["e2e4", "d2d4"], 5)
    assert root.mt(worker, MATE, 5) < MATE
    assert (worker.nodes == 2) == on
    worker = worker_at(Board(), ["e2e4", "d2d4"], 5)
    assert root.mt(worker, 1 - MATE, 5) >= 1 - MATE
    assert (worker.nodes == 1) == on


@pytest.mark.parametrize("on", [1, 0])
@pytest.mark.parametrize(("lower", "gamma"), [(True, -900), (False, 900)])
def test_either_bound_of_the_tt_cuts_off(lower: bool, gamma: int, on: int) -> None:
    PARAMETERS["table_cutoffs"] = on
    board = Board(ROOK_UP)
    worker = worker_at(board, ["h8g7"], 4)
    worker.table.put(after(board, "h8g7").table_key, -gamma, DEEP, Bound.LOWER if lower else Bound.UPPER)
    assert (root.mt(worker, gamma + lower, 4) == gamma) == on
    assert (worker.nodes == 1) == on


# Reductions and other rules


@pytest.mark.parametrize("near", [True, False])
def test_a_pass_without_learning_has_no_pv_nodes(near: bool) -> None:
    """White's reply would be a PV node, which is not pruned."""
    PARAMETERS["driver_pv_nodes"] = 1
    PARAMETERS["reverse_futility_depth"] = 9
    worker = worker_at(Board(QUEEN_UP), [MOVE], 4)
    worker.set_learning(near)
    assert root.mt(worker, 2000, 4) < 2000
    assert (worker.nodes > 1) == near


@pytest.mark.parametrize("at_root", [True, False])
def test_a_scouts_fail_high_is_final_in_a_null_window(at_root: bool) -> None:
    """Qh6 loses the queen, the next move fails high: it is not searched again as a PV node."""
    nodes = []
    for flag in (0, 1):
        PARAMETERS["driver_pv_nodes"] = flag
        board = Board(QUEEN_UP)
        node = after(board, MOVE)
        if at_root:
            worker = worker_at(node, ["d2h6", "d2d5"], 4)
            assert root.mt(worker, 600, 4) >= 600
        else:
            worker = worker_at(board, [MOVE], 4)
            worker.table.put(node.table_key, 0, 0, Bound.NONE, node.parse("d2h6"))
            assert root.mt(worker, -600, 4) < -600
        nodes.append(worker.nodes)
    assert nodes[0] == nodes[1] > 20


@pytest.mark.parametrize("known", [True, False])
def test_a_node_without_a_tt_move_is_searched_a_ply_less(known: bool) -> None:
    """Internal iterative reduction, seen by the depth of the TT entry."""
    PARAMETERS["iir_depth"] = 3
    board = Board(QUEEN_UP)
    worker = worker_at(board, [MOVE], 4)
    node = after(board, MOVE)
    if known:
        worker.table.put(node.table_key, 0, 0, Bound.NONE, node.parse("a1b1"))
    assert root.mt(worker, -199, 4) < -199
    entry = worker.table.get(node.table_key)
    assert entry and entry["lower_depth"] == 3 - (not known)


@pytest.mark.parametrize("wide", [False, True])
def test_a_better_move_at_a_pv_node_is_searched_again_as_pv_in_an_open_window(wide: bool) -> None:
    """White's TT move hangs the rook; a scout search finds the capture, which is final in a null window."""
    PARAMETERS["driver_pv_nodes"] = 1
    board = Board(QUEEN_HANGS)
    worker = worker_at(board, [MOVE], 4)
    node = after(board, MOVE)
    worker.table.put(node.table_key, 0, 0, Bound.NONE, node.parse("a1b1"))
    value = root.window(worker, -5000, 5000, 4) if wide else root.mt(worker, -199, 4)
    assert -5000 < value < -199
    child = worker.table.get(after(node, "d2d5").table_key)
    assert child and child["upper_depth"] == 2 and child["upper_pv"] == wide


def test_upper_bounds_of_root_moves_end_later_passes() -> None:
    """A pass of an iteration visits no nodes if an earlier one proved a lower upper bound."""
    worker = worker_at(Board(), ["e2e4", "d2d4", "a2a3"], 5)
    value = root.mt(worker, 1000, 5)
    nodes = worker.nodes
    assert root.mt(worker, value + 1, 5) == value < 1000
    assert worker.nodes == nodes


def test_probcut_gives_its_margin_back() -> None:
    """The capture proves beta + margin at a lower depth; the value returned is less by the margin."""
    PARAMETERS["probcut_depth"] = 3
    board = Board(QUEEN_HANGS)
    worker = worker_at(board, [MOVE], 5)
    worker.table.put(after(board, MOVE, "d2d5").table_key, -777, DEEP, Bound.UPPER)
    assert root.mt(worker, -99, 5) == -(777 - PARAMETERS["probcut_margin"])


@pytest.mark.parametrize(("fen", "depth"), [(QUEEN_HANGS, 2), (QUEEN_HANGS.replace("3R4", "4R3"), 0)])
def test_razoring_acts_only_where_quiescence_fails_low(fen: str, depth: int) -> None:
    """Where quiescence finds a good capture the node is searched to its depth."""
    PARAMETERS["razoring_depth"] = 4
    board = Board(fen)
    worker = worker_at(board, [MOVE], 3)
    root.mt(worker, -199, 3)
    entry = worker.table.get(after(board, MOVE).table_key)
    assert entry and max(entry["lower_depth"], entry["upper_depth"]) == depth


# The order of moves


@pytest.mark.parametrize("move", ["e1g1", "e5f7", "a2a4", "d5e6"])
def test_every_move_is_tried_once(move: str) -> None:
    board = Board(KIWIPETE)
    node = after(board, move)
    worker = worker_at(board, [move], 2)
    assert root.mt(worker, -5000, 2) >= -5000
    assert worker.nodes == 1 + len(node.moves())
    assert all(worker.table.get(node.key_after(reply)) for reply in node.moves())


# The root


@pytest.mark.parametrize("bonus", [0, 1000])
def test_pieces_that_leave_an_attacked_square_come_first(bonus: int) -> None:
    """Else late move pruning at depth 1 skips every move that saves Black's queen."""
    PARAMETERS["late_move_depth"] = 8
    PARAMETERS["escape_bonus"] = bonus
    board = Board("rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
    worker = worker_at(board, ["d2d3"], 2)
    assert (root.mt(worker, 500, 2) < 500) == (bonus > 0)
