"""What a finished node teaches the histories."""

from _fast.history cimport capture_entry, learn_correction, nudge, plane_index, quiet_entry
from _fast.node cimport faded
from _fast.params cimport params
from _fast.types cimport Move, NO_MOVE, NO_VALUE, TB_RANGE, Value, is_tactical
from _fast.worker cimport Frame, WorkerState


cdef inline void credit_quiet(WorkerState *w, Frame *frame, Move move, int bonus) noexcept nogil:
    cdef int index = plane_index(&frame.pos, move)
    nudge(quiet_entry(w.history, &frame.pos, &frame.threats, move), bonus)
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
    cdef int bonus = min(params.history_bonus * node.depth - params.history_bonus_offset,
                         params.history_bonus_max)
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


cdef void learn_gain(const Node *node) noexcept nogil:
    # A quiet move that led to a position not seen before, out of check, is praised or blamed for how the
    # static value has changed with it (Chaly 2020): what no search has tried yet is in some order.
    cdef Frame *parent = node.frame - 1
    cdef Value gain
    if (not params.history_gain or not node.w.near or node.ply == 0 or parent.move == NO_MOVE
            or is_tactical(parent.move) or parent.static_value == NO_VALUE):
        return
    gain = -(parent.static_value + node.static_value)
    nudge(quiet_entry(node.w.history, &parent.pos, &parent.threats, parent.move),
          max(-params.history_gain_max, min(params.history_gain * gain, params.history_gain_max)))


cdef void learn_static_error(Node *node, Value best, Move best_move, Value alpha) noexcept nogil:
    # Correction history: only where the search says something about the static value.
    if (node.in_check or is_tactical(best_move) or best >= node.beta and best <= node.static_value
            or best <= alpha and best >= node.static_value or best >= TB_RANGE or best <= -TB_RANGE):
        return
    learn_correction(node.w.history, node.pos, best - faded(node.raw_value, node.pos), node.depth)
