# Training positions: 32 bytes each, the side to move at the bottom, and the network's features of each.

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from sssnake._fast.bits cimport pop
from sssnake._fast.types cimport KING

cdef enum:
    FEATURES = 768                      # of one perspective: 2 owners x 6 types x 64 squares
    THEIRS = 384                        # first feature of the other side's pieces
    MAX_PIECES = 32                     # owners: 0 the mover, 1 the other

cdef enum:                              # Sample.flags
    BLACK_MOVES = 1                     # the position is colour-flipped
    CHESS960 = 2
    NEIGHBOUR = 4                       # not from a game (neighbours, harvest): it has no result


cdef packed struct Sample:              # as it lies in memory and in a cache file (little endian)
    uint64_t occupied                   # squares as the mover sees them, a1 at its own left
    uint8_t pieces[16]                  # in that order, four bits each, low half first: 2 * type + owner
    int16_t score                       # of the search, centipawns, mover's view
    uint8_t result                      # mover's: 0 lost, 1 drawn, 2 won
    uint8_t flags
    uint32_t game                       # CRC-32 of the game's start: splits are made by it


cdef inline int piece_code(const Sample *sample, int index) noexcept nogil:
    # 2 * type + owner of the index-th occupied square.
    return sample.pieces[index >> 1] >> (4 * (index & 1)) & 15


cdef inline int expand(const Sample *sample, uint16_t *mover, uint16_t *other) noexcept nogil:
    # Fills the active features of both perspectives (room for MAX_PIECES each); returns the number of pieces.
    # A perspective whose king is on files e-h is mirrored: squares ^ 7.
    cdef uint64_t todo = sample.occupied
    cdef int mirror[2]
    cdef int count = 0
    cdef int sq, code, kind, owner, i
    mirror[0] = mirror[1] = 0
    while todo and count < MAX_PIECES:
        sq = pop(&todo)
        code = min(piece_code(sample, count), 2 * KING + 1)
        kind, owner = code >> 1, code & 1
        if kind == KING:
            mirror[owner] = 7 if sq & 4 else 0
        mover[count] = THEIRS * owner + 64 * kind + sq
        other[count] = THEIRS * (owner ^ 1) + 64 * kind + (sq ^ 56)
        count += 1
    for i in range(count):
        mover[i] ^= mirror[0]
        other[i] ^= mirror[1]
    return count
