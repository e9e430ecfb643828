"""Pawn structure: passed, isolated, doubled, backward, side by side, protected."""

from libc.stdint cimport int32_t

from _fast.attacks cimport PAWN_ATTACKS
from _fast.bits cimport pop
from _fast.position cimport Position, pieces
from _fast.terms cimport (
    Trace, W_BACKWARD, W_DOUBLED, W_ISOLATED, W_PHALANX, W_PROTECTED, term,
)
from _fast.types cimport BLACK, Bitboard, PAWN, WHITE, bit, file_of, rank_of, relative_square

cdef Bitboard FILE_A = 0x0101010101010101


cdef inline int32_t pawns_of(const Position *pos, Trace *trace, PawnEntry *entry, int us) noexcept nogil:
    cdef int them = us ^ 1
    cdef Bitboard own = pieces(pos, us, PAWN)
    cdef Bitboard enemy = pieces(pos, them, PAWN)
    cdef Bitboard todo = own
    cdef Bitboard beside, supporters
    cdef int sq, rank, file
    cdef bint open_file
    cdef int32_t score = 0
    entry.passed[us] = 0
    entry.attack_span[us] = 0
    while todo:
        sq = pop(&todo)
        file = file_of(sq)
        rank = rank_of(relative_square(us, sq))
        entry.attack_span[us] |= PASSED_SPAN[us][sq] & NEIGHBOURS[file]
        open_file = not (AHEAD[us][sq] & enemy)
        beside = own & NEIGHBOURS[file] & (<Bitboard> 0xff << (sq & 56))
        supporters = own & PAWN_ATTACKS[them][sq]
        if not (PASSED_SPAN[us][sq] & enemy) and not (AHEAD[us][sq] & own):
            entry.passed[us] |= bit(sq)
        if beside:
            score += term(trace, us, W_PHALANX + rank, 1)
        if supporters:
            score += term(trace, us, W_PROTECTED + rank, 1)
        if AHEAD[us][sq] & own:
            score += term(trace, us, W_DOUBLED, 1)
        if not (own & NEIGHBOURS[file]):
            score += term(trace, us, W_ISOLATED + open_file, 1)
        elif not beside and not supporters and PAWN_ATTACKS[us][sq + 8 if us == WHITE else sq - 8] & enemy:
            score += term(trace, us, W_BACKWARD + open_file, 1)
    return score


cdef const PawnEntry *pawn_entry(const Position *pos, Trace *trace, PawnEntry *cache) noexcept nogil:
    cdef PawnEntry *entry = &cache[pos.pawn_key & (PAWN_CACHE - 1)]
    if entry.key != pos.pawn_key or trace != NULL or pos.pawn_key == 0:
        entry.key = pos.pawn_key
        entry.score = pawns_of(pos, trace, entry, WHITE) + pawns_of(pos, trace, entry, BLACK)
    return entry


cdef void fill_geometry() noexcept:
    cdef int sq, other, file, rank
    for file in range(8):
        NEIGHBOURS[file] = ((FILE_A << (file - 1) if file > 0 else 0)
                            | (FILE_A << (file + 1) if file < 7 else 0))
    for sq in range(64):
        file = sq & 7
        rank = sq >> 3
        AHEAD[WHITE][sq] = FILE_A << file & ~(((<Bitboard> 1 << 8 * rank) - 1) | <Bitboard> 0xff << 8 * rank)
        AHEAD[BLACK][sq] = FILE_A << file & ((<Bitboard> 1 << 8 * rank) - 1)
        for other in range(64):
            DISTANCE[sq][other] = max(abs((sq & 7) - (other & 7)), abs((sq >> 3) - (other >> 3)))
            if abs((other & 7) - file) <= 1:
                if other >> 3 > rank:
                    PASSED_SPAN[WHITE][sq] |= bit(other)
                elif other >> 3 < rank:
                    PASSED_SPAN[BLACK][sq] |= bit(other)


fill_geometry()
