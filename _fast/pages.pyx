"""Memory in huge pages where the system gives them, else in ordinary ones.

Large blocks are mapped, not taken from the heap: glibc raises the size from which on it maps blocks itself to
that of the largest one freed, and keeps what is smaller. A second table would never go back to the system.
"""

from libc.stdint cimport int64_t, uintptr_t
from libc.stdlib cimport calloc, free

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
    #include <stdlib.h>
    #if defined(_WIN32) || defined(__SANITIZE_ADDRESS__)    /* the heap maps large blocks; ASan watches it */
      static void *sss_map(size_t size) { return calloc(size, 1); }
      static void sss_unmap(void *memory, size_t size) { (void) size; free(memory); }
    #else
      #include <sys/mman.h>
      static void *sss_map(size_t size) {
          void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0);
          return memory == MAP_FAILED ? NULL : memory;
      }
      static void sss_unmap(void *memory, size_t size) { munmap(memory, size); }
    #endif
    /* Windows gives huge pages only to accounts with the right "Lock pages in memory", macOS to none. */
    #if defined(__linux__)
      #include <sys/mman.h>
      static void sss_advise(void *memory, size_t size) { (void) madvise(memory, size, MADV_HUGEPAGE); }
    #else
      static void sss_advise(void *memory, size_t size) { (void) memory; (void) size; }
    #endif
    #if defined(_WIN32)
      #include <windows.h>
      static int64_t sss_available(void) {      /* in memory, and of what may be promised */
          MEMORYSTATUSEX status = {.dwLength = sizeof status};
          if (!GlobalMemoryStatusEx(&status))
              return -1;
          return (int64_t) (status.ullAvailPhys < status.ullAvailPageFile ? status.ullAvailPhys
                                                                          : status.ullAvailPageFile);
      }
    #elif defined(__APPLE__)
      #include <mach/mach.h>
      static int64_t sss_available(void) {      /* free pages, and those whose contents can be dropped */
          vm_statistics64_data_t pages;
          mach_msg_type_number_t count = HOST_VM_INFO64_COUNT;
          host_info64_t info = (host_info64_t) &pages;
          if (host_statistics64(mach_host_self(), HOST_VM_INFO64, info, &count) != KERN_SUCCESS)
              return -1;
          return (int64_t) vm_page_size
                 * ((int64_t) pages.free_count + pages.inactive_count + pages.purgeable_count);
      }
    #else
      static int64_t sss_available(void) { return -1; }
    #endif
    """
    void *map_zeroed "sss_map"(size_t size) noexcept nogil
    void unmap "sss_unmap"(void *memory, size_t size) noexcept nogil
    int64_t sss_available() noexcept nogil
    void advise_huge_pages "sss_advise"(void *memory, size_t size) noexcept nogil

cdef enum:
    HUGE_PAGE = 2 << 20                 # bytes
    HUGE_FROM = 1 << 18                 # bytes; smaller blocks are in ordinary pages
    CACHE_LINE = 64                     # bytes


def available():
    """Bytes of memory that Windows or macOS can still give; -1: elsewhere, or not known."""
    return sss_available()


cdef struct Origin:                     # stands before the memory, for `release`
    void *raw                           # where it really begins
    size_t size                         # bytes from there; 0: from the heap


cdef void *allocate(size_t size) noexcept nogil:
    cdef bint large = size >= HUGE_FROM
    cdef size_t alignment = HUGE_PAGE if large else CACHE_LINE
    cdef size_t rounded = (size + alignment - 1) & ~(alignment - 1)
    cdef size_t whole = rounded + alignment + sizeof(Origin)
    cdef void *raw
    cdef Origin *memory
    if rounded < size or whole < rounded:
        return NULL
    raw = map_zeroed(whole) if large else calloc(whole, 1)
    if raw == NULL:
        return NULL
    memory = <Origin *> ((<uintptr_t> raw + sizeof(Origin) + alignment - 1) & ~<uintptr_t> (alignment - 1))
    (memory - 1)[0] = Origin(raw, whole if large else 0)
    if large:
        advise_huge_pages(memory, rounded)
    return memory


cdef void release(void *memory) noexcept nogil:
    cdef Origin origin
    if memory == NULL:
        return
    origin = (<Origin *> memory - 1)[0]
    if origin.size:
        unmap(origin.raw, origin.size)
    else:
        free(origin.raw)
