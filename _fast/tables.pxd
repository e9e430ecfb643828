# The linear evaluation, piece-square tables tapered between middle game and ending: what tuners learn, and
# what evaluates where no network does.

from libc.stdint cimport int16_t

from _fast.position cimport Position
from _fast.types cimport Value

cdef enum:                              # where each group of weights begins; it ends at the next one
    W_PSQT = 0                          # [piece type][square seen from its owner]
    W_TEMPO = 384                       # for the side to move, in every phase
    N_WEIGHTS = 385


cdef struct Trace:                      # how a position is judged, for the tuner
    int16_t count[N_WEIGHTS]            # how often each weight counts, white minus black
    int phase                           # 24 at the start, 0 with kings and pawns alone
    int scale                           # of the ending, up to 64


cdef Value tapered(const Position *pos, int middle, int end) noexcept nogil
cdef Value table_value(const Position *pos) noexcept nogil
cdef void trace_tables(const Position *pos, Trace *trace) noexcept nogil
