"""Where a game begins: read from a chess.Board or from a FEN, written as a chess.Board."""

import chess

from libc.string cimport memset

from sssnake._fast.board.playable import MAX_FULLMOVES, MAX_HALFMOVES, check_playable

from sssnake._fast.bits cimport lsb, popcount
from sssnake._fast.types cimport (
    BISHOP, BLACK, Bitboard, KING, KNIGHT, NO_SQUARE, PAWN, QUEEN, ROOK, WHITE, bit, square,
)

cdef enum:
    MOST_PIECES = 32                    # as in `playable`
    LONGEST_NUMBER = 4                  # digits of a number in a FEN that is read here

cdef int MOST_HALFMOVES = MAX_HALFMOVES
cdef int MOST_FULLMOVES = MAX_FULLMOVES
cdef Bitboard ENDS = 0xff000000000000ff     # first and last rank


cdef bint has_kings_and_pawns(const Setup *setup) noexcept nogil:
    # Whether it has what every position has. Attacks are not looked at.
    cdef Bitboard occupied = setup.by_color[WHITE] | setup.by_color[BLACK]
    return (popcount(occupied) <= MOST_PIECES and popcount(setup.by_type[KING]) == 2
            and popcount(setup.by_type[KING] & setup.by_color[WHITE]) == 1
            and setup.by_type[PAWN] & ENDS == 0
            and 0 <= setup.halfmove_clock <= MOST_HALFMOVES and 0 <= setup.fullmove_number <= MOST_FULLMOVES)


cdef bint has_double_push(const Setup *setup, int sq) noexcept nogil:
    # Whether a pawn may have just moved two squares, over `sq`.
    cdef Bitboard occupied = setup.by_color[WHITE] | setup.by_color[BLACK]
    cdef int forward = 8 if setup.side == WHITE else -8     # behind the pawn, where it came from
    if not 0 <= sq < 64 or sq >> 3 != (5 if setup.side == WHITE else 2):
        return False
    return (setup.by_type[PAWN] & setup.by_color[setup.side ^ 1] & bit(sq - forward) != 0
            and occupied & (bit(sq) | bit(sq + forward)) == 0)


cdef bint has_corner(const Setup *setup, int rook) noexcept nogil:
    # Whether king and rook stand where games of standard chess begin.
    cdef int color = WHITE if rook < 32 else BLACK
    cdef Bitboard own = setup.by_color[color]
    return (own & setup.by_type[ROOK] & bit(rook) != 0
            and own & setup.by_type[KING] & bit(square(4, rook >> 3)) != 0)


# chess.Board

cdef int from_chess(Setup *setup, board) except -1:
    """Take a board over, without its moves. ValueError, one line: it is not playable."""
    cdef Bitboard seen = 0
    cdef int i
    cdef int doubled = 0
    try:
        setup.by_type = [board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings]
        setup.by_color = [board.occupied_co[chess.WHITE], board.occupied_co[chess.BLACK]]
        setup.halfmove_clock = board.halfmove_clock
        setup.fullmove_number = board.fullmove_number
        setup.ep = NO_SQUARE if board.ep_square is None else board.ep_square
        setup.rooks = board.castling_rights
    except OverflowError:
        raise ValueError("illegal position: numbers out of range") from None
    setup.side = WHITE if board.turn else BLACK
    setup.chess960 = board.chess960
    for i in range(6):
        doubled |= seen & setup.by_type[i] != 0
        seen |= setup.by_type[i]
    if doubled or setup.by_color[WHITE] & setup.by_color[BLACK] or seen != (
            setup.by_color[WHITE] | setup.by_color[BLACK]):
        raise ValueError("illegal position: bitboards that contradict each other")
    if not has_kings_and_pawns(setup):
        refuse(board)
    if setup.ep != NO_SQUARE and not has_double_push(setup, setup.ep):
        setup.ep = NO_SQUARE
    clean_rights(setup, board)
    return 0


cdef int refuse(board) except -1:
    """ValueError, one line: why a board is not playable."""
    board = board.copy(stack=False)
    board.promoted = chess.BB_EMPTY     # of variants; a promoted king would be missed
    board.ep_square = None
    check_playable(board)
    raise ValueError("illegal position")


cdef int clean_rights(Setup *setup, board) except -1:
    # Drop castling rights without king and rook in their places.
    cdef Bitboard rights = setup.rooks
    cdef int rook
    if setup.chess960:
        setup.rooks = board.clean_castling_rights() if rights else 0
        return 0
    while rights:
        rook = lsb(rights)
        rights &= rights - 1
        if (rook & 7) not in (0, 7) or rook >> 3 not in (0, 7) or not has_corner(setup, rook):
            setup.rooks ^= bit(rook)
    return 0


cdef object to_chess(const Setup *setup):
    """A chess.Board without moves."""
    board = chess.Board(None, chess960=setup.chess960)
    board.pawns = setup.by_type[PAWN]
    board.knights = setup.by_type[KNIGHT]
    board.bishops = setup.by_type[BISHOP]
    board.rooks = setup.by_type[ROOK]
    board.queens = setup.by_type[QUEEN]
    board.kings = setup.by_type[KING]
    board.occupied_co[chess.WHITE] = setup.by_color[WHITE]
    board.occupied_co[chess.BLACK] = setup.by_color[BLACK]
    board.occupied = setup.by_color[WHITE] | setup.by_color[BLACK]
    board.turn = setup.side == WHITE
    board.castling_rights = setup.rooks
    board.ep_square = None if setup.ep == NO_SQUARE else setup.ep
    board.halfmove_clock = setup.halfmove_clock
    board.fullmove_number = setup.fullmove_number
    return board


# FEN

cdef int piece_of_letter(char letter) noexcept nogil:
    # 2 * type + colour; -1: no piece.
    cdef const char *letters = b"PpNnBbRrQqKk"
    cdef int i
    for i in range(12):
        if letters[i] == letter:
            return i
    return -1


cdef const char *read_pieces(Setup *setup, const char *text) noexcept nogil:
    # The end of the field; NULL: not eight ranks of eight squares.
    cdef int rank, file, piece
    cdef bint digit
    for rank in range(7, -1, -1):
        file = 0
        digit = False
        while file < 8:
            if c"1" <= text[0] <= c"8" and not digit:
                file += text[0] - c"0"
                digit = True
            else:
                piece = piece_of_letter(text[0])
                if piece < 0:
                    return NULL
                setup.by_type[piece >> 1] |= bit(square(file, rank))
                setup.by_color[piece & 1] |= bit(square(file, rank))
                file += 1
                digit = False
            text += 1
        if file != 8 or text[0] != (c"/" if rank else c" "):
            return NULL
        text += 1
    return text


cdef const char *read_rights(Setup *setup, const char *text) noexcept nogil:
    # Of standard chess, in FEN's order, with king and rook in their places. NULL: anything else.
    cdef const char *letters = b"KQkq"
    cdef int[4] rooks = [7, 0, 63, 56]
    cdef int i
    cdef const char *begin = text
    if text[0] == c"-" and text[1] == c" ":
        return text + 2
    for i in range(4):
        if text[0] == letters[i]:
            if not has_corner(setup, rooks[i]):
                return NULL
            setup.rooks |= bit(rooks[i])
            text += 1
    return text + 1 if text[0] == c" " and text > begin else NULL


cdef const char *read_number(const char *text, int *number) noexcept nogil:
    # The end of its digits; NULL: none, or too many.
    cdef int digits = 0
    number[0] = 0
    while c"0" <= text[0] <= c"9":
        number[0] = 10 * number[0] + text[0] - c"0"
        digits += 1
        text += 1
        if digits > LONGEST_NUMBER:
            return NULL
    return text if digits else NULL


cdef bint from_fen(Setup *setup, const char *text) noexcept nogil:
    memset(setup, 0, sizeof(Setup))
    text = read_pieces(setup, text)
    if text == NULL or text[0] not in (c"w", c"b") or text[1] != c" ":
        return False
    setup.side = WHITE if text[0] == c"w" else BLACK
    text = read_rights(setup, text + 2)
    if text == NULL:
        return False
    setup.ep = NO_SQUARE
    if text[0] == c"-":
        text += 1
    else:
        if not (c"a" <= text[0] <= c"h" and c"1" <= text[1] <= c"8"):
            return False
        setup.ep = square(text[0] - c"a", text[1] - c"1")
        if not has_double_push(setup, setup.ep):
            return False
        text += 2
    if text[0] != c" ":
        return False
    text = read_number(text + 1, &setup.halfmove_clock)
    if text == NULL or text[0] != c" ":
        return False
    text = read_number(text + 1, &setup.fullmove_number)
    setup.fullmove_number = max(setup.fullmove_number, 1)   # as python-chess reads it
    return text != NULL and text[0] == 0 and has_kings_and_pawns(setup)
