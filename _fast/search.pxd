# The search. `test` is MT, the fail-soft null-window search with memory (Plaat, Schaeffer, Pijls, de Bruin 1996) on
# which every driver rests; `alpha_beta` opens the window for the PVS and alpha-beta drivers.

from _fast.types cimport Key, Value
from _fast.worker cimport WorkerState

cdef enum NodeKind:
    ALL_NODE                            # every move is expected to fail low
    CUT_NODE                            # a move is expected to fail high
    FLAGGED                             # principal: searched with care, whatever the width of its window


# Contract of all: fail-soft. The result v of a window (alpha, beta) says: v <= alpha => value <= v;
# v >= beta => value >= v; else value == v. Void when w.stopped.
cdef Value test(WorkerState *w, Value gamma, int depth, int ply, int kind) noexcept nogil
cdef Value alpha_beta(WorkerState *w, Value alpha, Value beta, int depth, int ply, int kind) noexcept nogil
cdef Value quiesce(WorkerState *w, Value alpha, Value beta, int depth, int ply) noexcept nogil
cdef Key exact_key(Key key, int depth) noexcept nogil
