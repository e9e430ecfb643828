# Files in memory: small ones are read, large ones mapped.

cimport cython
from libc.stdint cimport uint8_t


@cython.final
cdef class Mapping:
    # Owns the bytes, which are never written.
    cdef const uint8_t *data
    cdef size_t size
    cdef bint mapped                    # else allocated
