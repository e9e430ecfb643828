"""Large uniform trees: sorting the children of nodes."""

from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy


cdef int32_t arrange(Bench *b, int32_t *scratch, int ply, uint64_t code, uint64_t odds) noexcept nogil:
    # Sorts the children of a node, best first, with probability odds / 2**32; returns its minimax value.
    cdef int i, j, k
    cdef int32_t value, best
    cdef uint64_t span, first
    cdef int32_t sorted_values[256]
    cdef int order[256]
    if ply == b.depth:
        return b.values[code]
    for i in range(b.width):
        value = arrange(b, scratch, ply + 1, code * b.width + i, odds)
        j = i                       # insertion sort; equals keep their order
        while j > 0 and (value > sorted_values[j - 1] if is_max(ply) else value < sorted_values[j - 1]):
            sorted_values[j] = sorted_values[j - 1]
            order[j] = order[j - 1]
            j -= 1
        sorted_values[j] = value
        order[j] = i
    best = sorted_values[0]
    if mix(mix(b.seed ^ <uint64_t> ply) ^ code) >> 32 < odds:
        span = b.span[ply + 1]
        first = code * b.span[ply]
        for k in range(b.width):
            memcpy(scratch + first + k * span, b.values + first + order[k] * span, span * sizeof(int32_t))
        memcpy(b.values + first, scratch + first, b.span[ply] * sizeof(int32_t))
    return best
