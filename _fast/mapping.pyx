"""Files in memory: small ones are read, large ones mapped, so that a set of any size opens at once."""

import os
import stat

from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy

cdef extern from *:
    """
    #include <stddef.h>
    #if defined(_WIN32)
      #include <windows.h>
      #include <io.h>
      static void *sss_map(int fd, size_t size) {
          HANDLE whole = CreateFileMappingW((HANDLE) _get_osfhandle(fd), NULL, PAGE_READONLY, 0, 0, NULL);
          void *data = whole ? MapViewOfFile(whole, FILE_MAP_READ, 0, 0, size) : NULL;
          if (whole)
              CloseHandle(whole);
          return data;
      }
      static void sss_unmap(const void *data, size_t size) { (void) size; UnmapViewOfFile(data); }
    #else
      #include <sys/mman.h>
      static void *sss_map(int fd, size_t size) {
          void *data = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
          if (data == MAP_FAILED)
              return NULL;
          (void) madvise(data, size, MADV_RANDOM);
          return data;
      }
      static void sss_unmap(const void *data, size_t size) { munmap((void *) data, size); }
    #endif
    """
    void *map_file "sss_map"(int fd, size_t size) noexcept nogil
    void unmap_file "sss_unmap"(const void *data, size_t size) noexcept nogil

cdef enum:
    SMALL = 1 << 16                     # bytes; files up to this size are read, larger ones mapped


cdef class Mapping:
    """The bytes of the file at `path`. Raises OSError, MemoryError.

    A large file must not be truncated while it is mapped: reading behind its new end kills the process
    (SIGBUS).
    """

    def __cinit__(self, str path not None):
        cdef int fd
        cdef int64_t size
        cdef void *data
        cdef bytes content
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
        try:
            known = os.fstat(descriptor)
            if not stat.S_ISREG(known.st_mode):
                raise OSError(f"no regular file: {path}")
            size = known.st_size
            if size > SMALL:
                fd = descriptor
                data = map_file(fd, <size_t> size)
                if data == NULL:
                    raise OSError(f"cannot be mapped: {path}")
                self.mapped = True
            else:
                content = os.read(descriptor, SMALL)
                size = len(content)
                data = malloc(<size_t> size + 1)
                if data == NULL:
                    raise MemoryError("no memory for a file")
                memcpy(data, <const char *> content, <size_t> size)
            self.data = <const uint8_t *> data
            self.size = <size_t> size
        finally:
            os.close(descriptor)

    def __dealloc__(self):
        if self.mapped:
            unmap_file(self.data, self.size)
        else:
            free(<void *> self.data)
