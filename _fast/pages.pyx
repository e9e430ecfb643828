"""Memory in huge pages where the system gives them, else in ordinary ones."""

from libc.stdint cimport int64_t, uintptr_t
from libc.stdlib cimport calloc, free

cdef extern from *:
    """
    #include <stddef.h>
    #include <stdint.h>
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
    int64_t sss_available() noexcept nogil
    void advise_huge_pages "sss_advise"(void *memory, size_t size) noexcept nogil

cdef enum:
    HUGE_PAGE = 2 << 20                 # bytes
    HUGE_FROM = 1 << 18                 # bytes; smaller blocks are in ordinary pages
    CACHE_LINE = 64                     # bytes


def available():
    """Bytes of memory that Windows or macOS can still give; -1: elsewhere, or not known."""
    return sss_available()


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
    (memory - 1)[0] = raw
    if alignment == HUGE_PAGE:
        advise_huge_pages(memory, whole)
    return memory


cdef void release(void *memory) noexcept nogil:
    if memory != NULL:
        free((<void **> memory - 1)[0])
