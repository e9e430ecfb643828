"""One search under way: what its clock is told and when that ends it, what is said of its passes."""

import random
import threading
import time
from collections.abc import Callable
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Any, ClassVar, Unpack

import chess
import pytest
from soak import ponderhits
from support.parameters import PARAMETERS
from support.sessions import WAIT, new_search

from sssnake._fast.board.board import Board
from sssnake._fast.drivers.bracket import SWING, TOP
from sssnake._fast.search.worker import RootEntry
from sssnake._fast.values import INFINITE, MATE
from sssnake.engine.player import search as search_module
from sssnake.engine.player.bench import POSITIONS
from sssnake.engine.player.clock import (
    EFFORT_FACTOR,
    EFFORT_SLOPE,
    FORCED_FACTOR,
    STABLE_FACTOR,
    USUAL_EFFORT,
    Clock,
)
from sssnake.engine.player.deepening import Deepening, RootLine
from sssnake.engine.player.drivers import PATIENCE, Pass
from sssnake.engine.player.engine import Engine, OptionValues, Search
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import DRIVERS, Options
from sssnake.engine.player.resources.parts import Callbacks, Resources
from sssnake.engine.player.result import Info

CALM = "4k3/4p3/4P3/8/8/4p3/4P3/4K3 w - - 0 1"
FORCED = "7k/8/8/8/8/6n1/5PPq/5RK1 w - - 0 1"  # one legal move
MATE_IN_ONE = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"


class Recording(Clock):
    """Notes what it is told of closed iterations; it may be told how many there shall be."""

    made: ClassVar[list["Recording"]] = []
    lasts: ClassVar[int | None] = None  # iterations; None: as many as a clock allows

    def __init__(self, *arguments: Any, **names: Any):
        super().__init__(*arguments, **names)
        self.told: list[tuple[object, int, int, float]] = []
        self.made.append(self)

    def another_iteration(
        self, move: object, score: int, legal_moves: int, effort: float = USUAL_EFFORT
    ) -> bool:
        self.told.append((move, score, legal_moves, effort))
        if self.lasts is not None:
            return len(self.told) < self.lasts
        return super().another_iteration(move, score, legal_moves, effort)


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> type[Recording]:
    """The class of every search's clock from now on."""
    monkeypatch.setattr(search_module, "Clock", Recording)
    monkeypatch.setattr(Recording, "made", [])
    monkeypatch.setattr(Recording, "lasts", None)
    return Recording


# The clock


def test_the_clock_is_told_of_every_iteration_and_ends_the_search(clocks: type[Recording]) -> None:
    clocks.lasts = 9
    board, reports = Board(), list[Info]()
    engine = Engine(hash_mb=1)
    efforts: list[float] = []

    def report(info: Info) -> None:
        reports.append(info)
        assert engine.pool
        roots = [engine.pool.main.root(index) for index in range(20)]
        own = next(root.nodes for root in roots if root.move == board.parse(info.names[0]))
        efforts.append(own / max(1, sum(root.nodes for root in roots)))

    result = engine.play(board, Limits(depth=11), report)
    assert [info.depth for info in reports] == list(range(1, 10)) and result.iterations == 9
    expected = [(board.parse(info.names[0]), info.score, 20) for info in reports]
    assert [told[:3] for told in clocks.made[0].told] == expected
    assert [told[3] for told in clocks.made[0].told] == pytest.approx(efforts)
    assert len(set(efforts)) > 5 and len({info.score for info in reports}) > 1


def milliseconds(fen: str, driver: str = DRIVERS[0], multipv: int = 1, clock: int = 60_000) -> float:
    """What a search takes of a clock that runs by nodes."""
    engine = Engine(hash_mb=1, nodestime=100, driver=driver, multipv=multipv, parameters=PARAMETERS)
    engine.play(Board(fen), Limits(wtime=clock, btime=clock))
    assert engine.pool
    return engine.pool.nodes / 100


def test_the_soft_limit_ends_a_calm_search(clocks: type[Recording]) -> None:
    used, clock = milliseconds(CALM), clocks.made[0]
    assert clock.soft_ms and clock.hard_ms
    least = STABLE_FACTOR * (EFFORT_FACTOR - EFFORT_SLOPE)  # when all effort went into the best move
    assert least * clock.soft_ms <= used < clock.hard_ms / 2


def test_a_forced_move_is_played_at_once(clocks: type[Recording]) -> None:
    used, clock = milliseconds(FORCED), clocks.made[0]
    assert clock.soft_ms and FORCED_FACTOR * clock.soft_ms <= used < 3 * FORCED_FACTOR * clock.soft_ms


def test_a_mate_searched_to_twice_its_length_ends_a_timed_search() -> None:
    engine = Engine(hash_mb=1)
    for limits, depth in ((Limits(movetime=30_000), 3), (Limits(depth=9), 9)):
        assert engine.play(Board(MATE_IN_ONE), limits).iterations == depth


def test_some_drivers_have_more_patience(clocks: type[Recording]) -> None:
    soft = []
    for driver in DRIVERS:
        engine = Engine(hash_mb=1, driver=driver)
        engine.play(Board(), Limits(wtime=60_000, depth=1))
        soft.append(clocks.made[-1].soft_ms or 0.0)
    usual = soft[DRIVERS.index("AlphaBeta")]
    assert soft == pytest.approx([usual * PATIENCE.get(driver, 1.0) for driver in DRIVERS])
    assert soft[DRIVERS.index("SSS*")] > usual


@pytest.mark.parametrize("driver", ["SSS*", "PVS"])
def test_out_of_time_the_last_iteration_ends_with_a_proved_move(driver: str) -> None:
    """But several lines are all closed as ever."""

    def spent() -> float:
        return sum(milliseconds(fen, driver, clock=5_000) for fen in POSITIONS[:16])

    usual, lines = spent(), milliseconds(POSITIONS[1], driver, 2)
    PARAMETERS["driver_late"] = 0
    assert usual < 0.95 * spent() and milliseconds(POSITIONS[1], driver, 2) == lines


def test_the_hard_limit_holds_after_a_ponderhit(clocks: type[Recording]) -> None:
    clocks.lasts = 1000  # more than there are: only the core can end this search
    engine, deep = Engine(hash_mb=1), threading.Event()

    def report(info: Info) -> None:
        if info.depth == 3:  # the iterations before it are over
            deep.set()

    search = engine.start(Board(), Limits(movetime=1000, ponder=True), report)
    assert deep.wait(WAIT)
    search.ponderhit()
    search.wait(WAIT)


@pytest.mark.parametrize("multipv", [1, 4, 20])
def test_no_ponderhit_of_the_first_iteration_is_lost(clocks: type[Recording], multipv: int) -> None:
    """After its first pass; when its lines are told; before the second."""
    clocks.lasts = 1000  # only the core can end these searches
    for moment in ("pass", "report", "second"):
        hits, searches = list[str](), list[Search]()

        def hit(what: str, wanted: str = moment, hits: list[str] = hits, it: list[Search] = searches) -> None:
            if what == wanted and not hits:
                hits.append(what)
                it[0].ponderhit()

        def report(info: Info, hit: Callable[[str], None] = hit) -> None:
            hit("report")

        def on_pass(done: Pass, hit: Callable[[str], None] = hit) -> None:
            hit("second" if done.depth == 2 else "pass")

        engine, limits = Engine(hash_mb=1, multipv=multipv), Limits(movetime=100, ponder=True)
        start = time.monotonic()
        search = new_search(engine, Board(), limits, report, on_pass)
        searches.append(search)
        search.start()
        search.wait(WAIT)
        assert hits and time.monotonic() - start >= 0.05


def test_ponderhits_at_random_moments() -> None:
    """A thousand by `python tests/soak/ponderhits.py`."""
    assert max(ponderhits.lateness(100, seed=5))[0] < ponderhits.LATE


# A spent clock: one iteration, and what it finds is played


SPENT = [
    ("rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3", "f3h4"),
    ("6k1/5ppp/8/8/3r4/4R3/5PPP/2R3K1 w - - 0 1", "e3e8"),
    ("rnbqkbnr/ppp2ppp/8/3pp3/4P1Q1/8/PPPP1PPP/RNB1KBNR b KQkq - 1 3", "c8g4"),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "h5f7"),
    ("4k3/8/3q4/4P3/8/8/8/4K3 w - - 0 1", "e5d6"),
]


@cache
def mates_in_one(count: int, seed: int) -> list[tuple[str, set[str]]]:
    """Positions of random games, and their mating moves."""
    rng, found = random.Random(seed), list[tuple[str, set[str]]]()
    while len(found) < count:
        board = chess.Board()
        for _ in range(rng.randrange(6, 100)):
            if not board.is_game_over():
                board.push(rng.choice(list(board.legal_moves)))
        mates = set()
        for move in list(board.legal_moves):
            board.push(move)
            mates |= {move.uci()} if board.is_checkmate() else set()
            board.pop()
        if mates and not board.can_claim_draw():
            found.append((board.fen(), mates))
    return found


@pytest.mark.parametrize("options", [{}, {"threads": 4}, {"multipv": 20}, {"skill_level": 19}], ids=str)
@pytest.mark.parametrize("driver", DRIVERS)
def test_a_spent_clock_leaves_time_for_one_iteration(driver: str, options: OptionValues) -> None:
    engine = Engine(Options(hash_mb=1, driver=driver), **options)
    cases = [(fen, {right}) for fen, right in SPENT] + mates_in_one(8, seed=3)
    for number, (fen, right) in enumerate(cases):
        for clock in (60, 1, 0, -5):
            limits = Limits(wtime=clock, btime=clock)
            if number % 3 == 0:
                limits.searchmoves = sorted(Board(fen).legal_moves(), reverse=clock > 0)
            result = engine.play(Board(fen), limits)
            assert str(result.move) in right, (fen, clock)
        engine.play(Board(POSITIONS[number]), Limits(depth=5))  # a table in use


# An iteration that is cut off


class CutOff(Deepening):
    """Notes the lines that count."""

    def __init__(self) -> None:
        engine, limits = Engine(hash_mb=1), Limits(depth=1)
        resources = Resources(engine.options, engine.prepare(), engine.book, engine.tablebase)
        super().__init__(resources, Board(), limits, Clock(limits, True, 0), Callbacks(None, None), 0.0)
        self.committed: list[RootLine] = []

    def _commit(self, worker: object, index: int, line: RootLine) -> None:
        self.committed.append(line)


class Roots:
    """Stands for a worker in the middle of an iteration: move 1 led before, move 2 has failed high last."""

    root_count = 2

    def __init__(self, upper: int, lower: int, best: int = 1) -> None:
        self._roots = [RootEntry(1, -INFINITE, upper, 0, [1, 7]), RootEntry(2, lower, INFINITE, 0, [2, 8])]
        self._best = best

    def best_root(self) -> int:
        return self._best

    def root(self, index: int) -> RootEntry:
        return self._roots[index]

    def promote(self, index: int) -> None:
        assert index == 1


@pytest.mark.parametrize(
    ("upper", "lower", "counts"),
    [
        (10, 11, True),
        (10, 10, False),  # they may be equal
        (10, 9, False),
        (INFINITE, 300, False),  # the move before may be as good: it has no upper bound yet
        (-TOP - 500, 1 - TOP, True),
        (-TOP - 500, -TOP, False),  # both are lost
        (3 - MATE, 9 - MATE, False),
        (9 - MATE, MATE - 9, True),
    ],
)
def test_a_better_move_of_a_cut_off_iteration_counts(upper: int, lower: int, counts: bool) -> None:
    """Whose lower bound is above the upper bound of the move before, unless it is lost as well."""
    search = CutOff()
    search.lines = search._older = [RootLine([1, 7], 10, 5)]
    search._rescue(Roots(upper, lower), 6)  # type: ignore[arg-type]
    assert search.committed == ([RootLine([2, 8], lower, 6)] if counts else [])


def test_nothing_is_to_be_saved_where_a_line_is_closed_or_the_move_is_the_same() -> None:
    search = CutOff()
    search._rescue(Roots(10, 11), 6)  # type: ignore[arg-type]
    search._older = [RootLine([1, 7], 10, 5)]
    search._rescue(Roots(10, 11, best=0), 6)  # type: ignore[arg-type]
    search._fresh = [RootLine([1, 7], 10, 6)]
    search._rescue(Roots(10, 11), 6)  # type: ignore[arg-type]
    assert search.committed == []


# Passes, as they are told


def told_passes(
    fen: str = POSITIONS[1], depth: int = 7, **options: Unpack[OptionValues]
) -> tuple[list[Pass], list[Info]]:
    """Every pass to a depth, and the reports."""
    told: list[Pass] = []
    reports: list[Info] = []
    engine = Engine(Options(hash_mb=1), parameters=PARAMETERS, **options)
    result = engine.play(Board(fen), Limits(depth=depth), reports.append, told.append)
    assert len(told) == result.passes
    assert sum(done.nodes for done in told) <= result.nodes
    assert sum(done.crossed for done in told) == result.crossings
    return told, reports


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("driver", DRIVERS)
def test_every_pass_is_told_of(driver: str, count: int) -> None:
    passes, reports = told_passes(driver=driver, multipv=count)
    seen, proved = [], []
    for (depth, line), group in groupby(passes, lambda done: (done.depth, done.line)):
        entries = list(group)
        seen.append((depth, line))
        assert [done.number for done in entries] == list(range(1, len(entries) + 1))
        told = [done for done in entries if done.nodes]
        assert [done.kind == "lower" for done in told] == [done.value >= done.gamma for done in told]
        exact = [done.kind == "exact" for done in entries]
        assert exact == [False] * (len(exact) - 1) + [driver in ("PVS", "AlphaBeta")]
        first = entries[0].gamma
        assert first == {"SSS*": TOP, "SSS*-literal": TOP, "DUAL*": -TOP}.get(driver, first)
        proved.append((depth, [done.value for done in entries if done.kind in ("lower", "exact")][-1]))
        assert entries[-1].lower == proved[-1][1]
    lines = range(1, count + 1) if count > 1 else [0]
    assert seen == [(depth, line) for depth in range(1, 8) for line in lines]
    assert sorted(proved) == sorted((info.depth, info.score) for info in reports)


@pytest.mark.parametrize("driver", DRIVERS)
def test_no_bound_is_claimed_that_was_not_searched(driver: str) -> None:
    """It is a mate in one: any smaller upper bound would be false."""
    passes, _ = told_passes("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 4, driver=driver)
    assert not [done for done in passes if done.kind == "upper" and done.value < MATE - 1]
    if driver.startswith("SSS*"):
        assert (passes[0].gamma, passes[0].value, passes[0].kind) == (TOP, MATE - 1, "lower")


@pytest.mark.parametrize("driver", ["SSS*", "SSS*-literal"])
def test_the_first_pass_from_the_top_is_searched(driver: str) -> None:
    engine = Engine(hash_mb=1, driver=driver)
    for fen in POSITIONS[::7]:
        engine.new_game()
        result = engine.play(Board(fen), Limits(depth=8))
        assert result.first_searched == result.iterations == 8
        assert 0 < result.first_nodes < result.nodes


def test_literal_sss_in_play() -> None:
    """The real search: gammas are the last values, and the last pass alone of an iteration fails high."""
    mates = crossed = 0
    for fen in [*POSITIONS[:40:3], MATE_IN_ONE]:
        told: list[Pass] = []
        engine = Engine(hash_mb=16, driver="SSS*-literal")
        crossed += engine.play(Board(fen), Limits(depth=8), on_pass=told.append).crossings
        for _, group in groupby(told, attrgetter("depth")):
            passes = list(group)
            if passes[0].value >= TOP:  # a forced win: the descent begins again, above all wins
                mates += 1
                assert passes[0].gamma == TOP
                passes = passes[1:]
                assert passes[0].gamma == INFINITE
            else:
                assert passes[0].gamma == TOP
            assert [done.gamma for done in passes[1:]] == [done.value for done in passes[:-1]]
            assert [done.value >= done.gamma for done in passes] == [False] * (len(passes) - 1) + [True]
            last = passes[-1]
            assert last.crossed == (len(passes) > 1 and last.value > last.gamma)  # gamma was an upper bound
    assert mates and crossed


@pytest.mark.parametrize("count", [1, 3])
def test_the_calmer_the_value_the_nearer_it_is_asked_about(count: int) -> None:
    """Above the last value, in the second pass; not so of other lines, whose moves change places."""
    passes, reports = told_passes(chess.STARTING_FEN, 14, multipv=count)
    usual, least, share = (PARAMETERS[f"driver_{name}"] for name in ("margin", "least", "margin_swing"))
    asked, expected = [], []
    for line in range(1, count + 1):
        own = [done for done in passes if (done.line or 1) == line]
        second = [done.gamma for done in own if done.number == 2]
        bounds = [done.value for done in own if done.number == 1]
        proved = {done.depth: done.value for done in own if done.kind == "lower"}
        values = [0, *(info.score for info in reports if info.multipv == line)]  # lines may change places
        swing: float = SWING
        for depth, guess in enumerate(values[:-1], 1):
            margin = min(usual, max(least, round(share * swing / 100)))
            if guess + margin <= bounds[depth - 1]:  # the first pass had not proved less already
                asked.append(second[depth - 1] - guess)
                expected.append(margin)
            swing = SWING if line > 1 else (swing + abs(proved[depth] - guess)) / 2
    assert asked == expected and len(set(expected)) > 2


# Repetition


def test_a_move_after_which_the_opponent_can_repeat_is_worth_a_draw() -> None:
    """Whatever the table knows from before; without principal nodes, which would not ask it."""
    PARAMETERS["driver_pv_nodes"] = 0
    board, engine = Board("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"), Engine(hash_mb=1, parameters=PARAMETERS)
    scores = []
    for names in ("a1b1 g8f8", "b1a1 f8g8 a1b1 g8f8"):
        for name in names.split():
            board.push(name)
        for move in ("b1a1", "b1b2"):
            last: list[Info] = []
            engine.play(board.copy(), Limits(depth=8, searchmoves=[move]), last.append)
            scores.append(last[-1].score)
    assert scores[2] == 0 and min(scores[:2] + scores[3:]) > 300
