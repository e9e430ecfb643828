"""The root: one pass of a driver over the root moves, and its Python face. No GIL is held during a pass."""

from libc.stdint cimport uint64_t

from _fast.alphabeta cimport alpha_beta, test
from _fast.evaluate cimport evaluate
from _fast.movegen cimport is_legal
from _fast.node cimport CUT_NODE, FLAGGED, copy_line, enter_child, exact_key, is_draw
from _fast.params cimport params
from _fast.position cimport Position, make, repetition_key, table_key
from _fast.rules cimport PLY
from _fast.tt cimport Hit, probe, store
from _fast.types cimport DRAW, INFINITE, Key, MAX_PLY, Move, NO_MOVE, NO_VALUE, Value, is_tactical
from _fast.worker cimport Frame, RootMove, TABLE_DEPTHS, Worker, WorkerState


cdef Value search_root_move(WorkerState *w, Value alpha, Value beta, int depth, int number) noexcept nogil:
    # As search_move, for the root: flagged where the pass is near, late quiet moves reduced.
    cdef Frame *root = w.root
    cdef int reduced = depth - 1
    cdef Value value
    if number == 1 or not w.scout:
        return -alpha_beta(w, -beta, -alpha, depth - 1, 1,
                           FLAGGED if params.driver_flag and w.near or beta > alpha + 1 else CUT_NODE)
    if (not w.exact and depth >= params.lmr_root_depth and number > params.lmr_root_moves
            and not is_tactical(root.move) and not root[1].pos.checkers):
        reduced -= (w.reduction_quiet[min(depth, TABLE_DEPTHS - 1)][min(number, TABLE_DEPTHS - 1)]
                    - params.lmr_root) // PLY
        reduced = min(max(1, reduced), depth - 1)
    value = -test(w, -alpha, reduced, 1, CUT_NODE)
    if value > alpha and reduced < depth - 1 and not w.stopped:
        value = -test(w, -alpha, depth - 1, 1, CUT_NODE)
    if value > alpha and beta > alpha + 1 and not w.stopped and (not w.exact or value < beta):
        value = -alpha_beta(w, -beta, -alpha, depth - 1, 1, FLAGGED)
    return value


cdef void note_root_move(WorkerState *w, RootMove *chosen, Value alpha, Value beta,
                         Value value) noexcept nogil:
    # The bounds a pass proved for a root move, and its line if it is good.
    cdef int i
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


cdef inline bint hopeless(const WorkerState *w, Value alpha) noexcept nogil:
    # Whether a far pass asks for so much more than the static value that no root move need be tried.
    return (params.root_futility and not w.near and not w.exact
            and w.root.static_value != NO_VALUE and w.root.static_value + params.root_futility <= alpha)


cdef Value search_root(WorkerState *w, Value alpha, Value beta, int depth) noexcept nogil:
    # One pass over the root moves.
    cdef RootMove *chosen
    cdef Value value
    cdef Value best = -INFINITE
    cdef Value first_alpha = alpha
    cdef Move best_move = NO_MOVE
    cdef uint64_t before
    cdef bint capped = False            # by the game before the root: no knowledge for the table
    cdef int i
    w.root.excluded = NO_MOVE
    w.root.killers[0] = w.root.killers[1] = NO_MOVE
    w.root[1].killers[0] = w.root[1].killers[1] = NO_MOVE
    w.root.static_value = NO_VALUE if w.root.pos.checkers else evaluate(&w.root.pos, w.eval_memory)
    w.null_move_from = 0
    if hopeless(w, alpha):
        return alpha
    for i in range(w.root_first, w.root_count):
        chosen = &w.roots[i]
        if chosen.upper <= alpha and beta == alpha + 1:
            best = max(best, chosen.upper)      # an earlier pass of this iteration has answered
            continue
        before = w.nodes
        enter_child(w, w.root, chosen.move, 0, True)
        value = search_root_move(w, alpha, beta, depth, i - w.root_first + 1)
        if w.stopped:
            return DRAW
        if chosen.repeatable and value > DRAW and not w.exact:
            value = DRAW
            capped = True
        chosen.nodes += w.nodes - before
        note_root_move(w, chosen, alpha, beta, value)
        if value > best:
            best = value
            if value > alpha:
                best_move = chosen.move
                if value >= beta:
                    break
                alpha = value
    if not w.exact and w.root_first == 0 and not capped:
        store(w.table, table_key(&w.root.pos), 0, best_move, best, best > first_alpha, best < beta, depth,
              False, NO_VALUE)
    return best


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
            probe(w.table, table_key(&pos[ply & 1]), ply, &hit)
            move = hit.move
        if move == NO_MOVE or not is_legal(&pos[ply & 1], move):
            break
        make(&pos[ply & 1], &pos[(ply + 1) & 1], move, True)
        result.append(move)
        ply += 1
        w.keys[w.root_index + ply] = repetition_key(&pos[ply & 1])
        if is_draw(w, &pos[ply & 1], ply):
            break
    return result


cdef Move shallow_move(WorkerState *w, list line) noexcept:
    # What a search of one ply plays after `line`; NO_MOVE at the end of the game, or when time is up.
    cdef uint64_t before = w.nodes
    cdef int ply
    cdef Frame *frame = w.root
    if w.exact or w.stopped:
        return NO_MOVE
    for ply in range(len(line)):
        enter_child(w, frame, line[ply], ply, True)
        frame.static_value = NO_VALUE   # that of another position
        frame += 1
    w.nodes = before                    # the line has been visited before
    alpha_beta(w, -INFINITE, INFINITE, 1, len(line), FLAGGED)
    return NO_MOVE if w.stopped or frame.line_length == 0 else frame.line[0]


def complete_line(Worker worker, list line, int length):
    """As extend_line, but where the table knows no move a search of one ply does.

    So the line is `length` moves long unless the game ends before, or the search is stopped.
    """
    cdef Move move
    while True:
        line = extend_line(worker, line, length)
        if len(line) >= length:
            return line
        move = shallow_move(&worker.state, line)
        if move == NO_MOVE:
            return line
        line.append(move)


def leaf_key(Key key, int depth):
    """The key under which exact mode logs a leaf: position key and remaining depth."""
    return exact_key(key, depth)
