"""Attack tables: leapers, sliders (PEXT or magics), squares between, lines; from python-chess at import."""

import chess

from libc.stdint cimport uint8_t
from libc.string cimport memset

from sssnake._fast.bits cimport HAVE_PEXT, pext, popcount
from sssnake._fast.pages cimport allocate
from sssnake._fast.types cimport BISHOP, BLACK, Bitboard, KNIGHT, PAWN, QUEEN, ROOK, WHITE

cdef enum:
    SUBSETS = 4096                      # occupancies of the largest slider mask (a rook in the corner)
    TABLE_SIZE = 102400 + 5248          # all occupancies of all rook and bishop masks

# Seeds of the search for magics, for bishops on a1 .. h8 and then rooks: those of 1..255 that succeed
# soonest, so that the search takes milliseconds. Any others would do.
cdef uint8_t[128] SEEDS = [
    164, 103, 190, 193, 185, 202, 203, 86, 26, 46, 154, 135, 229, 203, 140, 143,
    26, 192, 125, 72, 71, 129, 172, 226, 94, 110, 145, 226, 228, 115, 64, 7,
    30, 42, 150, 169, 205, 226, 107, 29, 37, 64, 41, 61, 245, 83, 186, 161,
    203, 220, 153, 231, 13, 100, 103, 103, 86, 143, 56, 164, 198, 136, 26, 164,
    182, 79, 142, 218, 251, 31, 194, 251, 82, 156, 204, 126, 49, 150, 108, 185,
    223, 156, 227, 175, 75, 13, 46, 69, 195, 139, 41, 144, 103, 101, 144, 184,
    248, 152, 184, 63, 78, 102, 108, 196, 82, 44, 156, 178, 91, 227, 219, 243,
    43, 44, 131, 19, 239, 101, 2, 40, 210, 229, 10, 143, 159, 144, 125, 4,
]

cdef Bitboard *TABLE = <Bitboard *> allocate(TABLE_SIZE * sizeof(Bitboard))
if TABLE == NULL:
    raise MemoryError("no memory for the attack tables")
cdef Bitboard SEEN[SUBSETS]             # while a magic is tried: attack set by index,
cdef int LAST_ATTEMPT[SUBSETS]          # valid if written in this attempt


cdef int read_attacks(dict table, Bitboard *occupancies, Bitboard *reached) except -1:
    # Copies one of python-chess's {occupancy: attacks} dicts; returns its size.
    cdef int n = 0
    for occupancy, attacked in table.items():
        occupancies[n] = occupancy
        reached[n] = attacked
        n += 1
    return n


cdef inline Bitboard index_of(const Slider *slider, Bitboard occupancy) noexcept nogil:
    if HAVE_PEXT:
        return pext(occupancy, slider.mask)
    return (occupancy * slider.magic) >> slider.shift


cdef bint collides(const Slider *slider, const Bitboard *occupancies, const Bitboard *reached, int n,
                   int attempt) noexcept nogil:
    # Whether the slider's magic gives one index to two of the n occupancies that reach different squares.
    cdef int i
    cdef Bitboard index
    for i in range(n):
        index = index_of(slider, occupancies[i])
        if LAST_ATTEMPT[index] != attempt:
            LAST_ATTEMPT[index] = attempt
            SEEN[index] = reached[i]
        elif SEEN[index] != reached[i]:
            return True
    return False


cdef Bitboard random_bits(Bitboard *state) noexcept nogil:
    # xorshift64* (Vigna, 2016)
    state[0] ^= state[0] >> 12
    state[0] ^= state[0] << 25
    state[0] ^= state[0] >> 27
    return state[0] * <Bitboard> 0x2545F4914F6CDD1D


cdef void find_magic(Slider *slider, const Bitboard *occupancies, const Bitboard *reached, int n,
                     int seed) noexcept nogil:
    # Try sparse random numbers, always the same ones, until one fits.
    cdef Bitboard state = seed * <Bitboard> 0x9E3779B97F4A7C15
    cdef int attempt = 0
    memset(LAST_ATTEMPT, 0, sizeof(LAST_ATTEMPT))
    while True:
        slider.magic = random_bits(&state) & random_bits(&state) & random_bits(&state)
        if popcount((slider.mask * slider.magic) >> 56) < 6:        # too few of the high bits are ever set
            continue
        attempt += 1
        if not collides(slider, occupancies, reached, n, attempt):
            return


cdef Bitboard *fill(Slider *slider, Bitboard *slice, const Bitboard *occupancies, const Bitboard *reached,
                    int n, int seed) noexcept nogil:
    # Fills the slider's n entries from `slice` on; returns their end.
    cdef int i
    slider.mask = 0
    for i in range(n):
        slider.mask |= occupancies[i]
    slider.shift = 64 - popcount(slider.mask)
    slider.attacks = slice
    if not HAVE_PEXT:
        find_magic(slider, occupancies, reached, n, seed)
    for i in range(n):
        slice[index_of(slider, occupancies[i])] = reached[i]
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
        free = fill(&BISHOP_SLIDERS[sq], free, occupancies, reached, n, SEEDS[sq])
    for sq in range(64):
        ranks = read_attacks(chess.BB_RANK_ATTACKS[sq], rank_occ, rank_reached)
        files = read_attacks(chess.BB_FILE_ATTACKS[sq], file_occ, file_reached)
        n = 0
        for i in range(ranks):
            for j in range(files):
                occupancies[n] = rank_occ[i] | file_occ[j]
                reached[n] = rank_reached[i] | file_reached[j]
                n += 1
        free = fill(&ROOK_SLIDERS[sq], free, occupancies, reached, n, SEEDS[64 + sq])
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
