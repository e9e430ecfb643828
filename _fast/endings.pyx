"""Endings judged by rule: driving a lone king to the edge, and material that does not win."""

from _fast.attacks cimport KING_ATTACKS, KNIGHT_ATTACKS, bishop_attacks, rook_attacks
from _fast.bits cimport pop, popcount, several
from _fast.position cimport Position, occupied, pieces
from _fast.types cimport (
    BISHOP, Bitboard, KING, KNIGHT, PAWN, QUEEN, ROOK, Value, bit, file_of, rank_of, relative_square,
)

cdef enum:
    KNOWN_WIN = 1500                    # centipawns on top of material when the lone king cannot hold
    TOWARDS_EDGE = 40                   # a step of the lone king towards the edge
    TOWARDS_CORNER = 360                # a step towards the right corner, which makes up for every way round
    TOWARDS_KING = 30                   # a step of the winning king towards it
    CONFINED = 10                       # a square that the lone king cannot reach
    NORMAL = 64
    NO_PAWNS_MINOR = 6                  # a minor piece up without pawns
    NO_PAWNS = 24                       # a little more than that
    BISHOPS_ALONE = 28                  # opposite-coloured bishops and pawns

cdef Bitboard DARK_SQUARES = 0xaa55aa55aa55aa55
cdef Bitboard FILE_A = 0x0101010101010101
cdef int[6] WORTH = [0, 3, 3, 5, 9, 0]  # non-pawn material in pawns


cdef inline int material(const Position *pos, int color) noexcept nogil:
    cdef int t, total = 0
    for t in range(KNIGHT, KING):
        total += WORTH[t] * popcount(pieces(pos, color, t))
    return total


cdef inline int edge_distance(int sq) noexcept nogil:
    cdef int file = min(file_of(sq), 7 - file_of(sq))
    cdef int rank = min(rank_of(sq), 7 - rank_of(sq))
    return file + rank                  # 6 in the centre, 0 in a corner


cdef inline int corner_pull(int sq, bint dark) noexcept nogil:
    # 7 in the two corners of a colour (a1 and h8 are dark), less by a step on any way from there; 0 on the
    # diagonal between the other two.
    return abs(7 - file_of(sq) - rank_of(sq)) if dark else abs(file_of(sq) - rank_of(sq))


cdef inline int distance(int a, int b) noexcept nogil:
    return max(abs(file_of(a) - file_of(b)), abs(rank_of(a) - rank_of(b)))


cdef inline Bitboard spread(Bitboard squares) noexcept nogil:
    # The squares and their neighbours.
    squares |= (squares & ~(FILE_A << 7)) << 1 | (squares & ~FILE_A) >> 1
    return squares | squares << 8 | squares >> 8


cdef int confined(const Position *pos, int king, int strong) noexcept nogil:
    # How many squares the lone king could never reach if the others stood still (and could not be taken).
    cdef Bitboard others = occupied(pos) & ~bit(king)
    cdef Bitboard own = pos.by_color[strong]
    cdef Bitboard barred = KING_ATTACKS[pos.king[strong]] | own
    cdef Bitboard left = own & pos.by_type[KNIGHT]
    cdef Bitboard reached = bit(king)
    cdef Bitboard before = 0
    while left:
        barred |= KNIGHT_ATTACKS[pop(&left)]
    left = own & (pos.by_type[BISHOP] | pos.by_type[QUEEN])
    while left:
        barred |= bishop_attacks(pop(&left), others)
    left = own & (pos.by_type[ROOK] | pos.by_type[QUEEN])
    while left:
        barred |= rook_attacks(pop(&left), others)
    while reached != before:
        before = reached
        reached |= spread(reached) & ~barred
    return 64 - popcount(reached)


cdef bint can_mate(const Position *pos, int color) noexcept nogil:
    # Queen, rook, bishops of both colours, or bishop and knight.
    cdef Bitboard bishops = pieces(pos, color, BISHOP)
    if pieces(pos, color, QUEEN) | pieces(pos, color, ROOK):
        return True
    if bishops and pieces(pos, color, KNIGHT):
        return True
    return bishops & DARK_SQUARES and bishops & ~DARK_SQUARES


cdef bint lone_king(const Position *pos, Value *value) noexcept nogil:
    # A bare king without pawns about, against mating material: drive it to the edge and confine it; with
    # bishop and knight drive it to a corner of the bishop's colour.
    cdef int strong, king
    cdef Bitboard bishops
    if pos.by_type[PAWN]:
        return False
    if not several(pos.by_color[0]):
        strong = 1
    elif not several(pos.by_color[1]):
        strong = 0
    else:
        return False
    if not can_mate(pos, strong):
        return False
    king = pos.king[strong ^ 1]
    bishops = pieces(pos, strong, BISHOP)
    value[0] = (KNOWN_WIN + 100 * material(pos, strong)
                + TOWARDS_KING * (7 - distance(king, pos.king[strong])))
    if pieces(pos, strong, QUEEN) | pieces(pos, strong, ROOK) or several(bishops):
        value[0] += TOWARDS_EDGE * (6 - edge_distance(king)) + CONFINED * confined(pos, king, strong)
    else:                               # room and edges only hold it up in the wrong corner
        value[0] += TOWARDS_CORNER * corner_pull(king, (bishops & DARK_SQUARES) != 0)
    if pos.side != strong:
        value[0] = -value[0]
    return True


cdef inline bint wrong_bishop(const Position *pos, int strong) noexcept nogil:
    # Rook pawns whose promotion square the bishop does not control, and the defending king in front of them.
    cdef Bitboard pawns = pieces(pos, strong, PAWN)
    cdef Bitboard bishops = pieces(pos, strong, BISHOP)
    cdef int goal
    if pos.by_color[strong] != (pawns | bishops | bit(pos.king[strong])):
        return False
    if pawns & ~FILE_A and pawns & ~(FILE_A << 7):
        return False
    goal = relative_square(strong, 56 if pawns & FILE_A else 63)
    if bishops and ((bishops & DARK_SQUARES) != 0) == ((bit(goal) & DARK_SQUARES) != 0):
        return False
    if bishops & DARK_SQUARES and bishops & ~DARK_SQUARES:
        return False
    return distance(pos.king[strong ^ 1], goal) <= 1


cdef inline bint bishops_alone(const Position *pos) noexcept nogil:
    # One bishop each, of opposite colours, and pawns.
    cdef Bitboard bishops = pos.by_type[BISHOP]
    if pos.by_type[KNIGHT] | pos.by_type[ROOK] | pos.by_type[QUEEN]:
        return False
    return (popcount(bishops) == 2 and popcount(bishops & pos.by_color[0]) == 1
            and popcount(bishops & DARK_SQUARES) == 1)


cdef int ending_scale(const Position *pos, int strong) noexcept nogil:
    cdef int ahead
    if pieces(pos, strong, PAWN):
        if wrong_bishop(pos, strong):
            return 0
        return BISHOPS_ALONE if bishops_alone(pos) else NORMAL
    if not can_mate(pos, strong):
        return 0
    ahead = material(pos, strong) - material(pos, strong ^ 1)
    if ahead <= 3:
        return NO_PAWNS_MINOR
    return NO_PAWNS if ahead <= 4 else NORMAL
