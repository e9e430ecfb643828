# King and pawn against king: won or drawn, for every position, by a table of 24 kB that retrograde analysis
# fills at import.

from _fast.types cimport Bitboard, file_of, rank_of

cdef enum:
    PAWN_SLOTS = 24                     # squares of a pawn, its file mirrored to a..d

# [whether the strong side moves][pawn][strong king]: where the lone king stands lost. Squares as the strong
# side sees them.
cdef Bitboard[2][PAWN_SLOTS][64] LOST


cdef inline int slot(int pawn) noexcept nogil:
    return (rank_of(pawn) - 1) * 4 + file_of(pawn)


cdef inline bint pawn_wins(int king, int pawn, int lone, bint strong_moves) noexcept nogil:
    # A legal position, squares as the strong side sees them.
    cdef int mirror = 7 if file_of(pawn) > 3 else 0
    return LOST[strong_moves][slot(pawn ^ mirror)][king ^ mirror] >> (lone ^ mirror) & 1
