# Legal move generation: pins and checkers, no make-and-test.

from _fast.board.position cimport Position
from _fast.types cimport Bitboard, Move


# Each returns the end of the list; `moves` has room for MAX_MOVES.
cdef Move *generate(const Position *pos, Move *moves) noexcept nogil        # all legal moves
cdef Move *generate_tactical(const Position *pos, Move *moves) noexcept nogil   # captures, promotions
cdef Move *generate_quiet(const Position *pos, Move *moves) noexcept nogil      # the legal rest
cdef Move *generate_checks(const Position *pos, Move *moves) noexcept nogil     # quiet ones; no castling
cdef int count_legal(const Position *pos) noexcept nogil                        # without building a list
cdef bint is_legal(const Position *pos, Move move) noexcept nogil       # any 16 bits
cdef bint gives_check(const Position *pos, Move move) noexcept nogil        # move legal in pos
