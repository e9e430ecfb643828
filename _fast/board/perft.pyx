"""perft: counting the leaves of the game tree, the test of the move generator."""

from concurrent.futures import ThreadPoolExecutor

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport uint64_t

from sssnake._fast.board.attacks cimport PAWN_ATTACKS
from sssnake._fast.board.board cimport Board
from sssnake._fast.board.movegen cimport count_legal, generate
from sssnake._fast.board.position cimport MAY_CHECK, Position, make, pieces
from sssnake._fast.types cimport (
    BLACK, Bitboard, DOUBLE_PUSH, EN_PASSANT, MAX_MOVES, MAX_PLY, Move, NO_MOVE, NO_SQUARE, PAWN, WHITE, bit,
    is_castling, is_promotion, move_from, move_kind, move_to, promotion_type, type_of,
)


cdef enum:
    MAX_THREADS = 1024


cdef inline void make_leaf(const Position *pos, Position *child, Move move, int us) noexcept nogil:
    # `make` of the fields that count_legal reads: bitboards, rights and en passant.
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
            make(pos, &child, move[0], MAY_CHECK)
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
        make(pos, &child, move[0], MAY_CHECK)
        n += count_leaves(&child, depth - 1)
        move += 1
    return n


cdef uint64_t count_behind(Board board, Move first, Move second, int depth):
    # Leaves at `depth` plies below one move, or two; without the GIL.
    cdef Position child, grandchild
    cdef uint64_t n = 1
    with nogil:
        make(&board.pos, &child, first, MAY_CHECK)
        depth -= 1
        if second != NO_MOVE:
            make(&child, &grandchild, second, MAY_CHECK)
            child = grandchild
            depth -= 1
        if depth:
            n = count_leaves(&child, depth)
    return n


cdef list split(Board board, int depth):
    # The parts of the count: pairs of a move and a reply; of a move and NO_MOVE at low depth.
    cdef Board child
    parts = []
    for first in board.moves():
        replies = [NO_MOVE]
        if depth > 2:
            child = board.copy()
            child.play(first)
            replies = child.moves()
        parts.extend([(first, second) for second in replies])
    return parts


def divide(Board board not None, int depth, int threads=1):
    """Leaves at `depth` plies below each legal move, by the move in UCI notation; {} at depth 0.

    ValueError for a depth outside 0..128 or threads outside 1..1024. Ctrl-C stops it between parts.
    """
    if not 0 <= depth <= MAX_PLY:
        raise ValueError(f"perft depth {depth} is not within 0..{MAX_PLY}")
    if not 1 <= threads <= MAX_THREADS:
        raise ValueError(f"{threads} threads are not within 1..{MAX_THREADS}")
    if depth == 0:
        return {}
    board = board.copy()
    pending = iter(split(board, depth))         # shared: each thread takes the next part when it is free

    def work():
        found = []
        for first, second in pending:
            found.append((first, count_behind(board, first, second, depth)))
            PyErr_CheckSignals()
        return found

    counts = dict.fromkeys(board.moves(), 0)
    with ThreadPoolExecutor(threads) as others:
        futures = [others.submit(work) for _ in range(threads - 1)]
        try:
            found = work()
        finally:
            list(pending)                       # after Ctrl-C, leaves no parts for the other threads
        for future in futures:
            found += future.result()
    for first, n in found:
        counts[first] += n
    return {board.uci(move): n for move, n in counts.items()}


def perft(Board board not None, int depth, int threads=1):
    """Count the leaves of the game tree `depth` plies deep; 1 at depth 0. ValueError as for divide."""
    return sum(divide(board, depth, threads).values()) if depth else 1
