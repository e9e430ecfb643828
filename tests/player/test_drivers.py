"""The drivers on toy search functions whose value is known: every bracket closes where it should."""

import random

import pytest
from support.parameters import PARAMETERS

from sssnake._fast.search import root
from sssnake._fast.values import INFINITE, MATE
from sssnake.engine.player.drivers import DRIVERS, SWING, TOP, Iteration, Pass, Stopped

VALUES = (0, 17, -33, 250, -900, TOP, -TOP, MATE - 5, 5 - MATE)
NULL_WINDOW = ("SSS*", "DUAL*", "MTD(f)", "MTD(bi)")


class Toy:
    """Stands for worker and core: the root is worth `value`, bounds are loose by up to `slack`."""

    exact = False
    root_first = 0
    nodes = 0
    best = 0  # index of the best root move
    scouting = True
    parameters = PARAMETERS

    def __init__(self, value: int, slack: int = 0, rivals: bool = True) -> None:
        self.value = value
        self.slack = slack
        self.rivals = rivals
        self.stopped = False
        self.stop_after = 0
        self.near: list[bool] = []
        self.led: list[tuple[int, int]] = []
        self.asked: list[tuple[int, int]] = []
        self.rng = random.Random(value)

    def set_learning(self, near: bool) -> None:
        self.near.append(near)

    def set_scouting(self, scout: bool) -> None:
        self.scouting = scout

    def promote(self, index: int, to: int = 0) -> None:
        self.led.append((index, to))

    def best_root(self) -> int:
        return self.best

    def unrivalled(self) -> bool:
        return not self.rivals

    def search(self, alpha: int, beta: int) -> int:
        """Fail-soft: a bound on the far side of the window, else the value."""
        self.asked.append((alpha, beta))
        self.stopped = len(self.asked) == self.stop_after
        loose = self.rng.randint(0, self.slack)
        if self.value <= alpha:
            return min(self.value + loose, alpha)
        if self.value >= beta:
            return max(self.value - loose, beta)
        return self.value


class Grudging(Toy):
    """Its passes prove no more than they were asked."""

    def search(self, alpha: int, beta: int) -> int:
        self.asked.append((alpha, beta))
        return min(max(self.value, alpha), beta)


@pytest.fixture(autouse=True)
def toy_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """The core answers from the toy."""
    monkeypatch.setattr(root, "mt", lambda toy, gamma, depth: toy.search(gamma - 1, gamma))
    monkeypatch.setattr(root, "window", lambda toy, alpha, beta, depth: toy.search(alpha, beta))


def literal() -> None:
    """The textbook algorithms, without conveniences."""
    names = "margin", "step", "bisect", "tolerance", "tolerance_max", "best", "learning_range", "pv_nodes"
    for name in names:
        PARAMETERS[f"driver_{name}"] = 0


def tolerated(value: int, guess: int) -> int:
    """The widest bracket that may count as closed around `value`, by the table of parameters."""
    most = PARAMETERS["driver_tolerance_max"]
    moved = abs(value - guess) + most  # the lower bound may lie that far below the value
    wide = PARAMETERS["driver_tolerance"] + moved // PARAMETERS["driver_tolerance_share"]
    return 0 if abs(value) > TOP else min(wide, most)


def drive(driver: str, toy: Toy, guess: int = 0, told: list[Pass] | None = None) -> Iteration:
    """One iteration of depth 6 on the toy."""

    def on_pass(_: Iteration, done: Pass) -> None:
        if told is not None:
            told.append(done)

    iteration = Iteration(toy, 6, guess, on_pass)  # type: ignore[arg-type]
    DRIVERS[driver](iteration)
    return iteration


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("slack", [0, 40])
def test_literal_brackets_close_on_the_value(driver: str, value: int, slack: int) -> None:
    literal()
    for guess in (0, value, value + 60):
        iteration = drive(driver, Toy(value, slack), guess)
        assert iteration.lower == iteration.upper == iteration.value == value


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("slack", [0, 40])
def test_brackets_of_play_hold_the_value(driver: str, value: int, slack: int) -> None:
    for guess in (0, value, value - 60):
        iteration = drive(driver, Toy(value, slack), guess)
        assert iteration.lower <= value <= iteration.upper
        assert iteration.upper - iteration.lower <= tolerated(value, guess)


@pytest.mark.parametrize("driver", NULL_WINDOW)
def test_a_value_far_from_the_last_one_is_settled_more_roughly(driver: str) -> None:
    PARAMETERS["driver_best"] = 0
    widths = {}
    for guess in (250, 0):
        brackets = [drive(driver, Toy(250 + extra, slack=100), guess) for extra in range(40)]
        widths[guess] = max(iteration.upper - iteration.lower for iteration in brackets)
    assert widths[250] <= PARAMETERS["driver_tolerance"] + 40 // PARAMETERS["driver_tolerance_share"]
    assert widths[250] < widths[0] <= PARAMETERS["driver_tolerance_max"]
    PARAMETERS["driver_tolerance_share"] = 0
    iteration = drive(driver, Toy(250, slack=40), 0)
    assert iteration.upper - iteration.lower <= PARAMETERS["driver_tolerance"]


@pytest.mark.parametrize("driver", DRIVERS)
def test_every_pass_is_recorded_and_told(driver: str) -> None:
    toy, told = Toy(123, slack=10), list[Pass]()
    iteration = drive(driver, toy, 100, told)
    assert iteration.passes == told
    assert [(done.alpha, done.gamma) for done in told] == toy.asked


def test_literal_sss_descends_from_the_top() -> None:
    literal()
    iteration = drive("SSS*", Toy(40, slack=500), guess=35)
    gammas = [done.gamma for done in iteration.passes]
    assert gammas[0] == TOP
    assert gammas[1:] == [done.value for done in iteration.passes[:-1]]  # the upper bound just proved
    assert gammas == sorted(gammas, reverse=True)
    assert all(done.value < done.gamma for done in iteration.passes[:-1])
    assert iteration.passes[-1].value >= iteration.passes[-1].gamma == 40


@pytest.mark.parametrize("value", VALUES)
def test_the_literal_driver_has_no_habits(value: int) -> None:
    """Whatever parameters, guess and clock: every gamma is the last value, one pass fails high."""
    toy = Toy(value, slack=40, rivals=False)
    iteration = Iteration(toy, 6, value + 60, is_last=lambda _: True)  # type: ignore[arg-type]
    DRIVERS["SSS*-literal"](iteration)
    passes = iteration.passes
    if value >= TOP:  # a forced win, or as good as one: the descent begins anew above all of them
        assert (passes[0].gamma, passes[0].value >= TOP) == (TOP, True)
        passes = passes[1:]
    assert [done.gamma for done in passes] == [
        INFINITE if value >= TOP else TOP,
        *[done.value for done in passes[:-1]],
    ]
    assert [done.value >= done.gamma for done in passes] == [False] * (len(passes) - 1) + [True]
    assert iteration.lower == iteration.upper == value and iteration.crossings == 0


def test_an_unstable_descent_counts_its_crossing() -> None:
    toy = Toy(0)
    answers = iter([300, 40, 55])  # 40 was an upper bound
    toy.search = lambda alpha, beta: next(answers)  # type: ignore[method-assign]
    iteration = drive("SSS*-literal", toy)
    assert [done.crossed for done in iteration.passes] == [False, False, True]
    assert (iteration.value, iteration.crossings) == (55, 1)


def test_literal_dual_ascends_from_the_bottom() -> None:
    literal()
    iteration = drive("DUAL*", Toy(40, slack=500), guess=35)
    gammas = [done.gamma for done in iteration.passes]
    assert gammas[0] == -TOP
    assert gammas[1:] == [done.value + 1 for done in iteration.passes[:-1]]
    assert all(done.value >= done.gamma for done in iteration.passes[:-1])
    assert iteration.passes[-1].value < iteration.passes[-1].gamma == 41


def test_first_gammas_of_play() -> None:
    margin = PARAMETERS["driver_margin"]
    loose = drive("SSS*", Toy(10, slack=5000), guess=12).passes
    assert [done.gamma for done in loose][:2] == [TOP, 12 + margin]
    assert drive("MTD(f)", Toy(10), guess=12).passes[0].gamma == 12
    assert drive("PVS", Toy(10), guess=12).passes[0].gamma == 12 + PARAMETERS["aspiration"]
    assert drive("AlphaBeta", Toy(10), guess=12).passes == [Pass(-INFINITE, INFINITE, 10)]


@pytest.mark.parametrize(
    ("driver", "settings", "gammas"),
    [
        ("SSS*", {}, [TOP, 55, *range(54, 39, -1)]),
        ("SSS*", {"step": 4, "step_max": 16}, [TOP, 55, 50, 41, 24, 40]),
        ("SSS*", {"step": 4, "step_max": 8}, [TOP, 55, 50, 41, 32, 40]),
        ("SSS*", {"step": 4, "step_max": 16, "bisect": 1}, [TOP, 55, 50, 41, 24, 32, 36, 38, 39, 40]),
        ("DUAL*", {}, [-TOP, 15, *range(16, 42)]),
        ("DUAL*", {"step": 26, "step_max": 32}, [-TOP, 15, 41, 16, 40]),
        ("DUAL*", {"step": 26, "step_max": 32, "bisect": 1}, [-TOP, 15, 41, 28, 34, 37, 39, 40]),
        ("DUAL*", {"step": 13, "step_max": 13}, [-TOP, 15, 28, 41, 29, 40]),
        ("MTD(f)", {"step": 4, "step_max": 16}, [35, 39, 47, 40, 46, 41]),
    ],
)
def test_every_step_of_a_descent(driver: str, settings: dict[str, int], gammas: list[int]) -> None:
    """The value is 40, 35 was expected, and the margin is 20."""
    literal()
    for name, number in {"margin": 20, **settings}.items():
        PARAMETERS[f"driver_{name}"] = number
    iteration = drive(driver, Grudging(40), guess=35)
    assert [done.gamma for done in iteration.passes] == gammas
    assert iteration.lower == iteration.upper == 40


@pytest.mark.parametrize(
    ("value", "windows"),
    [
        (-100, [(-14, 14), (-28, 0), (-49, -14), (-80, -32), (-126, -56)]),
        (100, [(-14, 14), (-14, 28), (-14, 49), (-14, 80), (-14, 126)]),
    ],
)
def test_the_windows_of_pvs_widen(value: int, windows: list[tuple[int, int]]) -> None:
    PARAMETERS["aspiration"] = 14
    toy = Grudging(value)
    assert drive("PVS", toy).value == value
    assert toy.asked == windows


@pytest.mark.parametrize("driver", DRIVERS)
def test_the_next_pass_begins_with_the_move_that_failed_high(driver: str) -> None:
    for exact in (False, True):  # where the order is frozen, it stays
        toy = Toy(77)
        toy.best, toy.root_first, toy.exact = 3, 1, exact
        raised = [done for done in drive(driver, toy).passes if done.value > done.alpha]
        assert raised and toy.led == [(3, 1)] * len(raised) * (not exact)


@pytest.mark.parametrize("driver", DRIVERS)
def test_alpha_beta_alone_does_without_scouts(driver: str) -> None:
    toy = Toy(77)
    drive(driver, toy)
    assert toy.scouting == (driver != "AlphaBeta")


def test_a_calm_value_is_asked_about_from_closer() -> None:
    def distances(swing: float) -> tuple[int, int]:
        """From the last value to the second gamma, and from the bound found there to the third."""
        iteration = Iteration(Grudging(40), 6, 40, swing=swing)  # type: ignore[arg-type]
        DRIVERS["SSS*"](iteration)
        second, third = iteration.passes[1:3]
        return second.gamma - 40, second.value - third.gamma

    margin, step, least = (PARAMETERS[f"driver_{name}"] for name in ("margin", "step", "least"))
    assert distances(1000) == (margin, step) and distances(0) == (least, least)
    assert distances(10) == (PARAMETERS["driver_margin_swing"] // 10, PARAMETERS["driver_step_swing"] // 10)
    assert drive("SSS*", Toy(70), guess=40).next_swing() == (SWING + 30) / 2


def test_bisection_needs_the_logarithm_of_the_range() -> None:
    literal()
    for value in (-5000, -3, 0, 12345):
        assert len(drive("MTD(bi)", Toy(value, slack=10**6)).passes) <= (2 * TOP + 1).bit_length()


@pytest.mark.parametrize("driver", ["SSS*", "DUAL*", "MTD(f)"])
def test_a_move_without_rival_ends_the_iteration(driver: str) -> None:
    iteration = drive(driver, Toy(200, slack=100, rivals=False), guess=190)
    assert iteration.decided
    failed_high = [done.value >= done.gamma for done in iteration.passes]
    assert failed_high == [False] * (len(failed_high) - 1) + [True]
    PARAMETERS["driver_best"] = 0
    assert not drive(driver, Toy(200, rivals=False), guess=190).decided


@pytest.mark.parametrize("driver", [*NULL_WINDOW, "PVS"])
@pytest.mark.parametrize("slack", [0, 10, 40])
def test_out_of_time_a_proved_move_is_enough(driver: str, slack: int) -> None:
    """A bracket nearly closed, or above the last value; not one that leaves open how bad things are."""
    widest, saved = max(PARAMETERS["driver_late"], PARAMETERS["driver_tolerance_max"]), 0
    for value in (-900, -40, -12, -3, 0, 7, 30, 250, MATE - 5, 5 - MATE):
        iteration = Iteration(Toy(value, slack), 6, 0, is_last=lambda _: True)  # type: ignore[arg-type]
        DRIVERS[driver](iteration)
        patient = drive(driver, Toy(value, slack))
        done = len(iteration.passes)
        assert iteration.passes == patient.passes[:done]
        assert iteration.lower <= value <= iteration.upper
        assert iteration.lower >= 0 or iteration.upper - iteration.lower <= widest
        if abs(value) > TOP:
            assert iteration.lower == iteration.upper
        saved += len(patient.passes) - done
    assert saved > 0 or not slack
    PARAMETERS["driver_late"] = 0
    iteration = Iteration(Toy(30, slack), 6, 0, is_last=lambda _: True)  # type: ignore[arg-type]
    DRIVERS[driver](iteration)
    assert iteration.passes == drive(driver, Toy(30, slack)).passes


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_stopped_pass_is_void(driver: str) -> None:
    toy = Toy(77)
    toy.stop_after = 1
    iteration = Iteration(toy, 6, 0)  # type: ignore[arg-type]
    with pytest.raises(Stopped):
        DRIVERS[driver](iteration)
    assert (iteration.lower, iteration.upper, iteration.passes) == (-INFINITE, INFINITE, [])


@pytest.mark.parametrize("value", [10, -900])
def test_a_pass_is_near_where_it_asks_near_something_known(value: int) -> None:
    """The last value, or what a pass of this iteration has proved; with a range of 0 all of them are."""
    toy = Toy(value, slack=500)
    iteration = drive("SSS*", toy, guess=12)
    known, reach = [12, -INFINITE, INFINITE], PARAMETERS["driver_learning_range"]
    for near, done in zip(toy.near, iteration.passes, strict=True):
        assert near == (min(abs(done.gamma - bound) for bound in known) <= reach)
        known[1 if done.value >= done.gamma else 2] = done.value
    assert toy.near[0] is False
    assert toy.near[-1] is True
    PARAMETERS["driver_learning_range"] = 0
    toy = Toy(value, slack=500)
    drive("SSS*", toy, guess=12)
    assert all(toy.near)


@pytest.mark.parametrize("known", ["guess", "lower", "upper"])
@pytest.mark.parametrize("side", [-1, 1])
def test_near_is_up_to_the_range_and_no_farther(known: str, side: int) -> None:
    reach = PARAMETERS["driver_learning_range"]
    iteration = Iteration(Toy(0), 6, 0)  # type: ignore[arg-type]
    iteration.guess, iteration.lower, iteration.upper = -20_000, -INFINITE, INFINITE
    setattr(iteration, known, 100)
    assert [iteration.is_learning(100 + side * (reach + more)) for more in (-1, 0, 1)] == [True, True, False]


def test_a_window_as_wide_as_the_widest_is_opened() -> None:
    """Its half grows by a half each time: 198, 297, 445, 667, 1000."""
    PARAMETERS["aspiration"] = 198
    toy = Grudging(5000)
    assert drive("PVS", toy).value == 5000
    assert toy.asked == [(-198, beta) for beta in (198, 396, 693, 1138)] + [(-INFINITE, INFINITE)]


@pytest.mark.parametrize("driver", DRIVERS)
def test_the_nodes_of_each_pass_are_told(driver: str) -> None:
    class Counting(Toy):
        def search(self, alpha: int, beta: int) -> int:
            self.nodes += 100 + len(self.asked)
            return super().search(alpha, beta)

    toy = Counting(77, slack=30)
    toy.nodes = 12_345  # of iterations before
    passes = drive(driver, toy).passes
    assert [done.nodes for done in passes] == [100 + number for number in range(len(passes))]


def test_two_contradictions_are_searched_out_and_the_third_is_not() -> None:
    """What passes return, and the bracket: the older bound is unknown again, but not for ever."""
    iteration = Iteration(Toy(0), 6, 0)  # type: ignore[arg-type]
    for gamma, value, lower, upper, crossings in (
        (30, 0, -INFINITE, 0, 0),
        (10, 20, 20, INFINITE, 1),
        (15, 5, -INFINITE, 5, 2),
        (10, 40, 40, 40, 3),
        (35, -7, -7, -7, 4),
    ):
        iteration.narrow(gamma, value, 1)
        assert (iteration.lower, iteration.upper, iteration.crossings) == (lower, upper, crossings)
    assert [done.crossed for done in iteration.passes] == [False, True, True, True, True]


@pytest.mark.parametrize("driver", NULL_WINDOW)
def test_an_unstable_search_is_settled(driver: str) -> None:
    class Moody(Toy):
        def search(self, alpha: int, beta: int) -> int:
            self.value = self.rng.choice((-40, 0, 35, 90))
            assert len(self.asked) < 1000
            return super().search(alpha, beta)

    for seed in range(50):
        toy = Moody(seed, slack=20)
        iteration = drive(driver, toy)
        assert -60 <= iteration.value <= 110
