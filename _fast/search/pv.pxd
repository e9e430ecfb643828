# Lines of play from the root.

from sssnake._fast.search.worker cimport WorkerState
from sssnake._fast.types cimport MAX_PLY, Move, Value


cdef struct Line:
    Value value                         # that it has proved
    int length
    Move[MAX_PLY + 1] moves


# What a pass has left of a line, made at least `length` moves long, or up to the mate that it has proved. A
# mate that cannot be shown becomes a plain win. Call between passes.
cdef void finish(WorkerState *w, Line *line, int length) noexcept nogil

cdef list moves_of(const Line *line)    # for Python
