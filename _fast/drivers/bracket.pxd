# Drivers: which window the next pass asks about, given what the passes before it have proved. The same code
# steers the main thread (engine/player/drivers.py, deepening.pyx), the helper threads and the shallow search.

cimport cython
from libc.stdint cimport int64_t, uint64_t

from sssnake._fast.search.params cimport Parameters, Params
from sssnake._fast.search.worker cimport WorkerState
from sssnake._fast.types cimport Value

cdef enum:                              # drivers, in the order of NAMES
    SSS
    SSS_LITERAL
    DUAL
    MTD_F
    MTD_BI
    PVS
    ALPHA_BETA


cdef enum:
    START_SWING = 1000                  # `swing` as long as nothing is known, centipawns


cdef struct BracketState:               # of one iteration: the bounds that its passes have proved
    const Params *params
    int driver
    int depth
    Value guess                         # value of the last iteration
    double swing                        # running mean of the value's change between iterations, centipawns
    Value lower
    Value upper
    Value alpha                         # window (alpha, gamma) of the last pass, or of the next one ...
    Value gamma
    Value value                         # ... and the result of the last
    bint failed_high                    # it is at least the gamma that was asked
    int passes
    int high                            # number of passes that failed high
    int crossings                       # number of passes that contradicted an earlier one
    bint crossed                        # the last pass is one of them
    uint64_t first_nodes                # of the first pass
    bint unrivalled                     # no other root move's upper bound is above the best one's lower bound
    Value step                          # of descend: distance of the next gamma from a bound
    Value second                        # of descend: an informed gamma, not asked yet; or NO_VALUE
    int delta                           # of aspire: half the width of the window


cdef struct Counts:                     # over all iterations
    int64_t passes
    int64_t failed_high                 # passes that did
    int64_t crossings                   # passes that contradicted an earlier one of their iteration
    int64_t first_searched              # first passes of an iteration that took nodes ...
    int64_t first_nodes                 # ... and how many


cdef void add_counts(Counts *counts, const BracketState *b) noexcept nogil
cdef object counts_of(const Counts *counts)     # for Python
cdef void open_bracket(BracketState *b, int depth) noexcept nogil
cdef bint next_window(BracketState *b) noexcept nogil
cdef void take(BracketState *b, Value value) noexcept nogil
cdef bint suffices(const BracketState *b) noexcept nogil
cdef bint is_learning(const BracketState *b) noexcept nogil

# One pass. False: stopped, the bracket is as it was.
cdef bint search_window(WorkerState *w, BracketState *b) noexcept nogil

# One iteration to `depth`; it needs b.params, b.driver, b.guess and b.swing, and moves the latter two.
# False: stopped.
cdef bint iterate(WorkerState *w, BracketState *b, int depth) noexcept nogil


@cython.final
cdef class Bracket:
    cdef BracketState state
    cdef Parameters parameters          # keeps state.params alive
