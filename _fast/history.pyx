"""Correction history: how far static values of such positions were from what searches found."""

from _fast.params cimport params
from _fast.types cimport BLACK, WHITE

cdef enum:
    PAWN_SHARE = 2                      # the pawn table's voice, each colour's pieces have one
    WEIGHT_PARTS = 4 * 256              # params.correction_weight is in 1/256 of the four voices' mean
    RATE_PARTS = 256                    # params.correction_rate is in 1/256
    FULL_RATE_DEPTH = 16                # plies at which an error is learnt at the full rate
    WILDEST = 4 * CORRECTION_MAX        # an error beyond this teaches no more


cdef inline int clamp(int x, int limit) noexcept nogil:
    return limit if x > limit else -limit if x < -limit else x


cdef int correction(const History *history, const Position *pos) noexcept nogil:
    # Centipawns to add to the static value of pos.
    cdef int side = pos.side
    cdef int total = (PAWN_SHARE * history.pawn_correction[side][slot(pos.pawn_key)]
                      + history.piece_correction[side][WHITE][slot(pos.nonpawn_key[WHITE])]
                      + history.piece_correction[side][BLACK][slot(pos.nonpawn_key[BLACK])])
    return total * params.correction_weight // (CORRECTION_GRAIN * WEIGHT_PARTS)


cdef inline void approach(int16_t *entry, int target, int rate) noexcept nogil:
    entry[0] = <int16_t> clamp((entry[0] * (RATE_PARTS - rate) + target * rate) // RATE_PARTS, CORRECTION_MAX)


cdef void learn_correction(History *history, const Position *pos, Value error, int depth) noexcept nogil:
    # error: what the search found minus the static value, centipawns.
    cdef int side = pos.side
    cdef int target = clamp(error * CORRECTION_GRAIN, WILDEST)
    cdef int rate = min(params.correction_rate, params.correction_rate * (depth + 1) // FULL_RATE_DEPTH)
    if rate <= 0:
        return
    approach(&history.pawn_correction[side][slot(pos.pawn_key)], target, rate)
    approach(&history.piece_correction[side][WHITE][slot(pos.nonpawn_key[WHITE])], target, rate)
    approach(&history.piece_correction[side][BLACK][slot(pos.nonpawn_key[BLACK])], target, rate)
