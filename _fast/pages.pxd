# Zeroed memory for what a search reads all over: in huge pages where the system has them, for then a look-up
# misses fewer translations of addresses.

cdef void *take(size_t size) noexcept nogil         # NULL: the machine does not give it
cdef void give_back(void *memory) noexcept nogil    # what `take` gave, or NULL
