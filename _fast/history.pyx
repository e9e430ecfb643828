"""Correction history: how far static values of such positions were from what searches found."""

from _fast.params cimport params
from _fast.types cimport BLACK, Key, WHITE


cdef inline int clamp(int x, int limit) noexcept nogil:
    return limit if x > limit else -limit if x < -limit else x


cdef inline int slot(Key key) noexcept nogil:
    return <int> (key & (CORRECTION_SIZE - 1))


cdef int correction(const History *history, const Position *pos) noexcept nogil:
    # Centipawns to add to the static value of pos.
    cdef int side = pos.side
    cdef int total = (2 * history.pawn_correction[side][slot(pos.pawn_key)]
                      + history.piece_correction[side][WHITE][slot(pos.nonpawn_key[WHITE])]
                      + history.piece_correction[side][BLACK][slot(pos.nonpawn_key[BLACK])])
    return total * params.correction_weight // (CORRECTION_GRAIN * 1024)


cdef inline void approach(int16_t *entry, int target, int rate) noexcept nogil:
    entry[0] = <int16_t> clamp((entry[0] * (256 - rate) + target * rate) // 256, CORRECTION_MAX)


cdef void learn_correction(History *history, const Position *pos, Value error, int depth) noexcept nogil:
    # error: what the search found minus the static value, centipawns.
    cdef int side = pos.side
    cdef int target = clamp(error * CORRECTION_GRAIN, 4 * CORRECTION_MAX)
    cdef int rate = min(params.correction_rate, params.correction_rate * (depth + 1) // 16)
    if rate <= 0:
        return
    approach(&history.pawn_correction[side][slot(pos.pawn_key)], target, rate)
    approach(&history.piece_correction[side][WHITE][slot(pos.nonpawn_key[WHITE])], target, rate)
    approach(&history.piece_correction[side][BLACK][slot(pos.nonpawn_key[BLACK])], target, rate)
