"""Entering a node: draws, the horizon, mate distance, cutoffs by the transposition table; static values."""

from sssnake._fast.bits cimport next_random, popcount
from sssnake._fast.board.syzygy cimport NOT_HELD, probe_wdl
from sssnake._fast.evaluation.endings cimport is_drawn_ending
from sssnake._fast.evaluation.evaluate cimport evaluate
from sssnake._fast.search.history cimport correction
from sssnake._fast.board.movegen cimport count_legal
from sssnake._fast.board.position cimport Position, insufficient_material, occupied, table_key
from sssnake._fast.search.tt cimport EXACT, LOWER, NO_BOUND, NO_DEPTH, TTRecord, UPPER, probe, store
from sssnake._fast.types cimport DRAW, FIFTY, INFINITE, MATE, NO_VALUE, TB_WIN, is_tactical
from sssnake._fast.search.worker cimport SampleBuffer, log_leaf, out_of_time


cdef Key exact_key(Key key, int depth) noexcept nogil:
    # Laboratory: (position, exact depth) as one 64-bit key; the multiplier is 2^64 / golden ratio.
    return key ^ (<Key> (depth + 1)) * <Key> 0x9E3779B97F4A7C15


cdef bint is_repetition(WorkerState *w, const Position *pos, int ply) noexcept nogil:
    # One earlier occurrence inside the search, or two in the game before it, make a draw. In exact mode only
    # the game before the root counts, so that a value depends on the position alone and not on its path.
    # Records in w.path_ply how far back the repetition reaches.
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
    # Exact mode: logs a leaf and stores its value.
    cdef TTRecord record
    if w.leaves != NULL:
        log_leaf(w, key)
    record = TTRecord(move=NO_MOVE, value=value, bound=EXACT, depth=depth, pv=False, static_value=NO_VALUE)
    store(w.table, key, ply, &record)
    return value


cdef void sample(SampleBuffer *samples, const Position *pos, Value value) noexcept nogil:
    # Keeps one position in `sampling_rate`, up to the buffer's capacity.
    if samples.count < samples.capacity and next_random(&samples.rng) % samples.sampling_rate == 0:
        samples.positions[samples.count] = pos[0]
        samples.values[samples.count] = value
        samples.count += 1


cdef inline Value raw_value(const Node *node) noexcept nogil:
    # The evaluation's value. Positions may be sampled for training.
    cdef WorkerState *w = node.w
    cdef Value value = evaluate(node.pos, w.eval_memory)
    if w.samples != NULL:
        sample(w.samples, node.pos, value)
    return value


cdef void set_static_values(Node *node) noexcept nogil:
    # Sets the raw value (from the transposition table if it holds one), the corrected value and the estimate.
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
                                + correction(w.history, node.pos, (node.ss - 1).piece_to,
                                             (node.ss - 2).piece_to, w.params))
    node.ss.static_value = node.static_value
    node.estimate = node.static_value
    if tt.lower_depth > NO_DEPTH and tt.lower > node.estimate:
        node.estimate = tt.lower
    if tt.upper_depth > NO_DEPTH and tt.upper < node.estimate:
        node.estimate = tt.upper


cdef int probe_tablebases(Node *node, Value *value) noexcept nogil:
    # A tablebase win is a lower bound and a loss an upper bound: there may be a mate. Draws are exact. So are
    # wins and losses that the 50-move rule turns into draws: they count +-1 centipawn.
    cdef WorkerState *w = node.w
    cdef int result
    if (node.depth < w.probe_depth or node.pos.rights or node.ss.excluded != NO_MOVE
            or popcount(occupied(node.pos)) > w.probe_pieces):
        return NO_BOUND
    result = probe_wdl(w.tablebases, node.pos)
    if result == NOT_HELD:
        return NO_BOUND
    w.tb_hits += 1
    if result == 0 or w.fifty and -2 < result < 2:
        value[0] = DRAW + result
        return EXACT
    value[0] = TB_WIN - node.ply if result > 0 else node.ply - TB_WIN
    return LOWER if result > 0 else UPPER


cdef inline bint decided_by_rules(Node *node, Value *value) noexcept nogil:
    # Draws, the deepest ply, and mate distance pruning, which narrows the window; True: *value is final.
    cdef WorkerState *w = node.w
    if is_draw(w, node.pos, node.ply) or node.kind != PV_NODE and is_drawn_ending(node.pos):
        value[0] = DRAW
        return True
    if node.ply >= MAX_PLY - 1:
        value[0] = DRAW if node.in_check else evaluate(node.pos, w.eval_memory)
        return True
    if w.params.mate_distance:
        node.alpha = max(node.alpha, -MATE + node.ply)
        node.beta = min(node.beta, MATE - node.ply - 1)
    value[0] = node.alpha
    return node.alpha >= node.beta


cdef bint enter_node(Node *node, Value *value) noexcept nogil:
    # Completes *node. True: *value is final, by a stop, a draw, the horizon, mate distance or a TT cutoff.
    cdef WorkerState *w = node.w
    cdef Value bound
    node.ss = w.root + node.ply
    node.pos = &node.ss.pos
    node.key = exact_key(node.pos.key, node.depth) if w.exact else table_key(node.pos)
    node.in_check = node.pos.checkers != 0
    node.ss.line_length = 0
    if w.nodes >= w.check_at and out_of_time(w):
        value[0] = DRAW
        return True
    if not w.exact and decided_by_rules(node, value):
        return True
    node.raw_value = NO_VALUE
    if node.depth < 0 and not w.exact and not node.in_check:
        # Below the horizon the transposition table seldom holds the position. Evaluate while it is fetched.
        node.raw_value = raw_value(node)
    probe(w.table, node.key, node.ply, &node.tt)
    node.tt_capture = is_tactical(node.tt.move)
    if node.ss.excluded == NO_MOVE:
        bound = table_cutoff(node)
        if bound != NO_VALUE:
            value[0] = bound
            return True
    if w.exact and (node.depth <= 0 or node.ply >= MAX_PLY - 1 or is_draw(w, node.pos, node.ply)):
        bound = DRAW if is_draw(w, node.pos, node.ply) else evaluate(node.pos, w.eval_memory)
        value[0] = exact_leaf(w, node.pos, node.key, node.ply, node.depth, bound)
        return True
    return False
