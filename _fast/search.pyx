"""The search: one recursive alpha-beta with null or open window, its pruning rules, quiescence, and the root.

Every selective rule is one short function under one name of the parameter table. In exact mode (`w.exact`) none of them
acts: full width, static leaves, frozen order, table entries of exactly this depth.
"""

from libc.stdint cimport int16_t, uint64_t

from _fast.evaluate cimport evaluate
from _fast.history cimport (
    CORRECTION_GRAIN, PLANE, capture_entry, correction, learn_correction, nudge, plane_index, quiet_entry,
)
from _fast.movegen cimport count_legal, gives_check, is_legal
from _fast.params cimport params
from _fast.picker cimport PLANES, Picker, next_move, quiet_score, start
from _fast.position cimport (
    Position, insufficient_material, make, make_null, pieces, repetition_key,
)
from _fast.see cimport see_ge
from _fast.tt cimport Hit, NO_DEPTH, prefetch_entry, probe, store
from _fast.types cimport (
    DRAW, INFINITE, KING, MATE, MATE_RANGE, MAX_PLY, Move, NO_MOVE, NO_VALUE, PAWN, TB_RANGE,
    is_capture, is_promotion, is_tactical, move_to, type_of,
)
from _fast.worker cimport (
    BEFORE_ROOT, Frame, RootMove, TABLE_DEPTHS, Worker, WorkerState, log_leaf, out_of_time,
)

cdef enum:
    PLY = 1024                          # unit of reductions
    TRIED_MAX = 64                      # moves remembered per node, to be blamed when a later one cuts
    FIFTY = 100                         # plies of the 50-move rule
    FADE = 220                          # static values fade to (FADE - rule50) / FADE
    RULE50_DANGER = 90                  # from here on table bounds say little about the real position
    QUIET_EVASIONS = 3                  # quiescence in check: quiet moves tried once one legal move is known safe
    ROOT_REDUCE_AFTER = 4               # root moves never reduced

cdef int[7] GAIN = [100, 320, 330, 500, 950, 0, 0]          # captured piece's worth in delta pruning


cdef struct Node:                       # the constants of one visit, handed to the rules
    WorkerState *w
    Frame *frame
    const Position *pos
    Value alpha
    Value beta
    int depth
    int ply
    int kind
    bint in_check
    bint improving
    bint table_capture                  # the table move takes or promotes
    Value raw_value                     # static value as evaluate() gave it
    Value static_value                  # corrected by history; NO_VALUE in check
    Value best_guess                    # static value sharpened by the table's bounds
    Hit hit


# ---------------------------------------------------------------------------------------------------------------------
# Draws, leaves, static values


cdef Key exact_key(Key key, int depth) noexcept nogil:
    # Laboratory: (position, exact depth) as one 64-bit key; the multiplier is 2^64 / golden ratio.
    return key ^ (<Key> (depth + 1)) * <Key> 0x9E3779B97F4A7C15


cdef bint is_repetition(const WorkerState *w, const Position *pos, int ply) noexcept nogil:
    # Once inside the search, or twice in the game before: a draw. In exact mode only the game before the root counts,
    # so that a value belongs to the position and not to the way to it.
    cdef int now = w.root_index + ply
    cdef int last = now - min(<int> pos.rule50, <int> pos.plies_from_null)
    cdef int i = now - 4
    cdef int seen = 0
    while i >= last and i >= 0:
        if w.keys[i] == w.keys[now]:
            if i > w.root_index:
                if not w.exact:
                    return True
            else:
                seen += 1
                if seen == 2:
                    return True
        i -= 2
    return False


cdef bint is_draw(const WorkerState *w, const Position *pos, int ply) noexcept nogil:
    if pos.rule50 >= FIFTY and not w.exact and (not pos.checkers or count_legal(pos) > 0):
        return True
    return insufficient_material(pos) or is_repetition(w, pos, ply)


cdef Value exact_leaf(WorkerState *w, const Position *pos, Key key, int ply, int depth, Value value) noexcept nogil:
    # Exact mode: a leaf's value is logged, and remembered for good.
    if w.leaves != NULL:
        log_leaf(w, key)
    store(w.table, key, ply, NO_MOVE, value, True, True, depth, NO_VALUE, False)
    return value


cdef inline Value faded(Value value, const Position *pos) noexcept nogil:
    # What is won slowly may be drawn by the 50-move rule.
    return value * (FADE - <int> pos.rule50) // FADE if value >= 0 else -(-value * (FADE - <int> pos.rule50) // FADE)


cdef inline Value bounded(Value value) noexcept nogil:
    return min(max(value, -TB_RANGE + 1), TB_RANGE - 1)


cdef void set_static_values(Node *node) noexcept nogil:
    # raw value from table or evaluation; corrected; sharpened by what the table proves.
    cdef WorkerState *w = node.w
    cdef Hit *hit = &node.hit
    if node.in_check:
        node.raw_value = node.static_value = NO_VALUE
        node.best_guess = -INFINITE
        node.frame.static_value = NO_VALUE
        return
    node.raw_value = hit.static_value if hit.static_value != NO_VALUE else evaluate(node.pos, w.eval_memory)
    node.static_value = bounded(faded(node.raw_value, node.pos) + correction(w.history, node.pos))
    node.frame.static_value = node.static_value
    node.best_guess = node.static_value
    if hit.lower_depth > NO_DEPTH and hit.lower > node.best_guess:
        node.best_guess = hit.lower
    if hit.upper_depth > NO_DEPTH and hit.upper < node.best_guess:
        node.best_guess = hit.upper


# ---------------------------------------------------------------------------------------------------------------------
# Moving


cdef inline void enter_child(WorkerState *w, Frame *frame, Move move, int ply) noexcept nogil:
    # Makes the move; the child's position stands in the next frame.
    frame.move = move
    frame.plane_index = plane_index(&frame.pos, move)
    frame.plane = w.history.continuation[frame.plane_index]
    make(&frame.pos, &frame[1].pos, move)
    prefetch_entry(w.table, frame[1].pos.key)
    w.keys[w.root_index + ply + 1] = repetition_key(&frame[1].pos)
    w.nodes += 1


cdef inline void enter_null(WorkerState *w, Frame *frame, int ply) noexcept nogil:
    frame.move = NO_MOVE
    frame.plane = NULL
    make_null(&frame.pos, &frame[1].pos)
    prefetch_entry(w.table, frame[1].pos.key)
    w.keys[w.root_index + ply + 1] = frame[1].pos.key
    w.nodes += 1


cdef inline void copy_line(Frame *frame, Move move) noexcept nogil:
    # PV by copy-up: the move, then the child's line.
    cdef int i
    cdef int length = min(frame[1].line_length, MAX_PLY - 1)
    frame.line[0] = move
    for i in range(length):
        frame.line[i + 1] = frame[1].line[i]
    frame.line_length = length + 1


cdef inline void start_picker(Picker *picker, Node *node, Move table_move, bint quiescence) noexcept nogil:
    cdef Frame *frame = node.frame
    cdef const int16_t *planes[PLANES]
    cdef Move counter = NO_MOVE
    planes[0] = (frame - 1).plane
    planes[1] = (frame - 2).plane
    planes[2] = (frame - 4).plane
    if planes[0] != NULL:
        counter = node.w.history.counter[(frame - 1).plane_index]
    start(picker, node.pos, node.w.history, table_move, frame.killers, counter, planes, quiescence, node.w.exact)


# ---------------------------------------------------------------------------------------------------------------------
# Whole-node rules. Each returns a proven (or believed) value, or NO_VALUE to go on.


cdef inline Value table_cutoff(const Node *node) noexcept nogil:
    # Either bound of the table, if deep enough, may answer the question.
    cdef const Hit *hit = &node.hit
    if not node.w.exact and node.pos.rule50 >= RULE50_DANGER:
        return NO_VALUE
    if hit.lower_depth >= node.depth and hit.lower >= node.beta:
        return hit.lower
    if hit.upper_depth >= node.depth and hit.upper <= node.alpha:
        return hit.upper
    return NO_VALUE


cdef inline Value razor(Node *node) noexcept nogil:
    # Hopeless and shallow: only captures could help, so look at nothing else.
    cdef Value value
    if node.depth > params.razoring_depth or node.best_guess + params.razoring_margin * node.depth > node.alpha:
        return NO_VALUE
    value = quiesce(node.w, node.alpha, node.alpha + 1, 0, node.ply)
    return value if value <= node.alpha else NO_VALUE


cdef inline Value reverse_futility(const Node *node) noexcept nogil:
    # Far above beta near the leaves: the opponent will not come back.
    cdef Value margin
    if node.depth > params.reverse_futility_depth or node.best_guess >= TB_RANGE:
        return NO_VALUE
    margin = params.reverse_futility_margin * node.depth - params.reverse_futility_improving * node.improving
    if node.best_guess - margin < node.beta:
        return NO_VALUE
    return node.beta + (node.best_guess - node.beta) // 3


cdef inline bint has_pieces(const Position *pos) noexcept nogil:
    return (pos.by_color[pos.side] & ~(pos.by_type[PAWN] | pos.by_type[KING])) != 0


cdef Value null_move(Node *node) noexcept nogil:
    # If passing is good enough, moving is too (Beal 1989); zugzwang is guarded by material and, deep, by a verification.
    cdef WorkerState *w = node.w
    cdef Frame *frame = node.frame
    cdef int reduction
    cdef Value value
    if (not params.null_move_depth or node.depth < params.null_move_depth or node.best_guess < node.beta
            or node.static_value + 20 * node.depth < node.beta + 140 or (frame - 1).move == NO_MOVE and node.ply > 0
            or node.ply < w.null_move_from or node.beta <= -TB_RANGE or not has_pieces(node.pos)):
        return NO_VALUE
    reduction = (params.null_move_base + node.depth // params.null_move_divisor
                 + min(3, (node.best_guess - node.beta) // params.null_move_eval))
    enter_null(w, frame, node.ply)
    value = -test(w, 1 - node.beta, node.depth - reduction, node.ply + 1, ALL_NODE if node.kind == CUT_NODE else CUT_NODE)
    if w.stopped or value < node.beta:
        return NO_VALUE
    if value >= TB_RANGE:
        value = node.beta               # a mate seen after passing proves nothing exact
    if node.depth < params.null_move_verify or w.null_move_from:
        return value
    w.null_move_from = node.ply + 3 * (node.depth - reduction) // 4
    reduction = test(w, node.beta, node.depth - reduction, node.ply, CUT_NODE)
    w.null_move_from = 0
    return value if reduction >= node.beta else NO_VALUE


cdef Value probcut(Node *node) noexcept nogil:
    # A capture whose shallow search lies well above beta will hold in the deep one (Buro 1995).
    cdef WorkerState *w = node.w
    cdef Frame *frame = node.frame
    cdef Value goal = node.beta + params.probcut_margin - params.reverse_futility_improving * node.improving
    cdef int depth = node.depth - params.probcut_reduction
    cdef Value value
    cdef Picker picker
    cdef Move move
    if (not params.probcut_depth or node.depth < params.probcut_depth or node.beta >= TB_RANGE
            or node.beta <= -TB_RANGE
            or node.hit.upper_depth >= depth and node.hit.upper < goal):
        return NO_VALUE
    start(&picker, node.pos, w.history, node.hit.move if node.table_capture else NO_MOVE, NULL, NO_MOVE, NULL, True, False)
    picker.see_margin = -max(0, goal - node.static_value)
    while True:
        move = next_move(&picker, True)
        if move == NO_MOVE:
            return NO_VALUE
        if move == frame.excluded or not is_tactical(move):
            continue
        enter_child(w, frame, move, node.ply)
        value = -quiesce(w, -goal, 1 - goal, 0, node.ply + 1)
        if value >= goal and depth > 1:
            value = -test(w, 1 - goal, depth, node.ply + 1, ALL_NODE if node.kind == CUT_NODE else CUT_NODE)
        if w.stopped:
            return NO_VALUE
        if value >= goal:
            store(w.table, node.pos.key, node.ply, move, value, True, False, depth + 1, node.raw_value, False)
            return value if value >= TB_RANGE else value - (goal - node.beta)


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


# ---------------------------------------------------------------------------------------------------------------------
# Move rules


cdef inline bint prune_quiet(Node *node, Picker *picker, Move move, int number, int reduced, bint check, Value *best,
                             bint *skip_quiet) noexcept nogil:
    # Whether a quiet move is not worth a search; raises *best to what the rule grants the move.
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
    if d <= params.history_depth and quiet_score(picker, move) < -params.history_margin * node.depth:
        return params.history_depth > 0
    return params.see_depth and node.depth <= params.see_depth and not see_ge(node.pos, move, -params.see_quiet * d * d)


cdef inline bint prune_move(Node *node, Picker *picker, Move move, int number, int reduction, Value *best,
                            bint *skip_quiet) noexcept nogil:
    cdef bint check
    if node.w.exact or best[0] <= -TB_RANGE or not has_pieces(node.pos):
        return False
    check = gives_check(node.pos, move)
    if not is_tactical(move):
        return prune_quiet(node, picker, move, number, node.depth - reduction // PLY, check, best, skip_quiet)
    return (params.see_depth and node.depth <= params.see_depth
            and not see_ge(node.pos, move, -params.see_capture * node.depth))


cdef int extension(Node *node, Move move, Value *cut) noexcept nogil:
    # Singular extension (Anantharaman, Campbell, Hsu 1990): is the table move much better than all others? The search
    # without it may also show that another move cuts as well: then *cut gets the value.
    cdef Value bound, value
    cdef WorkerState *w = node.w
    if (w.exact or not params.singular_depth or node.depth < params.singular_depth or move != node.hit.move
            or node.frame.excluded != NO_MOVE or node.hit.lower_depth < node.depth - 3 or node.ply >= 2 * w.root_depth
            or node.hit.lower >= TB_RANGE or node.hit.lower <= -TB_RANGE
            or node.hit.lower + params.singular_reach < node.beta):
        return 0
    bound = node.hit.lower - params.singular_margin * node.depth // 16
    node.frame.excluded = move
    value = test(w, bound, (node.depth - 1) // 2, node.ply, ALL_NODE if node.kind == ALL_NODE else CUT_NODE)
    node.frame.excluded = NO_MOVE
    if w.stopped:
        return 0
    if value < bound:
        return 2 if node.kind != FLAGGED and value < bound - params.singular_double else 1
    if bound >= node.beta:
        cut[0] = bound                  # two moves that cut: believe it (multi-cut)
        return 0
    return -1 if node.hit.lower >= node.beta or node.kind == CUT_NODE else 0


cdef inline int reduction_of(Node *node, Picker *picker, Move move, int number) noexcept nogil:
    # Late move reduction in 1/1024 plies, before it is known whether the move gives check.
    cdef int d = min(node.depth, TABLE_DEPTHS - 1)
    cdef int n = min(number, TABLE_DEPTHS - 1)
    cdef int r
    if is_tactical(move):
        r = node.w.reduction_tactical[d][n]
    else:
        r = node.w.reduction_quiet[d][n] - quiet_score(picker, move) * PLY // params.lmr_history
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


cdef inline Value search_child(Node *node, Value alpha, Value beta, int depth, int kind) noexcept nogil:
    return -alpha_beta(node.w, -beta, -alpha, depth, node.ply + 1, kind)


cdef Value search_move(Node *node, Value alpha, int number, int depth, int reduction) noexcept nogil:
    # The value of the move just made: the first one with the node's own window, later ones by a (reduced) scout first.
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
    if flagged and value > alpha and not w.stopped and (not w.exact or value < node.beta):
        value = search_child(node, alpha, node.beta, depth, FLAGGED)
    return value


# ---------------------------------------------------------------------------------------------------------------------
# Learning from a cut


cdef inline void credit_quiet(WorkerState *w, Frame *frame, Move move, int bonus) noexcept nogil:
    cdef int index = plane_index(&frame.pos, move)
    nudge(quiet_entry(w.history, &frame.pos, move), bonus)
    if (frame - 1).plane != NULL:
        nudge(&(frame - 1).plane[index], bonus)
    if (frame - 2).plane != NULL:
        nudge(&(frame - 2).plane[index], bonus)
    if (frame - 4).plane != NULL:
        nudge(&(frame - 4).plane[index], bonus)


cdef void learn(Node *node, Move best, const Move *tried, int tried_count) noexcept nogil:
    # The move that cut is praised, those tried before it are blamed.
    cdef WorkerState *w = node.w
    cdef Frame *frame = node.frame
    cdef int bonus = min(params.history_bonus * node.depth - 50, params.history_bonus_max)
    cdef int i
    if is_tactical(best):
        nudge(capture_entry(w.history, node.pos, best), bonus)
    else:
        credit_quiet(w, frame, best, bonus)
        if frame.killers[0] != best:
            frame.killers[1] = frame.killers[0]
            frame.killers[0] = best
        if (frame - 1).plane != NULL:
            w.history.counter[(frame - 1).plane_index] = best
    for i in range(tried_count):
        if is_tactical(tried[i]):
            nudge(capture_entry(w.history, node.pos, tried[i]), -bonus)
        elif not is_tactical(best):
            credit_quiet(w, frame, tried[i], -bonus)


cdef inline void learn_static_error(Node *node, Value best, Move best_move, Value alpha) noexcept nogil:
    # Correction history: only where the search says something about the static value.
    if (node.in_check or is_tactical(best_move) or best >= node.beta and best <= node.static_value
            or best <= alpha and best >= node.static_value or best >= TB_RANGE or best <= -TB_RANGE):
        return
    learn_correction(node.w.history, node.pos, best - faded(node.raw_value, node.pos), node.depth)


# ---------------------------------------------------------------------------------------------------------------------
# The node


cdef Value search_moves(Node *node) noexcept nogil:
    # Tries the moves in order; records bounds, line and lessons.
    cdef WorkerState *w = node.w
    cdef Frame *frame = node.frame
    cdef Move move, best_move = NO_MOVE
    cdef Move[TRIED_MAX] tried
    cdef Picker picker
    cdef int number = 0, tried_count = 0, extra, reduction
    cdef bint skip_quiet = False
    cdef Value alpha = node.alpha
    cdef Value best = -INFINITE
    cdef Value value, cut = NO_VALUE
    start_picker(&picker, node, node.hit.move, False)
    frame[1].killers[0] = frame[1].killers[1] = NO_MOVE
    while True:
        move = next_move(&picker, skip_quiet)
        if move == NO_MOVE:
            break
        if move == frame.excluded:
            continue
        number += 1
        reduction = 0
        if not w.exact:
            reduction = reduction_of(node, &picker, move, number)
            if prune_move(node, &picker, move, number, reduction, &best, &skip_quiet):
                continue
        extra = extension(node, move, &cut)
        if w.stopped:
            return DRAW
        if cut != NO_VALUE:
            return cut
        if (params.check_extension and extra == 0 and not w.exact and node.ply < 2 * w.root_depth
                and gives_check(node.pos, move) and see_ge(node.pos, move, 0)):
            extra = 1
        enter_child(w, frame, move, node.ply)
        value = search_move(node, alpha, number, node.depth - 1 + extra, reduction)
        if w.stopped:
            return DRAW
        if value > best:
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
    if number == 0:
        return no_moves(node)
    if frame.excluded != NO_MOVE:
        return best
    if not w.exact and w.teach:
        if best >= node.beta:
            learn(node, best_move, tried, tried_count)
        learn_static_error(node, best, best_move, node.alpha)
    store(w.table, table_key(node), node.ply, best_move if w.teach else NO_MOVE, best, best > node.alpha, best < node.beta,
          node.depth, node.raw_value, node.kind == FLAGGED)
    return best


cdef inline Key table_key(const Node *node) noexcept nogil:
    return exact_key(node.pos.key, node.depth) if node.w.exact else node.pos.key


cdef inline Value no_moves(Node *node) noexcept nogil:
    # Mate, stalemate, or a singular search that has nothing else to try.
    cdef Value value
    if node.frame.excluded != NO_MOVE:
        return node.alpha
    value = -MATE + node.ply if node.in_check else DRAW
    if node.w.exact:
        return exact_leaf(node.w, node.pos, table_key(node), node.ply, node.depth, value)
    return value


cdef bint enter_node(Node *node, WorkerState *w, Value alpha, Value beta, int depth, int ply, int kind,
                     Value *answer) noexcept nogil:
    # Fills *node; True when the answer is known already: stop, draw, horizon, mate distance, table.
    cdef Value value
    node.w = w
    node.frame = w.root + ply
    node.pos = &node.frame.pos
    node.depth = depth
    node.ply = ply
    node.kind = kind
    node.in_check = node.pos.checkers != 0
    node.frame.line_length = 0
    if w.nodes >= w.check_at and out_of_time(w):
        answer[0] = DRAW
        return True
    if not w.exact:
        if is_draw(w, node.pos, ply):
            answer[0] = DRAW
            return True
        if ply >= MAX_PLY - 1:
            answer[0] = DRAW if node.in_check else evaluate(node.pos, w.eval_memory)
            return True
        alpha = max(alpha, -MATE + ply)         # mate-distance pruning
        beta = min(beta, MATE - ply - 1)
        if alpha >= beta:
            answer[0] = alpha
            return True
    node.alpha = alpha
    node.beta = beta
    probe(w.table, table_key(node), ply, &node.hit)
    node.table_capture = is_tactical(node.hit.move)
    if node.frame.excluded == NO_MOVE and (kind != FLAGGED or w.exact):
        value = table_cutoff(node)
        if value != NO_VALUE:
            answer[0] = value
            return True
    if w.exact and (depth <= 0 or ply >= MAX_PLY - 1 or is_draw(w, node.pos, ply)):
        value = DRAW if is_draw(w, node.pos, ply) else evaluate(node.pos, w.eval_memory)
        answer[0] = exact_leaf(w, node.pos, table_key(node), ply, depth, value)
        return True
    return False


cdef Value alpha_beta(WorkerState *w, Value alpha, Value beta, int depth, int ply, int kind) noexcept nogil:
    cdef Node node
    cdef Value value
    if depth <= 0 and not w.exact:
        return quiesce(w, alpha, beta, 0, ply)
    if enter_node(&node, w, alpha, beta, depth, ply, kind, &value):
        return value
    if w.exact:
        node.raw_value = node.static_value = NO_VALUE
        return search_moves(&node)
    w.selective_depth = max(w.selective_depth, ply)
    if node.frame.excluded != NO_MOVE:
        node.raw_value = node.static_value = node.best_guess = node.frame.static_value
    else:
        set_static_values(&node)
    node.improving = (not node.in_check and (node.frame - 2).static_value != NO_VALUE
                      and node.static_value > (node.frame - 2).static_value)
    if kind != FLAGGED and not node.in_check and node.frame.excluded == NO_MOVE:
        value = prune_node(&node)
        if w.stopped:
            return DRAW
        if value != NO_VALUE:
            return value
    if (params.iir_depth and depth >= params.iir_depth and kind != ALL_NODE and node.hit.move == NO_MOVE
            and node.frame.excluded == NO_MOVE):
        node.depth -= 1
    return search_moves(&node)


cdef Value test(WorkerState *w, Value gamma, int depth, int ply, int kind) noexcept nogil:
    return alpha_beta(w, gamma - 1, gamma, depth, ply, kind)


# ---------------------------------------------------------------------------------------------------------------------
# Quiescence


cdef inline bint stand_pat(Node *node, Value *best) noexcept nogil:
    # The side to move may decline all captures; True if that is already enough.
    if node.in_check:
        best[0] = -INFINITE
        return False
    best[0] = node.best_guess
    if best[0] < node.beta:
        return False
    if not node.hit.found:
        store(node.w.table, node.pos.key, node.ply, NO_MOVE, best[0], True, False, -1, node.raw_value, False)
    return True


cdef inline bint quiesce_skips(Node *node, Move move, int quiet, Value *best) noexcept nogil:
    # Delta pruning, and in check no more than a few quiet evasions.
    cdef Value cap
    if best[0] <= -TB_RANGE:
        return False
    if node.in_check:
        return quiet > QUIET_EVASIONS
    if params.quiesce_margin < 0 or is_promotion(move):
        return False
    cap = node.static_value + params.quiesce_margin + GAIN[min(type_of(node.pos.board[move_to(move)]), 5)]
    if is_capture(move) and node.pos.board[move_to(move)] == 12:
        cap += GAIN[PAWN]               # en passant
    if cap > node.alpha or gives_check(node.pos, move):
        return False
    best[0] = max(best[0], cap)
    return True


cdef Value quiesce(WorkerState *w, Value alpha, Value beta, int depth, int ply) noexcept nogil:
    # Captures, promotions and evasions until the position is quiet. depth 0 at the horizon, falling.
    cdef Node node
    cdef Picker picker
    cdef Value value, best
    cdef Move move, best_move = NO_MOVE
    cdef int number = 0, quiet = 0
    node.frame = w.root + ply
    node.frame.excluded = NO_MOVE
    if enter_node(&node, w, alpha, beta, 0 if depth == 0 else -1, ply, CUT_NODE, &value):
        return value
    alpha = node.alpha
    w.selective_depth = max(w.selective_depth, ply)
    set_static_values(&node)
    if stand_pat(&node, &best):
        return best
    alpha = node.alpha = max(alpha, best)
    start_picker(&picker, &node, node.hit.move, True)
    picker.see_margin = params.quiesce_see
    while True:
        move = next_move(&picker, False)
        if move == NO_MOVE:
            break
        number += 1
        quiet += not is_tactical(move)
        if quiesce_skips(&node, move, quiet, &best):
            continue
        enter_child(w, node.frame, move, ply)
        value = -quiesce(w, -node.beta, -alpha, depth - 1, ply + 1)
        if w.stopped:
            return DRAW
        if value > best:
            best = value
            if value > alpha:
                best_move = move
                copy_line(node.frame, move)
                if value >= node.beta:
                    break
                alpha = value
    if number == 0 and node.in_check:
        return -MATE + ply
    store(w.table, node.pos.key, ply, best_move, best, best >= node.beta or best_move != NO_MOVE, best < node.beta,
          node.depth, node.raw_value, False)
    return best


# ---------------------------------------------------------------------------------------------------------------------
# The root


cdef Value search_root_move(WorkerState *w, Value alpha, Value beta, int depth, int number) noexcept nogil:
    # As search_move, for the root: flagged, late quiet moves reduced.
    cdef Frame *root = w.root
    cdef int kind = FLAGGED if params.driver_flag or beta > alpha + 1 else CUT_NODE
    cdef int reduced = depth - 1
    cdef Value value
    if number == 1 or not w.scout:
        return -alpha_beta(w, -beta, -alpha, depth - 1, 1, kind)
    if not w.exact and depth >= 3 and number > ROOT_REDUCE_AFTER and not is_tactical(root.move) and not root[1].pos.checkers:
        reduced -= w.reduction_quiet[min(depth, TABLE_DEPTHS - 1)][min(number, TABLE_DEPTHS - 1)] // PLY - 1
        reduced = min(max(1, reduced), depth - 1)
    value = -test(w, -alpha, reduced, 1, CUT_NODE)
    if value > alpha and reduced < depth - 1 and not w.stopped:
        value = -test(w, -alpha, depth - 1, 1, CUT_NODE)
    if value > alpha and kind == FLAGGED and not w.stopped and (not w.exact or value < beta):
        value = -alpha_beta(w, -beta, -alpha, depth - 1, 1, FLAGGED)
    return value


cdef void note_root_move(WorkerState *w, RootMove *chosen, Value alpha, Value beta, Value value) noexcept nogil:
    # The bounds a pass proved for a root move, and its line if it is good.
    cdef int i
    chosen.score = value
    if value < beta:
        chosen.upper = min(chosen.upper, value)
    if value > alpha:
        chosen.lower = max(chosen.lower, value)
        copy_line(w.root, chosen.move)
        for i in range(w.root.line_length):
            chosen.line[i] = w.root.line[i]
        chosen.line_length = w.root.line_length
    if chosen.lower > chosen.upper:     # search instability: the last word counts
        if value > alpha:
            chosen.upper = INFINITE
        else:
            chosen.lower = -INFINITE


cdef Value search_root(WorkerState *w, Value alpha, Value beta, int depth) noexcept nogil:
    # One pass over the root moves. Scores are reset first: a stale one must not outlive its pass.
    cdef RootMove *chosen
    cdef Value value
    cdef Value best = -INFINITE
    cdef Value first_alpha = alpha
    cdef Move best_move = NO_MOVE
    cdef uint64_t before
    cdef int i
    w.root.excluded = NO_MOVE
    w.root.killers[0] = w.root.killers[1] = NO_MOVE
    w.root[1].killers[0] = w.root[1].killers[1] = NO_MOVE
    w.root.static_value = NO_VALUE if w.root.pos.checkers else evaluate(&w.root.pos, w.eval_memory)
    w.null_move_from = 0
    for i in range(w.root_first, w.root_count):
        w.roots[i].score = -INFINITE
    for i in range(w.root_first, w.root_count):
        chosen = &w.roots[i]
        if chosen.upper <= alpha and beta == alpha + 1:
            chosen.score = chosen.upper         # an earlier pass of this iteration has answered
            best = max(best, chosen.upper)
            continue
        before = w.nodes
        enter_child(w, w.root, chosen.move, 0)
        value = search_root_move(w, alpha, beta, depth, i - w.root_first + 1)
        if w.stopped:
            return DRAW
        chosen.nodes += w.nodes - before
        note_root_move(w, chosen, alpha, beta, value)
        if value > best:
            best = value
            if value > alpha:
                best_move = chosen.move
                if value >= beta:
                    break
                alpha = value
    if not w.exact and w.root_first == 0:
        store(w.table, w.root.pos.key, 0, best_move, best, best > first_alpha, best < beta, depth, NO_VALUE, True)
    return best


# ---------------------------------------------------------------------------------------------------------------------
# The Python face: one call a pass, no GIL held


def mt(Worker worker, int gamma, int depth):
    """One pass of MT at the root: null window (gamma - 1, gamma), fail-soft.

    Returns g: g < gamma => value <= g; g >= gamma => value >= g. Void if `worker.stopped`.
    """
    cdef Value value
    with nogil:
        value = search_root(&worker.state, gamma - 1, gamma, depth)
    return value


def window(Worker worker, int alpha, int beta, int depth):
    """One pass with an open window (alpha, beta), fail-soft. Void if `worker.stopped`."""
    cdef Value value
    if alpha >= beta:
        raise ValueError(f"empty window ({alpha}, {beta})")
    with nogil:
        value = search_root(&worker.state, alpha, beta, depth)
    return value


def extend_line(Worker worker, list line, int length):
    """`line` (16-bit moves from the root), prolonged to at most `length` moves by the table's moves.

    Ends where the table knows no legal move, and at mate, stalemate, the 50-move rule or a repetition.
    """
    cdef WorkerState *w = &worker.state
    cdef Position[2] pos
    cdef Hit hit
    cdef Move move
    cdef int ply = 0
    cdef list result = []
    pos[0] = w.root.pos
    while ply < length and ply < MAX_PLY:
        if ply < len(line):
            move = line[ply]
        else:
            probe(w.table, pos[ply & 1].key, ply, &hit)
            move = hit.move
        if move == NO_MOVE or not is_legal(&pos[ply & 1], move):
            break
        make(&pos[ply & 1], &pos[(ply + 1) & 1], move)
        result.append(move)
        ply += 1
        w.keys[w.root_index + ply] = repetition_key(&pos[ply & 1])
        if is_draw(w, &pos[ply & 1], ply):
            break
    return result


def leaf_key(Key key, int depth):
    """The key under which exact mode logs a leaf: position key and remaining depth."""
    return exact_key(key, depth)
