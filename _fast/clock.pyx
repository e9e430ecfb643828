"""The system's clock, readable without the GIL."""

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_WIN32)
      #include <windows.h>
      static int64_t sss_now_ns(void) {
          LARGE_INTEGER count, frequency;
          QueryPerformanceCounter(&count);
          QueryPerformanceFrequency(&frequency);
          return (int64_t) ((double) count.QuadPart * 1e9 / (double) frequency.QuadPart);
      }
    #else
      #include <time.h>
      static int64_t sss_now_ns(void) {
          struct timespec now;
          clock_gettime(CLOCK_MONOTONIC, &now);
          return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
      }
    #endif
    """
    int64_t sss_now_ns() noexcept nogil


cdef int64_t now_ns() noexcept nogil:
    return sss_now_ns()
