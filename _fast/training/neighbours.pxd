# Random walks from positions of games.

cimport cython
from libc.stdint cimport uint64_t

from sssnake._fast.board.position cimport Position
from sssnake._fast.types cimport Move, Value
from sssnake._fast.search.worker cimport Worker

cdef enum:
    MOST_WALKS = 1000                   # from a position
    DECIDED = 400                       # centipawns: a walk ends at a position with |value| >= this


@cython.final
cdef class Neighbourhood:
    cdef Worker worker
    cdef Position at                    # position of the walk
    cdef int random_side                # the side that makes random moves
    cdef bint quiet                     # by the last search: whether the position is quiet ...
    cdef Move best                      # ... and the best move
    cdef readonly int walks             # from each position
    cdef readonly int plies             # of a walk, after its random move
    cdef readonly int depth             # of the searches, plies
    cdef readonly uint64_t seed         # of the random numbers

    cdef bint begin(self, const Position *pos, uint64_t *rng) noexcept nogil
    cdef bint search(self, Value *value) noexcept nogil
    cdef bint random_move(self, uint64_t *rng) noexcept nogil
    cdef bint step(self, uint64_t *rng) noexcept nogil
