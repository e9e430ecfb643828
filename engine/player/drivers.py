"""Drivers: how one iteration brings lower and upper bound of the root together, pass by pass.

MTD(first, next) (Plaat, Schaeffer, Pijls, de Bruin 1996) calls MT, the null-window search with memory, until
the bracket closes. SSS* is the instance that starts at +infinity and descends. PVS and alpha-beta open the
window instead. All share one core, so comparisons are fair.

A pass at `gamma` returns g: g < gamma means value <= g, g >= gamma means value >= g.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields

from sssnake._fast.search import root
from sssnake._fast.search.params import Parameters
from sssnake._fast.search.worker import Worker
from sssnake._fast.values import INFINITE, TB_RANGE

CROSSINGS = 2  # contradictions between passes that are searched out
TOP = TB_RANGE - 1  # of the values that are no forced win: where SSS* starts
ASPIRATION_DEPTH = 4  # PVS trusts the last value from here on
WIDENING = 1.5  # factor of an aspiration window's half width when the value falls outside
WIDEST = 1000  # centipawns; an aspiration window beyond this is opened fully
SWING = 1000.0  # centipawns that the value may move from iteration to iteration, as long as nothing is known


@dataclass(frozen=True, slots=True)
class DriverParameters:
    """The drivers' parameters: those of the search that begin with `driver_`. Read once a search."""

    margin: int
    margin_swing: int
    step: int
    step_swing: int
    least: int
    step_max: int
    bisect: int
    tolerance: int
    tolerance_share: int
    tolerance_max: int
    late: int
    best: int
    learning_range: int

    @classmethod
    def of(cls, parameters: Parameters) -> "DriverParameters":
        """As they stand now among all parameters of a search."""
        return cls(*[parameters[name] for name in NAMES])


NAMES = [f"driver_{field.name}" for field in fields(DriverParameters)]


@dataclass(slots=True)
class Pass:
    """One call of the core: null window (gamma - 1, gamma), or the open window (alpha, gamma)."""

    alpha: int
    gamma: int
    value: int
    nodes: int = 0
    crossed: bool = False  # contradicts a bound of an earlier pass


class Stopped(Exception):  # noqa: N818  # not an error
    """The core gave up in the middle of a pass: the iteration is void."""


class Iteration:
    """The bracket of one depth: the bounds that the passes so far have proved.

    guess: value of the last iteration. on_pass: called after every pass. is_last: whether the search would
    end with this iteration, if it closed now; then a wider bracket may do. swing: how far the value has moved
    from iteration to iteration of late, in centipawns. parameters: None: the worker's.

    The code after a pass takes a few per cent of a game's time: its data have left the caches. It avoids
    `min` and `max`, which are slow before Python 3.13.
    """

    def __init__(
        self,
        worker: Worker,
        depth: int,
        guess: int,
        on_pass: Callable[["Iteration", Pass], None] | None = None,
        is_last: Callable[["Iteration"], bool] | None = None,
        swing: float = SWING,
        parameters: DriverParameters | None = None,
    ):
        self.worker = worker
        self.depth = depth
        self.guess = guess
        self.on_pass = on_pass
        self.is_last = is_last
        self.swing = swing
        self.lower = -INFINITE
        self.upper = INFINITE
        self.passes: list[Pass] = []
        self.crossings = 0
        self.decided = False  # no other root move can catch up, whatever the exact value
        self.parameters = parameters or DriverParameters.of(worker.parameters)

    def mt(self, gamma: int) -> int:
        """One pass; narrows the bracket. Raises Stopped."""
        worker = self.worker
        before = worker.nodes
        worker.set_learning(self.is_learning(gamma))
        value = root.mt(worker, gamma, self.depth)
        if worker.stopped:
            raise Stopped
        self.narrow(gamma, value, worker.nodes - before)
        return value

    def narrow(self, gamma: int, value: int, nodes: int) -> None:
        """Take over the bound that a pass has proved."""
        before = self.crossings
        if value < gamma:
            if value < self.upper:
                self.upper = value
            if self.lower > self.upper:
                self.lower = self._crossed(-INFINITE, self.upper)
        else:
            if value > self.lower:
                self.lower = value
            self._lead_with_best()
            if self.upper < self.lower:
                self.upper = self._crossed(INFINITE, self.lower)
        self._note(Pass(gamma - 1, gamma, value, nodes, self.crossings > before))

    def is_learning(self, gamma: int) -> bool:
        """Whether a pass, being near the last value or a bound of this iteration, updates the histories."""
        reach = self.parameters.learning_range
        return (
            not reach
            or -reach <= gamma - self.guess <= reach
            or -reach <= gamma - self.upper <= reach
            or -reach <= gamma - self.lower <= reach
        )

    def _lead_with_best(self) -> None:
        """The next pass begins with the move that failed high last, unless the order is frozen."""
        if not self.worker.exact:
            self.worker.promote(self.worker.best_root(), self.worker.root_first)

    def _crossed(self, unknown: int, newer: int) -> int:
        """Search instability: the newer bound counts, the older one is unknown again (but not for ever)."""
        self.crossings += 1
        return unknown if self.crossings <= CROSSINGS else newer

    def window(self, alpha: int, beta: int) -> int:
        """One pass with an open window; narrows the bracket. Raises Stopped."""
        before = self.worker.nodes
        self.worker.set_learning(True)
        value = root.window(self.worker, alpha, beta, self.depth)
        if self.worker.stopped:
            raise Stopped
        if value < beta:
            self.upper = value
        if value > alpha:
            self.lower = value
            self._lead_with_best()
        self._note(Pass(alpha, beta, value, self.worker.nodes - before))
        return value

    def _note(self, done: Pass) -> None:
        self.passes.append(done)
        if self.on_pass:
            self.on_pass(self, done)

    def closed(self) -> bool:
        """Whether the value is known (a mate exactly, else within the tolerance) and a move is proved."""
        if self.decided:
            return True
        return self.lower > -INFINITE and (self.upper - self.lower <= self._tolerance() or self.is_enough())

    def leader(self) -> tuple[int, float]:
        """The best root move so far, and its share of the iteration's nodes."""
        move = self.worker.root(self.worker.best_root())[0]
        return move, self.worker.effort(move)

    def is_enough(self) -> bool:
        """Whether the clock stops here: what is proved lies above the last value, or not far below the rest.

        A move counts then, and not what it is worth to the last centipawn. Mates are searched out.
        """
        late = self.parameters.late
        near = self.lower >= self.guess or self.upper - self.lower <= late
        return bool(
            late and near and abs(self.lower) <= TOP and self.is_last is not None and self.is_last(self)
        )

    def _tolerance(self) -> int:
        """How wide a closed bracket may be: wider where the value has moved far, as it is not settled yet."""
        if self.lower > TOP or self.upper < -TOP:
            return 0
        parameters = self.parameters
        width = parameters.tolerance
        if parameters.tolerance_share:
            width += abs(self.lower - self.guess) // parameters.tolerance_share
        return width if width < parameters.tolerance_max else parameters.tolerance_max

    @property
    def value(self) -> int:
        """What the closed bracket proves: the lower bound, which a move of this iteration has reached."""
        return self.lower

    def next_swing(self) -> float:
        """For the iteration after this one: half of it is how far the value moved now."""
        return (self.swing + abs(self.value - self.guess)) / 2

    def stride(self, most: int, share: int) -> int:
        """A distance between gammas: `share` % of the swing, at least `driver_least`, at most `most`."""
        distance = round(share * self.swing / 100)
        if distance < self.parameters.least:
            distance = self.parameters.least
        return distance if distance < most else most


class Steps:
    """Next gamma from a bracket: step from the bound proved last, doubled each time, never past the middle.

    A step of 0 is the literal algorithm: from above the next gamma is the upper bound itself, from below
    lower + 1.
    """

    def __init__(self, it: Iteration) -> None:
        parameters = it.parameters
        self.size = it.stride(parameters.step, parameters.step_swing)
        self.largest = parameters.step_max
        self.bisect = parameters.bisect

    def next(self, it: Iteration) -> int:
        """The next gamma of an open bracket."""
        last = it.passes[-1]
        step = self.size
        self.size = 2 * step if 2 * step < self.largest else self.largest
        both = self.bisect and it.lower > -INFINITE and it.upper < INFINITE
        middle = (it.lower + it.upper + 1) // 2
        if last.value < last.gamma:
            gamma = it.upper - step
            lowest = middle if both else it.lower + 1
            return gamma if gamma > lowest else lowest
        gamma = it.lower + (step or 1)
        highest = middle if both else it.upper
        return gamma if gamma < highest else highest


def descend(it: Iteration, first: int, second: int | None) -> None:
    """Passes from `first` until the bracket closes; `second`: an informed gamma for the pass after it."""
    best = it.parameters.best
    steps = Steps(it)
    gamma = first
    while True:
        value = it.mt(gamma)
        if best and value >= gamma:
            it.decided = it.worker.unrivalled()
        if it.closed():
            return
        if it.lower > TOP:
            gamma = it.lower + 1  # a mate was found: is there a shorter one?
        elif it.upper < -TOP:
            gamma = it.upper  # being mated: descend literally
        elif second is not None and it.lower < second <= it.upper:
            gamma, second = second, None
        else:
            gamma = steps.next(it)


def sss(it: Iteration) -> None:
    """SSS* = MTD(+inf): from the top down; an informed step may follow the first, cheap pass."""
    margin = it.stride(it.parameters.margin, it.parameters.margin_swing)
    descend(it, TOP, it.guess + margin if margin else None)


def sss_literal(it: Iteration) -> None:
    """SSS* to the letter: every gamma is the value returned last, until a pass fails high.

    A forced win fails high at the top of the other values; the descent then begins above all wins.
    """
    gamma = TOP
    value = it.mt(gamma)
    if value >= gamma:
        gamma = INFINITE
        value = it.mt(gamma)
    while value < gamma:
        gamma = value
        value = it.mt(gamma)


def dual(it: Iteration) -> None:
    """DUAL* = MTD(-inf): from the bottom up."""
    margin = it.stride(it.parameters.margin, it.parameters.margin_swing)
    descend(it, -TOP, it.guess - margin if margin else None)


def mtd_f(it: Iteration) -> None:
    """MTD(f): from the last value."""
    descend(it, it.guess, None)


def mtd_bi(it: Iteration) -> None:
    """MTD(bi) = C*: bisection of the whole range (Coplan 1982)."""
    lower, upper = -TOP, TOP + 1
    while not it.closed():
        gamma = (max(it.lower, lower) + min(it.upper, upper) + 1) // 2
        if it.lower >= TOP or it.upper <= -TOP:
            gamma = it.lower + 1 if it.lower >= TOP else it.upper
        it.mt(gamma)


def pvs(it: Iteration) -> None:
    """Principal variation search, a window around the last value at first (Marsland, Campbell 1982)."""
    delta = it.worker.parameters["aspiration"]
    alpha, beta = -INFINITE, INFINITE
    if abs(it.guess) < TOP and it.depth >= ASPIRATION_DEPTH:
        alpha, beta = it.guess - delta, it.guess + delta
    while True:
        value = it.window(alpha, beta)
        if value <= alpha > -INFINITE:
            beta = (alpha + beta) // 2
            alpha = max(value - delta, -INFINITE)
        elif value >= beta < INFINITE:
            if it.is_enough():
                return
            beta = min(value + delta, INFINITE)
        else:
            return
        delta = int(WIDENING * delta)
        if delta >= WIDEST:
            alpha, beta = -INFINITE, INFINITE


def alpha_beta(it: Iteration) -> None:
    """Plain alpha-beta: one pass with the full window for every move."""
    it.worker.set_scouting(False)
    it.window(-INFINITE, INFINITE)


DRIVERS: dict[str, Callable[[Iteration], None]] = {
    "SSS*": sss,
    "SSS*-literal": sss_literal,
    "DUAL*": dual,
    "MTD(f)": mtd_f,
    "MTD(bi)": mtd_bi,
    "PVS": pvs,
    "AlphaBeta": alpha_beta,
}

# Factor of the soft time limit, so that all take about the same time: how far the last iteration runs past
# that limit depends on the driver, and how soon it may end (`Iteration.is_enough`).
PATIENCE = {"SSS*": 1.45, "SSS*-literal": 0.9, "DUAL*": 1.5, "MTD(f)": 1.8, "MTD(bi)": 1.35, "PVS": 1.4}
