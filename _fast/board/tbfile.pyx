"""Syzygy tablebases: reading a file's head, with all checks that probing relies on, and finding values."""

from libc.stdint cimport int64_t, uint32_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcmp, memset

from sssnake._fast.board.position cimport Position
from sssnake._fast.board.tbindex cimport MOST_PIECES, index_of, lay_out, leading_file
from sssnake._fast.types cimport WHITE

cdef enum:
    HEAD = 5                            # bytes before the layouts
    TWO_SIDED = 1                       # bits of the last of them
    WITH_PAWNS = 2
    CHECKSUM = 16                       # bytes at the end
    ALIGNMENT = 64                      # of the blocks
    NO_SECOND = 15                      # place of the second pawns where there are none
    # A stream's flags.
    SIDE = 1                            # DTZ: the side to move
    MAPPED = 2
    WIN_IN_PLIES = 4                    # otherwise in moves
    LOSS_IN_PLIES = 8
    WIDE = 16                           # maps of two bytes an entry
    SINGLE = 128                        # one value alone
    NO_RIGHT = 0xFFF                    # a symbol that stands for a value
    MOST_SYMBOLS = 0xFFF
    LARGEST_POWER = 31                  # of spans and blocks
    WDL_VALUES = 5

cdef enum:                              # a symbol while its values are counted
    UNKNOWN
    OPEN
    KNOWN


cdef struct Reader:                     # of the head: reads zeros once it has come to the end
    const uint8_t *data
    uint64_t size
    uint64_t at
    bint failed


# Bytes

cdef inline uint32_t little16(const uint8_t *p) noexcept nogil:
    return p[0] | <uint32_t> p[1] << 8


cdef inline uint32_t little32(const uint8_t *p) noexcept nogil:
    return little16(p) | little16(p + 2) << 16


cdef inline uint64_t big32(const uint8_t *p) noexcept nogil:
    return <uint64_t> p[0] << 24 | <uint64_t> p[1] << 16 | <uint64_t> p[2] << 8 | p[3]


cdef const uint8_t *take(Reader *r, uint64_t count) noexcept nogil:
    # The next bytes; NULL if they are not there.
    cdef const uint8_t *bytes = r.data + r.at
    if r.failed or count > r.size - r.at:
        r.failed = True
        return NULL
    r.at += count
    return bytes


cdef void align(Reader *r, uint64_t to) noexcept nogil:
    take(r, (to - r.at % to) % to)


# The head

cdef inline uint32_t left_of(const Coding *c, int symbol) noexcept nogil:
    # Of a pair the first symbol; else the value.
    return little16(c.pairs + 3 * symbol) & 0xFFF


cdef inline uint32_t right_of(const Coding *c, int symbol) noexcept nogil:
    return little16(c.pairs + 3 * symbol + 1) >> 4


cdef bint count_values(Coding *c, uint8_t *state, int *stack, int most) noexcept nogil:
    # How many values each symbol stands for. False: a symbol is none, or contains itself, or a value is above
    # `most`.
    cdef int start, symbol, depth, left, right
    for start in range(c.symbols):
        stack[0] = start
        depth = 1 if state[start] == UNKNOWN else 0
        while depth:
            symbol = stack[depth - 1]
            left, right = left_of(c, symbol), right_of(c, symbol)
            if right == NO_RIGHT:
                if left > most:
                    return False
                state[symbol] = KNOWN
                depth -= 1
                continue
            if left >= c.symbols or right >= c.symbols:
                return False
            if state[left] == KNOWN and state[right] == KNOWN:
                if c.extra[left] + c.extra[right] + 1 > 255:
                    return False
                c.extra[symbol] = c.extra[left] + c.extra[right] + 1
                state[symbol] = KNOWN
                depth -= 1
                continue
            state[symbol] = OPEN
            stack[depth] = left if state[left] != KNOWN else right
            if state[stack[depth]] == OPEN:
                return False
            depth += 1
    return True


cdef bint read_pairs(Coding *c, Reader *r, bint dtz) noexcept nogil:
    # The dictionary: what the symbols stand for.
    cdef uint8_t *state
    cdef int *stack
    cdef bint good
    c.pairs = take(r, 3 * <uint64_t> c.symbols)
    take(r, c.symbols & 1)
    if r.failed:
        return False
    c.extra = <uint8_t *> calloc(c.symbols, 1)
    state = <uint8_t *> calloc(c.symbols, 1)
    stack = <int *> calloc(c.symbols + 1, sizeof(int))
    good = (c.extra != NULL and state != NULL and stack != NULL
            and count_values(c, state, stack, MOST_SYMBOLS if dtz else WDL_VALUES - 1))
    free(state)
    free(stack)
    return good


cdef bint read_code(Coding *c, const uint8_t *firsts, int longest) noexcept nogil:
    # The canonical code from the first symbol of each length. A length's codes lie above those of longer
    # ones, and each must name a symbol.
    cdef int64_t base = 0
    cdef uint64_t below
    cdef int length
    c.base[longest] = 0
    c.first[longest] = little16(firsts + 2 * (longest - c.shortest))
    for length in range(longest - 1, c.shortest - 1, -1):
        c.first[length] = little16(firsts + 2 * (length - c.shortest))
        base = base + c.first[length] - c.first[length + 1]
        if base < 0 or base & 1 or base >> 1 >= <int64_t> 1 << length:
            return False
        base >>= 1
        c.base[length] = <uint64_t> base << (64 - length)
    for length in range(c.shortest, longest + 1):
        below = 0 if length == c.shortest else c.base[length - 1]    # 0: 2^64
        if length > c.shortest and below <= c.base[length]:
            continue                    # no code has that length
        if c.first[length] + ((below - 1 - c.base[length]) >> (64 - length)) >= <uint64_t> c.symbols:
            return False
    return True


cdef bint read_coding(Stream *s, Reader *r, bint dtz) noexcept nogil:
    # What stands in the head of a stream's compression.
    cdef Coding *c = &s.coding
    cdef const uint8_t *head = take(r, 2)
    cdef const uint8_t *firsts
    cdef int longest, padding
    if r.failed:
        return False
    s.flags = head[0]
    c.only = -1
    if head[0] & SINGLE:
        c.only = 0 if dtz else head[1]
        return dtz or c.only < WDL_VALUES
    c.block_bits = head[1]
    head = take(r, 8)
    if r.failed:
        return False
    c.span_bits, padding = head[0], head[1]
    c.blocks = little32(head + 2)
    c.lengths = c.blocks + padding
    longest, c.shortest = head[6], head[7]
    if not (1 <= c.shortest <= longest <= LONGEST_CODE and 1 <= c.span_bits <= LARGEST_POWER
            and c.block_bits <= LARGEST_POWER):
        return False
    firsts = take(r, 2 * (longest - c.shortest + 1))
    head = take(r, 2)
    if r.failed:
        return False
    c.symbols = little16(head)
    return 1 <= c.symbols <= MOST_SYMBOLS and read_pairs(c, r, dtz) and read_code(c, firsts, longest)


cdef bint read_maps(Stream *s, Reader *r) noexcept nogil:
    # DTZ: what the values stand for, by result: won, lost, cursed win, blessed loss.
    cdef const uint8_t *head
    cdef int i
    cdef int width = 2 if s.flags & WIDE else 1
    if not s.flags & MAPPED:
        return True
    if width == 2:
        align(r, 2)
    for i in range(4):
        head = take(r, width)
        if r.failed:
            return False
        s.map_length[i] = little16(head) if width == 2 else head[0]
        s.map[i] = take(r, width * s.map_length[i])
    return not r.failed


cdef bint find_data(TableFile *t, Reader *r, int streams) noexcept nogil:
    # Where sparse indices, block lengths and blocks stand: all of them must lie in the file.
    cdef Coding *c
    cdef int i
    for i in range(streams):
        c = &t.stream[i].coding
        if c.only < 0:
            c.spans = take(r, 6 * (((t.stream[i].layout.size - 1) >> c.span_bits) + 1))
    for i in range(streams):
        c = &t.stream[i].coding
        if c.only < 0:
            c.block_lengths = take(r, 2 * c.lengths)
    for i in range(streams):
        c = &t.stream[i].coding
        align(r, ALIGNMENT)
        if c.only < 0:
            c.data = take(r, c.blocks << c.block_bits)
    align(r, ALIGNMENT)
    return not r.failed and r.size - r.at == CHECKSUM


cdef uint64_t material_of(const uint8_t *codes, int count) noexcept nogil:
    # Its signature, from the codes in the lower halves of the bytes.
    cdef uint64_t material = 0
    cdef int i
    for i in range(count):
        material += unit(2 * ((codes[i] & 7) - 1) + (codes[i] >> 3 & 1))
    return material


cdef bint read_layouts(TableFile *t, Reader *r, int files, const uint8_t *white, const uint8_t *black,
                       bint second_pawns) noexcept nogil:
    # The layouts of all streams. The pieces must be those of the file's name, one way round or the other, and
    # the same way in all streams. (white, black: counts by type, from the name.)
    cdef const uint8_t *head
    cdef Layout *layout
    cdef uint8_t codes[MOST_PIECES]
    cdef uint8_t own[2][8]
    cdef int file, side, i, shift
    cdef int turned = -1
    for file in range(files):
        head = take(r, 1 + second_pawns + t.pieces)
        if r.failed:
            return False
        for side in range(1 if t.dtz or t.symmetric else 2):
            shift = 4 * side
            memset(own, 0, sizeof(own))
            for i in range(t.pieces):
                codes[i] = head[1 + second_pawns + i] >> shift & 15
                own[codes[i] >> 3][codes[i] & 7] += 1
            if turned < 0:
                turned = memcmp(own[0], white, 8) != 0
            if memcmp(own[turned], white, 8) != 0 or memcmp(own[1 - turned], black, 8) != 0:
                return False
            layout = &t.stream[file if t.dtz else 2 * file + side].layout
            if not lay_out(layout, codes, t.pieces, head[0] >> shift & 15,
                           head[1] >> shift & 15 if second_pawns else NO_SECOND, file):
                return False
            if t.pawns and layout.leader[0] != t.stream[0].layout.leader[0]:
                return False            # the same pawns lead in the whole table
    t.material = material_of(head + 1 + second_pawns, t.pieces)
    align(r, 2)
    return True


cdef bint read_table(TableFile *t, Mapping mapping, const uint8_t *white, const uint8_t *black):
    # The whole head. False: the file is damaged.
    cdef Reader r
    cdef int i
    cdef int files = 4 if t.pawns else 1
    cdef int streams = files if t.dtz else 2 * files
    cdef const uint8_t *magic = b"\xd7\x66\x0c\xa5" if t.dtz else b"\x71\xe8\x23\x5d"
    cdef const uint8_t *head
    r.data, r.size, r.at, r.failed = mapping.data, mapping.size, 0, False
    head = take(&r, HEAD)
    if r.failed or memcmp(head, magic, 4) != 0 or (head[4] & WITH_PAWNS != 0) != t.pawns:
        return False
    if not t.dtz and (head[4] & TWO_SIDED != 0) == t.symmetric:
        return False
    if not read_layouts(t, &r, files, white, black, white[1] > 0 and black[1] > 0):
        return False
    for i in range(streams):
        if i & 1 and t.symmetric and not t.dtz:
            t.stream[i].coding.only = 0         # not in the file, and never read
        elif not read_coding(&t.stream[i], &r, t.dtz):
            return False
    if t.dtz:
        for i in range(files):
            if not read_maps(&t.stream[i], &r):
                return False
        align(&r, 2)
    return find_data(t, &r, streams)


# Values

cdef int value_at(const Coding *c, uint64_t index) noexcept nogil:
    # The value at an index. The number of steps is limited by the file's own sizes: each step uses up a
    # block, a bit or a level of the dictionary.
    cdef const uint8_t *p
    cdef const uint8_t *end
    cdef uint64_t block, code
    cdef int64_t rest                   # values before the one at the index
    cdef int length, symbol
    cdef int used = 0                   # bits of `code` that are empty
    if c.only >= 0:
        return c.only
    p = c.spans + 6 * (index >> c.span_bits)
    block = little32(p)
    rest = (<int64_t> (index & ((<uint64_t> 1 << c.span_bits) - 1)) - (<int64_t> 1 << (c.span_bits - 1))
            + little16(p + 4))
    while rest < 0:
        if block == 0 or block > c.lengths:
            return DAMAGED
        block -= 1
        rest += <int64_t> little16(c.block_lengths + 2 * block) + 1
    while block < c.blocks and rest > little16(c.block_lengths + 2 * block):
        rest -= <int64_t> little16(c.block_lengths + 2 * block) + 1
        block += 1
    if block >= c.blocks:
        return DAMAGED
    p = c.data + (block << c.block_bits)
    end = p + (<uint64_t> 1 << c.block_bits) + 8
    code = big32(p) << 32 | big32(p + 4)
    p += 8
    while True:
        length = c.shortest
        while code < c.base[length]:
            length += 1
        symbol = c.first[length] + <int> ((code - c.base[length]) >> (64 - length))
        if rest <= c.extra[symbol]:
            break
        rest -= c.extra[symbol] + 1
        code <<= length
        used += length
        if used >= 32:
            if p >= end:
                return DAMAGED
            used -= 32
            code |= big32(p) << used
            p += 4
    return expand(c, symbol, rest)


cdef int expand(const Coding *c, int symbol, int64_t rest) noexcept nogil:
    # The value after `rest` others among those that a symbol stands for.
    cdef int left
    while c.extra[symbol]:
        left = left_of(c, symbol)
        if rest <= c.extra[left]:
            symbol = left
        else:
            rest -= c.extra[left] + 1
            symbol = right_of(c, symbol)
    return left_of(c, symbol)


cdef inline const Stream *stream_of(const TableFile *t, const Position *pos, bint flip,
                                    int *side) noexcept nogil:
    cdef int file = leading_file(pos, t.stream[0].layout.leader[0], flip) if t.pawns else 0
    side[0] = WHITE if t.symmetric else pos.side ^ flip
    return &t.stream[file if t.dtz else 2 * file + side[0]]


cdef int look_up_wdl(const TableFile *t, const Position *pos, bint flip) noexcept nogil:
    cdef int side
    cdef const Stream *s = stream_of(t, pos, flip, &side)
    cdef uint64_t index = index_of(&s.layout, pos, flip)
    return value_at(&s.coding, index) if index < s.layout.size else DAMAGED


cdef int look_up_dtz(const TableFile *t, const Position *pos, bint flip, int wdl) noexcept nogil:
    cdef int side, value, result
    cdef const Stream *s = stream_of(t, pos, flip, &side)
    cdef uint64_t index
    if not t.symmetric and s.flags & SIDE != side:
        return NOT_STORED
    index = index_of(&s.layout, pos, flip)
    value = value_at(&s.coding, index) if index < s.layout.size else DAMAGED
    if value < 0:
        return value
    if s.flags & MAPPED:
        result = (0 if wdl > 0 else 1) + (2 if wdl == 1 or wdl == -1 else 0)
        if value >= s.map_length[result]:
            return DAMAGED
        value = little16(s.map[result] + 2 * value) if s.flags & WIDE else s.map[result][value]
    if wdl == 2 and s.flags & WIN_IN_PLIES or wdl == -2 and s.flags & LOSS_IN_PLIES:
        return value
    return 2 * value


# Ownership

cdef class File:
    """A tablebase file in memory. name: such as KRPvKR. Raises OSError, MemoryError; ValueError: damaged."""

    def __cinit__(self, str path not None, str name not None, bint dtz):
        cdef uint8_t counts[2][8]
        cdef TableFile *t = &self.table
        white, black = name.split("v")
        memset(counts, 0, sizeof(counts))
        for color, letters in enumerate((white, black)):
            for letter in letters:
                counts[<int> color]["_PNBRQK".index(letter)] += 1
        t.dtz = dtz
        t.pawns = "P" in name
        t.symmetric = white == black
        t.pieces = len(name) - 1
        if not 3 <= t.pieces <= MOST_PIECES:
            raise ValueError(f"no table: {name}")
        self.mapping = Mapping(path)
        if not read_table(t, self.mapping, counts[0], counts[1]):
            raise ValueError(f"damaged: {path}")

    def __dealloc__(self):
        cdef int i
        for i in range(STREAMS):
            free(self.table.stream[i].coding.extra)
