# Positions beside the games; `neighbours.pyx` says what for.

cimport cython
from libc.stdint cimport uint64_t

from _fast.position cimport Position
from _fast.types cimport Value
from _fast.worker cimport Worker


@cython.final
cdef class Neighbourhood:
    cdef Worker worker
    cdef readonly int count             # neighbours of a position
    cdef readonly int depth             # of the search that values them
    cdef readonly uint64_t seed         # of the dice; one seed, one set of neighbours

    cdef bint visit(self, const Position *pos, uint64_t *dice, Position *found, Value *value) noexcept nogil
