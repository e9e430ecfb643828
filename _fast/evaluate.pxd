# Static evaluation: a linear sum of weights, tapered between middle game and ending.
# Contract: `evaluate` gives centipawns for the side to move, the same for a position and its colour-flipped
# twin, inside +-TB_RANGE. A network may stand behind the same contract.

from _fast.pawns cimport PAWN_CACHE, PawnEntry
from _fast.position cimport Position
from _fast.types cimport Value


cdef struct EvalMemory:                 # one thread's scratch memory
    PawnEntry pawns[PAWN_CACHE]


cdef Value evaluate(const Position *pos, EvalMemory *memory) noexcept nogil
