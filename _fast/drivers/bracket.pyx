"""The drivers in C, for helper threads, which never take the GIL. engine/player/drivers.py explains them."""

from libc.math cimport lrint

from sssnake._fast.contracts cimport check_bounds
from sssnake._fast.search.root cimport search_root
from sssnake._fast.types cimport INFINITE, NO_VALUE, TB_RANGE
from sssnake._fast.search.worker cimport begin_iteration, best_root, move_root, sort_roots, unrivalled

NAMES = ("SSS*", "SSS*-literal", "DUAL*", "MTD(f)", "MTD(bi)", "PVS", "AlphaBeta")

cdef enum:
    TOP = TB_RANGE - 1                  # highest static value
    CROSSINGS = 2                       # contradictions after which the older bound is searched again
    DEEPEST = 120                       # plies of the last iteration
    ASPIRATION_DEPTH = 4                # plies; PVS begins with an aspiration window from here on
    WIDEST = 1000                       # centipawns; a wider aspiration window is opened fully


cdef bint is_learning(const Bracket *b, Value gamma) noexcept nogil:
    # Whether gamma is near the last value or a bound of this iteration, so that the pass updates the
    # histories.
    cdef int reach = b.w.params.driver_learning_range
    return (reach == 0 or -reach <= gamma - b.guess <= reach or -reach <= gamma - b.upper <= reach
            or -reach <= gamma - b.lower <= reach)


cdef void best_move_first(Bracket *b) noexcept nogil:
    if not b.w.exact:
        move_root(b.w, best_root(b.w), b.w.root_first)


cdef Value crossed(Bracket *b, Value unknown, Value newer) noexcept nogil:
    # The older of two contradicting bounds: reset the first times, then set to the newer one.
    b.crossings += 1
    return unknown if b.crossings <= CROSSINGS else newer


cdef bint null_window(Bracket *b, Value gamma) noexcept nogil:
    # One pass; narrows the bracket. False: stopped.
    cdef Value value
    b.w.learning = is_learning(b, gamma)
    value = search_root(b.w, gamma - 1, gamma, b.depth)
    if b.w.stopped:
        return False
    b.gamma = gamma
    b.value = value
    if value < gamma:
        b.upper = min(b.upper, value)
        if b.lower > b.upper:
            b.lower = crossed(b, -INFINITE, b.upper)
    else:
        b.lower = max(b.lower, value)
        best_move_first(b)
        if b.upper < b.lower:
            b.upper = crossed(b, INFINITE, b.lower)
    check_bounds(b.lower, b.upper)
    return True


cdef bint open_window(Bracket *b, Value alpha, Value beta) noexcept nogil:
    # One pass with an open window. False: stopped.
    cdef Value value
    b.w.learning = True
    value = search_root(b.w, alpha, beta, b.depth)
    if b.w.stopped:
        return False
    b.value = value
    if value < beta:
        b.upper = value
    if value > alpha:
        b.lower = value
        best_move_first(b)
    return True


cdef int tolerance(const Bracket *b) noexcept nogil:
    # Width of a bracket that counts as closed, centipawns.
    cdef int width = b.w.params.driver_tolerance
    if b.lower > TOP or b.upper < -TOP:
        return 0
    if b.w.params.driver_tolerance_share:
        width += abs(b.lower - b.guess) // b.w.params.driver_tolerance_share
    return min(width, b.w.params.driver_tolerance_max)


cdef bint closed(const Bracket *b) noexcept nogil:
    return b.decided or b.lower > -INFINITE and b.upper - b.lower <= tolerance(b)


cdef Value middle(Value lower, Value upper) noexcept nogil:
    # Rounded down, for negative sums too.
    return (lower + upper) >> 1


cdef Value stride(const Bracket *b, int most, int share) noexcept nogil:
    # A distance of gammas, centipawns: `share` per cent of the swing, at least driver_least, at most `most`.
    return min(max(<int> lrint(share * b.swing / 100), b.w.params.driver_least), most)


cdef Value next_gamma(const Bracket *b, Value step) noexcept nogil:
    # A step from the bound proved last, not past the middle once both are known.
    cdef bint both = b.w.params.driver_bisect and b.lower > -INFINITE and b.upper < INFINITE
    cdef Value half = middle(b.lower, b.upper + 1)
    if b.value < b.gamma:
        return max(b.upper - step, half if both else b.lower + 1)
    return min(b.lower + max(step, 1), half if both else b.upper)


cdef bint descend(Bracket *b, Value gamma, Value second) noexcept nogil:
    # Null-window passes until the bracket closes. second: gamma of the second pass; NO_VALUE: by the first
    # step.
    cdef Value step = stride(b, b.w.params.driver_step, b.w.params.driver_step_swing)
    while null_window(b, gamma):
        if b.w.params.driver_best and b.value >= gamma:
            b.decided = unrivalled(b.w)
        if closed(b):
            return True
        if b.lower > TOP:
            gamma = b.lower + 1
        elif b.upper < -TOP:
            gamma = b.upper
        elif second != NO_VALUE and b.lower < second <= b.upper:
            gamma = second
            second = NO_VALUE
        else:
            gamma = next_gamma(b, step)
            step = min(2 * step, b.w.params.driver_step_max)
    return False


cdef bint descend_literally(Bracket *b) noexcept nogil:
    # SSS*: every gamma is the value returned last, until a pass fails high.
    if not null_window(b, TOP) or b.value >= TOP and not null_window(b, INFINITE):
        return False
    while b.value < b.gamma:
        if not null_window(b, b.value):
            return False
    return True


cdef bint bisect(Bracket *b) noexcept nogil:
    cdef Value gamma
    while not closed(b):
        gamma = middle(max(b.lower, -TOP), min(b.upper, TOP + 1) + 1)
        if b.lower >= TOP or b.upper <= -TOP:
            gamma = b.lower + 1 if b.lower >= TOP else b.upper
        if not null_window(b, gamma):
            return False
    return True


cdef bint aspire(Bracket *b) noexcept nogil:
    # Principal variation search, at first in a window around the last value.
    cdef int delta = b.w.params.aspiration
    cdef Value alpha = -INFINITE, beta = INFINITE
    if abs(b.guess) < TOP and b.depth >= ASPIRATION_DEPTH:
        alpha = b.guess - delta
        beta = b.guess + delta
    while open_window(b, alpha, beta):
        if b.value <= alpha and alpha > -INFINITE:
            beta = middle(alpha, beta)
            alpha = max(b.value - delta, -INFINITE)
        elif b.value >= beta and beta < INFINITE:
            beta = min(b.value + delta, INFINITE)
        else:
            return True
        delta += delta // 2
        if delta >= WIDEST:
            alpha = -INFINITE
            beta = INFINITE
    return False


cdef bint drive(Bracket *b, int driver) noexcept nogil:
    # One iteration; False: stopped.
    cdef Value margin = stride(b, b.w.params.driver_margin, b.w.params.driver_margin_swing)
    if driver == SSS:
        return descend(b, TOP, b.guess + margin if margin else NO_VALUE)
    if driver == SSS_LITERAL:
        return descend_literally(b)
    if driver == DUAL:
        return descend(b, -TOP, b.guess - margin if margin else NO_VALUE)
    if driver == MTD_F:
        return descend(b, b.guess, NO_VALUE)
    if driver == MTD_BI:
        return bisect(b)
    if driver == PVS:
        return aspire(b)
    b.w.scout = False
    return open_window(b, -INFINITE, INFINITE)


cdef bint iterate(Bracket *b, int driver) noexcept nogil:
    begin_iteration(b.w, b.depth)
    b.lower = -INFINITE
    b.upper = INFINITE
    b.gamma = b.value = 0
    b.crossings = 0
    b.decided = False
    if not drive(b, driver):
        return False
    b.swing = (b.swing + abs(b.lower - b.guess)) / 2
    b.guess = b.lower
    return True


cdef void deepen(WorkerState *w, int driver, int first) noexcept nogil:
    cdef Bracket b
    if w.root_count == 0:
        return
    b.w = w
    b.guess = 0
    b.swing = SWING
    for b.depth in range(first, DEEPEST):
        if not iterate(&b, driver):
            return
        sort_roots(w, 1)
