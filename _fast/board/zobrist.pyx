"""Zobrist keys in Polyglot's numbering, taken from chess.polyglot's array at import."""

from chess.polyglot import POLYGLOT_RANDOM_ARRAY

from sssnake._fast.types cimport Key, NO_PIECE, NO_SQUARE, color_of, file_of, type_of

cdef enum:                              # offsets in Polyglot's array (Polyglot book format, Letouzey)
    CASTLING_AT = 768
    EP_AT = 772
    TURN_AT = 780


cdef int init_keys() except -1:
    cdef int piece, sq, rights, right, kind
    for piece in range(12):
        kind = 2 * type_of(piece) + 1 - color_of(piece)     # black pawn, white pawn, black knight, ...
        for sq in range(64):
            PIECE_KEYS[piece][sq] = POLYGLOT_RANDOM_ARRAY[64 * kind + sq]
    for sq in range(64):
        PIECE_KEYS[NO_PIECE][sq] = 0
    for rights in range(16):
        CASTLING_KEYS[rights] = 0
        for right in range(4):
            if rights >> right & 1:
                CASTLING_KEYS[rights] ^= <Key> POLYGLOT_RANDOM_ARRAY[CASTLING_AT + right]
    for sq in range(64):
        EP_KEYS[sq] = POLYGLOT_RANDOM_ARRAY[EP_AT + file_of(sq)]
    EP_KEYS[NO_SQUARE] = 0
    TURN_KEY[0] = POLYGLOT_RANDOM_ARRAY[TURN_AT]
    return 0


init_keys()
