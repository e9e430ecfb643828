"""Memory in huge pages where the system gives them, else in ordinary ones."""

from libc.stdint cimport uintptr_t
from libc.stdlib cimport calloc, free

cdef extern from *:
    """
    #include <stddef.h>
    #if defined(__linux__)
      #include <sys/mman.h>
      static void sss_advise(void *memory, size_t size) { (void) madvise(memory, size, MADV_HUGEPAGE); }
    #else
      static void sss_advise(void *memory, size_t size) { (void) memory; (void) size; }
    #endif
    """
    void advise_huge_pages "sss_advise"(void *memory, size_t size) noexcept nogil

cdef enum:
    HUGE_PAGE = 2 << 20                 # bytes
    HUGE_FROM = 1 << 18                 # bytes; smaller blocks are in ordinary pages
    CACHE_LINE = 64                     # bytes


cdef void *allocate(size_t size) noexcept nogil:
    # The address that `calloc` returned stands before the memory, for `release`.
    cdef size_t alignment = HUGE_PAGE if size >= HUGE_FROM else CACHE_LINE
    cdef size_t whole = (size + alignment - 1) & ~(alignment - 1)
    cdef void *raw
    cdef void **memory
    if whole < size or whole + 2 * alignment < whole:
        return NULL
    raw = calloc(whole + alignment + sizeof(void *), 1)
    if raw == NULL:
        return NULL
    memory = <void **> ((<uintptr_t> raw + sizeof(void *) + alignment - 1) & ~<uintptr_t> (alignment - 1))
    memory[-1] = raw
    if alignment == HUGE_PAGE:
        advise_huge_pages(memory, whole)
    return memory


cdef void release(void *memory) noexcept nogil:
    if memory != NULL:
        free((<void **> memory)[-1])
