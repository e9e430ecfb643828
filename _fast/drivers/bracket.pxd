# Iterative deepening without Python's lock, for helper threads: the drivers of engine/player/drivers.py
# once more.
# tests/player/test_pool.py holds both to the same passes.

from _fast.types cimport Value
from _fast.search.worker cimport WorkerState

cdef enum:                              # drivers, in the order of DRIVERS
    SSS
    DUAL
    MTD_F
    MTD_BI
    PVS
    ALPHA_BETA


cdef struct Bracket:                    # of one iteration: what its passes have proved
    WorkerState *w
    int depth
    Value guess                         # value of the last iteration
    double swing                        # centipawns that it has moved by of late
    Value lower
    Value upper
    Value gamma                         # of the last pass ...
    Value value                         # ... and its answer
    int crossings                       # contradictions between passes
    bint decided                        # no other root move can catch up


# Iterations from `first` on, until w.stopped or the last depth.
cdef void deepen(WorkerState *w, int driver, int first) noexcept nogil
