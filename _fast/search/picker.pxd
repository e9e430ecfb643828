# Staged move ordering: TT move, good captures, killers and counter move, quiet moves, losing captures.

from libc.stdint cimport int16_t

from sssnake._fast.search.history cimport History, PIECE_TO
from sssnake._fast.search.params cimport Params
from sssnake._fast.board.position cimport Position
from sssnake._fast.search.tt cimport Table
from sssnake._fast.types cimport Bitboard, MAX_MOVES, Move

cdef enum:                              # argument of `next_move`
    ALL_MOVES = 0
    NO_QUIET = 1                        # no quiet moves from here on

cdef enum Stage:
    STAGE_TT_MOVE
    STAGE_MAKE_TACTICAL
    STAGE_TACTICAL
    STAGE_REFUTATIONS
    STAGE_MAKE_QUIET
    STAGE_QUIET
    STAGE_BAD_TACTICAL
    STAGE_MAKE_CHECKS                   # quiescence: quiet checks, where `checks` is set
    STAGE_CHECKS
    STAGE_MAKE_ALL                      # in check: every evasion in one list
    STAGE_ALL
    STAGE_GENERATION_ORDER              # exact mode
    STAGE_END

cdef enum:
    BEYOND = 7                          # places behind the last rank, see `largest`
    CONTINUATIONS = 3                   # continuation histories in use


cdef int16_t[PIECE_TO] EMPTY_CONTINUATION   # zeros, where there was no move before


cdef struct Picker:
    const Position *pos                 # set by the caller of `start`, as are all up to `see_margin`
    const Table *table                  # a child's entry is prefetched when its move comes to the front
    History *history
    const Params *params
    Bitboard *threats                   # of the stack entry, see `threats_of`
    const int16_t *continuations[CONTINUATIONS]     # 1, 2 and 4 plies back
    Move refutations[3]                 # two killers and the counter move, NO_MOVE: none
    bint quiescence                     # captures and promotions only (in check all moves)
    bint checks                         # ... and quiet moves that give check
    int see_margin                      # centipawns: captures with SEE < -see_margin are losing
    Move tt_move
    int refutation
    int stage
    bint good_capture                   # the move just returned captures or promotes, with SEE >= -see_margin
    int begin                           # moves[begin .. end) are left in this stage
    int end
    int bad_begin                       # losing captures are set aside at moves[0 .. bad_end)
    int bad_end
    Move moves[MAX_MOVES]
    int ranks[MAX_MOVES + BEYOND]       # see `ranked`; undefined before begin


# tt_move: NO_MOVE: none. generation_order: exact mode.
cdef void start(Picker *picker, Move tt_move, bint generation_order) noexcept nogil
cdef Move next_move(Picker *picker, bint skip_quiet) noexcept nogil
cdef int quiet_score(const Picker *picker, Move move) noexcept nogil
