# Static evaluation: by a network if there is one, else by piece-square tables; scaled down in endings that
# are hard to win. `evaluate` returns centipawns for the side to move, |value| < TB_RANGE. A position and its
# colour- flipped mirror image have the same value.

from sssnake._fast.evaluation.nnue cimport Accumulators
from sssnake._fast.evaluation.pst cimport PstWeights
from sssnake._fast.board.position cimport Position
from sssnake._fast.types cimport Value


cdef struct EvalMemory:                 # one thread's scratch memory
    Accumulators accumulators           # with the network in use, if any
    const PstWeights *weights           # what evaluates without a network
    int grain                           # values are multiples of this, centipawns; 0: of 1


cdef Value evaluate(const Position *pos, EvalMemory *memory) noexcept nogil
