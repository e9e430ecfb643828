# Static exchange evaluation.

from sssnake._fast.board.position cimport Position
from sssnake._fast.types cimport Move, Value

cdef Value PIECE_VALUES[7]              # centipawns by piece type; 0 for the king and for no piece

cdef bint see_ge(const Position *pos, Move move, Value threshold) noexcept nogil        # a legal move
