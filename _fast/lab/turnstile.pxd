# Threads that search in turn, so that a search by several of them is the same every time.

cimport cython
from libc.stdint cimport int64_t, uint64_t

from sssnake._fast.search.worker cimport WorkerState

cdef extern from "pythread.h":
    ctypedef void *PyThread_type_lock
    int WAIT_LOCK
    PyThread_type_lock PyThread_allocate_lock() noexcept nogil
    void PyThread_free_lock(PyThread_type_lock lock) noexcept nogil
    int PyThread_acquire_lock(PyThread_type_lock lock, int mode) noexcept nogil
    void PyThread_release_lock(PyThread_type_lock lock) noexcept nogil

cdef enum:
    MOST = 64                           # threads


cdef struct Seat:                       # of one thread
    Ring *ring
    WorkerState *w
    PyThread_type_lock turn             # held, but while it is the thread's turn to take it
    uint64_t until                      # node count at which its turn ends
    bint inside                         # its thread has entered
    bint left                           # takes no more turns


cdef struct Ring:
    Seat seats[MOST]
    int count
    int64_t rounds                      # turns of the first seat so far
    int64_t last_round                  # at its end all stop; 0: none
    uint64_t quantum                    # nodes of a turn


@cython.final
@cython.no_gc_clear                     # `__dealloc__` needs the workers
cdef class Turnstile:
    cdef Ring ring
    cdef list workers
    cdef Seat *seat(self, int number, bint inside) except NULL
