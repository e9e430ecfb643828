# The root moves of an iteration that several threads serve.

cimport cython

from _fast.search.worker cimport RootMove
from _fast.types cimport Key, MAX_MOVES, Move


@cython.final
cdef class SharedRoots:
    cdef RootMove[MAX_MOVES] roots
    cdef int count
    cdef Key key                        # of the position that the moves belong to
    cdef int first                      # MultiPV, as in a worker
    cdef RootMove *find(self, Move move) noexcept nogil
