# Endings judged by rule or table: won, drawn, hard to win; and where such a verdict may be a capture away.

from _fast.bits cimport lsb, popcount, several
from _fast.board.kpk cimport pawn_wins
from _fast.board.position cimport Position, occupied, pieces
from _fast.types cimport (
    Bitboard, EN_PASSANT, KNIGHT, Move, PAWN, QUEEN, ROOK, Value, bit, is_capture, move_kind, move_to,
    relative_square,
)


# True: *value (side to move) is the verdict.
cdef bint judged(const Position *pos, Value *value) noexcept nogil

# 0..64: share of the ending value that counts.
cdef int ending_scale(const Position *pos, int strong) noexcept nogil

# Whether the other king holds the draw against nothing but rook pawns of one file and bishops of the wrong
# colour. Certain if it is alone: the corner can be neither attacked nor taken from it (with one pawn, Syzygy
# tables know no exception).
cdef bint holds_corner(const Position *pos, int strong) noexcept nogil

# Whether a side that may be ahead wins no more once it loses a pawn.
cdef bint hangs_on_pawn(const Position *pos, int strong) noexcept nogil


cdef inline bint is_safe_material(const Position *pos, Bitboard men) noexcept nogil:
    # Of a side: pawns, and more than bishops. No rule takes away from its value.
    return (men & pos.by_type[PAWN] != 0
            and men & (pos.by_type[KNIGHT] | pos.by_type[ROOK] | pos.by_type[QUEEN]) != 0)


cdef inline bint never_scaled(const Position *pos, int strong) noexcept nogil:
    # A quick yes for most positions: with pawns and more than bishops all of the value counts.
    return is_safe_material(pos, pos.by_color[strong])


cdef inline bint takes_into_ending(const Position *pos, Move move) noexcept nogil:
    # Whether a capture may lead to an ending that a rule judges, for either side: then its worth is not that
    # of the man taken.
    cdef int taken_at = move_to(move) ^ 8 if move_kind(move) == EN_PASSANT else move_to(move)
    cdef int us = pos.side
    return is_capture(move) and not (
        never_scaled(pos, us) and is_safe_material(pos, pos.by_color[us ^ 1] & ~bit(taken_at)))


cdef inline bint robs_win(const Position *pos, Move move, int most) noexcept nogil:
    # Whether a capture, even one that loses material, leaves the opponent what rules may judge drawn. Only
    # with at most so many pieces on the board.
    cdef int taken_at = move_to(move) ^ 8 if move_kind(move) == EN_PASSANT else move_to(move)
    return (is_capture(move) and popcount(occupied(pos)) <= most
            and not is_safe_material(pos, pos.by_color[pos.side ^ 1] & ~bit(taken_at)))


cdef inline bint may_be_drawn(const Position *pos, int strong, int most) noexcept nogil:
    # Whether this side's win may be a capture away from a draw by rule, with at most so many pieces.
    # Static values above a draw are not trusted then without a search.
    return popcount(occupied(pos)) <= most and hangs_on_pawn(pos, strong)


cdef inline bint king_and_pawn(const Position *pos) noexcept nogil:
    return pos.by_type[PAWN] != 0 and popcount(occupied(pos)) == 3


cdef inline bint pawn_is_won(const Position *pos) noexcept nogil:
    # Of king and pawn against king.
    cdef int strong = not pos.by_color[0] & pos.by_type[PAWN]
    return pawn_wins(relative_square(strong, pos.king[strong]),
                     relative_square(strong, lsb(pos.by_type[PAWN])),
                     relative_square(strong, pos.king[strong ^ 1]), pos.side == strong)


cdef inline bint is_drawn_ending(const Position *pos) noexcept nogil:
    # Drawn for certain, and for good: pawns that do not win against a lone king.
    if several(pos.by_color[0]) and several(pos.by_color[1]) or not pos.by_type[PAWN]:
        return False
    return not pawn_is_won(pos) if king_and_pawn(pos) else holds_corner(pos, not several(pos.by_color[0]))
