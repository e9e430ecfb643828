"""Singular extensions."""

from sssnake._fast.search.node cimport ALL_NODE, CUT_NODE, Node, PV_NODE, null_window_test
from sssnake._fast.search.params cimport Params
from sssnake._fast.search.worker cimport WorkerState
from sssnake._fast.types cimport Move, NO_MOVE, Value

cdef enum:
    MARGIN_PARTS = 16                   # params.singular_margin is in 1/16 centipawn a ply


cdef int singular_extension(Node *node, Move move, Value *cut) noexcept nogil:
    # Singular extension (Anantharaman, Campbell, Hsu 1990): a search without the TT move stays below its
    # bound less a margin. Returns plies: 1 or 2 if so; else 0, or -1 where a cutoff is expected anyway. If
    # that search reaches beta, another move cuts off as well (multi-cut): *cut gets the value.
    cdef Value bound, value
    cdef WorkerState *w = node.w
    cdef const Params *params = w.params
    bound = node.tt.lower - params.singular_margin * node.depth // MARGIN_PARTS
    node.ss.excluded = move
    value = null_window_test(w, bound, (node.depth - 1) // params.singular_divisor, node.ply,
                             ALL_NODE if node.kind == ALL_NODE else CUT_NODE)
    node.ss.excluded = NO_MOVE
    if w.stopped:
        return 0
    if value < bound:
        return 2 if node.kind != PV_NODE and value < bound - params.singular_double else 1
    if node.kind == PV_NODE:
        return 0                        # no multi-cut and no reduction at PV nodes
    if bound >= node.beta:
        cut[0] = bound
        return 0
    return -1 if node.tt.lower >= node.beta or node.kind == CUT_NODE else 0
