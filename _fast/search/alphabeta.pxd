# The recursion. `test` is MT, the fail-soft null-window search with memory (Plaat, Schaeffer, Pijls, de Bruin
# 1996) on which every driver rests; `alpha_beta` opens the window for the PVS and alpha-beta drivers.

from _fast.types cimport Value
from _fast.search.worker cimport WorkerState


# Contract of both: fail-soft. The result v of a window (alpha, beta) says: v <= alpha => value <= v;
# v >= beta => value >= v; else value == v. Void when w.stopped. `kind`: what node.pxd calls kinds of node.
cdef Value test(WorkerState *w, Value gamma, int depth, int ply, int kind) noexcept nogil
cdef Value alpha_beta(WorkerState *w, Value alpha, Value beta, int depth, int ply, int kind) noexcept nogil
