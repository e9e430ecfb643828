# The selective rules that look and do not search (razoring, which drops into quiescence, among them). Each
# acts under its own names of the parameter table. A value returned is proved or believed; NO_VALUE means: go
# on.

from _fast.endings cimport may_be_drawn, robs_win
from _fast.node cimport CUT_NODE, FLAGGED, Node
from _fast.params cimport params
from _fast.position cimport Position
from _fast.quiesce cimport quiesce
from _fast.see cimport see_ge
from _fast.types cimport (
    DRAW, KING, Move, NO_VALUE, PAWN, TB_RANGE, Value, bit, is_tactical, move_from, move_to,
)
from _fast.worker cimport TABLE_DEPTHS

cdef enum:
    PLY = 1024                          # unit of reductions


cdef inline bint has_pieces(const Position *pos) noexcept nogil:
    return (pos.by_color[pos.side] & ~(pos.by_type[PAWN] | pos.by_type[KING])) != 0


cdef inline Value razor(Node *node) noexcept nogil:
    # Hopeless and shallow: only captures could help, so look at nothing else.
    cdef Value value
    if (node.depth > params.razoring_depth
            or node.best_guess + params.razoring_margin * node.depth > node.alpha
            or node.alpha < DRAW and may_be_drawn(node.pos, node.pos.side ^ 1)):
        return NO_VALUE
    value = quiesce(node.w, node.alpha, node.alpha + 1, 0, node.ply)
    return value if value <= node.alpha else NO_VALUE


cdef inline Value reverse_futility(const Node *node) noexcept nogil:
    # Far above beta near the leaves: the opponent will not come back.
    cdef Value margin
    if node.depth > params.reverse_futility_depth or node.best_guess >= TB_RANGE:
        return NO_VALUE
    margin = params.reverse_futility_margin * node.depth - params.reverse_futility_improving * node.improving
    if (node.best_guess - margin < node.beta
            or node.beta > DRAW and may_be_drawn(node.pos, node.pos.side)):
        return NO_VALUE
    return node.beta + (node.best_guess - node.beta) // params.reverse_futility_trust


cdef inline bint prune_quiet(Node *node, Move move, int number, int reduced, int score, bint check,
                             Value *best, bint *skip_quiet) noexcept nogil:
    # Whether a quiet move is not worth a search; raises *best to what the rule grants the move. Late moves:
    # the deeper, the more are tried, and half as many when the static value does not rise. score: see
    # quiet_score.
    cdef Value cap
    cdef int d = max(reduced, 0)
    if (node.depth <= params.late_move_depth
            and number * (2 - node.improving) >= params.late_move_base + node.depth * node.depth):
        skip_quiet[0] = True            # this one is still searched by the rules below
    if d <= params.futility_depth and not check and not node.in_check:
        cap = node.static_value + params.futility_base + params.futility_margin * d
        if cap <= node.alpha and params.futility_depth:
            best[0] = max(best[0], cap)
            skip_quiet[0] = True
            return True
    if d <= params.history_depth and score < -params.history_margin * node.depth:
        return params.history_depth > 0
    if not node.frame.threats & (bit(move_from(move)) | bit(move_to(move))):
        return False                    # nothing can take it, nor look through where it stood
    return (params.see_depth and node.depth <= params.see_depth
            and not see_ge(node.pos, move, -params.see_quiet * d * d))


cdef inline bint prune_move(Node *node, Move move, int number, int reduction, int score, bint check,
                            bint sound, Value *best, bint *skip_quiet) noexcept nogil:
    # sound: a capture that is known to lose nothing.
    if node.w.exact or best[0] <= -TB_RANGE or not has_pieces(node.pos):
        return False
    if node.alpha < DRAW and may_be_drawn(node.pos, node.pos.side ^ 1):
        return False
    if not is_tactical(move):
        return prune_quiet(node, move, number, node.depth - reduction // PLY, score, check, best, skip_quiet)
    return (not sound and params.see_depth and node.depth <= params.see_depth
            and not see_ge(node.pos, move, -params.see_capture * node.depth) and not robs_win(node.pos, move))


cdef inline int reduction_of(Node *node, Move move, int number, int score) noexcept nogil:
    # Late move reduction in 1/1024 plies, before it is known whether the move gives check.
    cdef int d = min(node.depth, TABLE_DEPTHS - 1)
    cdef int n = min(number, TABLE_DEPTHS - 1)
    cdef int r
    if is_tactical(move):
        r = node.w.reduction_tactical[d][n]
    else:
        r = node.w.reduction_quiet[d][n] - score * PLY // params.lmr_history
        if move == node.frame.killers[0] or move == node.frame.killers[1]:
            r -= params.lmr_killer
        if node.table_capture:
            r += params.lmr_tt_capture
    if node.kind == CUT_NODE:
        r += params.lmr_cut_node
    elif node.kind == FLAGGED:
        r -= params.lmr_flagged
    if node.improving:
        r -= params.lmr_improving
    return r


# Learning: after a cut, from what a move gains at once, and from the error of the static value.

cdef void learn(Node *node, Move best, const Move *tried, int tried_count) noexcept nogil
cdef void learn_gain(const Node *node) noexcept nogil
cdef void learn_static_error(Node *node, Value best, Move best_move, Value alpha) noexcept nogil
