"""Threads that search in turn, each for so many nodes: a simulated machine with a processor for each.

One thread runs at a time, so a search is the same every time, however busy the machine is. Time is counted in
rounds, in which every thread visits `quantum` nodes or waits.
"""

from _fast.bits cimport store_int
from _fast.search.worker cimport Worker, WorkerState


cdef void pass_on(Seat *seat) noexcept nogil:
    # The turn goes to the next thread, which may be this one.
    cdef Ring *ring = seat.ring
    cdef int i = <int> (seat - &ring.seats[0])
    while True:
        i += 1
        if i == ring.count:
            i = 0
            ring.rounds += 1
            if ring.last_round and ring.rounds >= ring.last_round:
                store_int(&seat.w.limits.stop, 1)
        if not ring.seats[i].left or &ring.seats[i] == seat:
            break
    PyThread_release_lock(ring.seats[i].turn)


cdef void take_turns(WorkerState *w) noexcept nogil:
    # Called at every check of the limits.
    cdef Seat *seat = <Seat *> w.helper
    if w.nodes >= seat.until:
        pass_on(seat)
        PyThread_acquire_lock(seat.turn, WAIT_LOCK)
        seat.until = w.nodes + seat.ring.quantum
    w.check_at = min(w.check_at, seat.until)


cdef class Turnstile:
    """Turns of `quantum` nodes for these workers, one thread each. Every thread calls `enter` and `leave`.

    last_round: at its end the workers' stop flag is set; 0: never.
    """

    def __cinit__(self, list workers not None, uint64_t quantum, int64_t last_round=0):
        cdef Worker worker
        cdef Seat *seat
        cdef int i
        if not 1 <= len(workers) <= MOST:
            raise ValueError(f"1 to {MOST} workers")
        self.workers = list(workers)
        self.ring.count = len(workers)
        self.ring.quantum = quantum
        self.ring.last_round = last_round
        for i in range(self.ring.count):
            worker = workers[i]
            seat = &self.ring.seats[i]
            seat.ring = &self.ring
            seat.w = &worker.state
            seat.turn = PyThread_allocate_lock()
            if seat.turn == NULL:
                raise MemoryError("no memory for threads")
            if i > 0:
                PyThread_acquire_lock(seat.turn, WAIT_LOCK)
            worker.state.helper = seat
            worker.state.pause = take_turns

    def __dealloc__(self):
        cdef Worker worker
        cdef int i
        for i in range(self.ring.count):
            worker = self.workers[i]
            if worker.state.helper == &self.ring.seats[i]:      # not another turnstile's by now
                worker.state.pause = NULL
                worker.state.helper = NULL
            if self.ring.seats[i].turn != NULL:
                PyThread_free_lock(self.ring.seats[i].turn)

    def enter(self, int number):
        """Wait for the first turn."""
        with nogil:
            PyThread_acquire_lock(self.ring.seats[number].turn, WAIT_LOCK)
        self.ring.seats[number].until = self.ring.seats[number].w.nodes + self.ring.quantum

    def wait(self, int number):
        """Give the turn away, and wait for the next one."""
        with nogil:
            pass_on(&self.ring.seats[number])
            PyThread_acquire_lock(self.ring.seats[number].turn, WAIT_LOCK)
        self.ring.seats[number].until = self.ring.seats[number].w.nodes + self.ring.quantum

    def leave(self, int number):
        """Give the turn away for good."""
        self.ring.seats[number].left = True
        pass_on(&self.ring.seats[number])

    @property
    def rounds(self):
        """Rounds so far."""
        return self.ring.rounds
