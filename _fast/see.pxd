# Static exchange evaluation.

from _fast.position cimport Position
from _fast.types cimport Move, Value

cdef bint see_ge(const Position *pos, Move move, Value threshold) noexcept nogil     # move pseudo-legal
