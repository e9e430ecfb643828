"""Helper threads, which search beside the main thread. They never take the GIL.

If there are more helpers than processors, they take turns. One processor is left to the main thread: among
hundreds of threads it would run a hundredth of the time, and might miss its deadline by half a second.
"""

from libc.stdlib cimport calloc, free

from sssnake._fast.bits cimport load_int, store_int
from sssnake._fast.clock cimport now_ns
from sssnake._fast.drivers.deepening cimport deepen
from sssnake._fast.drivers.bracket import NAMES
from sssnake._fast.search.worker cimport StopFlag, Worker, WorkerState

cdef enum:
    STACK = 4 << 20                     # bytes; 128 plies of a search take less than 1 MiB
    TURN = 20 * 1000 * 1000             # nanoseconds on a processor while others wait for it


STACK_BYTES = STACK                     # for threads that Python starts


cdef void queue(Turns *turns, Helper *helper) noexcept nogil:
    helper.next = NULL
    if turns.last == NULL:
        turns.first = helper
    else:
        turns.last.next = helper
    turns.last = helper
    store_int(&turns.waiting, turns.waiting + 1)


cdef Helper *dequeue(Turns *turns) noexcept nogil:
    # NULL: the queue is empty.
    cdef Helper *helper = turns.first
    if helper != NULL:
        turns.first = helper.next
        if turns.first == NULL:
            turns.last = NULL
        store_int(&turns.waiting, turns.waiting - 1)
    return helper


cdef void give_turn(Helper *helper) noexcept nogil:
    helper.begun = True
    PyThread_release_lock(helper.wake)


cdef void take_turns(WorkerState *w) noexcept nogil:
    # At the end of its turn, a helper gives its processor to the first one in the queue.
    cdef Helper *helper = <Helper *> w.helper
    cdef Turns *turns = helper.turns
    cdef Helper *other = NULL
    if load_int(&turns.waiting) == 0 or now_ns() < helper.turn_ends or load_int(&w.limits.stop):
        return
    PyThread_acquire_lock(turns.mutex, WAIT_LOCK)
    if not turns.over:
        other = dequeue(turns)
    if other != NULL:
        queue(turns, helper)
        give_turn(other)
    PyThread_release_lock(turns.mutex)
    if other != NULL:
        PyThread_acquire_lock(helper.wake, WAIT_LOCK)
    helper.turn_ends = now_ns() + TURN


cdef void end_search(Helper *helper) noexcept nogil:
    # A helper has done its work. After a stop, `finish` removes those from the queue that have not begun.
    cdef Turns *turns = helper.turns
    cdef Helper *other = NULL
    cdef bint last
    PyThread_acquire_lock(turns.mutex, WAIT_LOCK)
    if not turns.over and not load_int(&helper.w.limits.stop):
        other = dequeue(turns)
    if other != NULL:
        give_turn(other)
    else:
        turns.spare += 1
    turns.working -= 1
    last = turns.working == 0
    PyThread_release_lock(turns.mutex)
    if last:
        PyThread_release_lock(turns.busy)


cdef void run_thread(void *argument) noexcept nogil:
    # The function of a helper's thread. It frees the helper at its end.
    cdef Helper *helper = <Helper *> argument
    while True:
        PyThread_acquire_lock(helper.wake, WAIT_LOCK)
        if helper.exits:
            break
        helper.turn_ends = now_ns() + TURN
        deepen(helper.w, helper.driver, helper.first)
        store_int(&helper.w.searching, 0)
        end_search(helper)
    PyThread_free_lock(helper.wake)
    free(helper)


cdef bint start_thread(Helper *helper) noexcept:
    # Starts a thread, which waits for its first turn. False: the system starts no more threads.
    cdef size_t usual = PyThread_get_stacksize()
    cdef unsigned long started
    PyThread_acquire_lock(helper.wake, NOWAIT_LOCK)
    PyThread_set_stacksize(STACK)
    started = <unsigned long> PyThread_start_new_thread(run_thread, helper)
    PyThread_set_stacksize(usual)
    return started != <unsigned long> -1        # PYTHREAD_INVALID_THREAD_ID, which the stable ABI lacks


cdef class Helpers:
    """The helper threads of a pool, which wait between searches. One search at a time.

    stop_flag: the one of their workers. Raises MemoryError.
    """

    def __cinit__(self, StopFlag stop_flag not None):
        self.stop_flag = stop_flag
        self.workers = []
        self.turns.mutex = PyThread_allocate_lock()
        self.turns.busy = PyThread_allocate_lock()
        if self.turns.mutex == NULL or self.turns.busy == NULL:
            raise MemoryError("no memory for threads")

    def __dealloc__(self):
        if self.turns.mutex != NULL and self.turns.busy != NULL:
            self.close()
        if self.turns.mutex != NULL:
            PyThread_free_lock(self.turns.mutex)
        if self.turns.busy != NULL:
            PyThread_free_lock(self.turns.busy)

    def close(self):
        """Stop the search and end all threads, which must be before the collector of cycles frees workers."""
        store_int(&self.stop_flag.limits.stop, 1)
        self.finish()
        self.settle()
        self.keep(0)

    def forget(self):
        """In a forked process, where none of the threads is: have none. They may have held the locks."""
        cdef Worker worker
        for worker in self.workers:
            worker.state.pause = NULL
            worker.state.helper = NULL
            store_int(&worker.state.searching, 0)
        self.workers = []
        self.turns.first = self.turns.last = NULL
        store_int(&self.turns.waiting, 0)
        self.turns.working = 0
        self.turns.over = True
        self.turns.mutex = PyThread_allocate_lock()
        self.turns.busy = PyThread_allocate_lock()
        if self.turns.mutex == NULL or self.turns.busy == NULL:
            raise MemoryError("no memory for threads")

    def __len__(self):
        """Number of threads."""
        return len(self.workers)

    def add(self, Worker worker not None):
        """Start one more thread, for `worker`. False: the system starts no more threads."""
        cdef Helper *helper
        if worker.stop_flag is not self.stop_flag:
            raise ValueError("the worker has another stop flag")
        if worker.state.helper != NULL:
            raise ValueError("the worker has a thread")
        worker.check_idle()
        if len(self.workers) == MOST:
            return False
        helper = <Helper *> calloc(1, sizeof(Helper))
        if helper == NULL:
            return False
        helper.wake = PyThread_allocate_lock()
        helper.turns = &self.turns
        helper.w = &worker.state
        if helper.wake == NULL or not start_thread(helper):
            if helper.wake != NULL:
                PyThread_free_lock(helper.wake)
            free(helper)
            return False
        worker.state.helper = helper
        worker.state.pause = take_turns
        self.threads[len(self.workers)] = helper
        self.workers.append(worker)
        return True

    def keep(self, int count):
        """End all threads but the first `count`; between searches."""
        cdef Worker worker
        while len(self.workers) > max(count, 0):
            worker = self.workers[len(self.workers) - 1]
            worker.check_idle()
            self.workers.pop()
            worker.state.pause = NULL
            worker.state.helper = NULL
            self.threads[len(self.workers)].exits = True
            PyThread_release_lock(self.threads[len(self.workers)].wake)

    def start(self, int count, str driver not None, int processors):
        """Start the first `count` helpers at their workers' positions; they search until the flag is set.

        Helpers with odd numbers begin a ply deeper, so that not all do the same work. processors: of the
        machine; one is left to the main thread.
        """
        cdef int i
        cdef int number = NAMES.index(driver)
        cdef Turns *turns = &self.turns
        cdef Worker worker
        self.settle()
        count = min(count, len(self.workers))
        if count <= 0:
            return
        for i in range(count):
            worker = self.workers[i]
            worker.check_ready()
        for i in range(count):
            worker = self.workers[i]
            worker.obey_limits()
            store_int(&worker.state.searching, 1)
            self.threads[i].driver = number
            self.threads[i].first = 2 - i % 2       # the main thread is number 0, this one i + 1
            self.threads[i].begun = False
        PyThread_acquire_lock(turns.busy, WAIT_LOCK)
        PyThread_acquire_lock(turns.mutex, WAIT_LOCK)
        turns.over = False
        turns.working = count
        turns.spare = max(1, processors - 1)
        for i in range(count):
            if turns.spare > 0:
                turns.spare -= 1
                give_turn(self.threads[i])
            else:
                queue(turns, self.threads[i])
        PyThread_release_lock(turns.mutex)

    def finish(self):
        """End the search, after the stop flag is set: helpers in the queue need no more turns."""
        cdef Turns *turns = &self.turns
        cdef Helper *helper
        cdef int unused = 0
        PyThread_acquire_lock(turns.mutex, WAIT_LOCK)
        turns.over = True
        while True:
            helper = dequeue(turns)
            if helper == NULL:
                break
            if helper.begun:
                turns.spare -= 1
                give_turn(helper)
            else:
                store_int(&helper.w.searching, 0)
                unused += 1
        turns.working -= unused
        if unused and turns.working == 0:
            PyThread_release_lock(turns.busy)
        PyThread_release_lock(turns.mutex)

    def settle(self):
        """Wait until every helper has ended its search."""
        with nogil:
            PyThread_acquire_lock(self.turns.busy, WAIT_LOCK)
            PyThread_release_lock(self.turns.busy)
