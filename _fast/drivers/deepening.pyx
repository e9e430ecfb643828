"""Iterative deepening without Python: of helper threads, and of a main thread that nobody watches.

Where lines are reported, a clock runs or several lines are searched, engine/player/deepening.py does it.
"""

from libc.stdint cimport uint64_t

from sssnake._fast.drivers.bracket cimport BracketState, Counts, START_SWING, add_counts, counts_of, iterate
from sssnake._fast.drivers.bracket import NAMES
from sssnake._fast.search.pv cimport Line, finish, moves_of
from sssnake._fast.search.worker cimport Worker, best_root, move_root, obey_limits, sort_roots

cdef enum:
    DEEPEST = 120                       # plies of a helper's last iteration


cdef void start(BracketState *b, const WorkerState *w, int driver) noexcept nogil:
    # Before the first iteration.
    b.params = w.params
    b.driver = driver
    b.guess = 0
    b.swing = START_SWING


cdef void deepen(WorkerState *w, int driver, int first) noexcept nogil:
    cdef BracketState b
    cdef int depth
    if w.root_count == 0:
        return
    start(&b, w, driver)
    for depth in range(first, DEEPEST):
        if not iterate(w, &b, depth):
            return
        sort_roots(w, 1)


cdef void commit(WorkerState *w, BracketState *b, Line *line) noexcept nogil:
    # The best root move's line is the result now, and its value what the next iteration starts from. The
    # shared limits hold from the end of the first iteration on, so that there is a move to play.
    cdef int i
    move_root(w, best_root(w), 0)
    line.length = w.roots[0].line_length
    for i in range(line.length):
        line.moves[i] = w.roots[0].line[i]
    line.value = b.lower
    finish(w, line, b.depth)
    b.guess = line.value
    obey_limits(w)
    sort_roots(w, 1)


def deepen_unwatched(Worker worker not None, str driver not None, int depth, uint64_t nodes):
    """Iterations at the worker's position up to a depth in plies, or to a limit that ends them.

    nodes: no iteration begins after so many; 0: any number. The best root move comes first.
    (whether the last iteration was stopped, number of those before, line and value of the last of them,
    counts). ValueError: no position, no legal move, no such driver.
    """
    cdef WorkerState *w = &worker.state
    cdef BracketState b
    cdef Counts counts = Counts(0, 0, 0, 0, 0)
    cdef Line line
    cdef int iterations = 0
    cdef bint stopped = False
    worker.check_ready()
    if w.root_count == 0 or driver not in NAMES:
        raise ValueError(f"no move to search, or no driver {driver!r}")
    start(&b, w, NAMES.index(driver))
    line.length = line.value = 0
    w.root_first = 0
    worker.begin(depth)
    with nogil:
        while iterations < depth and not stopped and not (nodes and w.nodes >= nodes):
            stopped = not iterate(w, &b, iterations + 1)
            add_counts(&counts, &b)
            if not stopped:
                commit(w, &b, &line)
                iterations += 1
    worker.end()
    return stopped, iterations, moves_of(&line), line.value, counts_of(&counts)
