"""Positions that searches evaluate, gathered to learn from.

A network is asked in play about the leaves of searches, where one side has tried anything and the other
has answered. Games hardly hold such positions. Here one in so many of those that a search evaluates is kept,
with its static value. That costs next to nothing, so there can be as many as a network needs to learn what
the evaluation before it knew.
"""

cimport cython
from libc.stdlib cimport free, malloc


@cython.final
@cython.no_gc_clear
cdef class Harvest:
    """Takes down one in `rarity` of the positions that `worker` evaluates, at most `capacity` at a time.

    Raises MemoryError.
    """

    def __cinit__(self, Worker worker not None, int64_t capacity, uint64_t sampling_rate):
        self.worker = worker
        self.samples.positions = <Position *> malloc(capacity * sizeof(Position))
        self.samples.values = <Value *> malloc(capacity * sizeof(Value))
        if self.samples.positions == NULL or self.samples.values == NULL:
            raise MemoryError(f"no memory for {capacity} positions")
        self.samples.capacity = capacity
        self.samples.sampling_rate = sampling_rate
        worker.state.samples = &self.samples

    def __dealloc__(self):
        if self.worker is not None and self.worker.state.samples == &self.samples:
            self.worker.state.samples = NULL
        free(self.samples.positions)
        free(self.samples.values)

    def __len__(self):
        return self.samples.count

    def begin(self, uint64_t seed):
        """Start anew; the same seed takes down the same positions of the same search."""
        self.samples.rng = seed
        self.samples.count = 0
