"""Entering a node: what is known at once (draw, horizon, mate distance, table), and static values."""

from _fast.bits cimport next_random, popcount
from _fast.board.syzygy cimport NOT_HELD, probe_wdl
from _fast.evaluation.endings cimport is_drawn_ending
from _fast.evaluation.evaluate cimport evaluate
from _fast.search.history cimport correction
from _fast.board.movegen cimport count_legal
from _fast.board.position cimport Position, insufficient_material, occupied, table_key
from _fast.search.tt cimport EXACT, LOWER, NO_DEPTH, TTRecord, UPPER, probe, store
from _fast.types cimport DRAW, INFINITE, MATE, NO_VALUE, TB_WIN, is_tactical
from _fast.search.worker cimport SampleBuffer, log_leaf, out_of_time

cdef enum:
    FIFTY = 100                         # plies of the 50-move rule


cdef Key exact_key(Key key, int depth) noexcept nogil:
    # Laboratory: (position, exact depth) as one 64-bit key; the multiplier is 2^64 / golden ratio.
    return key ^ (<Key> (depth + 1)) * <Key> 0x9E3779B97F4A7C15


cdef bint is_repetition(WorkerState *w, const Position *pos, int ply) noexcept nogil:
    # Once inside the search, or twice in the game before: a draw. In exact mode only the game before the root
    # counts, so that a value belongs to the position and not to the way to it. Notes how far back a
    # repetition reaches.
    cdef int now = w.root_index + ply
    cdef int last = now - min(<int> pos.rule50, <int> pos.plies_from_null)
    cdef int i = now - 4
    cdef int seen = 0
    while i >= last and i >= 0:
        if w.keys[i] == w.keys[now]:
            if i > w.root_index:
                if not w.exact:
                    w.path_ply = min(w.path_ply, i - w.root_index)
                    return True
            else:
                seen += 1
                if seen == 2:
                    w.path_ply = 0
                    return True
        i -= 2
    return False


cdef bint is_draw(WorkerState *w, const Position *pos, int ply) noexcept nogil:
    if pos.rule50 >= FIFTY and not w.exact and (not pos.checkers or count_legal(pos) > 0):
        return True
    return insufficient_material(pos) or is_repetition(w, pos, ply)


cdef Value exact_leaf(WorkerState *w, const Position *pos, Key key, int ply, int depth,
                      Value value) noexcept nogil:
    # Exact mode: a leaf's value is logged, and remembered for good.
    cdef TTRecord record
    if w.leaves != NULL:
        log_leaf(w, key)
    record = TTRecord(NO_MOVE, value, EXACT, depth, False, NO_VALUE)
    store(w.table, key, ply, &record)
    return value


cdef void sample(SampleBuffer *samples, const Position *pos, Value value) noexcept nogil:
    # Keeps one position in `sampling_rate`, while there is room.
    if samples.count < samples.capacity and next_random(&samples.rng) % samples.sampling_rate == 0:
        samples.positions[samples.count] = pos[0]
        samples.values[samples.count] = value
        samples.count += 1


cdef inline Value raw_value(const Node *node) noexcept nogil:
    # The evaluation's value; samples of the positions are kept for training where asked for.
    cdef WorkerState *w = node.w
    cdef Value value = evaluate(node.pos, w.eval_memory)
    if w.samples != NULL:
        sample(w.samples, node.pos, value)
    return value


cdef void set_static_values(Node *node) noexcept nogil:
    # The raw value (from the table if it is there), the corrected one, and the estimate.
    cdef WorkerState *w = node.w
    cdef TTData *tt = &node.tt
    if node.in_check:
        node.raw_value = node.static_value = NO_VALUE
        node.estimate = -INFINITE
        node.ss.static_value = NO_VALUE
        return
    if node.raw_value == NO_VALUE:
        node.raw_value = tt.static_value
    if node.raw_value == NO_VALUE:
        node.raw_value = raw_value(node)
    node.static_value = bounded(fifty_scaled(node.raw_value, node.pos)
                                + correction(w.history, node.pos, w.params.correction_weight))
    node.ss.static_value = node.static_value
    node.estimate = node.static_value
    if tt.lower_depth > NO_DEPTH and tt.lower > node.estimate:
        node.estimate = tt.lower
    if tt.upper_depth > NO_DEPTH and tt.upper < node.estimate:
        node.estimate = tt.upper


cdef int probe_tablebases(Node *node, Value *value) noexcept nogil:
    # A won position may hold a mate and a lost one be mated, which tablebases do not tell: a bound. Draws are
    # exact, and so are results that the 50-move rule turns into draws, a centipawn from 0 on the better side.
    cdef WorkerState *w = node.w
    cdef int result
    if (node.depth < w.probe_depth or node.pos.rights or node.ss.excluded != NO_MOVE
            or popcount(occupied(node.pos)) > w.probe_pieces):
        return 0
    result = probe_wdl(w.tablebases, node.pos)
    if result == NOT_HELD:
        return 0
    w.tb_hits += 1
    if result == 0 or w.fifty and -2 < result < 2:
        value[0] = DRAW + result
        return EXACT
    value[0] = TB_WIN - node.ply if result > 0 else node.ply - TB_WIN
    return LOWER if result > 0 else UPPER


cdef bint enter_node(Node *node, WorkerState *w, Value alpha, Value beta, int depth, int ply, int kind,
                     Value *answer) noexcept nogil:
    # Fills *node; True when the answer is known already: stop, draw, horizon, mate distance, table cutoff.
    cdef Value value
    node.w = w
    node.ss = w.root + ply
    node.pos = &node.ss.pos
    node.depth = depth
    node.ply = ply
    node.kind = kind
    node.key = exact_key(node.pos.key, depth) if w.exact else table_key(node.pos)
    node.in_check = node.pos.checkers != 0
    node.ss.line_length = 0
    if w.nodes >= w.check_at and out_of_time(w):
        answer[0] = DRAW
        return True
    if not w.exact:
        if is_draw(w, node.pos, ply) or kind != PV_NODE and is_drawn_ending(node.pos):
            answer[0] = DRAW
            return True
        if ply >= MAX_PLY - 1:
            answer[0] = DRAW if node.in_check else evaluate(node.pos, w.eval_memory)
            return True
        if w.params.mate_distance:
            alpha = max(alpha, -MATE + ply)
            beta = min(beta, MATE - ply - 1)
        if alpha >= beta:
            answer[0] = alpha
            return True
    node.alpha = alpha
    node.beta = beta
    node.raw_value = NO_VALUE
    if depth < 0 and not w.exact and not node.in_check:
        # Below the horizon the table seldom knows the position, and its memory is slow: evaluate meanwhile.
        node.raw_value = raw_value(node)
    probe(w.table, node.key, ply, &node.tt)
    node.tt_capture = is_tactical(node.tt.move)
    if node.ss.excluded == NO_MOVE:
        value = table_cutoff(node)
        if value != NO_VALUE:
            answer[0] = value
            return True
    if w.exact and (depth <= 0 or ply >= MAX_PLY - 1 or is_draw(w, node.pos, ply)):
        value = DRAW if is_draw(w, node.pos, ply) else evaluate(node.pos, w.eval_memory)
        answer[0] = exact_leaf(w, node.pos, node.key, ply, depth, value)
        return True
    return False
