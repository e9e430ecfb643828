"""Drivers: how one iteration brings lower and upper bound of the root together, pass by pass.

MTD(first, next) (Plaat, Schaeffer, Pijls, de Bruin 1996) calls MT, the null-window test with memory, until
the bracket closes. SSS* is the instance that starts at +infinity and descends. PVS and alpha-beta open the
window instead. All share one core, so comparisons are fair.

A driver is a function of the bracket: it writes the window (alpha, gamma) of the next pass, or returns False
where no pass is needed. A pass returns g: g < gamma means value <= g, g >= gamma means value >= g.
"""

from typing import NamedTuple

from libc.math cimport lrint
from sssnake._fast.contracts cimport check_bounds
from sssnake._fast.search.root cimport search_root
from sssnake._fast.search.worker cimport Worker, begin_iteration, best_root, move_root, unrivalled
from sssnake._fast.types cimport INFINITE, MAX_PLY, NO_VALUE, TB_RANGE

cdef enum:
    TOP_VALUE = TB_RANGE - 1            # of the values that are no forced win: where SSS* starts
    CROSSINGS = 2                       # contradictions between passes that are searched out
    ASPIRATION_DEPTH = 4                # plies; PVS trusts the last value from here on
    WIDEST = 1000                       # centipawns; a wider aspiration window is opened fully


NAMES = ("SSS*", "SSS*-literal", "DUAL*", "MTD(f)", "MTD(bi)", "PVS", "AlphaBeta")
TOP = TOP_VALUE
SWING = START_SWING


class PassCounts(NamedTuple):
    """What bracket.pxd counts, for Python."""

    passes: int = 0
    failed_high: int = 0
    crossings: int = 0
    first_searched: int = 0
    first_nodes: int = 0


# What passes have proved


cdef void add_counts(Counts *counts, const BracketState *b) noexcept nogil:
    counts.passes += b.passes
    counts.failed_high += b.high
    counts.crossings += b.crossings
    counts.first_searched += b.first_nodes > 0
    counts.first_nodes += b.first_nodes


cdef object counts_of(const Counts *counts):
    return PassCounts(counts.passes, counts.failed_high, counts.crossings, counts.first_searched,
                      counts.first_nodes)


cdef void open_bracket(BracketState *b, int depth) noexcept nogil:
    # Nothing is proved of this iteration.
    b.depth = depth
    b.lower = -INFINITE
    b.upper = INFINITE
    b.alpha = b.gamma = b.value = 0
    b.passes = b.high = b.crossings = 0
    b.first_nodes = 0
    b.failed_high = b.crossed = b.unrivalled = False


cdef Value contradicted(BracketState *b, Value unknown, Value newer) noexcept nogil:
    # Search instability: the newer bound counts. The older one is unknown again, but not for ever.
    b.crossings += 1
    b.crossed = True
    return unknown if b.crossings <= CROSSINGS else newer


cdef void take(BracketState *b, Value value) noexcept nogil:
    # Takes over the bound that a pass through the window has proved.
    b.value = value
    b.failed_high = value >= b.gamma
    b.passes += 1
    b.high += b.failed_high
    b.crossed = False
    if b.gamma > b.alpha + 1:           # an open window: of PVS, which goes by its last pass alone
        if not b.failed_high:
            b.upper = value
        if value > b.alpha:
            b.lower = value
    elif b.failed_high:
        b.lower = max(b.lower, value)
    else:
        b.upper = min(b.upper, value)
    if b.lower > b.upper and b.failed_high:
        b.upper = contradicted(b, INFINITE, b.lower)
    elif b.lower > b.upper:
        b.lower = contradicted(b, -INFINITE, b.upper)
    check_bounds(b.lower, b.upper)


cdef int tolerance(const BracketState *b) noexcept nogil:
    # How wide a closed bracket may be, centipawns: wider where the value has moved far and is not settled.
    cdef int width = b.params.driver_tolerance
    if b.lower > TOP_VALUE or b.upper < -TOP_VALUE:
        return 0
    if b.params.driver_tolerance_share:
        width += abs(b.lower - b.guess) // b.params.driver_tolerance_share
    return min(width, b.params.driver_tolerance_max)


cdef bint is_narrow(const BracketState *b) noexcept nogil:
    # Whether the value is known: a mate exactly, else within the tolerance.
    return b.lower > -INFINITE and b.upper - b.lower <= tolerance(b)


cdef bint suffices(const BracketState *b) noexcept nogil:
    # Whether the search may end here if its time is up: what is proved lies above the last value, or not far
    # below the rest. A move counts then, and not what it is worth to the last centipawn. Mates are searched
    # out.
    cdef int late = b.params.driver_late
    if not late or abs(b.lower) > TOP_VALUE or b.lower < b.guess and b.upper - b.lower > late:
        return False
    if b.driver == PVS:
        return b.failed_high
    return b.driver != SSS_LITERAL and b.driver != ALPHA_BETA


cdef bint is_learning(const BracketState *b) noexcept nogil:
    # Whether the next pass updates the histories: an open window, or one near the last value or a bound.
    cdef int reach = b.params.driver_learning_range
    cdef Value gamma = b.gamma
    return (reach == 0 or gamma > b.alpha + 1 or -reach <= gamma - b.guess <= reach
            or -reach <= gamma - b.upper <= reach or -reach <= gamma - b.lower <= reach)


# Windows


cdef bint ask(BracketState *b, Value alpha, Value gamma) noexcept nogil:
    b.alpha = alpha
    b.gamma = gamma
    return True


cdef bint ask_at(BracketState *b, Value gamma) noexcept nogil:
    return ask(b, gamma - 1, gamma)


cdef Value middle(Value lower, Value upper) noexcept nogil:
    # Rounded down, for negative sums too.
    return (lower + upper) >> 1


cdef Value stride(const BracketState *b, int most, int share) noexcept nogil:
    # A distance of gammas, centipawns: `share` per cent of the swing, at least driver_least, at most `most`.
    return min(max(<int> lrint(share * b.swing / 100), b.params.driver_least), most)


cdef Value step_on(BracketState *b) noexcept nogil:
    # A step from the bound proved last, not past the middle once both are known; the next is twice as large.
    # A step of 0 is the literal algorithm: from above the upper bound itself, from below lower + 1.
    cdef bint both = b.params.driver_bisect and b.lower > -INFINITE and b.upper < INFINITE
    cdef Value half = middle(b.lower, b.upper + 1)
    cdef Value step = b.step
    b.step = min(2 * step, b.params.driver_step_max)
    if not b.failed_high:
        return max(b.upper - step, half if both else b.lower + 1)
    return min(b.lower + max(step, 1), half if both else b.upper)


# Drivers


cdef bint descend(BracketState *b, Value first, Value second) noexcept nogil:
    # Null windows, from `first` on until the bracket closes. second: an informed gamma for the next pass.
    if b.passes == 0:
        b.step = stride(b, b.params.driver_step, b.params.driver_step_swing)
        b.second = second
        return ask_at(b, first)
    if b.unrivalled or is_narrow(b):
        return False
    if b.lower > TOP_VALUE:
        return ask_at(b, b.lower + 1)   # a mate was found: is there a shorter one?
    if b.upper < -TOP_VALUE:
        return ask_at(b, b.upper)       # being mated: descend literally
    if b.second != NO_VALUE and b.lower < b.second <= b.upper:
        second = b.second
        b.second = NO_VALUE
        return ask_at(b, second)
    return ask_at(b, step_on(b))


cdef Value margin(const BracketState *b) noexcept nogil:
    # Between the last value and the informed gamma; 0: there is none.
    return stride(b, b.params.driver_margin, b.params.driver_margin_swing)


cdef bint sss(BracketState *b) noexcept nogil:
    # SSS* = MTD(+inf): from the top down; an informed step may follow the first, cheap pass.
    return descend(b, TOP_VALUE, b.guess + margin(b) if margin(b) else NO_VALUE)


cdef bint dual(BracketState *b) noexcept nogil:
    # DUAL* = MTD(-inf): from the bottom up.
    return descend(b, -TOP_VALUE, b.guess - margin(b) if margin(b) else NO_VALUE)


cdef bint mtd_f(BracketState *b) noexcept nogil:
    # MTD(f): from the last value.
    return descend(b, b.guess, NO_VALUE)


cdef bint sss_literal(BracketState *b) noexcept nogil:
    # SSS* to the letter: every gamma is the value returned last, until a pass fails high. A forced win fails
    # high at the top of the other values; the descent then begins above all wins.
    if b.passes == 0:
        return ask_at(b, TOP_VALUE)
    if b.passes == 1 and b.failed_high:
        return ask_at(b, INFINITE)
    return not b.failed_high and ask_at(b, b.value)


cdef bint mtd_bi(BracketState *b) noexcept nogil:
    # MTD(bi) = C*: bisection of the whole range (Coplan 1982).
    if is_narrow(b):
        return False
    if b.lower >= TOP_VALUE:
        return ask_at(b, b.lower + 1)
    if b.upper <= -TOP_VALUE:
        return ask_at(b, b.upper)
    return ask_at(b, middle(max(b.lower, -TOP_VALUE), min(b.upper, TOP_VALUE + 1) + 1))


cdef bint pvs(BracketState *b) noexcept nogil:
    # Principal variation search, in a window around the last value at first (Marsland, Campbell 1982).
    cdef Value alpha = -INFINITE, beta = INFINITE
    if b.passes == 0:
        b.delta = b.params.aspiration
        if abs(b.guess) < TOP_VALUE and b.depth >= ASPIRATION_DEPTH:
            alpha = b.guess - b.delta
            beta = b.guess + b.delta
        return ask(b, alpha, beta)
    if b.value <= b.alpha and b.alpha > -INFINITE:
        beta = middle(b.alpha, b.gamma)
        alpha = max(b.value - b.delta, -INFINITE)
    elif b.failed_high:
        alpha = b.alpha
        beta = min(b.value + b.delta, INFINITE)
    else:
        return False
    b.delta += b.delta // 2
    if b.delta >= WIDEST:
        return ask(b, -INFINITE, INFINITE)
    return ask(b, alpha, beta)


cdef bint next_window(BracketState *b) noexcept nogil:
    # Writes the window of the next pass. False: the iteration is done.
    if b.driver == SSS:
        return sss(b)
    if b.driver == SSS_LITERAL:
        return sss_literal(b)
    if b.driver == DUAL:
        return dual(b)
    if b.driver == MTD_F:
        return mtd_f(b)
    if b.driver == MTD_BI:
        return mtd_bi(b)
    if b.driver == PVS:
        return pvs(b)
    return b.passes == 0 and ask(b, -INFINITE, INFINITE)    # plain alpha-beta: one pass


# Passes


cdef bint search_window(WorkerState *w, BracketState *b) noexcept nogil:
    cdef Value value
    cdef uint64_t before = w.nodes
    w.learning = is_learning(b)
    w.scout = b.driver != ALPHA_BETA
    value = search_root(w, b.alpha, b.gamma, b.depth)
    if w.stopped:
        return False
    take(b, value)
    if b.passes == 1:
        b.first_nodes = w.nodes - before
    b.unrivalled = False
    if value > b.alpha:
        if not w.exact:                 # the next pass begins with the move that failed high last
            move_root(w, best_root(w), w.root_first)
        b.unrivalled = b.params.driver_best and unrivalled(w)
    return True


cdef bint search_all(WorkerState *w, BracketState *b) noexcept nogil:
    while next_window(b):
        if not search_window(w, b):
            return False
    return True


cdef double moved_swing(const BracketState *b) noexcept nogil:
    # For the iteration after this one: half of it is how far the value moved now.
    return (b.swing + abs(b.lower - b.guess)) / 2


cdef bint iterate(WorkerState *w, BracketState *b, int depth) noexcept nogil:
    begin_iteration(w, depth)
    open_bracket(b, depth)
    if not search_all(w, b):
        return False
    b.swing = moved_swing(b)
    b.guess = b.lower
    return True


cdef class Bracket:
    """The bracket of one iteration: the bounds of the root's value that its passes have proved.

    `next_window`, a pass (`search`, or any other null-window test and `take`), and again, until `next_window`
    is False. All values are centipawns for the side to move.

    driver: one of NAMES. parameters: the `driver_` ones count. depth: plies. guess: the last iteration's
    value. swing: how far the value has moved from iteration to iteration of late. ValueError: no such driver
    or depth.
    """

    def __cinit__(self, str driver not None, Parameters parameters not None, int depth, int guess=0,
                  double swing=START_SWING):
        if driver not in NAMES:
            raise ValueError(f"no driver {driver!r}")
        if not 0 <= depth <= MAX_PLY:
            raise ValueError(f"depth {depth} is not within 0..{MAX_PLY}")
        self.parameters = parameters
        self.state.params = &parameters.values
        self.state.driver = NAMES.index(driver)
        self.state.guess = guess
        self.state.swing = swing
        open_bracket(&self.state, depth)

    def next_window(self):
        """Choose the window (alpha, gamma) of the next pass. False: none is needed, the bracket is closed."""
        return next_window(&self.state)

    def take(self, int value, bint alone=False):
        """Take over what a pass through the window has returned, fail-soft.

        alone: no other root move can catch up with the best one, whatever the exact value.
        """
        take(&self.state, value)
        self.state.unrivalled = alone and self.state.params.driver_best

    def search(self, Worker worker not None):
        """One pass of the worker through the window. False: it was stopped, and has proved nothing."""
        cdef bint done
        worker.begin(self.state.depth)
        with nogil:
            done = search_window(&worker.state, &self.state)
        worker.end()
        return done

    def search_all(self, Worker worker not None):
        """All passes to the end, for whoever need not know of each. False: the worker was stopped."""
        cdef bint done
        worker.begin(self.state.depth)
        with nogil:
            done = search_all(&worker.state, &self.state)
        worker.end()
        return done

    @property
    def closed(self):
        """Whether no pass is needed any more."""
        cdef BracketState copy = self.state
        return not next_window(&copy)

    @property
    def suffices(self):
        """Whether the search may end here if its time is up: a move is proved, if not its value."""
        return suffices(&self.state)

    @property
    def learning(self):
        """Whether a pass through the window updates the histories."""
        return is_learning(&self.state)

    @property
    def next_swing(self):
        """`swing` for the iteration after this one, once this one is done."""
        return moved_swing(&self.state)

    @property
    def depth(self):
        """Of the iteration, plies."""
        return self.state.depth

    @property
    def lower(self):
        """The proved lower bound: a closed bracket's value, which a move of this iteration has reached."""
        return self.state.lower

    @property
    def upper(self):
        """The proved upper bound."""
        return self.state.upper

    @property
    def alpha(self):
        """Lower end of the window."""
        return self.state.alpha

    @property
    def gamma(self):
        """Upper end of the window; alpha + 1 in a null window."""
        return self.state.gamma

    @property
    def value(self):
        """What the last pass returned."""
        return self.state.value

    @property
    def failed_high(self):
        """Whether that was at least the gamma asked, and so a lower bound."""
        return self.state.failed_high

    @property
    def passes(self):
        """Number of passes so far."""
        return self.state.passes

    @property
    def counts(self):
        """What has been counted so far."""
        cdef Counts counts = Counts(0, 0, 0, 0, 0)
        add_counts(&counts, &self.state)
        return counts_of(&counts)

    @property
    def crossed(self):
        """Whether the last pass was one of them."""
        return self.state.crossed

    @property
    def unrivalled(self):
        """Whether no other root move can catch up, whatever the exact value."""
        return self.state.unrivalled
