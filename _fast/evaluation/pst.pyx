"""The linear evaluation: tapered piece-square tables (PST), fitted to results of the engine's own games."""

from libc.string cimport memset

from sssnake._fast.evaluation.weights import WEIGHTS
from sssnake._fast.bits cimport pop, popcount
from sssnake._fast.evaluation.endings cimport ending_scale
from sssnake._fast.board.position cimport Position, occupied
from sssnake._fast.types cimport (
    BISHOP, BLACK, Bitboard, KNIGHT, QUEEN, ROOK, TB_RANGE, Value, WHITE, color_of, relative_square, type_of,
)

cdef enum:
    FULL_PHASE = 24                     # material phase of the start position: minors 1, rooks 2, queens 4
    FULL_SCALE = 64                     # of ending_scale

GROUPS = (("psqt", W_PSQT), ("tempo", W_TEMPO))


def group_sizes():
    """Name -> (offset, number of weights) of each group of the evaluation, in table order."""
    ends = [offset for _, offset in GROUPS[1:]] + [N_WEIGHTS]
    return {name: (offset, end - offset) for (name, offset), end in zip(GROUPS, ends)}


cdef class Weights:
    """Weights of the linear evaluation, from a dict: group -> list of (middle game, ending), centipawns.

    ValueError if a group is missing or has another length than `group_sizes` says.
    """

    def __cinit__(self, dict groups not None):
        cdef int i
        for name, (offset, size) in group_sizes().items():
            pairs = groups.get(name, ())
            if len(pairs) != size:
                raise ValueError(f"weights.{name}: {size} pairs expected, {len(pairs)} found")
            for i in range(size):
                self.values.middle_game[offset + i], self.values.ending[offset + i] = pairs[i]


cdef inline int weight_of(const Position *pos, int sq) noexcept nogil:
    # The weight of the piece on a square.
    cdef int piece = pos.board[sq]
    return W_PSQT + 64 * type_of(piece) + relative_square(color_of(piece), sq)


cdef inline int material_phase(const Position *pos) noexcept nogil:
    cdef int phase = (popcount(pos.by_type[KNIGHT] | pos.by_type[BISHOP]) + 2 * popcount(pos.by_type[ROOK])
                      + 4 * popcount(pos.by_type[QUEEN]))
    return min(phase, FULL_PHASE)


cdef inline int scale_for(const Position *pos, int end) noexcept nogil:
    # end: ending value, centipawns, White's view.
    return ending_scale(pos, WHITE if end > 0 else BLACK)


cdef Value tapered(const Position *pos, int middle, int end) noexcept nogil:
    # Centipawns, White's view. The ending value is scaled down where it is hard to win.
    cdef int phase = material_phase(pos)
    return ((middle * phase * FULL_SCALE + end * (FULL_PHASE - phase) * scale_for(pos, end))
            // (FULL_PHASE * FULL_SCALE))


cdef inline void add_up(const Position *pos, const PstWeights *weights, int *middle, int *end) noexcept nogil:
    # Sums of the piece-square tables, centipawns, White's view.
    cdef Bitboard todo = occupied(pos)
    cdef int sq, index, sign
    middle[0] = 0
    end[0] = 0
    while todo:
        sq = pop(&todo)
        index = weight_of(pos, sq)
        sign = 1 if color_of(pos.board[sq]) == WHITE else -1
        middle[0] += sign * weights.middle_game[index]
        end[0] += sign * weights.ending[index]


cdef Value pst_value(const Position *pos, const PstWeights *weights) noexcept nogil:
    # Centipawns for the side to move, |value| < TB_RANGE.
    cdef int middle, end
    cdef Value value
    add_up(pos, weights, &middle, &end)
    value = tapered(pos, middle, end)
    value = (value if pos.side == WHITE else -value) + abs(weights.middle_game[W_TEMPO])
    return min(max(value, -TB_RANGE + 1), TB_RANGE - 1)


cdef void trace_pst(const Position *pos, const PstWeights *weights, Trace *trace) noexcept nogil:
    cdef Bitboard todo = occupied(pos)
    cdef int sq, middle, end
    memset(trace, 0, sizeof(Trace))
    while todo:
        sq = pop(&todo)
        trace.count[weight_of(pos, sq)] += 1 if color_of(pos.board[sq]) == WHITE else -1
    trace.count[W_TEMPO] = 1 if pos.side == WHITE else -1
    add_up(pos, weights, &middle, &end)
    trace.phase = material_phase(pos)
    trace.scale = scale_for(pos, end)


SHIPPED = Weights(WEIGHTS)
