"""The recursion: one alpha-beta with null or open window, and the selective rules that search.

In exact mode (`w.exact`) no rule acts: full width, static leaves, frozen order, table entries of exactly this
depth.
"""

from _fast.movegen cimport generate, gives_check
from _fast.node cimport (
    ALL_NODE, CUT_NODE, FLAGGED, Node, RULE50_DANGER, TB_LOWER, TB_UPPER, copy_line, enter_child, enter_node,
    enter_null, exact_leaf, is_draw, probe_tablebases, set_static_values, start_picker,
)
from _fast.params cimport params
from _fast.picker cimport Picker, next_move, quiet_score, start
from _fast.position cimport (
    Position, fifty_key, is_irreversible, key_after, key_after_null, make, repetition_key,
    table_key_after_step,
)
from _fast.quiesce cimport quiesce
from _fast.rules cimport (
    PLY, has_pieces, learn, learn_gain, learn_static_error, prune_move, razor, reduction_of, reverse_futility,
)
from _fast.see cimport see_ge
from _fast.tt cimport Hit, NO_DEPTH, prefetch_entry, probe, store
from _fast.types cimport (
    DRAW, INFINITE, Key, MATE, MAX_MOVES, MAX_PLY, Move, NO_MOVE, NO_VALUE, TB_RANGE, is_tactical,
)
from _fast.worker cimport Frame

cdef enum:
    TRIED_MAX = 64                      # moves remembered per node, to be blamed when a later one cuts
    MARGIN_PARTS = 16                   # params.singular_margin counts sixteenths
    TABLEBASE_DEPTH = 6                 # plies more than asked for that a tablebase result counts as searched
    VERIFY_PARTS = 4                    # params.null_move_verify_free counts quarters


cdef Value null_move(Node *node) noexcept nogil:
    # If passing is good enough, moving is too (Beal 1989); zugzwang is guarded by material and, deep, by a
    # verification.
    cdef WorkerState *w = node.w
    cdef Frame *frame = node.frame
    cdef int reduction
    cdef Value value, verified
    if (not params.null_move_depth or node.depth < params.null_move_depth or node.best_guess < node.beta
            or node.static_value + params.null_move_slope * node.depth < node.beta + params.null_move_margin
            or (frame - 1).move == NO_MOVE and node.ply > 0 or node.ply < w.null_move_from
            or node.beta <= -TB_RANGE or not has_pieces(node.pos)):
        return NO_VALUE
    reduction = (params.null_move_base + node.depth // params.null_move_divisor
                 + min(params.null_move_eval_max, (node.best_guess - node.beta) // params.null_move_eval))
    enter_null(w, frame, node.ply)
    value = -test(w, 1 - node.beta, node.depth - reduction, node.ply + 1,
                  ALL_NODE if node.kind == CUT_NODE else CUT_NODE)
    if w.stopped or value < node.beta:
        return NO_VALUE
    if value >= TB_RANGE:
        value = node.beta               # a mate seen after passing proves nothing exact
    if node.depth < params.null_move_verify or w.null_move_from:
        return value
    w.null_move_from = node.ply + params.null_move_verify_free * (node.depth - reduction) // VERIFY_PARTS
    verified = test(w, node.beta, node.depth - reduction, node.ply, CUT_NODE)
    w.null_move_from = 0
    return value if verified >= node.beta else NO_VALUE


cdef Value probcut(Node *node) noexcept nogil:
    # A capture whose shallow search lies well above beta will hold in the deep one (Buro 1995).
    cdef WorkerState *w = node.w
    cdef Frame *frame = node.frame
    cdef Value goal = node.beta + params.probcut_margin - params.probcut_improving * node.improving
    cdef int depth = node.depth - params.probcut_reduction
    cdef Value value
    cdef Picker picker
    cdef Move move
    if (not params.probcut_depth or node.depth < params.probcut_depth or node.beta >= TB_RANGE
            or node.beta <= -TB_RANGE
            or node.hit.upper_depth >= depth and node.hit.upper < goal):
        return NO_VALUE
    start(&picker, node.pos, w.table, w.history, node.hit.move if node.table_capture else NO_MOVE, NULL,
          NO_MOVE, NULL, NULL, True, False)
    picker.see_margin = -max(0, goal - node.static_value)
    while True:
        move = next_move(&picker, True)
        if move == NO_MOVE:
            return NO_VALUE
        if move == frame.excluded or not is_tactical(move):
            continue
        enter_child(w, frame, move, node.ply, True)
        value = -quiesce(w, -goal, 1 - goal, 0, node.ply + 1)
        if value >= goal and depth > 1:
            value = -test(w, 1 - goal, depth, node.ply + 1, ALL_NODE if node.kind == CUT_NODE else CUT_NODE)
        if w.stopped:
            return NO_VALUE
        if value >= goal:
            store(w.table, node.key, node.ply, move, value, True, False, depth + 1, False,
                  node.raw_value)
            return value if value >= TB_RANGE else value - (goal - node.beta)


cdef Value enhanced_cutoff(Node *node) noexcept nogil:
    # Enhanced transposition cutoff (Plaat et al. 1996): does the table know a child that is good enough?
    cdef WorkerState *w = node.w
    cdef Move[MAX_MOVES] moves
    cdef Move *end = generate(node.pos, moves)
    cdef Key[MAX_MOVES] keys
    cdef Position *child = &node.frame[1].pos
    cdef Key clock = fifty_key(node.pos.rule50 + 1)
    cdef Hit hit
    cdef int i
    if node.pos.rule50 >= RULE50_DANGER:
        return NO_VALUE
    for i in range(<int> (end - moves)):
        keys[i] = key_after(node.pos, moves[i])
        if not is_irreversible(node.pos, moves[i]):
            keys[i] ^= clock
        prefetch_entry(w.table, keys[i])
    for i in range(<int> (end - moves)):
        probe(w.table, keys[i], node.ply + 1, &hit)
        if hit.upper_depth >= node.depth - 1 and -hit.upper >= node.beta and hit.found:
            make(node.pos, child, moves[i], True)
            w.keys[w.root_index + node.ply + 1] = repetition_key(child)
            if not is_draw(w, child, node.ply + 1):
                node.frame[1].line_length = 0
                copy_line(node.frame, moves[i])
                store(w.table, node.key, node.ply, moves[i], -hit.upper, True, False, node.depth, False,
                      node.raw_value)
                return -hit.upper
    return NO_VALUE


cdef Value prune_node(Node *node) noexcept nogil:
    # All whole-node rules, cheapest first.
    cdef Value value
    if node.beta > -TB_RANGE and node.alpha < TB_RANGE:
        value = razor(node)
        if value != NO_VALUE:
            return value
        value = reverse_futility(node)
        if value != NO_VALUE:
            return value
    value = null_move(node)
    if value != NO_VALUE:
        return value
    return probcut(node)


cdef int extension(Node *node, Move move, Value *cut) noexcept nogil:
    # Singular extension (Anantharaman, Campbell, Hsu 1990): is the table move much better than all others?
    # Plies: 1, 2 where it stands far apart, -1 where it does not and is expected to cut anyway. The search
    # without it may also show that another move cuts as well: then *cut gets the value.
    cdef Value bound, value
    cdef WorkerState *w = node.w
    if (w.exact or not params.singular_depth or node.depth < params.singular_depth or move != node.hit.move
            or node.frame.excluded != NO_MOVE or node.hit.lower_depth < node.depth - params.singular_gap
            or node.ply >= params.extension_limit * w.root_depth or node.hit.lower >= TB_RANGE
            or node.hit.lower <= -TB_RANGE or node.hit.lower + params.singular_reach < node.beta):
        return 0
    bound = node.hit.lower - params.singular_margin * node.depth // MARGIN_PARTS
    node.frame.excluded = move
    value = test(w, bound, (node.depth - 1) // params.singular_divisor, node.ply,
                 ALL_NODE if node.kind == ALL_NODE else CUT_NODE)
    node.frame.excluded = NO_MOVE
    if w.stopped:
        return 0
    if value < bound:
        return 2 if node.kind != FLAGGED and value < bound - params.singular_double else 1
    if node.kind == FLAGGED:
        return 0                        # a null window may not make a principal node cheaper
    if bound >= node.beta:
        cut[0] = bound                  # two moves that cut: believe it (multi-cut)
        return 0
    return -1 if node.hit.lower >= node.beta or node.kind == CUT_NODE else 0


cdef inline Value search_child(Node *node, Value alpha, Value beta, int depth, int kind) noexcept nogil:
    return -alpha_beta(node.w, -beta, -alpha, depth, node.ply + 1, kind)


cdef Value search_move(Node *node, Value alpha, int number, int depth, int reduction) noexcept nogil:
    # The value of the move just made: the first one with the node's own window, later ones by a
    # (reduced) scout first, which has the last word where the node's own window is null.
    cdef WorkerState *w = node.w
    cdef bint flagged = node.kind == FLAGGED
    cdef int other = ALL_NODE if node.kind == CUT_NODE else CUT_NODE
    cdef int reduced
    cdef Value value
    if number == 1 or not w.scout:
        return search_child(node, alpha, node.beta, depth, FLAGGED if flagged else other)
    if not w.exact and params.lmr_depth and node.depth >= params.lmr_depth and number > 1 + flagged:
        if node.frame[1].pos.checkers:
            reduction -= params.lmr_check
        reduced = min(max(1, depth - reduction // PLY), depth)
        value = search_child(node, alpha, alpha + 1, reduced, CUT_NODE)
        if value > alpha and reduced < depth and not w.stopped:
            value = search_child(node, alpha, alpha + 1, depth, other)
    else:
        value = search_child(node, alpha, alpha + 1, depth, other)
    if (flagged and value > alpha and not w.stopped and node.beta > node.alpha + 1
            and (not w.exact or value < node.beta)):
        value = search_child(node, alpha, node.beta, depth, FLAGGED)
    return value


cdef inline Value no_moves(Node *node) noexcept nogil:
    # Mate, stalemate, or a singular search that has nothing else to try.
    cdef Value value
    if node.frame.excluded != NO_MOVE:
        return node.alpha
    value = -MATE + node.ply if node.in_check else DRAW
    if node.w.exact:
        return exact_leaf(node.w, node.pos, node.key, node.ply, node.depth, value)
    return value


cdef Value search_moves(Node *node) noexcept nogil:
    # Tries the moves in order; records bounds, line and lessons.
    cdef WorkerState *w = node.w
    cdef Frame *frame = node.frame
    cdef Move move, best_move = NO_MOVE
    cdef Move[TRIED_MAX] tried
    cdef Picker picker
    cdef int number = 0, tried_count = 0, extra, reduction, score
    cdef bint check, skip_quiet = False
    cdef Value alpha = node.alpha
    cdef Value best = -INFINITE
    cdef Value value, cut = NO_VALUE
    cdef int outer_path = w.path_ply
    cdef bint from_path
    w.path_ply = MAX_PLY
    start_picker(&picker, node, node.hit.move, False)
    frame[1].killers[0] = frame[1].killers[1] = NO_MOVE
    while True:
        move = next_move(&picker, skip_quiet)
        if move == NO_MOVE:
            break
        if move == frame.excluded:
            continue
        check = gives_check(node.pos, move)
        number += 1
        reduction = 0
        if number > 1 and not w.exact:
            score = 0 if is_tactical(move) else quiet_score(&picker, move)
            reduction = reduction_of(node, move, number, score)
            if prune_move(node, move, number, reduction, score, check, picker.sound, &best,
                          &skip_quiet):
                continue
        extra = extension(node, move, &cut)
        if w.stopped:
            return DRAW
        if cut != NO_VALUE:
            w.path_ply = min(outer_path, w.path_ply)
            return cut
        if (check and params.check_extension and extra == 0 and not w.exact
                and node.ply < params.extension_limit * w.root_depth and see_ge(node.pos, move, 0)):
            extra = params.check_extension
        enter_child(w, frame, move, node.ply, check)
        value = search_move(node, alpha, number, node.depth - 1 + extra, reduction)
        if w.stopped:
            return DRAW
        if value > best:
            if value <= alpha and best <= -TB_RANGE and node.kind == FLAGGED:
                copy_line(frame, move)  # the reply to expect: the first one, unless that is mated
            best = value
            if value > alpha:
                best_move = move
                copy_line(frame, move)
                if value >= node.beta:
                    break
                alpha = value
        if tried_count < TRIED_MAX:
            tried[tried_count] = move
            tried_count += 1
    from_path = best == DRAW and w.path_ply < node.ply and params.path_draws
    w.path_ply = min(outer_path, w.path_ply if w.path_ply < node.ply else MAX_PLY)
    if number == 0:
        return no_moves(node)
    if frame.excluded != NO_MOVE:
        return best
    if not w.exact and w.near:
        if best >= node.beta:
            learn(node, best_move, tried, tried_count)
        learn_static_error(node, best, best_move, node.alpha)
    if from_path:
        return best
    store(w.table, node.key, node.ply, best_move if w.near else NO_MOVE, best, best > node.alpha,
          best < node.beta, node.depth, node.kind == FLAGGED, node.raw_value)
    return best


cdef inline void prefetch_first(const Node *node) noexcept nogil:
    # The children most likely to be asked for first.
    if node.kind != FLAGGED and node.depth >= params.null_move_depth:
        prefetch_entry(node.w.table, key_after_null(node.pos) ^ fifty_key(node.pos.rule50 + 1))
    if node.hit.move != NO_MOVE:
        prefetch_entry(node.w.table, table_key_after_step(node.pos, node.hit.move))


cdef inline Value search_node(Node *node) noexcept nogil:
    # A node that has no answer yet: whole-node rules, then its moves.
    cdef WorkerState *w = node.w
    cdef Value value
    w.selective_depth = max(w.selective_depth, node.ply)
    prefetch_first(node)
    if node.frame.excluded != NO_MOVE:
        node.raw_value = node.static_value = node.best_guess = node.frame.static_value
    else:
        set_static_values(node)
        if not node.hit.found and not node.in_check:    # a fifth of all evaluations would be repetitions
            store(w.table, node.key, node.ply, NO_MOVE, DRAW, False, False, NO_DEPTH, False, node.raw_value)
            learn_gain(node)
    node.improving = (not node.in_check and (node.frame - 2).static_value != NO_VALUE
                      and node.static_value > (node.frame - 2).static_value)
    if node.kind != FLAGGED and not node.in_check and node.frame.excluded == NO_MOVE:
        value = prune_node(node)
        if w.stopped:
            return DRAW
        if value != NO_VALUE:
            return value
    if (node.kind == CUT_NODE and params.etc_depth and node.depth >= params.etc_depth
            and node.frame.excluded == NO_MOVE):
        value = enhanced_cutoff(node)
        if value != NO_VALUE:
            return value
    if (params.iir_depth and node.depth >= params.iir_depth and node.kind != ALL_NODE
            and node.hit.move == NO_MOVE and node.frame.excluded == NO_MOVE):
        node.depth -= 1                 # a cheaper visit finds the move for the next one
    return search_moves(node)


cdef Value within_tablebases(Node *node, int bounds, Value bound, Value value) noexcept nogil:
    # The value searched for beyond what tablebases prove (a mate, or none): not on the wrong side of that.
    if node.w.stopped or (value >= bound if bounds == TB_LOWER else value <= bound):
        return value
    store(node.w.table, node.key, node.ply, NO_MOVE, bound, True, True, node.depth, node.kind == FLAGGED,
          node.raw_value)
    return bound


cdef Value alpha_beta(WorkerState *w, Value alpha, Value beta, int depth, int ply, int kind) noexcept nogil:
    cdef Node node
    cdef Value value, bound
    cdef int bounds = 0
    if depth <= 0 and not w.exact:
        return quiesce(w, alpha, beta, 0, ply)
    if enter_node(&node, w, alpha, beta, depth, ply, kind, &value):
        return value
    if w.exact:
        node.static_value = NO_VALUE
        return search_moves(&node)
    if w.probe_pieces and node.pos.rule50 == 0:         # after a capture or a pawn move
        bounds = probe_tablebases(&node, &bound)
        if (bounds == TB_LOWER | TB_UPPER or bounds & TB_LOWER and bound >= node.beta
                or bounds & TB_UPPER and bound <= node.alpha):
            store(w.table, node.key, ply, NO_MOVE, bound, bounds & TB_LOWER, bounds & TB_UPPER,
                  min(depth + TABLEBASE_DEPTH, MAX_PLY - 1), True, NO_VALUE)
            return bound
    value = search_node(&node)
    return within_tablebases(&node, bounds, bound, value) if bounds else value


cdef Value test(WorkerState *w, Value gamma, int depth, int ply, int kind) noexcept nogil:
    return alpha_beta(w, gamma - 1, gamma, depth, ply, kind)
