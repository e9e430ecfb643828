"""The recursion: one alpha-beta with null or open window.

In exact mode (`w.exact`) no rule acts: full width, static leaves, frozen order, table entries of exactly this
depth.
"""

cimport _fast.search.node as node_module
from _fast.board.movegen cimport gives_check
from _fast.board.position cimport fifty_key, key_after_null, table_key_after_step
from _fast.board.see cimport see_ge
from _fast.search.node cimport (
    ALL_NODE, CUT_NODE, Node, PV_NODE, copy_line, enter_child, enter_node, exact_leaf, probe_tablebases, save,
    set_static_values, start_picker,
)
from _fast.search.picker cimport Picker, next_move, quiet_score
from _fast.search.pruning cimport PLY, enhanced_cutoff, prune_move, prune_node
from _fast.search.quiesce cimport quiesce
from _fast.search.reductions cimport extension, reduction_of
from _fast.search.tt cimport EXACT, LOWER, NO_BOUND, NO_DEPTH, TTRecord, UPPER, prefetch_entry, store
from _fast.search.updates cimport update_correction, update_gain, update_histories
from _fast.search.worker cimport Stack
from _fast.types cimport DRAW, INFINITE, MATE, MAX_PLY, Move, NO_MOVE, NO_VALUE, TB_RANGE, is_tactical

cdef enum:
    TABLEBASE_DEPTH = 6                 # plies more than asked for that a tablebase result counts as searched
    TRIED_MAX = 64                      # moves remembered per node, to get a malus when a later one cuts off


cdef inline Value search_child(Node *node, Value alpha, Value beta, int depth, int kind) noexcept nogil:
    return -alpha_beta(node.w, -beta, -alpha, depth, node.ply + 1, kind)


cdef Value search_move(Node *node, Value alpha, int number, int depth, int reduction) noexcept nogil:
    # The value of the move just made. The first move gets the node's own window. Later moves get a null
    # window first, a scout, reduced where that is allowed. In null-window nodes the scout's fail-high is
    # final: there is no re-search as PV node.
    cdef WorkerState *w = node.w
    cdef bint pv = node.kind == PV_NODE
    cdef int other = ALL_NODE if node.kind == CUT_NODE else CUT_NODE
    cdef int reduced
    cdef Value value
    if number == 1 or not w.scout:
        return search_child(node, alpha, node.beta, depth, PV_NODE if pv else other)
    if not w.exact and w.params.lmr_depth and node.depth >= w.params.lmr_depth and number > 1 + pv:
        if node.ss[1].pos.checkers:
            reduction -= w.params.lmr_check
        reduced = min(max(1, depth - reduction // PLY), depth)
        value = search_child(node, alpha, alpha + 1, reduced, CUT_NODE)
        if value > alpha and reduced < depth and not w.stopped:
            value = search_child(node, alpha, alpha + 1, depth, other)
    else:
        value = search_child(node, alpha, alpha + 1, depth, other)
    if (pv and value > alpha and not w.stopped and node.beta > node.alpha + 1
            and (not w.exact or value < node.beta)):
        value = search_child(node, alpha, node.beta, depth, PV_NODE)
    return value


cdef inline Value no_moves(Node *node) noexcept nogil:
    # Mate, stalemate, or a singular search that has nothing else to try.
    cdef Value value
    if node.ss.excluded != NO_MOVE:
        return node.alpha
    value = -MATE + node.ply if node.in_check else DRAW
    if node.w.exact:
        return exact_leaf(node.w, node.pos, node.key, node.ply, node.depth, value)
    return value


cdef Value search_moves(Node *node) noexcept nogil:
    # Tries the moves in order; stores the bounds, the line, and what the histories learn.
    cdef WorkerState *w = node.w
    cdef Stack *ss = node.ss
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
    start_picker(&picker, node, node.tt.move, False)
    ss[1].killers[0] = ss[1].killers[1] = NO_MOVE
    while True:
        move = next_move(&picker, skip_quiet)
        if move == NO_MOVE:
            break
        if move == ss.excluded:
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
        if (check and w.params.check_extension and extra == 0 and not w.exact
                and node.ply < w.params.extension_limit * w.root_depth and see_ge(node.pos, move, 0)):
            extra = w.params.check_extension
        enter_child(w, ss, move, node.ply, check)
        value = search_move(node, alpha, number, node.depth - 1 + extra, reduction)
        if w.stopped:
            return DRAW
        if value > best:
            if value <= alpha and best <= -TB_RANGE and node.kind == PV_NODE:
                copy_line(ss, move)     # the reply to expect: the first one, unless that is mated
            best = value
            if value > alpha:
                best_move = move
                copy_line(ss, move)
                if value >= node.beta:
                    break
                alpha = value
        if tried_count < TRIED_MAX:
            tried[tried_count] = move
            tried_count += 1
    from_path = best == DRAW and w.path_ply < node.ply and w.params.path_draws
    w.path_ply = min(outer_path, w.path_ply if w.path_ply < node.ply else MAX_PLY)
    if number == 0:
        return no_moves(node)
    if ss.excluded != NO_MOVE:
        return best
    if not w.exact and w.learning:
        if best >= node.beta:
            update_histories(node, best_move, tried, tried_count)
        update_correction(node, best, best_move, node.alpha)
    if from_path:
        return best
    save(node, best_move if w.learning else NO_MOVE, best,
         LOWER * (best > node.alpha) | UPPER * (best < node.beta), node.depth)
    return best


cdef inline void prefetch_first(const Node *node) noexcept nogil:
    # The children most likely to be asked for first.
    if node.kind != PV_NODE and node.depth >= node.w.params.null_move_depth:
        prefetch_entry(node.w.table, key_after_null(node.pos) ^ fifty_key(node.pos.rule50 + 1))
    if node.tt.move != NO_MOVE:
        prefetch_entry(node.w.table, table_key_after_step(node.pos, node.tt.move))


cdef inline Value search_node(Node *node) noexcept nogil:
    # A node that has no answer yet: whole-node rules, then its moves.
    cdef WorkerState *w = node.w
    cdef Value value
    w.selective_depth = max(w.selective_depth, node.ply)
    prefetch_first(node)
    if node.ss.excluded != NO_MOVE:
        node.raw_value = node.static_value = node.estimate = node.ss.static_value
    else:
        set_static_values(node)
        if not node.tt.found and not node.in_check:     # saves a fifth of all evaluations
            save(node, NO_MOVE, DRAW, NO_BOUND, NO_DEPTH)
            update_gain(node)
    node.improving = (not node.in_check and (node.ss - 2).static_value != NO_VALUE
                      and node.static_value > (node.ss - 2).static_value)
    if node.kind != PV_NODE and not node.in_check and node.ss.excluded == NO_MOVE:
        value = prune_node(node)
        if w.stopped:
            return DRAW
        if value != NO_VALUE:
            return value
    if (node.kind == CUT_NODE and w.params.etc_depth and node.depth >= w.params.etc_depth
            and node.ss.excluded == NO_MOVE):
        value = enhanced_cutoff(node)
        if value != NO_VALUE:
            return value
    if (w.params.iir_depth and node.depth >= w.params.iir_depth and node.kind != ALL_NODE
            and node.tt.move == NO_MOVE and node.ss.excluded == NO_MOVE):
        node.depth -= 1                 # internal iterative reduction: a cheaper visit finds the move
    return search_moves(node)


cdef Value within_tablebases(Node *node, int bounds, Value bound, Value value) noexcept nogil:
    # The value searched for beyond what tablebases prove (a mate, or none): not on the wrong side of that.
    if node.w.stopped or (value >= bound if bounds == LOWER else value <= bound):
        return value
    save(node, NO_MOVE, bound, EXACT, node.depth)
    return bound


cdef Value alpha_beta(WorkerState *w, Value alpha, Value beta, int depth, int ply, int kind) noexcept nogil:
    cdef Node node
    cdef Value value, bound
    cdef int bounds = 0
    cdef TTRecord record
    if depth <= 0 and not w.exact:
        return quiesce(w, alpha, beta, 0, ply)
    if enter_node(&node, w, alpha, beta, depth, ply, kind, &value):
        return value
    if w.exact:
        node.static_value = NO_VALUE
        return search_moves(&node)
    if w.probe_pieces and node.pos.rule50 == 0:         # after a capture or a pawn move
        bounds = probe_tablebases(&node, &bound)
        if (bounds == EXACT or bounds & LOWER and bound >= node.beta
                or bounds & UPPER and bound <= node.alpha):
            record = TTRecord(NO_MOVE, bound, bounds, min(depth + TABLEBASE_DEPTH, MAX_PLY - 1), True,
                              NO_VALUE)
            store(w.table, node.key, ply, &record)
            return bound
    value = search_node(&node)
    return within_tablebases(&node, bounds, bound, value) if bounds else value


cdef Value test(WorkerState *w, Value gamma, int depth, int ply, int kind) noexcept nogil:
    return alpha_beta(w, gamma - 1, gamma, depth, ply, kind)


node_module.null_window_test = test     # rules that search stand below this module
