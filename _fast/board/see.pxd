# Static exchange evaluation.

from _fast.board.position cimport Position
from _fast.types cimport Move, Value

cdef Value EXCHANGE_VALUES[7]           # by piece type; 0 for the king, who is never lost, and for no piece

cdef bint see_ge(const Position *pos, Move move, Value threshold) noexcept nogil        # move legal
