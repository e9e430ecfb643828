# The state of one search thread: stack, histories, counters, limits, leaf log. Search functions take a
# `WorkerState`; the Python class `Worker` owns it.

cimport cython
from libc.stdint cimport int16_t, int64_t, uint64_t

from sssnake._fast.evaluation.evaluate cimport EvalMemory
from sssnake._fast.search.history cimport History
from sssnake._fast.search.params cimport Parameters, Params
from sssnake._fast.board.board cimport Board
from sssnake._fast.evaluation.nnue cimport Network, Recording
from sssnake._fast.evaluation.pst cimport Weights
from sssnake._fast.board.position cimport Castling, Position
from sssnake._fast.board.syzygy cimport TableSet, Tables
from sssnake._fast.search.tt cimport Table, TranspositionTable
from sssnake._fast.types cimport Bitboard, Key, MAX_MOVES, MAX_PLY, Move, Value

cdef enum:
    BEFORE_ROOT = 4                     # entries of the search stack before the root's: ss - 4 always exists
    CHECK_EVERY = 1024                  # nodes between checks of the limits, at most
    FREE_NODES = 10000                  # of the first iteration, before it too obeys the limits
    REDUCTION_ENTRIES = 64              # reductions are precomputed for depths and move numbers below this


cdef struct Stack:                      # search stack entry (`ss`): one ply of the line being searched
    Position pos
    Bitboard threats                    # squares the opponent attacks; 0: not yet computed
    Value static_value                  # corrected; NO_VALUE in check
    Move move                           # made in this position, NO_MOVE for a null move
    Move excluded                       # by the singular search of this node; NO_MOVE: none
    Move killers[2]
    int16_t *continuation               # continuation history after the move made here, NULL for none
    int piece_to                        # index of that move's (piece, to), NO_PIECE_TO for none
    int line_length                     # principal variation from here, copied up move by move
    Move line[MAX_PLY]


cdef struct RootMove:
    Move move
    Value lower                         # bounds proved in this iteration
    Value upper
    uint64_t nodes                      # spent on it in this iteration
    bint repeatable                     # the opponent's reply can repeat a position for the third time
    bint capped                         # its value is a draw that rests on the game before the root
    int line_length
    Move line[MAX_PLY]


cdef struct SampleBuffer:               # evaluated positions, for training (harvest.pyx)
    Position *positions
    Value *values
    int64_t count
    int64_t capacity
    uint64_t rng                        # state of the random numbers
    uint64_t sampling_rate              # one position in so many is kept


cdef struct SharedLimits:               # of one search, shared by its threads; all accesses are atomic
    int stop                            # not 0: stop
    int64_t deadline                    # nanoseconds, as now_ns(); 0: none
    int64_t nodes                       # limit of each thread, 0: none


cdef struct WorkerState:
    const Params *params                # of this search
    Stack *stack                        # BEFORE_ROOT + MAX_PLY + a few
    Stack *root                         # &stack[BEFORE_ROOT]
    History *history
    Table *table
    EvalMemory *eval_memory
    Key *keys                           # repetition keys: the game's, then those of the line being searched
    int root_index                      # of the root's key
    Castling castling                   # of the root: the board may be set up again meanwhile
    uint64_t nodes
    uint64_t node_limit                 # of a part of the search (mate lines and problems), 0: none
    uint64_t check_at                   # node count at which all limits are checked next
    int64_t looked_at                   # time of the last look at the clock, nanoseconds; 0: none yet
    int64_t longest_gap                 # nanoseconds between two looks at the clock, at most
    SharedLimits *limits
    void (*pause)(WorkerState *w) noexcept nogil    # called at every check of the limits, if not NULL
    void *helper                        # the helper thread (helpers.pyx), argument of `pause`
    int searching                       # a thread searches with this state; accesses are atomic
    bint stopped                        # by a limit, or gave up; every value returned is void
    bint obeys_limits                   # checks the shared limits (before: only after FREE_NODES)
    bint used                           # has searched since `new_game`
    bint borrows                        # another worker's histories
    bint taught                         # has written its own histories since `new_game`
    bint untouched                      # the accumulators are to be initialized before the first search
    bint exact                          # laboratory: no pruning, generation order, TT entries of exact depth
    bint learning                       # this pass updates histories, stores moves and has PV nodes
    bint scout                          # later moves get a null window first (off: plain alpha-beta)
    int selective_depth                 # deepest ply reached
    int null_move_from                  # verification search: no null move before this ply
    int path_ply                        # smallest ply that a repetition below led back to; MAX_PLY: none
    int root_depth                      # of the iteration
    RootMove roots[MAX_MOVES]
    int root_count
    bint restricted                     # `roots` lacks legal moves: searchmoves, tablebases, a book's move
    int root_first                      # MultiPV: the moves before this one have been reported
    const TableSet *tablebases          # NULL: none
    int probe_pieces                    # positions with more pieces are not probed; 0: none is
    int probe_depth                     # plies; nodes with less depth are not probed
    bint fifty                          # the 50-move rule is in force
    uint64_t tb_hits                    # results found since set_position
    SampleBuffer *samples               # of evaluated positions; NULL in play
    Key *leaves                         # exact mode: keys of evaluated leaves, in order; NULL if not logged
    int64_t leaf_count
    int64_t leaf_capacity
    int reduction_quiet[REDUCTION_ENTRIES][REDUCTION_ENTRIES]   # 1/1024 ply, by depth and move number
    int reduction_tactical[REDUCTION_ENTRIES][REDUCTION_ENTRIES]


cdef void log_leaf(WorkerState *w, Key key) noexcept nogil
cdef bint out_of_time(WorkerState *w) noexcept nogil
cdef void begin_iteration(WorkerState *w, int depth) noexcept nogil


cdef inline void obey_limits(WorkerState *w) noexcept nogil:
    # Checks the shared limits from now on, at the next node first.
    w.obeys_limits = True
    w.check_at = w.nodes


cdef inline void move_root(WorkerState *w, int index, int to) noexcept nogil:
    # Moves root move `index` forward to place `to`; the others keep their order.
    cdef RootMove chosen
    cdef int i
    if index <= to:
        return
    chosen = w.roots[index]
    for i in range(index, to, -1):
        w.roots[i] = w.roots[i - 1]
    w.roots[to] = chosen


cdef inline void sort_roots(WorkerState *w, int first) noexcept nogil:
    # Sorts the root moves from `first` on by node count, largest first; equal ones keep their order.
    cdef int i, j
    cdef RootMove moving
    for i in range(first + 1, w.root_count):
        moving = w.roots[i]
        j = i
        while j > first and w.roots[j - 1].nodes < moving.nodes:
            w.roots[j] = w.roots[j - 1]
            j -= 1
        w.roots[j] = moving


cdef inline int best_root(const WorkerState *w) noexcept nogil:
    # Index of the root move with the highest lower bound, of those not yet reported (MultiPV).
    cdef int i, best = w.root_first
    for i in range(best + 1, w.root_count):
        if w.roots[i].lower > w.roots[best].lower:
            best = i
    return best


cdef inline bint unrivalled(const WorkerState *w) noexcept nogil:
    # Whether the best root move's lower bound is no less than any other's upper bound.
    cdef int best = best_root(w)
    cdef int i
    for i in range(w.root_first, w.root_count):
        if i != best and w.roots[i].upper > w.roots[best].lower:
            return False
    return True


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
    cdef History *own_history           # state.history, unless it is another worker's
    cdef Worker lender                  # of the histories; None: nobody
    cdef object turnstile               # that state.helper points into (turnstile.pyx); None: none
    cdef readonly Parameters parameters
    cdef int revision                   # of the parameters that the reductions were computed for
    cdef int apply_parameters(self) except -1
    cdef int check_idle(self) except -1         # RuntimeError if a thread is searching
    cdef int check_ready(self) except -1        # ... or ValueError if there is no position
    cdef int begin(self, int depth) except -1   # a search by the calling thread; ValueError: no such depth
    cdef void end(self) noexcept
