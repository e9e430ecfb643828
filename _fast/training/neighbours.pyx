"""Positions beside the games, on walks that begin with a random move and go on by shallow searches.

Most positions that a search values come after moves nobody plays: in a tree that alpha-beta visits one side
tries everything, the other answers well. So it is on a walk. Games alone hardly hold such positions, and a
network that has not seen them knows little of material. A neighbour costs a search of a few plies, one more
position of a game a real one.
"""

from _fast.search.alphabeta cimport alpha_beta
from _fast.bits cimport next_random
from _fast.board.board cimport Board
from _fast.board.movegen cimport generate, gives_check
from _fast.search.node cimport PV_NODE
from _fast.board.position cimport make, repetition_key
from _fast.types cimport INFINITE, MAX_MOVES, Move, NO_MOVE, is_tactical
from _fast.search.worker cimport WorkerState


cdef class Neighbourhood:
    """`walks` from each position, each a random move and `plies` more.

    depth: of the searches, in plies; 0 is quiescence alone (captures, promotions, evasions, a check).
    seed: other numbers, other walks. worker: searches, and has the evaluation.
    """

    def __init__(self, Worker worker not None, int walks, int plies=8, int depth=0, uint64_t seed=1):
        self.worker = worker
        self.walks = walks
        self.plies = plies
        self.depth = depth
        self.seed = seed
        worker.set_position(Board())    # gives it memory

    cdef bint leave(self, const Position *pos, uint64_t *rng) noexcept nogil:
        # The first step of a walk, a random move; False if there is none.
        self.at = pos[0]
        self.random_side = pos.side
        return self.random_move(rng)

    cdef bint random_move(self, uint64_t *rng) noexcept nogil:
        # Any move; False if there is none.
        cdef Position before = self.at
        cdef Move[MAX_MOVES] moves
        cdef int count = <int> (generate(&before, moves) - moves)
        if count:
            make(&before, &self.at, moves[next_random(rng) % <uint64_t> count], True)
        return count > 0

    cdef bint look(self, Value *value) noexcept nogil:
        # Searches where the walk stands, as if nothing had been before: its value for the side to move. True
        # if it is quiet: no check, and neither capture nor promotion nor check is best.
        cdef WorkerState *w = &self.worker.state
        w.root.pos = self.at
        w.root.pos.rule50 = w.root.pos.plies_from_null = 0
        w.root.threats = 0
        w.root_index = 0
        w.keys[0] = repetition_key(&self.at)
        value[0] = alpha_beta(w, -INFINITE, INFINITE, self.depth, 0, PV_NODE)
        self.best = w.root.line[0] if w.root.line_length else NO_MOVE
        if self.best == NO_MOVE:        # not quiet where the table knew of a capture, but not which
            self.quiet = not self.at.checkers and value[0] == w.root.static_value
        else:
            self.quiet = (not self.at.checkers and not is_tactical(self.best)
                          and not gives_check(&self.at, self.best))
        return self.quiet

    cdef bint step(self, uint64_t *rng) noexcept nogil:
        # One more move; False if there is none. Whoever began with a random move does so now and again.
        cdef Position before = self.at
        if self.quiet and self.at.side == self.random_side and next_random(rng) & 1:
            return self.random_move(rng)
        if self.best == NO_MOVE:
            return False
        make(&before, &self.at, self.best, True)
        return True
