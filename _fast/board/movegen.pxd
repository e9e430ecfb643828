# Legal move generation by pins and checkers.

from sssnake._fast.board.position cimport Position
from sssnake._fast.types cimport Move


# Generators return the end of the list; `moves` has room for MAX_MOVES.
cdef Move *generate(const Position *pos, Move *moves) noexcept nogil        # all legal moves
cdef Move *generate_tactical(const Position *pos, Move *moves) noexcept nogil   # captures, promotions
cdef Move *generate_quiet(const Position *pos, Move *moves) noexcept nogil      # all others
cdef Move *generate_checks(const Position *pos, Move *moves) noexcept nogil     # quiet checks; no castling
cdef int count_legal(const Position *pos) noexcept nogil                        # without building a list
cdef bint is_legal(const Position *pos, Move move) noexcept nogil       # any 16 bits
cdef bint gives_check(const Position *pos, Move move) noexcept nogil        # move legal in pos
