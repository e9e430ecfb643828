"""Syzygy tablebases: results (WDL) and distances (DTZ) of positions.

A table's value is undefined where a capture is best, as that leads to another table: captures are always
searched. Tables ignore en passant. Format and meaning of the values: R. de Man, 2013.
"""

from libc.stdlib cimport calloc, free

from sssnake._fast.bits cimport pop, popcount
from sssnake._fast.board.board cimport Board
from sssnake._fast.board.movegen cimport count_legal, generate, generate_tactical
from sssnake._fast.board.position cimport MAY_CHECK, make, occupied
from sssnake._fast.board.tbfile cimport DAMAGED, File, NOT_STORED, look_up_dtz, look_up_wdl, unit
from sssnake._fast.board.tbindex cimport MOST_PIECES
from sssnake._fast.types cimport (
    BLACK, Bitboard, EN_PASSANT, KING, MAX_MOVES, Move, NO_SQUARE, PAWN, WHITE, is_capture, move_from,
    move_kind, piece_of, type_of,
)

cdef enum:
    SLOT_BITS = 13                      # all tables up to seven pieces, for both colours, fill a third
    NONE = -3                           # below all results
    CURSED = 100                        # plies: the 50-move rule makes draws of longer wins
    FARTHEST = 9999                     # plies

cdef enum:                              # argument of `distance`
    HELD = 0                            # the table holds the side to move
    MAY_SEARCH = 1                      # if it does not, search one ply


# The set

cdef inline Slot *slot_of(const TableSet *tables, uint64_t material) noexcept nogil:
    # The slot of a material, or the empty one for it.
    cdef uint64_t i = (material * <uint64_t> 0x9E3779B97F4A7C15) >> (64 - SLOT_BITS)
    while tables.slots[i].material and tables.slots[i].material != material:
        i = (i + 1) & ((1 << SLOT_BITS) - 1)
    return &tables.slots[i]


cdef inline uint64_t material_of(const Position *pos) noexcept nogil:
    cdef Bitboard left = occupied(pos)
    cdef uint64_t material = 0
    while left:
        material += unit(pos.board[pop(&left)])
    return material


cdef inline uint64_t exchanged(uint64_t material) noexcept nogil:
    # The material with colours exchanged.
    return (material & <uint64_t> 0x0F0F0F0F0F0F) << 4 | material >> 4 & <uint64_t> 0x0F0F0F0F0F0F


cdef inline bint flipped(const TableFile *table, const Position *pos, uint64_t material) noexcept nogil:
    return pos.side == BLACK if table.symmetric else material != table.material


# Results

cdef int table_wdl(const TableSet *tables, const Position *pos) noexcept nogil:
    # The table's value: right unless a capture is better.
    cdef uint64_t material = material_of(pos)
    cdef TableFile *table
    cdef int value
    if material == unit(piece_of(KING, WHITE)) + unit(piece_of(KING, BLACK)):
        return TABLE_DRAW
    table = slot_of(tables, material).wdl
    if table == NULL or table.damaged:
        return NOT_HELD
    value = look_up_wdl(table, pos, flipped(table, pos, material))
    if value == DAMAGED:
        table.damaged = 1
        return NOT_HELD
    return value + LOSS


cdef int with_captures(const TableSet *tables, const Position *pos, int alpha, int beta,
                       bint *capture_wins) noexcept nogil:
    # The result without en passant, exact between alpha and beta. capture_wins: a capture wins, and no other
    # move is better.
    cdef Move moves[MAX_MOVES]
    cdef Move *end = generate_tactical(pos, moves)
    cdef Position child
    cdef bint ignored
    cdef int i, value
    capture_wins[0] = False
    for i in range(<int> (end - moves)):
        if not is_capture(moves[i]) or move_kind(moves[i]) == EN_PASSANT:
            continue
        make(pos, &child, moves[i], MAY_CHECK)
        value = with_captures(tables, &child, -beta, -alpha, &ignored)
        if value == NOT_HELD:
            return NOT_HELD
        value = -value
        if value > alpha:
            alpha = value
            if value >= beta:
                capture_wins[0] = True
                return value
    value = table_wdl(tables, pos)
    if value == NOT_HELD or value > alpha:
        return value
    capture_wins[0] = alpha > TABLE_DRAW
    return alpha


cdef int en_passant(const TableSet *tables, const Position *pos, bint *forced) noexcept nogil:
    # The best result of en-passant captures, NONE if there is none; forced: there is no other move.
    cdef Move moves[MAX_MOVES]
    cdef Move *end
    cdef Position child
    cdef bint ignored
    cdef int i, value
    cdef int best = NONE
    cdef int count = 0
    forced[0] = False
    if pos.ep == NO_SQUARE:
        return NONE
    end = generate_tactical(pos, moves)
    for i in range(<int> (end - moves)):
        if move_kind(moves[i]) != EN_PASSANT:
            continue
        make(pos, &child, moves[i], MAY_CHECK)
        value = with_captures(tables, &child, LOSS, WIN, &ignored)
        if value == NOT_HELD:
            return NOT_HELD
        best = max(best, -value)
        count += 1
    forced[0] = count > 0 and count == count_legal(pos)
    return best


cdef int probe_wdl(const TableSet *tables, const Position *pos) noexcept nogil:
    cdef bint ignored, forced
    cdef int value = with_captures(tables, pos, LOSS, WIN, &ignored)
    cdef int taken
    if value == NOT_HELD or pos.ep == NO_SQUARE:
        return value
    taken = en_passant(tables, pos, &forced)
    if taken == NOT_HELD or taken > value:
        return taken
    return taken if forced and value == TABLE_DRAW else value       # for the table it was stalemate


# Distances

cdef inline int at_once(int wdl) noexcept nogil:
    # The distance where the next move is a capture or a pawn move.
    if wdl == WIN or wdl == LOSS:
        return wdl // 2
    return wdl * (CURSED + 1)


cdef inline bint is_pawn_move(const Position *pos, Move move) noexcept nogil:
    return type_of(pos.board[move_from(move)]) == PAWN


cdef bint pawn_move_wins(const TableSet *tables, const Position *pos, int wdl, bint *missing) noexcept nogil:
    # Whether a pawn move that takes nothing keeps the win.
    cdef Move moves[MAX_MOVES]
    cdef Move *end = generate(pos, moves)
    cdef Position child
    cdef int i, value
    for i in range(<int> (end - moves)):
        if is_capture(moves[i]) or not is_pawn_move(pos, moves[i]):
            continue
        make(pos, &child, moves[i], MAY_CHECK)
        value = probe_wdl(tables, &child)
        if value == NOT_HELD:
            missing[0] = True
            return False
        if -value == wdl:
            return True
    return False


cdef int winning_distance(const TableSet *tables, const Position *pos) noexcept nogil:
    # DTZ of a won position whose table does not hold the side to move, by a search of one ply.
    cdef Move moves[MAX_MOVES]
    cdef Move *end = generate(pos, moves)
    cdef Position child
    cdef int i, value
    cdef int best = FARTHEST
    for i in range(<int> (end - moves)):
        if is_capture(moves[i]) or is_pawn_move(pos, moves[i]):
            continue
        make(pos, &child, moves[i], MAY_CHECK)
        value = distance(tables, &child, HELD)
        if value == NOT_HELD:
            return NOT_HELD
        if value == -1 and child.checkers and count_legal(&child) == 0:
            best = 1
        elif value < 0:
            best = min(best, 1 - value)
    return best


cdef int losing_distance(const TableSet *tables, const Position *pos, int wdl) noexcept nogil:
    # Likewise of a lost position: the longest distance.
    cdef Move moves[MAX_MOVES]
    cdef Move *end = generate(pos, moves)
    cdef Position child
    cdef bint ignored
    cdef int i, value
    cdef int longest = -1
    for i in range(<int> (end - moves)):
        make(pos, &child, moves[i], MAY_CHECK)
        if child.rule50 > 0:
            value = distance(tables, &child, HELD)
            if value == NOT_HELD:
                return NOT_HELD
            value = -value - 1
        elif wdl == LOSS:
            value = -1
        else:
            value = with_captures(tables, &child, CURSED_WIN, WIN, &ignored)
            if value == NOT_HELD:
                return NOT_HELD
            value = 0 if value == WIN else at_once(BLESSED_LOSS)
        longest = min(longest, value)
    return longest


cdef int distance_without_ep(const TableSet *tables, const Position *pos, bint may_search) noexcept nogil:
    cdef uint64_t material
    cdef TableFile *table
    cdef bint capture_wins
    cdef bint missing = False
    cdef int value
    cdef int wdl = with_captures(tables, pos, LOSS, WIN, &capture_wins)
    if wdl == NOT_HELD or wdl == TABLE_DRAW:
        return wdl
    if capture_wins or wdl > 0 and pawn_move_wins(tables, pos, wdl, &missing):
        return at_once(wdl)
    material = material_of(pos)
    table = slot_of(tables, material).dtz
    if missing or table == NULL or table.damaged:
        return NOT_HELD
    value = look_up_dtz(table, pos, flipped(table, pos, material), wdl)
    if value == NOT_STORED and may_search:
        return winning_distance(tables, pos) if wdl > 0 else losing_distance(tables, pos, wdl)
    if value < 0:
        table.damaged = 1
        return NOT_HELD
    return at_once(wdl) + (value if wdl > 0 else -value)


cdef int distance(const TableSet *tables, const Position *pos, bint may_search) noexcept nogil:
    # may_search: search one ply if the table does not hold the side to move. It then holds the other one.
    cdef bint forced
    cdef int plies = distance_without_ep(tables, pos, may_search)
    cdef int taken, wdl
    if plies == NOT_HELD or pos.ep == NO_SQUARE:
        return plies
    taken = en_passant(tables, pos, &forced)
    if taken == NONE or taken == NOT_HELD:
        return plies if taken == NONE else NOT_HELD
    wdl = ((plies > 0) - (plies < 0)) * (1 if plies > CURSED or plies < -CURSED else 2)
    if taken > wdl or taken == wdl and wdl > 0 or forced and wdl == TABLE_DRAW:
        return at_once(taken)
    return plies


cdef int probe_dtz(const TableSet *tables, const Position *pos) noexcept nogil:
    return distance(tables, pos, MAY_SEARCH)


cdef class Tables:
    """A set of tablebase files. Results: None if a table is missing or damaged, or with castling rights."""

    def __cinit__(self):
        self.state.slots = <Slot *> calloc(1 << SLOT_BITS, sizeof(Slot))
        if self.state.slots == NULL:
            raise MemoryError("no memory for endgame tablebases")
        self.files = {}
        self.reported = set()

    def __dealloc__(self):
        free(self.state.slots)

    def add(self, str path, str name not None, bint dtz):
        """Open a tablebase file: `name` such as KRPvKR. A second file of a name is ignored. Not in a search.

        Raises OSError, and ValueError if the file is damaged.
        """
        cdef File file
        cdef uint64_t material
        cdef Slot *slot
        if (name, dtz) in self.files:
            return
        file = File(path, name, dtz)
        if self.state.used > 1 << (SLOT_BITS - 1):
            raise ValueError("too many tables")
        for material in (file.table.material, exchanged(file.table.material)):
            slot = slot_of(&self.state, material)
            self.state.used += slot.material == 0
            slot.material = material
            if dtz:
                slot.dtz = &file.table
            else:
                slot.wdl = &file.table
        self.files[name, dtz] = file
        if not dtz:
            self.state.largest = max(self.state.largest, file.table.pieces)

    def wdl(self, Board board not None):
        """WDL for the side to move, 50-move counter 0: -2 loss, -1 blessed loss, 0, 1 cursed win, 2 win."""
        cdef int value
        if board.pos.rights or popcount(occupied(&board.pos)) > MOST_PIECES:
            return None
        value = probe_wdl(&self.state, &board.pos)
        return None if value == NOT_HELD else value

    def dtz(self, Board board not None):
        """Plies to the next capture or pawn move with the best play, negative if lost (DTZ50'', rounded)."""
        cdef int value
        if board.pos.rights or popcount(occupied(&board.pos)) > MOST_PIECES:
            return None
        value = probe_dtz(&self.state, &board.pos)
        return None if value == NOT_HELD else value

    def damaged(self):
        """Names of files found damaged while probing; each is returned once."""
        cdef File file
        found = []
        for (name, dtz), file in self.files.items():
            if file.table.damaged and (name, dtz) not in self.reported:
                self.reported.add((name, dtz))
                found.append(f"{name}.{'rtbz' if dtz else 'rtbw'}")
        return sorted(found)

    @property
    def largest(self):
        """Pieces, kings included, of the largest WDL table; 0 if there is none."""
        return self.state.largest

    def __len__(self):
        """Number of files."""
        return len(self.files)
