"""Time management: never beyond the clock, whatever is sent; more time when the search is unsure."""

import random

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sssnake.engine.player.clock import HORIZON, LEAST_MS, MOST_MOVES, Clock, Latency, allot
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits


class Time:
    """A clock for the clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self.now = 1000.0
        monkeypatch.setattr("sssnake.engine.player.clock.time.monotonic", lambda: self.now)

    def pass_ms(self, ms: float) -> None:
        self.now += ms / 1000


@pytest.fixture
def timer(monkeypatch: pytest.MonkeyPatch) -> Time:
    return Time(monkeypatch)


times = st.one_of(st.none(), st.integers(-100_000, 10_000_000))


increments = st.one_of(st.none(), st.integers(0, 10_000_000))


@given(
    times,
    times,
    increments,
    increments,
    st.one_of(st.none(), st.integers(1, 1000)),
    st.integers(0, 10_000),
    st.booleans(),
    st.floats(0.5, 5),
)
def test_hard_limit_stays_within_the_clock(
    wtime: int | None,
    btime: int | None,
    winc: int | None,
    binc: int | None,
    movestogo: int | None,
    overhead: int,
    white: bool,
    patience: float,
) -> None:
    limits = Limits(wtime=wtime, btime=btime, winc=winc, binc=binc, movestogo=movestogo)
    clock = Clock(limits, white, overhead, patience=patience)
    side = limits.clock(white)
    if side is None:
        assert clock.soft_ms is None and clock.hard_ms is None and clock.deadline is None
        return
    assert clock.soft_ms is not None and clock.hard_ms is not None
    assert 0 < clock.soft_ms <= clock.hard_ms <= max(side[0] - overhead, LEAST_MS)


def test_patience_moves_the_soft_limit_alone() -> None:
    usual = Clock(Limits(wtime=60_000), True, 30)
    patient = Clock(Limits(wtime=60_000), True, 30, patience=1.5)
    assert usual.soft_ms and patient.soft_ms == pytest.approx(1.5 * usual.soft_ms)
    assert patient.hard_ms == usual.hard_ms


@given(st.integers(1, 100_000), st.integers(0, 1000), st.integers(1, 100_000))
def test_movetime_is_an_upper_bound_beside_the_clock(movetime: int, overhead: int, wtime: int) -> None:
    alone = Clock(Limits(movetime=movetime), True, overhead).hard_ms
    both = Clock(Limits(movetime=movetime, wtime=wtime), True, overhead).hard_ms
    assert alone is not None and both is not None
    assert both <= alone <= max(movetime - overhead, LEAST_MS)


@pytest.fixture(params=["usual", "greedy"])
def greedy(request: pytest.FixtureRequest) -> bool:
    """Whether the simulated search always takes all it may."""
    return bool(request.param == "greedy")


def play(
    timer: Time, rng: random.Random, base: float, inc: float, session: int, moves: int, greedy: bool
) -> float:
    """Simulate one side of a game; the least time its clock ever showed. Latency up to 8 ms, at times 25."""
    left, least = base, base
    for number in range(moves):
        movestogo = session - number % session if session else None
        if session and number and number % session == 0:
            left += base
        limits = Limits(wtime=int(left), winc=int(inc), movestogo=movestogo)
        latency = rng.uniform(0, 8) if rng.random() > 0.02 else 25.0
        clock = Clock(limits, True, 30)
        assert clock.hard_ms is not None
        while clock.elapsed_ms() < clock.hard_ms:
            timer.pass_ms(min(rng.expovariate(1 / 5), clock.hard_ms - clock.elapsed_ms() + 0.01))
            if not greedy and not clock.another_iteration(rng.choice("ab"), rng.randrange(-200, 200), 30):
                break
        left -= clock.elapsed_ms() + latency
        least = min(least, left)
        left += inc
    return least


@pytest.mark.parametrize(
    ("base", "inc", "session"), [(1000, 10, 0), (1000, 0, 40), (60_000, 600, 0), (10_000, 100, 0)]
)
def test_whole_games_never_run_out(timer: Time, base: float, inc: float, session: int, greedy: bool) -> None:
    for seed in range(10):
        assert play(timer, random.Random(seed), base, inc, session, 300, greedy) > 0


def test_sudden_death_lasts_long_enough(timer: Time) -> None:
    """Without increment the clock must run out at last, but not before a long game ends."""
    for seed in range(30):
        assert play(timer, random.Random(seed), 1000, 0, 0, 60, greedy=False) > 0


def test_a_last_move_may_use_the_clock_and_others_may_not() -> None:
    last, earlier = allot(1000, 0, 1, 30), allot(1000, 0, 20, 30)
    assert last[1] > 800 and earlier[1] < 500


@pytest.mark.parametrize(
    ("moves", "kept"),
    [
        (1, 0),
        (2, 60 + 10),
        (3, 60 + 20),
        (40, 60 + 390),
    ],  # two overheads, and a third of one for each later move
)
def test_some_of_the_clock_is_kept_back_unless_it_is_the_last_move(moves: int, kept: float) -> None:
    """1000 ms to the time control, 30 of them for the overhead of this move."""
    spendable = 1000 - 30 - kept
    hard = min(4 * spendable / moves, spendable * (0.9 if moves == 1 else 0.4))
    assert allot(1000, 0, moves, 30) == pytest.approx((min(spendable / moves, hard), hard))


@pytest.mark.parametrize(
    ("clock", "soft", "hard"),
    [
        ((60_000, 0, None), (59_970 - 60 - 310) / 32, (59_970 - 370) / 8),  # 32 moves are reckoned with
        ((60_000, 0, 60), (59_970 - 60 - 590) / 60, (59_970 - 650) / 15),
        ((60_000, 0, 61), (59_970 - 60 - 590) / 60, (59_970 - 650) / 15),  # and 60 at most
        ((60_000, 600, None), (59_910 + 0.75 * 600 * 31) / 32, (59_910 + 0.75 * 600 * 31) / 8),
        (
            (60_000, 4, None),
            (59_910 - 6 * 31 + 3 * 31) / 32,
            (59_910 - 3 * 31) / 8,
        ),  # not all of the overhead
        ((60_000, -5, 40), (59_970 - 60 - 390) / 40, (59_970 - 450) / 10),
        ((60_000, 100, 1), 0.9 * 59_970, 0.9 * 59_970),
        ((130, 0, None), 0.2 * 100 / 32, 0.2 * 100 / 8),  # four fifths are kept back at most
        ((100, 5000, None), 0.4 * 14, 0.4 * 14),  # what has not come yet cannot be spent
        ((20, 0, None), 0.2 * 2 / 32, 2.0),
        ((-50, 0, None), 0.2 * 2 / 32, 2.0),
    ],
)
def test_shares_of_a_clock(clock: tuple[int, int, int | None], soft: float, hard: float) -> None:
    """With an overhead of 30 ms."""
    assert allot(*clock, 30) == pytest.approx((soft, hard))


@pytest.mark.parametrize(
    ("before", "now", "factor"),
    [
        ([("a", 20)], ("a", 20, 20, 0.8), 0.8 * 0.8),
        ([("a", 20)], ("a", 20, 20, 1.0), 0.8 * 0.5),
        ([("a", 20)], ("a", 20, 20, 0.0), 0.8 * 2.0),
        ([("a", 20)], ("a", 20, 1, 0.8), 0.05),
        ([("a", 20)], ("a", 20, 2, 0.8), 0.8 * 0.8),
        ([("a", 20)], ("b", 20, 20, 0.8), 1.8 * 0.8),  # another move
        ([("a", 20), ("b", 20)], ("b", 20, 20, 0.8), 1.3 * 0.8),  # half forgotten
        ([("a", 20), ("b", 20)], ("a", 20, 20, 0.8), 2.3 * 0.8),
        ([("a", 20)], ("a", -20, 20, 0.8), 0.8 * 2.0 * 0.8),  # fallen by 40
        ([("a", 20)], ("a", -60, 20, 0.8), 0.8 * 3.0 * 0.8),
        ([("a", 20)], ("a", -900, 20, 0.8), 0.8 * 3.0 * 0.8),
        ([("a", 20)], ("a", 900, 20, 0.8), 0.8 * 0.8),
        ([], ("a", -900, 20, 0.8), 0.8 * 0.8),
    ],
)
def test_shares_of_the_soft_limit(
    timer: Time, before: list[tuple[str, int]], now: tuple[str, int, int, float], factor: float
) -> None:
    clock = Clock(Limits(wtime=60_000), True, 30)
    assert clock.soft_ms is not None
    for move, score in before:
        assert clock.another_iteration(move, score, 20)
    timer.pass_ms(factor * clock.soft_ms - 0.01)
    assert not clock.is_last(*now)
    timer.pass_ms(0.02)
    assert clock.is_last(*now)


def test_a_move_gets_its_share_of_the_clock() -> None:
    """Fewer moves to the time control, an increment, a fuller clock: more time, at its best and at most."""
    for growing in (
        [allot(60_000, 0, moves, 30) for moves in (60, 40, 10, 2, 1)],
        [allot(60_000, increment, None, 30) for increment in (0, 100, 1000)],
        [allot(60_000, increment, 20, 0) for increment in (0, 100, 1000)],
        [allot(remaining, 100, None, 30) for remaining in (1000, 10_000, 100_000)],
    ):
        for limits in zip(*growing, strict=True):
            assert list(limits) == sorted(set(limits))
    assert allot(60_000, 0, None, 30) == allot(60_000, 0, HORIZON, 30)
    assert allot(60_000, 0, 1000, 30) == allot(60_000, 0, MOST_MOVES, 30)


def test_no_limit_without_a_clock() -> None:
    for limits in (Limits(), Limits(depth=5, nodes=7), Limits(infinite=True, wtime=100, movetime=5)):
        clock = Clock(limits, True, 30)
        assert clock.deadline is None
        assert clock.another_iteration("e2e4", 0, 20)


def test_instability_earns_time(timer: Time) -> None:
    def lasts(moves: str, scores: list[int], legal: int = 20) -> float:
        """Milliseconds until no other iteration starts."""
        clock = Clock(Limits(wtime=60_000), True, 30)
        for move, score in zip(moves, scores, strict=True):
            assert clock.another_iteration(move, score, 20)
        while clock.another_iteration(moves[-1], scores[-1], legal):
            timer.pass_ms(1)
        return clock.elapsed_ms()

    calm = lasts("aaaaaa", [20] * 6)
    assert lasts("aaaaaa", [20] * 6, legal=1) < calm / 5
    clock = Clock(Limits(wtime=60_000), True, 30)
    assert clock.soft_ms is not None
    for move in "abab":
        assert clock.another_iteration(move, 0, 20)
    timer.pass_ms(clock.soft_ms)
    assert clock.another_iteration("a", 0, 20)  # unsure
    falling = Clock(Limits(wtime=60_000), True, 30)
    assert falling.another_iteration("a", 50, 20)
    timer.pass_ms(clock.soft_ms)
    assert falling.another_iteration("a", -50, 20)
    assert not falling.another_iteration("a", -50, 20)


def test_rivals_that_are_hard_to_refute_earn_time(timer: Time) -> None:
    def lasts(effort: float) -> float:
        clock = Clock(Limits(wtime=60_000), True, 30)
        while clock.another_iteration("a", 0, 20, effort):
            timer.pass_ms(1)
        return clock.elapsed_ms()

    assert lasts(0.95) < 0.8 * lasts(0.8) and lasts(0.4) > 1.5 * lasts(0.8)


def test_the_last_iteration_is_foretold(timer: Time) -> None:
    """`is_last` says what `another_iteration` will, however often it is asked and whatever else before."""
    rng, said = random.Random(3), set()

    def closed() -> tuple[str, int, int, float]:
        return rng.choice("ab"), rng.randrange(-100, 100), rng.choice((1, 20, 20)), rng.random()

    for ponder in [False] * 30 + [True]:
        asked, plain = (Clock(Limits(wtime=60_000, ponder=ponder), True, 30) for _ in range(2))
        for _ in range(30):
            this = closed()
            for other in (closed(), this, closed()):
                asked.is_last(*other)
            last = asked.is_last(*this)
            assert asked.another_iteration(*this) is plain.another_iteration(*this) is not last
            said.add((last, ponder))
            timer.pass_ms(rng.randrange(200))
    assert said == {(False, False), (True, False), (False, True)}


def test_pondering(timer: Time) -> None:
    limits = Limits(wtime=10_000, ponder=True)
    clock = Clock(limits, True, 30)
    timer.pass_ms(20)
    assert clock.deadline is None and clock.another_iteration("a", 0, 20)
    assert clock.ponderhit() is False  # budget left
    assert clock.hard_ms is not None
    assert clock.deadline == pytest.approx(timer.now + clock.hard_ms / 1000)
    late = Clock(limits, True, 30)
    timer.pass_ms(5000)
    assert late.another_iteration("a", 0, 20)
    assert late.ponderhit() is True  # spent while pondering: move at once
    assert Clock(Limits(ponder=True), True, 30).ponderhit() is False


def test_after_a_ponderhit_all_of_the_movetime_is_left(timer: Time) -> None:
    clock = Clock(Limits(movetime=1000, ponder=True), True, 0)
    timer.pass_ms(800)
    assert clock.ponderhit() is False
    timer.pass_ms(900)
    assert clock.another_iteration("a", 0, 20)
    timer.pass_ms(101)
    assert not clock.another_iteration("a", 0, 20)


# A busy machine


def test_latency_is_asked_about_the_mover_s_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = list[tuple[int, float]]()
    monkeypatch.setattr(Latency, "asked", lambda _self, ply, left: asked.append((ply, left)))
    with Engine(hash_mb=1) as engine:
        engine.play(chess.Board(), Limits(wtime=50, btime=70))
        engine.play(chess.Board("4k3/8/8/8/8/8/4P3/4K3 b - - 0 7"), Limits(wtime=60, btime=40))
    assert asked == [(2, 50), (15, 40)]


def test_latency_is_seen_on_our_clock() -> None:
    latency = Latency()
    latency.asked(2, 5000)
    assert latency.overhead(30, 5000) == 30
    latency.answered(2, 4900, 1.5)
    latency.asked(4, 4850)  # 50 ms are gone
    assert latency.overhead(30, 4850) == pytest.approx(50)
    latency.answered(4, 4700, 80)  # no time lost, but the search was held up
    latency.asked(6, 4700)
    assert 50 < latency.overhead(30, 4700) <= 80
    assert latency.overhead(30, 40) == 30  # never most of the clock
    for ply in range(8, 60, 2):
        latency.answered(ply, 3000, 1.0)
        latency.asked(ply + 2, 3000)
    assert latency.overhead(30, 3000) == 30  # forgotten


@pytest.mark.parametrize(("lost", "kept"), [(200, 200), (1000, 1000), (1001, 30)])
def test_a_delay_is_kept_back_as_long_as_it_may_come_again(lost: float, kept: float) -> None:
    """A tenth of it is forgotten with every move; it takes a quarter of the clock at most."""
    latency = Latency()
    latency.answered(2, 5000, 0)
    latency.asked(4, 5000 - lost)
    assert latency.overhead(30, 8000) == pytest.approx(kept)
    assert latency.overhead(30, 400) == pytest.approx(min(kept, 100))
    latency.asked(6, 3000)
    assert latency.overhead(30, 8000) == pytest.approx(max(30, 0.9 * kept))
    latency.asked(8, 3000)
    assert latency.overhead(30, 8000) == pytest.approx(max(30, 0.81 * kept))


def test_other_games_and_sides_are_no_latency() -> None:
    latency = Latency()
    for ply, remaining in ((2, 60_000), (3, 9000), (2, 1000), (40, 500)):
        latency.asked(ply, remaining)
        latency.answered(ply, remaining + 10, 0)
    latency.asked(42, 509)
    assert latency.worst_ms < 2
    latency.answered(42, 60_000, 0)
    latency.asked(44, 1000)  # nobody loses a minute between two moves
    assert latency.overhead(30, 1000) == 30


@pytest.mark.parametrize(("base", "inc"), [(5000, 50), (1000, 50), (3000, 100)])
def test_games_on_a_busy_machine_never_run_out(timer: Time, base: float, inc: float) -> None:
    """Now and then the machine is away for a while: in the middle of a search, or at its end."""
    for seed in range(20):
        rng, latency, left = random.Random(seed), Latency(), base
        for ply in range(0, 300, 2):
            latency.asked(ply, left)
            clock = Clock(Limits(wtime=int(left), winc=int(inc)), True, latency.overhead(30, left))
            assert clock.hard_ms is not None
            gap = 0.0
            while clock.elapsed_ms() < clock.hard_ms:
                away = rng.uniform(20, 90) if rng.random() < 0.05 else rng.expovariate(1 / 3)
                gap = max(gap, away)
                timer.pass_ms(away)
                if not clock.another_iteration("a", 0, 30):
                    break
            latency.answered(ply, left + inc - clock.spent_ms(), gap)
            left += inc - clock.elapsed_ms() - (rng.uniform(20, 90) if rng.random() < 0.1 else 1)
            assert left > inc, (seed, ply)


def test_a_clock_may_run_by_something_else() -> None:
    nodes = 0
    clock = Clock(Limits(wtime=10_000), True, 30, 5.0, lambda: 5.0 + nodes / 1000)
    assert clock.soft_ms is not None and clock.hard_ms is not None and clock.deadline is not None
    assert clock.another_iteration("a", 0, 20) and clock.elapsed_ms() == 0
    nodes = int(clock.hard_ms) + 1
    assert not clock.another_iteration("a", 0, 20)
    assert clock.spent_ms() > clock.hard_ms
