# Staged move ordering: table move, winning captures, killers and counter move, quiet moves, losing captures.

from libc.stdint cimport int16_t

from _fast.search.history cimport History
from _fast.search.params cimport Params
from _fast.board.position cimport Position
from _fast.search.tt cimport Table
from _fast.types cimport Bitboard, MAX_MOVES, Move

cdef enum Stage:
    STAGE_TABLE
    STAGE_MAKE_TACTICAL
    STAGE_TACTICAL
    STAGE_REFUTATIONS
    STAGE_MAKE_QUIET
    STAGE_QUIET
    STAGE_BAD_TACTICAL
    STAGE_MAKE_CHECKS                   # quiescence, where it is asked to
    STAGE_CHECKS
    STAGE_MAKE_ALL                      # in check: every evasion in one list
    STAGE_ALL
    STAGE_FROZEN                        # exact mode: generation order, never touched
    STAGE_END

cdef enum:
    CONTINUATIONS = 3                   # continuation histories looked at: 1, 2 and 4 plies back


cdef struct PickerSetup:                # what a picker begins with
    const Position *pos
    const Table *table
    History *history
    const Params *params
    Bitboard *threats                   # of the stack entry, see `known_threats`
    Move tt_move                        # NO_MOVE: none
    const Move *killers                 # two; NULL: none
    Move counter                        # NO_MOVE: none
    const int16_t *continuations[CONTINUATIONS]     # NULL: none
    bint quiescence                     # tactical moves only (all in check)
    bint frozen                         # exact mode: generation order


cdef struct Picker:
    const Position *pos
    const Table *table                  # asked about each child soon after its move comes to the front
    History *history
    const Params *params
    Bitboard *threats                   # of the stack entry
    const int16_t *continuations[CONTINUATIONS]     # an empty one where there was no move
    Move tt_move
    Move refutations[3]                 # two killers and the counter move
    int refutation
    int stage
    bint quiescence                     # tactical moves only (all in check)
    bint checks                         # ... and quiet ones that give check (set it after `start`)
    bint sound                          # the last move handed out takes, and loses no more than see_margin
    int see_margin                      # a capture below -see_margin counts as losing
    int begin                           # next move to look at
    int end
    int bad_begin                       # losing captures wait at moves[0 .. bad_end)
    int bad_end
    Move moves[MAX_MOVES]
    int ranks[MAX_MOVES]                # see `ranked`; void before begin


cdef void start(Picker *picker, const PickerSetup *setup) noexcept nogil
cdef Move next_move(Picker *picker, bint skip_quiet) noexcept nogil
cdef int quiet_score(const Picker *picker, Move move) noexcept nogil
