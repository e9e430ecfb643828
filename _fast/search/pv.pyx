"""Principal variations: extended by the transposition table; the line of a forced mate, up to the mate.

A null-window test proves a bound without a full line: all nodes have no best move, and TT cutoffs end a
line early. So lines are completed after the search.
"""

from libc.stdint cimport uint64_t

from sssnake._fast.board.movegen cimport count_legal, is_legal
from sssnake._fast.board.position cimport MAY_CHECK, Position, make, repetition_key, table_key
from sssnake._fast.search.alphabeta cimport alpha_beta, test
from sssnake._fast.search.node cimport PV_NODE, enter_child, is_draw
from sssnake._fast.search.tt cimport TTData, probe
from sssnake._fast.search.worker cimport Stack, Worker, WorkerState
from sssnake._fast.types cimport INFINITE, MATE, MATE_RANGE, MAX_PLY, Move, NO_MOVE, NO_VALUE, Value

cdef enum:
    BUDGET = 2000                       # nodes for one line, times the iteration's depth ...
    BUDGET_DEPTH = 10                   # ... or this depth if it is less
    TRIES = 6                           # searches for one move
    DEEPER = 4                          # plies more in every second one


def extend_line(Worker worker not None, list line not None, int length):
    """`line` (16-bit moves from the root), extended to at most `length` moves by moves of the TT.

    Ends where the TT has no legal move, and at mate, stalemate, the 50-move rule or a repetition.
    """
    cdef WorkerState *w = &worker.state
    cdef Position[2] pos
    cdef TTData tt
    cdef Move move
    cdef int ply = 0
    cdef list result = []
    worker.check_ready()
    pos[0] = w.root.pos
    while ply < length and ply < MAX_PLY:
        if ply < len(line):
            move = line[ply]
        else:
            probe(w.table, table_key(&pos[ply & 1]), ply, &tt)
            move = tt.move
        if move == NO_MOVE or not is_legal(&pos[ply & 1], move):
            break
        make(&pos[ply & 1], &pos[(ply + 1) & 1], move, MAY_CHECK)
        result.append(move)
        ply += 1
        w.keys[w.root_index + ply] = repetition_key(&pos[ply & 1])
        if is_draw(w, &pos[ply & 1], ply):
            break
    return result


cdef Move shallow_move(WorkerState *w, list line) noexcept:
    # Best move of a search of one ply after `line`; NO_MOVE at the end of the game, or if stopped.
    cdef uint64_t before = w.nodes
    cdef int ply
    cdef Stack *ss = w.root
    if w.exact or w.stopped:
        return NO_MOVE
    for ply in range(len(line)):
        enter_child(w, ss, line[ply], ply, MAY_CHECK)
        ss.static_value = NO_VALUE      # it belonged to another position
        ss += 1
    w.nodes = before                    # the moves of the line are not counted as nodes
    alpha_beta(w, -INFINITE, INFINITE, 1, len(line), PV_NODE)
    return NO_MOVE if w.stopped or ss.line_length == 0 else ss.line[0]


def complete_line(Worker worker not None, list line not None, int length):
    """As extend_line, but where the TT has no move, a search of one ply finds one.

    The line is `length` moves long unless the game ends before, or the search is stopped.
    """
    cdef Move move
    length = min(length, MAX_PLY)
    while True:
        line = extend_line(worker, line, length)
        if len(line) >= length:
            return line
        move = shallow_move(&worker.state, line)
        if move == NO_MOVE:
            return line
        line.append(move)


cdef Move mate_move(WorkerState *w, int ply, bint mates, int *length) noexcept nogil:
    # A move that leads to mate at ply *length: not later where the side to move mates, not earlier where it
    # is mated. If the searches prove another length, *length is corrected. NO_MOVE: none was found.
    cdef Stack *ss = w.root + ply
    cdef Value goal, value
    cdef int i, depth
    for i in range(TRIES):
        if length[0] <= ply or length[0] >= MAX_PLY:
            break
        goal = MATE - length[0] if mates else length[0] - MATE
        depth = length[0] - ply
        if i & 1:
            depth = max(depth, w.root_depth) + DEEPER
        value = test(w, goal, depth, ply, PV_NODE)
        if w.stopped:
            break
        if (value >= MATE_RANGE) if mates else (value <= -MATE_RANGE):
            length[0] = MATE - abs(value)
        elif value < goal and i & 1:
            length[0] += 2 if mates else -2
        if value >= goal:
            return ss.line[0] if ss.line_length else NO_MOVE
    return NO_MOVE


cdef int follow(WorkerState *w, Move move, bint mates, int length, Move *line) noexcept nogil:
    # Fills `line`, beginning with `move`. Returns its length, or 0 if it does not end in mate.
    cdef int ply = 0
    cdef Stack *ss
    while move != NO_MOVE:
        line[ply] = move
        enter_child(w, w.root + ply, move, ply, MAY_CHECK)
        ply += 1
        mates = not mates
        ss = w.root + ply
        if count_legal(&ss.pos) == 0:
            return ply if ss.pos.checkers and not mates else 0
        move = mate_move(w, ply, mates, &length)
    return 0


def mate_line(Worker worker not None, Move first, int value):
    """The line of 16-bit moves from the root to the mate that `value` stands for; `first` is its first move.

    Its length may correct the value, which a search with pruning may have got wrong. Empty if no line was
    found before a limit of the search, or within 20,000 nodes. Call between passes.
    """
    cdef WorkerState *w = &worker.state
    cdef uint64_t limit = w.node_limit
    cdef uint64_t last = w.nodes + BUDGET * min(w.root_depth, BUDGET_DEPTH)
    cdef bint learning = w.learning
    cdef int length, found
    cdef Move[MAX_PLY + 1] line
    worker.check_ready()
    if not -MATE <= value <= MATE or not is_legal(&w.root.pos, first):
        raise ValueError(f"no line to mate: move {first}, value {value}")
    length = MATE - abs(value)
    worker.begin(0)
    w.node_limit = min(limit or last, last)
    w.learning = True
    w.check_at = w.nodes
    w.null_move_from = 0
    with nogil:
        found = follow(w, first, value > 0, length, line)
    worker.end()
    w.node_limit, w.learning = limit, learning
    w.check_at = w.nodes
    w.stopped = False               # the next pass checks the limits again
    return [line[i] for i in range(found)]
