# Syzygy tablebases: probing. Any number of threads may probe at once. Only the mark of a damaged table is
# written.

cimport cython

from sssnake._fast.board.position cimport Position
from sssnake._fast.board.tbfile cimport TableFile
from libc.stdint cimport uint64_t

cdef enum:
    NOT_HELD = 10000                    # instead of a result: no table, or a damaged one

cdef enum:                              # WDL results for the side to move
    LOSS = -2
    BLESSED_LOSS = -1                   # lost, but for the 50-move rule
    TABLE_DRAW = 0
    CURSED_WIN = 1                      # won, but for the 50-move rule
    WIN = 2


cdef struct Slot:                       # the tables of one material
    uint64_t material                   # 0: empty
    TableFile *wdl                      # NULL: none
    TableFile *dtz


cdef struct TableSet:
    Slot *slots                         # a hash table with open addressing
    int used
    int largest                         # pieces of the largest WDL table


# WDL with the best play, for a 50-move counter of 0. The position has no castling rights.
cdef int probe_wdl(const TableSet *tables, const Position *pos) noexcept nogil

# DTZ: plies to the next capture or pawn move with the best play, negative if lost, 0 if drawn, more than 100
# if the 50-move rule makes it a draw. Up to one ply too low where the table stores moves.
cdef int probe_dtz(const TableSet *tables, const Position *pos) noexcept nogil


@cython.final
cdef class Tables:
    cdef TableSet state
    cdef dict files                     # (name, whether DTZ) -> File
    cdef set reported                   # keys of the files that were returned by `damaged`
