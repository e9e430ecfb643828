# The pruning rules: which nodes and which moves are not searched. The names of a rule's parameters begin with
# the rule's name (parameters.py). A rule for nodes returns a bound of the value, or NO_VALUE to search on.
#
# What holds of such a bound: the rule has a reason for it in the window at hand, and it claims one side of
# that window, at least beta or at most alpha. How far beyond may depend on the window (reverse futility's
# lies between beta and the estimate); so two windows may get two bounds, and both are claims of the rule.

from sssnake._fast.board.position cimport Position
from sssnake._fast.board.see cimport see_ge
from sssnake._fast.evaluation.endings cimport may_capture_draw, win_needs_pawn
from sssnake._fast.search.node cimport Node
from sssnake._fast.search.picker cimport NO_QUIET
from sssnake._fast.search.worker cimport WorkerState
from sssnake._fast.types cimport (
    DRAW, KING, Move, NO_VALUE, PAWN, TB_RANGE, Value, bit, is_tactical, move_from, move_to,
)

cdef enum:
    PLY = 1024                          # unit of reductions


cdef struct MoveLoop:                   # of one node: the move at hand, and the results so far
    Move move
    int number                          # of the move: 1 is the first
    bint check                          # it gives check
    bint good_capture                   # the picker found SEE >= -see_margin
    int reduction                       # late move reduction, 1/1024 ply
    int score                           # of a quiet move: see `quiet_score`
    bint skip_quiet                     # argument of `next_move`
    Value alpha                         # raised by values found
    Value best                          # best value so far, or bound of a pruned move's
    Move best_move                      # that raised alpha; NO_MOVE: none


cdef Value prune_node(Node *node) noexcept nogil
cdef Value enhanced_cutoff(Node *node) noexcept nogil


cdef inline bint has_pieces(const Position *pos) noexcept nogil:
    return (pos.by_color[pos.side] & ~(pos.by_type[PAWN] | pos.by_type[KING])) != 0


cdef inline bint prune_quiet(Node *node, MoveLoop *loop) noexcept nogil:
    # Whether a quiet move is pruned. Raises loop.best to the bound that futility pruning gives its value.
    cdef Value bound
    cdef int d = max(node.depth - loop.reduction // PLY, 0)
    # Late move pruning: the deeper, the more moves are searched; half as many if not improving.
    if (node.depth <= node.w.params.late_move_depth
            and loop.number * (2 - node.improving) >= node.w.params.late_move_base + node.depth * node.depth):
        # From the next move on; this one is left to the rules below.
        loop.skip_quiet = NO_QUIET
    # Futility pruning: the static value is too far below alpha for a quiet move.
    if d <= node.w.params.futility_depth and not loop.check and not node.in_check:
        bound = node.static_value + node.w.params.futility_base + node.w.params.futility_margin * d
        if bound <= node.alpha and node.w.params.futility_depth:
            loop.best = max(loop.best, bound)
            loop.skip_quiet = NO_QUIET
            return True
    # History pruning: the move has failed in other nodes.
    if d <= node.w.params.history_depth and loop.score < -node.w.params.history_margin * node.depth:
        return node.w.params.history_depth > 0
    # SEE pruning: the move loses material. That needs an enemy attack on one of its squares.
    if not node.ss.threats & (bit(move_from(loop.move)) | bit(move_to(loop.move))):
        return False
    return (node.w.params.see_depth and node.depth <= node.w.params.see_depth
            and not see_ge(node.pos, loop.move, -node.w.params.see_quiet * d * d))


cdef inline bint prune_move(Node *node, MoveLoop *loop) noexcept nogil:
    # Whether the move at hand, which is not the first one, is pruned.
    if node.w.exact or loop.best <= -TB_RANGE or not has_pieces(node.pos):
        return False
    if node.alpha < DRAW and win_needs_pawn(node.pos, node.pos.side ^ 1, node.w.params.ending_pieces):
        return False
    if not is_tactical(loop.move):
        return prune_quiet(node, loop)
    return (not loop.good_capture and node.w.params.see_depth and node.depth <= node.w.params.see_depth
            and not see_ge(node.pos, loop.move, -node.w.params.see_capture * node.depth)
            and not may_capture_draw(node.pos, loop.move, node.w.params.ending_pieces))
