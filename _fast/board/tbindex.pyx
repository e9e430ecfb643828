"""Syzygy tablebases: the index of a position, from its pieces' squares. Arrays are filled at import."""

from math import comb

from libc.string cimport memset

from sssnake._fast.bits cimport lsb, pop, popcount
from sssnake._fast.board.position cimport pieces
from sssnake._fast.types cimport Bitboard, KING, PAWN, bit, file_of, piece_of, rank_of, type_of

cdef enum:
    PIECE_CODES = 16
    LEADING_PAWN_SQUARES = 24           # a2..a7, b2..b7, c2..c7, d2..d7
    PAWN_SQUARES = 48
    LONGEST_GROUP = 5
    MIRROR_FILES = 1                    # symmetries, summed
    MIRROR_RANKS = 2
    MIRROR_DIAGONAL = 4
    TRIANGLE_SIDES = 6                  # squares of the triangle a1-d1-d4 off the diagonal: b1 c1 d1 c2 d2 d3
    TRIANGLE_DIAGONAL = 4               # a1 b2 c3 d4
    BELOW_DIAGONAL = 28
    # The trio: each piece has the squares that those before it leave, and the reflection about the diagonal
    # halves what the first piece off the diagonal may have.
    FIRST_ON_DIAGONAL = TRIANGLE_SIDES * 63 * 62
    SECOND_ON_DIAGONAL = FIRST_ON_DIAGONAL + TRIANGLE_DIAGONAL * BELOW_DIAGONAL * 62
    ALL_ON_DIAGONAL = SECOND_ON_DIAGONAL + TRIANGLE_DIAGONAL * 7 * BELOW_DIAGONAL
    TRIOS = ALL_ON_DIAGONAL + TRIANGLE_DIAGONAL * 7 * 6

cdef uint8_t TURNED[8][64]              # [symmetry][square]: files first, then ranks, then the diagonal
cdef uint8_t TRIANGLE[64]               # number of a square of the triangle: sides first, then the diagonal
cdef uint8_t BELOW[64]                  # number of a square below the diagonal
cdef int PAIR[10][64]                   # [number of the first king's square][second king's square]
cdef int PAIRS
cdef uint64_t CHOOSE[LONGEST_GROUP + 1][64]     # [k][n]: combinations of k out of n
cdef uint8_t LEAD_ORDER[64]             # pawns: the lowest one leads; edge files first, then low ranks
cdef uint8_t FOLLOWING[64]              # number of a pawn's square where another leads: the reverse order
cdef uint64_t LEAD_BASE[LONGEST_GROUP][LEADING_PAWN_SQUARES]    # [followers][order of the leading pawn]
cdef uint64_t LEADS[LONGEST_GROUP][4]   # [followers][file]: size of the leading group


cdef fill_symmetry():
    cdef int sq, turned, symmetry
    for symmetry in range(8):
        for sq in range(64):
            turned = sq
            if symmetry & MIRROR_FILES:
                turned ^= 7
            if symmetry & MIRROR_RANKS:
                turned ^= 56
            if symmetry & MIRROR_DIAGONAL:
                turned = file_of(turned) << 3 | rank_of(turned)
            TURNED[symmetry][sq] = turned


cdef fill_triangle():
    cdef int sq
    below = [sq for sq in range(64) if file_of(sq) > rank_of(sq)]
    sides = [sq for sq in below if file_of(sq) < 4]
    for number, sq in enumerate(below):
        BELOW[sq] = number
    for number, sq in enumerate(sides + [9 * i for i in range(4)]):
        TRIANGLE[sq] = number


cdef fill_pairs():
    # All pairs of kings that do not touch (else 0), the first one in the triangle; if that stands on the
    # diagonal, the second one is not above it. Pairs on the diagonal come last.
    global PAIRS
    cdef int first, second, number
    triangle = sorted((TRIANGLE[sq], sq) for sq in range(28) if rank_of(sq) <= file_of(sq) < 4)
    PAIRS = 0
    for on_diagonal in (False, True):
        for number, first in triangle:
            for second in range(64):
                apart = max(abs(file_of(first) - file_of(second)), abs(rank_of(first) - rank_of(second)))
                lies = file_of(second) - rank_of(second)
                both = number >= TRIANGLE_SIDES and lies == 0
                if apart > 1 and both == on_diagonal and (number < TRIANGLE_SIDES or lies >= 0):
                    PAIR[number][second] = PAIRS
                    PAIRS += 1


cdef fill_pawns():
    cdef int sq, file, order, followers
    cdef uint64_t total
    squares = {}
    for sq in range(8, 56):
        file = min(file_of(sq), 7 - file_of(sq))
        LEAD_ORDER[sq] = 6 * file + rank_of(sq) - 1
        FOLLOWING[sq] = PAWN_SQUARES - 1 - 2 * LEAD_ORDER[sq] - (file_of(sq) > 3)
        if file_of(sq) < 4:
            squares[LEAD_ORDER[sq]] = sq
    for followers in range(LONGEST_GROUP):
        for file in range(4):
            total = 0
            for order in range(6 * file, 6 * file + 6):
                LEAD_BASE[followers][order] = total
                total += <uint64_t> comb(FOLLOWING[squares[order]], followers)
            LEADS[followers][file] = total


cdef fill_choose():
    for k in range(LONGEST_GROUP + 1):
        for n in range(64):
            CHOOSE[k][n] = comb(n, k)


fill_symmetry()
fill_triangle()
fill_pairs()
fill_pawns()
fill_choose()


# Layouts

cdef inline int piece_from(uint8_t code) noexcept nogil:
    # 2 * type + colour, or -1.
    return piece_of((code & 7) - 1, code >> 3) if code < PIECE_CODES and 1 <= (code & 7) <= KING + 1 else -1


cdef int lead(Layout *layout, const int *piece, const int *of_kind, int count) noexcept nogil:
    # Sets the leading group and returns the number of its pieces; 0 if that is no valid layout.
    cdef int i
    cdef int unique = 0
    layout.leader[0] = <uint8_t> piece[0]
    if of_kind[piece_of(PAWN, 0)] or of_kind[piece_of(PAWN, 1)]:
        layout.kind = LEADING_PAWNS
        layout.leaders = of_kind[piece[0]]
        return layout.leaders if type_of(piece[0]) == PAWN else 0
    for i in range(count):
        unique += of_kind[piece[i]] == 1
    layout.kind = UNIQUE_TRIO if unique >= 3 else KING_PAIR
    layout.leaders = 3 if unique >= 3 else 2
    for i in range(layout.leaders):
        layout.leader[i] = <uint8_t> piece[i]
        if of_kind[piece[i]] != 1 or layout.kind == KING_PAIR and type_of(piece[i]) != KING:
            return 0
    return layout.leaders


cdef bint multiply(Layout *layout, int place, int second_place, int file) noexcept nogil:
    # Sets the factors, in the file's order. False: the order is not valid.
    cdef uint64_t product = 1
    cdef int last = 1 + layout.groups
    cdef int next_group = layout.second_pawns
    cdef int free_squares = 64 - layout.leaders - (layout.group[0].length if layout.second_pawns else 0)
    cdef int i
    cdef Group *group
    if not 0 <= place < last or layout.second_pawns and (place == second_place or second_place >= last):
        return False
    for i in range(last):
        if i == place:
            layout.leading_factor = product
            if layout.kind == LEADING_PAWNS:
                product *= LEADS[layout.leaders - 1][file]
            else:
                product *= TRIOS if layout.kind == UNIQUE_TRIO else <uint64_t> PAIRS
        elif layout.second_pawns and i == second_place:
            group = &layout.group[0]
            group.factor = product
            product *= CHOOSE[group.length][PAWN_SQUARES - layout.leaders]
        else:
            group = &layout.group[next_group]
            group.factor = product
            product *= CHOOSE[group.length][free_squares]
            free_squares -= group.length
            next_group += 1
    layout.size = product
    return True


cdef bint lay_out(Layout *layout, const uint8_t *codes, int count, int place, int second_place,
                  int file) noexcept nogil:
    cdef int[MOST_PIECES] piece
    cdef int[PIECE_CODES] of_kind
    cdef int i, length
    memset(layout, 0, sizeof(Layout))
    memset(of_kind, 0, sizeof(of_kind))
    if not 3 <= count <= MOST_PIECES:
        return False
    for i in range(count):
        piece[i] = piece_from(codes[i])
        if piece[i] < 0:
            return False
        of_kind[piece[i]] += 1
    if of_kind[piece_of(KING, 0)] != 1 or of_kind[piece_of(KING, 1)] != 1:
        return False
    i = lead(layout, piece, of_kind, count)
    if i == 0 or layout.kind == LEADING_PAWNS and piece[i - 1] != piece[0]:
        return False
    while i < count:
        length = of_kind[piece[i]]
        if i + length > count or piece[i + length - 1] != piece[i] or piece[i - 1] == piece[i]:
            return False                # like pieces stand together, or they would be counted twice
        layout.group[layout.groups].piece = <uint8_t> piece[i]
        layout.group[layout.groups].length = <uint8_t> length
        layout.groups += 1
        i += length
    if layout.kind == LEADING_PAWNS and of_kind[piece[0] ^ 1]:
        layout.second_pawns = True
        if layout.group[0].piece != piece[0] ^ 1 or of_kind[piece[0] ^ 1] < layout.leaders:
            return False
    return multiply(layout, place, second_place, file)


# Positions

cdef inline Bitboard squares_of(const Position *pos, int piece, bint flip) noexcept nogil:
    return pieces(pos, (piece & 1) ^ flip, type_of(piece))


cdef inline uint64_t combination(Bitboard squares, Bitboard taken, int first) noexcept nogil:
    # The number of a set of squares among those not taken, of which `first` do not count.
    cdef uint64_t number = 0
    cdef int sq
    cdef int k = 0
    while squares:
        sq = pop(&squares)
        k += 1
        number += CHOOSE[k][sq - first - popcount(taken & (bit(sq) - 1))]
    return number


cdef uint64_t trio(const int *sq) noexcept nogil:
    # Three unique pieces, turned so that the first lies in the triangle. A square's number among those that
    # are left is less by one for each piece before it on a lower square.
    cdef int second = sq[1] - (sq[1] > sq[0])
    cdef int third = sq[2] - (sq[2] > sq[0]) - (sq[2] > sq[1])
    cdef int second_file = file_of(sq[1]) - (sq[1] > sq[0])
    if file_of(sq[0]) != rank_of(sq[0]):
        return (TRIANGLE[sq[0]] * 63 + second) * 62 + third
    if file_of(sq[1]) != rank_of(sq[1]):
        return FIRST_ON_DIAGONAL + (file_of(sq[0]) * BELOW_DIAGONAL + BELOW[sq[1]]) * 62 + third
    if file_of(sq[2]) != rank_of(sq[2]):
        return SECOND_ON_DIAGONAL + (file_of(sq[0]) * 7 + second_file) * BELOW_DIAGONAL + BELOW[sq[2]]
    return (ALL_ON_DIAGONAL + (file_of(sq[0]) * 7 + second_file) * 6
            + file_of(sq[2]) - (sq[2] > sq[0]) - (sq[2] > sq[1]))


cdef inline int into_triangle(const int *sq, int count) noexcept nogil:
    # The symmetry that brings the first square into the triangle, the first one off the diagonal below it.
    cdef int symmetry = (MIRROR_FILES if sq[0] & 4 else 0) | (MIRROR_RANKS if sq[0] & 32 else 0)
    cdef int i, turned
    for i in range(count):
        turned = TURNED[symmetry][sq[i]]
        if file_of(turned) != rank_of(turned):
            return symmetry | MIRROR_DIAGONAL if rank_of(turned) > file_of(turned) else symmetry
    return symmetry


cdef inline int leading_pawn(const Position *pos, int pawn, bint flip) noexcept nogil:
    # Its square, turned if `flip`; of two that stand alike the one on the queen's side.
    cdef Bitboard left = squares_of(pos, pawn, flip)
    cdef int best = TURNED[MIRROR_RANKS * flip][lsb(left)]
    cdef int sq
    while left:
        sq = TURNED[MIRROR_RANKS * flip][pop(&left)]
        if LEAD_ORDER[sq] < LEAD_ORDER[best]:
            best = sq
    return best


cdef int leading_file(const Position *pos, int pawn, bint flip) noexcept nogil:
    cdef int file = file_of(leading_pawn(pos, pawn, flip))
    return min(file, 7 - file)


cdef inline uint64_t leading_number(const Layout *layout, const Position *pos, bint flip, int *symmetry,
                                    Bitboard *taken) noexcept nogil:
    # The number of the leading group; *symmetry normalizes it, *taken are its squares after that.
    cdef int[3] sq
    cdef Bitboard left, order
    cdef int i, pawn, leader
    if layout.kind == LEADING_PAWNS:
        leader = leading_pawn(pos, layout.leader[0], flip)
        symmetry[0] = MIRROR_RANKS * flip | (MIRROR_FILES if leader & 4 else 0)
        taken[0] = order = 0
        left = squares_of(pos, layout.leader[0], flip)
        while left:
            pawn = TURNED[symmetry[0]][pop(&left)]
            taken[0] |= bit(pawn)
            order |= bit(FOLLOWING[pawn])
        leader = TURNED[MIRROR_FILES if leader & 4 else 0][leader]
        order ^= bit(FOLLOWING[leader])
        return LEAD_BASE[layout.leaders - 1][LEAD_ORDER[leader]] + combination(order, 0, 0)
    sq[0] = lsb(squares_of(pos, layout.leader[0], flip))
    for i in range(1, layout.leaders):
        sq[i] = lsb(squares_of(pos, layout.leader[i], flip))
    symmetry[0] = into_triangle(sq, layout.leaders)
    taken[0] = 0
    for i in range(layout.leaders):
        sq[i] = TURNED[symmetry[0]][sq[i]]
        taken[0] |= bit(sq[i])
    return trio(sq) if layout.kind == UNIQUE_TRIO else <uint64_t> PAIR[TRIANGLE[sq[0]]][sq[1]]


cdef uint64_t index_of(const Layout *layout, const Position *pos, bint flip) noexcept nogil:
    cdef int symmetry, i
    cdef Bitboard taken, left, turned
    cdef const Group *group
    cdef uint64_t index = leading_number(layout, pos, flip, &symmetry, &taken) * layout.leading_factor
    for i in range(layout.groups):
        group = &layout.group[i]
        left = squares_of(pos, group.piece, flip)
        turned = 0
        while left:
            turned |= bit(TURNED[symmetry][pop(&left)])
        index += combination(turned, taken, 8 if i == 0 and layout.second_pawns else 0) * group.factor
        taken |= turned
    return index
