# Histories of a search: which moves cut off, which failed, how far static values were wrong. Threads may
# share one set; then they write it without locks, and now and then an entry misses a bonus.

from libc.stdint cimport int16_t, uint32_t

from sssnake._fast.bits cimport prefetch
from sssnake._fast.board.checks cimport attacked_squares
from sssnake._fast.board.position cimport PARTS, Position
from sssnake._fast.search.params cimport Params
from sssnake._fast.types cimport Bitboard, Move, NO_PIECE, PAWN, Value, move_from, move_to, type_of

cdef enum:
    HISTORY_MAX = 16384                 # |entry| of every history
    PIECE_TO = 12 * 64                  # entries of one continuation history: (piece, to)
    NO_PIECE_TO = PIECE_TO              # index of no move, or a null move
    CACHE_LINE = 32                     # entries
    CORRECTION_BITS = 14
    CORRECTION_SIZE = 1 << CORRECTION_BITS      # entries per table and side


cdef struct History:
    int16_t quiet[2][4][64 * 64]                # side; whether from and to are attacked; from, to
    int16_t capture[12][64][6]                  # piece, to, captured type
    int16_t continuation[PIECE_TO][PIECE_TO]    # (piece, to) of an earlier move; (piece, to) of this one
    Move counter[PIECE_TO]                      # the quiet move that refuted (piece, to)
    int16_t part_correction[PARTS][2][CORRECTION_SIZE]  # part of the position; side; its placement
    int16_t last_correction[PIECE_TO + 1]               # (piece, to) of the last move
    int16_t pair_correction[CORRECTION_SIZE]            # ... and of the move before it


cdef inline int piece_to(const Position *pos, Move move) noexcept nogil:
    # (piece, to) of a move about to be made in pos.
    return pos.board[move_from(move)] * 64 + move_to(move)


cdef inline Bitboard threats_of(const Position *pos, Bitboard *threats) noexcept nogil:
    # The squares the opponent attacks. Computed on first use, when *threats is 0, and kept there.
    if threats[0] == 0:
        threats[0] = attacked_squares(pos)
    return threats[0]


cdef inline int threat_index(Bitboard threats, Move move) noexcept nogil:
    # Whether the move leaves an attacked square, and whether it enters one.
    return 2 * (threats >> move_from(move) & 1) + (threats >> move_to(move) & 1)


cdef inline int16_t *quiet_entry(History *history, const Position *pos, Bitboard *threats,
                                 Move move) noexcept nogil:
    return &history.quiet[pos.side][threat_index(threats_of(pos, threats), move)][move & 4095]


cdef inline int16_t *capture_entry(History *history, const Position *pos, Move move) noexcept nogil:
    # Promotions without capture share the entry of pawns taken.
    cdef int taken = type_of(pos.board[move_to(move)])
    return &history.capture[pos.board[move_from(move)]][move_to(move)][taken if taken < 6 else PAWN]


cdef inline int gravity(int value, int bonus) noexcept nogil:
    # What of a bonus a value of that size takes back: all of it at HISTORY_MAX.
    return value * (bonus if bonus >= 0 else -bonus) // HISTORY_MAX


cdef inline void apply_bonus(int16_t *entry, int bonus) noexcept nogil:
    # Adds a bonus with gravity: less of it the nearer the entry is to +-HISTORY_MAX.
    entry[0] += <int16_t> (bonus - gravity(entry[0], bonus))


cdef inline Move counter_move(const History *history, int last) noexcept nogil:
    return history.counter[last]


cdef inline void set_counter_move(History *history, int last, Move move) noexcept nogil:
    history.counter[last] = move


cdef inline int16_t *part_entry(History *history, const Position *pos, int part) noexcept nogil:
    return &history.part_correction[part][pos.side][pos.part_keys[part] & (CORRECTION_SIZE - 1)]


cdef inline int16_t *pair_entry(History *history, int last, int before) noexcept nogil:
    # The multiplier is 2^32 / golden ratio.
    cdef uint32_t pair = <uint32_t> (last * (PIECE_TO + 1) + before)
    return &history.pair_correction[pair * <uint32_t> 0x9E3779B1 >> (32 - CORRECTION_BITS)]


cdef inline void prefetch_correction(History *history, const Position *pos, int last,
                                     int before) noexcept nogil:
    cdef int part
    for part in range(PARTS):
        prefetch(part_entry(history, pos, part))
    prefetch(pair_entry(history, last, before))


cdef inline void prefetch_continuation(const int16_t *continuation, int side) noexcept nogil:
    # Prefetches the entries of all moves of a side.
    cdef int piece
    for piece in range(side, NO_PIECE, 2):
        prefetch(continuation + 64 * piece)
        prefetch(continuation + 64 * piece + CACHE_LINE)


# last, before: (piece, to) of the last move and of the one before it, see `piece_to`.
cdef int correction(History *history, const Position *pos, int last, int before,
                    const Params *params) noexcept nogil
cdef void update_correction_history(History *history, const Position *pos, int last, int before,
                                    int bonus) noexcept nogil
