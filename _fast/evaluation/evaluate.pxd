# Static evaluation: by a network if the memory holds one, else by piece-square tables; either way scaled down
# in endings that are hard to win.
# Contract: `evaluate` gives centipawns for the side to move, the same for a position and its colour-flipped
# twin, inside +-TB_RANGE.

from _fast.evaluation.nnue cimport Accumulators
from _fast.evaluation.pst cimport PstWeights
from _fast.board.position cimport Position
from _fast.types cimport Value


cdef struct EvalMemory:                 # one thread's scratch memory
    Accumulators accumulators           # with the network in use, if any
    const PstWeights *weights           # what evaluates without a network
    int grain                           # values are multiples of this, centipawns; 0: of 1


cdef Value evaluate(const Position *pos, EvalMemory *memory) noexcept nogil
