# Endings with rules of their own: won, drawn, or hard to win; and positions a capture away from one.

from sssnake._fast.bits cimport lsb, popcount, several
from sssnake._fast.board.kpk cimport pawn_wins
from sssnake._fast.board.position cimport Position, occupied, pieces
from sssnake._fast.types cimport (
    Bitboard, EN_PASSANT, KNIGHT, Move, PAWN, QUEEN, ROOK, Value, bit, is_capture, move_kind, move_to,
    relative_square,
)


# True: a rule gives the value, *value (centipawns, side to move).
cdef bint ending_value(const Position *pos, Value *value) noexcept nogil

# The ending value counts ending_scale / 64, 0..64.
cdef int ending_scale(const Position *pos, int strong) noexcept nogil

# Whether the strong side has only rook pawns of one file, and bishops that do not control their promotion
# square, and the other king stands in the corner. Against a lone king that is a sure draw (for one pawn,
# Syzygy tables show no exception).
cdef bint wrong_rook_pawn(const Position *pos, int strong) noexcept nogil

# Whether the strong side cannot win without the few pawns that it has.
cdef bint few_pawns_left(const Position *pos, int strong) noexcept nogil


cdef inline bint is_full_material(const Position *pos, Bitboard own) noexcept nogil:
    # Whether one side's pieces `own` include a pawn, and a knight, rook or queen: no rule scales its value.
    return (own & pos.by_type[PAWN] != 0
            and own & (pos.by_type[KNIGHT] | pos.by_type[ROOK] | pos.by_type[QUEEN]) != 0)


cdef inline bint never_scaled(const Position *pos, int strong) noexcept nogil:
    # A quick test, true of most positions: `ending_scale` would be 64.
    return is_full_material(pos, pos.by_color[strong])


cdef inline bint takes_into_ending(const Position *pos, Move move) noexcept nogil:
    # Whether a capture may lead into an ending with a rule of its own, for either side. Then the gain may
    # differ from the captured piece's value.
    cdef int taken_at = move_to(move) ^ 8 if move_kind(move) == EN_PASSANT else move_to(move)
    cdef int us = pos.side
    return is_capture(move) and not (
        never_scaled(pos, us) and is_full_material(pos, pos.by_color[us ^ 1] & ~bit(taken_at)))


cdef inline bint may_capture_draw(const Position *pos, Move move, int most) noexcept nogil:
    # Whether a capture, even one that loses material, may leave the opponent too little to win. Only with at
    # most `most` pieces on the board.
    cdef int taken_at = move_to(move) ^ 8 if move_kind(move) == EN_PASSANT else move_to(move)
    return (is_capture(move) and popcount(occupied(pos)) <= most
            and not is_full_material(pos, pos.by_color[pos.side ^ 1] & ~bit(taken_at)))


cdef inline bint win_needs_pawn(const Position *pos, int strong, int most) noexcept nogil:
    # Whether one capture may turn this side's win into a draw; only with at most `most` pieces on the board.
    # Then pruning by static values above a draw is switched off.
    return popcount(occupied(pos)) <= most and few_pawns_left(pos, strong)


cdef inline bint is_kpk(const Position *pos) noexcept nogil:
    return pos.by_type[PAWN] != 0 and popcount(occupied(pos)) == 3


cdef inline bint kpk_is_won(const Position *pos) noexcept nogil:
    cdef int strong = not pos.by_color[0] & pos.by_type[PAWN]
    return pawn_wins(relative_square(strong, pos.king[strong]),
                     relative_square(strong, lsb(pos.by_type[PAWN])),
                     relative_square(strong, pos.king[strong ^ 1]), pos.side == strong)


cdef inline bint is_drawn_ending(const Position *pos) noexcept nogil:
    # Whether pawns, against a lone king, surely do not win.
    if several(pos.by_color[0]) and several(pos.by_color[1]) or not pos.by_type[PAWN]:
        return False
    return not kpk_is_won(pos) if is_kpk(pos) else wrong_rook_pawn(pos, not several(pos.by_color[0]))
