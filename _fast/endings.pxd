# Endings judged by rule: how hard is the win, and how a lone king is mated.

from _fast.position cimport Position
from _fast.types cimport Value


# True: *value (side to move) is the verdict.
cdef bint lone_king(const Position *pos, Value *value) noexcept nogil

# 0..64: share of the ending value that counts.
cdef int ending_scale(const Position *pos, int strong) noexcept nogil
