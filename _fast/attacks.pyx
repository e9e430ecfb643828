"""Attack tables: leapers, sliders (PEXT or magics), squares between, lines; from python-chess at import."""

import chess

from _fast.bits cimport HAVE_PEXT, pext, popcount
from _fast.types cimport BISHOP, BLACK, Bitboard, KNIGHT, PAWN, QUEEN, ROOK, WHITE

cdef enum:
    SUBSETS = 4096                      # occupancies of the largest slider mask (a rook in the corner)
    TABLE_SIZE = 102400 + 5248          # all occupancies of all rook and bishop masks

cdef Bitboard TABLE[TABLE_SIZE]


cdef int read_attacks(dict table, Bitboard *occupancies, Bitboard *reached) except -1:
    # Copy one of python-chess's {occupancy: attacks} tables; its size.
    cdef int n = 0
    for occupancy, attacked in table.items():
        occupancies[n] = occupancy
        reached[n] = attacked
        n += 1
    return n


cdef bint place(Slider *slider, Bitboard *slice, const Bitboard *occupancies, const Bitboard *reached,
                int n) noexcept nogil:
    # Store the n attack sets in `slice` under slider's index; false if two different ones collide.
    # A piece always attacks something, so 0 marks a free entry.
    cdef int i
    cdef Bitboard index
    for i in range(n):
        slice[i] = 0
    for i in range(n):
        if HAVE_PEXT:
            index = pext(occupancies[i], slider.mask)
        else:
            index = (occupancies[i] * slider.magic) >> slider.shift
        if slice[index] and slice[index] != reached[i]:
            return False
        slice[index] = reached[i]
    slider.attacks = slice
    return True


cdef Bitboard random_bits(Bitboard *state) noexcept nogil:
    # xorshift64* (Vigna, 2016)
    state[0] ^= state[0] >> 12
    state[0] ^= state[0] << 25
    state[0] ^= state[0] >> 27
    return state[0] * <Bitboard> 0x2545F4914F6CDD1D


cdef Bitboard *fill(Slider *slider, Bitboard *slice, const Bitboard *occupancies, const Bitboard *reached,
                    int n) noexcept nogil:
    # Fill the slider's slice, trying sparse random magics until one fits; the slice's end.
    cdef int i
    cdef Bitboard state = 0x9E3779B97F4A7C15
    slider.mask = 0
    for i in range(n):
        slider.mask |= occupancies[i]
    slider.shift = 64 - popcount(slider.mask)
    slider.magic = 0
    while not place(slider, slice, occupancies, reached, n):
        slider.magic = random_bits(&state) & random_bits(&state) & random_bits(&state)
    return slice + n


cdef int init_sliders() except -1:
    cdef Bitboard occupancies[SUBSETS]
    cdef Bitboard reached[SUBSETS]
    cdef Bitboard rank_occ[64]
    cdef Bitboard rank_reached[64]
    cdef Bitboard file_occ[64]
    cdef Bitboard file_reached[64]
    cdef Bitboard *free = TABLE
    cdef int sq, n, i, j, ranks, files
    for sq in range(64):
        n = read_attacks(chess.BB_DIAG_ATTACKS[sq], occupancies, reached)
        free = fill(&BISHOP_SLIDERS[sq], free, occupancies, reached, n)
    for sq in range(64):
        ranks = read_attacks(chess.BB_RANK_ATTACKS[sq], rank_occ, rank_reached)
        files = read_attacks(chess.BB_FILE_ATTACKS[sq], file_occ, file_reached)
        n = 0
        for i in range(ranks):
            for j in range(files):
                occupancies[n] = rank_occ[i] | file_occ[j]
                reached[n] = rank_reached[i] | file_reached[j]
                n += 1
        free = fill(&ROOK_SLIDERS[sq], free, occupancies, reached, n)
    return 0


cdef int init_leapers_and_lines() except -1:
    cdef int a, b
    cdef Bitboard between
    cdef Bitboard everything = ~<Bitboard> 0
    for a in range(64):
        KNIGHT_ATTACKS[a] = chess.BB_KNIGHT_ATTACKS[a]
        KING_ATTACKS[a] = chess.BB_KING_ATTACKS[a]
        PAWN_ATTACKS[WHITE][a] = chess.BB_PAWN_ATTACKS[chess.WHITE][a]
        PAWN_ATTACKS[BLACK][a] = chess.BB_PAWN_ATTACKS[chess.BLACK][a]
        rays = chess.BB_RAYS[a]
        for b in range(64):
            LINE[a][b] = rays[b]
            between = LINE[a][b] & ((everything << a) ^ (everything << b))
            BETWEEN[a][b] = between & (between - 1)     # without the lower end
    return 0


init_sliders()
init_leapers_and_lines()


def attacks(piece_type: int, color: int, square: int, occupied: int) -> int:
    """Squares attacked by a piece, as a 64-bit set.

    piece_type 0..5 (pawn .. king), color 0 white or 1 black (matters to pawns only), square 0..63 (a1 = 0),
    occupied a set of squares. ValueError outside these.
    """
    if not (0 <= piece_type <= 5 and 0 <= color <= 1 and 0 <= square <= 63 and 0 <= occupied < 1 << 64):
        raise ValueError("piece type, colour, square or occupancy out of range")
    cdef int sq = square
    cdef Bitboard occ = occupied
    if piece_type == PAWN:
        return PAWN_ATTACKS[<int> color][sq]
    if piece_type == KNIGHT:
        return KNIGHT_ATTACKS[sq]
    if piece_type == BISHOP:
        return bishop_attacks(sq, occ)
    if piece_type == ROOK:
        return rook_attacks(sq, occ)
    if piece_type == QUEEN:
        return queen_attacks(sq, occ)
    return KING_ATTACKS[sq]


def between(a: int, b: int) -> int:
    """Squares strictly between squares a and b (0..63) if they share a line, else 0."""
    if not (0 <= a <= 63 and 0 <= b <= 63):
        raise ValueError("square out of range")
    return BETWEEN[<int> a][<int> b]


def line(a: int, b: int) -> int:
    """The whole rank, file or diagonal through different squares a and b (0..63), else 0."""
    if not (0 <= a <= 63 and 0 <= b <= 63):
        raise ValueError("square out of range")
    return LINE[<int> a][<int> b]
