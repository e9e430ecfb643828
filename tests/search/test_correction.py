"""The correction history: what it learns from a search, and of which positions it knows that later.

As in test_rules.py all other rules are off. A node's static value shows in the bound that reverse futility
pruning returns in a pass that learns nothing.
"""

import pytest
from support.one_rule import DEEP, MOVE, QUEEN_HANGS, QUEEN_UP, after, worker_at
from support.parameters import PARAMETERS

from sssnake._fast.board.board import Board
from sssnake._fast.search import root
from sssnake._fast.search.parameters import TABLE, find
from sssnake._fast.search.tt import Bound, TranspositionTable
from sssnake._fast.search.worker import Worker
from sssnake._fast.values import MATE

pytestmark = pytest.mark.usefixtures("rules_off")

SHARES = [row.name for row in TABLE if row.name.startswith("correction_") and row.name != "correction_rate"]
LESSON = "6k1/3p4/8/8/8/2n5/3P4/R5K1 b - - 0 1"  # Kg7
ELSEWHERE = {  # a position that shares one part with it after the move
    "correction_pawns": ("1r4k1/3p4/8/8/8/8/3P4/3Q3K b - - 0 1", "g8h7"),
    "correction_pieces": ("1r4k1/2p5/8/8/8/8/4P3/R5K1 b - - 0 1", "g8h7"),
    "correction_minors": ("1r4k1/2p5/8/8/8/2n5/4P3/3Q3K b - - 0 1", "g8h7"),
    "correction_majors": ("8/2p3k1/8/8/8/4n3/4P3/R1N3K1 b - - 0 1", "c7c6"),
    "correction_last": ("1r4k1/2p5/8/8/8/8/4P3/3Q3K b - - 0 1", "g8g7"),
}
ONE_MOVE = "1r4k1/2p5/8/8/8/8/8/K7 b - - 0 1"  # White has Ka2 alone


@pytest.fixture(autouse=True)
def learning(rules_off: None) -> None:
    """It learns, as by default."""
    PARAMETERS["correction_rate"] = find("correction_rate").default


def only(name: str) -> None:
    """All shares but one count nothing."""
    for share in SHARES:
        PARAMETERS[share] = 64 if share == name else 0


def static(worker: Worker, board: Board, *line: str) -> int:
    """The corrected static value after one move, or after two where the second is the only one."""
    PARAMETERS["reverse_futility_depth"] = 9
    worker.use_table(TranspositionTable(1, exact=True))
    worker.set_position(board, [board.parse(line[0])])
    worker.set_learning(False)
    worker.new_iteration(len(line) + 1)
    sign = 1 if len(line) % 2 == 0 else -1
    value = PARAMETERS["reverse_futility_margin"] + sign * root.mt(worker, -30_000 * sign, len(line) + 1)
    PARAMETERS["reverse_futility_depth"] = 0
    worker.set_learning(True)
    return value


def teach(worker: Worker, board: Board, *line: str, move: str, value: int, depth: int = 4) -> None:
    """Let `move` cut off after the line, at `depth`, with a value for the side to move."""
    node = after(board, *line)
    worker.use_table(TranspositionTable(1, exact=True))
    worker.set_position(board, [board.parse(line[0])])
    worker.new_iteration(depth + len(line))
    worker.table.put(node.table_key, 0, 0, Bound.NONE, node.parse(move))
    worker.table.put(after(node, move).table_key, -value, DEEP, Bound.UPPER, ply=1 + len(line))
    sign = 1 if len(line) % 2 == 0 else -1
    gamma = value - 1 if sign > 0 else 1 - value
    assert root.mt(worker, gamma, depth + len(line)) == sign * value


def refute(worker: Worker, board: Board, *, value: int) -> None:
    """Let all moves after MOVE fail low, at depth 4, with a value for the side to move."""
    node = after(board, MOVE)
    worker.use_table(TranspositionTable(1, exact=True))
    worker.set_position(board, [board.parse(MOVE)])
    worker.new_iteration(5)
    for move in node.legal_moves():
        worker.table.put(after(node, move).table_key, -value, DEEP, Bound.LOWER, ply=2)
    assert root.mt(worker, -value, 5) == -value


@pytest.mark.parametrize("error", [20, -20])
def test_it_learns_what_is_left_of_an_error(error: int) -> None:
    """After some searches the static value is what they find, and stays there."""
    board = Board(QUEEN_UP)
    worker = worker_at(board, [MOVE], 5)
    plain = static(worker, board, MOVE)
    seen = []
    for _ in range(60):
        if error > 0:
            teach(worker, board, MOVE, move="a1b1", value=plain + error)
        else:
            refute(worker, board, value=plain + error)
        seen.append(static(worker, board, MOVE) - plain)
    assert 0 < abs(seen[0]) < 10 and sorted(seen, key=abs) == seen
    assert abs(seen[-1] - error) <= 1


def test_an_error_pushes_as_far_as_the_shares_go() -> None:
    board = Board(QUEEN_UP)
    worker = worker_at(board, [MOVE], 5)
    plain = static(worker, board, MOVE)
    for _ in range(40):
        teach(worker, board, MOVE, move="a1b1", value=9000)
    most = sum(PARAMETERS[share] for share in SHARES) + PARAMETERS["correction_pieces"]
    assert most - 5 < static(worker, board, MOVE) - plain <= most


@pytest.mark.parametrize(("depth", "rate", "times"), [(8, 8, 2), (4, 16, 2), (4, 4, 0.5), (4, 0, 0)])
def test_a_deeper_search_teaches_more(depth: int, rate: int, times: float) -> None:
    found = []
    for lesson in ((4, 8), (depth, rate)):
        board = Board(QUEEN_UP)
        worker = worker_at(board, [MOVE], 5)
        plain = static(worker, board, MOVE)
        PARAMETERS["correction_rate"] = lesson[1]
        teach(worker, board, MOVE, move="a1b1", value=plain + 60, depth=lesson[0])
        found.append(static(worker, board, MOVE) - plain)
    assert found[0] > 8 and abs(found[1] - times * found[0]) <= 2


@pytest.mark.parametrize("name", ELSEWHERE)
def test_where_a_share_of_a_correction_counts(name: str) -> None:
    """Only where the part that it is for is the same."""
    only(name)
    board = Board(LESSON)
    others = {share: Board(fen) for share, (fen, _move) in ELSEWHERE.items()}
    worker = worker_at(board, [MOVE], 5)
    plain = {share: static(worker, other, ELSEWHERE[share][1]) for share, other in others.items()}
    for _ in range(20):
        teach(worker, board, MOVE, move="g1h1", value=9000)
    changed = [
        share for share, other in others.items() if static(worker, other, ELSEWHERE[share][1]) > plain[share]
    ]
    assert changed == [name]


@pytest.mark.parametrize(("name", "both"), [("correction_last", True), ("correction_pair", False)])
def test_a_pair_of_moves_is_more_than_the_last_one(name: str, both: bool) -> None:
    """Black moves the king to g7, or to h7; White's only move is the same."""
    only(name)
    board = Board(ONE_MOVE)
    worker = worker_at(board, [MOVE], 6)
    plain = {move: static(worker, board, move, "a1a2") for move in (MOVE, "g8h7")}
    for _ in range(20):
        teach(worker, board, MOVE, "a1a2", move="c7c6", value=9000)
    assert static(worker, board, MOVE, "a1a2") > plain[MOVE]
    assert (static(worker, board, "g8h7", "a1a2") > plain["g8h7"]) == both


def test_the_other_side_learns_for_itself() -> None:
    """After the same pawns and pieces with the other side to move."""
    only("correction_pawns")
    board = Board(LESSON)
    other = Board(LESSON.replace("6k1", "5k2").replace(" b ", " w "))
    worker = worker_at(board, [MOVE], 5)
    plain = static(worker, other, "g1h1")
    for _ in range(20):
        teach(worker, board, MOVE, move="g1h1", value=9000)
    assert static(worker, other, "g1h1") == plain


@pytest.mark.parametrize("known", [0, 40])
def test_bounds_that_fit_the_static_value_teach_nothing(known: int) -> None:
    """Neither less than it as a lower bound nor more as an upper one; known: its correction so far."""
    board = Board(QUEEN_UP)
    worker = worker_at(board, [MOVE], 5)
    plain = static(worker, board, MOVE)
    while static(worker, board, MOVE) < plain + known:
        teach(worker, board, MOVE, move="a1b1", value=plain + known + 4)
    taught = static(worker, board, MOVE)
    teach(worker, board, MOVE, move="a1b1", value=taught - 20)
    refute(worker, board, value=taught + 20)
    assert static(worker, board, MOVE) == taught


@pytest.mark.parametrize(
    ("move", "value", "learns"),
    [("d2d3", 9000, True), ("d2d5", 9000, False), ("d2d3", MATE - 20, False), ("", 20 - MATE, False)],
)
def test_captures_and_mates_teach_nothing(move: str, value: int, learns: bool) -> None:
    """Rd3 or Rxd5 cuts off, or all moves fail low."""
    board = Board(QUEEN_HANGS)
    worker = worker_at(board, [MOVE], 5)
    plain = static(worker, board, MOVE)
    if move:
        teach(worker, board, MOVE, move=move, value=value)
    else:
        refute(worker, board, value=value)
    assert (static(worker, board, MOVE) != plain) == learns


@pytest.mark.parametrize(("first", "check"), [("c3e2", True), ("c3d1", False)])
def test_a_move_out_of_check_teaches_nothing(first: str, check: bool) -> None:
    only("correction_pawns")
    board = Board(LESSON)
    worker = worker_at(board, [MOVE], 5)
    plain = static(worker, board, MOVE)
    teach(worker, board, first, move="g1h2", value=9000)
    assert (static(worker, board, MOVE) == plain) == check
