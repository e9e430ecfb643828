# Positions beside the games; `neighbours.pyx` says what for.

cimport cython
from libc.stdint cimport uint64_t

from _fast.board.position cimport Position
from _fast.types cimport Move, Value
from _fast.search.worker cimport Worker

cdef enum:
    DECIDED = 400                       # centipawns: a walk ends there, the position still counts


@cython.final
cdef class Neighbourhood:
    cdef Worker worker
    cdef Position at                    # where the walk stands
    cdef int random_side                   # the side that makes random moves
    cdef bint quiet                     # of the last search: whether the position was
    cdef Move best                      # ... and what it preferred there
    cdef readonly int walks             # from each position
    cdef readonly int plies             # of a walk, after its random move
    cdef readonly int depth             # of the searches
    cdef readonly uint64_t seed         # of the dice

    cdef bint leave(self, const Position *pos, uint64_t *rng) noexcept nogil
    cdef bint look(self, Value *value) noexcept nogil
    cdef bint random_move(self, uint64_t *rng) noexcept nogil
    cdef bint step(self, uint64_t *rng) noexcept nogil
