# The root, for the threads that search it beside the main one.

from _fast.types cimport Value
from _fast.search.worker cimport WorkerState

# One pass over the root moves, fail-soft, as `alpha_beta`. Void when w.stopped.
cdef Value search_root(WorkerState *w, Value alpha, Value beta, int depth) noexcept nogil
