# Quiescence search: the leaves of the main search in play.

from _fast.types cimport Value
from _fast.search.worker cimport WorkerState

# Fail-soft, like alpha_beta. depth 0 at the horizon, falling; void when w.stopped.
cdef Value quiesce(WorkerState *w, Value alpha, Value beta, int depth, int ply) noexcept nogil
