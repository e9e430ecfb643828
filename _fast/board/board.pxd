# Board: a position with its game history, for Python.

cimport cython

from sssnake._fast.board.position cimport Castling, Position, Setup
from sssnake._fast.types cimport Key, Move


@cython.final
cdef class Board:
    cdef Position pos
    cdef Castling castling
    cdef readonly bint chess960
    cdef readonly int fullmove_number
    cdef Key *history                   # repetition keys of every position so far, the current one last
    cdef Move *played                   # the moves between them; NO_MOVE for a null move
    cdef int history_length
    cdef int history_capacity
    cdef Setup root                     # the position before the first move
    cdef int start(self, board) except -1               # at a chess.Board, without its moves
    cdef int begin(self) except -1                      # at `root`
    cdef int reserve(self, int length) except -1
    cdef int become(self, Board other) except -1        # copy it
    cdef int play(self, Move move) except -1            # a legal move, or NO_MOVE to pass
    cdef Move find(self, str uci)                       # the legal move of UCI notation, else NO_MOVE
    cdef Move between(self, int from_sq, int to_sq, int promotion) noexcept     # the same; -1: no promotion
    cdef Move king_move(self, int from_sq, int to_sq) noexcept


cdef bint has_repeated(const Position *pos, const Key *keys, int index) noexcept nogil
cdef bint is_repeatable(const Position *pos, const Key *keys, int index, Move move) noexcept nogil
