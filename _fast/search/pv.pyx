"""Principal variations: extended by the transposition table; the line of a forced mate, up to the mate.

A null-window test proves a bound without a full line: all nodes have no best move, and TT cutoffs end a
line early. So lines are completed after the search.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memcpy

from sssnake._fast.board.movegen cimport count_legal, is_legal
from sssnake._fast.board.position cimport MAY_CHECK, Position, make, repetition_key, table_key
from sssnake._fast.search.alphabeta cimport alpha_beta, test
from sssnake._fast.search.node cimport PV_NODE, enter_child, is_draw
from sssnake._fast.search.tt cimport TTData, probe
from sssnake._fast.search.worker cimport Stack, Worker, WorkerState
from sssnake._fast.types cimport (
    DECISIVE, INFINITE, MATE, MATE_RANGE, MAX_PLY, Move, NO_MOVE, NO_VALUE, Value,
)

cdef enum:
    BUDGET = 2000                       # nodes for one line, times the iteration's depth ...
    BUDGET_DEPTH = 10                   # ... or this depth if it is less
    TRIES = 6                           # searches for one move
    DEEPER = 4                          # plies more in every second one
    SHORTEST = 2                        # moves of a line: the reply is what a GUI ponders on


SHORTEST_LINE = SHORTEST


# Lines without a mate


cdef void extend(WorkerState *w, Line *line, int length) noexcept nogil:
    # To at most `length` moves, by moves of the TT. The line ends where the TT has no legal move, and at
    # mate, stalemate, the 50-move rule or a repetition; it may be shorter than before.
    cdef Position[2] pos
    cdef TTData tt
    cdef Move move
    cdef int ply = 0
    pos[0] = w.root.pos
    while ply < length and ply < MAX_PLY:
        if ply >= line.length:
            probe(w.table, table_key(&pos[ply & 1]), ply, &tt)
            line.moves[ply] = tt.move
        move = line.moves[ply]
        if move == NO_MOVE or not is_legal(&pos[ply & 1], move):
            break
        make(&pos[ply & 1], &pos[(ply + 1) & 1], move, MAY_CHECK)
        ply += 1
        w.keys[w.root_index + ply] = repetition_key(&pos[ply & 1])
        if is_draw(w, &pos[ply & 1], ply):
            break
    line.length = ply


cdef Move shallow_move(WorkerState *w, const Line *line) noexcept nogil:
    # Best move of a search of one ply after `line`; NO_MOVE at the end of the game, or if stopped.
    cdef uint64_t before = w.nodes
    cdef int ply
    cdef Stack *ss = w.root
    if w.exact or w.stopped:
        return NO_MOVE
    for ply in range(line.length):
        enter_child(w, ss, line.moves[ply], ply, MAY_CHECK)
        ss.static_value = NO_VALUE      # it belonged to another position
        ss += 1
    w.nodes = before                    # the moves of the line are not counted as nodes
    alpha_beta(w, -INFINITE, INFINITE, 1, line.length, PV_NODE)
    return NO_MOVE if w.stopped or ss.line_length == 0 else ss.line[0]


cdef void complete(WorkerState *w, Line *line, int length) noexcept nogil:
    # As `extend`, but where the TT has no move, a search of one ply finds one: the line is `length` moves
    # long unless the game ends before, or the search is stopped.
    length = min(length, MAX_PLY)
    extend(w, line, length)
    while line.length < length:
        line.moves[line.length] = shallow_move(w, line)
        if line.moves[line.length] == NO_MOVE:
            break
        line.length += 1
        extend(w, line, length)


# Lines to mate


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


cdef bint lead_to_mate(WorkerState *w, Line *line) noexcept nogil:
    # The whole line to the mate that its value stands for, which begins as it does now. Its length corrects
    # the value, which a search with pruning may have got wrong. False: no line was found before a limit of
    # the search, or within 20,000 nodes.
    cdef uint64_t limit = w.node_limit
    cdef uint64_t last = w.nodes + BUDGET * min(w.root_depth, BUDGET_DEPTH)
    cdef bint learning = w.learning
    cdef bint mates = line.value > 0
    cdef Move[MAX_PLY + 1] moves
    cdef int found
    w.node_limit = min(limit or last, last)
    w.learning = True
    w.check_at = w.nodes
    w.null_move_from = 0
    found = follow(w, line.moves[0], mates, MATE - abs(line.value), moves)
    w.node_limit = limit
    w.learning = learning
    w.check_at = w.nodes
    w.stopped = False               # the next pass checks the limits again
    if found:
        memcpy(line.moves, moves, found * sizeof(Move))
        line.length = found
        line.value = MATE - found if mates else found - MATE
    return found > 0


# Both


cdef void finish(WorkerState *w, Line *line, int length) noexcept nogil:
    cdef bint is_mate = abs(line.value) >= MATE_RANGE
    if is_mate and lead_to_mate(w, line):
        return
    if is_mate:                         # no bare claim: a plain win
        line.value = DECISIVE if line.value > 0 else -DECISIVE
    complete(w, line, max(length, SHORTEST))


cdef int read_line(Line *line, list moves) except -1:
    cdef int i
    line.value = NO_VALUE
    line.length = min(len(moves), MAX_PLY)
    for i in range(line.length):
        line.moves[i] = moves[i]
    return 0


cdef list moves_of(const Line *line):
    cdef int i
    return [line.moves[i] for i in range(line.length)]


def extend_line(Worker worker not None, list moves not None, int length):
    """A line (16-bit moves from the root), extended to at most `length` moves by moves of the TT.

    It ends where the TT has no legal move, and at mate, stalemate, the 50-move rule or a repetition.
    """
    cdef Line line
    worker.check_ready()
    read_line(&line, moves)
    extend(&worker.state, &line, length)
    return moves_of(&line)


def finish_line(Worker worker not None, list moves not None, int value, int length):
    """(line, value): a line of 16-bit moves, which has proved `value`, as it is shown. Call between passes.

    It is at least `length` moves long, and SHORTEST_LINE, unless the game ends before or the search is
    stopped; what the TT lacks, searches of one ply find. The line of a mate leads to the mate and may correct
    its length. Where it was lost, the value is that of a plain win, DECISIVE. ValueError: the first move is
    illegal.
    """
    cdef WorkerState *w = &worker.state
    cdef Line line
    worker.check_ready()
    read_line(&line, moves)
    if not -MATE <= value <= MATE or line.length == 0 or not is_legal(&w.root.pos, line.moves[0]):
        raise ValueError(f"no line of play: moves {moves}, value {value}")
    line.value = value
    worker.begin(0)
    with nogil:
        finish(w, &line, length)
    worker.end()
    return moves_of(&line), line.value
