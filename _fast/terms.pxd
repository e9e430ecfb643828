# The evaluation's weights: one flat table of packed (middle game, ending) pairs, and how a term counts them.

from libc.stdint cimport int16_t, int32_t

from _fast.types cimport WHITE

cdef enum:                              # where each group of weights begins in W; it ends at the next one
    W_PSQT = 0                          # [piece type][square seen from its owner]
    W_KNIGHT_MOBILITY = 384             # [safe squares attacked]
    W_BISHOP_MOBILITY = 393
    W_ROOK_MOBILITY = 407
    W_QUEEN_MOBILITY = 422
    W_PASSED = 450                      # [rank]
    W_PASSED_FREE = 458                 # [rank]: the next square is empty and not attacked
    W_PASSED_OWN_KING = 466             # [king's distance to the next square]
    W_PASSED_ENEMY_KING = 474
    W_PASSED_SUPPORTED = 482            # [rank]: a rook behind or a pawn beside
    W_ISOLATED = 490                    # [0 closed, 1 on a half-open file]
    W_DOUBLED = 492
    W_BACKWARD = 493                    # [0 closed, 1 on a half-open file]
    W_PHALANX = 495                     # [rank]
    W_PROTECTED = 503                   # [rank]
    W_SHELTER = 511                     # [file, 0 at the edge][rank of the nearest own pawn, 0 none]
    W_STORM = 543                       # [file, 0 at the edge][our rank of the nearest enemy pawn, 0 none]
    W_KING_DANGER = 575                 # [danger units]
    W_SAFE_CHECK = 607                  # [knight, bishop, rook, queen]
    W_THREAT_BY_PAWN = 611              # [attacked piece type]
    W_THREAT_BY_MINOR = 617
    W_THREAT_BY_ROOK = 623
    W_HANGING = 629                     # attacked and not defended
    W_PUSH_THREAT = 630
    W_BISHOP_PAIR = 631
    W_ROOK_OPEN = 632                   # [0 half-open, 1 open file]
    W_OUTPOST = 634                     # [knight, bishop]
    W_BEHIND_PAWN = 636                 # a minor piece shielded by a pawn
    W_BISHOP_PAWNS = 637                # own pawns on the bishop's colour
    W_KING_ATTACKS_PAWN = 638
    W_SPACE = 639                       # safe squares behind own pawns in the centre, times pieces / 4
    W_TEMPO = 640
    N_WEIGHTS = 641


cdef struct Trace:                      # the tuner's view: how often each weight counts, white minus black
    int16_t count[N_WEIGHTS]


cdef int32_t W[N_WEIGHTS]               # packed: middle game in the low, ending in the high 16 bits


cdef inline int middle_game(int32_t packed) noexcept nogil:
    return <int16_t> packed


cdef inline int ending(int32_t packed) noexcept nogil:
    return (packed + 0x8000) >> 16


cdef inline int32_t term(Trace *trace, int us, int index, int count) noexcept nogil:
    # A weight counted for `us`; the sum is white's view.
    cdef int signed_count = count if us == WHITE else -count
    if trace != NULL:
        trace.count[index] += <int16_t> signed_count
    return W[index] * signed_count
