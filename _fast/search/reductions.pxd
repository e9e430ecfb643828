# The depth of a move's search: late move reductions and extensions.

from sssnake._fast.board.see cimport see_ge
from sssnake._fast.search.node cimport CUT_NODE, Node, PV_NODE
from sssnake._fast.search.params cimport Params
from sssnake._fast.search.pruning cimport PLY
from sssnake._fast.search.worker cimport REDUCTION_ENTRIES
from sssnake._fast.types cimport Move, NO_MOVE, TB_RANGE, Value, is_capture, is_tactical, move_to

cdef int singular_extension(Node *node, Move move, Value *cut) noexcept nogil


cdef inline int reduction_of(Node *node, Move move, int number, int score) noexcept nogil:
    # Late move reduction in 1/1024 ply, without the part for checks. score: see `quiet_score`.
    cdef const Params *params = node.w.params
    cdef int d = min(node.depth, REDUCTION_ENTRIES - 1)
    cdef int n = min(number, REDUCTION_ENTRIES - 1)
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


cdef inline bint may_be_singular(const Node *node, Move move) noexcept nogil:
    # Whether the move is the TT move, with a lower bound that is deep and high enough.
    cdef const Params *params = node.w.params
    return (params.singular_depth and node.depth >= params.singular_depth
            and move == node.tt.move and node.ss.excluded == NO_MOVE
            and node.tt.lower_depth >= node.depth - params.singular_gap
            and node.ply < params.extension_limit * node.w.root_depth
            and -TB_RANGE < node.tt.lower < TB_RANGE
            and node.tt.lower + params.singular_reach >= node.beta)


cdef inline bint recaptures(const Node *node, Move move) noexcept nogil:
    # Whether the move is the TT move, and takes what has just taken.
    return (move == node.tt.move and is_capture(move) and is_capture((node.ss - 1).move)
            and move_to(move) == move_to((node.ss - 1).move))


cdef inline int extension(Node *node, Move move, bint check, Value *cut) noexcept nogil:
    # Plies of extension. *cut: see `singular_extension`.
    cdef const Params *params = node.w.params
    cdef int plies = 0
    if node.w.exact:
        return 0
    if may_be_singular(node, move):
        plies = singular_extension(node, move, cut)
    if (plies == 0 and node.kind == PV_NODE and params.recapture_extension and recaptures(node, move)
            and node.ply < params.extension_limit * node.w.root_depth):
        return params.recapture_extension
    if (plies == 0 and check and params.check_extension
            and node.ply < params.extension_limit * node.w.root_depth and see_ge(node.pos, move, 0)):
        return params.check_extension
    return plies
