# One search thread's state: stack, histories, counters, limits, leaf log. `WorkerState` is what the hot
# functions take; `Worker` owns it and is its Python face.

cimport cython
from libc.stdint cimport int16_t, int64_t, uint64_t

from _fast.evaluation.evaluate cimport EvalMemory
from _fast.search.history cimport History
from _fast.search.params cimport Parameters, Params
from _fast.board.board cimport Board
from _fast.evaluation.nnue cimport Network, Recording
from _fast.evaluation.pst cimport Weights
from _fast.board.position cimport Position
from _fast.board.syzygy cimport TableSet, Tables
from _fast.search.tt cimport Table, TranspositionTable
from _fast.types cimport Bitboard, Key, MAX_MOVES, MAX_PLY, Move, Value

cdef extern from *:
    """
    #include <stdint.h>
    #if defined(_WIN32)
      #include <windows.h>
      static int64_t sss_now_ns(void) {
          LARGE_INTEGER count, frequency;
          QueryPerformanceCounter(&count);
          QueryPerformanceFrequency(&frequency);
          return (int64_t) ((double) count.QuadPart * 1e9 / (double) frequency.QuadPart);
      }
    #else
      #include <time.h>
      static int64_t sss_now_ns(void) {
          struct timespec now;
          clock_gettime(CLOCK_MONOTONIC, &now);
          return (int64_t) now.tv_sec * 1000000000 + now.tv_nsec;
      }
    #endif
    """
    int64_t now_ns "sss_now_ns"() noexcept nogil    # the clock of Python's time.monotonic_ns()

cdef enum:
    BEFORE_ROOT = 4                     # stack entries below the root: "four plies back" always exists
    CHECK_EVERY = 1024                  # nodes between looks at the limits, at most
    TABLE_DEPTHS = 64                   # reductions are tabulated by depth and move number up to this


cdef struct Stack:                      # one ply of the line being searched (`ss`)
    Position pos
    Bitboard threats                    # squares the opponent attacks; 0 before anyone asks
    Value static_value                  # corrected; NO_VALUE in check
    Move move                           # made in this position, NO_MOVE for a null move
    Move excluded                       # singular search: the move left out
    Move killers[2]
    int16_t *continuation               # continuation history after the move made here, NULL for none
    int piece_to                        # index of that move's (piece, to)
    int line_length                     # principal variation from here, copied up move by move
    Move line[MAX_PLY]


cdef struct RootMove:
    Move move
    Value lower                         # bounds proved in this iteration
    Value upper
    uint64_t nodes                      # spent on it in this iteration
    bint repeatable                     # the opponent can answer with a position for the third time
    int line_length
    Move line[MAX_PLY]


cdef struct SampleBuffer:               # evaluated positions, for `harvest.pyx`
    Position *positions
    Value *values
    int64_t count
    int64_t capacity
    uint64_t rng                        # state of the random numbers
    uint64_t sampling_rate              # one position in so many is kept


cdef struct SharedLimits:               # of one search, for all its threads; atomic, written at any time
    int stop                            # not 0: give up
    int64_t deadline                    # in now_ns() terms, 0: none
    int64_t nodes                       # that each thread may visit, 0: any number


cdef struct WorkerState:
    const Params *params                # of this search
    Stack *stack                        # BEFORE_ROOT + MAX_PLY + a few
    Stack *root                         # &stack[BEFORE_ROOT]
    History *history
    Table *table
    EvalMemory *eval_memory
    Key *keys                           # repetition keys: the game's, then those of the line being searched
    int root_index                      # of the root's key
    uint64_t nodes
    uint64_t node_limit                 # of a part of the search (mate lines and problems), 0: none
    uint64_t check_at                   # node count of the next look at all limits
    int64_t looked_at                   # when the clock was looked at last, 0: not yet
    int64_t longest_gap                 # between two looks: the machine was busy elsewhere
    SharedLimits *limits
    void (*pause)(WorkerState *w) noexcept nogil    # called at every look at the limits, if not NULL
    void *helper                        # whose thread this is (helpers.pyx), for `pause`
    bint stopped                        # this thread has given up; every value is void
    bint obeys_limits                   # shared limits count (not before the first iteration is done)
    bint used                           # has searched since `new_game`
    bint untouched                      # the network's memory awaits its first use
    bint exact                          # laboratory: no selectivity, frozen order, exact-depth table
    bint learning                       # this pass updates histories, stores moves and has PV nodes
    bint scout                          # later moves get a null window first (off: plain alpha-beta)
    int selective_depth                 # deepest ply reached
    int null_move_from                  # verification search: no null move before this ply
    int path_ply                        # smallest ply whose position a repetition seen below came back to
    int root_depth
    RootMove roots[MAX_MOVES]
    int root_count
    int root_first                      # MultiPV: moves before this one are taken
    const TableSet *tablebases          # NULL: none
    int probe_pieces                    # positions with more of them are not looked up; 0: none is
    int probe_depth                     # nor are those with less depth left
    bint fifty                          # the 50-move rule is in force
    uint64_t tb_hits                    # results found since set_position
    SampleBuffer *samples               # keeps positions that are evaluated; NULL in play
    Key *leaves                         # exact mode: keys of evaluated leaves, in order; NULL if not logged
    int64_t leaf_count
    int64_t leaf_capacity
    int reduction_quiet[TABLE_DEPTHS][TABLE_DEPTHS]     # 1/1024 plies by depth, move number
    int reduction_tactical[TABLE_DEPTHS][TABLE_DEPTHS]


cdef void log_leaf(WorkerState *w, Key key) noexcept nogil
cdef bint out_of_time(WorkerState *w) noexcept nogil
cdef void begin_iteration(WorkerState *w, int depth) noexcept nogil
cdef void move_root(WorkerState *w, int index, int to) noexcept nogil
cdef void sort_roots(WorkerState *w, int first) noexcept nogil
cdef int best_root(const WorkerState *w) noexcept nogil
cdef bint unrivalled(const WorkerState *w) noexcept nogil


@cython.final
cdef class StopFlag:
    cdef SharedLimits limits


@cython.final
cdef class Worker:
    cdef WorkerState state
    cdef Board board
    cdef readonly TranspositionTable table
    cdef readonly StopFlag stop_flag
    cdef Tables tablebases
    cdef readonly Network network
    cdef readonly Weights weights
    cdef Recording recording
    cdef int keys_capacity
    cdef readonly Parameters parameters
    cdef int revision                   # of the parameters, when what derives from them was computed
