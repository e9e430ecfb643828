"""Quiescence search: captures, promotions, evasions, and quiet checks at the horizon."""

from sssnake._fast.board.movegen cimport gives_check
from sssnake._fast.contracts cimport check_ply, check_window
from sssnake._fast.evaluation.endings cimport takes_into_ending, win_needs_pawn
from sssnake._fast.search.node cimport (
    CUT_NODE, Node, copy_line, enter_child, enter_node, save, set_static_values, start_picker,
)
from sssnake._fast.search.picker cimport ALL_MOVES, Picker, next_move
from sssnake._fast.board.see cimport PIECE_VALUES, see_ge
from sssnake._fast.search.tt cimport LOWER, UPPER
from sssnake._fast.types cimport (
    DRAW, INFINITE, KING, MATE, Move, NO_MOVE, NO_PIECE, PAWN, TB_RANGE, is_capture, is_promotion,
    is_tactical, move_to, type_of,
)

cdef enum:
    BELOW = -1                          # depth of entries below the horizon; at the horizon it is 0


cdef inline bint stand_pat(Node *node, Value *best) noexcept nogil:
    # Sets *best to the static value, which the side to move keeps without a capture; True: at least beta.
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
    # Whether a move is pruned: by delta pruning, unless it may lead into an ending with a rule of its own; a
    # quiet check that loses material; in check, a quiet move after the first few. quiet: number of quiet
    # moves so far, this one included. Delta pruning raises *best to its bound of the move's value.
    cdef Value bound
    if best[0] <= -TB_RANGE:
        return False
    if node.in_check:
        return (quiet > node.w.params.quiesce_evasions
                and not (node.alpha < DRAW
                         and win_needs_pawn(node.pos, node.pos.side ^ 1, node.w.params.ending_pieces)))
    if not is_tactical(move):
        return not see_ge(node.pos, move, 0)
    if node.w.params.quiesce_margin < 0 or is_promotion(move):
        return False
    bound = (node.static_value + node.w.params.quiesce_margin
             + PIECE_VALUES[min(type_of(node.pos.board[move_to(move)]), KING)])
    if is_capture(move) and node.pos.board[move_to(move)] == NO_PIECE:
        bound += PIECE_VALUES[PAWN]             # en passant
    if check or bound > node.alpha or takes_into_ending(node.pos, move):
        return False
    best[0] = max(best[0], bound)
    return True


cdef Value quiesce(WorkerState *w, Value alpha, Value beta, int depth, int ply) noexcept nogil:
    cdef Node node
    cdef Picker picker
    cdef Value value, best
    cdef Move move, best_move = NO_MOVE
    cdef int number = 0, quiet = 0
    cdef bint check
    check_window(alpha, beta, True)
    check_ply(ply)
    node.w = w
    node.alpha = alpha
    node.beta = beta
    node.depth = 0 if depth == 0 else BELOW
    node.ply = ply
    node.kind = CUT_NODE
    w.root[ply].excluded = NO_MOVE
    if enter_node(&node, &value):
        return value
    alpha = node.alpha
    w.selective_depth = max(w.selective_depth, ply)
    set_static_values(&node)
    if stand_pat(&node, &best):
        return best
    alpha = node.alpha = max(alpha, best)
    start_picker(&picker, &node, True, w.params.quiesce_see)
    picker.checks = depth > -w.params.quiesce_checks
    while True:
        move = next_move(&picker, ALL_MOVES)
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
