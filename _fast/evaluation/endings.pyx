"""Endings judged by rule or table: driving a lone king to the edge, and material that does not win."""

from _fast.board.attacks cimport KING_ATTACKS, KNIGHT_ATTACKS, bishop_attacks, rook_attacks
from _fast.bits cimport lsb, pop, popcount, several
from _fast.board.position cimport Position, occupied, pieces
from _fast.types cimport (
    BISHOP, Bitboard, DRAW, KING, KNIGHT, PAWN, QUEEN, ROOK, Value, bit, file_of, rank_of, relative_square,
)

cdef enum:
    KNOWN_WIN = 1500                    # centipawns on top of material when the lone king cannot hold
    TOWARDS_EDGE = 40                   # a step of the lone king towards the edge
    TOWARDS_CORNER = 360                # a step towards the right corner, which makes up for every way round
    TOWARDS_KING = 30                   # a step of the winning king towards it
    CONFINED = 10                       # a square that the lone king cannot reach
    PAWN_WON = 1000                     # king and pawn against king, won
    PAWN_STEP = 50                      # a step of that pawn
    QUEEN_WON = 500                     # queen against rook
    NORMAL = 64
    NO_PAWNS_MINOR = 6                  # a minor piece up without pawns
    NO_PAWNS = 24                       # a little more than that
    BISHOPS_ALONE = 28                  # opposite-coloured bishops and pawns
    PAWN_AGAINST_MINOR = 16
    QUEEN_AGAINST_PAWN = 8
    FAR = 5                             # king's steps: too late for the queen's help

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
    # A bare king against mating material, no pawns: drive it to the edge and confine it; with
    # bishop and knight drive it to a corner of the bishop's colour.
    cdef int strong, king
    cdef Bitboard bishops
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


cdef bint queen_against_rook(const Position *pos, Value *value) noexcept nogil:
    # Won, but for a fork or stalemate at once: the rook's king is driven to the edge.
    cdef int strong = not pos.by_color[0] & pos.by_type[QUEEN]
    cdef int king = pos.king[strong ^ 1]
    if (popcount(occupied(pos)) != 4 or not pieces(pos, strong, QUEEN)
            or not pieces(pos, strong ^ 1, ROOK)):
        return False
    value[0] = (QUEEN_WON + TOWARDS_EDGE * (6 - edge_distance(king))
                + TOWARDS_KING * (7 - distance(king, pos.king[strong])))
    if pos.side != strong:
        value[0] = -value[0]
    return True


cdef Value pawn_verdict(const Position *pos) noexcept nogil:
    # King and pawn against king, by the table.
    cdef int strong = not pos.by_color[0] & pos.by_type[PAWN]
    cdef Value value
    if not pawn_is_won(pos):
        return DRAW
    value = PAWN_WON + PAWN_STEP * rank_of(relative_square(strong, lsb(pos.by_type[PAWN])))
    return value if pos.side == strong else -value


cdef bint judged(const Position *pos, Value *value) noexcept nogil:
    if pos.by_type[PAWN]:
        if not king_and_pawn(pos):
            return False
        value[0] = pawn_verdict(pos)
        return True
    if not can_mate(pos, 0) and not can_mate(pos, 1):
        value[0] = DRAW
        return True
    return lone_king(pos, value) or queen_against_rook(pos, value)


cdef bint holds_corner(const Position *pos, int strong) noexcept nogil:
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


cdef inline bint pawn_against_minor(const Position *pos, int strong) noexcept nogil:
    # The last pawn: the minor piece mostly stops it, or gives itself for it.
    cdef Bitboard minors = pieces(pos, strong ^ 1, KNIGHT) | pieces(pos, strong ^ 1, BISHOP)
    return (popcount(occupied(pos)) == 4 and minors != 0
            and pos.by_color[strong] == (pieces(pos, strong, PAWN) | bit(pos.king[strong])))


cdef inline bint queen_against_pawn(const Position *pos, int strong) noexcept nogil:
    # A rook's or bishop's pawn about to promote, its king beside it, and the other king far away: the queen
    # does not win in four cases of five.
    cdef Bitboard pawns = pieces(pos, strong ^ 1, PAWN)
    cdef int sq, file
    if popcount(occupied(pos)) != 4 or not pawns or not pieces(pos, strong, QUEEN):
        return False
    sq = lsb(pawns)
    file = file_of(sq)
    return (rank_of(relative_square(strong, sq)) == 1 and (file in (0, 2, 5, 7))
            and distance(pos.king[strong ^ 1], sq) == 1 and distance(pos.king[strong], sq) >= FAR)


cdef int ending_scale(const Position *pos, int strong) noexcept nogil:
    cdef int ahead
    if pieces(pos, strong, PAWN):
        if holds_corner(pos, strong):
            return 0
        if bishops_alone(pos):
            return BISHOPS_ALONE
        return PAWN_AGAINST_MINOR if pawn_against_minor(pos, strong) else NORMAL
    if not can_mate(pos, strong):
        return 0
    if queen_against_pawn(pos, strong):
        return QUEEN_AGAINST_PAWN
    ahead = material(pos, strong) - material(pos, strong ^ 1)
    if ahead <= 3:
        return NO_PAWNS_MINOR
    return NO_PAWNS if ahead <= 4 else NORMAL


cdef bint hangs_on_pawn(const Position *pos, int strong) noexcept nogil:
    # Pieces that do not win alone, and few pawns: one, or two beside nothing but bishops.
    cdef Bitboard pawns = pieces(pos, strong, PAWN)
    cdef Bitboard others = pos.by_color[strong] & ~(pawns | bit(pos.king[strong]) | pos.by_type[BISHOP])
    if king_and_pawn(pos):
        return False                    # the table knows
    if can_mate(pos, strong) and material(pos, strong) - material(pos, strong ^ 1) > 4:
        return False
    return popcount(pawns) <= (1 if others else 2) or not pawns & ~FILE_A or not pawns & ~(FILE_A << 7)
