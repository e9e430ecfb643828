# Pawn structure, remembered by pawn key, and the geometry that pawn terms need.

from libc.stdint cimport int32_t

from _fast.position cimport Position
from _fast.terms cimport Trace
from _fast.types cimport Bitboard, Key

cdef enum:
    PAWN_CACHE = 8192                   # entries, a power of two


cdef struct PawnEntry:                  # what depends on pawns alone
    Key key
    Bitboard passed[2]
    Bitboard attack_span[2]             # squares the pawns of a colour may ever attack
    int32_t score                       # packed, white's view


cdef Bitboard NEIGHBOURS[8]             # the files beside a file
cdef Bitboard AHEAD[2][64]              # squares of the own file in front
cdef Bitboard PASSED_SPAN[2][64]        # squares in front, own and neighbouring files
cdef int DISTANCE[64][64]               # king moves


cdef const PawnEntry *pawn_entry(const Position *pos, Trace *trace, PawnEntry *cache) noexcept nogil
