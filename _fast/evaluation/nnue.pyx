"""The network evaluation: accumulators brought up to date by the squares that differ; the output layer."""

import time

cimport cython
from libc.stdint cimport int16_t, int32_t, int64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from _fast.bits cimport pop, popcount, prefetch
from _fast.board.board cimport Board
from _fast.pages cimport give_back, take
from _fast.board.position cimport Position, occupied
from _fast.types cimport Bitboard, NO_PIECE, TB_RANGE, Value

from _fast.evaluation.netfile import INPUTS

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
    BLOCK = 64                          # rows of one kind of man, by square
    KINDS = 6
    ZERO_ROW = 2 * KINDS * BLOCK
    MAX_CHANGES = 64                    # squares
    MAX_MEN = 32
    AHEAD = 16                          # positions fetched ahead in a replay
    POSITION_LINES = 3                  # cache lines of a position
    USUAL_QA = 255                      # the trainer's scales
    USUAL_QB = 64
    UNKNOWN = -1                        # `halves` of an entry that holds nothing
    CACHE_LINE = 64                     # bytes

cdef const Kernels *kernels             # in use


cdef struct Change:                     # men that stand on the board and not in an entry, and the reverse
    int put
    int lifted
    int put_man[MAX_CHANGES]            # (piece << 6 | square): the number of its row, in white's eyes
    int lifted_man[MAX_CHANGES]


# ------------------------------------------------------------------------------------------------------------
# Accumulators


cdef inline Bitboard difference(const Entry *entry, const Position *pos) noexcept nogil:
    # Squares whose contents differ. Both structs begin with the same eight sets.
    cdef const Bitboard *these = <const Bitboard *> entry
    cdef const Bitboard *those = <const Bitboard *> pos
    cdef Bitboard squares = 0
    cdef int i
    for i in range(8):
        squares |= these[i] ^ those[i]
    return squares


cdef inline Entry *nearest(Accumulators *all, const Position *pos, int halves,
                           Bitboard *squares) noexcept nogil:
    # An entry that differs little: the parent's, if a quiet move away; else the least of this ply's (a
    # sibling's), the grandparent's, and the home of such halves.
    cdef Entry *best = &all.entries[<int> pos.ply - 1 & STACKED - 1]
    cdef Entry *entry
    cdef Bitboard other
    cdef int i, count, least = MAX_CHANGES + 1
    squares[0] = difference(best, pos)
    if best.halves == halves:
        least = popcount(squares[0])
        if least <= 2:
            return best
    for i in range(3):
        entry = &all.entries[STACKED + halves if i == 2 else (<int> pos.ply - 2 * i & STACKED - 1)]
        if entry.halves != halves:
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
    change.put = change.lifted = 0
    while squares:                      # without branches: nothing here can be foretold
        sq = pop(&squares)
        change.lifted_man[change.lifted] = <int> entry.board[sq] << 6 | sq
        change.lifted += entry.board[sq] != NO_PIECE
        change.put_man[change.put] = <int> pos.board[sq] << 6 | sq
        change.put += pos.board[sq] != NO_PIECE


cdef inline int eye_of(int view, int halves) noexcept nogil:
    # What turns a man into its row as `view` (a colour) sees it: black's eye swaps colours and ranks, and an
    # own king on the right files.
    return (BLOCK + 56) * view ^ (7 if halves >> view & 1 else 0)


cdef inline const int16_t *row(const NetData *net, int man, int eye) noexcept nogil:
    return net.weights + <size_t> (man ^ eye) * net.hidden


cdef inline const int16_t *row_or_zero(const NetData *net, const int *men, int count, int i,
                                       int eye) noexcept nogil:
    if i < count:
        return row(net, men[i], eye)
    return net.weights + <size_t> ZERO_ROW * net.hidden


cdef inline void transfer(const NetData *net, Entry *to, const Entry *source, const Change *change, int view,
                          int halves) noexcept nogil:
    # One view of `to` from that of `source`.
    cdef int eye = eye_of(view, halves)
    cdef int16_t *sums = to.sums + view * net.hidden
    cdef const int16_t *old = source.sums + view * net.hidden
    cdef int i = 0
    if change.put == 1 and change.lifted == 1:
        kernels.quiet(sums, old, net.hidden, row(net, change.put_man[0], eye),
                      row(net, change.lifted_man[0], eye))
        return
    if change.put == 1 and change.lifted == 2:
        kernels.capture(sums, old, net.hidden, row(net, change.put_man[0], eye),
                        row(net, change.lifted_man[0], eye), row(net, change.lifted_man[1], eye))
        return
    while i < change.put or i < change.lifted:
        kernels.pair(sums, old, net.hidden,
                     row_or_zero(net, change.put_man, change.put, i, eye),
                     row_or_zero(net, change.lifted_man, change.lifted, i, eye),
                     row_or_zero(net, change.put_man, change.put, i + 1, eye),
                     row_or_zero(net, change.lifted_man, change.lifted, i + 1, eye))
        old = sums
        i += 2


cdef inline void note_board(Entry *entry, const Position *pos, int halves) noexcept nogil:
    memcpy(entry.by_type, pos.by_type, sizeof(entry.by_type))
    memcpy(entry.by_color, pos.by_color, sizeof(entry.by_color))
    memcpy(entry.board, pos.board, sizeof(entry.board))
    entry.halves = halves


cdef inline Entry *up_to_date(Accumulators *all, const Position *pos) noexcept nogil:
    # An entry that holds the position: one there is, or the ply's own, made from the nearest.
    cdef int halves = (pos.king[0] >> 2 & 1) | (pos.king[1] >> 1 & 2)
    cdef Bitboard squares
    cdef Entry *source = nearest(all, pos, halves, &squares)
    cdef Entry *entry = &all.entries[pos.ply & STACKED - 1]
    cdef Entry *home = &all.entries[STACKED + halves]
    cdef Change change
    if squares == 0:
        return source
    list_change(&change, source, pos, squares)
    transfer(all.net, entry, source, &change, 0, halves)
    transfer(all.net, entry, source, &change, 1, halves)
    note_board(entry, pos, halves)
    if source == home:                  # a king has crossed: let the way be shorter next time
        note_board(home, pos, halves)
        memcpy(home.sums, entry.sums, 2 * all.net.hidden * sizeof(int16_t))
    return entry


cdef void forget(Accumulators *all) noexcept nogil:
    # No entry of the stack holds anything; the homes hold a board without men.
    cdef const NetData *net = all.net
    cdef Entry *home
    cdef int i
    for i in range(STACKED):
        all.entries[i].halves = UNKNOWN
    for i in range(HOMES):
        home = &all.entries[STACKED + i]
        memset(home.by_type, 0, sizeof(home.by_type))
        memset(home.by_color, 0, sizeof(home.by_color))
        memset(home.board, NO_PIECE, sizeof(home.board))
        home.halves = i
        memcpy(home.sums, net.bias, net.hidden * sizeof(int16_t))
        memcpy(home.sums + net.hidden, net.bias, net.hidden * sizeof(int16_t))


cdef int reserve(Accumulators *accumulators, Network network, Recording recording) except -1:
    # Give a thread a network, and a recording if wanted; the caller keeps them alive. None: no network.
    # MemoryError leaves all as it was. Touches no memory: `forget` has to follow before the first evaluation.
    cdef int16_t *memory = NULL
    cdef int hidden, i
    if network is not None:
        hidden = network.data.hidden
        memory = <int16_t *> take((STACKED + HOMES) * 2 * hidden * sizeof(int16_t))
        if memory == NULL:
            raise MemoryError("no memory for the network's accumulators")
    detach(accumulators)
    if network is not None:
        accumulators.net = &network.data
        accumulators.memory = memory
        accumulators.log = NULL if recording is None else &recording.log
        for i in range(STACKED + HOMES):
            accumulators.entries[i].sums = memory + <size_t> i * 2 * hidden
    return 0


cdef int attach(Accumulators *accumulators, Network network, Recording recording) except -1:
    # Likewise, ready to be used.
    reserve(accumulators, network, recording)
    if network is not None:
        forget(accumulators)
    return 0


cdef void detach(Accumulators *accumulators) noexcept nogil:
    give_back(accumulators.memory)
    accumulators.memory = NULL
    accumulators.net = NULL
    accumulators.log = NULL


# ------------------------------------------------------------------------------------------------------------
# Output


cdef inline int bucket_of(const NetData *net, const Position *pos) noexcept nogil:
    return (popcount(occupied(pos)) - 2) * net.buckets // (MAX_MEN - 1)


cdef inline int64_t net_output(const Position *pos, Accumulators *all, int bucket) noexcept nogil:
    # The output layer's sum without its bias.
    cdef const NetData *net = all.net
    cdef const Entry *entry = up_to_date(all, pos)
    cdef const int16_t *weights = net.out + <size_t> bucket * 2 * net.hidden
    cdef const int16_t *mover = entry.sums + pos.side * net.hidden
    cdef const int16_t *other = entry.sums + (pos.side ^ 1) * net.hidden
    return kernels.output(mover, other, weights, net.hidden, net.block, net.qa)


cdef Value net_value(const Position *pos, Accumulators *accumulators) noexcept nogil:
    # Centipawns for the side to move, within the plain evaluation range.
    cdef const NetData *net = accumulators.net
    cdef int bucket = bucket_of(net, pos)
    cdef int64_t output = net_output(pos, accumulators, bucket)
    cdef Log *log = accumulators.log
    if log != NULL and log.count < log.capacity:
        log.positions[log.count] = pos[0]
        log.outputs[log.count] = output
        log.count += 1
    if net.qa == USUAL_QA and net.qb == USUAL_QB:       # division by constants is several times as fast
        output = (output // USUAL_QA + net.out_bias[bucket]) * net.scale // (USUAL_QA * USUAL_QB)
    else:
        output = (output // net.qa + net.out_bias[bucket]) * net.scale // (net.qa * net.qb)
    return <Value> min(max(output, -TB_RANGE + 1), TB_RANGE - 1)


# ------------------------------------------------------------------------------------------------------------
# Python faces


cdef int choose(bytes name) except -1:
    # The kernels called so; b"": the widest there are.
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
    """Compute with this instruction set from now on ("": the widest); the values stay the same."""
    choose(name.encode())


def in_use():
    """The instruction set computed with."""
    return kernels.name.decode()


cdef int safe_block(net):
    # See `output` in kernels.h: all at once where no sum of these weights can exceed 32 bits.
    cdef int h = net.hidden
    halves = [net.out[i:i + h] for i in range(0, len(net.out), h)]
    return h if max(sum(map(abs, half)) for half in halves) * net.qa ** 2 < 1 << 31 else 16


cdef void *copied(void *to, numbers) except NULL:
    # Copy an array; the address behind the copy.
    cdef bytes data = numbers.tobytes()
    memcpy(to, <const char *> data, len(data))
    return <char *> to + len(data)


cdef int16_t *arranged(int16_t *to, weights, int hidden) except NULL:
    # Copy rows that stand by (colour, kind) in the file by (kind, colour), where `man ^ eye` finds them; the
    # address behind the copy.
    cdef int kind, other, block = BLOCK * hidden
    for kind in range(KINDS):
        for other in range(2):
            start = (KINDS * other + kind) * block
            to = <int16_t *> copied(to, weights[start:start + block])
    return to


@cython.final
cdef class Network:
    """A network in memory: read-only, shared by all threads, freed when nobody holds it any more.

    net: a `netfile.Net`. Raises ValueError if it is none that a file may hold, MemoryError.
    """

    def __cinit__(self, net):
        cdef NetData *data = &self.data
        net.check()
        self.description = net.description
        data.hidden = net.hidden
        data.buckets = net.buckets
        data.qa = net.qa
        data.qb = net.qb
        data.scale = net.scale
        data.block = safe_block(net)
        data.weights = <int16_t *> take((INPUTS + 2 + 2 * data.buckets) * data.hidden * sizeof(int16_t)
                                        + data.buckets * sizeof(int32_t))
        if data.weights == NULL:
            raise MemoryError("no memory for a network")
        data.bias = arranged(data.weights, net.weights, data.hidden) + data.hidden      # over the zero row
        data.out = <int16_t *> copied(data.bias, net.bias)
        data.out_bias = <int32_t *> copied(data.out, net.out)
        copied(data.out_bias, net.out_bias)

    def __dealloc__(self):
        give_back(self.data.weights)

    def value(self, Board board not None):
        """The network's own opinion, from scratch: centipawns for the side to move."""
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
    """Positions that a search evaluates, in their order, up to `capacity`: to check and to time a network."""

    def __cinit__(self, int64_t capacity):
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
        """How many of the outputs recorded are not those computed from scratch."""
        return self.replay(network, True)[0]

    def seconds(self, Network network not None):
        """Processor time taken to evaluate all positions once more, in their order."""
        return self.replay(network, False)[1]

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
                    for line in range(POSITION_LINES):      # it stands in the nearest cache in a search
                        prefetch(<const char *> &self.log.positions[i + AHEAD] + line * CACHE_LINE)
                    if from_scratch:
                        forget(all)
                    bucket = bucket_of(all.net, &self.log.positions[i])
                    wrong += net_output(&self.log.positions[i], all, bucket) != self.log.outputs[i]
            return wrong, time.thread_time() - start
        finally:
            detach(all)
            free(all)


choose(b"")
