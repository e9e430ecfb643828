"""Threads that search in turn, each for so many nodes: a simulated machine with a processor for each.

One thread runs at a time, so a search is the same every time, however busy the machine is. Time is counted in
rounds, in which every thread visits `quantum` nodes or waits.
"""

from sssnake._fast.bits cimport store_int
from sssnake._fast.search.worker cimport Worker, WorkerState


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
        if not 1 <= len(workers) <= MOST or len(set(map(id, workers))) < len(workers):
            raise ValueError(f"1 to {MOST} different workers")
        self.workers = list(workers)
        for item in self.workers:
            if not isinstance(item, Worker):
                raise TypeError(f"no Worker: {item!r}")
            worker = item
            worker.check_idle()
            if worker.state.helper != NULL and worker.state.pause != take_turns:
                raise ValueError("the worker has a thread")
        self.ring.quantum = quantum
        self.ring.last_round = last_round
        for item in self.workers:
            seat = &self.ring.seats[self.ring.count]
            seat.turn = PyThread_allocate_lock()
            if seat.turn == NULL:
                raise MemoryError("no memory for threads")
            if self.ring.count > 0:
                PyThread_acquire_lock(seat.turn, WAIT_LOCK)
            worker = item
            seat.ring = &self.ring
            seat.w = &worker.state
            self.ring.count += 1
        for i, item in enumerate(self.workers):
            worker = item
            worker.state.helper = &self.ring.seats[<int> i]
            worker.state.pause = take_turns
            worker.turnstile = self

    def __dealloc__(self):
        cdef Worker worker
        cdef int i
        for item in self.workers or ():
            if not isinstance(item, Worker):
                continue
            worker = item
            if &self.ring.seats[0] <= <Seat *> worker.state.helper < &self.ring.seats[0] + MOST:
                worker.state.pause = NULL           # it is not another turnstile's by now
                worker.state.helper = NULL
        for i in range(self.ring.count):
            PyThread_free_lock(self.ring.seats[i].turn)

    cdef Seat *seat(self, int number, bint inside) except NULL:
        # The seat of that number, if its thread is inside, or outside and has not left for good.
        cdef Seat *seat
        if not 0 <= number < self.ring.count:
            raise IndexError(number)
        seat = &self.ring.seats[number]
        if seat.inside != inside or seat.left:
            raise RuntimeError("the thread is not inside" if inside else "the thread has entered before")
        return seat

    def enter(self, int number):
        """Wait for the first turn."""
        cdef Seat *seat = self.seat(number, False)
        seat.inside = True
        with nogil:
            PyThread_acquire_lock(seat.turn, WAIT_LOCK)
        seat.until = seat.w.nodes + self.ring.quantum

    def wait(self, int number):
        """Give the turn away, and wait for the next one."""
        cdef Seat *seat = self.seat(number, True)
        with nogil:
            pass_on(seat)
            PyThread_acquire_lock(seat.turn, WAIT_LOCK)
        seat.until = seat.w.nodes + self.ring.quantum

    def leave(self, int number):
        """Give the turn away for good."""
        cdef Seat *seat = self.seat(number, True)
        seat.left = True
        pass_on(seat)

    @property
    def rounds(self):
        """Rounds so far."""
        return self.ring.rounds
