# The root search, for the helper threads' drivers.

from sssnake._fast.types cimport Value
from sssnake._fast.search.worker cimport WorkerState

# One pass over the root moves, fail-soft like `alpha_beta`. Void if w.stopped.
cdef Value search_root(WorkerState *w, Value alpha, Value beta, int depth) noexcept nogil
