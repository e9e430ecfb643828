# NNUE, an efficiently updatable network (Nasu 2018): (768, mirrored -> hidden) x 2 perspectives -> buckets,
# in int16. The file's format is in `netfile`, the inner loops are in `kernels.h`.
#
# A perspective's accumulator is the bias plus a weight row for each piece on the board. Accumulators are kept
# in a stack by ply, each with its board. A new one is computed from an entry that differs in few squares. So
# the search does not report moves to the network, and no entry can be out of date.

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t

from sssnake._fast.board.position cimport Position
from sssnake._fast.types cimport Bitboard, Value

cdef enum:
    STACKED = 256                       # entries by ply, modulo this
    REFRESH = 4                         # entries of the refresh cache, by the two mirror bits


cdef struct NetData:                    # a network in memory: read-only, shared by all threads
    int hidden
    int buckets
    int qa                              # units of an accumulator value of 1
    int qb                              # units of an output weight of 1
    int scale                           # centipawns of an output of 1
    int block                           # see `output` in kernels.h
    int16_t *weights                    # [INPUTS + 1: type, own or other, square; zeros][hidden]
    int16_t *bias                       # [hidden]
    int16_t *out                        # [buckets][2: mover, other][hidden]
    int32_t *out_bias                   # [buckets]


cdef struct Entry:                      # the accumulators of one position
    Bitboard by_type[6]
    Bitboard by_color[2]
    uint8_t board[64]
    int mirrored                        # bit c: colour c's king is on files e-h: its perspective is mirrored
    int16_t *sums                       # [2: White's, Black's perspective][hidden]


cdef struct Log:                        # evaluated positions and outputs, for tests and timing
    Position *positions
    int64_t *outputs
    int64_t count
    int64_t capacity
    const void *writer                  # the accumulators that write it, the only ones ever; NULL: none yet


cdef struct Accumulators:               # one thread's
    const NetData *net                  # NULL: no network in use
    Entry entries[STACKED + REFRESH]
    int16_t *memory
    Log *log                            # NULL in play


cdef class Network:
    cdef NetData data
    cdef readonly str description


cdef class Recording:
    cdef Log log
    cdef tuple replay(self, Network network, bint from_scratch)


cdef Value net_value(const Position *pos, Accumulators *accumulators) noexcept nogil
cdef int reserve(Accumulators *accumulators, Network network, Recording recording) except -1
cdef int attach(Accumulators *accumulators, Network network, Recording recording) except -1
cdef void clear_accumulators(Accumulators *all) noexcept nogil
cdef void detach(Accumulators *accumulators) noexcept nogil
