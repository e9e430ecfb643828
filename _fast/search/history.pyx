"""Correction history: mean difference between search results and static values, by pawns and by pieces."""

from sssnake._fast.types cimport BLACK, WHITE

cdef enum:
    PAWN_WEIGHT = 2                     # of the pawn structure's entry; each colour's pieces have weight 1
    WEIGHT_PARTS = 4 * 256              # a weight is in 1/256 of the weighted mean
    RATE_PARTS = 256                    # a rate is in 1/256
    ERROR_MAX = 4 * CORRECTION_MAX      # units; larger errors are clamped to this


cdef inline int clamp(int x, int limit) noexcept nogil:
    return limit if x > limit else -limit if x < -limit else x


cdef int correction(const History *history, const Position *pos, int weight) noexcept nogil:
    # Centipawns to add to the static value of pos.
    cdef int side = pos.side
    cdef int total = (PAWN_WEIGHT * history.pawn_correction[side][correction_index(pos.pawn_key)]
                      + history.piece_correction[side][WHITE][correction_index(pos.nonpawn_key[WHITE])]
                      + history.piece_correction[side][BLACK][correction_index(pos.nonpawn_key[BLACK])])
    return total * weight // (CORRECTION_GRAIN * WEIGHT_PARTS)


cdef inline void approach(int16_t *entry, int target, int rate) noexcept nogil:
    entry[0] = <int16_t> clamp((entry[0] * (RATE_PARTS - rate) + target * rate) // RATE_PARTS, CORRECTION_MAX)


cdef void update_correction_history(History *history, const Position *pos, Value error,
                                    int rate) noexcept nogil:
    # error: the search's value minus the static value, centipawns. rate: weight of the error, 1/256.
    cdef int side = pos.side
    cdef int target = clamp(error * CORRECTION_GRAIN, ERROR_MAX)
    approach(&history.pawn_correction[side][correction_index(pos.pawn_key)], target, rate)
    approach(&history.piece_correction[side][WHITE][correction_index(pos.nonpawn_key[WHITE])], target, rate)
    approach(&history.piece_correction[side][BLACK][correction_index(pos.nonpawn_key[BLACK])], target, rate)
