# Attack tables, filled from python-chess's own at import: leapers by square, sliders by square and occupancy
# (PEXT index where the processor has it, magic multiplication elsewhere), and the geometry of pins.

from sssnake._fast.bits cimport HAVE_PEXT, pext
from sssnake._fast.types cimport Bitboard, WHITE


cdef struct Slider:                     # a rook or bishop on one square
    Bitboard mask                       # the squares whose occupancy matters
    const Bitboard *attacks             # its part of the attack table
    Bitboard magic                      # unused with PEXT
    int shift                           # 64 - popcount(mask)


cdef Slider ROOK_SLIDERS[64]
cdef Slider BISHOP_SLIDERS[64]
cdef Bitboard KNIGHT_ATTACKS[64]
cdef Bitboard KING_ATTACKS[64]
cdef Bitboard PAWN_ATTACKS[2][64]       # [colour][square]: where such a pawn captures
cdef Bitboard BETWEEN[64][64]           # squares strictly between two aligned squares, else empty
cdef Bitboard LINE[64][64]              # the whole line through two aligned squares, else empty


cdef inline Bitboard slider_attacks(const Slider *slider, Bitboard occ) noexcept nogil:
    if HAVE_PEXT:
        return slider.attacks[pext(occ, slider.mask)]
    return slider.attacks[((occ & slider.mask) * slider.magic) >> slider.shift]


cdef inline Bitboard rook_attacks(int sq, Bitboard occ) noexcept nogil:
    return slider_attacks(&ROOK_SLIDERS[sq], occ)


cdef inline Bitboard bishop_attacks(int sq, Bitboard occ) noexcept nogil:
    return slider_attacks(&BISHOP_SLIDERS[sq], occ)


cdef inline Bitboard queen_attacks(int sq, Bitboard occ) noexcept nogil:
    return rook_attacks(sq, occ) | bishop_attacks(sq, occ)


# Pawn sets of one colour moved as a whole; `us` is a constant wherever speed matters.

cdef inline Bitboard push(Bitboard pawns, int us) noexcept nogil:
    return pawns << 8 if us == WHITE else pawns >> 8


cdef inline Bitboard capture_west(Bitboard pawns, int us) noexcept nogil:
    pawns &= <Bitboard> 0xfefefefefefefefe
    return pawns << 7 if us == WHITE else pawns >> 9


cdef inline Bitboard capture_east(Bitboard pawns, int us) noexcept nogil:
    pawns &= <Bitboard> 0x7f7f7f7f7f7f7f7f
    return pawns << 9 if us == WHITE else pawns >> 7
