# Zobrist keys in Polyglot's numbering, taken from python-chess.

from sssnake._fast.types cimport Key

cdef Key PIECE_KEYS[13][64]             # 0 for NO_PIECE
cdef Key CASTLING_KEYS[16]              # by CastlingRight bits
cdef Key EP_KEYS[65]                    # by en-passant square; 0 for NO_SQUARE
cdef Key TURN_KEY[1]                    # present when white is to move
