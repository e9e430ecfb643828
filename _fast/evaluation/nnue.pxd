# The network evaluation, (768, mirrored -> hidden) x 2 -> buckets, in int16: an efficiently updatable one
# (Nasu 2018), seen from both sides. The file's layout is in `netfile`, the inner loops in `kernels.h`.
#
# A side's accumulator is the bias plus a weight row for each man on the board. Accumulators stand in a stack
# by ply, with the board they belong to; a new one is made from an entry nearby that differs little, by the
# squares that differ. So nobody need tell of moves made or skipped, and no entry can be out of date.

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t

from _fast.board.position cimport Position
from _fast.types cimport Bitboard, Value

cdef enum:
    STACKED = 256                       # entries by ply; deeper ones share
    HOMES = 4                           # entries by the kings' halves of the board, for king crossings


cdef struct NetData:                    # a network in memory: read-only, shared by all threads
    int hidden
    int buckets
    int qa                              # scale of the accumulators
    int qb                              # scale of the output weights
    int scale                           # centipawns of an output of 1
    int block                           # see `output` in kernels.h
    int16_t *weights                    # [INPUTS + 1: kind, own or other, square; zero][hidden]
    int16_t *bias                       # [hidden]
    int16_t *out                        # [buckets][2: mover, other][hidden]
    int32_t *out_bias                   # [buckets]


cdef struct Entry:                      # the accumulators of one position
    Bitboard by_type[6]
    Bitboard by_color[2]
    uint8_t board[64]
    int halves                          # bit c: colour c's king stands on files e-h, so its view is mirrored
    int16_t *sums                       # [2: white's, black's view][hidden]


cdef struct Log:                        # evaluated positions and what came out, for tests and timing
    Position *positions
    int64_t *outputs
    int64_t count
    int64_t capacity


cdef struct Accumulators:               # one thread's
    const NetData *net                  # NULL: no network in use
    Entry entries[STACKED + HOMES]
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
cdef void forget(Accumulators *all) noexcept nogil
cdef void detach(Accumulators *accumulators) noexcept nogil
