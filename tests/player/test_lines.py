"""What a search reports, judged by python-chess: legal lines, true figures, limits that are kept."""

import random
import time
from itertools import pairwise
from typing import Any, Unpack

import chess
import pytest
from support.sessions import new_search

from sssnake._fast.board.board import Board
from sssnake._fast.drivers.helpers import Helpers
from sssnake._fast.search.worker import StopFlag, Worker
from sssnake._fast.values import DECISIVE, MATE
from sssnake.engine.player import deepening
from sssnake.engine.player.bench import POSITIONS
from sssnake.engine.player.deepening import Deepening, RootLine
from sssnake.engine.player.engine import Engine, OptionValues
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import DRIVERS, Options
from sssnake.engine.player.resources import pool
from sssnake.engine.player.result import Info, Result

KIWIPETE = POSITIONS[1]
NEAR_FIFTY = "8/8/8/8/4k3/8/3R4/4K3 w - - 95 100"
PAWN, BACK_RANK = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 1"
SOME = (*POSITIONS[1::6], NEAR_FIFTY, PAWN, BACK_RANK)


def search(board: Board | str, limits: Limits, **options: Unpack[OptionValues]) -> tuple[Result, list[Info]]:
    reports: list[Info] = []
    engine = Engine(Options(hash_mb=2), **options)
    board = Board(board) if isinstance(board, str) else board
    result = engine.play(board, limits, reports.append)
    engine.settle()
    return result, reports


def check(start: chess.Board, result: Result, reports: list[Info], whole: bool = True) -> None:
    """All that is true of the reports of any search; `whole`: one that was not stopped."""
    exact = [report for report in reports if not report.bound]
    assert exact[-1].depth == max(report.depth for report in exact)
    last_first = [report for report in exact if report.multipv == 1][-1]
    assert last_first.pv[0] == result.move
    for report in reports:
        board = start.copy()
        for ply, move in enumerate(report.names):
            assert not board.is_checkmate() and not board.is_stalemate()
            drawn = board.is_repetition(3) or board.is_fifty_moves() or board.is_insufficient_material()
            assert ply == 0 or not drawn
            board.push(board.parse_uci(move))
        ended = board.is_game_over() or board.is_repetition(2) or board.is_fifty_moves()
        assert report.bound or ended or not whole or len(report.names) >= report.depth
        assert report.names and report.seldepth >= report.depth > 0
        assert 0 <= report.hashfull <= 1000 and report.tbhits == 0
        if abs(report.score) > MATE - 256 and not report.bound:
            assert board.is_checkmate() and len(report.names) == MATE - abs(report.score)
    for earlier, later in pairwise(exact):
        assert earlier.depth <= later.depth and earlier.nodes <= later.nodes
        assert earlier.time_ms <= later.time_ms
    if result.ponder:
        start.push(start.parse_uci(str(result.move)))
        assert result.ponder in start.legal_moves


@pytest.mark.parametrize("fen", SOME)
def test_lines_and_figures(fen: str) -> None:
    cases: list[OptionValues] = [{}, {"multipv": 4}, {"threads": 2}, {"skill_level": 10}]
    for options in cases:
        check(chess.Board(fen), *search(fen, Limits(depth=8), **options))


@pytest.mark.parametrize("driver", DRIVERS)
def test_lines_of_every_driver(driver: str) -> None:
    for fen in POSITIONS[1:30:7]:
        check(chess.Board(fen), *search(fen, Limits(depth=6), driver=driver))


def test_a_line_ends_at_a_repetition_of_the_game() -> None:
    """The game has been in a position twice: a line that comes back to it stops there."""
    board = chess.Board("7k/8/8/8/8/8/r7/6RK w - - 0 1")
    for move in ("g1g2", "a2a1", "g2g1", "a1a2", "g1g2", "a2a1", "g2g1", "a1a2"):
        board.push_uci(move)
    own = Board(board.root().fen())
    for played in board.move_stack:
        own.push(played.uci())
    check(board, *search(own, Limits(depth=8)))


def test_multipv_lines_are_different_sorted_and_complete() -> None:
    _, reports = search(KIWIPETE, Limits(depth=6), multipv=5)
    for depth in range(1, 7):
        lines = {report.multipv: report for report in reports if report.depth == depth}
        assert sorted(lines) == [1, 2, 3, 4, 5]
        assert len({line.names[0] for line in lines.values()}) == 5
        scores = [lines[index].score for index in range(1, 6)]
        assert scores == sorted(scores, reverse=True)
    few = "7k/8/8/8/8/8/8/K6q w - - 0 1"
    moves = chess.Board(few).legal_moves.count()
    shown = {report.multipv for report in search(few, Limits(depth=3), multipv=218)[1]}
    assert shown == set(range(1, moves + 1))


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_nodes_are_an_upper_bound_for_all_threads_together(threads: int) -> None:
    for limit in (3000, 20_000):
        engine = Engine(hash_mb=2, threads=threads)
        engine.play(Board(), Limits(nodes=limit))
        engine.settle()
        assert engine.pool and limit / 2 / threads < engine.pool.nodes <= limit
        if threads == 1:
            assert engine.pool.nodes > limit - 1024


def test_searchmoves_in_both_notations_of_castling() -> None:
    fen = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1"
    assert str(search(fen, Limits(depth=5, searchmoves=["e1g1", "a2a3"]))[0].move) in ("e1g1", "a2a3")
    own = Board(fen, chess960=True)
    result, reports = search(own, Limits(depth=5, searchmoves=["e1h1"]))
    assert str(result.move) == "e1h1"
    check(chess.Board(fen, chess960=True), result, reports)


def test_chess960_positions() -> None:
    rng = random.Random(4)
    for _ in range(8):
        start = chess.Board.from_chess960_pos(rng.randrange(960))
        check(start, *search(Board(start.fen(), chess960=True), Limits(depth=6)))


def test_an_exact_line_follows_the_last_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search stopped in an iteration has told of bounds; clients take the last score for the result."""
    monkeypatch.setattr(deepening, "BOUND_AFTER", 0.0)
    hanging = 0
    for fen in POSITIONS[:24]:
        result, reports = search(fen, Limits(nodes=4000))
        if result.move is None:
            continue
        exact = [report for report in reports if not report.bound]
        assert reports[-1] is exact[-1] and reports[-1].pv[0] == result.move
        assert [report.depth for report in exact] == sorted(report.depth for report in exact)
        hanging += bool(reports[-2].bound)
        if reports[-2].bound and len(exact) > 1 and exact[-1].names == exact[-2].names:
            assert exact[-1].depth == exact[-2].depth < reports[-2].depth  # the one that was finished
        check(chess.Board(fen), result, reports, whole=False)
    assert hanging > 5


def test_limits_bind_the_first_ply_too() -> None:
    """Once a move is known: a hundred lines are not worth waiting for."""
    result, reports = search(KIWIPETE, Limits(nodes=1), multipv=218)
    assert len(reports) == 1 and result.move == reports[0].pv[0]


class FewHelpers:
    """What the machine gives: two threads."""

    def __init__(self, stop_flag: StopFlag):
        self._helpers = Helpers(stop_flag)

    def __len__(self) -> int:
        return len(self._helpers)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._helpers, name)

    def add(self, worker: Worker) -> bool:
        return len(self) < 2 and self._helpers.add(worker)


def test_fewer_threads_than_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    notes: list[str] = []
    monkeypatch.setattr(pool, "Helpers", FewHelpers)
    engine = Engine(hash_mb=2, threads=8)
    engine.on_note = notes.append
    result = engine.play(Board(), Limits(depth=6))
    engine.settle()
    assert str(result.move) and notes == ["Threads: no more than 3 could be started"]


@pytest.mark.parametrize(
    "part",
    [
        "resources.book.Book.refresh",
        "resources.book.Book.choose",
        "resources.tablebase.Tablebase.refresh",
        "resources.tablebase.Tablebase.judge",
        "search.Search._clock",
        "pool.Helpers.start",
    ],
)
def test_whatever_fails_before_a_search_does_not_cost_the_move(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise RuntimeError("for a test")

    if "Helpers" in part:
        monkeypatch.setattr(pool, "Helpers", FewHelpers)
        monkeypatch.setattr(FewHelpers, "start", fail, raising=False)
    else:
        monkeypatch.setattr(f"sssnake.engine.player.{part}", fail)
    notes, reports = list[str](), list[Info]()
    engine = Engine(hash_mb=1, own_book=True, syzygy_path="nowhere", threads=3)
    engine.on_note = notes.append
    hanging = "4k3/8/3q4/4P3/8/8/8/4K3 w - - 0 1"
    result = engine.play(Board(hanging), Limits(depth=4, wtime=60_000), reports.append)
    assert str(result.move) == "e5d6" and reports[-1].depth == 4
    assert any("for a test" in note for note in notes)
    engine.settle()


@pytest.mark.parametrize("driver", ["SSS*", "PVS"])
def test_an_interrupted_iteration_counts_where_it_has_proved_a_better_move(driver: str) -> None:
    """Such a move is not what the iteration before had, and mostly what the whole iteration finds."""
    proved = right = 0
    for fen in (fen for fen in POSITIONS if Board(fen).moves()):
        engine = Engine(driver=driver, hash_mb=1)
        whole: list[Info] = []
        engine.play(Board(fen), Limits(depth=11), whole.append)
        closed = {info.depth: info for info in whole if not info.bound}
        for nodes in range(1500, 18000, 250):
            engine.new_game()
            engine.clear_hash()
            cut: list[Info] = []
            best = engine.play(Board(fen), Limits(nodes=nodes), cut.append).move
            depth = cut[-1].depth
            assert best == cut[-1].pv[0] and not cut[-1].bound
            if depth in closed and cut[-1].nodes < closed[depth].nodes:
                if best == closed[depth - 1].pv[0]:  # the bracket was closed, the end of its line was not
                    score = closed[depth].score  # of a mate whose way was not shown in time: DECISIVE
                    assert cut[-1].score in (score, max(-DECISIVE, min(score, DECISIVE)))
                    continue
                proved += 1
                right += best == closed[depth].pv[0]
    assert proved >= 40 and right > 0.6 * proved


def test_speed_is_nodes_over_time() -> None:
    _, reports = search(POSITIONS[0], Limits(movetime=300))
    last = reports[-1]
    assert last.nps == pytest.approx(last.nodes / last.time_ms * 1000, rel=0.1)


def test_the_table_fills_and_is_cleared() -> None:
    engine = Engine(hash_mb=1)
    reports: list[Info] = []
    engine.play(Board(), Limits(nodes=200_000), reports.append)
    filled = [report.hashfull for report in reports]
    assert filled == sorted(filled) and filled[-1] > 500
    assert engine.pool and engine.pool.table.entries_used() > 1000
    engine.clear_hash()
    assert engine.pool.table.entries_used() == 0
    engine.play(Board(), Limits(depth=4), reports.append)
    assert reports[-1].hashfull < 50


# nodestime


def test_nodestime_spends_an_account_of_nodes() -> None:
    engine = Engine(hash_mb=1, nodestime=10)
    nodes = []
    limits = Limits(wtime=3000, btime=3000, winc=10, binc=10)
    for _ in range(60):  # the GUI's clock says the same all the time: only nodes count
        engine.play(Board(), limits)
        assert engine.pool
        nodes.append(engine.pool.nodes)
    assert sum(nodes) < (3000 + 60 * 10) * 10
    assert nodes[0] > 300 and nodes[-1] < nodes[0]
    again = Engine(hash_mb=1, nodestime=10)
    again.play(Board(), limits)
    assert again.pool and again.pool.nodes == nodes[0]  # time plays no part
    engine.new_game()
    engine.play(Board(), limits)
    assert engine.pool and engine.pool.nodes > nodes[-1]


@pytest.mark.parametrize("white", [True, False])
def test_nodestime_adds_our_increments_to_the_account(white: bool) -> None:
    """300 ms, and 100 more after every move, at ten nodes each; the opponent's is none of ours."""
    board, spent = Board(), {}
    if not white:
        board.push("e2e4")
    for ours, theirs in ((100, 0), (0, 100)):
        engine = Engine(hash_mb=1, nodestime=10)
        winc, binc = (ours, theirs) if white else (theirs, ours)
        limits = Limits(wtime=300, btime=300, winc=winc, binc=binc)
        spent[ours] = sum(engine.play(board, limits).nodes for _ in range(30))
    assert 10 * (300 + 30 * 100) > spent[100] > 10 * 300 * 5
    assert spent[0] < 10 * 300


def test_nodestime_turns_movetime_into_nodes() -> None:
    engine = Engine(hash_mb=1, nodestime=100, move_overhead=0)
    engine.play(Board(), Limits(movetime=200))
    assert engine.pool and 10_000 < engine.pool.nodes <= 20_000


# Threads


def test_the_answer_does_not_wait_for_helpers_and_the_next_search_does() -> None:
    engine = Engine(hash_mb=1, threads=4)
    for _ in range(30):
        assert engine.play(Board(KIWIPETE), Limits(movetime=5)).move
    engine.settle()
    assert engine.pool
    nodes = [worker.nodes for worker in engine.pool.workers]
    time.sleep(0.1)
    assert nodes == [worker.nodes for worker in engine.pool.workers]


def test_stop_before_and_during_a_search() -> None:
    engine = Engine(hash_mb=1)
    early = new_search(engine, Board(), Limits(infinite=True))
    early.stop()
    early.run()
    assert early.wait(0).move and early.wait(0).iterations == 1
    search = engine.start(Board(), Limits(infinite=True))
    with pytest.raises(TimeoutError):
        search.wait(0.1)
    search.stop()
    assert search.wait().move and search.done


def test_bounds_far_from_the_last_value_are_for_debugging(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deepening, "BOUND_AFTER", 0.0)
    for on_pass in (None, lambda done: None):
        far = near = 0
        for fen in POSITIONS[:24]:
            reports: list[Info] = []
            with Engine(hash_mb=2, multipv=2) as engine:
                engine.play(chess.Board(fen), Limits(nodes=4000), reports.append, on_pass)
            last: dict[int, int] = {}
            for report in reports:
                if not report.bound:
                    last[report.multipv] = report.score
                elif report.multipv in last and abs(report.score - last[report.multipv]) <= 50:
                    near += 1
                else:
                    far += 1
        assert near > 20
        assert far == 0 if on_pass is None else far > 20


def test_the_last_lines_are_of_distinct_moves_in_order() -> None:
    """Wherever the search was cut off after its first iteration: each number once, sorted."""
    for number, fen in enumerate(POSITIONS):
        board = chess.Board(fen)
        if board.legal_moves.count() < 4:
            continue
        result, reports = search(fen, Limits(nodes=3000 + 370 * number), multipv=4)
        block = reports[-4:]
        assert [report.multipv for report in block] == [1, 2, 3, 4], fen
        assert len({report.names[0] for report in block}) == 4, fen
        scores = [report.score for report in block]
        assert scores == sorted(scores, reverse=True) and block[0].pv[0] == result.move, fen
        depths = [report.depth for report in block]
        assert depths == sorted(depths, reverse=True) and depths[0] - depths[-1] <= 1, fen


@pytest.mark.parametrize(
    ("values", "right"),
    [
        ([30, 10, 25, 12], [30, 10, 10, 10]),
        ([6 - MATE, -900, -700], [6 - MATE, -900, -900]),
        ([MATE - 5, 400, 500], [MATE - 5, 400, 400]),
    ],
)
def test_older_lines_are_worth_no_more_and_claim_no_mate(
    monkeypatch: pytest.MonkeyPatch, values: list[int], right: list[int]
) -> None:
    said: list[int] = []
    cut_off = Deepening.__new__(Deepening)
    cut_off.options, cut_off.handicap, cut_off.verdicts = Options(multipv=4), None, {}
    cut_off.lines = [RootLine(value=value) for value in values]
    monkeypatch.setattr(Deepening, "_report_line", lambda self, index, line: said.append(line.value))
    cut_off._report_committed()
    assert said == right
