"""The transposition table: both bounds per entry, each with its depth; shared by threads without locks."""

from enum import IntEnum

from libc.stdint cimport int16_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

from sssnake._fast.pages cimport allocate, release
from sssnake._fast.types cimport INFINITE, Key, Move, NO_MOVE, NO_VALUE, TB_RANGE, Value

cdef enum:
    AGE_MASK = 31
    SAMPLED = 250                       # clusters sampled by hashfull
    USED = 1                            # lowest bit: the second word of an entry in use is never 0
    LOWER_PV = 1 << 7                   # bits of the second word
    UPPER_PV = 1 << 6
    DEPTH_OFFSET = 2                    # depths are stored unsigned
    SHALLOWER = 8                       # plies: a result shallower by more than this changes no entry
    CLUSTER_BITS = 34                   # 2^34 clusters are a terabyte
    AGED_PLY = 8                        # plies of replacement value that an entry loses with every search


class Bound(IntEnum):
    """The kinds of a stored value, for `put`: as the enum in tt.pxd."""

    NONE = 0
    LOWER = 1
    UPPER = 2
    EXACT = 3


cdef inline uint32_t fold(uint64_t data) noexcept nogil:
    return <uint32_t> (data ^ data >> 32)


cdef inline int lower_depth_of(uint64_t check) noexcept nogil:
    return <int> (check >> 24 & 255) - DEPTH_OFFSET


cdef inline int upper_depth_of(uint64_t check) noexcept nogil:
    return <int> (check >> 16 & 255) - DEPTH_OFFSET


cdef inline int age_of(uint64_t check) noexcept nogil:
    return <int> (check >> 1 & AGE_MASK)


cdef inline Value to_table(Value value, int ply) noexcept nogil:
    # Mates and tablebase wins are counted from the node while stored, from the root while searched.
    if value >= TB_RANGE:
        return value + ply
    if value <= -TB_RANGE:
        return value - ply
    return value


cdef inline Value from_table(Value value, int ply) noexcept nogil:
    if value >= TB_RANGE:
        return value - ply
    if value <= -TB_RANGE:
        return value + ply
    return value


cdef inline bint matches(const Table *table, const Entry *entry, uint64_t data, uint64_t check,
                         Key key) noexcept nogil:
    if check == 0 or <uint32_t> (check >> 32) != (<uint32_t> key ^ fold(data)):
        return False
    return table.full_keys == NULL or table.full_keys[entry - table.entries] == key


cdef void probe(const Table *table, Key key, int ply, TTData *tt) noexcept nogil:
    cdef Entry *entry = cluster_of(table, key)
    cdef uint64_t data, check
    cdef int i
    for i in range(CLUSTER):
        data = entry[i].data
        check = entry[i].check
        if matches(table, entry + i, data, check, key):
            tt.found = True
            tt.move = <Move> data
            tt.static_value = <int16_t> (data >> 16)
            tt.upper = from_table(<int16_t> (data >> 32), ply)
            tt.lower = from_table(<int16_t> (data >> 48), ply)
            tt.lower_depth = lower_depth_of(check)
            tt.upper_depth = upper_depth_of(check)
            tt.lower_pv = check & LOWER_PV != 0
            tt.upper_pv = check & UPPER_PV != 0
            return
    tt.found = False
    tt.move = NO_MOVE
    tt.static_value = NO_VALUE
    tt.lower = -INFINITE
    tt.upper = INFINITE
    tt.lower_depth = tt.upper_depth = NO_DEPTH
    tt.lower_pv = tt.upper_pv = False


cdef inline int replacement_value(const Table *table, uint64_t check) noexcept nogil:
    # Depth of the deeper bound, less AGED_PLY for every search since it was stored.
    cdef int depth = max(lower_depth_of(check), upper_depth_of(check))
    return depth - AGED_PLY * ((table.age - age_of(check)) & AGE_MASK)


cdef inline Entry *entry_for(const Table *table, Key key) noexcept nogil:
    # The entry of this position, else an empty one, else the one of the least replacement value.
    cdef Entry *entry = cluster_of(table, key)
    cdef Entry *worst = entry
    cdef int i
    for i in range(CLUSTER):
        if entry[i].check == 0 or matches(table, entry + i, entry[i].data, entry[i].check, key):
            return entry + i
        if replacement_value(table, entry[i].check) < replacement_value(table, worst.check):
            worst = entry + i
    return worst


cdef void store(Table *table, Key key, int ply, const TTRecord *record) noexcept nogil:
    # Stores the bound or bounds just proved, and keeps the other one unless it contradicts.
    cdef Entry *entry = entry_for(table, key)
    cdef uint64_t data = entry.data     # copies, as another thread may write the entry meanwhile
    cdef uint64_t check = entry.check
    cdef Value lower = -INFINITE
    cdef Value upper = INFINITE
    cdef int lower_depth = NO_DEPTH
    cdef int upper_depth = NO_DEPTH
    cdef uint64_t flags = 0
    cdef Move move = record.move
    cdef int depth = record.depth
    cdef Value value = to_table(record.value, ply)
    if matches(table, entry, data, check, key):
        lower = <int16_t> (data >> 48)
        upper = <int16_t> (data >> 32)
        lower_depth = lower_depth_of(check)
        upper_depth = upper_depth_of(check)
        if move == NO_MOVE:
            move = <Move> data
        if depth + SHALLOWER < max(lower_depth, upper_depth):
            return
        flags = check & (LOWER_PV | UPPER_PV)
    if record.bound & LOWER:
        lower = value
        lower_depth = depth
        flags = flags & ~<uint64_t> LOWER_PV | (LOWER_PV if record.pv else 0)
        if upper < lower:
            upper = INFINITE
            upper_depth = NO_DEPTH
    if record.bound & UPPER:
        upper = value
        upper_depth = depth
        flags = flags & ~<uint64_t> UPPER_PV | (UPPER_PV if record.pv else 0)
        if lower > upper:
            lower = -INFINITE
            lower_depth = NO_DEPTH
    data = (<uint64_t> <uint16_t> <int16_t> lower << 48 | <uint64_t> <uint16_t> <int16_t> upper << 32
            | <uint64_t> <uint16_t> <int16_t> record.static_value << 16 | move)
    check = (<uint64_t> (<uint32_t> key ^ fold(data)) << 32 | <uint64_t> (lower_depth + DEPTH_OFFSET) << 24
             | <uint64_t> (upper_depth + DEPTH_OFFSET) << 16 | flags | <uint64_t> table.age << 1 | USED)
    if table.full_keys != NULL:
        table.full_keys[entry - table.entries] = key
    entry.data = data
    entry.check = check


cdef class TranspositionTable:
    """The transposition table and its memory.

    megabytes: size, 1 or more; 0: one cluster. clusters: size in clusters of four entries instead, if not 0.
    exact: store whole 64-bit keys, so that there are no collisions (laboratory).
    Raises MemoryError.
    """

    def __cinit__(self, int megabytes, bint exact=False, uint64_t clusters=0):
        cdef uint64_t line = CLUSTER * sizeof(Entry)
        if megabytes < 0:
            raise ValueError(f"a transposition table of {megabytes} MB is impossible")
        if clusters >> CLUSTER_BITS:
            raise MemoryError(f"no memory for a transposition table of {clusters} clusters")
        self.megabytes = megabytes
        self.exact = exact
        self.table.clusters = clusters or max(<uint64_t> 1, (<uint64_t> megabytes << 20) // line)
        self.table.entries = <Entry *> allocate(self.table.clusters * line)
        if self.table.entries != NULL and exact:
            self.table.full_keys = <Key *> calloc(self.table.clusters * CLUSTER, sizeof(Key))
        if self.table.entries == NULL or (exact and self.table.full_keys == NULL):
            raise MemoryError(f"no memory for a transposition table of {megabytes} MB")

    def __dealloc__(self):
        free(self.table.full_keys)
        release(self.table.entries)

    def clear(self):
        """Empty all entries."""
        with nogil:
            memset(self.table.entries, 0, self.table.clusters * CLUSTER * sizeof(Entry))
        self.table.age = 0

    def new_search(self):
        """Age all entries by one search."""
        self.table.age = (self.table.age + 1) & AGE_MASK

    def hashfull(self):
        """Entries of the present search, per mille, from a sample of at most 1000."""
        cdef uint64_t sample = min(<uint64_t> SAMPLED, self.table.clusters)
        cdef uint64_t i
        cdef uint64_t fresh = self.table.age << 1 | USED
        cdef int used = 0
        for i in range(sample * CLUSTER):
            used += self.table.entries[i].check & (AGE_MASK << 1 | USED) == fresh
        return used * 1000 // <int> (sample * CLUSTER)

    def entries_used(self):
        """Entries that hold something, counted one by one (laboratory)."""
        cdef uint64_t i, used = 0
        for i in range(self.table.clusters * CLUSTER):
            used += self.table.entries[i].check != 0
        return used

    def get(self, Key key, int ply=0):
        """The entry stored for `key`, as a dict of its fields; None if there is none.

        ply: of the node, plies from the root. Mate values are returned as seen from the root.
        """
        cdef TTData tt
        probe(&self.table, key, ply, &tt)
        return {"move": tt.move, "lower": tt.lower, "upper": tt.upper, "static_value": tt.static_value,
                "lower_depth": tt.lower_depth, "upper_depth": tt.upper_depth,
                "lower_pv": tt.lower_pv, "upper_pv": tt.upper_pv} if tt.found else None

    def put(self, Key key, int value, int depth, int bound, Move move=NO_MOVE, *, int ply=0, bint pv=False):
        """Store a value, by hand (tests). bound: a Bound; ply: as for `get`."""
        cdef TTRecord record = TTRecord(move=move, value=value, bound=bound, depth=depth, pv=pv,
                                        static_value=NO_VALUE)
        store(&self.table, key, ply, &record)

    def flip(self, uint64_t bit):
        """Damage one bit of the entries' memory (tests); entries are 128 bits, data before check."""
        if bit >= self.table.clusters * CLUSTER * sizeof(Entry) * 8:
            raise IndexError(bit)
        (<uint64_t *> self.table.entries)[bit // 64] ^= <uint64_t> 1 << bit % 64
