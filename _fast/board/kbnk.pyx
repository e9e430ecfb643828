"""Bishop and knight against a lone king, solved by retrograde analysis: moves to mate.

The lone king's 64 squares are one bitboard, so a step of the analysis treats all of them at once. The bishop
stands on squares of a1's colour; other positions are mirrored. Nothing is computed before it is asked for:
the whole analysis takes about half a second, in some thirty steps, and then 2.6 MB.
"""

import threading

from libc.stdint cimport uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memset

from sssnake._fast.bits cimport lsb, pop
from sssnake._fast.board.attacks cimport KING_ATTACKS, KNIGHT_ATTACKS, bishop_attacks
from sssnake._fast.board.board cimport Board
from sssnake._fast.board.position cimport Position, pieces
from sssnake._fast.types cimport BISHOP, Bitboard, KING, KNIGHT, bit, file_of, rank_of

cdef enum:
    COLOURED = 32                       # squares of the bishop: its number is half of the square's
    PLACES = COLOURED * 64 * 64         # of bishop, king and knight
    CORNERED = 10                       # squares of the bishop, symmetries of the board set aside
    TABLE_SIZE = CORNERED * 64 * 64 * 64        # [bishop][king][knight][lone king]
    NOT_WON = 255

cdef Bitboard FILE_A = 0x0101010101010101
cdef int[64] CORNER                     # number of a bishop's square; -1: symmetries lead to another one
cdef uint8_t *moves_to_mate = NULL      # the lone king to move; NULL: not begun
cdef Analysis *analysis = NULL          # NULL: not begun, or done
cdef int depth = 0                      # moves to mate, of the next step

STEPPING = threading.Lock()


cdef struct Analysis:
    Bitboard[PLACES] lost               # squares of the lone king, to move, from which it is mated
    Bitboard[PLACES] fresh              # those found in the last step
    Bitboard[PLACES] won                # squares of the lone king where the strong side, to move, mates
    uint8_t[PLACES] changed             # by the last step


cdef inline bint is_coloured(int sq) noexcept nogil:
    return (file_of(sq) + rank_of(sq)) & 1 == 0


cdef inline int place(int bishop, int king, int knight) noexcept nogil:
    return (bishop >> 1) << 12 | king << 6 | knight


cdef inline int entry(int corner, int king, int knight, int lone) noexcept nogil:
    return ((corner << 6 | king) << 6 | knight) << 6 | lone


cdef inline Bitboard beside(Bitboard squares) noexcept nogil:
    # What a king reaches from these squares.
    cdef Bitboard row = (squares & ~(FILE_A << 7)) << 1 | (squares & ~FILE_A) >> 1
    squares |= row
    return row | squares << 8 | squares >> 8


cdef inline void add(Analysis *a, int at, Bitboard squares) noexcept nogil:
    if squares & ~a.won[at]:
        a.won[at] |= squares
        a.changed[at] = 1


cdef void lead_to(Analysis *a, int bishop, int king, int knight) noexcept nogil:
    # The positions from which the strong side moves to a lost one, the others standing where they do.
    cdef Bitboard fresh = a.fresh[place(bishop, king, knight)]
    cdef Bitboard taken = bit(king) | bit(knight) | bit(bishop)
    cdef Bitboard left, between
    cdef int sq, file, rank, df, dr
    left = KING_ATTACKS[king] & ~taken
    while left:
        sq = pop(&left)
        add(a, place(bishop, sq, knight), fresh & ~(KING_ATTACKS[sq] | bit(sq)))
    left = KNIGHT_ATTACKS[knight] & ~taken
    while left:
        sq = pop(&left)
        add(a, place(bishop, king, sq), fresh & ~bit(sq))
    for df in range(-1, 2, 2):
        for dr in range(-1, 2, 2):
            between = 0
            file, rank = file_of(bishop) + df, rank_of(bishop) + dr
            while 0 <= file < 8 and 0 <= rank < 8 and not bit(8 * rank + file) & taken:
                between |= bit(8 * rank + file)
                add(a, place(8 * rank + file, king, knight), fresh & ~between)
                file += df
                rank += dr


cdef Bitboard lost_squares(const Analysis *a, int bishop, int king, int knight) noexcept nogil:
    # Where the lone king, to move, is mated, or every move leads to a won position.
    cdef Bitboard own = bit(king) | bit(knight) | bit(bishop)
    cdef Bitboard attacked = (KING_ATTACKS[king] | KNIGHT_ATTACKS[knight]
                              | bishop_attacks(bishop, bit(king) | bit(knight)))
    cdef Bitboard open_squares = ~(attacked | bit(king))        # captures included
    cdef Bitboard won = a.won[place(bishop, king, knight)] & ~own
    return (~(own | KING_ATTACKS[king]) & ~beside(open_squares & ~won)
            & (beside(open_squares) | attacked))                # no stalemate


cdef bint find_lost(Analysis *a, int moves) noexcept nogil:
    # Finds what is lost in so many moves. False: nothing.
    cdef int bishop, king, knight, at
    cdef Bitboard left
    cdef bint found = False
    for bishop in range(64):
        for king in range(64):
            for knight in range(64):
                at = place(bishop, king, knight)
                if not is_coloured(bishop):
                    break
                a.fresh[at] = 0
                if king == bishop or knight == bishop or king == knight or moves and not a.changed[at]:
                    continue
                a.fresh[at] = left = lost_squares(a, bishop, king, knight) & ~a.lost[at]
                a.lost[at] |= left
                found |= left != 0
                while left and CORNER[bishop] >= 0:
                    moves_to_mate[entry(CORNER[bishop], king, knight, pop(&left))] = <uint8_t> moves
    return found


cdef bint step(Analysis *a, int moves) noexcept nogil:
    # False: the analysis is over.
    cdef int bishop, king, knight
    if not find_lost(a, moves):
        return False
    memset(a.changed, 0, sizeof(a.changed))
    for bishop in range(64):
        for king in range(64):
            for knight in range(64):
                if is_coloured(bishop) and a.fresh[place(bishop, king, knight)]:
                    lead_to(a, bishop, king, knight)
    return True


cdef int begin() except -1:
    global analysis, moves_to_mate
    cdef int sq, number = 0
    moves_to_mate = <uint8_t *> malloc(TABLE_SIZE)
    analysis = <Analysis *> calloc(1, sizeof(Analysis))
    if moves_to_mate == NULL or analysis == NULL:
        free(moves_to_mate)
        free(analysis)
        moves_to_mate, analysis = NULL, NULL
        raise MemoryError("no memory for bishop and knight")
    memset(moves_to_mate, NOT_WON, TABLE_SIZE)
    for sq in range(64):
        CORNER[sq] = -1
        if is_coloured(sq) and file_of(sq) + rank_of(sq) <= 7 and file_of(sq) >= rank_of(sq):
            CORNER[sq] = number
            number += 1
    return 0


def advance():
    """One more step of the analysis, some 15 ms. Whether it is done. MemoryError.

    Where another thread is at it, False after a hundredth of a second.
    """
    global analysis, depth
    cdef bint more
    if not STEPPING.acquire(timeout=0.01):
        return False
    try:
        if moves_to_mate == NULL:
            begin()
        if analysis != NULL:
            with nogil:
                more = step(analysis, depth)
            depth += 1
            if not more:
                free(analysis)
                analysis = NULL
        return analysis == NULL
    finally:
        STEPPING.release()


cdef int transposed(int sq) noexcept nogil:
    return sq >> 3 | (sq & 7) << 3


def holds(Board board not None):
    """Whether a side has king, bishop and knight and nothing else, and the other side its king alone."""
    cdef const Position *pos = &board.pos
    cdef int strong = 0 if pieces(pos, 0, KNIGHT) else 1
    return (pos.by_color[strong] == (pieces(pos, strong, KING) | pieces(pos, strong, BISHOP)
                                     | pieces(pos, strong, KNIGHT))
            and one(pieces(pos, strong, BISHOP)) and one(pieces(pos, strong, KNIGHT))
            and one(pos.by_color[strong ^ 1]))


cdef bint one(Bitboard squares) noexcept nogil:
    return squares != 0 and squares & (squares - 1) == 0


def mated_in(Board board not None):
    """Moves in which the lone king, to move, is mated; 0: it is. None: it is not.

    The analysis must be done, and the position must be one that it `holds`; ValueError.
    """
    cdef const Position *pos = &board.pos
    cdef int strong = pos.side ^ 1
    cdef int bishop, king, knight, lone, flip, moves
    if moves_to_mate == NULL or analysis != NULL:
        raise ValueError("bishop and knight are not solved yet")
    if not holds(board) or not pieces(pos, strong, BISHOP):
        raise ValueError("no lone king to move against bishop and knight")
    bishop = lsb(pieces(pos, strong, BISHOP))
    king = lsb(pieces(pos, strong, KING))
    knight = lsb(pieces(pos, strong, KNIGHT))
    lone = lsb(pieces(pos, strong ^ 1, KING))
    flip = 0 if is_coloured(bishop) else 7
    if file_of(bishop ^ flip) + rank_of(bishop) > 7:
        flip ^= 63
    bishop, king, knight, lone = bishop ^ flip, king ^ flip, knight ^ flip, lone ^ flip
    if file_of(bishop) < rank_of(bishop):
        bishop, king = transposed(bishop), transposed(king)
        knight, lone = transposed(knight), transposed(lone)
    moves = moves_to_mate[entry(CORNER[bishop], king, knight, lone)]
    return None if moves == NOT_WON else moves
