"""The line of a forced mate, to its end.

A null-window search proves a mate without keeping its line: refuted defences leave no move, and the
table answers before anything is copied up. So the line is found afterwards, move by move: at each ply a
flagged search asks for a move that keeps the promise, the shortest mate or the longest defence. The table
knows most answers.
"""

from libc.stdint cimport uint64_t

from _fast.alphabeta cimport test
from _fast.movegen cimport count_legal
from _fast.node cimport FLAGGED, enter_child
from _fast.types cimport MATE, MATE_RANGE, MAX_PLY, Move, NO_MOVE, Value
from _fast.worker cimport Frame, Worker, WorkerState

cdef enum:
    BUDGET = 2000                       # nodes for one line, per ply of the iteration ...
    BUDGET_DEPTH = 10                   # ... up to this one: early ones know no time limit yet
    TRIES = 6                           # searches for one move
    DEEPER = 4                          # plies more in every second one


cdef Move keeping_move(WorkerState *w, int ply, bint mates, int *length) noexcept nogil:
    # A move that leads to mate at ply *length: not later where the side to move mates, not earlier where it
    # is mated. What the searches prove instead corrects *length. NO_MOVE: none was found.
    cdef Frame *frame = w.root + ply
    cdef Value goal, value
    cdef int i, depth
    for i in range(TRIES):
        if length[0] <= ply or length[0] >= MAX_PLY:
            break
        goal = MATE - length[0] if mates else length[0] - MATE
        depth = length[0] - ply
        if i & 1:
            depth = max(depth, w.root_depth) + DEEPER
        value = test(w, goal, depth, ply, FLAGGED)
        if w.stopped:
            break
        if (value >= MATE_RANGE) if mates else (value <= -MATE_RANGE):
            length[0] = MATE - abs(value)
        elif value < goal and i & 1:
            length[0] += 2 if mates else -2
        if value >= goal:
            return frame.line[0] if frame.line_length else NO_MOVE
    return NO_MOVE


cdef int trace(WorkerState *w, Move move, bint mates, int length, Move *line) noexcept nogil:
    # Fills `line`, beginning with `move`; its length, or 0 where it does not end in mate.
    cdef int ply = 0
    cdef Frame *frame
    while move != NO_MOVE:
        line[ply] = move
        enter_child(w, w.root + ply, move, ply, True)
        ply += 1
        mates = not mates
        frame = w.root + ply
        if count_legal(&frame.pos) == 0:
            return ply if frame.pos.checkers and not mates else 0
        move = keeping_move(w, ply, mates, &length)
    return 0


def mate_line(Worker worker, int first, int value):
    """The line of 16-bit moves from the root, beginning with `first`, to the mate that `value` tells.

    Its length may correct the value: a search that prunes may have been wrong about it. Empty if there was
    no such line to be found before a limit of the search, or within some thousand nodes. Call between passes.
    """
    cdef WorkerState *w = &worker.state
    cdef uint64_t limit = w.node_limit
    cdef uint64_t last = w.nodes + BUDGET * min(w.root_depth, BUDGET_DEPTH)
    cdef bint near = w.near
    cdef int length = MATE - abs(value)
    cdef int found
    cdef Move[MAX_PLY + 1] line
    w.node_limit = min(limit or last, last)
    w.near = True
    w.check_at = w.nodes
    w.null_move_from = 0
    with nogil:
        found = trace(w, first, value > 0, length, line)
    w.node_limit, w.near = limit, near
    w.check_at = w.nodes
    w.stopped = False               # what made this one stop will stop the next pass too, if it has to
    return [line[i] for i in range(found)]
