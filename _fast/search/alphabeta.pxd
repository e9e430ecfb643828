# The recursive search. `test` is MT, the fail-soft null-window test with memory (Plaat, Schaeffer, Pijls,
# de Bruin 1996) that the MTD drivers call; `alpha_beta` takes any window, for PVS and alpha-beta.

from sssnake._fast.types cimport Value
from sssnake._fast.search.worker cimport WorkerState


# Both are fail-soft. The result v of a window (alpha, beta) means: v <= alpha => value <= v;
# v >= beta => value >= v; else value == v. It is void if w.stopped. kind: PV_NODE, CUT_NODE or ALL_NODE.
cdef Value test(WorkerState *w, Value gamma, int depth, int ply, int kind) noexcept nogil
cdef Value alpha_beta(WorkerState *w, Value alpha, Value beta, int depth, int ply, int kind) noexcept nogil
