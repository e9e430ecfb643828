"""KPK bitbase: king and pawn against king, filled at import by retrograde analysis.

The lone king's 64 squares are one bitboard, so a step of the analysis treats all of them at once. The whole
analysis takes about a millisecond.
"""

from sssnake._fast.board.attacks cimport KING_ATTACKS, PAWN_ATTACKS, bishop_attacks, rook_attacks
from sssnake._fast.bits cimport pop
from sssnake._fast.types cimport QUEEN, ROOK, WHITE, bit

cdef Bitboard FILE_A = 0x0101010101010101
cdef Bitboard FILE_H = 0x8080808080808080


cdef struct Pawn:                       # one pawn's square, and constants of its positions
    int square
    Bitboard guards                     # squares it attacks
    Bitboard pushes[64]                 # [strong king]: squares of the lone king on which a push wins


cdef inline Bitboard steps(Bitboard squares) noexcept nogil:
    # Squares from which a king attacks one of these.
    cdef Bitboard sides = (squares & ~FILE_H) << 1 | (squares & ~FILE_A) >> 1
    cdef Bitboard row = squares | sides
    return sides | row << 8 | row >> 8


cdef bint promotion_wins(int king, int lone, int goal, int piece) noexcept nogil:
    # After the promotion, the lone king moves: it must not be able to capture the new piece, nor be
    # stalemated.
    cdef Bitboard diagonal = bishop_attacks(goal, bit(king)) if piece == QUEEN else 0
    cdef Bitboard seen = rook_attacks(goal, bit(king)) | diagonal
    cdef Bitboard reached = KING_ATTACKS[lone] & ~KING_ATTACKS[king]
    return not reached & bit(goal) and (reached & ~seen or seen & bit(lone))


cdef Bitboard promotions(int king, int goal) noexcept nogil:
    cdef Bitboard won = 0
    cdef int lone
    for lone in range(64):
        if lone != goal and (promotion_wins(king, lone, goal, QUEEN)
                             or promotion_wins(king, lone, goal, ROOK)):
            won |= bit(lone)
    return won


cdef void set_pawn(Pawn *pawn, int square) noexcept nogil:
    # Fills *pawn. Pawns on higher ranks have been analysed before.
    cdef int king, goal = square + 8
    pawn.square = square
    pawn.guards = PAWN_ATTACKS[WHITE][square]
    for king in range(64):
        pawn.pushes[king] = 0
        if king == goal:
            continue
        if goal >= 56:
            pawn.pushes[king] = promotions(king, goal)
            continue
        pawn.pushes[king] = LOST[False][slot(goal)][king]
        if square < 16 and king != goal + 8:
            pawn.pushes[king] |= LOST[False][slot(goal + 8)][king] & ~bit(goal)


cdef Bitboard lost_to_move(const Pawn *pawn, int king) noexcept nogil:
    # Squares of the lone king, to move, from which every move loses, or on which it is mated. Capturing the
    # pawn does not lose.
    cdef Bitboard barred = KING_ATTACKS[king] | bit(king)
    cdef Bitboard allowed = ~(barred | pawn.guards)
    cdef Bitboard saved = allowed & ~LOST[True][slot(pawn.square)][king]
    return ~(barred | bit(pawn.square)) & ~steps(saved) & (steps(allowed) | pawn.guards)


cdef Bitboard lost_to_wait(const Pawn *pawn, int king) noexcept nogil:
    # Squares of the lone king on which the strong side, to move, wins.
    cdef Bitboard left = KING_ATTACKS[king] & ~bit(pawn.square)
    cdef Bitboard won = pawn.pushes[king]
    while left:
        won |= LOST[False][slot(pawn.square)][pop(&left)]
    return won & ~(KING_ATTACKS[king] | bit(king) | bit(pawn.square) | pawn.guards)


cdef void analyse(int square) noexcept nogil:
    # Adds lost squares, beginning with none, until there are no new ones.
    cdef Pawn pawn
    cdef Bitboard lost
    cdef int king, turn
    cdef bint grown = True
    set_pawn(&pawn, square)
    while grown:
        grown = False
        for turn in range(1, -1, -1):
            for king in range(64):
                if king == square:
                    continue
                lost = lost_to_wait(&pawn, king) if turn else lost_to_move(&pawn, king)
                grown = grown or lost != LOST[turn][slot(square)][king]
                LOST[turn][slot(square)][king] = lost


def won(int king, int pawn, int lone, bint strong_moves):
    """Whether king and pawn win against the lone king; squares 0..63 as seen from the strong side.

    For legal positions only. ValueError for a pawn outside the second to seventh rank.
    """
    if not (8 <= pawn < 56 and 0 <= king < 64 and 0 <= lone < 64):
        raise ValueError(f"no king and pawn against king: {king}, {pawn}, {lone}")
    return pawn_wins(king, pawn, lone, strong_moves)


def fill():
    """Compute the bitbase, as importing does."""
    cdef int file, rank
    for rank in range(6, 0, -1):
        for file in range(4):
            analyse(rank * 8 + file)


fill()
