"""Static exchange evaluation (SEE): the material that captures on a move's target square win or lose."""

from sssnake._fast.board.attacks cimport BETWEEN, LINE, bishop_attacks, rook_attacks
from sssnake._fast.bits cimport pop, several
from sssnake._fast.board.board cimport Board
from sssnake._fast.board.checks cimport diagonal_movers, straight_movers
from sssnake._fast.board.position cimport Position, attackers_to, occupied
from sssnake._fast.types cimport (
    BISHOP, Bitboard, EN_PASSANT, KING, Move, PAWN, QUEEN, ROOK, Value, bit, is_castling, is_promotion,
    move_from, move_kind, move_to, promotion_type, type_of,
)

PIECE_VALUES = [100, 300, 300, 500, 900, 0, 0]


cdef Bitboard held_by_pins(const Position *pos, int color, int to_sq, Bitboard occ) noexcept nogil:
    # The pieces among `occ` that are pinned and cannot capture on to_sq. A pin along a line through to_sq
    # does not count.
    cdef int king = pos.king[color]
    cdef int pinner
    cdef Bitboard own = pos.by_color[color]
    cdef Bitboard enemy = pos.by_color[color ^ 1] & occ & ~bit(to_sq)
    cdef Bitboard held = 0
    cdef Bitboard between
    cdef Bitboard snipers = (           # sliders that would attack the king on an empty board
        (rook_attacks(king, 0) & straight_movers(pos) & enemy)
        | (bishop_attacks(king, 0) & diagonal_movers(pos) & enemy)
    )
    while snipers:
        pinner = pop(&snipers)
        between = BETWEEN[king][pinner] & occ
        if between and not several(between) and not LINE[king][pinner] >> to_sq & 1:
            held |= between & own
    return held


cdef bint see_ge(const Position *pos, Move move, Value threshold) noexcept nogil:
    # Whether the exchange that `move` begins wins at least `threshold` centipawns. Each side may stop
    # capturing. The least valuable attacker captures first; pinned pieces do not, and the king only on an
    # undefended square.
    cdef int to_sq = move_to(move)
    cdef int side = pos.side
    cdef int piece_type = type_of(pos.board[move_from(move)])   # of the piece on to_sq
    cdef Bitboard occ = (occupied(pos) ^ bit(move_from(move))) | bit(to_sq)
    cdef Bitboard attackers, takers
    cdef Value balance                  # if the exchange ends now; >= 0: the side that captured last succeeds
    if is_castling(move):
        return threshold <= 0
    balance = PIECE_VALUES[type_of(pos.board[to_sq])] - threshold
    if move_kind(move) == EN_PASSANT:
        balance += PIECE_VALUES[PAWN]
        occ ^= bit(to_sq ^ 8)
    elif is_promotion(move):
        piece_type = promotion_type(move)
        balance += PIECE_VALUES[piece_type] - PIECE_VALUES[PAWN]
    if balance < 0:
        return False
    if balance >= PIECE_VALUES[piece_type]:                  # even if the piece is lost
        return True
    attackers = attackers_to(pos, to_sq, occ) & occ
    while True:
        side ^= 1
        balance = PIECE_VALUES[piece_type] - balance - 1     # the opponent succeeds below 0: hence - 1
        takers = attackers & pos.by_color[side]
        if balance < 0 or not takers:
            break
        takers &= ~held_by_pins(pos, side, to_sq, occ)
        if not takers:
            break
        piece_type = PAWN
        while not takers & pos.by_type[piece_type]:
            piece_type += 1
        if piece_type == KING and attackers & pos.by_color[side ^ 1]:
            break
        takers &= pos.by_type[piece_type]
        occ ^= takers & -takers
        if piece_type == PAWN or piece_type == BISHOP or piece_type == QUEEN:
            attackers |= bishop_attacks(to_sq, occ) & diagonal_movers(pos)
        if piece_type == ROOK or piece_type == QUEEN:
            attackers |= rook_attacks(to_sq, occ) & straight_movers(pos)
        attackers &= occ
    return side != pos.side                                     # `side` cannot capture, or fails if it does


def wins_at_least(Board board not None, int move, int threshold):
    """Whether a legal 16-bit move wins at least `threshold` centipawns; ValueError if it is illegal."""
    if not board.is_legal(move):
        raise ValueError(f"illegal move {move} in {board.fen()}")
    return see_ge(&board.pos, move, threshold)
