# Searches to a small fixed depth along a game, for self-play.

cimport cython

from sssnake._fast.search.worker cimport Worker
from sssnake._fast.types cimport Key, Value


@cython.final
cdef class ShallowSearch:
    cdef readonly Worker worker
    cdef readonly int depth
    cdef int driver                     # as bracket.pxd numbers them
    cdef bint begun                     # a search of this game is done ...
    cdef Key reached                    # ... and its best move leads here, ...
    cdef Value value                    # ... where this is the value for the side to move
    cdef Value run(self) noexcept nogil
