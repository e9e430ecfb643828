# The pruning rules: when a node or a move needs no search. Each rule acts under its own names of the
# parameter table. A value returned is proved, or trusted within the rule's margin; NO_VALUE means: go on.
#
# Contract: gamma (alpha and beta) may choose a shortcut, but not the value that is bounded. So each rule
# returns what it knows of the node's value, and both bounds in the transposition table stay true.

from _fast.board.position cimport Position
from _fast.board.see cimport see_ge
from _fast.evaluation.endings cimport may_be_drawn, robs_win
from _fast.search.node cimport Node
from _fast.search.worker cimport WorkerState
from _fast.types cimport (
    DRAW, KING, Move, NO_VALUE, PAWN, TB_RANGE, Value, bit, is_tactical, move_from, move_to,
)

cdef enum:
    PLY = 1024                          # unit of reductions


cdef Value prune_node(Node *node) noexcept nogil
cdef Value enhanced_cutoff(Node *node) noexcept nogil


cdef inline bint has_pieces(const Position *pos) noexcept nogil:
    return (pos.by_color[pos.side] & ~(pos.by_type[PAWN] | pos.by_type[KING])) != 0


cdef inline bint root_futility(const WorkerState *w, Value alpha) noexcept nogil:
    # At the root, in a pass that teaches nothing: alpha is so far above the static value that no move counts.
    return (w.params.root_futility and not w.learning and not w.exact
            and w.root.static_value != NO_VALUE and w.root.static_value + w.params.root_futility <= alpha)


cdef inline bint prune_quiet(Node *node, Move move, int number, int reduced, int score, bint check,
                             Value *best, bint *skip_quiet) noexcept nogil:
    # Whether a quiet move is not worth a search; raises *best to what the rule grants the move. reduced: the
    # depth after reductions. score: see `quiet_score`.
    cdef Value cap
    cdef int d = max(reduced, 0)
    # Late move pruning: the deeper, the more moves are tried, and half as many when the value does not rise.
    if (node.depth <= node.w.params.late_move_depth
            and number * (2 - node.improving) >= node.w.params.late_move_base + node.depth * node.depth):
        skip_quiet[0] = True            # this one is still searched by the rules below
    # Futility pruning: the static value is too far below alpha for a quiet move to make up.
    if d <= node.w.params.futility_depth and not check and not node.in_check:
        cap = node.static_value + node.w.params.futility_base + node.w.params.futility_margin * d
        if cap <= node.alpha and node.w.params.futility_depth:
            best[0] = max(best[0], cap)
            skip_quiet[0] = True
            return True
    # History pruning: such moves have failed before.
    if d <= node.w.params.history_depth and score < -node.w.params.history_margin * node.depth:
        return node.w.params.history_depth > 0
    # SEE pruning: the move loses material. Only where something can capture it, or looks through its square.
    if not node.ss.threats & (bit(move_from(move)) | bit(move_to(move))):
        return False
    return (node.w.params.see_depth and node.depth <= node.w.params.see_depth
            and not see_ge(node.pos, move, -node.w.params.see_quiet * d * d))


cdef inline bint prune_move(Node *node, Move move, int number, int reduction, int score, bint check,
                            bint sound, Value *best, bint *skip_quiet) noexcept nogil:
    # Whether a move is not worth a search. sound: a capture that is known to lose nothing.
    if node.w.exact or best[0] <= -TB_RANGE or not has_pieces(node.pos):
        return False
    if node.alpha < DRAW and may_be_drawn(node.pos, node.pos.side ^ 1, node.w.params.ending_pieces):
        return False
    if not is_tactical(move):
        return prune_quiet(node, move, number, node.depth - reduction // PLY, score, check, best, skip_quiet)
    return (not sound and node.w.params.see_depth and node.depth <= node.w.params.see_depth
            and not see_ge(node.pos, move, -node.w.params.see_capture * node.depth)
            and not robs_win(node.pos, move, node.w.params.ending_pieces))
