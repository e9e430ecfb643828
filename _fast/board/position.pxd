# struct Position, and making moves. Copy-make: `make` writes the position after a move to a copy, so nothing
# is unmade. The class for Python is `board.Board`.

from libc.stdint cimport uint8_t, uint16_t, uint32_t

from sssnake._fast.bits cimport likely
from sssnake._fast.types cimport Bitboard, Key, Move, NO_SQUARE, PAWN, is_capture, move_from, move_to, type_of
from sssnake._fast.board.zobrist cimport EP_KEYS, PIECE_KEYS, TURN_KEY

cdef enum:
    FIFTY_NEAR = 16                     # plies: from here on the 50-move counter changes TT keys ...
    FIFTY_STEP = 8                      # ... every so many plies

cdef enum:                              # argument of `make`
    NO_CHECK = 0                        # the move gives no check
    MAY_CHECK = 1


cdef enum:                              # parts of a position that have keys of their own (correction history)
    PAWNS = 0                           # of both colours
    PIECES = 1                          # + colour; without pawns
    GROUPS = 3                          # knights and bishops of both colours; + 1: all other pieces
    PARTS = 5


cdef struct Castling:                   # constant during a game; shared by all its positions
    uint8_t rights_kept[64]             # AND-mask on the rights when a piece leaves or enters the square
    uint8_t rook_from[4]                # per right (2 * colour + long): the rook's square, NO_SQUARE if none
    Bitboard must_be_empty[4]           # per right: squares that must be empty (king's and rook's ways)
    Bitboard king_way[4]                # per right: squares that must not be attacked (from and to included)


cdef struct Position:
    Bitboard by_type[6]                 # PAWN .. KING, both colours
    Bitboard by_color[2]
    const Castling *castling
    uint8_t side                        # colour to move
    uint8_t rights                      # CastlingRight bits
    uint8_t ep                          # behind a double push, if an enemy pawn is beside it; else NO_SQUARE
    uint8_t king[2]                     # square of each king
    uint16_t rule50                     # plies since the last capture or pawn move
    uint16_t plies_from_null            # plies since a null move or the start; limit of repetitions
    uint16_t ply                        # moves made since it was set up, modulo 2^16; index of accumulators
    Bitboard checkers                   # enemy pieces giving check
    Key key                             # equal to chess.polyglot.zobrist_hash
    uint32_t part_keys[PARTS]           # lower halves of the Zobrist keys of the parts
    uint8_t board[64]                   # piece on each square, NO_PIECE if empty


cdef struct Setup:                      # where a game begins
    Bitboard by_type[6]                 # PAWN .. KING, both colours
    Bitboard by_color[2]
    Bitboard rooks                      # that may castle
    int side                            # colour to move
    int ep                              # behind a pawn that has just moved two squares; NO_SQUARE: none
    int halfmove_clock
    int fullmove_number
    bint chess960


cdef inline Bitboard occupied(const Position *pos) noexcept nogil:
    return pos.by_color[0] | pos.by_color[1]


cdef inline Key repetition_key(const Position *pos) noexcept nogil:
    # Equal exactly when the rules call two positions equal: en passant counts only if it can be played.
    if likely(pos.ep == NO_SQUARE, True) or ep_is_legal(pos):
        return pos.key
    return pos.key ^ EP_KEYS[pos.ep]


cdef inline Key fifty_key(int rule50) noexcept nogil:
    # XORed to TT keys where the 50-move counter is high: bounds proved at lower counters may be wrong there.
    # (The multiplier is 2^64 / golden ratio.)
    if rule50 < FIFTY_NEAR:
        return 0
    return <Key> ((rule50 - FIFTY_NEAR) // FIFTY_STEP + 1) * <Key> 0x9E3779B97F4A7C15


cdef inline Key table_key(const Position *pos) noexcept nogil:
    return pos.key ^ fifty_key(pos.rule50)


cdef inline Bitboard pieces(const Position *pos, int color, int piece_type) noexcept nogil:
    return pos.by_color[color] & pos.by_type[piece_type]


cdef inline bint is_irreversible(const Position *pos, Move move) noexcept nogil:
    return is_capture(move) or type_of(pos.board[move_from(move)]) == PAWN


cdef inline Key key_after_null(const Position *pos) noexcept nogil:
    return pos.key ^ TURN_KEY[0] ^ EP_KEYS[pos.ep]


cdef inline Key key_after_step(const Position *pos, Move move) noexcept nogil:
    # The key after a move. Wrong for castling, promotions, en passant, double pushes and lost castling
    # rights.
    cdef int from_sq = move_from(move)
    cdef int to_sq = move_to(move)
    cdef int piece = pos.board[from_sq]
    return (key_after_null(pos) ^ PIECE_KEYS[piece][from_sq] ^ PIECE_KEYS[piece][to_sq]
            ^ PIECE_KEYS[pos.board[to_sq]][to_sq])


cdef inline Key table_key_after_step(const Position *pos, Move move) noexcept nogil:
    # The TT key after a move, for prefetching: wrong in the same cases and where the move resets the 50-move
    # counter.
    return key_after_step(pos, move) ^ fifty_key(pos.rule50 + 1)


cdef void make(const Position *pos, Position *child, Move move, bint may_check) noexcept nogil
cdef Key key_after(const Position *pos, Move move) noexcept nogil
cdef void make_null(const Position *pos, Position *child) noexcept nogil
cdef Bitboard attackers_to(const Position *pos, int sq, Bitboard occ) noexcept nogil
cdef bint ep_is_legal(const Position *pos) noexcept nogil
cdef bint insufficient_material(const Position *pos) noexcept nogil
cdef bint set_up(Position *pos, Castling *castling, const Setup *setup) noexcept nogil
cdef int setup_from_chess(Setup *setup, board) except -1
cdef int refuse(board) except -1
cdef bint setup_from_fen(Setup *setup, const char *text) noexcept nogil
cdef object setup_to_chess(const Setup *setup)
