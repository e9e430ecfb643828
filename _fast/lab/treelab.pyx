"""Tree search at scale: the laboratory's algorithms on large uniform random trees.

The same searches as in sssnake.engine.lab, where they are readable; the tests compare the two. A node is its
ply and the number of its path, `code`; children of code c are c * width + i. The value of leaf c is a hash of
seed and c, the very one of sssnake.engine.lab.trees.trees.RandomTree, unless the tree was ordered when it was
made.
"""

cimport cython
from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc

from sssnake._fast.lab.treebench cimport (
    INF, LIVE, MAX_DEPTH, SOLVED, TOP, Bench, Slot, State, arrange, evaluate, is_max, leaf_value, look_up,
    mix, store,
)


# Depth first

cdef int32_t alpha_beta(Bench *b, int ply, uint64_t code, int32_t alpha, int32_t beta) noexcept nogil:
    cdef int32_t best, value
    cdef int i
    b.nodes += 1
    if ply == b.depth:
        return evaluate(b, code)
    best = -1 if is_max(ply) else INF
    for i in range(b.width):
        value = alpha_beta(b, ply + 1, code * b.width + i, alpha, beta)
        if is_max(ply):
            best = max(best, value)
            alpha = max(alpha, best)
        else:
            best = min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            break
    return best


cdef bint exceeds(Bench *b, int ply, uint64_t code, int32_t bound, bint strictly) noexcept nogil:
    cdef int32_t value
    cdef int i
    b.nodes += 1
    if ply == b.depth:
        value = evaluate(b, code)
        return value > bound if strictly else value >= bound
    for i in range(b.width):
        if exceeds(b, ply + 1, code * b.width + i, bound, strictly) == is_max(ply):
            return is_max(ply)
    return not is_max(ply)


cdef int32_t scout(Bench *b, int ply, uint64_t code) noexcept nogil:
    cdef int32_t best
    cdef int i
    b.nodes += 1
    if ply == b.depth:
        return evaluate(b, code)
    best = scout(b, ply + 1, code * b.width)
    for i in range(1, b.width):
        if exceeds(b, ply + 1, code * b.width + i, best, is_max(ply)) == is_max(ply):
            best = scout(b, ply + 1, code * b.width + i)
    return best


cdef int32_t negascout(
    Bench *b, int ply, uint64_t code, int32_t alpha, int32_t beta, bint memory
) noexcept nogil:
    # In values of the root's side: a MIN node raises nothing but lowers beta.
    cdef uint64_t node = b.first[ply] + code
    cdef int32_t best, value, lower, upper, low, high
    cdef int i
    b.nodes += 1
    if ply == b.depth:
        return evaluate(b, code)
    if memory:
        look_up(b, node, &lower, &upper)
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
        alpha = max(alpha, lower)
        beta = min(beta, upper)
    low, high = alpha, beta
    best = -1 if is_max(ply) else INF
    for i in range(b.width):
        value = negascout(b, ply + 1, code * b.width + i, low, high, memory)
        if is_max(ply):
            if low < value < beta and high < beta:
                value = negascout(b, ply + 1, code * b.width + i, value, beta, memory)
            best = max(best, value)
            low = max(low, best)
            if low >= beta:
                break
            high = low + 1
        else:
            if alpha < value < high and low > alpha:
                value = negascout(b, ply + 1, code * b.width + i, alpha, value, memory)
            best = min(best, value)
            high = min(high, best)
            if high <= alpha:
                break
            low = high - 1
    if memory:
        store(b, node, best if best > alpha else -1, best if best < beta else INF)
    return best


cdef int32_t test(Bench *b, int ply, uint64_t code, int32_t gamma) noexcept nogil:
    # MT: g < gamma => value <= g; g >= gamma => value >= g.
    cdef uint64_t node = b.first[ply] + code
    cdef int32_t g, lower, upper
    cdef int i
    b.nodes += 1
    if ply == b.depth:
        # An unbounded table holds leaves, too: they are not evaluated again.
        if b.slots == NULL and b.seen[code >> 3] >> (code & 7) & 1:
            return leaf_value(b, code)
        return evaluate(b, code)
    look_up(b, node, &lower, &upper)
    if lower >= gamma:
        return lower
    if upper < gamma:
        return upper
    if is_max(ply):
        g = -1
        for i in range(b.width):
            g = max(g, test(b, ply + 1, code * b.width + i, gamma))
            if g >= gamma:
                break
    else:
        g = INF
        for i in range(b.width):
            g = min(g, test(b, ply + 1, code * b.width + i, gamma))
            if g < gamma:
                break
    if g >= gamma:
        store(b, node, g, INF)
    else:
        store(b, node, -1, g)
    return g


# Best first

cdef inline bint before(const Bench *b, const State *x, const State *y) noexcept nogil:
    # Higher merit first, then the leftmost: no state of OPEN lies below another.
    if x.merit != y.merit:
        return x.merit > y.merit
    return x.code * b.span[x.ply] < y.code * b.span[y.ply]


cdef void count(Bench *b, int ply, uint64_t code, int32_t change) noexcept nogil:
    # States come to OPEN at a node, or leave it: the numbers of its ancestors and its own.
    b.states += change
    b.open_max = max(b.open_max, b.states)
    if ply < b.depth:
        b.ceiling[b.first[ply] + code] += change
    while ply > 0:
        ply -= 1
        code //= <uint64_t> b.width
        b.ceiling[b.first[ply] + code] += change


cdef void push(Bench *b, int ply, uint64_t code, bint solved, int32_t merit) noexcept nogil:
    cdef State state
    cdef State *larger
    cdef uint64_t i
    if b.length == b.room:
        b.room = 2 * b.room + 1024
        larger = <State *> realloc(b.heap, b.room * sizeof(State))
        if larger == NULL:
            b.failed = True
            return
        b.heap = larger
    count(b, ply, code, 1)
    state.merit = merit
    state.ply = ply
    state.code = code
    state.solved = solved
    i = b.length
    b.length += 1
    while i > 0 and before(b, &state, &b.heap[(i - 1) >> 1]):
        b.heap[i] = b.heap[(i - 1) >> 1]
        i = (i - 1) >> 1
    b.heap[i] = state


cdef State pop(Bench *b) noexcept nogil:
    cdef State top = b.heap[0]
    cdef State last
    cdef uint64_t i = 0
    cdef uint64_t child
    b.length -= 1
    last = b.heap[b.length]
    while True:
        child = 2 * i + 1
        if child >= b.length:
            break
        if child + 1 < b.length and before(b, &b.heap[child + 1], &b.heap[child]):
            child += 1
        if not before(b, &b.heap[child], &last):
            break
        b.heap[i] = b.heap[child]
        i = child
    b.heap[i] = last
    return top


cdef bint purged(const Bench *b, const State *state) noexcept nogil:
    # A purge removes all descendants of a node from OPEN; here they are skipped when they are popped.
    cdef uint64_t code = state.code
    cdef int ply = state.ply
    while ply > 0:
        ply -= 1
        code //= <uint64_t> b.width
        if b.floor[b.first[ply] + code]:
            return True
    return False


cdef int32_t stockman(Bench *b, bint dual) noexcept nogil:
    # SSS*; DUAL* is SSS* of the mirrored values with MIN to move at the root. `floor` marks SOLVED nodes.
    cdef State s
    cdef uint64_t parent
    cdef int32_t value
    cdef int i
    b.length = 0
    push(b, 0, 0, LIVE, INF)
    while not b.failed:
        s = pop(b)
        if purged(b, &s):
            continue
        count(b, s.ply, s.code, -1)
        parent = s.code // <uint64_t> b.width
        if not s.solved:
            b.nodes += 1
            if s.ply == b.depth:                                        # case 4
                value = evaluate(b, s.code)
                push(b, s.ply, s.code, SOLVED, min(s.merit, TOP - 1 - value if dual else value))
            elif is_max(s.ply) != dual:                                 # case 6
                for i in range(b.width):
                    push(b, s.ply + 1, s.code * b.width + i, LIVE, s.merit)
            else:                                                       # case 5
                push(b, s.ply + 1, s.code * b.width, LIVE, s.merit)
        elif s.ply == 0:
            return TOP - 1 - s.merit if dual else s.merit
        elif is_max(s.ply) == dual:                                     # case 1
            b.floor[b.first[s.ply - 1] + parent] = 1
            count(b, s.ply - 1, parent, -b.ceiling[b.first[s.ply - 1] + parent])
            push(b, s.ply - 1, parent, SOLVED, s.merit)
        elif s.code + 1 < (parent + 1) * b.width:                       # case 2
            push(b, s.ply, s.code + 1, LIVE, s.merit)
        else:                                                           # case 3
            push(b, s.ply - 1, parent, SOLVED, s.merit)
    return -1


@cython.final
cdef class TreeLab:
    """One uniform random tree, for one search: the counts and the transposition table persist between calls.

    order: the fraction of inner nodes whose children are sorted, best first. slots: of the transposition
    table (a power of two; 0: unbounded). Raises ValueError on trees that are too large, MemoryError.
    """

    cdef Bench b
    cdef uint64_t inner
    cdef bint used, spent               # by a search; by Stockman's, which leaves no table

    def __cinit__(self, int width, int depth, uint64_t seed, double order=0.0, uint64_t slots=0):
        cdef Bench *b = &self.b
        cdef uint64_t total = 1
        cdef uint64_t code
        cdef int32_t *values
        cdef int32_t *scratch
        cdef uint64_t odds
        cdef int ply
        if not (1 <= width <= 256 and 1 <= depth < MAX_DEPTH):
            raise ValueError(f"width must be 1..256 and depth 1..{MAX_DEPTH - 1}")
        if slots & (slots - 1):
            raise ValueError("the slots of a table must be a power of two")
        if not 0 <= order <= 1:
            raise ValueError("the ordered fraction lies between 0 and 1")
        b.width, b.depth, b.seed, b.mask = width, depth, mix(seed), slots - 1
        for ply in range(depth):
            b.first[ply] = self.inner
            self.inner += total
            total *= width
            if total > <uint64_t> 1 << (36 if order == 0 else 28):
                raise ValueError(f"a tree of width {width} and depth {depth} is beyond reach")
        b.span[depth] = 1
        for ply in range(depth - 1, -1, -1):
            b.span[ply] = b.span[ply + 1] * width
        # Zeroed pages cost nothing until they are touched.
        b.floor = <int32_t *> calloc(self.inner, sizeof(int32_t))
        b.ceiling = <int32_t *> calloc(self.inner, sizeof(int32_t))
        b.seen = <uint8_t *> calloc(total // 8 + 1, 1)
        b.slots = <Slot *> calloc(slots, sizeof(Slot)) if slots else NULL
        if b.floor == NULL or b.ceiling == NULL or b.seen == NULL or (slots and b.slots == NULL):
            raise MemoryError(f"a tree of width {width} and depth {depth}")
        if order > 0:
            values = <int32_t *> malloc(total * sizeof(int32_t))
            scratch = <int32_t *> malloc(total * sizeof(int32_t))
            if values == NULL or scratch == NULL:
                free(values)
                free(scratch)
                raise MemoryError(f"a tree of width {width} and depth {depth}")
            odds = <uint64_t> (order * 4294967296.0)
            with nogil:
                for code in range(total):
                    values[code] = leaf_value(b, code)
                b.values = values
                arrange(b, scratch, 0, 0, odds)
            free(scratch)

    def __dealloc__(self):
        free(self.b.values)
        free(self.b.floor)
        free(self.b.ceiling)
        free(self.b.seen)
        free(self.b.slots)
        free(self.b.heap)

    cdef int begin(self, bint alone) except -1:
        # Before a search. alone: it needs a tree that no other search has touched.
        if self.spent or alone and self.used:
            raise ValueError("this tree has been searched: Stockman's SSS* needs one of its own")
        self.used = True
        self.spent = alone
        return 0

    def alpha_beta(self) -> int:
        """Return the value by fail-soft alpha-beta."""
        cdef int32_t value
        self.begin(False)
        with nogil:
            value = alpha_beta(&self.b, 0, 0, -1, INF)
        return value

    def scout(self) -> int:
        """Return the value by Pearl's Scout."""
        cdef int32_t value
        self.begin(False)
        with nogil:
            value = scout(&self.b, 0, 0)
        return value

    def negascout(self, bint memory=False) -> int:
        """Return the value by NegaScout, with or without the transposition table."""
        cdef int32_t value
        self.begin(False)
        with nogil:
            value = negascout(&self.b, 0, 0, -1, INF, memory)
        return value

    def stockman(self, bint dual=False) -> int:
        """Return the value by Stockman's SSS*, or by DUAL*. ValueError if the tree has been searched."""
        cdef int32_t value
        self.begin(True)
        with nogil:
            value = stockman(&self.b, dual)
        if self.b.failed:
            raise MemoryError("no room for OPEN")
        return value

    def test(self, gamma) -> int:
        """Return MT's result at the root: g < gamma means value <= g, g >= gamma means value >= g."""
        cdef int32_t g
        cdef int32_t bound = max(0, min(gamma, INF))
        self.begin(False)
        with nogil:
            g = test(&self.b, 0, 0, bound)
        return g

    @property
    def leaves(self) -> int:
        """Distinct leaves evaluated."""
        return self.b.leaves

    @property
    def evaluations(self) -> int:
        """Static evaluations, repeats included."""
        return self.b.evaluations

    @property
    def nodes(self) -> int:
        """Visits of nodes, repeats included."""
        return self.b.nodes

    @property
    def entries(self) -> int:
        """Inner nodes in the unbounded transposition table."""
        return self.b.entries

    @property
    def open_max(self) -> int:
        """The greatest length of OPEN, of Stockman's searches."""
        return self.b.open_max
