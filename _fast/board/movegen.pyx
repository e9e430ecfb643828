"""Legal move generation by pins and checkers.

Generators of lists have one copy of the code for both colours, which stays in the instruction cache of a
search. Counting, which only perft needs, has a copy for each colour.
"""

from sssnake._fast.board.attacks cimport (
    BETWEEN, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, bishop_attacks, capture_east, capture_west, push,
    rook_attacks,
)
from sssnake._fast.bits cimport likely, lsb, pop, popcount, several
from sssnake._fast.board.checks cimport (
    Pins, castling_way, diagonal_movers, ep_leaves_king_safe, find_checkers_and_pins, safe_squares,
    straight_movers,
)
from sssnake._fast.board.position cimport Position, occupied, pieces
from sssnake._fast.types cimport (
    BISHOP, BLACK, Bitboard, CAPTURE, CASTLE_SHORT, DOUBLE_PUSH, EN_PASSANT, KING, KNIGHT, Move,
    NO_PIECE, NO_SQUARE, PAWN, PROMOTION, QUEEN, QUIET, ROOK, WHITE, bit, color_of, is_capture, is_castling,
    is_promotion, make_move, move_from, move_kind, move_to, promotion_type, relative_square, type_of,
)

cdef enum:                              # which moves a generator lists
    TACTICAL = 1                        # captures and promotions
    QUIET_MOVES = 2
    ALL = 3


cdef struct Targets:                    # squares that pieces may move to, by type
    Bitboard knights
    Bitboard bishops
    Bitboard rooks
    Bitboard queens


cdef inline Bitboard rank_set(int us, int rank) noexcept nogil:
    # A rank, 0..7 as seen by `us`.
    return <Bitboard> 0xff << 8 * (rank if us == WHITE else 7 - rank)


# Lists

cdef inline Move *add_pawn_moves(Move *moves, Bitboard targets, int step, int kind) noexcept nogil:
    # One move to each target, from the square `step` less.
    cdef int to_sq
    while targets:
        to_sq = pop(&targets)
        moves[0] = make_move(to_sq - step, to_sq, kind)
        moves += 1
    return moves


cdef inline Move *add_promotions(Move *moves, Bitboard targets, int step, int kind) noexcept nogil:
    cdef int to_sq, piece
    while targets:
        to_sq = pop(&targets)
        for piece in range(4):
            moves[piece] = make_move(to_sq - step, to_sq, kind + 3 - piece)     # queen first
        moves += 4
    return moves


cdef inline Move *add_moves(Move *moves, int from_sq, Bitboard targets, int wanted,
                            Bitboard enemy) noexcept nogil:
    # wanted, a constant: if not ALL, the targets are of one kind, and `enemy` need not be asked.
    cdef int to_sq, kind
    while targets:
        to_sq = pop(&targets)
        kind = CAPTURE if wanted == TACTICAL or wanted == ALL and enemy >> to_sq & 1 else QUIET
        moves[0] = make_move(from_sq, to_sq, kind)
        moves += 1
    return moves


cdef inline Move *list_pawns(const Position *pos, Move *moves, int us, int wanted, Bitboard mask,
                             const Pins *pins) noexcept nogil:
    # Pawn moves to squares of `mask`. A pinned pawn stays on the line of its pin.
    cdef int up = 8 if us == WHITE else -8
    cdef Bitboard empty = ~occupied(pos)
    cdef Bitboard last = rank_set(us, 7)
    cdef Bitboard pushers = pieces(pos, us, PAWN) & ~pins.diagonal
    cdef Bitboard single, double
    single = push(pushers & ~pins.straight, us) | (push(pushers & pins.straight, us) & pins.straight)
    single &= empty
    double = push(single & rank_set(us, 2), us) & empty & mask
    single &= mask
    if wanted & QUIET_MOVES:
        moves = add_pawn_moves(moves, single & ~last, up, QUIET)
        moves = add_pawn_moves(moves, double, 2 * up, DOUBLE_PUSH)
    if wanted & TACTICAL:
        moves = list_pawn_captures(pos, moves, us, mask, single & last, pins)
    return moves


cdef inline Move *list_pawn_captures(const Position *pos, Move *moves, int us, Bitboard mask,
                                     Bitboard promoting, const Pins *pins) noexcept nogil:
    # Pawn captures to squares of `mask`, promotions (by pushes to `promoting`, too), en passant.
    cdef int up = 8 if us == WHITE else -8
    cdef Bitboard enemy = pos.by_color[us ^ 1]
    cdef Bitboard last = rank_set(us, 7)
    cdef Bitboard pawns = pieces(pos, us, PAWN)
    cdef Bitboard capturers = pawns & ~pins.straight
    cdef Bitboard pinned = capturers & pins.diagonal
    cdef Bitboard west, east
    capturers ^= pinned
    west = capture_west(capturers, us) | (capture_west(pinned, us) & pins.diagonal)
    east = capture_east(capturers, us) | (capture_east(pinned, us) & pins.diagonal)
    west &= enemy & mask
    east &= enemy & mask
    moves = add_promotions(moves, west & last, up - 1, PROMOTION + CAPTURE)
    moves = add_promotions(moves, east & last, up + 1, PROMOTION + CAPTURE)
    moves = add_promotions(moves, promoting, up, PROMOTION)
    moves = add_pawn_moves(moves, west & ~last, up - 1, CAPTURE)
    moves = add_pawn_moves(moves, east & ~last, up + 1, CAPTURE)
    if pos.ep != NO_SQUARE:
        capturers = pawns & PAWN_ATTACKS[us ^ 1][pos.ep]
        while capturers:
            if ep_leaves_king_safe(pos, us, lsb(capturers)):
                moves[0] = make_move(lsb(capturers), pos.ep, EN_PASSANT)
                moves += 1
            capturers &= capturers - 1
    return moves


cdef inline Move *list_pieces(const Position *pos, Move *moves, int us, int wanted, const Targets *to,
                              const Pins *pins) noexcept nogil:
    # Moves of knights, bishops, rooks and queens.
    cdef Bitboard own = pos.by_color[us]
    cdef Bitboard enemy = pos.by_color[us ^ 1]
    cdef Bitboard occ = own | enemy
    cdef Bitboard queens = pos.by_type[QUEEN]
    cdef Bitboard left, reach
    cdef int sq
    left = own & pos.by_type[KNIGHT] & ~(pins.straight | pins.diagonal)
    while left:
        sq = pop(&left)
        moves = add_moves(moves, sq, KNIGHT_ATTACKS[sq] & to.knights, wanted, enemy)
    left = own & diagonal_movers(pos) & ~pins.straight
    while left:
        sq = pop(&left)
        reach = bishop_attacks(sq, occ) & (to.queens if queens >> sq & 1 else to.bishops)
        if pins.diagonal >> sq & 1:
            reach &= pins.diagonal
        moves = add_moves(moves, sq, reach, wanted, enemy)
    left = own & straight_movers(pos) & ~pins.diagonal
    while left:
        sq = pop(&left)
        reach = rook_attacks(sq, occ) & (to.queens if queens >> sq & 1 else to.rooks)
        if pins.straight >> sq & 1:
            reach &= pins.straight
        moves = add_moves(moves, sq, reach, wanted, enemy)
    return moves


cdef inline Move *list_castling(const Position *pos, Move *moves, int us, const Pins *pins) noexcept nogil:
    # Castling; the king is not in check.
    cdef int king = pos.king[us]
    cdef int side
    cdef Bitboard way
    for side in range(2):
        way = castling_way(pos, us, side, pins)
        if way and safe_squares(pos, us, way) == way:
            moves[0] = make_move(king, pos.castling.rook_from[2 * us + side], CASTLE_SHORT + side)
            moves += 1
    return moves


cdef inline Move *list_moves(const Position *pos, Move *moves, int wanted) noexcept nogil:
    # Lists the legal moves of kind `wanted`; returns the end of the list.
    cdef int us = pos.side
    cdef Bitboard own = pos.by_color[us]
    cdef Bitboard enemy = pos.by_color[us ^ 1]
    cdef int king = pos.king[us]
    cdef Bitboard targets = ~own
    cdef Bitboard mask = ~<Bitboard> 0
    cdef Targets to
    cdef Pins pins
    find_checkers_and_pins(pos, us, king, &pins)
    if wanted == TACTICAL:
        targets = enemy
    elif wanted == QUIET_MOVES:
        targets = ~(own | enemy)
    if not several(pos.checkers):       # in double check only the king moves
        if pos.checkers:
            mask = BETWEEN[king][lsb(pos.checkers)] | pos.checkers
        moves = list_pawns(pos, moves, us, wanted, mask, &pins)
        to.knights = to.bishops = to.rooks = to.queens = targets & mask
        moves = list_pieces(pos, moves, us, wanted, &to, &pins)
        if wanted & QUIET_MOVES and pos.rights and not pos.checkers:
            moves = list_castling(pos, moves, us, &pins)
    return add_moves(moves, king, safe_squares(pos, us, KING_ATTACKS[king] & targets), wanted, enemy)


cdef Move *generate(const Position *pos, Move *moves) noexcept nogil:
    return list_moves(pos, moves, ALL)


cdef Move *generate_tactical(const Position *pos, Move *moves) noexcept nogil:
    return list_moves(pos, moves, TACTICAL)


cdef Move *generate_quiet(const Position *pos, Move *moves) noexcept nogil:
    return list_moves(pos, moves, QUIET_MOVES)


cdef Move *keep_checks(const Position *pos, Move *moves, Move *end) noexcept nogil:
    # Removes castling and all moves that do not give check.
    cdef Move *kept = moves
    while moves != end:
        if not is_castling(moves[0]) and gives_check(pos, moves[0]):
            kept[0] = moves[0]
            kept += 1
        moves += 1
    return kept


cdef Move *generate_checks(const Position *pos, Move *moves) noexcept nogil:
    # Quiet moves that give check, without castling; the side to move is not in check.
    cdef int us = pos.side
    cdef int king = pos.king[us ^ 1]
    cdef Bitboard own = pos.by_color[us]
    cdef Bitboard occ = occupied(pos)
    cdef Bitboard straight = rook_attacks(king, occ)
    cdef Bitboard diagonal = bishop_attacks(king, occ)
    cdef Targets to
    cdef Pins pins
    if (rook_attacks(king, occ ^ straight & own) & ~straight & own & straight_movers(pos)
            or bishop_attacks(king, occ ^ diagonal & own) & ~diagonal & own & diagonal_movers(pos)):
        return keep_checks(pos, moves, generate_quiet(pos, moves))      # there may be discovered checks
    find_checkers_and_pins(pos, us, pos.king[us], &pins)
    to.knights = KNIGHT_ATTACKS[king] & ~occ
    to.bishops = diagonal & ~occ
    to.rooks = straight & ~occ
    to.queens = to.bishops | to.rooks
    moves = list_pawns(pos, moves, us, QUIET_MOVES, PAWN_ATTACKS[us ^ 1][king], &pins)
    return list_pieces(pos, moves, us, QUIET_MOVES, &to, &pins)


# Counting: the same rules, with population counts instead of lists

cdef inline int count_pawns(const Position *pos, int us, Bitboard mask, const Pins *pins) noexcept nogil:
    cdef Bitboard enemy = pos.by_color[us ^ 1] & mask
    cdef Bitboard empty = ~occupied(pos)
    cdef Bitboard last = rank_set(us, 7)
    cdef Bitboard pawns = pieces(pos, us, PAWN)
    cdef Bitboard free = pawns & ~(pins.straight | pins.diagonal)
    cdef Bitboard walkers = pawns & pins.straight
    cdef Bitboard takers = pawns & pins.diagonal
    cdef Bitboard single = push(free, us) & empty
    cdef Bitboard double
    cdef Bitboard west = capture_west(free, us)
    cdef Bitboard east = capture_east(free, us)
    cdef int n
    if walkers:
        single |= push(walkers, us) & pins.straight & empty
    if takers:
        west |= capture_west(takers, us) & pins.diagonal
        east |= capture_east(takers, us) & pins.diagonal
    double = push(single & rank_set(us, 2), us) & empty & mask
    single &= mask
    west &= enemy
    east &= enemy
    n = popcount(single) + popcount(double) + popcount(west) + popcount(east)
    if pawns & rank_set(us, 6):
        n += 3 * (popcount(single & last) + popcount(west & last) + popcount(east & last))
    if pos.ep != NO_SQUARE:
        takers = pawns & PAWN_ATTACKS[us ^ 1][pos.ep]
        while takers:
            n += ep_leaves_king_safe(pos, us, lsb(takers))
            takers &= takers - 1
    return n


cdef inline int count_pieces(const Position *pos, int us, Bitboard targets, const Pins *pins) noexcept nogil:
    cdef Bitboard own = pos.by_color[us]
    cdef Bitboard occ = occupied(pos)
    cdef Bitboard pinned = pins.straight | pins.diagonal
    cdef Bitboard left
    cdef int n = 0
    left = own & pos.by_type[KNIGHT] & ~pinned
    while left:
        n += popcount(KNIGHT_ATTACKS[pop(&left)] & targets)
    left = own & diagonal_movers(pos) & ~pinned
    while left:
        n += popcount(bishop_attacks(pop(&left), occ) & targets)
    left = own & straight_movers(pos) & ~pinned
    while left:
        n += popcount(rook_attacks(pop(&left), occ) & targets)
    left = own & diagonal_movers(pos) & pins.diagonal
    while left:
        n += popcount(bishop_attacks(pop(&left), occ) & targets & pins.diagonal)
    left = own & straight_movers(pos) & pins.straight
    while left:
        n += popcount(rook_attacks(pop(&left), occ) & targets & pins.straight)
    return n


cdef inline int count_as(const Position *pos, int us) noexcept nogil:
    # Reads only the bitboards, rights, ep and castling of *pos: perft does not fill the rest at leaves.
    cdef Bitboard own = pos.by_color[us]
    cdef int king = lsb(own & pos.by_type[KING])
    cdef Bitboard steps = KING_ATTACKS[king] & ~own
    cdef Bitboard short_way, long_way, safe, checkers
    cdef Bitboard mask = ~<Bitboard> 0
    cdef Pins pins
    checkers = find_checkers_and_pins(pos, us, king, &pins)
    if likely(not checkers, True):
        short_way = castling_way(pos, us, 0, &pins)
        long_way = castling_way(pos, us, 1, &pins)
        safe = safe_squares(pos, us, steps | short_way | long_way)
        return (
            count_pawns(pos, us, mask, &pins)
            + count_pieces(pos, us, ~own, &pins)
            + popcount(safe & steps)
            + (short_way != 0 and not short_way & ~safe)
            + (long_way != 0 and not long_way & ~safe)
        )
    safe = safe_squares(pos, us, steps)
    if several(checkers):
        return popcount(safe)
    mask = BETWEEN[king][lsb(checkers)] | checkers
    return popcount(safe) + count_pawns(pos, us, mask, &pins) + count_pieces(pos, us, ~own & mask, &pins)


cdef int count_legal(const Position *pos) noexcept nogil:
    return count_as(pos, WHITE) if pos.side == WHITE else count_as(pos, BLACK)


# Single moves

cdef bint is_pseudo_legal_pawn_move(const Position *pos, int us, Move move) noexcept nogil:
    # Whether a pawn move is pseudo-legal; the piece on its square is a pawn.
    cdef int from_sq = move_from(move)
    cdef int to_sq = move_to(move)
    cdef int kind = move_kind(move)
    cdef int up = 8 if us == WHITE else -8
    if kind == EN_PASSANT:
        return to_sq == pos.ep and PAWN_ATTACKS[us][from_sq] >> to_sq & 1
    if is_promotion(move) != (bit(to_sq) & rank_set(us, 7) != 0):
        return False
    if is_capture(move):
        return (
            (PAWN_ATTACKS[us][from_sq] & pos.by_color[us ^ 1]) >> to_sq & 1
            and (kind == CAPTURE or is_promotion(move))
        )
    if kind == DOUBLE_PUSH:
        return (
            bit(from_sq) & rank_set(us, 1) != 0
            and to_sq == from_sq + 2 * up
            and not occupied(pos) & (bit(from_sq + up) | bit(to_sq))
        )
    return to_sq == from_sq + up and pos.board[to_sq] == NO_PIECE


cdef bint is_pseudo_legal_piece_move(const Position *pos, int us, Move move) noexcept nogil:
    # Whether a move of another piece is pseudo-legal; not for castling.
    cdef int from_sq = move_from(move)
    cdef int to_sq = move_to(move)
    cdef int piece_type = type_of(pos.board[from_sq])
    cdef Bitboard reach = 0
    if move_kind(move) != (CAPTURE if pos.by_color[us ^ 1] >> to_sq & 1 else QUIET):
        return False
    if piece_type == KNIGHT:
        reach = KNIGHT_ATTACKS[from_sq]
    elif piece_type == KING:
        reach = KING_ATTACKS[from_sq]
    if piece_type == BISHOP or piece_type == QUEEN:
        reach = bishop_attacks(from_sq, occupied(pos))
    if piece_type == ROOK or piece_type == QUEEN:
        reach |= rook_attacks(from_sq, occupied(pos))
    return (reach & ~pos.by_color[us]) >> to_sq & 1


cdef bint is_legal_castling(const Position *pos, int us, Move move) noexcept nogil:
    cdef int side = move_kind(move) - CASTLE_SHORT
    cdef Bitboard way
    cdef Pins pins
    if pos.checkers or move_from(move) != pos.king[us]:
        return False
    if move_to(move) != pos.castling.rook_from[2 * us + side]:
        return False
    find_checkers_and_pins(pos, us, pos.king[us], &pins)
    way = castling_way(pos, us, side, &pins)
    return way != 0 and safe_squares(pos, us, way) == way


cdef bint is_legal(const Position *pos, Move move) noexcept nogil:
    cdef int us = pos.side
    cdef int from_sq = move_from(move)
    cdef int to_sq = move_to(move)
    cdef int piece = pos.board[from_sq]
    cdef int king = pos.king[us]
    cdef Bitboard occ, enemy
    if piece == NO_PIECE or color_of(piece) != us:
        return False
    if is_castling(move):
        return is_legal_castling(pos, us, move)
    if type_of(piece) == PAWN:
        if not is_pseudo_legal_pawn_move(pos, us, move):
            return False
        if move_kind(move) == EN_PASSANT:
            return ep_leaves_king_safe(pos, us, from_sq)
    elif not is_pseudo_legal_piece_move(pos, us, move):
        return False
    if type_of(piece) == KING:
        return safe_squares(pos, us, bit(to_sq)) != 0
    enemy = pos.by_color[us ^ 1] & ~bit(to_sq)
    occ = (occupied(pos) ^ bit(from_sq)) | bit(to_sq)
    return not (
        (rook_attacks(king, occ) & straight_movers(pos) & enemy)
        | (bishop_attacks(king, occ) & diagonal_movers(pos) & enemy)
        | (pos.checkers & (pos.by_type[KNIGHT] | pos.by_type[PAWN]) & enemy)
    )


cdef bint gives_check(const Position *pos, Move move) noexcept nogil:
    cdef int us = pos.side
    cdef int from_sq = move_from(move)
    cdef int to_sq = move_to(move)
    cdef int piece_type = type_of(pos.board[from_sq])
    cdef int king = pos.king[us ^ 1]
    cdef Bitboard own = pos.by_color[us] ^ bit(from_sq)     # pieces that do not move
    cdef Bitboard occ = occupied(pos) ^ bit(from_sq)
    cdef Bitboard straight, diagonal
    if is_castling(move):               # only the rook can give check: from here on it is the moving piece
        occ ^= bit(to_sq)
        own ^= bit(to_sq)
        occ |= bit(relative_square(us, 6 if to_sq > from_sq else 2))
        to_sq = relative_square(us, 5 if to_sq > from_sq else 3)
        piece_type = ROOK
    elif is_promotion(move):
        piece_type = promotion_type(move)
    elif move_kind(move) == EN_PASSANT:
        occ ^= bit(to_sq ^ 8)
    occ |= bit(to_sq)
    if piece_type == PAWN and PAWN_ATTACKS[us][to_sq] >> king & 1:
        return True
    if piece_type == KNIGHT and KNIGHT_ATTACKS[to_sq] >> king & 1:
        return True
    straight = own & straight_movers(pos)
    diagonal = own & diagonal_movers(pos)
    if piece_type == ROOK or piece_type == QUEEN:
        straight |= bit(to_sq)
    if piece_type == BISHOP or piece_type == QUEEN:
        diagonal |= bit(to_sq)
    return ((rook_attacks(king, occ) & straight) | (bishop_attacks(king, occ) & diagonal)) != 0
