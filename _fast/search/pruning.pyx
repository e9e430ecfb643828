"""Pruning of whole nodes: razoring, reverse futility, null move, ProbCut, enhanced transposition cutoffs."""

from sssnake._fast.board.movegen cimport generate
from sssnake._fast.board.position cimport (
    MAY_CHECK, fifty_key, is_irreversible, key_after, make, repetition_key,
)
from sssnake._fast.evaluation.endings cimport win_needs_pawn
from sssnake._fast.search.node cimport (
    ALL_NODE, CUT_NODE, RULE50_DANGER, copy_line, enter_child, enter_null, is_draw, null_window_test, save,
    start_picker,
)
from sssnake._fast.search.params cimport Params
from sssnake._fast.search.picker cimport NO_QUIET, Picker, next_move
from sssnake._fast.search.quiesce cimport quiesce
from sssnake._fast.search.tt cimport LOWER, TTData, prefetch_entry, probe
from sssnake._fast.types cimport DRAW, Key, MAX_MOVES, NO_MOVE

cdef enum:
    VERIFY_PARTS = 4                    # params.null_move_verify_free is in quarters


cdef inline int opposite(int kind) noexcept nogil:
    # The kind of node expected after a move, or a null move, from a node that is not a PV node.
    return ALL_NODE if kind == CUT_NODE else CUT_NODE


cdef Value razor(Node *node) noexcept nogil:
    # Razoring: at low depth and far below alpha, quiescence decides whether a capture makes up for it.
    cdef const Params *params = node.w.params
    cdef Value value
    if (node.depth > params.razoring_depth
            or node.estimate + params.razoring_margin * node.depth > node.alpha
            or node.alpha < DRAW and win_needs_pawn(node.pos, node.pos.side ^ 1, params.ending_pieces)):
        return NO_VALUE
    value = quiesce(node.w, node.alpha, node.alpha + 1, 0, node.ply)
    return value if value <= node.alpha else NO_VALUE


cdef Value reverse_futility(const Node *node) noexcept nogil:
    # Reverse futility: at low depth, a value far above beta cuts off. The bound lies between beta and the
    # estimate. In a pass far from the value beta says nothing: it is the estimate less the margin.
    cdef const Params *params = node.w.params
    cdef Value margin
    if node.depth > params.reverse_futility_depth or node.estimate >= TB_RANGE:
        return NO_VALUE
    margin = params.reverse_futility_margin * node.depth - params.reverse_futility_improving * node.improving
    if (node.estimate - margin < node.beta
            or node.beta > DRAW and win_needs_pawn(node.pos, node.pos.side, params.ending_pieces)):
        return NO_VALUE
    if not node.w.learning:
        return node.estimate - margin
    return node.beta + (node.estimate - node.beta) // params.reverse_futility_trust


cdef Value null_move(Node *node) noexcept nogil:
    # Null move (Beal 1989): if passing reaches beta, a move does too. Against zugzwang: the side to move
    # needs a piece, and at high depth a search without null moves verifies the cutoff.
    cdef WorkerState *w = node.w
    cdef const Params *params = w.params
    cdef int reduction
    cdef Value value, verified
    if (not params.null_move_depth or node.depth < params.null_move_depth or node.estimate < node.beta
            or node.static_value + params.null_move_slope * node.depth < node.beta + params.null_move_margin
            or (node.ss - 1).move == NO_MOVE and node.ply > 0 or node.ply < w.null_move_from
            or node.beta <= -TB_RANGE or not has_pieces(node.pos)):
        return NO_VALUE
    reduction = (params.null_move_base + node.depth // params.null_move_divisor
                 + min(params.null_move_eval_max, (node.estimate - node.beta) // params.null_move_eval))
    enter_null(w, node.ss, node.ply)
    value = -null_window_test(w, 1 - node.beta, node.depth - reduction, node.ply + 1, opposite(node.kind))
    if w.stopped or value < node.beta:
        return NO_VALUE
    if value >= TB_RANGE:
        value = node.beta               # a mate found after a null move is no proof of a mate
    if node.depth < params.null_move_verify or w.null_move_from:
        return value
    w.null_move_from = node.ply + params.null_move_verify_free * (node.depth - reduction) // VERIFY_PARTS
    verified = null_window_test(w, node.beta, node.depth - reduction, node.ply, CUT_NODE)
    w.null_move_from = 0
    return value if verified >= node.beta else NO_VALUE


cdef Value probcut(Node *node) noexcept nogil:
    # ProbCut (Buro 1995): a capture that is well above beta in a shallow search is above beta in a deep one.
    cdef WorkerState *w = node.w
    cdef const Params *params = w.params
    cdef Value goal = node.beta + params.probcut_margin - params.probcut_improving * node.improving
    cdef int depth = node.depth - params.probcut_reduction
    cdef Value value
    cdef Picker picker
    cdef Move move
    if (not params.probcut_depth or node.depth < params.probcut_depth or node.beta >= TB_RANGE
            or node.beta <= -TB_RANGE
            or node.tt.upper_depth >= depth and node.tt.upper < goal):
        return NO_VALUE
    start_picker(&picker, node, True, -max(0, goal - node.static_value))
    while True:
        move = next_move(&picker, NO_QUIET)
        if move == NO_MOVE:
            return NO_VALUE
        if move == node.ss.excluded or not is_tactical(move):
            continue
        enter_child(w, node.ss, move, node.ply, MAY_CHECK)
        value = -quiesce(w, -goal, 1 - goal, 0, node.ply + 1)
        if value >= goal and depth > 1 and not w.stopped:
            value = -null_window_test(w, 1 - goal, depth, node.ply + 1, opposite(node.kind))
        if w.stopped:
            return NO_VALUE
        if value >= goal:
            save(node, move, value, LOWER, depth + 1)
            return value if value >= TB_RANGE else value - (goal - node.beta)


cdef Value prune_node(Node *node) noexcept nogil:
    # All rules for whole nodes, the cheapest first.
    cdef Value value
    if node.beta > -TB_RANGE and node.alpha < TB_RANGE:
        value = razor(node)
        if value != NO_VALUE or node.w.stopped:
            return value
        value = reverse_futility(node)
        if value != NO_VALUE:
            return value
    value = null_move(node)
    if value != NO_VALUE or node.w.stopped:
        return value
    return probcut(node)


cdef Value enhanced_cutoff(Node *node) noexcept nogil:
    # Enhanced transposition cutoff (Plaat et al. 1996): a child's entry in the transposition table may prove
    # a value of at least beta.
    cdef WorkerState *w = node.w
    cdef Move[MAX_MOVES] moves
    cdef Move *end = generate(node.pos, moves)
    cdef Key[MAX_MOVES] keys
    cdef Position *child = &node.ss[1].pos
    cdef Key clock = fifty_key(node.pos.rule50 + 1)
    cdef TTData tt
    cdef int i
    if node.pos.rule50 >= RULE50_DANGER:
        return NO_VALUE
    for i in range(<int> (end - moves)):
        keys[i] = key_after(node.pos, moves[i])
        if not is_irreversible(node.pos, moves[i]):
            keys[i] ^= clock
        prefetch_entry(w.table, keys[i])
    for i in range(<int> (end - moves)):
        probe(w.table, keys[i], node.ply + 1, &tt)
        if tt.upper_depth >= node.depth - 1 and -tt.upper >= node.beta and tt.found:
            make(node.pos, child, moves[i], MAY_CHECK)
            w.keys[w.root_index + node.ply + 1] = repetition_key(child)
            if not is_draw(w, child, node.ply + 1):
                node.ss[1].line_length = 0
                copy_line(node.ss, moves[i])
                save(node, moves[i], -tt.upper, LOWER, node.depth)
                return -tt.upper
    return NO_VALUE
