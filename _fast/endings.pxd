# Endings judged by rule: how hard is the win, and how a lone king is mated.

from _fast.position cimport Position, pieces
from _fast.types cimport KNIGHT, PAWN, QUEEN, ROOK, Value


# True: *value (side to move) is the verdict.
cdef bint lone_king(const Position *pos, Value *value) noexcept nogil

# 0..64: share of the ending value that counts.
cdef int ending_scale(const Position *pos, int strong) noexcept nogil


cdef inline bint never_scaled(const Position *pos, int strong) noexcept nogil:
    # A quick yes for most positions: with pawns and more than bishops all of the value counts.
    return (pieces(pos, strong, PAWN) != 0
            and pos.by_color[strong] & (pos.by_type[KNIGHT] | pos.by_type[ROOK] | pos.by_type[QUEEN]) != 0)
