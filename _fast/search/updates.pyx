"""Updates of the histories."""

from sssnake._fast.search.history cimport (
    apply_bonus, capture_entry, piece_to, quiet_entry, set_counter_move, update_correction_history,
)
from sssnake._fast.search.params cimport Params
from sssnake._fast.search.worker cimport Stack, WorkerState
from sssnake._fast.types cimport NO_MOVE, NO_VALUE, TB_RANGE, is_tactical

cdef enum:
    CORRECTION_BONUS = 4096             # history units: an error pushes no further


cdef inline void apply_continuation(const Stack *earlier, int index, int bonus) noexcept nogil:
    if earlier.continuation != NULL:
        apply_bonus(&earlier.continuation[index], bonus)


cdef inline void update_quiet(WorkerState *w, Stack *ss, Move move, int bonus) noexcept nogil:
    cdef int index = piece_to(&ss.pos, move)
    apply_bonus(quiet_entry(w.history, &ss.pos, &ss.threats, move), bonus)
    apply_continuation(ss - 1, index, bonus)
    apply_continuation(ss - 2, index, bonus)
    apply_continuation(ss - 4, index, bonus)


cdef void update_histories(Node *node, Move best, const Move *tried, int tried_count) noexcept nogil:
    # The move that cut off gets a bonus, those tried before it a malus.
    cdef WorkerState *w = node.w
    cdef const Params *params = w.params
    cdef Stack *ss = node.ss
    cdef int bonus = min(params.history_bonus * node.depth - params.history_bonus_offset,
                         params.history_bonus_max)
    cdef int i
    if is_tactical(best):
        apply_bonus(capture_entry(w.history, node.pos, best), bonus)
    else:
        update_quiet(w, ss, best, bonus)
        if ss.killers[0] != best:
            ss.killers[1] = ss.killers[0]
            ss.killers[0] = best
        if (ss - 1).continuation != NULL:
            set_counter_move(w.history, (ss - 1).piece_to, best)
    for i in range(tried_count):
        if is_tactical(tried[i]):
            apply_bonus(capture_entry(w.history, node.pos, tried[i]), -bonus)
        elif not is_tactical(best):
            update_quiet(w, ss, tried[i], -bonus)


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


cdef void update_correction(Node *node, Value best, Move best_move, Value alpha) noexcept nogil:
    # Correction history: not in check, not after captures, not for mates, and only if the bound found
    # contradicts the static value. It learns from the error that is left after correction.
    cdef int bonus
    if (node.in_check or is_tactical(best_move) or best >= node.beta and best <= node.static_value
            or best <= alpha and best >= node.static_value or best >= TB_RANGE or best <= -TB_RANGE):
        return
    bonus = (best - node.static_value) * node.depth * node.w.params.correction_rate
    bonus = max(-CORRECTION_BONUS, min(bonus, CORRECTION_BONUS))
    update_correction_history(node.w.history, node.pos, (node.ss - 1).piece_to, (node.ss - 2).piece_to,
                              bonus)
