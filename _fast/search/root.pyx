"""The root search: one pass of a driver over the root moves. Its Python functions release the GIL."""

from libc.stdint cimport uint64_t

from sssnake._fast.board.position cimport MAY_CHECK, table_key
from sssnake._fast.evaluation.evaluate cimport evaluate
from sssnake._fast.search.alphabeta cimport alpha_beta, test
from sssnake._fast.search.node cimport CUT_NODE, PV_NODE, copy_line, enter_child, exact_key
from sssnake._fast.search.pruning cimport PLY
from sssnake._fast.search.tt cimport LOWER, TTRecord, UPPER, store
from sssnake._fast.search.worker cimport RootMove, Stack, REDUCTION_ENTRIES, Worker, WorkerState
from sssnake._fast.types cimport DRAW, INFINITE, Key, MAX_PLY, Move, NO_MOVE, NO_VALUE, Value, is_tactical

cdef enum:
    FARTHEST = 32767                    # gamma and window: an int16, beyond all values


cdef Value search_root_move(WorkerState *w, Value alpha, Value beta, int depth, int number) noexcept nogil:
    # As search_move, at the root. In a null-window pass the first move leads to a PV node if the pass updates
    # the histories (w.learning). Late quiet moves are reduced.
    cdef Stack *root = w.root
    cdef int reduced = depth - 1
    cdef Value value
    cdef bint pv
    if number == 1 or not w.scout:
        pv = w.params.driver_pv_nodes and w.learning or beta > alpha + 1
        return -alpha_beta(w, -beta, -alpha, depth - 1, 1, PV_NODE if pv else CUT_NODE)
    if (not w.exact and depth >= w.params.lmr_root_depth and number > w.params.lmr_root_moves
            and not is_tactical(root.move) and not root[1].pos.checkers):
        reduced -= (w.reduction_quiet[min(depth, REDUCTION_ENTRIES - 1)][min(number, REDUCTION_ENTRIES - 1)]
                    - w.params.lmr_root) // PLY
        reduced = min(max(1, reduced), depth - 1)
    value = -test(w, -alpha, reduced, 1, CUT_NODE)
    if value > alpha and reduced < depth - 1 and not w.stopped:
        value = -test(w, -alpha, depth - 1, 1, CUT_NODE)
    if value > alpha and beta > alpha + 1 and not w.stopped and (not w.exact or value < beta):
        value = -alpha_beta(w, -beta, -alpha, depth - 1, 1, PV_NODE)
    return value


cdef void record_root_move(WorkerState *w, RootMove *chosen, Value alpha, Value beta,
                           Value value) noexcept nogil:
    # Records the bounds that a pass proved for a root move, and its line if it failed high.
    cdef int i
    if value < beta:
        chosen.upper = min(chosen.upper, value)
    if value > alpha:
        chosen.lower = max(chosen.lower, value)
        copy_line(w.root, chosen.move)
        for i in range(w.root.line_length):
            chosen.line[i] = w.root.line[i]
        chosen.line_length = w.root.line_length
    if chosen.lower > chosen.upper:     # search instability: the newer bound counts
        if value > alpha:
            chosen.upper = INFINITE
        else:
            chosen.lower = -INFINITE


cdef Value search_root(WorkerState *w, Value alpha, Value beta, int depth) noexcept nogil:
    cdef RootMove *chosen
    cdef Value value
    cdef Value best = -INFINITE
    cdef Value first_alpha = alpha
    cdef Move best_move = NO_MOVE
    cdef TTRecord record
    cdef uint64_t before
    cdef bint capped = False            # a value depends on the game before the root: not to be stored
    cdef int i
    if w.stopped:                       # between two passes, by the search that completed a line
        return DRAW
    w.root.excluded = NO_MOVE
    w.root.killers[0] = w.root.killers[1] = NO_MOVE
    w.root[1].killers[0] = w.root[1].killers[1] = NO_MOVE
    w.root.static_value = NO_VALUE if w.root.pos.checkers else evaluate(&w.root.pos, w.eval_memory)
    w.null_move_from = 0
    for i in range(w.root_first, w.root_count):
        chosen = &w.roots[i]
        if chosen.upper <= alpha and beta == alpha + 1:
            best = max(best, chosen.upper)      # an earlier pass of this iteration proved this bound
            capped |= chosen.capped
            continue
        before = w.nodes
        w.path_ply = MAX_PLY
        enter_child(w, w.root, chosen.move, 0, MAY_CHECK)
        value = search_root_move(w, alpha, beta, depth, i - w.root_first + 1)
        if w.stopped:
            return DRAW
        chosen.capped = not w.exact and (chosen.repeatable and value > DRAW
                                         or value == DRAW and w.path_ply == 0)
        if chosen.capped:
            value = DRAW
            capped = True
        chosen.nodes += w.nodes - before
        record_root_move(w, chosen, alpha, beta, value)
        if value > best:
            best = value
            if value > alpha:
                best_move = chosen.move
                if value >= beta:
                    break
                alpha = value
    # A search of some moves says nothing of the others: neither its value nor its move is the position's.
    if not w.exact and not w.restricted and w.root_first == 0 and not capped:
        record = TTRecord(move=best_move, value=best, depth=depth, pv=False, static_value=NO_VALUE,
                          bound=LOWER * (best > first_alpha) | UPPER * (best < beta))
        store(w.table, table_key(&w.root.pos), 0, &record)
    return best


def mt(Worker worker not None, int gamma, int depth):
    """One pass of MT at the root: null window (gamma - 1, gamma), fail-soft.

    Returns g: g < gamma => value <= g; g >= gamma => value >= g. Void if `worker.stopped`.
    """
    cdef Value value
    if not -FARTHEST <= gamma <= FARTHEST:
        raise ValueError(f"gamma {gamma} is beyond all values")
    worker.begin(depth)
    with nogil:
        value = search_root(&worker.state, gamma - 1, gamma, depth)
    worker.end()
    return value


def window(Worker worker not None, int alpha, int beta, int depth):
    """One pass with an open window (alpha, beta), fail-soft. Void if `worker.stopped`."""
    cdef Value value
    if not -FARTHEST <= alpha < beta <= FARTHEST:
        raise ValueError(f"empty window ({alpha}, {beta}), or beyond all values")
    worker.begin(depth)
    with nogil:
        value = search_root(&worker.state, alpha, beta, depth)
    worker.end()
    return value


def leaf_key(Key key, int depth):
    """The key under which exact mode logs a leaf: position key and remaining depth."""
    return exact_key(key, depth)
