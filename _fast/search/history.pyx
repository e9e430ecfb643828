"""Correction history: what searches have found that static values miss, a sum of shares.

Each share is learned for a part of the position or for the moves that led to it. All of them are pushed
alike by the error that their sum has left.
"""

from sssnake._fast.board.position cimport GROUPS, PAWNS, PIECES
from sssnake._fast.types cimport BLACK, WHITE


cdef int correction(History *history, const Position *pos, int last, int before,
                    const Params *params) noexcept nogil:
    # Centipawns to add to the static value of pos.
    cdef int total = (
        params.correction_pawns * part_entry(history, pos, PAWNS)[0]
        + params.correction_pieces * (part_entry(history, pos, PIECES + WHITE)[0]
                                      + part_entry(history, pos, PIECES + BLACK)[0])
        + params.correction_minors * part_entry(history, pos, GROUPS)[0]
        + params.correction_majors * part_entry(history, pos, GROUPS + 1)[0]
        + params.correction_last * history.last_correction[last]
        + params.correction_pair * pair_entry(history, last, before)[0])
    return total // HISTORY_MAX


cdef void update_correction_history(History *history, const Position *pos, int last, int before,
                                    int bonus) noexcept nogil:
    # bonus: history units.
    cdef int part
    for part in range(PARTS):
        apply_bonus(part_entry(history, pos, part), bonus)
    apply_bonus(&history.last_correction[last], bonus)
    apply_bonus(pair_entry(history, last, before), bonus)
