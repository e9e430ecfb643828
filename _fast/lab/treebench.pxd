# Large uniform trees: leaf values, transposition table and counts of a search. Nodes are not stored.

from libc.stdint cimport int32_t, uint8_t, uint64_t

cdef enum:
    MAX_DEPTH = 40
    TOP = 1 << 30           # leaf values v satisfy 0 <= v < TOP
    INF = TOP + 1

cdef enum:               # of a state
    LIVE
    SOLVED

cdef struct Slot:           # an entry of the bounded transposition table
    uint64_t node           # node + 1, 0: empty
    int32_t floor           # as in Bench
    int32_t ceiling

cdef struct State:          # of Stockman's OPEN list
    int32_t merit
    int32_t ply
    uint64_t code
    bint solved

cdef struct Bench:
    int width
    int depth
    uint64_t seed                       # already mixed
    uint64_t first[MAX_DEPTH + 1]       # number of the first node of each ply; the leaves are numbered from 0
    uint64_t span[MAX_DEPTH + 1]        # leaves below a node of each ply
    int32_t *values                     # of the leaves; NULL: hash values of seed and number
    int32_t *floor                      # of inner nodes: lower bound + 1, 0 unknown
    # of inner nodes: INF - upper bound, 0 unknown; for Stockman: the states on OPEN at the node and below
    int32_t *ceiling
    uint8_t *seen                       # one bit a leaf: evaluated before
    Slot *slots                         # the bounded transposition table, NULL: unbounded
    uint64_t mask
    State *heap
    uint64_t length
    uint64_t room
    uint64_t leaves                     # distinct leaves evaluated
    uint64_t evaluations
    uint64_t nodes
    uint64_t entries                    # inner nodes stored in the unbounded table
    uint64_t states                     # on OPEN
    uint64_t open_max                   # the most that there were
    bint failed                         # out of memory

cdef int32_t arrange(Bench *b, int32_t *scratch, int ply, uint64_t code, uint64_t odds) noexcept nogil


cdef inline uint64_t mix(uint64_t x) noexcept nogil:
    # The finaliser of SplitMix64 (Steele, Lea & Flood 2014).
    x += <uint64_t> 0x9E3779B97F4A7C15
    x = (x ^ (x >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t> 0x94D049BB133111EB
    return x ^ (x >> 31)


cdef inline bint is_max(int ply) noexcept nogil:
    return ply & 1 == 0


cdef inline int32_t leaf_value(const Bench *b, uint64_t code) noexcept nogil:
    if b.values != NULL:
        return b.values[code]
    return <int32_t> (mix(mix(b.seed ^ <uint64_t> b.depth) ^ code) >> 34)


cdef inline int32_t evaluate(Bench *b, uint64_t code) noexcept nogil:
    cdef uint8_t bit = 1 << (code & 7)
    b.evaluations += 1
    if not b.seen[code >> 3] & bit:
        b.seen[code >> 3] |= bit
        b.leaves += 1
    return leaf_value(b, code)


# The transposition table: unbounded (an entry for every inner node), or with 2**k slots

cdef inline Slot *slot_of(const Bench *b, uint64_t node) noexcept nogil:
    return &b.slots[mix(node) & b.mask]


cdef inline void look_up(const Bench *b, uint64_t node, int32_t *lower, int32_t *upper) noexcept nogil:
    cdef const Slot *slot
    lower[0] = -1
    upper[0] = INF
    if b.slots == NULL:
        lower[0] = b.floor[node] - 1
        upper[0] = INF - b.ceiling[node]
        return
    slot = slot_of(b, node)
    if slot.node == node + 1:
        lower[0] = slot.floor - 1
        upper[0] = INF - slot.ceiling


cdef inline void store(Bench *b, uint64_t node, int32_t lower, int32_t upper) noexcept nogil:
    # Narrows the bounds of an entry; a bounded table always replaces.
    cdef int32_t *floor
    cdef int32_t *ceiling
    cdef Slot *slot
    if b.slots == NULL:
        floor = &b.floor[node]
        ceiling = &b.ceiling[node]
        b.entries += floor[0] == 0 and ceiling[0] == 0
    else:
        slot = slot_of(b, node)
        if slot.node != node + 1:
            slot.node = node + 1
            slot.floor = slot.ceiling = 0
        floor = &slot.floor
        ceiling = &slot.ceiling
    floor[0] = max(floor[0], lower + 1)
    ceiling[0] = max(ceiling[0], INF - upper)
