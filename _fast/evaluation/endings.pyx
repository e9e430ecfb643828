"""Endings with rules of their own: KPK, driving a lone king to the edge, and material that does not win."""

from sssnake._fast.evaluation import bishop_knight
from sssnake._fast.board.attacks cimport KING_ATTACKS, KNIGHT_ATTACKS, bishop_attacks, rook_attacks
from sssnake._fast.bits cimport lsb, pop, popcount, several
from sssnake._fast.board.movegen cimport generate
from sssnake._fast.board.position cimport MAY_CHECK, Position, make, occupied, pieces
from sssnake._fast.types cimport (
    BISHOP, Bitboard, DRAW, KING, KNIGHT, MAX_MOVES, Move, PAWN, QUEEN, ROOK, Value, bit, file_of, rank_of,
    relative_square,
)

cdef enum:
    # Values, centipawns:
    KNOWN_WIN = 1500                    # in addition to material, against a lone king
    TOWARDS_EDGE = 40                   # a step of the lone king towards the edge
    PLY_TO_MATE = 100                   # KBNK: a ply nearer to mate, by the squares of kings and knight
    FAR_FROM_MATE = 57                  # plies
    TOWARDS_KING = 30                   # a step of the winning king towards the lone king
    CONFINED = 10                       # a square that the lone king cannot reach
    PAWN_WON = 1000                     # KPK, won
    PAWN_STEP = 50                      # a step of that pawn
    QUEEN_WON = 500                     # KQKR
    # Scales, 1/64:
    NORMAL = 64
    NO_PAWNS_MINOR = 6                  # at most 3 pawns of material ahead, without pawns
    NO_PAWNS = 24                       # at most 4
    OPPOSITE_BISHOPS = 28               # opposite-coloured bishops and pawns
    PAWN_AGAINST_MINOR = 16
    QUEEN_AGAINST_PAWN = 8
    FAR = 5                             # king steps from the pawn: too far to help the queen

cdef Bitboard DARK_SQUARES = 0xaa55aa55aa55aa55
cdef Bitboard FILE_A = 0x0101010101010101
cdef int[6] PIECE_PAWNS = [0, 3, 3, 5, 9, 0]    # value in pawns by piece type


cdef int MATE_BY_KINGS[64][64]          # plies, by [strong king][lone king], the bishop on dark squares
cdef int MATE_BY_KNIGHT[64][64]         # more of them, by [knight][lone king]


cdef inline int digit(int letter) noexcept:
    # Its number in bishop_knight.DIGITS.
    return letter - c"0" if letter <= c"9" else letter - c"A" + 10 if letter <= c"Z" else letter - c"a" + 36


cdef fill(int (*table)[64], tuple rows, int zero):
    # From the lone king's squares in one of the board's four like parts to all others, by symmetry.
    cdef int king, like, sq, turned
    cdef bint half, mirrored
    cdef bytes row
    for king in range(64):
        half = file_of(king) + rank_of(king) < 7
        like = king ^ 63 if half else king
        mirrored = file_of(like) < rank_of(like)
        if mirrored:
            like = 8 * file_of(like) + rank_of(like)
        row = rows[bishop_knight.SQUARES.index(like)].encode()
        for sq in range(64):
            turned = sq ^ 63 if half else sq
            if mirrored:
                turned = 8 * file_of(turned) + rank_of(turned)
            table[sq][king] = digit(row[turned]) - zero


fill(MATE_BY_KINGS, bishop_knight.KINGS, bishop_knight.KING_ZERO)
fill(MATE_BY_KNIGHT, bishop_knight.KNIGHTS, bishop_knight.KNIGHT_ZERO)


cdef inline int material(const Position *pos, int color) noexcept nogil:
    # A side's material without pawns, in pawns.
    cdef int t, total = 0
    for t in range(KNIGHT, KING):
        total += PIECE_PAWNS[t] * popcount(pieces(pos, color, t))
    return total


cdef inline int edge_distance(int sq) noexcept nogil:
    cdef int file = min(file_of(sq), 7 - file_of(sq))
    cdef int rank = min(rank_of(sq), 7 - rank_of(sq))
    return file + rank                  # 6 in the centre, 0 in a corner


cdef inline int bishop_and_knight(const Position *pos, int strong) noexcept nogil:
    # How near the mate is, on the mean of all positions with these squares of kings and knight.
    cdef int mirrored = 0 if pieces(pos, strong, BISHOP) & DARK_SQUARES else 7
    cdef int king = pos.king[strong ^ 1] ^ mirrored
    cdef int knight = lsb(pieces(pos, strong, KNIGHT)) ^ mirrored
    return PLY_TO_MATE * (FAR_FROM_MATE - MATE_BY_KINGS[pos.king[strong] ^ mirrored][king]
                          - MATE_BY_KNIGHT[knight][king])


cdef inline bint can_take(const Position *pos, int strong) noexcept nogil:
    # Bishop and knight: whether the lone king attacks one of them that is not guarded.
    cdef int king = pos.king[strong ^ 1]
    cdef Bitboard attacked = KING_ATTACKS[king] & pos.by_color[strong]
    if not attacked:
        return False
    attacked &= ~(KING_ATTACKS[pos.king[strong]] | KNIGHT_ATTACKS[lsb(pos.by_type[KNIGHT])]
                  | bishop_attacks(lsb(pos.by_type[BISHOP]), occupied(pos) & ~bit(king)))
    return attacked != 0


cdef bint loses_piece(const Position *pos, int strong) noexcept nogil:
    # Whether the lone king takes bishop or knight now, or attacks both, and after any move can take one. What
    # is left does not win.
    cdef Move[MAX_MOVES] moves
    cdef Move *end
    cdef Position child
    cdef int i
    if pos.side != strong or not several(KING_ATTACKS[pos.king[strong ^ 1]] & pos.by_color[strong]):
        return pos.side != strong and can_take(pos, strong)
    end = generate(pos, moves)
    for i in range(<int> (end - moves)):
        make(pos, &child, moves[i], MAY_CHECK)
        if not can_take(&child, strong):
            return False
    return True


cdef inline int distance(int a, int b) noexcept nogil:
    return max(abs(file_of(a) - file_of(b)), abs(rank_of(a) - rank_of(b)))


cdef inline Bitboard spread(Bitboard squares) noexcept nogil:
    # The squares and their neighbours.
    squares |= (squares & ~(FILE_A << 7)) << 1 | (squares & ~FILE_A) >> 1
    return squares | squares << 8 | squares >> 8


cdef int confined(const Position *pos, int king, int strong) noexcept nogil:
    # Number of squares that the lone king cannot reach while the other pieces stand still.
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
    # Mating material without pawns against a lone king: more for a king near the edge and confined. KBNK: for
    # what is near to the mate on the mean, and a draw where a piece is lost.
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
    value[0] = KNOWN_WIN + 100 * material(pos, strong)
    if pieces(pos, strong, QUEEN) | pieces(pos, strong, ROOK) or several(bishops):
        value[0] += (TOWARDS_EDGE * (6 - edge_distance(king)) + CONFINED * confined(pos, king, strong)
                     + TOWARDS_KING * (7 - distance(king, pos.king[strong])))
    elif popcount(occupied(pos)) == 4 and loses_piece(pos, strong):
        value[0] = DRAW
    else:                               # the other terms would keep it in the wrong corner
        value[0] += bishop_and_knight(pos, strong)
    if pos.side != strong:
        value[0] = -value[0]
    return True


cdef bint queen_against_rook(const Position *pos, Value *value) noexcept nogil:
    # KQKR is won in most positions: the rook's king is driven to the edge.
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


cdef Value kpk_value(const Position *pos) noexcept nogil:
    cdef int strong = not pos.by_color[0] & pos.by_type[PAWN]
    cdef Value value
    if not kpk_is_won(pos):
        return DRAW
    value = PAWN_WON + PAWN_STEP * rank_of(relative_square(strong, lsb(pos.by_type[PAWN])))
    return value if pos.side == strong else -value


cdef bint ending_value(const Position *pos, Value *value) noexcept nogil:
    if pos.by_type[PAWN]:
        if not is_kpk(pos):
            return False
        value[0] = kpk_value(pos)
        return True
    if not can_mate(pos, 0) and not can_mate(pos, 1):
        value[0] = DRAW
        return True
    return lone_king(pos, value) or queen_against_rook(pos, value)


cdef bint wrong_rook_pawn(const Position *pos, int strong) noexcept nogil:
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


cdef inline bint opposite_bishops(const Position *pos) noexcept nogil:
    # Pawns, and one bishop each, of opposite colours.
    cdef Bitboard bishops = pos.by_type[BISHOP]
    if pos.by_type[KNIGHT] | pos.by_type[ROOK] | pos.by_type[QUEEN]:
        return False
    return (popcount(bishops) == 2 and popcount(bishops & pos.by_color[0]) == 1
            and popcount(bishops & DARK_SQUARES) == 1)


cdef inline bint pawn_against_minor(const Position *pos, int strong) noexcept nogil:
    # KP against KN or KB: the minor piece mostly stops the pawn.
    cdef Bitboard minors = pieces(pos, strong ^ 1, KNIGHT) | pieces(pos, strong ^ 1, BISHOP)
    return (popcount(occupied(pos)) == 4 and minors != 0
            and pos.by_color[strong] == (pieces(pos, strong, PAWN) | bit(pos.king[strong])))


cdef inline bint queen_against_pawn(const Position *pos, int strong) noexcept nogil:
    # KQKP with a rook's or bishop's pawn on the seventh rank, its king beside it, the other king far away: 80
    # % are drawn.
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
        if wrong_rook_pawn(pos, strong):
            return 0
        if opposite_bishops(pos):
            return OPPOSITE_BISHOPS
        return PAWN_AGAINST_MINOR if pawn_against_minor(pos, strong) else NORMAL
    if not can_mate(pos, strong):
        return 0
    if queen_against_pawn(pos, strong):
        return QUEEN_AGAINST_PAWN
    ahead = material(pos, strong) - material(pos, strong ^ 1)
    if ahead <= 3:
        return NO_PAWNS_MINOR
    return NO_PAWNS if ahead <= 4 else NORMAL


cdef bint few_pawns_left(const Position *pos, int strong) noexcept nogil:
    # Pieces that do not win alone, and few pawns: at most one, or two with bishops only, or rook pawns of one
    # file.
    cdef Bitboard pawns = pieces(pos, strong, PAWN)
    cdef Bitboard others = pos.by_color[strong] & ~(pawns | bit(pos.king[strong]) | pos.by_type[BISHOP])
    if is_kpk(pos):
        return False                    # its value is exact
    if can_mate(pos, strong) and material(pos, strong) - material(pos, strong ^ 1) > 4:
        return False
    return popcount(pawns) <= (1 if others else 2) or not pawns & ~FILE_A or not pawns & ~(FILE_A << 7)
