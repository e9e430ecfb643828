# One visit to a position: what the rules need to know of it (`Node`), how it is entered and left, draws, leaf
# values.

from libc.stdint cimport int16_t

from _fast.history cimport plane_index, prefetch_correction
from _fast.params cimport params
from _fast.picker cimport PLANES, Picker, start
from _fast.position cimport Position, make, make_null, repetition_key
from _fast.tt cimport Hit
from _fast.types cimport Key, MAX_PLY, Move, NO_MOVE, NO_VALUE, TB_RANGE, Value
from _fast.worker cimport Frame, WorkerState

cdef enum:
    FADE = 220                          # static values fade to (FADE - rule50) / FADE
    RULE50_DANGER = 90                  # from here on table bounds say little about the real position

cdef enum:                              # kinds of node
    ALL_NODE                            # every move is expected to fail low
    CUT_NODE                            # a move is expected to fail high
    FLAGGED                             # principal: searched with care, whatever the width of its window


cdef enum:                              # what endgame tablebases say of a value; both: it is exact
    TB_LOWER = 1
    TB_UPPER = 2


cdef struct Node:                       # the constants of one visit, handed to the rules
    WorkerState *w
    Frame *frame
    const Position *pos
    Key key                             # in the table
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


cdef bint is_draw(WorkerState *w, const Position *pos, int ply) noexcept nogil
cdef bint enter_node(Node *node, WorkerState *w, Value alpha, Value beta, int depth, int ply, int kind,
                     Value *answer) noexcept nogil
cdef void set_static_values(Node *node) noexcept nogil

# Where tablebases hold the position, whose 50-move counter is at 0: the bounds they prove, and *value; or 0.
cdef int probe_tablebases(Node *node, Value *value) noexcept nogil
cdef Value exact_leaf(WorkerState *w, const Position *pos, Key key, int ply, int depth,
                      Value value) noexcept nogil
cdef Key exact_key(Key key, int depth) noexcept nogil


cdef inline Value faded(Value value, const Position *pos) noexcept nogil:
    # What is won slowly may be drawn by the 50-move rule.
    cdef int share = FADE - <int> pos.rule50
    return value * share // FADE if value >= 0 else -(-value * share // FADE)


cdef inline Value bounded(Value value) noexcept nogil:
    return min(max(value, -TB_RANGE + 1), TB_RANGE - 1)


cdef inline void enter_child(WorkerState *w, Frame *frame, Move move, int ply,
                             bint may_check) noexcept nogil:
    # Makes the move; the child's position stands in the next frame. may_check: see `make`.
    frame.move = move
    frame.plane_index = plane_index(&frame.pos, move)
    frame.plane = w.history.continuation[frame.plane_index]
    make(&frame.pos, &frame[1].pos, move, may_check)
    frame[1].threats = 0
    prefetch_correction(w.history, &frame[1].pos)
    w.keys[w.root_index + ply + 1] = repetition_key(&frame[1].pos)
    w.nodes += 1


cdef inline void enter_null(WorkerState *w, Frame *frame, int ply) noexcept nogil:
    frame.move = NO_MOVE
    frame.plane = NULL
    make_null(&frame.pos, &frame[1].pos)
    frame[1].threats = 0
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
    if planes[0] != NULL and params.counter_moves:
        counter = node.w.history.counter[(frame - 1).plane_index]
    start(picker, node.pos, node.w.table, node.w.history, table_move,
          frame.killers if params.killers else NULL, counter,
          planes if params.continuation_history else NULL, &frame.threats, quiescence, node.w.exact)


cdef inline bint convincing(const Node *node, Value bound, bint flagged) noexcept nogil:
    # A principal node believes what was proved with the same care, by older searches too. Open windows and
    # mates get no answer, for the sake of their lines.
    if node.kind != FLAGGED or node.w.exact:
        return True
    return (params.flagged_cutoffs and flagged and node.beta - node.alpha == 1
            and bound < TB_RANGE and bound > -TB_RANGE)


cdef inline Value table_cutoff(const Node *node) noexcept nogil:
    # Either bound of the table, if deep enough, may answer the question.
    cdef const Hit *hit = &node.hit
    if not node.w.exact and (node.pos.rule50 >= RULE50_DANGER or not params.table_cutoffs):
        return NO_VALUE
    if (hit.lower_depth >= node.depth and hit.lower >= node.beta
            and convincing(node, hit.lower, hit.lower_flagged)):
        return hit.lower
    if (hit.upper_depth >= node.depth and hit.upper <= node.alpha
            and convincing(node, hit.upper, hit.upper_flagged)):
        return hit.upper
    return NO_VALUE
