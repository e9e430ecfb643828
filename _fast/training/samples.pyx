"""From logged games to training positions: replay, keep what is quiet, write it down for the trainer.

Kept are positions whose mover is not in check, plays neither a capture nor a promotion, and gave a score
within a limit that leaves mates out; and, where wanted, neighbours of them and what searches from them
evaluated. Score and result are turned to the mover's view.
"""

cimport cython
from libc.stdint cimport int16_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from _fast.bits cimport popcount
from _fast.board.board cimport Board
from _fast.board.movegen cimport is_legal
from _fast.training.harvest cimport Harvest
from _fast.training.neighbours cimport DECIDED, Neighbourhood
from _fast.board.position cimport Position, make
from _fast.training.samples cimport BLACK_MOVES, CHESS960, MAX_PIECES, NEIGHBOUR, Sample, expand, piece_code
from _fast.types cimport BLACK, KING, NO_PIECE, Value, bit, is_tactical, relative_square

SAMPLE_SIZE = sizeof(Sample)


cdef void describe(const Position *pos, Sample *sample) noexcept nogil:
    # The board as the mover sees it.
    cdef int us = pos.side
    cdef int index = 0
    cdef int sq, piece
    sample.occupied = 0
    memset(sample.pieces, 0, sizeof(sample.pieces))
    for sq in range(64):
        piece = pos.board[relative_square(us, sq)]
        if piece != NO_PIECE:
            sample.occupied |= bit(sq)
            sample.pieces[index >> 1] |= (piece ^ us) << (4 * (index & 1))
            index += 1


@cython.final
cdef class Collector:
    """Gathers the quiet positions of games, and counts why the others were left out."""

    cdef Sample *samples
    cdef size_t length, capacity
    cdef Neighbourhood neighbourhood
    cdef readonly int skip, limit
    cdef readonly long long plies       # positions seen
    cdef readonly long long opening     # left out: among the first `skip` plies of their game
    cdef readonly long long in_check    # ... the mover is in check
    cdef readonly long long tactical    # ... a capture or promotion was played
    cdef readonly long long unscored    # ... no score, a mate, or beyond the limit

    def __cinit__(self):
        self.samples = NULL

    def __init__(self, int skip=0, int limit=31743, Neighbourhood neighbourhood=None):
        """Leave out the first `skip` plies of a game and scores beyond +-`limit` centipawns.

        neighbourhood: where the kept positions get neighbours from, the same ones for the same game.
        """
        self.skip = skip
        self.limit = limit
        self.neighbourhood = neighbourhood

    def __dealloc__(self):
        free(self.samples)

    def __len__(self):
        return self.length

    def add(self, Board start not None, const uint16_t[::1] moves, const int16_t[::1] scores, int result,
            uint32_t game):
        """Replay a game: moves and White's scores as logged, White's result 0..2, a number to know it by.

        ValueError, and nothing kept of the game, where a move is not legal.
        """
        cdef Position pos = start.pos
        cdef Position child
        cdef size_t before = self.length
        cdef int flags = CHESS960 if start.chess960 else 0
        cdef int beside = 0
        cdef Py_ssize_t ply
        if scores.shape[0] != moves.shape[0]:
            raise ValueError(f"{moves.shape[0]} moves and {scores.shape[0]} scores")
        if self.neighbourhood is not None:
            beside = self.neighbourhood.walks * (self.neighbourhood.plies + 1)
        self.reserve(before + (1 + beside) * moves.shape[0])
        for ply in range(moves.shape[0]):
            if not is_legal(&pos, moves[ply]):
                self.length = before
                raise ValueError(f"an illegal move at ply {ply + 1}")
            if self.wants(&pos, ply, moves[ply], scores[ply]):
                self.keep(&pos, -scores[ply] if pos.side == BLACK else scores[ply], result, flags, game)
                if beside:
                    with nogil:
                        self.walk(self.neighbourhood, &pos, flags, game, ply)
            make(&pos, &child, moves[ply], True)
            pos = child
        self.plies += moves.shape[0]

    def gather(self, Harvest harvest not None, uint32_t game):
        """Keep what a harvest holds, with static values; it comes from near the game of that number."""
        cdef int64_t i
        self.reserve(self.length + harvest.samples.count)
        for i in range(harvest.samples.count):
            if -self.limit <= harvest.samples.values[i] <= self.limit:
                self.keep(&harvest.samples.positions[i], harvest.samples.values[i], 1, NEIGHBOUR, game)

    cdef void keep(self, const Position *pos, int score, int result, int flags, uint32_t game) noexcept nogil:
        # One more sample, for which there is room. Score: the mover's; result: White's.
        cdef Sample *sample = &self.samples[self.length]
        describe(pos, sample)
        sample.score = score
        sample.result = 2 - result if pos.side == BLACK else result
        sample.flags = (BLACK_MOVES if pos.side == BLACK else 0) | flags
        sample.game = game
        self.length = self.length + 1       # `+=` would need the GIL in the sanitizers' build

    cdef void walk(self, Neighbourhood around, const Position *pos, int flags, uint32_t game,
                   Py_ssize_t ply) noexcept nogil:
        # The neighbours of a kept position; nobody knows how their games would end.
        cdef uint64_t rng = around.seed * ((<uint64_t> game << 32) + 2 * <uint64_t> ply + 1)
        cdef Value value
        cdef int _walk, _ply
        for _walk in range(around.walks):
            if not around.leave(pos, &rng):
                return
            for _ply in range(around.plies + 1):
                if around.look(&value) and -self.limit <= value <= self.limit:
                    self.keep(&around.at, value, 1, flags | NEIGHBOUR, game)
                if not -DECIDED < value < DECIDED or not around.step(&rng):
                    break

    cdef bint wants(self, const Position *pos, Py_ssize_t ply, uint16_t move, int score) noexcept:
        # Whether the position is one to learn from.
        if ply < self.skip:
            self.opening += 1
        elif pos.checkers:
            self.in_check += 1
        elif is_tactical(move):
            self.tactical += 1
        elif not -self.limit <= score <= self.limit:
            self.unscored += 1
        else:
            return True
        return False

    cdef int reserve(self, size_t length) except -1:
        cdef size_t capacity = max(length, 2 * self.capacity)
        cdef void *grown
        if length > self.capacity:
            grown = realloc(self.samples, capacity * sizeof(Sample))
            if grown == NULL:
                raise MemoryError
            self.samples = <Sample *> grown
            self.capacity = capacity
        return 0

    def samples_so_far(self):
        """All kept positions, SAMPLE_SIZE bytes each."""
        return (<char *> self.samples)[:self.length * sizeof(Sample)] if self.length else b""


def validate(const unsigned char[::1] samples not None):
    """ValueError unless these are samples that the trainer can compute with."""
    cdef Py_ssize_t i
    cdef int index, count, code
    cdef int kings[2]
    cdef const Sample *sample
    if samples.shape[0] % sizeof(Sample):
        raise ValueError(f"{samples.shape[0]} bytes are no whole number of samples")
    for i in range(samples.shape[0] // <Py_ssize_t> sizeof(Sample)):
        sample = <const Sample *> &samples[i * <Py_ssize_t> sizeof(Sample)]
        count = popcount(sample.occupied)
        kings[0] = kings[1] = 0
        for index in range(min(count, MAX_PIECES)):
            code = piece_code(sample, index)
            if code >= 2 * KING:
                kings[code & 1] += 1 if code < NO_PIECE else MAX_PIECES
        if count > MAX_PIECES or kings[0] != 1 or kings[1] != 1 or sample.result > 2:
            raise ValueError(f"sample {i} is no chess position")


def features(const unsigned char[::1] sample not None):
    """The active features of one sample: (mover's, other's), each in the order of the mover's squares."""
    cdef uint16_t mover[MAX_PIECES]
    cdef uint16_t other[MAX_PIECES]
    cdef int count, i
    if sample.shape[0] != sizeof(Sample):
        raise ValueError(f"a sample has {sizeof(Sample)} bytes, not {sample.shape[0]}")
    count = expand(<const Sample *> &sample[0], mover, other)
    return [mover[i] for i in range(count)], [other[i] for i in range(count)]
