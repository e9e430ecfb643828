"""Static exchange evaluation: what a capture wins or loses when both sides go on taking on its square."""

from _fast.attacks cimport bishop_attacks, rook_attacks
from _fast.bits cimport lsb
from _fast.position cimport Position, attackers_to, occupied
from _fast.types cimport (
    BISHOP, Bitboard, EN_PASSANT, KING, Move, NO_PIECE_TYPE, PAWN, QUEEN, ROOK, Value, bit, is_castling,
    is_promotion, move_from, move_kind, move_to, promotion_type, type_of,
)


cdef inline Value worth(int piece_type) noexcept nogil:
    cdef Value[7] values = [100, 300, 300, 500, 900, 0, 0]
    return values[piece_type]


cdef bint see_ge(const Position *pos, Move move, Value threshold) noexcept nogil:
    # Whether the exchange that `move` opens wins at least `threshold`, each side free to stop taking.
    # Cheapest attacker first, kings last and never into a defended square; pins are not looked at.
    cdef int to_sq = move_to(move)
    cdef int side = pos.side
    cdef int victim = type_of(pos.board[move_from(move)])       # what stands on to_sq now
    cdef Value balance = worth(type_of(pos.board[to_sq])) - threshold
    cdef Bitboard occ = (occupied(pos) ^ bit(move_from(move))) | bit(to_sq)
    cdef Bitboard straight = pos.by_type[ROOK] | pos.by_type[QUEEN]
    cdef Bitboard diagonal = pos.by_type[BISHOP] | pos.by_type[QUEEN]
    cdef Bitboard attackers, own, cheapest
    cdef bint won = True                                        # for the side that made `move`
    if is_castling(move):
        return threshold <= 0
    if move_kind(move) == EN_PASSANT:
        balance += worth(PAWN)
        occ ^= bit(to_sq ^ 8)
    elif is_promotion(move):
        victim = promotion_type(move)
        balance += worth(victim) - worth(PAWN)
    if balance < 0:                                             # not enough even if nothing is taken back
        return False
    balance = worth(victim) - balance                           # what the opponent must win back
    if balance <= 0:                                            # enough even if the piece is lost
        return True
    attackers = attackers_to(pos, to_sq, occ) & occ
    while True:
        # `won` is the verdict if the side now to take does not; `balance` > 0 is what it gains beyond need.
        side ^= 1
        own = attackers & pos.by_color[side]
        if not own:
            return won
        won = not won
        victim = PAWN
        while not own & pos.by_type[victim]:
            victim += 1
        if victim == KING:                                      # may take only what nobody defends
            return won if own == attackers else not won
        balance = worth(victim) - balance
        if balance < <int> won:
            return won
        cheapest = own & pos.by_type[victim]
        occ ^= cheapest & -cheapest
        if victim == PAWN or victim == BISHOP or victim == QUEEN:
            attackers |= bishop_attacks(to_sq, occ) & diagonal
        if victim == ROOK or victim == QUEEN:
            attackers |= rook_attacks(to_sq, occ) & straight
        attackers &= occ
