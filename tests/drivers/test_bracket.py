"""The drivers on toy search functions whose value is known: every bracket closes where it should."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

import pytest
from support.parameters import PARAMETERS

from sssnake._fast.board.board import Board
from sssnake._fast.drivers.bracket import NAMES, SWING, TOP, Bracket
from sssnake._fast.search.tt import TranspositionTable
from sssnake._fast.search.worker import StopFlag, Worker
from sssnake._fast.values import INFINITE, MATE
from sssnake.engine.player.drivers import PATIENCE, Pass, Stopped, close
from sssnake.engine.player.options import DRIVERS

VALUES = (0, 17, -33, 250, -900, TOP, -TOP, MATE - 5, 5 - MATE)
NULL_WINDOW = ("SSS*", "DUAL*", "MTD(f)", "MTD(bi)")


class Toy:
    """Stands for the core: the root is worth `value`, bounds are loose by up to `slack`."""

    def __init__(self, value: int, slack: int = 0, rivals: bool = True) -> None:
        self.value = value
        self.slack = slack
        self.rivals = rivals
        self.asked: list[tuple[int, int]] = []
        self.rng = random.Random(value)

    def search(self, alpha: int, beta: int) -> int:
        """Fail-soft: a bound on the far side of the window, else the value."""
        self.asked.append((alpha, beta))
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


class Done(NamedTuple):
    """What a pass asked, what it returned, whether it contradicted another and was to learn."""

    alpha: int
    gamma: int
    value: int
    crossed: bool
    learning: bool


@dataclass
class Iteration:
    """One iteration on a toy: its bracket in the end, and its passes."""

    bracket: Bracket
    passes: list[Done] = field(default_factory=list)

    @property
    def lower(self) -> int:
        return self.bracket.lower

    @property
    def upper(self) -> int:
        return self.bracket.upper

    def run(self, toy: Toy, out_of_time: bool = False) -> "Iteration":
        """As engine/player/drivers.py makes the passes, but on a toy."""
        bracket = self.bracket
        while bracket.next_window() and not (out_of_time and bracket.suffices):
            alpha, gamma, learning = bracket.alpha, bracket.gamma, bracket.learning
            value = toy.search(alpha, gamma)
            bracket.take(value, value > alpha and not toy.rivals)
            self.passes.append(Done(alpha, gamma, value, bracket.crossed, learning))
            assert (bracket.value, bracket.passes) == (value, len(self.passes))
        assert bracket.closed or out_of_time
        return self


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


def drive(driver: str, toy: Toy, guess: int = 0, swing: float = SWING, late: bool = False) -> Iteration:
    """One iteration of depth 6 on the toy. late: its time is up."""
    return Iteration(Bracket(driver, PARAMETERS, 6, guess, swing)).run(toy, late)


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("slack", [0, 40])
def test_literal_brackets_close_on_the_value(driver: str, value: int, slack: int) -> None:
    literal()
    for guess in (0, value, value + 60):
        iteration = drive(driver, Toy(value, slack), guess)
        assert iteration.lower == iteration.upper == value


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
    iteration = drive("SSS*-literal", toy, value + 60, late=True)
    passes = iteration.passes
    if value >= TOP:  # a forced win, or as good as one: the descent begins anew above all of them
        assert (passes[0].gamma, passes[0].value >= TOP) == (TOP, True)
        passes = passes[1:]
    assert [done.gamma for done in passes] == [
        INFINITE if value >= TOP else TOP,
        *[done.value for done in passes[:-1]],
    ]
    assert [done.value >= done.gamma for done in passes] == [False] * (len(passes) - 1) + [True]
    assert iteration.lower == iteration.upper == value and iteration.bracket.counts.crossings == 0


def test_an_unstable_descent_counts_its_crossing() -> None:
    toy = Toy(0)
    answers = iter([300, 40, 55])  # 40 was an upper bound
    toy.search = lambda alpha, beta: next(answers)  # type: ignore[method-assign]
    iteration = drive("SSS*-literal", toy)
    assert [done.crossed for done in iteration.passes] == [False, False, True]
    assert (iteration.lower, iteration.bracket.counts.crossings) == (55, 1)


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
    assert drive("AlphaBeta", Toy(10), guess=12).passes == [Done(-INFINITE, INFINITE, 10, False, True)]


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
    assert drive("PVS", toy).lower == value
    assert toy.asked == windows


def test_a_calm_value_is_asked_about_from_closer() -> None:
    def distances(swing: float) -> tuple[int, int]:
        """From the last value to the second gamma, and from the bound found there to the third."""
        second, third = drive("SSS*", Grudging(40), 40, swing).passes[1:3]
        return second.gamma - 40, second.value - third.gamma

    margin, step, least = (PARAMETERS[f"driver_{name}"] for name in ("margin", "step", "least"))
    assert distances(1000) == (margin, step) and distances(0) == (least, least)
    assert distances(10) == (PARAMETERS["driver_margin_swing"] // 10, PARAMETERS["driver_step_swing"] // 10)
    assert drive("SSS*", Toy(70), guess=40).bracket.next_swing == (SWING + 30) / 2


def test_bisection_needs_the_logarithm_of_the_range() -> None:
    literal()
    for value in (-5000, -3, 0, 12345):
        assert len(drive("MTD(bi)", Toy(value, slack=10**6)).passes) <= (2 * TOP + 1).bit_length()


@pytest.mark.parametrize("driver", ["SSS*", "DUAL*", "MTD(f)"])
def test_a_move_without_rival_ends_the_iteration(driver: str) -> None:
    iteration = drive(driver, Toy(200, slack=100, rivals=False), guess=190)
    assert iteration.bracket.unrivalled
    failed_high = [done.value >= done.gamma for done in iteration.passes]
    assert failed_high == [False] * (len(failed_high) - 1) + [True]
    PARAMETERS["driver_best"] = 0
    assert not drive(driver, Toy(200, rivals=False), guess=190).bracket.unrivalled


@pytest.mark.parametrize("driver", [*NULL_WINDOW, "PVS"])
@pytest.mark.parametrize("slack", [0, 10, 40])
def test_out_of_time_a_proved_move_is_enough(driver: str, slack: int) -> None:
    """A bracket nearly closed, or above the last value; not one that leaves open how bad things are."""
    widest, saved = max(PARAMETERS["driver_late"], PARAMETERS["driver_tolerance_max"]), 0
    for value in (-900, -40, -12, -3, 0, 7, 30, 250, MATE - 5, 5 - MATE):
        iteration = drive(driver, Toy(value, slack), late=True)
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
    iteration = drive(driver, Toy(30, slack), late=True)
    assert iteration.passes == drive(driver, Toy(30, slack)).passes


def test_a_bound_of_pvs_that_the_next_pass_contradicts_is_not_enough() -> None:
    bracket = Bracket("PVS", PARAMETERS, 6)
    bracket.next_window()
    bracket.take(bracket.gamma + 20)
    assert bracket.suffices
    bracket.next_window()
    bracket.take(bracket.alpha - 5)
    assert not bracket.suffices and bracket.crossed


@pytest.mark.parametrize("value", [10, -900])
def test_a_pass_is_near_where_it_asks_near_something_known(value: int) -> None:
    """The last value, or what a pass of this iteration has proved; with a range of 0 all of them are."""
    iteration = drive("SSS*", Toy(value, slack=500), guess=12)
    known, reach = [12, -INFINITE, INFINITE], PARAMETERS["driver_learning_range"]
    for done in iteration.passes:
        assert done.learning == (min(abs(done.gamma - bound) for bound in known) <= reach)
        known[1 if done.value >= done.gamma else 2] = done.value
    assert not iteration.passes[0].learning and iteration.passes[-1].learning
    PARAMETERS["driver_learning_range"] = 0
    assert all(done.learning for done in drive("SSS*", Toy(value, slack=500), guess=12).passes)


@pytest.mark.parametrize("more", [-1, 0, 1])
@pytest.mark.parametrize(
    ("driver", "margin", "proved", "gamma", "distance"),
    [
        ("SSS*", 40, 5000, 140, 40),  # from the last value, 100
        ("DUAL*", 40, -5000, 60, 40),
        ("SSS*", 0, 5000, 4988, 12),  # from the upper bound that the first pass has proved
        ("DUAL*", 0, -5000, -4988, 12),  # from the lower bound
    ],
)
def test_near_is_up_to_the_range_and_no_farther(
    driver: str, margin: int, proved: int, gamma: int, distance: int, more: int
) -> None:
    values = {"margin": margin, "margin_swing": 1000, "step": 12, "step_swing": 1000, "least": 0, "bisect": 0}
    for name, number in values.items():
        PARAMETERS[f"driver_{name}"] = number
    PARAMETERS["driver_learning_range"] = distance + more
    bracket = Bracket(driver, PARAMETERS, 6, 100, SWING)
    bracket.next_window()
    bracket.take(proved)
    bracket.next_window()
    assert bracket.gamma == gamma
    assert bracket.learning == (more >= 0)


def test_a_window_as_wide_as_the_widest_is_opened() -> None:
    """Its half grows by a half each time: 198, 297, 445, 667, 1000."""
    PARAMETERS["aspiration"] = 198
    toy = Grudging(5000)
    assert drive("PVS", toy).lower == 5000
    assert toy.asked == [(-198, beta) for beta in (198, 396, 693, 1138)] + [(-INFINITE, INFINITE)]


def test_two_contradictions_are_searched_out_and_the_third_is_not() -> None:
    """What passes return, and the bracket: the older bound is unknown again, but not for ever."""
    PARAMETERS["driver_tolerance_max"] = PARAMETERS["driver_best"] = 0
    bracket = Bracket("MTD(bi)", PARAMETERS, 6)
    for value, lower, upper, crossings in (
        (-100, -INFINITE, -100, 0),
        (20, 20, INFINITE, 1),
        (5, -INFINITE, 5, 2),
        (40, 40, 40, 3),
        (-20_000, -20_000, -20_000, 4),
    ):
        assert bracket.next_window() == (bracket.passes < 4)
        bracket.take(value)
        assert (bracket.lower, bracket.upper, bracket.counts.crossings) == (lower, upper, crossings)
        assert bracket.crossed == (crossings > 0)


def test_a_window_above_an_upper_bound_contradicts_it() -> None:
    """PVS fails low, then high: the bound before is unknown again, in either direction."""
    bracket = Bracket("PVS", PARAMETERS, 6)
    for value, lower, upper, crossed in ((-300, -INFINITE, -300, False), (900, 900, INFINITE, True)):
        assert bracket.next_window()
        bracket.take(value)
        assert (bracket.lower, bracket.upper, bracket.crossed) == (lower, upper, crossed)
    assert bracket.next_window()
    bracket.take(-900)
    assert (bracket.lower, bracket.upper, bracket.crossed) == (-INFINITE, -900, True)


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
        assert -60 <= iteration.lower <= 110


# The passes of a real search


POSITION = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR b KQkq - 3 3"


def real(exact: bool = False, stop_flag: StopFlag | None = None) -> Worker:
    worker = Worker(TranspositionTable(1), stop_flag or StopFlag())
    worker.set_position(Board(POSITION))
    if exact:
        worker.set_exact(True)
    return worker


def deepened(driver: str, worker: Worker, depth: int, after: Callable[[Bracket, int], None]) -> Bracket:
    """Iterations up to `depth`; the last bracket."""
    guess, swing = 0, float(SWING)
    for now in range(1, depth + 1):
        worker.new_iteration(now)
        bracket = Bracket(driver, PARAMETERS, now, guess, swing)
        close(bracket, worker, after)
        guess, swing = bracket.lower, bracket.next_swing
    return bracket


@pytest.mark.parametrize("driver", DRIVERS)
def test_every_pass_is_told_with_its_nodes(driver: str) -> None:
    worker, told = real(), list[Pass]()
    deepened(driver, worker, 5, lambda bracket, nodes: told.append(Pass.last_of(bracket, nodes)))
    assert sum(done.nodes for done in told) == worker.nodes
    firsts = [done for done in told if done.number == 1]
    assert [done.depth for done in firsts] == [1, 2, 3, 4, 5]
    for done, after in pairwise(told):
        assert after.number == (done.number + 1 if after.depth == done.depth else 1)
    for done in told:
        bound = {"lower": done.lower, "upper": done.upper, "exact": done.lower}
        assert done.kind == "not searched" or bound[done.kind] == done.value


@pytest.mark.parametrize("driver", DRIVERS)
@pytest.mark.parametrize("exact", [False, True])
def test_the_next_pass_begins_with_the_move_that_failed_high(driver: str, exact: bool) -> None:
    """Where the order is frozen, it stays."""
    worker = real(exact=exact)
    order = [worker.root(index).move for index in range(worker.root_count)]
    led = []

    def passed(bracket: Bracket, nodes: int) -> None:
        if bracket.value > bracket.alpha:
            led.append(worker.root(0).move == worker.root(worker.best_root()).move)
            assert not exact or [worker.root(index).move for index in range(worker.root_count)] == order

    deepened(driver, worker, 3, passed)
    assert led and (exact or all(led))


def test_passes_far_from_the_value_leave_the_histories_alone() -> None:
    nodes = []
    for reach in (PARAMETERS["driver_learning_range"], 0):  # 0: all passes learn
        PARAMETERS["driver_learning_range"] = reach
        worker = real()
        deepened("SSS*-literal", worker, 6, lambda bracket, nodes: None)
        nodes.append(worker.nodes)
    assert nodes[0] != nodes[1]


def test_alpha_beta_alone_does_without_scouts() -> None:
    """So it needs more nodes than PVS, whose windows of the first iterations are full as well."""
    nodes = {}
    for driver in ("AlphaBeta", "PVS"):
        worker = real()
        deepened(driver, worker, 3, lambda bracket, nodes: None)
        nodes[driver] = worker.nodes
    assert nodes["AlphaBeta"] > 1.2 * nodes["PVS"]


@pytest.mark.parametrize("driver", DRIVERS)
def test_a_stopped_pass_is_void(driver: str) -> None:
    flag, told = StopFlag(), list[int]()
    worker = real(stop_flag=flag)
    flag.set()
    worker.obey_limits()
    worker.new_iteration(4)
    bracket = Bracket(driver, PARAMETERS, 4)
    with pytest.raises(Stopped):
        close(bracket, worker, lambda bracket, nodes: told.append(nodes))
    assert (bracket.lower, bracket.upper, bracket.passes, told) == (-INFINITE, INFINITE, 0, [])


def test_the_driver_and_its_depth_must_be_known() -> None:
    assert NAMES == DRIVERS and set(PATIENCE) == set(DRIVERS) - {"AlphaBeta"}
    for driver, depth in (("SSS", 6), ("", 6), ("SSS*", -1), ("SSS*", 200)):
        with pytest.raises(ValueError, match=r"no driver|depth"):
            Bracket(driver, PARAMETERS, depth)
