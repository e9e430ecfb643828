# Counting the leaves of the game tree.

from libc.stdint cimport uint64_t

from sssnake._fast.board.position cimport Position

cdef uint64_t count_leaves(const Position *pos, int depth) noexcept nogil           # depth >= 1
