"""Random walks: positions near those of games, after a random move and moves of shallow searches.

Most positions that a search evaluates come after moves that nobody plays: in an alpha-beta tree one side
tries all moves, the other replies well. A walk is like that. Games hold few such positions, and a network
trained on games alone evaluates material badly. A position of a walk costs a search of a few plies, one of a
game a full search.
"""

from sssnake._fast.search.alphabeta cimport alpha_beta
from sssnake._fast.bits cimport next_random
from sssnake._fast.board.board cimport Board
from sssnake._fast.board.movegen cimport generate, gives_check
from sssnake._fast.search.node cimport PV_NODE
from sssnake._fast.board.position cimport MAY_CHECK, make, repetition_key
from sssnake._fast.types cimport INFINITE, MAX_MOVES, MAX_PLY, Move, NO_MOVE, is_tactical
from sssnake._fast.search.worker cimport WorkerState


cdef class Neighbourhood:
    """`walks` random walks from each position: a random move and `plies` more moves.

    worker: for the searches. depth: of the searches, in plies; 0 is quiescence search alone. seed: of the
    random numbers.
    """

    def __init__(self, Worker worker not None, int walks, int plies=8, int depth=0, uint64_t seed=1):
        if not (0 <= walks <= MOST_WALKS and 0 <= plies <= MAX_PLY and 0 <= depth <= MAX_PLY):
            raise ValueError(f"no random walks: {walks} of {plies} plies, searches of {depth}")
        worker.set_position(Board())    # allocates its memory
        self.worker = worker
        self.walks = walks
        self.plies = plies
        self.depth = depth
        self.seed = seed

    cdef bint begin(self, const Position *pos, uint64_t *rng) noexcept nogil:
        # The first move of a walk, a random one; False if there is no move.
        self.at = pos[0]
        self.random_side = pos.side
        return self.random_move(rng)

    cdef bint random_move(self, uint64_t *rng) noexcept nogil:
        # A random move; False if there is no move.
        cdef Position before = self.at
        cdef Move[MAX_MOVES] moves
        cdef int count = <int> (generate(&before, moves) - moves)
        if count:
            make(&before, &self.at, moves[next_random(rng) % <uint64_t> count], MAY_CHECK)
        return count > 0

    cdef bint search(self, Value *value) noexcept nogil:
        # Searches the walk's position, without its history; *value is for the side to move. True if it is
        # quiet: not in check, and the best move is no capture, promotion or check.
        cdef WorkerState *w = &self.worker.state
        w.root.pos = self.at
        w.root.pos.rule50 = w.root.pos.plies_from_null = 0
        w.root.threats = 0
        w.root_index = 0
        w.keys[0] = repetition_key(&self.at)
        value[0] = alpha_beta(w, -INFINITE, INFINITE, self.depth, 0, PV_NODE)
        self.best = w.root.line[0] if w.root.line_length else NO_MOVE
        if self.best == NO_MOVE:        # after a TT cutoff: a capture's value differs from the static one
            self.quiet = not self.at.checkers and value[0] == w.root.static_value
        else:
            self.quiet = (not self.at.checkers and not is_tactical(self.best)
                          and not gives_check(&self.at, self.best))
        return self.quiet

    cdef bint step(self, uint64_t *rng) noexcept nogil:
        # The next move; False if there is none. In quiet positions every second one of the random side is
        # random.
        cdef Position before = self.at
        if self.quiet and self.at.side == self.random_side and next_random(rng) & 1:
            return self.random_move(rng)
        if self.best == NO_MOVE:
            return False
        make(&before, &self.at, self.best, MAY_CHECK)
        return True
