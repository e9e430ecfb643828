# Where a game begins: read from a chess.Board or from a FEN, written as a chess.Board.

from sssnake._fast.types cimport Bitboard


cdef struct Setup:
    Bitboard by_type[6]                 # PAWN .. KING, both colours
    Bitboard by_color[2]
    Bitboard rooks                      # that may castle
    int side                            # colour to move
    int ep                              # behind a pawn that has just moved two squares; NO_SQUARE: none
    int halfmove_clock
    int fullmove_number
    bint chess960


cdef int from_chess(Setup *setup, board) except -1
cdef int refuse(board) except -1
cdef bint from_fen(Setup *setup, const char *text) noexcept nogil   # False: another form, or unplayable
cdef object to_chess(const Setup *setup)
