# Helper threads: parked on a lock each, given turns on the processors through a queue.

cimport cython
from libc.stdint cimport int64_t

from sssnake._fast.search.worker cimport StopFlag, WorkerState

cdef extern from "pythread.h":          # Python's portable threads and locks; those marked nogil need no GIL
    ctypedef void *PyThread_type_lock
    int WAIT_LOCK
    int NOWAIT_LOCK
    PyThread_type_lock PyThread_allocate_lock() noexcept nogil
    void PyThread_free_lock(PyThread_type_lock lock) noexcept nogil
    int PyThread_acquire_lock(PyThread_type_lock lock, int mode) noexcept nogil
    void PyThread_release_lock(PyThread_type_lock lock) noexcept nogil
    unsigned long PyThread_start_new_thread(void (*function)(void *) noexcept nogil, void *argument) noexcept
    size_t PyThread_get_stacksize() noexcept
    int PyThread_set_stacksize(size_t size) noexcept

cdef enum:
    MOST = 1024                         # threads of a pool


cdef struct Helper:
    WorkerState *w
    Turns *turns
    PyThread_type_lock wake             # held; released to give the thread a turn, or to end it
    Helper *next                        # in the queue
    int driver
    int first                           # depth of its first iteration
    int64_t turn_ends                   # nanoseconds, as now_ns()
    bint begun                          # has had a turn in this search
    bint exits                          # the thread is to end


cdef struct Turns:                      # which helpers run; all changes are made under the mutex
    PyThread_type_lock mutex
    PyThread_type_lock busy             # held while helpers have work
    int working                         # helpers that have work
    int spare                           # processors that are free
    bint over                           # the search has ended
    int waiting                         # length of the queue; read without the mutex too
    Helper *first
    Helper *last


@cython.final
@cython.no_gc_clear                     # `__dealloc__` waits for threads that use the workers
cdef class Helpers:
    cdef Turns turns
    cdef Helper *threads[MOST]
    cdef StopFlag stop_flag
    cdef list workers
