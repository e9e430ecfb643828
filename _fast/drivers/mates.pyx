"""Mate problems: is there a forced mate in n moves?

An AND/OR search: the attacker needs one move, the defender one escape. Nothing is pruned. It is fast because
the last move must give check, replies that refuted other moves are tried first (killers), and a hash table
holds, for each position, the n up to which a mate is refuted and the n for which it is proved.
"""

cimport cython
from libc.stdint cimport uint8_t, uint64_t
from libc.stdlib cimport calloc, free

from sssnake._fast.board.movegen cimport count_legal, generate, gives_check
from sssnake._fast.search.node cimport enter_child
from sssnake._fast.board.position cimport MAY_CHECK, Position, make
from sssnake._fast.types cimport FIFTY, Key, MAX_MOVES, MAX_PLY, Move, NO_MOVE, is_tactical
from sssnake._fast.search.worker cimport Stack, Worker, WorkerState, out_of_time

cdef enum:
    MEMO_BITS = 18                      # log2 of the entries, 16 bytes each
    CHECK_BONUS = 12                    # replies that a check counts less
    LINE_FACTOR = 4                     # nodes for the line: at most those of the proof times this ...
    LINE_LEAST = 100000                 # ... or this many
    DEEPEST = 64                        # moves


cdef struct Memo:                       # hash table entry: a position with the attacker to move
    Key key
    Move move                           # that mates in `proved` moves
    uint8_t refuted                     # there is no mate in so many moves
    uint8_t proved                      # there is a mate in so many moves; 0: unknown


cdef struct Solver:
    WorkerState *w
    Memo *memo
    Move killers[MAX_PLY + 2]


cdef inline Memo *memo_of(Solver *s, Key key) noexcept nogil:
    return &s.memo[key >> (64 - MEMO_BITS)]


cdef int root_moves(const WorkerState *w, Move *moves) noexcept nogil:
    # The root moves allowed by `searchmoves`.
    cdef int i
    for i in range(w.root_count):
        moves[i] = w.roots[i].move
    return w.root_count


cdef int moves_at(const WorkerState *w, int ply, Move *moves) noexcept nogil:
    if ply == 0:
        return root_moves(w, moves)
    return <int> (generate(&(w.root + ply).pos, moves) - moves)


cdef void bring_to_front(Move *moves, int count, Move first) noexcept nogil:
    # Exchanges a move with the first one, if it is in the list.
    cdef int i
    for i in range(1, count):
        if moves[i] == first:
            moves[i] = moves[0]
            moves[0] = first
            return


cdef void fewest_replies_first(const Position *pos, Move *moves, int count) noexcept nogil:
    # Sorts the attacker's moves by the number of replies, fewest first; checks count less.
    cdef Position after
    cdef int[MAX_MOVES] freedom
    cdef int i, j, free_moves
    cdef Move move
    for i in range(count):
        move = moves[i]
        make(pos, &after, move, MAY_CHECK)
        free_moves = count_legal(&after) - (CHECK_BONUS if after.checkers else 0)
        j = i
        while j > 0 and freedom[j - 1] > free_moves:
            freedom[j] = freedom[j - 1]
            moves[j] = moves[j - 1]
            j -= 1
        freedom[j] = free_moves
        moves[j] = move


cdef Move mate_at_once(WorkerState *w, int ply) noexcept nogil:
    cdef Stack *ss = w.root + ply
    cdef Move[MAX_MOVES] moves
    cdef int i
    for i in range(moves_at(w, ply, moves)):
        if gives_check(&ss.pos, moves[i]):
            enter_child(w, ss, moves[i], ply, MAY_CHECK)
            if count_legal(&ss[1].pos) == 0:
                return moves[i]
    return NO_MOVE


cdef Move mating_move(Solver *s, int ply, int n) noexcept nogil:
    # A move that mates in n moves at most; NO_MOVE: there is none, or the search was stopped.
    cdef WorkerState *w = s.w
    cdef Stack *ss = w.root + ply
    cdef Memo *memo = memo_of(s, ss.pos.key)
    cdef bint in_time = ss.pos.rule50 + 2 * n < FIFTY   # else the result depends on the clock
    cdef bint known = memo.key == ss.pos.key and ply > 0 and in_time
    cdef Move[MAX_MOVES] moves
    cdef Move found = NO_MOVE
    cdef int i, count
    if w.nodes >= w.check_at and out_of_time(w):
        return NO_MOVE
    if known and memo.proved and memo.proved <= n:
        return memo.move
    if known and memo.refuted >= n:
        return NO_MOVE
    if ply > 0 and ss.pos.rule50 >= FIFTY:
        return NO_MOVE                  # the defender's move has drawn by the 50-move rule
    if n == 1:
        return mate_at_once(w, ply)
    count = moves_at(w, ply, moves)
    fewest_replies_first(&ss.pos, moves, count)
    for i in range(count):
        enter_child(w, ss, moves[i], ply, MAY_CHECK)
        if not escapes(s, ply + 1, n - 1):
            found = moves[i]
            break
        if w.stopped:
            return NO_MOVE
    if w.stopped:
        return NO_MOVE
    if ply > 0 and in_time:
        if memo.key != ss.pos.key:
            memo.key, memo.refuted, memo.proved = ss.pos.key, 0, 0
        if found:
            memo.move, memo.proved = found, <uint8_t> n
        else:
            memo.refuted = <uint8_t> n
    return found


cdef bint escapes(Solver *s, int ply, int n) noexcept nogil:
    # Whether the side to move can avoid being mated within n moves of the other side.
    cdef WorkerState *w = s.w
    cdef Stack *ss = w.root + ply
    cdef Move[MAX_MOVES] moves
    cdef int count = moves_at(w, ply, moves)
    cdef int i, front = 0
    if count == 0:
        return not ss.pos.checkers
    if n == 0 or ss.pos.rule50 >= FIFTY:
        return True
    for i in range(count):              # the killer first, then captures
        if is_tactical(moves[i]):
            moves[i], moves[front] = moves[front], moves[i]
            front += 1
    bring_to_front(moves, count, s.killers[ply])
    for i in range(count):
        enter_child(w, ss, moves[i], ply, MAY_CHECK)
        if not mating_move(s, ply + 1, n):
            s.killers[ply] = moves[i]
            return True
    return False


cdef int shortest(Solver *s, int ply, int n) noexcept nogil:
    # The least number of moves, n at most, in which the side to move mates; 0 if it does not.
    cdef int i
    for i in range(1, n + 1):
        if mating_move(s, ply, i):
            return i
    return 0


cdef Move longest_defence(Solver *s, int ply, int *n) noexcept nogil:
    # The reply after which the mate takes longest; sets *n to its number of moves.
    cdef Move[MAX_MOVES] moves
    cdef Move best = NO_MOVE
    cdef int i, length
    cdef int longest = 0
    for i in range(moves_at(s.w, ply, moves)):
        enter_child(s.w, s.w.root + ply, moves[i], ply, MAY_CHECK)
        length = shortest(s, ply + 1, n[0])
        if length > longest:
            longest = length
            best = moves[i]
    n[0] = longest
    return best


cdef int follow(Solver *s, bint attacking, int n, Move *line) noexcept nogil:
    # Fills `line` with the mate from the root. Returns its length; 0 if stopped before its end.
    cdef int ply = 0
    cdef Move move
    while True:
        if attacking:
            n = shortest(s, ply, n)
            move = mating_move(s, ply, n) if n else NO_MOVE
            n -= 1
        else:
            if count_legal(&(s.w.root + ply).pos) == 0:
                return ply
            move = longest_defence(s, ply, &n)
        if move == NO_MOVE or s.w.stopped:
            return 0
        line[ply] = move
        enter_child(s.w, s.w.root + ply, move, ply, MAY_CHECK)
        ply += 1
        attacking = not attacking


@cython.final
cdef class MateSolver:
    """A solver of mate problems, with its hash table. Raises MemoryError."""

    cdef Solver solver
    cdef bint solving

    def __cinit__(self):
        self.solver.memo = <Memo *> calloc(1 << MEMO_BITS, sizeof(Memo))
        if self.solver.memo == NULL:
            raise MemoryError("no memory for mate problems")

    def __dealloc__(self):
        free(self.solver.memo)

    def solve(self, Worker worker not None, int n, uint64_t budget):
        """The line of a mate in n moves at the root of `worker`; called with n = 1, 2, ... the shortest.

        Its length is odd if the side to move mates, even if it is mated; empty: there is none. None: a limit
        of the search was reached first, or `budget` nodes. Call between passes.
        """
        cdef WorkerState *w = &worker.state
        cdef Solver *s = &self.solver
        cdef uint64_t limit = w.node_limit
        cdef uint64_t last = w.nodes + budget
        cdef uint64_t before = w.nodes
        cdef bint attacking, mated = False
        cdef int length = 0
        cdef Move[MAX_PLY + 2] line
        if not 1 <= n <= DEEPEST:
            raise ValueError(f"a mate in {n} moves is beyond this search: 1 to {DEEPEST}")
        if self.solving:
            raise RuntimeError("the solver is at work in another thread")
        worker.begin(0)
        self.solving = True
        s.w = w
        w.node_limit = min(limit or last, last)
        w.check_at = w.nodes
        with nogil:
            attacking = mating_move(s, 0, n) != NO_MOVE
            if not attacking and not w.stopped:
                mated = not escapes(s, 0, n) and not w.stopped
            if attacking or mated:
                w.node_limit = w.nodes + max(LINE_LEAST, LINE_FACTOR * (w.nodes - before))
                length = follow(s, attacking, n, line)
        worker.end()
        self.solving = False
        stopped = w.stopped
        w.node_limit, w.stopped = limit, False
        w.check_at = w.nodes
        return None if stopped else [line[i] for i in range(length)]
