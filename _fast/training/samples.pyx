"""Training samples from logged games: replays games and keeps quiet positions.

A position is kept if the side to move is not in check, plays no capture or promotion, and has a score within
a limit, below mates. Optionally, positions of random walks and of searches are added. Score and result are
from the view of the side to move.
"""

cimport cython
from libc.stdint cimport int16_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memset

from sssnake._fast.bits cimport popcount
from sssnake._fast.board.board cimport Board
from sssnake._fast.board.movegen cimport is_legal
from sssnake._fast.training.harvest cimport Harvest
from sssnake._fast.training.neighbours cimport DECIDED, Neighbourhood
from sssnake._fast.board.position cimport MAY_CHECK, Position, make
from sssnake._fast.training.samples cimport (
    BLACK_MOVES, CHESS960, MAX_PIECES, NEIGHBOUR, Sample, expand, piece_code,
)
from sssnake._fast.search.worker cimport Worker
from sssnake._fast.types cimport BLACK, KING, NO_PIECE, Value, bit, is_tactical, relative_square

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
    """Collects the quiet positions of games, and counts the others by reason."""

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

        neighbourhood: random walks from the kept positions, the same ones for the same game.
        """
        self.skip = skip
        self.limit = limit
        self.neighbourhood = neighbourhood

    def __dealloc__(self):
        free(self.samples)

    def __len__(self):
        return self.length

    def add(self, Board start not None, const uint16_t[::1] moves not None,
            const int16_t[::1] scores not None, int result, uint32_t game):
        """Replay a game: its moves, White's scores and White's result (0..2) as logged; game: its number.

        ValueError if a move is not legal; then nothing of the game is kept. RuntimeError: the worker of the
        random walks is searching.
        """
        cdef Worker worker = None if self.neighbourhood is None else self.neighbourhood.worker
        if worker is not None:
            worker.begin(0)
            worker.board = start            # which holds the castling rights of the walks' positions
        try:
            self.replay(start, moves, scores, result, game)
        finally:
            if worker is not None:
                worker.end()

    cdef int replay(self, Board start, const uint16_t[::1] moves, const int16_t[::1] scores, int result,
                    uint32_t game) except -1:
        cdef Position pos = start.pos
        cdef Position child
        cdef size_t before = self.length
        cdef int flags = CHESS960 if start.chess960 else 0
        cdef int beside = 0
        cdef Py_ssize_t ply
        if scores.shape[0] != moves.shape[0]:
            raise ValueError(f"{moves.shape[0]} moves and {scores.shape[0]} scores")
        if not 0 <= result <= 2:
            raise ValueError(f"{result} is no result")
        if self.neighbourhood is not None and self.neighbourhood.worker is not None:
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
            make(&pos, &child, moves[ply], MAY_CHECK)
            pos = child
        self.plies += moves.shape[0]
        return 0

    def gather(self, Harvest harvest not None, uint32_t game):
        """Keep the positions of a harvest with their static values; game: number of the game near them."""
        cdef int64_t i
        self.reserve(self.length + harvest.samples.count)
        for i in range(harvest.samples.count):
            if -self.limit <= harvest.samples.values[i] <= self.limit:
                self.keep(&harvest.samples.positions[i], harvest.samples.values[i], 1, NEIGHBOUR, game)

    cdef void keep(self, const Position *pos, int score, int result, int flags, uint32_t game) noexcept nogil:
        # Appends a sample; there is room. score: the mover's view; result: White's view.
        cdef Sample *sample = &self.samples[self.length]
        describe(pos, sample)
        sample.score = score
        sample.result = 2 - result if pos.side == BLACK else result
        sample.flags = (BLACK_MOVES if pos.side == BLACK else 0) | flags
        sample.game = game
        self.length = self.length + 1       # `+=` would need the GIL in the sanitizers' build

    cdef void walk(self, Neighbourhood around, const Position *pos, int flags, uint32_t game,
                   Py_ssize_t ply) noexcept nogil:
        # The random walks of a kept position. Their positions have no result.
        cdef uint64_t rng = around.seed * ((<uint64_t> game << 32) + 2 * <uint64_t> ply + 1)
        cdef Value value
        cdef int _walk, _ply
        for _walk in range(around.walks):
            if not around.begin(pos, &rng):
                return
            for _ply in range(around.plies + 1):
                if around.search(&value) and -self.limit <= value <= self.limit:
                    self.keep(&around.at, value, 1, flags | NEIGHBOUR, game)
                if not -DECIDED < value < DECIDED or not around.step(&rng):
                    break

    cdef bint wants(self, const Position *pos, Py_ssize_t ply, uint16_t move, int score) noexcept:
        # Whether the position is kept; else counts the reason.
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
    """Raise ValueError unless these are valid samples, as the trainer needs."""
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
