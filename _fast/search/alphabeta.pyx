"""The recursive search: one alpha-beta for null and open windows.

A node below the root, in the order of its steps:

 1. depth 0: quiescence instead             quiesce (quiesce.pyx)
 2. draws, mate distance, table cutoffs     enter_node (node.pyx)
 3. tablebases                              probe_tablebases (node.pyx)
 4. static value, corrected                 set_static_values (node.pyx)
 5. razoring, reverse futility, null
    move, ProbCut                           prune_node (pruning.pyx)
 6. enhanced transposition cutoff           enhanced_cutoff (pruning.pyx), at cut nodes
 7. internal iterative reduction            search_node
 8. the next move                           next_move (picker.pyx)
 9. rules for one move                      prune_move (pruning.pxd)
10. extensions, and the cut of several      extension (reductions.pxd)
11. late move reduction                     reduction_of (reductions.pxd)
12. scout search, and re-searches           search_move
13. bounds, best line, cutoff               fails_high
14. histories, correction, the table        finish (updates.pyx, save in node.pyx)

In exact mode (`w.exact`) steps 1, 3 to 7, 9 to 11 and the updates of 14 are left out: full width, static
leaves, moves in generation order, entries of the transposition table for exactly this depth.
"""

cimport sssnake._fast.search.node as node_module
from sssnake._fast.board.movegen cimport gives_check
from sssnake._fast.board.position cimport fifty_key, key_after_null, table_key_after_step
from sssnake._fast.contracts cimport check_bound, check_ply, check_window
from sssnake._fast.search.node cimport (
    ALL_NODE, CUT_NODE, Node, PV_NODE, copy_line, enter_child, enter_node, exact_leaf, probe_tablebases, save,
    set_static_values, start_picker,
)
from sssnake._fast.search.picker cimport ALL_MOVES, Picker, next_move, quiet_score
from sssnake._fast.search.pruning cimport MoveLoop, PLY, enhanced_cutoff, prune_move, prune_node
from sssnake._fast.search.quiesce cimport quiesce
from sssnake._fast.search.reductions cimport extension, reduction_of
from sssnake._fast.search.tt cimport EXACT, LOWER, NO_BOUND, NO_DEPTH, TTRecord, UPPER, prefetch_entry, store
from sssnake._fast.search.updates cimport update_correction, update_gain, update_histories
from sssnake._fast.search.worker cimport Stack
from sssnake._fast.types cimport DRAW, INFINITE, MATE, MAX_PLY, Move, NO_MOVE, NO_VALUE, TB_RANGE, is_tactical

cdef enum:
    TABLEBASE_DEPTH = 6                 # plies: a tablebase result is stored with the node's depth plus this
    TRIED_MAX = 64                      # moves a node: those that get a malus when a later one cuts off


cdef inline Value search_child(Node *node, Value alpha, Value beta, int depth, int kind) noexcept nogil:
    return -alpha_beta(node.w, -beta, -alpha, depth, node.ply + 1, kind)


cdef Value search_move(Node *node, Value alpha, int number, int depth, int reduction) noexcept nogil:
    # Returns the value of the move just made. The first move gets the node's own window. Later moves get a
    # null window first (a scout search), at reduced depth where late move reductions apply. In null-window
    # nodes the scout's fail-high is final: there is no re-search as PV node.
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
    # Returns the value of mate or stalemate; alpha in a singular search without other moves.
    cdef Value value
    if node.ss.excluded != NO_MOVE:
        return node.alpha
    value = -MATE + node.ply if node.in_check else DRAW
    if node.w.exact:
        return exact_leaf(node.w, node.pos, node.key, node.ply, node.depth, value)
    return value


cdef inline bint skips(Node *node, MoveLoop *loop, const Picker *picker) noexcept nogil:
    # Sets the reduction of the move at hand; True: a rule prunes it.
    loop.reduction = 0
    if loop.number == 1 or node.w.exact:
        return False
    loop.score = 0 if is_tactical(loop.move) else quiet_score(picker, loop.move)
    loop.reduction = reduction_of(node, loop.move, loop.number, loop.score)
    loop.good_capture = picker.good_capture
    return prune_move(node, loop)


cdef inline bint fails_high(Node *node, MoveLoop *loop, Value value) noexcept nogil:
    # Takes over the value of the move at hand, and its line if it is the best so far; True: at least beta.
    if value <= loop.best:
        return False
    if value <= loop.alpha and loop.best <= -TB_RANGE and node.kind == PV_NODE:
        copy_line(node.ss, loop.move)   # below alpha the line begins with the first move that is not mated
    loop.best = value
    if value <= loop.alpha:
        return False
    loop.best_move = loop.move
    copy_line(node.ss, loop.move)
    if value >= node.beta:
        return True
    loop.alpha = value
    return False


cdef inline Value finish(Node *node, const MoveLoop *loop, const Move *tried, int tried_count,
                         bint from_path) noexcept nogil:
    # All moves are done: updates the histories, stores the bounds, and returns the value.
    # from_path: it is a draw that rests on a repetition of the path to this node.
    cdef WorkerState *w = node.w
    cdef Value best = loop.best
    if loop.number == 0:
        return no_moves(node)
    if node.ss.excluded != NO_MOVE:
        return best
    if not w.exact and w.learning:
        if best >= node.beta:
            update_histories(node, loop.best_move, tried, tried_count)
        update_correction(node, best, loop.best_move, node.alpha)
    if not from_path:
        save(node, loop.best_move if w.learning else NO_MOVE, best,
             LOWER * (best > node.alpha) | UPPER * (best < node.beta), node.depth)
    return best


cdef Value search_moves(Node *node) noexcept nogil:
    # Searches the moves in the picker's order.
    cdef WorkerState *w = node.w
    cdef Stack *ss = node.ss
    cdef Picker picker
    cdef MoveLoop loop
    cdef Move[TRIED_MAX] tried
    cdef int tried_count = 0, extra
    cdef int outer_path = w.path_ply
    cdef bint from_path
    cdef Value value, cut = NO_VALUE
    w.path_ply = MAX_PLY
    start_picker(&picker, node, False, 0)
    ss[1].killers[0] = ss[1].killers[1] = NO_MOVE
    loop.alpha = node.alpha
    loop.best = -INFINITE
    loop.best_move = NO_MOVE
    loop.number = 0
    loop.skip_quiet = ALL_MOVES
    while True:
        loop.move = next_move(&picker, loop.skip_quiet)
        if loop.move == NO_MOVE:
            break
        if loop.move == ss.excluded:
            continue
        loop.number += 1
        loop.check = gives_check(node.pos, loop.move)
        if skips(node, &loop, &picker):
            continue
        extra = extension(node, loop.move, loop.check, &cut)
        if w.stopped:
            return DRAW
        if cut != NO_VALUE:
            w.path_ply = min(outer_path, w.path_ply)
            return cut
        enter_child(w, ss, loop.move, node.ply, loop.check)
        value = search_move(node, loop.alpha, loop.number, node.depth - 1 + extra, loop.reduction)
        if w.stopped:
            return DRAW
        if fails_high(node, &loop, value):
            break
        if tried_count < TRIED_MAX:
            tried[tried_count] = loop.move
            tried_count += 1
    from_path = loop.best == DRAW and w.path_ply < node.ply and w.params.path_draws
    w.path_ply = min(outer_path, w.path_ply if w.path_ply < node.ply else MAX_PLY)
    return finish(node, &loop, tried, tried_count, from_path)


cdef inline void prefetch_first(const Node *node) noexcept nogil:
    # Prefetches the table entries of the children that are most likely to be searched first.
    if node.kind != PV_NODE and node.depth >= node.w.params.null_move_depth:
        prefetch_entry(node.w.table, key_after_null(node.pos) ^ fifty_key(node.pos.rule50 + 1))
    if node.tt.move != NO_MOVE:
        prefetch_entry(node.w.table, table_key_after_step(node.pos, node.tt.move))


cdef inline Value search_node(Node *node) noexcept nogil:
    # Searches a node that `enter_node` has not decided: whole-node rules, then the moves.
    cdef WorkerState *w = node.w
    cdef Value value
    w.selective_depth = max(w.selective_depth, node.ply)
    prefetch_first(node)
    if node.ss.excluded != NO_MOVE:
        node.raw_value = node.static_value = node.estimate = node.ss.static_value
    else:
        set_static_values(node)
        if not node.tt.found and not node.in_check:     # the static value alone: saves 20 % of evaluations
            save(node, NO_MOVE, DRAW, NO_BOUND, NO_DEPTH)
            update_gain(node)
    node.improving = (not node.in_check and (node.ss - 2).static_value != NO_VALUE
                      and node.static_value > (node.ss - 2).static_value)
    if node.kind != PV_NODE and not node.in_check and node.ss.excluded == NO_MOVE:
        value = prune_node(node)
        if w.stopped:
            return DRAW
        if value != NO_VALUE:
            check_bound(value, node.alpha, node.beta)
            return value
    if (node.kind == CUT_NODE and w.params.etc_depth and node.depth >= w.params.etc_depth
            and node.ss.excluded == NO_MOVE):
        value = enhanced_cutoff(node)
        if value != NO_VALUE:
            return value
    if (w.params.iir_depth and node.depth >= w.params.iir_depth and node.kind != ALL_NODE
            and node.tt.move == NO_MOVE and node.ss.excluded == NO_MOVE):
        node.depth -= 1                 # internal iterative reduction: the next visit will have a TT move
    return search_moves(node)


cdef Value within_tablebases(Node *node, int bounds, Value bound, Value value) noexcept nogil:
    # Returns the searched value, or the tablebases' bound if the value contradicts it.
    if node.w.stopped or (value >= bound if bounds == LOWER else value <= bound):
        return value
    save(node, NO_MOVE, bound, EXACT, node.depth)
    return bound


cdef Value alpha_beta(WorkerState *w, Value alpha, Value beta, int depth, int ply, int kind) noexcept nogil:
    cdef Node node
    cdef Value value, bound
    cdef int bounds = NO_BOUND
    cdef TTRecord record
    check_window(alpha, beta, kind == PV_NODE)
    check_ply(ply)
    if depth <= 0 and not w.exact:
        return quiesce(w, alpha, beta, 0, ply)
    node.w = w
    node.alpha = alpha
    node.beta = beta
    node.depth = depth
    node.ply = ply
    node.kind = kind
    if enter_node(&node, &value):
        return value
    if w.exact:
        node.static_value = NO_VALUE
        return search_moves(&node)
    if w.probe_pieces and node.pos.rule50 == 0:         # after a capture or a pawn move
        bounds = probe_tablebases(&node, &bound)
        if (bounds == EXACT or bounds & LOWER and bound >= node.beta
                or bounds & UPPER and bound <= node.alpha):
            record = TTRecord(move=NO_MOVE, value=bound, bound=bounds, pv=True, static_value=NO_VALUE,
                              depth=min(depth + TABLEBASE_DEPTH, MAX_PLY - 1))
            store(w.table, node.key, ply, &record)
            return bound
    value = search_node(&node)
    return within_tablebases(&node, bounds, bound, value) if bounds else value


cdef Value test(WorkerState *w, Value gamma, int depth, int ply, int kind) noexcept nogil:
    return alpha_beta(w, gamma - 1, gamma, depth, ply, kind)


node_module.null_window_test = test     # for pruning and extensions, which this module imports
