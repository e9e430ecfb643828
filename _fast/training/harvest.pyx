"""Positions that searches evaluate, sampled for training.

In play a network evaluates the leaves of searches, after moves that nobody plays in games. Here a sample of
the positions that a search evaluates is kept, with their static values. That costs next to nothing, so there
can be enough of them to train a network to the evaluation of the one before it.
"""

cimport cython
from libc.stdlib cimport calloc, free


@cython.final
@cython.no_gc_clear
cdef class Harvest:
    """A sample of the positions that `worker` evaluates: one in `sampling_rate`, at most `capacity`.

    Raises MemoryError.
    """

    def __cinit__(self, Worker worker not None, int64_t capacity, uint64_t sampling_rate):
        if capacity < 0 or sampling_rate == 0:
            raise ValueError(f"no sample of {capacity} positions, one in {sampling_rate}")
        worker.check_idle()
        self.worker = worker
        self.samples.positions = <Position *> calloc(capacity, sizeof(Position))
        self.samples.values = <Value *> calloc(capacity, sizeof(Value))
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
        """Empty the sample; the same seed samples the same positions of the same search."""
        self.samples.rng = seed
        self.samples.count = 0
