# Syzygy tablebases: the file. Its head is read and checked once; then values are found by a position's index.
#
# After the head come the sparse indices, the lengths of the blocks, and the blocks, of all streams. A stream
# is one array of values (one side to move, one file of the leading pawn), compressed by pairing (Larsson,
# Moffat 1999: a symbol stands for a value or for two other symbols) and a canonical Huffman code.

cimport cython
from libc.stdint cimport uint8_t, uint16_t, uint64_t

from sssnake._fast.mapping cimport Mapping
from sssnake._fast.board.position cimport Position
from sssnake._fast.board.tbindex cimport Layout

cdef enum:
    LONGEST_CODE = 32                   # bits of a Huffman code
    STREAMS = 8
    NOT_STORED = -1                     # a DTZ table holds one side to move alone
    DAMAGED = -2


cdef struct Coding:
    int only                            # the one value of a stream that has no other, else -1
    int span_bits                       # a sparse index entry for 2^span_bits indices
    int block_bits                      # log2 of a block's bytes
    uint64_t blocks                     # blocks of data
    uint64_t lengths                    # entries in block_lengths, with padding
    const uint8_t *spans                # 6 bytes each: block, offset of the middle of the span in it
    const uint8_t *block_lengths        # 2 bytes each: values in the block, less 1
    const uint8_t *data
    const uint8_t *pairs                # 3 bytes a symbol: two of 12 bits each, or value and 0xFFF
    uint8_t *extra                      # values that a symbol stands for, less 1
    int symbols
    int shortest                        # code, in bits
    uint64_t base[LONGEST_CODE + 1]     # by length: the lowest code, at the top of 64 bits
    uint16_t first[LONGEST_CODE + 1]    # by length: its symbol


cdef struct Stream:
    Layout layout
    Coding coding
    int flags                           # DTZ: which side to move, and how the values are written
    const uint8_t *map[4]               # DTZ: by result (see tbfile.pyx), what the values stand for
    int map_length[4]


cdef struct TableFile:
    bint dtz
    bint pawns
    bint symmetric                      # both sides have the same pieces: only white to move is held
    int pieces
    volatile int damaged                # found while probing; the table is not probed again
    uint64_t material                   # of the file's own white and black, summed by `unit`
    Stream stream[STREAMS]              # WDL: 2 * file + side to move; DTZ: file


@cython.final
cdef class File:
    # Owns a table's memory.
    cdef TableFile table
    cdef Mapping mapping


cdef inline uint64_t unit(int piece) noexcept nogil:
    # A piece's part of the material signature: four bits for each piece count.
    return <uint64_t> 1 << 4 * piece


# WDL: 0..4, lost to won, for the side to move. DTZ: plies from a position of that result (-2..2), 0 and up.
# flip: the file's white is black on the board. Or NOT_STORED or DAMAGED.
cdef int look_up_wdl(const TableFile *table, const Position *pos, bint flip) noexcept nogil
cdef int look_up_dtz(const TableFile *table, const Position *pos, bint flip, int wdl) noexcept nogil
