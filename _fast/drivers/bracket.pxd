# Iterative deepening without the GIL, for helper threads: the drivers of engine/player/drivers.py in C.
# tests/player/test_pool.py checks that both make the same passes.

from sssnake._fast.types cimport Value
from sssnake._fast.search.worker cimport WorkerState

cdef enum:                              # drivers, in the order of DRIVERS
    SSS
    SSS_LITERAL
    DUAL
    MTD_F
    MTD_BI
    PVS
    ALPHA_BETA


cdef enum:
    SWING = 1000                        # b.swing before the first iteration, centipawns


cdef struct Bracket:                    # of one iteration: the bounds that its passes have proved
    WorkerState *w
    int depth
    Value guess                         # value of the last iteration
    double swing                        # running mean of the value's change between iterations, centipawns
    Value lower
    Value upper
    Value gamma                         # of the last pass ...
    Value value                         # ... and its result
    int crossings                       # number of passes that contradicted an earlier one
    bint decided                        # no other root move's upper bound is above the best one's lower bound


# One iteration at b.depth; it needs b.w, b.guess and b.swing, and moves the latter two. False: stopped.
cdef bint iterate(Bracket *b, int driver) noexcept nogil

# Iterations from `first` on, until w.stopped or the last depth.
cdef void deepen(WorkerState *w, int driver, int first) noexcept nogil
