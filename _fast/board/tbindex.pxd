# Syzygy tablebases: the index of a position in a table, from the squares of its pieces.
#
# Pieces come in the order of the file's head, in groups. The leading group takes advantage of the board's
# symmetry: three unique pieces, or the two kings where no third piece is unique, under all eight symmetries;
# in tables with pawns the pawns of one colour, under the reflection of files. Then come the other colour's
# pawns, then groups of like pieces, each a combination of the squares that are still free. Every group's
# number is multiplied by a factor of its own, and the products are summed.

from libc.stdint cimport uint8_t, uint64_t

from sssnake._fast.board.position cimport Position

cdef enum:
    MOST_PIECES = 7                     # kings included

cdef enum:                              # leading groups
    UNIQUE_TRIO
    KING_PAIR
    LEADING_PAWNS


cdef struct Group:                      # like pieces
    uint8_t piece                       # 2 * type + colour, as on the board
    uint8_t length
    uint64_t factor


cdef struct Layout:
    int kind                            # of the leading group
    uint8_t leader[3]                   # its pieces; with pawns one entry
    int leaders                         # number of its pieces on the board
    uint64_t leading_factor
    bint second_pawns                   # the first of `group` are the other colour's pawns
    int groups                          # without the leading one
    Group group[MOST_PIECES]
    uint64_t size                       # number of indices


# Reads a layout from a file's head. codes: a piece each, 1..6 pawn to king, black + 8. place, second_place:
# positions of leading group and second pawns in the order of multiplication. file: of the leading pawn, a..d
# as 0..3. False: no table has such a layout.
cdef bint lay_out(Layout *layout, const uint8_t *codes, int count, int place, int second_place,
                  int file) noexcept nogil

# A position's index, less than `size` if its pieces are those of the layout. flip: colours are exchanged.
cdef uint64_t index_of(const Layout *layout, const Position *pos, bint flip) noexcept nogil

# The file of the leading pawn, a..d as 0..3. pawn: the piece that leads in this table.
cdef int leading_file(const Position *pos, int pawn, bint flip) noexcept nogil
