"""Quiescence: captures, promotions, evasions, and checks at the horizon, until the position is quiet enough
for the static value."""

from _fast.board.movegen cimport gives_check
from _fast.evaluation.endings cimport may_be_drawn, takes_into_ending
from _fast.search.node cimport (
    CUT_NODE, Node, copy_line, enter_child, enter_node, save, set_static_values, start_picker,
)
from _fast.search.picker cimport Picker, next_move
from _fast.board.see cimport see_ge
from _fast.search.tt cimport LOWER, UPPER
from _fast.types cimport (
    DRAW, INFINITE, KING, MATE, Move, NO_MOVE, NO_PIECE, PAWN, TB_RANGE, is_capture, is_promotion,
    is_tactical, move_to, type_of,
)

cdef enum:
    BELOW = -1                          # table depth of all quiescence nodes below the horizon, which has 0

cdef int[7] GAIN = [100, 320, 330, 500, 950, 0, 0]          # captured piece's worth in delta pruning


cdef inline bint stand_pat(Node *node, Value *best) noexcept nogil:
    # The side to move may decline all captures; True if that is already enough.
    if node.in_check:
        best[0] = -INFINITE
        return False
    best[0] = node.estimate
    if best[0] < node.beta:
        return False
    if not node.tt.found:
        save(node, NO_MOVE, best[0], LOWER, BELOW)
    return True


cdef inline bint quiesce_skips(Node *node, Move move, int quiet, bint check, Value *best) noexcept nogil:
    # Delta pruning, but of nothing that may change which ending this is; checks that lose material; and in
    # check no more than a few quiet evasions.
    cdef Value cap
    if best[0] <= -TB_RANGE:
        return False
    if node.in_check:
        return (quiet > node.w.params.quiesce_evasions
                and not (node.alpha < DRAW
                         and may_be_drawn(node.pos, node.pos.side ^ 1, node.w.params.ending_pieces)))
    if not is_tactical(move):
        return not see_ge(node.pos, move, 0)
    if node.w.params.quiesce_margin < 0 or is_promotion(move):
        return False
    cap = (node.static_value + node.w.params.quiesce_margin
           + GAIN[min(type_of(node.pos.board[move_to(move)]), KING)])
    if is_capture(move) and node.pos.board[move_to(move)] == NO_PIECE:
        cap += GAIN[PAWN]               # en passant
    if check or cap > node.alpha or takes_into_ending(node.pos, move):
        return False
    best[0] = max(best[0], cap)
    return True


cdef Value quiesce(WorkerState *w, Value alpha, Value beta, int depth, int ply) noexcept nogil:
    # Captures, promotions, evasions, checks, until the position is quiet. depth 0 at the horizon, falling.
    cdef Node node
    cdef Picker picker
    cdef Value value, best
    cdef Move move, best_move = NO_MOVE
    cdef int number = 0, quiet = 0
    cdef bint check
    node.ss = w.root + ply
    node.ss.excluded = NO_MOVE
    if enter_node(&node, w, alpha, beta, 0 if depth == 0 else BELOW, ply, CUT_NODE, &value):
        return value
    alpha = node.alpha
    w.selective_depth = max(w.selective_depth, ply)
    set_static_values(&node)
    if stand_pat(&node, &best):
        return best
    alpha = node.alpha = max(alpha, best)
    start_picker(&picker, &node, node.tt.move, True)
    picker.see_margin = w.params.quiesce_see
    picker.checks = depth > -w.params.quiesce_checks
    while True:
        move = next_move(&picker, False)
        if move == NO_MOVE:
            break
        number += 1
        quiet += not is_tactical(move)
        check = gives_check(node.pos, move)
        if quiesce_skips(&node, move, quiet, check, &best):
            continue
        enter_child(w, node.ss, move, ply, check)
        value = -quiesce(w, -node.beta, -alpha, depth - 1, ply + 1)
        if w.stopped:
            return DRAW
        if value > best:
            best = value
            if value > alpha:
                best_move = move
                copy_line(node.ss, move)
                if value >= node.beta:
                    break
                alpha = value
    if number == 0 and node.in_check:
        return -MATE + ply
    save(&node, best_move, best,
         LOWER * (best >= node.beta or best_move != NO_MOVE) | UPPER * (best < node.beta), node.depth)
    return best
