# Syzygy tables: what a position is worth. Any number of threads may probe at once; nothing is written but the
# mark of a table that turns out damaged.

cimport cython

from _fast.board.position cimport Position
from _fast.board.tbfile cimport TableFile
from libc.stdint cimport uint64_t

cdef enum:
    NOT_HELD = 10000                    # instead of a result: no table, or one that cannot be read

cdef enum:                              # results for the side to move, as the tables count them
    LOSS = -2
    BLESSED_LOSS = -1                   # lost, but for the 50-move rule
    TABLE_DRAW = 0
    CURSED_WIN = 1                      # won, but for the 50-move rule
    WIN = 2


cdef struct Slot:                       # one material, the sides as on the board
    uint64_t material                   # 0: empty
    TableFile *wdl                      # NULL: none
    TableFile *dtz


cdef struct TableSet:
    Slot *slots                         # a hash table with open addresses
    int used
    int largest                         # pieces of the largest WDL table


# The result with the best play, if the 50-move counter stands at 0. The position has no castling rights.
cdef int probe_wdl(const TableSet *tables, const Position *pos) noexcept nogil

# Plies to the next capture or pawn move with the best play, negative if lost, 0 if drawn, beyond 100 if the
# 50-move rule draws. Up to one ply too low where the table counts moves.
cdef int probe_dtz(const TableSet *tables, const Position *pos) noexcept nogil


@cython.final
cdef class Tables:
    cdef TableSet state
    cdef dict files                     # (name, whether DTZ) -> File
    cdef set told                       # of them, those known to be damaged
