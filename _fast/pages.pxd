# Zeroed memory in huge pages, where the system has them: random accesses then miss the TLB less often.

cdef void *allocate(size_t size) noexcept nogil     # NULL: there is not enough memory
cdef void release(void *memory) noexcept nogil      # returned by `allocate`, or NULL
