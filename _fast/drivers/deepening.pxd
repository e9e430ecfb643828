# Iterative deepening without Python.

from sssnake._fast.search.worker cimport WorkerState


# Of a helper thread: iterations from `first` on, until w.stopped or the last depth.
cdef void deepen(WorkerState *w, int driver, int first) noexcept nogil
