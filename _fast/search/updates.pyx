"""Updates of the histories."""

from sssnake._fast.board.see cimport see_ge
from sssnake._fast.search.history cimport (
    HISTORY_MAX, apply_bonus, capture_entry, gravity, piece_to, quiet_entry, update_correction_history,
)
from sssnake._fast.search.node cimport CUT_NODE, fifty_scaled
from sssnake._fast.search.params cimport Params
from sssnake._fast.search.worker cimport Stack, WorkerState
from sssnake._fast.types cimport NO_MOVE, NO_VALUE, TB_RANGE, is_tactical

cdef enum:
    FULL_RATE_DEPTH = 16                # plies; from here on an error has the weight correction_rate
    GRAVITY_PARTS = 4                   # params.continuation_gravity is in quarters
    CUT_NODE_PARTS = 8                  # params.history_cut_node is in eighths
    FALL_PARTS = 16                     # params.history_malus_fall is in 1/16


cdef inline int bonus_of(const Node *node) noexcept nogil:
    cdef const Params *params = node.w.params
    return min(params.history_bonus * node.depth - params.history_bonus_offset, params.history_bonus_max)


cdef inline void apply_continuation(const Stack *earlier, int index, int bonus) noexcept nogil:
    if earlier.continuation != NULL:
        apply_bonus(&earlier.continuation[index], bonus)


cdef inline int entry_after(const Stack *earlier, int index) noexcept nogil:
    return 0 if earlier.continuation == NULL else earlier.continuation[index]


cdef void update_continuations(const WorkerState *w, const Stack *ss, int index, int bonus) noexcept nogil:
    # index: the quiet move's (piece, to).
    cdef const Params *params = w.params
    cdef int total
    if params.continuation_gravity:
        total = (entry_after(ss - 1, index) + entry_after(ss - 2, index) + entry_after(ss - 4, index)
                 + (entry_after(ss - 6, index) if params.continuation_six else 0))
        bonus -= gravity(total * params.continuation_gravity // GRAVITY_PARTS, bonus)
        bonus = max(-HISTORY_MAX, min(bonus, HISTORY_MAX))
    apply_continuation(ss - 1, index, bonus)
    if params.continuation_in_check and ss.pos.checkers:
        return
    apply_continuation(ss - 2, index, bonus)
    apply_continuation(ss - 4, index, bonus)
    if params.continuation_six:
        apply_continuation(ss - 6, index, bonus)


cdef inline void update_quiet(WorkerState *w, Stack *ss, Move move, int bonus) noexcept nogil:
    apply_bonus(quiet_entry(w.history, &ss.pos, &ss.threats, move), bonus)
    update_continuations(w, ss, piece_to(&ss.pos, move), bonus)


cdef void update_histories(Node *node, Move best, const Move *tried, int tried_count) noexcept nogil:
    # The move that cut off gets a bonus, those tried before it a malus.
    cdef WorkerState *w = node.w
    cdef const Params *params = w.params
    cdef Stack *ss = node.ss
    cdef int malus = bonus_of(node)
    cdef int bonus = malus + malus * params.history_cut_node * (node.kind == CUT_NODE) // CUT_NODE_PARTS
    cdef int first = malus
    cdef int i
    if is_tactical(best):
        apply_bonus(capture_entry(w.history, node.pos, best), bonus)
    else:
        if tried_count or node.depth > params.history_trivial:
            update_quiet(w, ss, best, bonus)
        if ss.killers[0] != best:
            ss.killers[1] = ss.killers[0]
            ss.killers[0] = best
        if (ss - 1).continuation != NULL:
            w.history.counter[(ss - 1).piece_to] = best
    for i in range(tried_count):
        if params.history_malus_fall:
            malus = first * FALL_PARTS // (FALL_PARTS + params.history_malus_fall * i)
        if is_tactical(tried[i]):
            apply_bonus(capture_entry(w.history, node.pos, tried[i]), -malus)
        elif not is_tactical(best):
            update_quiet(w, ss, tried[i], -malus)


cdef void update_researched(Node *node, bint good) noexcept nogil:
    # The move just made was searched again after a reduction, and was good again or not.
    cdef int bonus = bonus_of(node)
    if node.w.learning and not node.w.stopped and not is_tactical(node.ss.move):
        update_continuations(node.w, node.ss, node.ss.piece_to, bonus if good else -bonus)


cdef void update_gain(const Node *node) noexcept nogil:
    # At a position that is not in the transposition table: the quiet move that led to it gets a bonus or
    # malus for the change of static value (Chaly 2020). So moves without results of a search are ordered,
    # too.
    cdef const Params *params = node.w.params
    cdef Stack *parent = node.ss - 1
    cdef Value gain
    if (not params.history_gain or not node.w.learning or node.ply == 0 or parent.move == NO_MOVE
            or is_tactical(parent.move) or parent.static_value == NO_VALUE):
        return
    gain = -(parent.static_value + node.static_value)
    apply_bonus(quiet_entry(node.w.history, &parent.pos, &parent.threats, parent.move),
                max(-params.history_gain_max, min(params.history_gain * gain, params.history_gain_max)))


cdef inline bint explains_itself(const Node *node, Move best_move) noexcept nogil:
    # Whether the best move is a capture or promotion: no static value foresees it. A capture that loses
    # material is played for other reasons.
    return (is_tactical(best_move)
            and not (node.w.params.correction_captures and not see_ge(node.pos, best_move, 0)))


cdef void update_correction(Node *node, Value best, Move best_move, Value alpha) noexcept nogil:
    # Correction history: not in check, not after captures, not for mates, and only if the bound found
    # contradicts the static value.
    cdef int rate = node.w.params.correction_rate
    if (node.in_check or explains_itself(node, best_move) or best >= node.beta and best <= node.static_value
            or best <= alpha and best >= node.static_value or best >= TB_RANGE or best <= -TB_RANGE):
        return
    rate = min(rate, rate * (node.depth + 1) // FULL_RATE_DEPTH)
    if rate > 0:
        update_correction_history(node.w.history, node.pos,
                                  best - fifty_scaled(node.raw_value, node.pos), rate)
