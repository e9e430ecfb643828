# One visit to a position: the data of the search rules (`Node`), entering children, draws, static values,
# cutoffs by the transposition table and by tablebases.

from libc.stdint cimport int16_t

from sssnake._fast.board.position cimport Position, make, make_null, repetition_key
from sssnake._fast.search.history cimport NO_PIECE_TO, counter_move, piece_to, prefetch_correction
from sssnake._fast.search.picker cimport EMPTY_CONTINUATION, Picker, start
from sssnake._fast.search.tt cimport TTData, TTRecord, store
from sssnake._fast.search.worker cimport Stack, WorkerState
from sssnake._fast.types cimport Key, MAX_PLY, Move, NO_MOVE, NO_VALUE, TB_RANGE, Value

cdef enum:
    FIFTY_SCALE = 220                   # static values shrink to (FIFTY_SCALE - rule50) / FIFTY_SCALE
    RULE50_DANGER = 90                  # plies; from here on the transposition table does not cut off

cdef enum:                              # kinds of node (Knuth & Moore 1975; Marsland & Popowich 1985)
    ALL_NODE                            # every move is expected to fail low
    CUT_NODE                            # a move is expected to fail high
    PV_NODE                             # on the principal variation, in null windows too: hardly pruned


cdef struct Node:                       # one visit to a position
    WorkerState *w                      # set by the caller of `enter_node`, as are window, depth, ply, kind
    Value alpha
    Value beta
    int depth                           # plies left
    int ply                             # from the root
    int kind                            # PV_NODE, CUT_NODE or ALL_NODE
    Stack *ss                           # set by `enter_node`, from here on
    const Position *pos
    Key key                             # in the transposition table
    bint in_check
    bint improving                      # the static value is above that of two plies ago
    bint tt_capture                     # the TT move is a capture or promotion
    Value raw_value                     # static value as evaluate() gave it
    Value static_value                  # corrected by the correction history; NO_VALUE in check
    Value estimate                      # static value sharpened by the bounds in the transposition table
    TTData tt                           # the entry found in the transposition table


ctypedef Value (*TestFunction)(WorkerState *w, Value gamma, int depth, int ply, int kind) noexcept nogil
cdef TestFunction null_window_test      # alphabeta's `test`, for rules that search; set by alphabeta's import


cdef bint is_draw(WorkerState *w, const Position *pos, int ply) noexcept nogil
cdef bint enter_node(Node *node, Value *value) noexcept nogil
cdef void set_static_values(Node *node) noexcept nogil

# Returns the bounds that tablebases prove, and *value, for a position whose 50-move counter is 0; NO_BOUND if
# they do not hold it.
cdef int probe_tablebases(Node *node, Value *value) noexcept nogil
cdef Value exact_leaf(WorkerState *w, const Position *pos, Key key, int ply, int depth,
                      Value value) noexcept nogil
cdef Key exact_key(Key key, int depth) noexcept nogil


cdef inline Value fifty_scaled(Value value, const Position *pos) noexcept nogil:
    # A static value shrinks as the 50-move counter grows: by half at the end.
    cdef int share = FIFTY_SCALE - <int> pos.rule50
    return value * share // FIFTY_SCALE if value >= 0 else -(-value * share // FIFTY_SCALE)


cdef inline Value bounded(Value value) noexcept nogil:
    return min(max(value, -TB_RANGE + 1), TB_RANGE - 1)


cdef inline void save(const Node *node, Move move, Value value, int bound, int depth) noexcept nogil:
    # Stores a node's bound, move and static value in the transposition table.
    cdef TTRecord record = TTRecord(move=move, value=value, bound=bound, depth=depth,
                                    pv=node.kind == PV_NODE, static_value=node.raw_value)
    store(node.w.table, node.key, node.ply, &record)


cdef inline void enter_child(WorkerState *w, Stack *ss, Move move, int ply,
                             bint may_check) noexcept nogil:
    # Makes the move; the child's position stands in the next stack entry. may_check: see `make`.
    ss.move = move
    ss.piece_to = piece_to(&ss.pos, move)
    ss.continuation = w.history.continuation[ss.piece_to]
    make(&ss.pos, &ss[1].pos, move, may_check)
    ss[1].threats = 0
    prefetch_correction(w.history, &ss[1].pos, ss.piece_to, (ss - 1).piece_to)
    w.keys[w.root_index + ply + 1] = repetition_key(&ss[1].pos)
    w.nodes += 1


cdef inline void enter_null(WorkerState *w, Stack *ss, int ply) noexcept nogil:
    ss.move = NO_MOVE
    ss.continuation = NULL
    ss.piece_to = NO_PIECE_TO
    make_null(&ss.pos, &ss[1].pos)
    ss[1].threats = 0
    w.keys[w.root_index + ply + 1] = ss[1].pos.key
    w.nodes += 1


cdef inline void copy_line(Stack *ss, Move move) noexcept nogil:
    # The principal variation by copy-up: the move, then the child's line.
    cdef int i
    cdef int length = min(ss[1].line_length, MAX_PLY - 1)
    ss.line[0] = move
    for i in range(length):
        ss.line[i + 1] = ss[1].line[i]
    ss.line_length = length + 1


cdef inline const int16_t *continuation_after(const Node *node, const Stack *ss) noexcept nogil:
    # The continuation history after the move made at `ss`; an empty one where there is none.
    if ss.continuation == NULL or not node.w.params.continuation_history:
        return EMPTY_CONTINUATION
    return ss.continuation


cdef inline void start_picker(Picker *picker, Node *node, bint quiescence, int see_margin) noexcept nogil:
    # quiescence, see_margin: see `Picker`.
    cdef Stack *ss = node.ss
    cdef WorkerState *w = node.w
    picker.pos = node.pos
    picker.table = w.table
    picker.history = w.history
    picker.params = w.params
    picker.threats = &ss.threats
    picker.quiescence = quiescence
    picker.checks = False
    picker.see_margin = see_margin
    if not quiescence or node.in_check:             # else there are no quiet moves to be ordered
        picker.continuations[0] = continuation_after(node, ss - 1)
        picker.continuations[1] = continuation_after(node, ss - 2)
        picker.continuations[2] = continuation_after(node, ss - 4)
        picker.refutations[0] = ss.killers[0] if w.params.killers else NO_MOVE
        picker.refutations[1] = ss.killers[1] if w.params.killers else NO_MOVE
        picker.refutations[2] = NO_MOVE
        if (ss - 1).continuation != NULL and w.params.counter_moves:
            picker.refutations[2] = counter_move(w.history, (ss - 1).piece_to)
    start(picker, node.tt.move, w.exact)


cdef inline bint may_cut_off(const Node *node, Value bound, bint pv) noexcept nogil:
    # A PV node is cut off only by a bound that a PV node proved, and only in a null window and by no mate:
    # a cutoff would end its line early.
    if node.kind != PV_NODE or node.w.exact:
        return True
    return (node.w.params.pv_cutoffs and pv and node.beta - node.alpha == 1
            and bound < TB_RANGE and bound > -TB_RANGE)


cdef inline Value table_cutoff(const Node *node) noexcept nogil:
    # Returns the bound that is deep enough and decides the window; NO_VALUE if there is none.
    cdef const TTData *tt = &node.tt
    if not node.w.exact and (node.pos.rule50 >= RULE50_DANGER or not node.w.params.table_cutoffs):
        return NO_VALUE
    if tt.lower_depth >= node.depth and tt.lower >= node.beta and may_cut_off(node, tt.lower, tt.lower_pv):
        return tt.lower
    if tt.upper_depth >= node.depth and tt.upper <= node.alpha and may_cut_off(node, tt.upper, tt.upper_pv):
        return tt.upper
    return NO_VALUE
