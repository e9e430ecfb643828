"""perft: counting the leaves of the game tree, the test and the yardstick of the move generator."""

from concurrent.futures import ThreadPoolExecutor

from libc.stdint cimport uint64_t

from _fast.movegen cimport count_legal, generate
from _fast.board cimport Board
from _fast.position cimport Position, make, pieces
from _fast.types cimport (
    BLACK, Bitboard, DOUBLE_PUSH, EN_PASSANT, MAX_MOVES, MAX_PLY, Move, NO_SQUARE, PAWN, WHITE, bit,
    is_castling, is_promotion, move_from, move_kind, move_to, promotion_type, type_of,
)
from _fast.attacks cimport PAWN_ATTACKS


cdef inline void make_leaf(const Position *pos, Position *child, Move move, int us) noexcept nogil:
    # `make` for what count_legal reads alone: the sets, rights and en passant.
    cdef int them = us ^ 1
    cdef int from_sq = move_from(move)
    cdef int to_sq = move_to(move)
    cdef int piece_type = type_of(pos.board[from_sq])
    cdef int i
    cdef Bitboard stays = ~bit(to_sq)
    for i in range(6):
        child.by_type[i] = pos.by_type[i] & stays
    child.by_color[us] = (pos.by_color[us] ^ bit(from_sq)) | bit(to_sq)
    child.by_color[them] = pos.by_color[them] & stays
    child.castling = pos.castling
    child.side = them
    child.ep = NO_SQUARE
    child.rights = pos.rights & pos.castling.rights_kept[from_sq] & pos.castling.rights_kept[to_sq]
    child.by_type[piece_type] ^= bit(from_sq)
    if is_promotion(move):
        piece_type = promotion_type(move)
    elif move_kind(move) == EN_PASSANT:
        child.by_type[PAWN] ^= bit(to_sq ^ 8)
        child.by_color[them] ^= bit(to_sq ^ 8)
    elif move_kind(move) == DOUBLE_PUSH and PAWN_ATTACKS[us][to_sq ^ 8] & pieces(pos, them, PAWN):
        child.ep = to_sq ^ 8
    child.by_type[piece_type] |= bit(to_sq)


cdef uint64_t count_grandchildren(const Position *pos, int us) noexcept nogil:
    cdef Move moves[MAX_MOVES]
    cdef Move *end = generate(pos, moves)
    cdef Move *move = moves
    cdef Position child
    cdef uint64_t n = 0
    while move < end:
        if is_castling(move[0]):
            make(pos, &child, move[0])
        else:
            make_leaf(pos, &child, move[0], us)
        n += count_legal(&child)
        move += 1
    return n


cdef uint64_t count_leaves(const Position *pos, int depth) noexcept nogil:
    cdef Move moves[MAX_MOVES]
    cdef Move *end
    cdef Move *move = moves
    cdef Position child
    cdef uint64_t n = 0
    if depth == 1:
        return count_legal(pos)
    if depth == 2:
        return count_grandchildren(pos, WHITE) if pos.side == WHITE else count_grandchildren(pos, BLACK)
    end = generate(pos, moves)
    while move < end:
        make(pos, &child, move[0])
        n += count_leaves(&child, depth - 1)
        move += 1
    return n


cdef uint64_t count_after(Board board, Move first, Move second, int depth):
    # Leaves `depth` plies deep behind one move, or behind two; other Python threads run meanwhile.
    cdef Position child, grandchild
    cdef uint64_t n = 1
    with nogil:
        make(&board.pos, &child, first)
        if second:
            make(&child, &grandchild, second)
            child = grandchild
            depth -= 1
        depth -= 1
        if depth:
            n = count_leaves(&child, depth)
    return n


cdef list split(Board board, int plies):
    # All move pairs (or single moves, with 0) from the position: the jobs of a parallel count.
    cdef Move moves[MAX_MOVES]
    cdef Move replies[MAX_MOVES]
    cdef Position child
    cdef int i, j, replies_n
    cdef int n = generate(&board.pos, moves) - moves
    jobs = []
    for i in range(n):
        if plies == 1:
            jobs.append((moves[i], 0))
            continue
        make(&board.pos, &child, moves[i])
        replies_n = generate(&child, replies) - replies
        for j in range(replies_n):
            jobs.append((moves[i], replies[j]))
    return jobs


def divide(Board board not None, int depth, int threads=1):
    """Leaves `depth` plies deep behind each legal move, by the move in UCI notation; {} at depth 0.

    ValueError for a depth outside 0..128 or fewer than one thread.
    """
    if not 0 <= depth <= MAX_PLY:
        raise ValueError(f"perft depth {depth} is not within 0..{MAX_PLY}")
    if threads < 1:
        raise ValueError(f"{threads} threads cannot count")
    if depth == 0:
        return {}
    counts = dict.fromkeys(board.legal_moves(), 0)
    jobs = split(board, 2 if threads > 1 and depth > 2 else 1)

    def count(job):
        return count_after(board, job[0], job[1], depth)

    if threads == 1:
        for job in jobs:
            counts[board.uci(job[0])] += count(job)
        return counts
    pool = ThreadPoolExecutor(threads)
    try:
        for job, n in zip(jobs, pool.map(count, jobs), strict=True):
            counts[board.uci(job[0])] += n
    finally:
        pool.shutdown(cancel_futures=True)
    return counts


def perft(Board board not None, int depth, int threads=1):
    """Count the leaves of the game tree `depth` plies deep; 1 at depth 0. ValueError as for divide."""
    return sum(divide(board, depth, threads).values()) if depth else 1
