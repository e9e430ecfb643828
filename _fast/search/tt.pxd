# Transposition table: both bounds of a position, each with its own depth, as MT needs them (Plaat et al.
# 1996). An entry is two 64-bit words. The key is stored XORed with the data, so an entry mixed of two
# threads' writes matches no key (Hyatt & Mann 2002).

cimport cython
from libc.stdint cimport uint8_t, uint64_t

from sssnake._fast.bits cimport mul_hi, prefetch
from sssnake._fast.types cimport Key, Move, Value


cdef struct TTData:                     # an entry unpacked; after a miss, no move, value or bound
    bint found
    Move move                           # best or refuting move, NO_MOVE if none
    Value lower                         # value >= lower, proved at lower_depth
    Value upper                         # value <= upper, proved at upper_depth
    Value static_value                  # evaluation of the position, NO_VALUE if none
    int lower_depth                     # NO_DEPTH if there is no such bound
    int upper_depth
    bint lower_pv                       # proved at a PV node
    bint upper_pv


cdef enum:                              # kind of a stored value; LOWER | UPPER == EXACT
    NO_BOUND = 0                        # none: the entry holds the static value alone
    LOWER = 1                           # a lower bound
    UPPER = 2                           # an upper bound
    EXACT = 3


cdef struct TTRecord:                   # argument of `store`
    Move move                           # NO_MOVE: keep the one that is stored
    Value value
    int bound
    int depth                           # of the search that proved it
    bint pv                             # proved at a PV node
    Value static_value                  # NO_VALUE if unknown


cdef enum:
    NO_DEPTH = -2                       # below every depth that is stored (quiescence stores 0 and -1)
    CLUSTER = 4                         # entries that share a cache line


cdef struct Entry:
    uint64_t data                       # lower, upper, static value, move: 16 bits each
    uint64_t check                      # key ^ fold(data): 32 bits; depths: 8 each; flags: 2; age: 5; in use


cdef struct Table:
    Entry *entries                      # clusters * CLUSTER, aligned to cache lines
    Key *full_keys                      # exact mode: each entry's whole key, against collisions; else NULL
    uint64_t clusters
    uint8_t age                         # number of the present search, 0..31


cdef void probe(const Table *table, Key key, int ply, TTData *tt) noexcept nogil
cdef void store(Table *table, Key key, int ply, const TTRecord *record) noexcept nogil


cdef inline Entry *cluster_of(const Table *table, Key key) noexcept nogil:
    return table.entries + mul_hi(key, table.clusters) * CLUSTER


cdef inline void prefetch_entry(const Table *table, Key key) noexcept nogil:
    prefetch(cluster_of(table, key))


@cython.final
cdef class TranspositionTable:
    cdef Table table
    cdef readonly int megabytes
    cdef readonly bint exact
