# KPK bitbase, king and pawn against king: won or drawn, for every position. 24 kB, filled at import by
# retrograde analysis.

from sssnake._fast.types cimport Bitboard, file_of, rank_of

cdef enum:
    PAWN_SLOTS = 24                     # squares of a pawn, its file mirrored to a..d

# [whether the strong side moves][pawn][strong king]: squares on which the lone king is lost. Squares are seen
# from the strong side.
cdef Bitboard[2][PAWN_SLOTS][64] LOST


cdef inline int slot(int pawn) noexcept nogil:
    return (rank_of(pawn) - 1) * 4 + file_of(pawn)


cdef inline bint pawn_wins(int king, int pawn, int lone, bint strong_moves) noexcept nogil:
    # For legal positions. Squares are seen from the strong side.
    cdef int mirror = 7 if file_of(pawn) > 3 else 0
    return LOST[strong_moves][slot(pawn ^ mirror)][king ^ mirror] >> (lone ^ mirror) & 1
