# Quiescence search, at and below the horizon of the main search.

from sssnake._fast.types cimport Value
from sssnake._fast.search.worker cimport WorkerState

# Fail-soft, like alpha_beta. depth: 0 at the horizon, then -1, -2, ... Void if w.stopped.
cdef Value quiesce(WorkerState *w, Value alpha, Value beta, int depth, int ply) noexcept nogil
