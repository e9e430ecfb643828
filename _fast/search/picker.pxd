# Staged move ordering: TT move, good captures, killers and counter move, quiet moves, losing captures.

from libc.stdint cimport int16_t

from sssnake._fast.search.history cimport History
from sssnake._fast.search.params cimport Params
from sssnake._fast.board.position cimport Position
from sssnake._fast.search.tt cimport Table
from sssnake._fast.types cimport Bitboard, MAX_MOVES, Move

cdef enum:                              # which search a picker serves
    MAIN_SEARCH
    QUIESCENCE                          # captures and promotions only; in check all moves

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
    CONTINUATIONS = 3                   # continuation histories in use: 1, 2 and 4 plies back


cdef struct PickerSetup:                # arguments of `start`
    const Position *pos
    const Table *table
    History *history
    const Params *params
    Bitboard *threats                   # of the stack entry, see `threats_of`
    Move tt_move                        # NO_MOVE: none
    const Move *killers                 # two; NULL: none
    Move counter                        # NO_MOVE: none
    const int16_t *continuations[CONTINUATIONS]     # NULL: none
    int search                          # MAIN_SEARCH or QUIESCENCE
    bint generation_order               # exact mode


cdef struct Picker:
    const Position *pos
    const Table *table                  # a child's entry is prefetched when its move comes to the front
    History *history
    const Params *params
    Bitboard *threats                   # of the stack entry
    const int16_t *continuations[CONTINUATIONS]     # an empty one where there was no move
    Move tt_move
    Move refutations[3]                 # two killers and the counter move
    int refutation
    int stage
    bint quiescence                     # captures and promotions only (in check all moves)
    bint checks                         # ... and quiet moves that give check (set it after `start`)
    bint good_capture                   # the move just returned captures or promotes, with SEE >= -see_margin
    int see_margin                      # centipawns: captures with SEE < -see_margin are losing (`start`: 0)
    int begin                           # moves[begin .. end) are left in this stage
    int end
    int bad_begin                       # losing captures are set aside at moves[0 .. bad_end)
    int bad_end
    Move moves[MAX_MOVES]
    int ranks[MAX_MOVES]                # see `ranked`; undefined before begin


cdef void start(Picker *picker, const PickerSetup *setup) noexcept nogil
cdef Move next_move(Picker *picker, bint skip_quiet) noexcept nogil
cdef int quiet_score(const Picker *picker, Move move) noexcept nogil
