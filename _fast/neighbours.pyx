"""Positions beside the games: a random move away from what was played, valued by a shallow search.

Most positions that a search values come after moves nobody plays; games alone hardly hold any, and a network
that has not seen them knows little of material. A neighbour costs microseconds, where one more position of a
game costs a search.
"""

from _fast.alphabeta cimport alpha_beta
from _fast.board cimport Board
from _fast.movegen cimport generate
from _fast.node cimport FLAGGED
from _fast.position cimport make, repetition_key
from _fast.types cimport INFINITE, MAX_MOVES, Move, is_tactical
from _fast.worker cimport WorkerState

cdef enum:
    LONGEST_EXCHANGE = 8                # plies played out until the position is quiet


cdef inline uint64_t roll(uint64_t *dice) noexcept nogil:
    # The next of a sequence of random numbers (splitmix64: Steele, Lea & Flood 2014).
    cdef uint64_t x
    dice[0] += <uint64_t> 0x9E3779B97F4A7C15
    x = dice[0]
    x = (x ^ (x >> 30)) * <uint64_t> 0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * <uint64_t> 0x94D049BB133111EB
    return x ^ (x >> 31)


cdef void stand_at(WorkerState *w, const Position *pos) noexcept nogil:
    # Put the search's root there; what was before the position is forgotten.
    w.root.pos = pos[0]
    w.root.pos.rule50 = w.root.pos.plies_from_null = 0
    w.root_index = 0
    w.keys[0] = repetition_key(pos)


cdef class Neighbourhood:
    """`count` neighbours of each position, valued by a search of `depth` plies (0: quiescence) of `worker`.

    seed: other numbers, other neighbours.
    """

    def __init__(self, Worker worker not None, int count, int depth=0, uint64_t seed=1):
        self.worker = worker
        self.count = count
        self.depth = depth
        self.seed = seed
        worker.set_position(Board())    # gives it memory

    cdef bint visit(self, const Position *pos, uint64_t *dice, Position *found, Value *value) noexcept nogil:
        # A random move, then the captures, promotions and evasions that the search wants to follow. False if
        # that does not lead to a quiet position; else the position, and its value for the side to move.
        cdef WorkerState *w = &self.worker.state
        cdef Move[MAX_MOVES] moves
        cdef int count = <int> (generate(pos, moves) - moves)
        cdef int _ply
        if count == 0:
            return False
        make(pos, found, moves[roll(dice) % <uint64_t> count])
        for _ply in range(LONGEST_EXCHANGE):
            stand_at(w, found)
            value[0] = alpha_beta(w, -INFINITE, INFINITE, self.depth, 0, FLAGGED)
            if w.root.line_length == 0:         # or the table knew of a capture, but not which
                return not found.checkers and value[0] == w.root.static_value
            if not found.checkers and not is_tactical(w.root.line[0]):
                return True
            make(&w.root.pos, found, w.root.line[0])
        return False
