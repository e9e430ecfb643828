# Checkers, pins, safe squares of the king, castling, squares that the opponent attacks. All inline: where
# speed matters, `us` is a constant.

from sssnake._fast.board.attacks cimport (
    BETWEEN, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, bishop_attacks, capture_east, capture_west,
    rook_attacks,
)
from sssnake._fast.bits cimport lsb, pop
from sssnake._fast.board.position cimport Castling, Position, occupied, pieces
from sssnake._fast.types cimport BISHOP, Bitboard, KING, KNIGHT, PAWN, QUEEN, ROOK, bit


cdef struct Pins:                       # lines of pins, from beside the king to the pinner included
    Bitboard straight
    Bitboard diagonal


cdef inline Bitboard straight_movers(const Position *pos) noexcept nogil:
    return pos.by_type[ROOK] | pos.by_type[QUEEN]


cdef inline Bitboard diagonal_movers(const Position *pos) noexcept nogil:
    return pos.by_type[BISHOP] | pos.by_type[QUEEN]


cdef inline Bitboard find_checkers_and_pins(const Position *pos, int us, int king, Pins *pins) noexcept nogil:
    # Returns the enemy pieces that give check; fills *pins.
    cdef Bitboard own = pos.by_color[us]
    cdef Bitboard enemy = pos.by_color[us ^ 1]
    cdef Bitboard occ = own | enemy
    cdef Bitboard straight = straight_movers(pos) & enemy
    cdef Bitboard diagonal = diagonal_movers(pos) & enemy
    cdef Bitboard seen_straight = rook_attacks(king, occ)
    cdef Bitboard seen_diagonal = bishop_attacks(king, occ)
    cdef Bitboard pinners
    pins.straight = 0
    pins.diagonal = 0
    pinners = rook_attacks(king, occ ^ (seen_straight & own)) & straight & ~seen_straight
    while pinners:
        pins.straight |= BETWEEN[king][lsb(pinners)] | (pinners & -pinners)
        pinners &= pinners - 1
    pinners = bishop_attacks(king, occ ^ (seen_diagonal & own)) & diagonal & ~seen_diagonal
    while pinners:
        pins.diagonal |= BETWEEN[king][lsb(pinners)] | (pinners & -pinners)
        pinners &= pinners - 1
    return (
        (seen_straight & straight)
        | (seen_diagonal & diagonal)
        | (KNIGHT_ATTACKS[king] & enemy & pos.by_type[KNIGHT])
        | (PAWN_ATTACKS[us][king] & enemy & pos.by_type[PAWN])
    )


cdef inline Bitboard safe_squares(const Position *pos, int us, Bitboard squares) noexcept nogil:
    # Those of `squares` that no enemy piece attacks once the own king has left its square.
    cdef Bitboard enemy = pos.by_color[us ^ 1]
    cdef Bitboard occ = occupied(pos) ^ pieces(pos, us, KING)
    cdef Bitboard pawns = enemy & pos.by_type[PAWN]
    cdef Bitboard knights = enemy & pos.by_type[KNIGHT]
    cdef Bitboard straight = enemy & straight_movers(pos)
    cdef Bitboard diagonal = enemy & diagonal_movers(pos)
    cdef Bitboard left, safe
    cdef int sq
    squares &= ~(capture_west(pawns, us ^ 1) | capture_east(pawns, us ^ 1))
    squares &= ~KING_ATTACKS[lsb(enemy & pos.by_type[KING])]
    safe = squares
    left = squares
    while left:
        sq = pop(&left)
        if (
            (KNIGHT_ATTACKS[sq] & knights)
            | (rook_attacks(sq, occ) & straight)
            | (bishop_attacks(sq, occ) & diagonal)
        ):
            safe ^= bit(sq)
    return safe


cdef inline Bitboard attacked_squares(const Position *pos) noexcept nogil:
    # All squares that pieces of the side not to move attack.
    cdef int them = pos.side ^ 1
    cdef Bitboard enemy = pos.by_color[them]
    cdef Bitboard occ = occupied(pos)
    cdef Bitboard pawns = enemy & pos.by_type[PAWN]
    cdef Bitboard result = capture_west(pawns, them) | capture_east(pawns, them)
    cdef Bitboard todo = enemy & pos.by_type[KNIGHT]
    while todo:
        result |= KNIGHT_ATTACKS[pop(&todo)]
    todo = enemy & straight_movers(pos)
    while todo:
        result |= rook_attacks(pop(&todo), occ)
    todo = enemy & diagonal_movers(pos)
    while todo:
        result |= bishop_attacks(pop(&todo), occ)
    return result | KING_ATTACKS[lsb(enemy & pos.by_type[KING])]


cdef inline bint ep_leaves_king_safe(const Position *pos, int us, int from_sq) noexcept nogil:
    # Two pawns leave their squares at once, so pins are not enough: all attacks on the king are computed
    # again.
    cdef int king = lsb(pieces(pos, us, KING))
    cdef Bitboard taken = bit(pos.ep ^ 8)
    cdef Bitboard occ = occupied(pos) ^ bit(from_sq) ^ taken ^ bit(pos.ep)
    cdef Bitboard enemy = pos.by_color[us ^ 1] ^ taken
    return not (
        (rook_attacks(king, occ) & straight_movers(pos) & enemy)
        | (bishop_attacks(king, occ) & diagonal_movers(pos) & enemy)
        | (KNIGHT_ATTACKS[king] & pos.by_type[KNIGHT] & enemy)
        | (PAWN_ATTACKS[us][king] & pos.by_type[PAWN] & enemy)
    )


cdef inline Bitboard castling_way(const Position *pos, int us, int side, const Pins *pins) noexcept nogil:
    # The squares that must not be attacked to castle short (side 0) or long (1); empty if castling is
    # impossible.
    cdef int right = 2 * us + side
    cdef const Castling *castling = pos.castling
    if not pos.rights >> right & 1 or castling.must_be_empty[right] & occupied(pos):
        return 0
    if bit(castling.rook_from[right]) & pins.straight:      # the rook is pinned along the rank (Chess960)
        return 0
    return castling.king_way[right]
