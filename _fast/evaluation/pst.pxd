# The linear evaluation: piece-square tables (PST), tapered between middle game and ending. It evaluates
# without a network, and tuners fit its weights.

cimport cython
from libc.stdint cimport int16_t

from sssnake._fast.board.position cimport Position
from sssnake._fast.types cimport Value

cdef enum:                              # where each group of weights begins; it ends at the next one
    W_PSQT = 0                          # [piece type][square as its owner sees it]
    W_TEMPO = 384                       # for the side to move, in every phase
    N_WEIGHTS = 385


cdef struct PstWeights:                 # centipawns
    int middle_game[N_WEIGHTS]
    int ending[N_WEIGHTS]


@cython.final
cdef class Weights:
    cdef PstWeights values


cdef Weights SHIPPED                    # those of weights.py


cdef struct Trace:                      # the terms of a position's value, for the tuner
    int16_t count[N_WEIGHTS]            # how often each weight counts, white minus black
    int phase                           # 24 at the start, 0 with kings and pawns alone
    int scale                           # of the ending, up to 64


cdef Value tapered(const Position *pos, int middle, int end) noexcept nogil
cdef Value pst_value(const Position *pos, const PstWeights *weights) noexcept nogil
cdef void trace_pst(const Position *pos, const PstWeights *weights, Trace *trace) noexcept nogil
