"""The search: exact mode equals minimax with every driver; play finds mates, draws and limits."""

import functools

import chess
import chess.polyglot
import pytest
from support.constants import KIWIPETE
from support.parameters import PARAMETERS

from sssnake._fast.board.board import Board
from sssnake._fast.drivers.bracket import Bracket
from sssnake._fast.evaluation.evaluate import Evaluator
from sssnake._fast.search import root as search
from sssnake._fast.search.tt import Bound, TranspositionTable
from sssnake._fast.search.worker import StopFlag, Worker
from sssnake._fast.values import INFINITE, MATE
from sssnake.engine.player.drivers import close
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import DRIVERS
from sssnake.engine.player.result import Info

POSITIONS = {
    "start": chess.STARTING_FEN,
    "kiwipete": KIWIPETE,
    "rook ending": "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "promotion": "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "mate about": "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    "stalemate about": "7k/5Q2/8/8/8/8/8/K7 w - - 0 1",
    "fifty moves about": "8/8/4k3/8/8/3RK3/8/8 w - - 98 90",
}
EVALUATOR = Evaluator()


@functools.cache
def truth(name: str, depth: int) -> int:
    """Minimax value of a position of POSITIONS."""
    return minimax(chess.Board(POSITIONS[name]), depth)


def minimax(board: chess.Board, depth: int, ply: int = 0) -> int:
    """Plain negamax over python-chess with the engine's static value at the horizon."""
    if ply and board.is_insufficient_material():
        return 0
    if depth == 0:
        return EVALUATOR.evaluate(Board.from_chess(chess.Board(board.fen())))
    best = -INFINITE
    for move in board.legal_moves:
        board.push(move)
        best = max(best, -minimax(board, depth - 1, ply + 1))
        board.pop()
    if best == -INFINITE:
        return -MATE + ply if board.is_check() else 0
    return best


def exact_worker(fen: str, log_leaves: bool = False) -> Worker:
    worker = Worker(TranspositionTable(16, exact=True), StopFlag(), PARAMETERS)
    worker.set_position(Board(fen))
    worker.set_exact(True, log_leaves)
    return worker


@pytest.fixture
def literal() -> None:
    """The drivers as in the textbooks, without margins, steps and tolerances."""
    names = "margin", "step", "bisect", "tolerance", "tolerance_max", "best", "learning_range", "pv_nodes"
    for name in names:
        PARAMETERS[f"driver_{name}"] = 0


@pytest.mark.usefixtures("literal")
@pytest.mark.parametrize("name", POSITIONS)
@pytest.mark.parametrize("driver", DRIVERS)
def test_exact_mode_equals_minimax(name: str, driver: str) -> None:
    for depth in (1, 2, 3):
        if depth == 3 and name in ("kiwipete", "promotion"):
            continue  # the oracle in Python would take too long
        worker = exact_worker(POSITIONS[name])
        worker.new_iteration(depth)
        bracket = Bracket(driver, PARAMETERS, depth)
        close(bracket, worker)
        assert bracket.lower == bracket.upper == truth(name, depth), depth


@pytest.mark.parametrize("name", POSITIONS)
def test_null_window_is_fail_soft(name: str) -> None:
    for depth in (2, 3):
        if depth == 3 and name in ("kiwipete", "promotion"):
            continue
        value = truth(name, depth)
        for gamma in range(value - 120, value + 121, 40):
            worker = exact_worker(POSITIONS[name])
            worker.new_iteration(depth)
            bound = search.mt(worker, gamma, depth)
            assert (value <= bound < gamma) or (value >= bound >= gamma)


@pytest.mark.parametrize("driver", DRIVERS)
def test_play_finds_mates(driver: str) -> None:
    engine = Engine(driver=driver)
    infos: list[Info] = []
    result = engine.play(Board("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"), Limits(depth=6), infos.append)
    assert infos[-1].score == MATE - 5
    assert len(infos[-1].names) == 5
    assert result.move == infos[-1].pv[0]


def test_play_is_deterministic() -> None:
    def nodes() -> list[int]:
        infos: list[Info] = []
        Engine().play(Board(POSITIONS["kiwipete"]), Limits(depth=9), infos.append)
        return [info.nodes for info in infos if not info.bound]  # bounds are told when a second has gone by

    assert nodes() == nodes()


def test_node_limit_is_kept() -> None:
    engine = Engine()
    infos: list[Info] = []
    for limit in (300, 5000, 40000):
        engine.play(Board(), Limits(nodes=limit), infos.append)
        assert engine.pool is not None
        assert engine.pool.nodes <= limit + 64


def test_no_legal_move() -> None:
    engine = Engine()
    infos: list[Info] = []
    for fen, score in (("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0), ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", -MATE)):
        assert engine.play(Board(fen), Limits(depth=3), infos.append).move is None
        assert (infos[-1].depth, infos[-1].score) == (0, score)


def test_searchmoves_and_multipv() -> None:
    infos: list[Info] = []
    engine = Engine(multipv=3)
    limits = Limits(depth=6, searchmoves=["a2a3", "h2h4", "g1h3", "b1a3"])
    engine.play(Board(), limits, infos.append)
    last = [info for info in infos if info.depth == 6]
    assert [info.multipv for info in last] == [1, 2, 3]
    assert len({info.names[0] for info in last}) == 3
    assert {info.names[0] for info in last} <= {"a2a3", "h2h4", "g1h3", "b1a3"}


def test_repetition_in_the_search_is_a_draw() -> None:
    infos: list[Info] = []
    # White has a queen for three rooks and is mated next move but for perpetual check: Qe8+ Kh7 Qh5+ Kg8.
    board = Board("6k1/6p1/8/7Q/8/8/rrr3PP/7K w - - 0 1")
    board.push("h5e8")
    board.push("g8h7")
    result = Engine().play(board, Limits(depth=8), infos.append)
    assert (str(result.move), infos[-1].score) == ("e8h5", 0)


def test_the_third_occurrence_in_the_game_is_a_draw_and_the_second_is_not() -> None:
    board = Board()
    values = []
    for _ in range(2):
        for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
            board.push(move)
        worker = Worker(TranspositionTable(1, exact=True), StopFlag(), PARAMETERS)
        worker.set_position(board, [board.parse("g1f3")])
        worker.set_exact(True)
        worker.new_iteration(1)
        values.append(search.window(worker, -INFINITE, INFINITE, 1))
    board.push("g1f3")
    assert values == [-EVALUATOR.evaluate(board), 0]
    assert values[0] != 0


@pytest.mark.parametrize("kept_out", [0, 1])
def test_a_draw_that_rests_on_the_path_is_not_stored(kept_out: int) -> None:
    # Black's bare king may go back to where the position would stand for the third time; all else loses.
    board = Board("k7/8/8/8/8/3Q4/8/2K5 w - - 0 1")
    for move in ("d3e3", "a8b8", "e3d3", "b8a8", "d3e3", "a8b8"):
        board.push(move)
    PARAMETERS["path_draws"] = kept_out
    worker = Worker(TranspositionTable(1, exact=True), StopFlag(), PARAMETERS)
    worker.set_position(board, [board.parse("e3d3")])
    worker.new_iteration(4)
    assert search.window(worker, -INFINITE, INFINITE, 4) == 0
    board.push("e3d3")
    entry = worker.table.get(board.table_key)
    assert (entry is None or entry["lower"] < 0) == bool(kept_out)


def test_tt_keys_differ_by_high_fifty_move_counters() -> None:
    # Of a position that is young by the 50-move rule it knows nothing once that is old.
    clocks, known = (0, 15, 16, 23, 24, 99), []
    worker = Worker(TranspositionTable(1, exact=True), StopFlag(), PARAMETERS)
    boards = [Board(f"4k3/8/8/8/8/8/3R4/4K3 w - - {clock} 80") for clock in clocks]
    for board in boards:
        worker.table.clear()
        worker.set_position(board)
        worker.new_iteration(1)
        search.window(worker, -INFINITE, INFINITE, 1)
        known.append([worker.table.get(other.table_key) is not None for other in boards])
        assert board.key == chess.polyglot.zobrist_hash(board.to_chess())
    steps = (0, 0, 1, 1, 2, 11)
    assert known == [[here == there for there in steps] for here in steps]


@pytest.mark.parametrize("clock", [0, 14, 15, 40])
@pytest.mark.parametrize(("rook", "move"), [("h1", "h1h2"), ("b2", "b2a2")])
def test_enhanced_cutoff_by_the_entry_of_a_child(rook: str, move: str, clock: int) -> None:
    # The root's only move leads to a node one of whose children, by a quiet move or a capture, is known to be
    # lost for its mover.
    pieces = {"h1": "r7/2K4R", "b2": "rR6/2K5"}[rook]
    board = Board(f"7k/8/8/8/8/8/{pieces} b - - {clock} 60")
    reply = next(move for move in board.legal_moves() if move == "h8g7")
    PARAMETERS["driver_pv_nodes"] = 0  # a principal node takes no cutoff
    PARAMETERS["probcut_depth"] = 0  # would see the capture by itself
    found = []
    for etc_depth in (0, 3):
        PARAMETERS["etc_depth"] = etc_depth
        worker = Worker(TranspositionTable(1, exact=True), StopFlag(), PARAMETERS)
        worker.set_position(board, [board.parse(reply)])
        worker.new_iteration(6)
        after = board.copy()
        for step in (reply, move):
            after.push(step)
        worker.table.put(after.table_key, -900, 20, Bound.UPPER)
        found.append((search.mt(worker, -100, 6), worker.nodes))
    (_, searched), (cut_off, visited) = found
    assert (cut_off, visited) == (-900, 1)
    assert searched > 1


@pytest.mark.parametrize(
    ("case", "cut_off"),
    [
        ("proved with care", True),
        ("proved without", False),
        ("proved in an earlier search", True),
        ("a mate, whose line is wanted", False),
        ("an open window", False),
        ("the rule is off", False),
    ],
)
def test_a_pv_node_is_cut_off_by_what_a_pv_node_proved(case: str, cut_off: bool) -> None:
    # The root's only move leads to a principal node whose value the table bounds from below.
    board = Board("7k/8/8/8/8/8/r7/2K4R b - - 0 1")
    worker = Worker(TranspositionTable(1, exact=True), StopFlag(), PARAMETERS)
    worker.set_position(board, [board.parse("h8g7")])
    worker.new_iteration(6)
    board.push("h8g7")
    value = MATE - 9 if case == "a mate, whose line is wanted" else 900
    worker.table.put(board.table_key, value, 20, Bound.LOWER, pv=case != "proved without")
    if case == "proved in an earlier search":
        worker.table.new_search()
    if case == "the rule is off":
        PARAMETERS["pv_cutoffs"] = 0
    if case == "an open window":
        search.window(worker, -800, -100, 6)
    else:
        search.mt(worker, -100, 6)
    assert (worker.nodes == 1) == cut_off


def test_static_values_are_kept_where_a_rule_ends_the_visit() -> None:
    """With gamma far above the value, the root moves fail low at once."""
    board = Board(POSITIONS["kiwipete"])
    worker = Worker(TranspositionTable(1), StopFlag(), PARAMETERS)
    worker.set_position(board)
    worker.new_iteration(3)
    assert search.mt(worker, 2000, 3) < 2000
    kept = 0
    for move in board.moves("quiet"):
        if board.gives_check(move):
            continue
        child = board.copy()
        child.push(board.uci(move))
        entry = worker.table.get(child.table_key)
        if entry and entry["lower_depth"] < 0 and entry["upper_depth"] < 0:
            kept += 1
            assert (entry["lower"], entry["upper"], entry["move"]) == (-INFINITE, INFINITE, 0)
            assert entry["static_value"] == EVALUATOR.evaluate(child)
    assert kept > 20


def test_effort_is_a_root_moves_share_of_the_iterations_nodes() -> None:
    engine = Engine()
    engine.prepare()
    engine.play(Board(POSITIONS["kiwipete"]), Limits(depth=9))
    assert engine.pool
    worker = engine.pool.main
    roots = [worker.root(i) for i in range(worker.root_count)]
    total = sum(root.nodes for root in roots)
    assert total > 0
    assert [worker.effort(root.move) for root in roots] == [root.nodes / total for root in roots]
    assert worker.effort(roots[0].move) == max(root.nodes for root in roots) / total
    assert worker.effort(0) == 0.0
