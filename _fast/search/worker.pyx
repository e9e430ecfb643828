"""One search thread: its state between nodes, passes and searches, and the limits that stop it."""

import time
from math import log
from typing import NamedTuple

from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy, memset

from sssnake._fast.bits cimport load_int, load_int64, store_int, store_int64
from sssnake._fast.board.movegen cimport generate
from sssnake._fast.clock cimport now_ns
from sssnake._fast.evaluation.nnue cimport Network, Recording, clear_accumulators, detach, reserve
from sssnake._fast.evaluation.pst cimport SHIPPED, Weights
from sssnake._fast.pages cimport allocate, release
from sssnake._fast.search.history cimport NO_PIECE_TO
from sssnake._fast.search.params cimport Parameters
from sssnake._fast.board.board cimport Board, has_repeated, is_repeatable
from sssnake._fast.board.syzygy cimport Tables
from sssnake._fast.types cimport INFINITE, Key, MAX_MOVES, MAX_PLY, Move, NO_MOVE, NO_VALUE


class RootEntry(NamedTuple):
    """A root move, the bounds of its value and its nodes in this iteration, its line (16-bit moves)."""

    move: int
    lower: int
    upper: int
    nodes: int
    line: list


cdef enum:
    STACK_SIZE = BEFORE_ROOT + MAX_PLY + 4
    FIRST_LEAVES = 1 << 16


cdef void log_leaf(WorkerState *w, Key key) noexcept nogil:
    # Appends a leaf. Without memory for it, the search stops.
    cdef Key *bigger
    if w.leaf_count == w.leaf_capacity:
        bigger = <Key *> realloc(w.leaves, 2 * w.leaf_capacity * sizeof(Key))
        if bigger == NULL:
            w.stopped = True
            return
        w.leaves = bigger
        w.leaf_capacity *= 2
    w.leaves[w.leaf_count] = key
    w.leaf_count += 1


cdef bint past_deadline(WorkerState *w, int64_t deadline) noexcept nogil:
    # Reads the clock, and records the time since the last reading.
    cdef int64_t now = now_ns()
    if w.looked_at:
        w.longest_gap = max(w.longest_gap, now - w.looked_at)
    w.looked_at = now
    return now >= deadline


cdef bint past_nodes(WorkerState *w, uint64_t limit) noexcept nogil:
    # Whether a node limit is reached (0: none). If not, the next check comes no later than the limit.
    if limit > w.nodes:
        w.check_at = min(w.check_at, limit)
    return limit != 0 and w.nodes >= limit


cdef bint out_of_time(WorkerState *w) noexcept nogil:
    # Checks all limits; called when w.nodes reaches w.check_at. Sets w.stopped.
    cdef int64_t deadline
    w.check_at = w.nodes + CHECK_EVERY
    if w.pause != NULL:
        w.pause(w)
    w.stopped = past_nodes(w, w.node_limit)
    if (w.obeys_limits or w.nodes >= FREE_NODES) and not w.stopped:
        deadline = load_int64(&w.limits.deadline)
        w.stopped = (load_int(&w.limits.stop) != 0 or past_nodes(w, <uint64_t> load_int64(&w.limits.nodes))
                     or deadline != 0 and past_deadline(w, deadline))
    return w.stopped


cdef void touch(WorkerState *w) noexcept nogil:
    # Before the first search: the memory that was allocated without being touched.
    w.used = True
    if not w.borrows:
        w.taught = True
    if w.untouched:
        clear_accumulators(&w.eval_memory.accumulators)
        w.untouched = False


cdef void begin_iteration(WorkerState *w, int depth) noexcept nogil:
    # Resets the bounds and node counts of the root moves.
    cdef int i
    touch(w)
    w.root_depth = depth
    for i in range(w.root_count):
        w.roots[i].lower = -INFINITE
        w.roots[i].upper = INFINITE
        w.roots[i].nodes = 0


cdef class StopFlag:
    """A stop flag and the limits that all threads of a search check; any thread may set them at any time."""

    def set(self):
        """Stop every worker that shares the flag."""
        store_int(&self.limits.stop, 1)

    def clear(self):
        """Allow searching again."""
        store_int(&self.limits.stop, 0)

    def is_set(self):
        """Whether the flag is set."""
        return load_int(&self.limits.stop) != 0

    def set_limits(self, int64_t nodes, int64_t deadline_ns):
        """Each worker stops after that many nodes, and all at that time.monotonic_ns(); 0 means no limit."""
        store_int64(&self.limits.nodes, nodes)
        if deadline_ns:                 # Python's clock may be another one: on macOS, on Windows before 3.13
            deadline_ns = max(1, deadline_ns - <int64_t> time.monotonic_ns() + now_ns())
        store_int64(&self.limits.deadline, deadline_ns)


cdef class Worker:
    """The state of one search thread.

    table, stop_flag, parameters (None: the defaults): shared with the other threads. Raises MemoryError.
    """

    def __cinit__(self, TranspositionTable table not None, StopFlag stop_flag not None,
                  Parameters parameters=None):
        cdef WorkerState *w = &self.state
        self.table = table
        self.stop_flag = stop_flag
        w.stack = <Stack *> calloc(STACK_SIZE, sizeof(Stack))
        w.history = self.own_history = <History *> allocate(sizeof(History))
        w.eval_memory = <EvalMemory *> calloc(1, sizeof(EvalMemory))
        if w.stack == NULL or w.history == NULL or w.eval_memory == NULL:
            raise MemoryError("no memory for a search thread")
        w.root = w.stack + BEFORE_ROOT
        w.table = &table.table
        w.limits = &stop_flag.limits
        w.learning = w.scout = True
        self.weights = SHIPPED
        w.eval_memory.weights = &self.weights.values
        self.parameters = Parameters() if parameters is None else parameters
        w.params = &self.parameters.values
        self.revision = -1
        self.apply_parameters()

    def __dealloc__(self):
        free(self.state.stack)
        release(self.own_history)
        if self.state.eval_memory != NULL:
            detach(&self.state.eval_memory.accumulators)
        free(self.state.eval_memory)
        free(self.state.keys)
        free(self.state.leaves)

    cdef int apply_parameters(self) except -1:
        # Computes the reductions again if a parameter has changed.
        cdef int depth, number
        cdef double both
        cdef double[REDUCTION_ENTRIES] logs
        cdef const Params *params = self.state.params
        if self.revision == self.parameters.revision:
            return 0
        self.revision = self.parameters.revision
        self.state.eval_memory.grain = params.grain
        for number in range(1, REDUCTION_ENTRIES):
            logs[number] = log(number)
        for depth in range(1, REDUCTION_ENTRIES):
            for number in range(1, REDUCTION_ENTRIES):
                both = logs[depth] * logs[number]
                self.state.reduction_quiet[depth][number] = <int> (params.lmr_base_quiet
                                                                   + params.lmr_scale_quiet * both)
                self.state.reduction_tactical[depth][number] = <int> (params.lmr_base_capture
                                                                      + params.lmr_scale_capture * both)
        return 0

    cdef int check_idle(self) except -1:
        if load_int(&self.state.searching):
            raise RuntimeError("the worker is searching")
        return 0

    cdef int check_ready(self) except -1:
        self.check_idle()
        if self.board is None:
            raise ValueError("the worker has no position")
        return 0

    cdef int begin(self, int depth) except -1:
        self.check_ready()
        if not 0 <= depth <= MAX_PLY:
            raise ValueError(f"depth {depth} is not within 0..{MAX_PLY}")
        touch(&self.state)
        store_int(&self.state.searching, 1)
        return 0

    cdef void end(self) noexcept:
        store_int(&self.state.searching, 0)

    def use_table(self, TranspositionTable table not None):
        """Search with another transposition table from now on."""
        self.check_idle()
        self.table = table
        self.state.table = &table.table

    def use_network(self, Network network, Recording recording=None, Weights weights=None, bint later=False):
        """Evaluate with `network` from now on; between searches only.

        None: piece-square tables evaluate, with `weights` (None: those shipped). recording: of the positions
        that the network evaluates. The transposition table and the histories are not cleared. later: the
        accumulators are initialized by the first iteration, in its thread; that takes milliseconds.
        """
        self.check_idle()
        reserve(&self.state.eval_memory.accumulators, network, recording)
        self.state.untouched = network is not None
        if self.state.untouched and not later:
            clear_accumulators(&self.state.eval_memory.accumulators)
            self.state.untouched = False
        self.network = network
        self.weights = SHIPPED if weights is None else weights
        self.state.eval_memory.weights = &self.weights.values
        self.recording = recording

    def use_tablebases(self, Tables tables, int pieces=0, int depth=1, bint fifty=True):
        """Probe `tables` (None: none) for positions of at most `pieces` pieces; between searches only.

        depth: plies left, at least. fifty: the 50-move rule is in force.
        """
        self.check_idle()
        self.tablebases = tables
        self.state.tablebases = NULL if tables is None else &tables.state
        self.state.probe_pieces = 0 if tables is None else min(pieces, tables.state.largest)
        self.state.probe_depth = depth
        self.state.fifty = fifty

    def new_game(self):
        """Clear the histories."""
        self.check_idle()
        if self.state.taught:           # else the memory of many threads would be touched for nothing
            memset(self.own_history, 0, sizeof(History))
            self.state.taught = False
        if self.state.used:
            memset(self.state.stack, 0, STACK_SIZE * sizeof(Stack))
            self.board = None
            self.state.used = False

    def set_position(self, Board board not None, list searchmoves=None):
        """Set the root to `board`, with its history. searchmoves: 16-bit moves, the only ones at the root.

        The root moves are in generation order. All counters are reset.
        """
        cdef WorkerState *w = &self.state
        cdef Move *end
        cdef Move[MAX_MOVES] moves
        cdef int i
        cdef int needed = board.history_length + STACK_SIZE
        cdef Key *keys
        cdef bint repeated
        self.check_idle()
        self.apply_parameters()
        if needed > self.keys_capacity:
            keys = <Key *> realloc(w.keys, needed * sizeof(Key))
            if keys == NULL:
                raise MemoryError("no memory for the game's history")
            w.keys = keys
            self.keys_capacity = needed
        self.board = board
        memcpy(w.keys, board.history, board.history_length * sizeof(Key))
        w.root_index = board.history_length - 1
        w.castling = board.castling
        w.root.pos = board.pos
        w.root.pos.castling = &w.castling
        w.root.threats = 0
        for i in range(BEFORE_ROOT):
            w.stack[i].static_value = NO_VALUE
            w.stack[i].move = NO_MOVE
            w.stack[i].continuation = NULL
            w.stack[i].piece_to = NO_PIECE_TO
        end = generate(&w.root.pos, moves)
        repeated = has_repeated(&w.root.pos, w.keys, w.root_index)
        w.root_count = 0
        for i in range(<int> (end - moves)):
            if searchmoves is None or moves[i] in searchmoves:
                w.roots[w.root_count].move = moves[i]
                w.roots[w.root_count].repeatable = repeated and is_repeatable(
                    &w.root.pos, w.keys, w.root_index, moves[i])
                w.roots[w.root_count].line_length = 0
                w.root_count += 1
        w.restricted = w.root_count < <int> (end - moves)
        w.root_first = 0
        w.nodes = w.tb_hits = 0
        w.selective_depth = 0
        w.path_ply = MAX_PLY
        w.stopped = False
        w.obeys_limits = False
        w.node_limit = 0
        w.looked_at = w.longest_gap = 0
        w.exact = False
        w.learning = w.scout = True
        w.check_at = 0

    def obey_limits(self):
        """Check the stop flag and its limits from now on, until the next `set_position`."""
        obey_limits(&self.state)

    def share_history(self, Worker lender):
        """Use the histories of another worker, or its own again (None); between searches only."""
        self.check_idle()
        self.lender = lender
        self.state.borrows = lender is not None
        self.state.history = self.own_history if lender is None else lender.own_history

    def set_exact(self, bint exact, bint log_leaves=False):
        """Laboratory: full width, static leaves, generation order. log_leaves: start an empty leaf log."""
        cdef WorkerState *w = &self.state
        self.check_idle()
        w.exact = exact
        free(w.leaves)
        w.leaves = NULL
        w.leaf_count = w.leaf_capacity = 0
        if log_leaves:
            w.leaves = <Key *> malloc(FIRST_LEAVES * sizeof(Key))
            if w.leaves == NULL:
                raise MemoryError("no memory for the leaf log")
            w.leaf_capacity = FIRST_LEAVES

    def leaves(self):
        """Keys of the leaves evaluated since the log was started, in order (a list)."""
        self.check_idle()
        return [self.state.leaves[i] for i in range(self.state.leaf_count)]

    def new_iteration(self, int depth):
        """Begin an iteration: reset the bounds and node counts of the root moves."""
        self.begin(depth)
        begin_iteration(&self.state, depth)
        self.end()

    def set_learning(self, bint learning):
        """Whether the next passes update the histories, store moves in the TT and have PV nodes.

        Drivers switch it off where gamma is far from the value: cutoffs there say little about good moves.
        """
        self.state.learning = learning

    def set_scouting(self, bint scout):
        """Whether later moves are searched in a null window first; off: plain alpha-beta."""
        self.state.scout = scout

    def set_multipv(self, int index):
        """Search only root moves from `index` on; those before it are the better lines already found."""
        self.check_idle()
        if not 0 <= index < max(1, self.state.root_count):
            raise IndexError(index)
        self.state.root_first = index

    def promote(self, int index, int to=0):
        """Move root move `index` forward to place `to`; the others keep their order."""
        self.check_idle()
        if not (0 <= index < self.state.root_count and to >= 0):
            raise IndexError(index)
        move_root(&self.state, index, to)

    def sort_roots(self, int first=0):
        """Sort the root moves from `first` on by node count, largest first; equal ones keep their order."""
        self.check_idle()
        if not 0 <= first <= self.state.root_count:
            raise IndexError(first)
        sort_roots(&self.state, first)

    def best_root(self):
        """Index of the root move with the highest lower bound, of those not yet reported (MultiPV)."""
        return best_root(&self.state)

    def effort(self, Move move):
        """A root move's share of this iteration's nodes, 0 to 1."""
        cdef uint64_t own = 0, total = 0
        cdef int i
        for i in range(self.state.root_count):
            total += self.state.roots[i].nodes
            if self.state.roots[i].move == move:
                own = self.state.roots[i].nodes
        return <double> own / <double> max(total, <uint64_t> 1)

    def root(self, int index):
        """A root move as it stands, by its index. IndexError."""
        cdef RootMove *root
        if not 0 <= index < self.state.root_count:
            raise IndexError(index)
        root = &self.state.roots[index]
        line = [root.line[i] for i in range(root.line_length)]
        return RootEntry(root.move, root.lower, root.upper, root.nodes, line)

    def line(self, int index):
        """The line of a root move, which begins with it if the move failed high in a pass. IndexError."""
        cdef RootMove *root
        if not 0 <= index < self.state.root_count:
            raise IndexError(index)
        root = &self.state.roots[index]
        return [root.line[i] for i in range(root.line_length)]

    @property
    def exact(self):
        """Whether the laboratory's exact mode is on."""
        return self.state.exact

    @property
    def root_first(self):
        """Index of the first root move that is searched (MultiPV)."""
        return self.state.root_first

    @property
    def root_count(self):
        """Number of root moves."""
        return self.state.root_count

    @property
    def nodes(self):
        """Positions visited since set_position."""
        return self.state.nodes

    @property
    def tb_hits(self):
        """Positions found in endgame tablebases since set_position."""
        return self.state.tb_hits

    @property
    def longest_gap(self):
        """Longest time between two readings of the clock since set_position, seconds; 0 without deadline."""
        return self.state.longest_gap / 1e9

    @property
    def selective_depth(self):
        """Deepest ply reached since set_position."""
        return self.state.selective_depth

    @property
    def stopped(self):
        """Whether a limit stopped the last pass: its value is void."""
        return self.state.stopped
