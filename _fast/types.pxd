# Types and constants of squares, pieces, moves and values, with inline functions.
# The enums have no names, because Cython takes only plain ints as indices.

from libc.stdint cimport uint16_t, uint64_t

ctypedef uint64_t Bitboard      # bit s set: square s; a1 = 0, b1 = 1, ..., h8 = 63, as in python-chess
ctypedef uint64_t Key           # Zobrist key, equal to chess.polyglot's
ctypedef uint16_t Move          # to (bits 0-5), from (6-11), kind (12-15); castling is king takes own rook
ctypedef int Value              # centipawns, side to move; see below

cdef enum:                      # colours
    WHITE = 0
    BLACK = 1

cdef enum:                      # piece types
    PAWN = 0
    KNIGHT = 1
    BISHOP = 2
    ROOK = 3
    QUEEN = 4
    KING = 5
    NO_PIECE_TYPE = 6

cdef enum:                      # pieces: piece = 2 * type + colour
    NO_PIECE = 12

cdef enum:                      # squares: 0..63, and
    NO_SQUARE = 64

cdef enum:                      # move kinds; bit 2: takes something; bit 3: promotes, bits 0-1 name the piece
    QUIET = 0
    DOUBLE_PUSH = 1
    CASTLE_SHORT = 2            # towards the h file
    CASTLE_LONG = 3             # towards the a file
    CAPTURE = 4
    EN_PASSANT = 5
    PROMOTION = 8               # + 0 knight, 1 bishop, 2 rook, 3 queen; + CAPTURE when it takes

cdef enum:                      # castling rights, one bit each; index 2 * colour + (0 short, 1 long)
    WHITE_SHORT = 1
    WHITE_LONG = 2
    BLACK_SHORT = 4
    BLACK_LONG = 8

cdef enum:                      # limits
    MAX_PLY = 128               # deepest ply a search reaches from the root
    FIFTY = 100                 # plies without capture or pawn move that draw
    MAX_MOVES = 512             # 218 in a game (Petrovic 1964), 478 with 31 pieces of a colour: see playable

cdef enum:                      # values fit an int16; mate in n plies is MATE - n
    NO_VALUE = -32003           # no value
    INFINITE = 32002            # exceeds MATE; gamma of the first pass of SSS*
    MATE = 32000
    MATE_RANGE = 31744          # MATE - 2 * MAX_PLY: a forced mate has |value| >= this
    TB_WIN = 31000              # a tablebase win n plies from the root is TB_WIN - n
    TB_RANGE = 30744            # static values have |value| < this
    DECISIVE = 15000            # a mate whose line is lost: above evaluations, below mates and tablebase wins
    DRAW = 0


cdef enum:
    NO_MOVE = 0


cdef inline int move_to(Move move) noexcept nogil:
    return move & 63


cdef inline int move_from(Move move) noexcept nogil:
    return (move >> 6) & 63


cdef inline int move_kind(Move move) noexcept nogil:
    return move >> 12


cdef inline Move make_move(int from_sq, int to_sq, int kind) noexcept nogil:
    return <Move> (to_sq | from_sq << 6 | kind << 12)


cdef inline bint is_capture(Move move) noexcept nogil:
    return (move >> 14) & 1


cdef inline bint is_promotion(Move move) noexcept nogil:
    return (move >> 15) & 1


cdef inline bint is_castling(Move move) noexcept nogil:
    return (move >> 13) == 1


cdef inline bint is_tactical(Move move) noexcept nogil:
    return (move >> 14) != 0    # takes or promotes


cdef inline int promotion_type(Move move) noexcept nogil:
    return ((move >> 12) & 3) + KNIGHT


cdef inline int piece_of(int piece_type, int color) noexcept nogil:
    return 2 * piece_type + color


cdef inline int type_of(int piece) noexcept nogil:
    return piece >> 1           # NO_PIECE gives NO_PIECE_TYPE


cdef inline int color_of(int piece) noexcept nogil:
    return piece & 1


cdef inline int square(int file, int rank) noexcept nogil:
    return rank << 3 | file


cdef inline int file_of(int sq) noexcept nogil:
    return sq & 7


cdef inline int rank_of(int sq) noexcept nogil:
    return sq >> 3


cdef inline int relative_square(int color, int sq) noexcept nogil:
    return sq ^ (56 * color)    # the square as that colour sees it, its first rank at the bottom


cdef inline Bitboard bit(int sq) noexcept nogil:
    return <Bitboard> 1 << sq
