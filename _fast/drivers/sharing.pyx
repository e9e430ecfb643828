"""What threads may share besides the transposition table: root moves of an iteration, histories."""

from _fast.search.worker cimport RootMove, Worker, WorkerState
from _fast.types cimport INFINITE, Move


cdef void copy_line(const RootMove *source, RootMove *target) noexcept nogil:
    cdef int i
    target.line_length = source.line_length
    for i in range(source.line_length):
        target.line[i] = source.line[i]


def share_history(Worker worker not None, Worker lender):
    """Let a worker use the histories of another one, or its own again (None); between searches only."""
    worker.lender = lender
    worker.state.history = worker.own_history if lender is None else lender.own_history


cdef class SharedRoots:
    """The root moves of one iteration, in an order of their own. The caller sees to it that one thread at a
    time calls, and that the worker does not search meanwhile.
    """

    cdef RootMove *find(self, Move move) noexcept nogil:
        # NULL if there is no such move.
        cdef int i
        for i in range(self.count):
            if self.roots[i].move == move:
                return &self.roots[i]
        return NULL

    def begin(self, Worker worker not None):
        """Take over the moves of a worker, their order and bounds."""
        cdef WorkerState *w = &worker.state
        cdef int i
        self.count = w.root_count
        self.first = w.root_first
        self.key = w.root.pos.key
        for i in range(self.count):
            self.roots[i] = w.roots[i]

    def follow(self, SharedRoots other not None):
        """Take over the moves of the iteration before, and their order; nothing is known of them."""
        cdef int i
        self.count = other.count
        self.first = other.first
        self.key = other.key
        for i in range(self.count):
            self.roots[i] = other.roots[i]
            self.roots[i].lower = -INFINITE
            self.roots[i].upper = INFINITE
            self.roots[i].nodes = 0

    def lend(self, Worker worker not None, int depth, bint nodes=False):
        """Give a worker the moves, in this order, with the bounds that are known.

        nodes: with the nodes spent on them, too; else they count from 0, for `merge`. ValueError: the worker
        is at another position.
        """
        cdef WorkerState *w = &worker.state
        cdef int i
        if w.root.pos.key != self.key:
            raise ValueError("these moves are of another position")
        w.root_depth = depth
        w.root_count = self.count
        w.root_first = self.first
        for i in range(self.count):
            w.roots[i] = self.roots[i]
            if not nodes:
                w.roots[i].nodes = 0

    def merge(self, Worker worker not None, bint failed_high):
        """Take over what a worker's pass has proved. Where it contradicts another pass, the newer one counts.

        A pass that failed high proves lower bounds, another one upper bounds. Its nodes are counted.
        """
        cdef WorkerState *w = &worker.state
        cdef RootMove *own
        cdef RootMove *shared
        cdef int i
        for i in range(w.root_count):
            own = &w.roots[i]
            shared = self.find(own.move)
            if shared == NULL:
                continue
            shared.nodes += own.nodes
            own.nodes = 0
            if own.upper < shared.upper and (own.upper >= shared.lower or not failed_high):
                shared.upper = own.upper
                if shared.lower > shared.upper:
                    shared.lower = -INFINITE
            if own.lower > shared.lower and (own.lower <= shared.upper or failed_high):
                copy_line(own, shared)
                shared.lower = own.lower
                if shared.upper < shared.lower:
                    shared.upper = INFINITE

    def count_nodes(self, Worker worker not None):
        """Count the nodes of a pass that was given up."""
        cdef WorkerState *w = &worker.state
        cdef RootMove *shared
        cdef int i
        for i in range(w.root_count):
            shared = self.find(w.roots[i].move)
            if shared != NULL:
                shared.nodes += w.roots[i].nodes
                w.roots[i].nodes = 0

    def best(self):
        """Index of the move with the highest lower bound, of those not yet reported (MultiPV)."""
        cdef int i, best = self.first
        for i in range(best + 1, self.count):
            if self.roots[i].lower > self.roots[best].lower:
                best = i
        return best

    def lead_with_best(self):
        """Move the best move to the front."""
        cdef int i, best = self.best()
        cdef RootMove chosen = self.roots[best]
        for i in range(best, self.first, -1):
            self.roots[i] = self.roots[i - 1]
        self.roots[self.first] = chosen

    def unrivalled(self):
        """MTD(best): whether the best move's lower bound is no less than any other's upper bound."""
        cdef int i, best = self.best()
        for i in range(self.first, self.count):
            if i != best and self.roots[i].upper > self.roots[best].lower:
                return False
        return True

    def leader(self):
        """(best move, its share of the nodes counted so far, 0 to 1)."""
        cdef int i, best = self.best()
        cdef double total = 0
        for i in range(self.count):
            total += self.roots[i].nodes
        return self.roots[best].move, self.roots[best].nodes / max(total, 1.0)
