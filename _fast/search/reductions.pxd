# How deep a move is searched: late move reductions and extensions.

from _fast.search.node cimport CUT_NODE, Node, PV_NODE
from _fast.search.params cimport Params
from _fast.search.pruning cimport PLY
from _fast.search.worker cimport TABLE_DEPTHS
from _fast.types cimport Move, NO_MOVE, TB_RANGE, Value, is_tactical

cdef int singular_extension(Node *node, Move move, Value *cut) noexcept nogil


cdef inline int reduction_of(Node *node, Move move, int number, int score) noexcept nogil:
    # Late move reduction in 1/1024 plies, before it is known whether the move gives check. score: see
    # `quiet_score`.
    cdef const Params *params = node.w.params
    cdef int d = min(node.depth, TABLE_DEPTHS - 1)
    cdef int n = min(number, TABLE_DEPTHS - 1)
    cdef int r
    if is_tactical(move):
        r = node.w.reduction_tactical[d][n]
    else:
        r = node.w.reduction_quiet[d][n] - score * PLY // params.lmr_history
        if move == node.ss.killers[0] or move == node.ss.killers[1]:
            r -= params.lmr_killer
        if node.tt_capture:
            r += params.lmr_tt_capture
    if node.kind == CUT_NODE:
        r += params.lmr_cut_node
    elif node.kind == PV_NODE:
        r -= params.lmr_pv
    if node.improving:
        r -= params.lmr_improving
    return r


cdef inline int extension(Node *node, Move move, Value *cut) noexcept nogil:
    # Plies that the table's move is extended by: see `singular_extension`. 0 for every other move.
    cdef const Params *params = node.w.params
    if (node.w.exact or not params.singular_depth or node.depth < params.singular_depth
            or move != node.tt.move or node.ss.excluded != NO_MOVE
            or node.tt.lower_depth < node.depth - params.singular_gap
            or node.ply >= params.extension_limit * node.w.root_depth or node.tt.lower >= TB_RANGE
            or node.tt.lower <= -TB_RANGE or node.tt.lower + params.singular_reach < node.beta):
        return 0
    return singular_extension(node, move, cut)
