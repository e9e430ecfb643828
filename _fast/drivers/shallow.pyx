"""Searches to a small fixed depth along a game: each goes on from what the one before it has found out.

The search of a position has seen the position after its best move a ply less deep. There the last iteration
alone is searched, by a driver that begins near the known value. Where nothing is known, PVS deepens from the
first iteration on.
"""

from sssnake._fast.board.position cimport MAY_CHECK, Position, make, table_key
from sssnake._fast.drivers.bracket cimport BracketState, PVS, START_SWING, iterate
from sssnake._fast.drivers.bracket import NAMES
from sssnake._fast.search.tt cimport TTData, probe
from sssnake._fast.search.worker cimport WorkerState, move_root
from sssnake._fast.types cimport MAX_PLY, TB_RANGE


cdef void table_move_first(WorkerState *w) noexcept nogil:
    cdef TTData tt
    cdef int i
    probe(w.table, table_key(&w.root.pos), 0, &tt)
    for i in range(w.root_count):
        if w.roots[i].move == tt.move:
            move_root(w, i, 0)
            return


cdef Value middle(const BracketState *b) noexcept nogil:
    # Of a closed bracket. A forced win is known exactly; with `driver_best` no upper bound may be known.
    if b.lower >= TB_RANGE or b.upper >= TB_RANGE or b.lower <= -TB_RANGE:
        return b.lower
    return (b.lower + b.upper) >> 1


cdef class ShallowSearch:
    """Searches of `worker` to `depth` plies, 1 or more; the driver of that name follows a game."""

    def __cinit__(self, Worker worker not None, int depth, str driver not None="SSS*"):
        if not 1 <= depth < MAX_PLY:
            raise ValueError(f"no search to depth {depth}")
        self.worker = worker
        self.depth = depth
        self.driver = NAMES.index(driver)

    def new_game(self):
        """Know nothing of the next position."""
        self.begun = False

    cdef Value run(self) noexcept nogil:
        # Searches the worker's position; the best root move comes first.
        cdef WorkerState *w = &self.worker.state
        cdef BracketState b
        cdef Position after
        cdef int depth, first = 1
        b.params = w.params
        b.driver = PVS                  # nothing is known: an exact value
        b.guess = 0
        b.swing = START_SWING
        if self.begun and w.root.pos.key == self.reached:
            first = self.depth
            b.driver = self.driver
            b.guess = self.value
            table_move_first(w)
        for depth in range(first, self.depth + 1):
            if not iterate(w, &b, depth):
                break
        make(&w.root.pos, &after, w.roots[0].move, MAY_CHECK)
        self.reached = after.key
        self.value = -middle(&b)
        self.begun = True
        return -self.value

    def search(self):
        """(move of 16 bits, value for the side to move in centipawns) of the worker's position.

        ValueError if it has none, or if no move is legal there.
        """
        cdef WorkerState *w = &self.worker.state
        cdef Value value
        self.worker.begin(self.depth)
        try:
            if w.root_count == 0:
                raise ValueError("no move to search")
            with nogil:
                value = self.run()
        finally:
            self.worker.end()
        return w.roots[0].move, value
