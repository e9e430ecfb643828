"""NNUE: accumulators updated by the squares that differ; the output layer."""

import time

cimport cython
from libc.stdint cimport int16_t, int32_t, int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from sssnake._fast.bits cimport pop, popcount, prefetch
from sssnake._fast.board.board cimport Board
from sssnake._fast.pages cimport allocate, release
from sssnake._fast.board.position cimport Position, occupied
from sssnake._fast.types cimport Bitboard, NO_PIECE, TB_RANGE, Value

from sssnake._fast.evaluation.netfile import INPUTS, Net

cdef extern from "simd.h":
    ctypedef struct Kernels "SssKernels":
        const char *name
        bint (*available)() noexcept nogil
        void (*quiet)(int16_t *, const int16_t *, ptrdiff_t, const int16_t *, const int16_t *) noexcept nogil
        void (*capture)(int16_t *, const int16_t *, ptrdiff_t, const int16_t *, const int16_t *,
                        const int16_t *) noexcept nogil
        void (*pair)(int16_t *, const int16_t *, ptrdiff_t, const int16_t *, const int16_t *, const int16_t *,
                     const int16_t *) noexcept nogil
        int64_t (*output)(const int16_t *, const int16_t *, const int16_t *, ptrdiff_t, ptrdiff_t,
                          int16_t) noexcept nogil
    const Kernels *KERNELS "sss_kernels"
    int KERNEL_COUNT "SSS_KERNELS"

cdef enum:
    BLOCK = 64                          # weight rows of one piece, by square
    TYPES = 6
    ZERO_ROW = 2 * TYPES * BLOCK
    MAX_CHANGES = 64                    # squares
    MAX_PIECES = 32
    AHEAD = 16                          # positions prefetched ahead in a replay
    POSITION_LINES = 3                  # cache lines of a position
    USUAL_QA = 255                      # the trainer's scales
    USUAL_QB = 64
    EMPTY = -1                          # `mirrored` of an entry that holds no position
    CACHE_LINE = 64                     # bytes

cdef enum:                              # argument of `replay`: how accumulators are computed
    UPDATED = 0
    FROM_SCRATCH = 1

cdef const Kernels *kernels             # in use


cdef struct Change:                     # from an entry's board to another: features added and removed
    int added
    int removed
    int added_feature[MAX_CHANGES]      # piece << 6 | square: the row in White's perspective, not mirrored
    int removed_feature[MAX_CHANGES]


# ------------------------------------------------------------------------------------------------------------
# Accumulators


cdef inline Bitboard difference(const Entry *entry, const Position *pos) noexcept nogil:
    # Squares whose contents differ. Both structs begin with the same eight bitboards.
    cdef const Bitboard *these = <const Bitboard *> entry
    cdef const Bitboard *those = <const Bitboard *> pos
    cdef Bitboard squares = 0
    cdef int i
    for i in range(8):
        squares |= these[i] ^ those[i]
    return squares


cdef inline Entry *nearest(Accumulators *all, const Position *pos, int mirrored,
                           Bitboard *squares) noexcept nogil:
    # An entry that differs in few squares, *squares: the parent's if a quiet move away; else the nearest of
    # this ply's (a sibling's), the grandparent's, and that of the refresh cache.
    cdef Entry *best = &all.entries[<int> pos.ply - 1 & STACKED - 1]
    cdef Entry *entry
    cdef Bitboard other
    cdef int i, count, least = MAX_CHANGES + 1
    squares[0] = difference(best, pos)
    if best.mirrored == mirrored:
        least = popcount(squares[0])
        if least <= 2:
            return best
    for i in range(3):
        entry = &all.entries[STACKED + mirrored if i == 2 else (<int> pos.ply - 2 * i & STACKED - 1)]
        if entry.mirrored != mirrored:
            continue
        other = difference(entry, pos)
        count = popcount(other)
        if count < least:
            best = entry
            least = count
            squares[0] = other
    return best


cdef inline void list_change(Change *change, const Entry *entry, const Position *pos,
                             Bitboard squares) noexcept nogil:
    cdef int sq
    change.added = change.removed = 0
    while squares:                      # without branches, which could not be predicted here
        sq = pop(&squares)
        change.removed_feature[change.removed] = <int> entry.board[sq] << 6 | sq
        change.removed += entry.board[sq] != NO_PIECE
        change.added_feature[change.added] = <int> pos.board[sq] << 6 | sq
        change.added += pos.board[sq] != NO_PIECE


cdef inline int orientation(int perspective, int mirrored) noexcept nogil:
    # XOR mask from a feature to its row in a colour's perspective: Black's exchanges colours and ranks; a
    # mirrored one exchanges files.
    return (BLOCK + 56) * perspective ^ (7 if mirrored >> perspective & 1 else 0)


cdef inline const int16_t *row(const NetData *net, int feature, int mask) noexcept nogil:
    return net.weights + <size_t> (feature ^ mask) * net.hidden


cdef inline const int16_t *row_or_zero(const NetData *net, const int *features, int count, int i,
                                       int mask) noexcept nogil:
    if i < count:
        return row(net, features[i], mask)
    return net.weights + <size_t> ZERO_ROW * net.hidden


cdef inline void update(const NetData *net, Entry *to, const Entry *source, const Change *change,
                        int perspective, int mirrored) noexcept nogil:
    # Computes one perspective of `to` from that of `source`.
    cdef int mask = orientation(perspective, mirrored)
    cdef int16_t *sums = to.sums + perspective * net.hidden
    cdef const int16_t *old = source.sums + perspective * net.hidden
    cdef int i = 0
    if change.added == 1 and change.removed == 1:
        kernels.quiet(sums, old, net.hidden, row(net, change.added_feature[0], mask),
                      row(net, change.removed_feature[0], mask))
        return
    if change.added == 1 and change.removed == 2:
        kernels.capture(sums, old, net.hidden, row(net, change.added_feature[0], mask),
                        row(net, change.removed_feature[0], mask), row(net, change.removed_feature[1], mask))
        return
    while i < change.added or i < change.removed:
        kernels.pair(sums, old, net.hidden,
                     row_or_zero(net, change.added_feature, change.added, i, mask),
                     row_or_zero(net, change.removed_feature, change.removed, i, mask),
                     row_or_zero(net, change.added_feature, change.added, i + 1, mask),
                     row_or_zero(net, change.removed_feature, change.removed, i + 1, mask))
        old = sums
        i += 2


cdef inline void set_board(Entry *entry, const Position *pos, int mirrored) noexcept nogil:
    memcpy(entry.by_type, pos.by_type, sizeof(entry.by_type))
    memcpy(entry.by_color, pos.by_color, sizeof(entry.by_color))
    memcpy(entry.board, pos.board, sizeof(entry.board))
    entry.mirrored = mirrored


cdef inline Entry *updated_entry(Accumulators *all, const Position *pos) noexcept nogil:
    # An entry that holds the position: an existing one, or the ply's own, computed from the nearest.
    cdef int mirrored = (pos.king[0] >> 2 & 1) | (pos.king[1] >> 1 & 2)
    cdef Bitboard squares
    cdef Entry *source = nearest(all, pos, mirrored, &squares)
    cdef Entry *entry = &all.entries[pos.ply & STACKED - 1]
    cdef Entry *cached = &all.entries[STACKED + mirrored]
    cdef Change change
    if squares == 0:
        return source
    list_change(&change, source, pos, squares)
    update(all.net, entry, source, &change, 0, mirrored)
    update(all.net, entry, source, &change, 1, mirrored)
    set_board(entry, pos, mirrored)
    if source == cached:                # a king crossed the middle: the next refresh has fewer changes
        set_board(cached, pos, mirrored)
        memcpy(cached.sums, entry.sums, 2 * all.net.hidden * sizeof(int16_t))
    return entry


cdef void clear_accumulators(Accumulators *all) noexcept nogil:
    # Empties the stack; the refresh cache gets a board without pieces.
    cdef const NetData *net = all.net
    cdef Entry *cached
    cdef int i
    for i in range(STACKED):
        all.entries[i].mirrored = EMPTY
    for i in range(REFRESH):
        cached = &all.entries[STACKED + i]
        memset(cached.by_type, 0, sizeof(cached.by_type))
        memset(cached.by_color, 0, sizeof(cached.by_color))
        memset(cached.board, NO_PIECE, sizeof(cached.board))
        cached.mirrored = i
        memcpy(cached.sums, net.bias, net.hidden * sizeof(int16_t))
        memcpy(cached.sums + net.hidden, net.bias, net.hidden * sizeof(int16_t))


cdef int reserve(Accumulators *accumulators, Network network, Recording recording) except -1:
    # Gives a thread a network (None: none) and a recording (or None); the caller keeps them alive. An error
    # (MemoryError, ValueError) changes nothing. Touches no memory: `clear_accumulators` has to follow before
    # the first evaluation.
    cdef int16_t *memory = NULL
    cdef int hidden, i
    if network is not None:
        if recording is not None and recording.log.writer != NULL and recording.log.writer != accumulators:
            raise ValueError("a recording is written by one worker")    # two would race for its last place
        hidden = network.data.hidden
        memory = <int16_t *> allocate((STACKED + REFRESH) * 2 * hidden * sizeof(int16_t))
        if memory == NULL:
            raise MemoryError("no memory for the network's accumulators")
    detach(accumulators)
    if network is not None:
        accumulators.net = &network.data
        accumulators.memory = memory
        if recording is not None:
            accumulators.log = &recording.log
            recording.log.writer = accumulators
        for i in range(STACKED + REFRESH):
            accumulators.entries[i].sums = memory + <size_t> i * 2 * hidden
    return 0


cdef int attach(Accumulators *accumulators, Network network, Recording recording) except -1:
    # As reserve, then clear_accumulators.
    reserve(accumulators, network, recording)
    if network is not None:
        clear_accumulators(accumulators)
    return 0


cdef void detach(Accumulators *accumulators) noexcept nogil:
    release(accumulators.memory)
    accumulators.memory = NULL
    accumulators.net = NULL
    accumulators.log = NULL


# ------------------------------------------------------------------------------------------------------------
# Output


cdef inline int bucket_of(const NetData *net, const Position *pos) noexcept nogil:
    return (popcount(occupied(pos)) - 2) * net.buckets // (MAX_PIECES - 1)


cdef inline int64_t net_output(const Position *pos, Accumulators *all, int bucket) noexcept nogil:
    # The output layer's sum without its bias.
    cdef const NetData *net = all.net
    cdef const Entry *entry = updated_entry(all, pos)
    cdef const int16_t *weights = net.out + <size_t> bucket * 2 * net.hidden
    cdef const int16_t *mover = entry.sums + pos.side * net.hidden
    cdef const int16_t *other = entry.sums + (pos.side ^ 1) * net.hidden
    return kernels.output(mover, other, weights, net.hidden, net.block, net.qa)


cdef Value net_value(const Position *pos, Accumulators *accumulators) noexcept nogil:
    # Centipawns for the side to move, |value| < TB_RANGE.
    cdef const NetData *net = accumulators.net
    cdef int bucket = bucket_of(net, pos)
    cdef int64_t output = net_output(pos, accumulators, bucket)
    cdef Log *log = accumulators.log
    if log != NULL and log.count < log.capacity:
        log.positions[log.count] = pos[0]
        log.outputs[log.count] = output
        log.count += 1
    if net.qa == USUAL_QA and net.qb == USUAL_QB:       # division by constants is faster
        output = (output // USUAL_QA + net.out_bias[bucket]) * net.scale // (USUAL_QA * USUAL_QB)
    else:
        output = (output // net.qa + net.out_bias[bucket]) * net.scale // (net.qa * net.qb)
    return <Value> min(max(output, -TB_RANGE + 1), TB_RANGE - 1)


# ------------------------------------------------------------------------------------------------------------
# For Python


cdef int choose(bytes name) except -1:
    # Selects the kernels of an instruction set; b"": the widest that this machine has.
    global kernels
    cdef const Kernels *found = NULL
    cdef int i
    for i in range(KERNEL_COUNT):
        if KERNELS[i].available() and name in (b"", KERNELS[i].name):
            found = &KERNELS[i]
    if found == NULL:
        raise ValueError(f"no instruction set {name.decode()!r} here: {', '.join(instruction_sets())}")
    kernels = found
    return 0


def instruction_sets():
    """Names of the instruction sets that this machine has kernels for, narrowest first."""
    return [KERNELS[i].name.decode() for i in range(KERNEL_COUNT) if KERNELS[i].available()]


def use(str name not None=""):
    """Compute with this instruction set from now on ("": the widest). All of them give the same values."""
    choose(name.encode())


def in_use():
    """The instruction set in use."""
    return kernels.name.decode()


cdef int safe_block(net):
    # The block length for `output` in kernels.h: all units if no sum of these weights can exceed 32 bits.
    cdef int h = net.hidden
    halves = [net.out[i:i + h] for i in range(0, len(net.out), h)]
    return h if max(sum(map(abs, half)) for half in halves) * net.qa ** 2 < 1 << 31 else 16


cdef void *copied(void *to, numbers) except NULL:
    # Copies an array; returns the address after the copy.
    cdef bytes data = numbers.tobytes()
    memcpy(to, <const char *> data, len(data))
    return <char *> to + len(data)


cdef int16_t *arranged(int16_t *to, weights, int hidden) except NULL:
    # Copies rows from the file's order (colour, type) to (type, colour), as `row` needs them; returns the
    # address after the copy.
    cdef int kind, other, block = BLOCK * hidden
    for kind in range(TYPES):
        for other in range(2):
            start = (TYPES * other + kind) * block
            to = <int16_t *> copied(to, weights[start:start + block])
    return to


@cython.final
cdef class Network:
    """A network in memory: read-only, shared by all threads.

    net: a `netfile.Net`. Raises ValueError if `net.check()` fails, MemoryError.
    """

    def __cinit__(self, net):
        cdef NetData *data = &self.data
        Net.check(net)
        self.description = net.description
        data.hidden = net.hidden
        data.buckets = net.buckets
        data.qa = net.qa
        data.qb = net.qb
        data.scale = net.scale
        data.block = safe_block(net)
        data.weights = <int16_t *> allocate((INPUTS + 2 + 2 * data.buckets) * data.hidden * sizeof(int16_t)
                                            + data.buckets * sizeof(int32_t))
        if data.weights == NULL:
            raise MemoryError("no memory for a network")
        data.bias = arranged(data.weights, net.weights, data.hidden) + data.hidden      # over the zero row
        data.out = <int16_t *> copied(data.bias, net.bias)
        data.out_bias = <int32_t *> copied(data.out, net.out)
        copied(data.out_bias, net.out_bias)

    def __dealloc__(self):
        release(self.data.weights)

    def value(self, Board board not None):
        """The network's value, computed from scratch: centipawns for the side to move."""
        cdef Accumulators *all = <Accumulators *> calloc(1, sizeof(Accumulators))
        if all == NULL:
            raise MemoryError("no memory for the network's accumulators")
        try:
            attach(all, self, None)
            return net_value(&board.pos, all)
        finally:
            detach(all)
            free(all)

    @property
    def shape(self):
        """As a text: inputs, hidden units, output buckets."""
        return f"({INPUTS} -> {self.data.hidden}) x 2 -> {self.data.buckets}"


@cython.final
cdef class Recording:
    """Positions that a search evaluates, in their order, up to `capacity`: to check and to time a network.

    It belongs to the first worker or evaluator that it is given to; another one raises ValueError.
    """

    def __cinit__(self, int64_t capacity):
        if capacity < 0:
            raise ValueError(f"no room for {capacity} positions")
        self.log.positions = <Position *> calloc(capacity, sizeof(Position))
        self.log.outputs = <int64_t *> calloc(capacity, sizeof(int64_t))
        if self.log.positions == NULL or self.log.outputs == NULL:
            raise MemoryError(f"no memory for {capacity} positions")
        self.log.capacity = capacity

    def __dealloc__(self):
        free(self.log.positions)
        free(self.log.outputs)

    def __len__(self):
        return self.log.count

    def wrong(self, Network network not None):
        """Number of recorded outputs that differ from those computed from scratch."""
        return self.replay(network, FROM_SCRATCH)[0]

    def seconds(self, Network network not None):
        """Processor time, seconds, to evaluate all positions again in their order."""
        return self.replay(network, UPDATED)[1]

    cdef tuple replay(self, Network network, bint from_scratch):
        # (outputs that differ from those recorded, seconds)
        cdef Accumulators *all = <Accumulators *> calloc(1, sizeof(Accumulators))
        cdef int64_t i, wrong = 0
        cdef int line, bucket
        if all == NULL:
            raise MemoryError("no memory for the network's accumulators")
        try:
            attach(all, network, None)
            start = time.thread_time()
            with nogil:
                for i in range(self.log.count):
                    for line in range(POSITION_LINES):      # in a search it is in the first-level cache
                        prefetch(<const char *> &self.log.positions[i + AHEAD] + line * CACHE_LINE)
                    if from_scratch:
                        clear_accumulators(all)
                    bucket = bucket_of(all.net, &self.log.positions[i])
                    wrong += net_output(&self.log.positions[i], all, bucket) != self.log.outputs[i]
            return wrong, time.thread_time() - start
        finally:
            detach(all)
            free(all)


choose(b"")
