"""Position: making moves, attack queries, draw rules, and setting up."""

import chess

from libc.string cimport memset

from sssnake._fast.board.playable import MAX_FULLMOVES, MAX_HALFMOVES, check_playable

from sssnake._fast.board.attacks cimport (
    BETWEEN, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, bishop_attacks, rook_attacks,
)
from sssnake._fast.bits cimport lsb, popcount
from sssnake._fast.types cimport (
    BISHOP, BLACK, Bitboard, DOUBLE_PUSH, EN_PASSANT, KING, KNIGHT, Key, Move, NO_PIECE, NO_SQUARE, PAWN,
    QUEEN, ROOK, WHITE, bit, color_of, is_capture, is_castling, is_promotion, move_from, move_kind, move_to,
    piece_of, promotion_type, relative_square, square, type_of,
)
from sssnake._fast.board.zobrist cimport CASTLING_KEYS, EP_KEYS, PIECE_KEYS, TURN_KEY

cdef enum:
    MOST_PIECES = 32                    # as in `playable`
    LONGEST_NUMBER = 4                  # digits of a number in a FEN that is read here

cdef int MOST_HALFMOVES = MAX_HALFMOVES
cdef int MOST_FULLMOVES = MAX_FULLMOVES
cdef Bitboard ENDS = 0xff000000000000ff     # first and last rank


# Making moves

cdef inline void toggle_parts(Position *pos, int piece_type, int color, Key key) noexcept nogil:
    if piece_type == PAWN:
        pos.part_keys[PAWNS] ^= <uint32_t> key
    else:
        pos.part_keys[PIECES + color] ^= <uint32_t> key
        pos.part_keys[GROUPS + (piece_type >= ROOK)] ^= <uint32_t> key


cdef inline void toggle(Position *pos, int piece, int sq) noexcept nogil:
    # Adds or removes a piece in the bitboards and keys, not in `board`.
    cdef int piece_type = type_of(piece)
    cdef int color = color_of(piece)
    cdef Key key = PIECE_KEYS[piece][sq]
    pos.by_type[piece_type] ^= bit(sq)
    pos.by_color[color] ^= bit(sq)
    pos.key ^= key
    toggle_parts(pos, piece_type, color, key)


cdef inline void put(Position *pos, int piece, int sq) noexcept nogil:
    toggle(pos, piece, sq)
    pos.board[sq] = piece


cdef inline void lift(Position *pos, int piece, int sq) noexcept nogil:
    toggle(pos, piece, sq)
    pos.board[sq] = NO_PIECE


cdef inline void shift(Position *pos, int piece, int color, int from_sq, int to_sq) noexcept nogil:
    # Moves a piece to an empty square.
    cdef Bitboard both = bit(from_sq) | bit(to_sq)
    cdef Key key = PIECE_KEYS[piece][from_sq] ^ PIECE_KEYS[piece][to_sq]
    pos.by_type[type_of(piece)] ^= both
    pos.by_color[color] ^= both
    pos.key ^= key
    toggle_parts(pos, type_of(piece), color, key)
    pos.board[from_sq] = NO_PIECE
    pos.board[to_sq] = piece


cdef void make(const Position *pos, Position *child, Move move, bint may_check) noexcept nogil:
    # The position after a legal move. may_check: MAY_CHECK, or NO_CHECK if it is known to give no check.
    cdef int us = pos.side
    cdef int them = us ^ 1
    cdef int from_sq = move_from(move)
    cdef int to_sq = move_to(move)
    cdef int piece = pos.board[from_sq]
    cdef int captured_at
    cdef int king_to, rook_to
    child[0] = pos[0]
    child.side = them
    child.rule50 = pos.rule50 + 1
    child.plies_from_null = pos.plies_from_null + 1
    child.ply = pos.ply + 1
    child.ep = NO_SQUARE
    child.rights = pos.rights & pos.castling.rights_kept[from_sq] & pos.castling.rights_kept[to_sq]
    child.key = key_after_null(pos) ^ CASTLING_KEYS[pos.rights ^ child.rights]

    if is_castling(move):               # removes both before adding either: their squares may overlap
        king_to = relative_square(us, 6 if to_sq > from_sq else 2)
        rook_to = relative_square(us, 5 if to_sq > from_sq else 3)
        lift(child, piece, from_sq)
        lift(child, piece_of(ROOK, us), to_sq)
        put(child, piece, king_to)
        put(child, piece_of(ROOK, us), rook_to)
        child.king[us] = king_to
    else:
        if is_capture(move):
            captured_at = to_sq ^ 8 if move_kind(move) == EN_PASSANT else to_sq
            lift(child, pos.board[captured_at], captured_at)
            child.rule50 = 0
        if is_promotion(move):
            lift(child, piece, from_sq)
            put(child, piece_of(promotion_type(move), us), to_sq)
        else:
            shift(child, piece, us, from_sq, to_sq)
        if type_of(piece) == PAWN:
            child.rule50 = 0
            if move_kind(move) == DOUBLE_PUSH and PAWN_ATTACKS[us][to_sq ^ 8] & pieces(pos, them, PAWN):
                child.ep = to_sq ^ 8
                child.key ^= EP_KEYS[child.ep]
        elif type_of(piece) == KING:
            child.king[us] = to_sq
    child.checkers = 0
    if may_check:
        child.checkers = attackers_to(child, child.king[them], occupied(child)) & child.by_color[us]


cdef Key key_after(const Position *pos, Move move) noexcept nogil:
    # The key after a move, without making it, for prefetching. Accepts any 16 bits; right for legal moves.
    cdef int us = pos.side
    cdef int from_sq = move_from(move)
    cdef int to_sq = move_to(move)
    cdef int piece = pos.board[from_sq]
    cdef int rights = pos.rights & pos.castling.rights_kept[from_sq] & pos.castling.rights_kept[to_sq]
    cdef Key key = key_after_step(pos, move) ^ CASTLING_KEYS[pos.rights ^ rights]
    if is_castling(move):               # its target is the rook's square
        key ^= PIECE_KEYS[piece][to_sq] ^ PIECE_KEYS[piece][relative_square(us, 6 if to_sq > from_sq else 2)]
        key ^= PIECE_KEYS[piece_of(ROOK, us)][relative_square(us, 5 if to_sq > from_sq else 3)]
    elif move_kind(move) == EN_PASSANT:
        key ^= PIECE_KEYS[piece_of(PAWN, us ^ 1)][to_sq ^ 8]
    elif is_promotion(move):
        key ^= PIECE_KEYS[piece][to_sq] ^ PIECE_KEYS[piece_of(promotion_type(move), us)][to_sq]
    elif move_kind(move) == DOUBLE_PUSH and PAWN_ATTACKS[us][to_sq ^ 8] & pieces(pos, us ^ 1, PAWN):
        key ^= EP_KEYS[to_sq ^ 8]
    return key


cdef void make_null(const Position *pos, Position *child) noexcept nogil:
    # The position after passing; the side to move is not in check.
    child[0] = pos[0]
    child.side = pos.side ^ 1
    child.key = key_after_null(pos)
    child.ep = NO_SQUARE
    child.rule50 = pos.rule50 + 1
    child.plies_from_null = 0
    child.ply = pos.ply + 1


# Attack queries

cdef Bitboard attackers_to(const Position *pos, int sq, Bitboard occ) noexcept nogil:
    # Pieces of both colours that attack sq when the board is occupied as `occ` says.
    cdef Bitboard queens = pos.by_type[QUEEN]
    return (
        (KNIGHT_ATTACKS[sq] & pos.by_type[KNIGHT])
        | (KING_ATTACKS[sq] & pos.by_type[KING])
        | (PAWN_ATTACKS[BLACK][sq] & pieces(pos, WHITE, PAWN))
        | (PAWN_ATTACKS[WHITE][sq] & pieces(pos, BLACK, PAWN))
        | (rook_attacks(sq, occ) & (pos.by_type[ROOK] | queens))
        | (bishop_attacks(sq, occ) & (pos.by_type[BISHOP] | queens))
    )


# Draw rules

cdef bint ep_is_legal(const Position *pos) noexcept nogil:
    # Whether some capture on pos.ep (a square) leaves the own king unattacked.
    cdef int us = pos.side
    cdef int them = us ^ 1
    cdef Bitboard takers = PAWN_ATTACKS[them][pos.ep] & pieces(pos, us, PAWN)
    cdef Bitboard taken = bit(pos.ep ^ 8)
    cdef Bitboard occ
    while takers:
        occ = occupied(pos) ^ (takers & -takers) ^ bit(pos.ep) ^ taken
        if not attackers_to(pos, pos.king[us], occ) & pos.by_color[them] & ~taken:
            return True
        takers &= takers - 1
    return False


cdef bint insufficient_material(const Position *pos) noexcept nogil:
    # Neither side can ever mate: a lone minor piece, or bishops that all run on one colour.
    cdef Bitboard bishops = pos.by_type[BISHOP]
    cdef Bitboard dark = 0xaa55aa55aa55aa55
    if pos.by_type[PAWN] | pos.by_type[ROOK] | pos.by_type[QUEEN]:
        return False
    if pos.by_type[KNIGHT]:
        return popcount(occupied(pos)) <= 3
    return not bishops & dark or not bishops & ~dark


# Setting up

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


# Setting up: chess.Board

cdef int setup_from_chess(Setup *setup, board) except -1:
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


cdef object setup_to_chess(const Setup *setup):
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


# Setting up: FEN

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


cdef bint setup_from_fen(Setup *setup, const char *text) noexcept nogil:
    # False: of another form than FENs usually have, or not playable.
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


# Setting up: the position

cdef void add_right(Castling *castling, int king, int rook) noexcept nogil:
    # Enter the right to castle with this rook.
    cdef int color = king >= 32
    cdef int right = 2 * color + (rook < king)
    cdef int king_to = relative_square(color, 2 if rook < king else 6)
    cdef int rook_to = relative_square(color, 3 if rook < king else 5)
    castling.rook_from[right] = rook
    castling.rights_kept[king] &= ~(3 << 2 * color)
    castling.rights_kept[rook] &= ~(1 << right)
    castling.king_way[right] = BETWEEN[king][king_to] | bit(king) | bit(king_to)
    castling.must_be_empty[right] = (
        (castling.king_way[right] | BETWEEN[rook][rook_to] | bit(rook_to)) & ~(bit(king) | bit(rook))
    )


cdef bint set_up(Position *pos, Castling *castling, const Setup *setup) noexcept nogil:
    # False: the side to move could take the king.
    cdef int piece_type, rook, color
    cdef Bitboard left
    cdef Bitboard rights = setup.rooks
    memset(pos, 0, sizeof(Position))
    memset(castling, 0, sizeof(Castling))
    memset(castling.rights_kept, 15, 64)
    memset(castling.rook_from, NO_SQUARE, 4)
    memset(pos.board, NO_PIECE, 64)
    pos.castling = castling
    for piece_type in range(KING + 1):
        left = setup.by_type[piece_type]
        while left:
            color = WHITE if setup.by_color[WHITE] & left & -left else BLACK
            put(pos, piece_of(piece_type, color), lsb(left))
            left &= left - 1
    for color in range(2):
        pos.king[color] = lsb(pieces(pos, color, KING))
    while rights:
        rook = lsb(rights)
        rights &= rights - 1
        color = rook >= 32
        add_right(castling, pos.king[color], rook)
        pos.rights |= 1 << (2 * color + (rook < pos.king[color]))
    pos.side = setup.side
    pos.ep = NO_SQUARE
    if setup.ep != NO_SQUARE and PAWN_ATTACKS[pos.side ^ 1][setup.ep] & pieces(pos, pos.side, PAWN):
        pos.ep = setup.ep
    pos.rule50 = setup.halfmove_clock
    pos.key ^= CASTLING_KEYS[pos.rights] ^ EP_KEYS[pos.ep] ^ (TURN_KEY[0] if pos.side == WHITE else 0)
    pos.checkers = attackers_to(pos, pos.king[pos.side], occupied(pos)) & pos.by_color[pos.side ^ 1]
    return not attackers_to(pos, pos.king[pos.side ^ 1], occupied(pos)) & pos.by_color[pos.side]
