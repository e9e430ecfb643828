"""Time management: never beyond the clock, whatever is sent; more time when the search is unsure."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.clock import LEAST_MS, Clock, allot
from engine.limits import Limits


class Time:
    """A clock for the clock."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self.now = 1000.0
        monkeypatch.setattr("engine.clock.time.monotonic", lambda: self.now)

    def pass_ms(self, ms: float) -> None:
        self.now += ms / 1000


@pytest.fixture
def timer(monkeypatch: pytest.MonkeyPatch) -> Time:
    return Time(monkeypatch)


times = st.one_of(st.none(), st.integers(-100_000, 10_000_000))


@given(
    times,
    times,
    times,
    times,
    st.one_of(st.none(), st.integers(0, 1000)),
    st.integers(0, 10_000),
    st.booleans(),
)
def test_hard_limit_stays_within_the_clock(
    wtime: int | None,
    btime: int | None,
    winc: int | None,
    binc: int | None,
    movestogo: int | None,
    overhead: int,
    white: bool,
) -> None:
    limits = Limits(wtime=wtime, btime=btime, winc=winc, binc=binc, movestogo=movestogo)
    clock = Clock(limits, white, overhead)
    side = limits.clock(white)
    if side is None:
        assert clock.soft_ms is None and clock.hard_ms is None and clock.deadline is None
        return
    assert clock.soft_ms is not None and clock.hard_ms is not None
    assert 0 < clock.soft_ms <= clock.hard_ms <= max(side[0] - overhead, LEAST_MS)


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
