# The system's clock, readable without the GIL. It stands in a module of its own because windows.h defines
# macros (`near`, `far`, `small`, ...) that would change the declarations of modules that include it.

from libc.stdint cimport int64_t

cdef int64_t now_ns() noexcept nogil    # nanoseconds since some moment, never set back
