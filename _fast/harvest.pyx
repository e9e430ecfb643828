"""Positions that searches evaluate, gathered to learn from.

A network is asked in play about the leaves of searches, where one side has tried anything and the other
has answered. Games hardly hold such positions. Here one in so many of those that a search evaluates is taken
down, with its static value: that costs next to nothing, so there can be as many as a network needs to learn
what the evaluation before it knew. What it should know beyond that, searches teach it (`neighbours.pyx`).
"""

cimport cython
from libc.stdlib cimport free, malloc


@cython.final
@cython.no_gc_clear
cdef class Harvest:
    """Takes down one in `rarity` of the positions that `worker` evaluates, at most `capacity` at a time.

    Raises MemoryError.
    """

    def __cinit__(self, Worker worker not None, int64_t capacity, uint64_t rarity):
        self.worker = worker
        self.sheaf.positions = <Position *> malloc(capacity * sizeof(Position))
        self.sheaf.values = <Value *> malloc(capacity * sizeof(Value))
        if self.sheaf.positions == NULL or self.sheaf.values == NULL:
            raise MemoryError(f"no memory for {capacity} positions")
        self.sheaf.capacity = capacity
        self.sheaf.rarity = rarity
        worker.state.sheaf = &self.sheaf

    def __dealloc__(self):
        if self.worker is not None and self.worker.state.sheaf == &self.sheaf:
            self.worker.state.sheaf = NULL
        free(self.sheaf.positions)
        free(self.sheaf.values)

    def __len__(self):
        return self.sheaf.count

    def begin(self, uint64_t seed):
        """Start anew; the same seed takes down the same positions of the same search."""
        self.sheaf.dice = seed
        self.sheaf.count = 0
