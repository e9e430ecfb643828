# Static evaluation: by a network if the memory holds one, else by piece-square tables; either way scaled down
# in endings that are hard to win.
# Contract: `evaluate` gives centipawns for the side to move, the same for a position and its colour-flipped
# twin, inside +-TB_RANGE.

from _fast.nnue cimport Accumulators
from _fast.position cimport Position
from _fast.types cimport Value


cdef struct EvalMemory:                 # one thread's scratch memory
    Accumulators accumulators           # with the network in use, if any


cdef Value evaluate(const Position *pos, EvalMemory *memory) noexcept nogil
