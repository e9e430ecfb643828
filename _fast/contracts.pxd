# What every call of the search may rely on: C asserts, which builds for the sanitizers check
# (SSSNAKE_SANITIZE in setup.py) and others leave out.

from sssnake._fast.types cimport INFINITE, MAX_PLY, Value

cdef extern from *:
    """
    #include <assert.h>
    #ifdef NDEBUG
    #define require(condition) ((void) (condition))
    #else
    #define require(condition) assert(condition)
    #endif
    """
    void require(bint condition) noexcept nogil


cdef inline void check_window(Value alpha, Value beta, bint pv) noexcept nogil:
    # Only PV nodes have an open window.
    require(-INFINITE <= alpha and alpha < beta and beta <= INFINITE)
    require(pv or beta == alpha + 1)


cdef inline void check_ply(int ply) noexcept nogil:
    require(0 <= ply and ply <= MAX_PLY)


cdef inline void check_bounds(Value lower, Value upper) noexcept nogil:
    # Of a bracket, after every pass.
    require(lower <= upper)


cdef inline void check_bound(Value value, Value alpha, Value beta) noexcept nogil:
    # A rule that decides a node returns a bound of the window that it was asked: a claim on one side of it.
    require(value <= alpha or value >= beta)
