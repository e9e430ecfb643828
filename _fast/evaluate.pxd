# Static evaluation: a linear sum of weights (one table, `W`), tapered between middle game and ending.
# Contract: `evaluate` gives centipawns for the side to move, the same for a position and its colour-flipped twin,
# inside +-TB_RANGE. A network may stand behind the same contract.

from libc.stdint cimport int16_t, int32_t, uint8_t

from _fast.position cimport Position
from _fast.types cimport Bitboard, Key, Value

cdef enum WeightOffset:                 # where each group of weights begins in W; sizes follow from the next one
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
    W_SHELTER = 511                     # [file's distance from the edge][rank of the nearest own pawn, 0 none]
    W_STORM = 543                       # [file's distance from the edge][rank of the nearest enemy pawn seen from here, 0 none]
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

cdef enum:
    PAWN_CACHE = 8192                   # entries, a power of two
    SCALE_NORMAL = 64


cdef struct PawnEntry:                  # what depends on pawns alone
    Key key
    Bitboard passed[2]
    Bitboard attack_span[2]             # squares the pawns of a colour may ever attack
    int32_t score                       # packed, white's view


cdef struct EvalMemory:                 # one thread's scratch memory
    PawnEntry pawns[PAWN_CACHE]


cdef struct Trace:                      # the tuner's view: how often each weight counts, white minus black
    int16_t count[N_WEIGHTS]


cdef int32_t W[N_WEIGHTS]               # packed: middle game in the low, ending in the high 16 bits


cdef inline int middle_game(int32_t packed) noexcept nogil:
    return <int16_t> packed


cdef inline int ending(int32_t packed) noexcept nogil:
    return (packed + 0x8000) >> 16


cdef Value evaluate(const Position *pos, EvalMemory *memory) noexcept nogil
