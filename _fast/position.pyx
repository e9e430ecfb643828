"""Position: making moves, attack queries, draw rules; and Board, the validated Python face with its game history."""

import chess

from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from _fast.attacks cimport (
    BETWEEN, KING_ATTACKS, KNIGHT_ATTACKS, PAWN_ATTACKS, bishop_attacks, rook_attacks,
)
from _fast.bits cimport likely, lsb, popcount, several
from _fast.movegen cimport count_legal, generate
from _fast.psqt cimport PHASE, PSQT
from _fast.types cimport (
    BISHOP, BLACK, Bitboard, CAPTURE, DOUBLE_PUSH, EN_PASSANT, KING, KNIGHT, Key, MAX_MOVES, Move, NO_MOVE,
    NO_PIECE, NO_SQUARE, PAWN, QUEEN, ROOK, WHITE, bit, color_of, file_of, is_capture, is_castling, is_promotion,
    make_move, move_from, move_kind, move_to, piece_of, promotion_type, rank_of,
    relative_square, square, type_of,
)
from _fast.zobrist cimport CASTLING_KEYS, EP_KEYS, PIECE_KEYS, TURN_KEY


# Making moves

cdef inline void toggle(Position *pos, int piece, int sq, bint puts) noexcept nogil:
    # Put a piece on an empty square, or lift it, in the sets and every incremental sum; not on `board`.
    cdef int piece_type = type_of(piece)
    cdef int color = color_of(piece)
    cdef Key key = PIECE_KEYS[piece][sq]
    pos.by_type[piece_type] ^= bit(sq)
    pos.by_color[color] ^= bit(sq)
    pos.key ^= key
    if piece_type == PAWN:
        pos.pawn_key ^= key
    else:
        pos.nonpawn_key[color] ^= key
    pos.score += PSQT[piece][sq] if puts else -PSQT[piece][sq]


cdef inline void put(Position *pos, int piece, int sq) noexcept nogil:
    toggle(pos, piece, sq, True)
    pos.phase += PHASE[piece]
    pos.board[sq] = piece


cdef inline void lift(Position *pos, int piece, int sq) noexcept nogil:
    toggle(pos, piece, sq, False)
    pos.phase -= PHASE[piece]
    pos.board[sq] = NO_PIECE


cdef inline void make_as(const Position *pos, Position *child, Move move, int us) noexcept nogil:
    cdef int them = us ^ 1
    cdef int from_sq = move_from(move)
    cdef int to_sq = move_to(move)
    cdef int piece = pos.board[from_sq]
    cdef int captured_at
    cdef int king_to, rook_to
    child[0] = pos[0]
    child.side = them
    child.rule50 = pos.rule50 + 1
    child.plies_from_null = pos.plies_from_null + 1
    child.ep = NO_SQUARE
    child.rights = pos.rights & pos.castling.rights_kept[from_sq] & pos.castling.rights_kept[to_sq]
    child.key ^= TURN_KEY[0] ^ EP_KEYS[pos.ep] ^ CASTLING_KEYS[pos.rights ^ child.rights]

    if is_castling(move):               # lift both before putting either: their squares may overlap
        king_to = relative_square(us, 6 if to_sq > from_sq else 2)
        rook_to = relative_square(us, 5 if to_sq > from_sq else 3)
        lift(child, piece, from_sq)
        lift(child, piece_of(ROOK, us), to_sq)
        put(child, piece, king_to)
        put(child, piece_of(ROOK, us), rook_to)
        child.king[us] = king_to
    else:
        if is_capture(move):
            captured_at = to_sq ^ 8 if move_kind(move) == EN_PASSANT else to_sq
            lift(child, pos.board[captured_at], captured_at)
            child.rule50 = 0
        lift(child, piece, from_sq)
        if type_of(piece) == PAWN:
            child.rule50 = 0
            if is_promotion(move):
                piece = piece_of(promotion_type(move), us)
            elif move_kind(move) == DOUBLE_PUSH and PAWN_ATTACKS[us][to_sq ^ 8] & pieces(pos, them, PAWN):
                child.ep = to_sq ^ 8
                child.key ^= EP_KEYS[child.ep]
        elif type_of(piece) == KING:
            child.king[us] = to_sq
        put(child, piece, to_sq)
    child.checkers = attackers_to(child, child.king[them], occupied(child)) & child.by_color[us]


cdef void make(const Position *pos, Position *child, Move move) noexcept nogil:
    # The position after a legal move.
    if pos.side == WHITE:
        make_as(pos, child, move, WHITE)
    else:
        make_as(pos, child, move, BLACK)


cdef void make_null(const Position *pos, Position *child) noexcept nogil:
    # The position after passing; the side to move is not in check.
    child[0] = pos[0]
    child.side = pos.side ^ 1
    child.key ^= TURN_KEY[0] ^ EP_KEYS[pos.ep]
    child.ep = NO_SQUARE
    child.rule50 = pos.rule50 + 1
    child.plies_from_null = 0


# Attack queries

cdef Bitboard attackers_to(const Position *pos, int sq, Bitboard occ) noexcept nogil:
    # Pieces of both colours that attack sq when the board is occupied as `occ` says.
    cdef Bitboard queens = pos.by_type[QUEEN]
    return (
        (KNIGHT_ATTACKS[sq] & pos.by_type[KNIGHT])
        | (KING_ATTACKS[sq] & pos.by_type[KING])
        | (PAWN_ATTACKS[BLACK][sq] & pieces(pos, WHITE, PAWN))
        | (PAWN_ATTACKS[WHITE][sq] & pieces(pos, BLACK, PAWN))
        | (rook_attacks(sq, occ) & (pos.by_type[ROOK] | queens))
        | (bishop_attacks(sq, occ) & (pos.by_type[BISHOP] | queens))
    )


cdef bint is_attacked(const Position *pos, int sq, int by_color, Bitboard occ) noexcept nogil:
    return (attackers_to(pos, sq, occ) & pos.by_color[by_color]) != 0


# Draw rules

cdef bint ep_is_legal(const Position *pos) noexcept nogil:
    # Whether some capture on pos.ep (a square) leaves the own king unattacked.
    cdef int us = pos.side
    cdef int them = us ^ 1
    cdef Bitboard takers = PAWN_ATTACKS[them][pos.ep] & pieces(pos, us, PAWN)
    cdef Bitboard taken = bit(pos.ep ^ 8)
    cdef Bitboard occ
    while takers:
        occ = occupied(pos) ^ (takers & -takers) ^ bit(pos.ep) ^ taken
        if not attackers_to(pos, pos.king[us], occ) & pos.by_color[them] & ~taken:
            return True
        takers &= takers - 1
    return False


cdef Key repetition_key(const Position *pos) noexcept nogil:
    # Equal exactly when the rules call two positions equal: en passant counts only if it can be played.
    if likely(pos.ep == NO_SQUARE, True) or ep_is_legal(pos):
        return pos.key
    return pos.key ^ EP_KEYS[pos.ep]


cdef bint insufficient_material(const Position *pos) noexcept nogil:
    # Neither side can ever mate: a lone minor piece, or bishops that all run on one colour.
    cdef Bitboard bishops = pos.by_type[BISHOP]
    cdef Bitboard dark = 0xaa55aa55aa55aa55
    if pos.by_type[PAWN] | pos.by_type[ROOK] | pos.by_type[QUEEN]:
        return False
    if pos.by_type[KNIGHT]:
        return popcount(occupied(pos)) <= 3
    return not bishops & dark or not bishops & ~dark


# The bridge from python-chess

cdef void add_right(Castling *castling, int king, int rook) noexcept nogil:
    # Enter the right to castle with this rook.
    cdef int color = king >= 32
    cdef int right = 2 * color + (rook < king)
    cdef int king_to = relative_square(color, 2 if rook < king else 6)
    cdef int rook_to = relative_square(color, 3 if rook < king else 5)
    castling.rook_from[right] = rook
    castling.rights_kept[king] &= ~(3 << 2 * color)
    castling.rights_kept[rook] &= ~(1 << right)
    castling.king_way[right] = BETWEEN[king][king_to] | bit(king) | bit(king_to)
    castling.must_be_empty[right] = (
        (castling.king_way[right] | BETWEEN[rook][rook_to] | bit(rook_to)) & ~(bit(king) | bit(rook))
    )


cdef int load(Board self, board) except -1:
    # Fill self.pos and self.castling from a chess.Board that check_playable accepts.
    cdef Position *pos = &self.pos
    cdef int sq, rook, color
    cdef Bitboard rights = board.clean_castling_rights()
    memset(pos, 0, sizeof(Position))
    memset(&self.castling, 0, sizeof(Castling))
    memset(self.castling.rights_kept, 15, 64)
    memset(self.castling.rook_from, NO_SQUARE, 4)
    memset(pos.board, NO_PIECE, 64)
    pos.castling = &self.castling
    for sq, piece in board.piece_map().items():
        put(pos, piece_of(piece.piece_type - 1, not piece.color), sq)
    for color in range(2):
        pos.king[color] = lsb(pieces(pos, color, KING))
    while rights:
        rook = lsb(rights)
        rights &= rights - 1
        color = rook >= 32
        add_right(&self.castling, pos.king[color], rook)
        pos.rights |= 1 << (2 * color + (rook < pos.king[color]))
    pos.side = not board.turn
    pos.ep = NO_SQUARE
    if board.ep_square is not None:
        sq = board.ep_square
        if PAWN_ATTACKS[pos.side ^ 1][sq] & pieces(pos, pos.side, PAWN):
            pos.ep = sq
    pos.rule50 = board.halfmove_clock
    pos.key ^= CASTLING_KEYS[pos.rights] ^ EP_KEYS[pos.ep] ^ (TURN_KEY[0] if pos.side == WHITE else 0)
    pos.checkers = attackers_to(pos, pos.king[pos.side], occupied(pos)) & pos.by_color[pos.side ^ 1]
    return 0


# What _fast cannot play. Impossible checks and over-generous castling or en-passant fields do no harm.
ILLEGAL = {
    chess.STATUS_NO_WHITE_KING: "no white king",
    chess.STATUS_NO_BLACK_KING: "no black king",
    chess.STATUS_TOO_MANY_KINGS: "more than one king of a colour",
    chess.STATUS_TOO_MANY_WHITE_PAWNS: "more than eight white pawns",
    chess.STATUS_TOO_MANY_BLACK_PAWNS: "more than eight black pawns",
    chess.STATUS_TOO_MANY_WHITE_PIECES: "more than sixteen white pieces",
    chess.STATUS_TOO_MANY_BLACK_PIECES: "more than sixteen black pieces",
    chess.STATUS_PAWNS_ON_BACKRANK: "a pawn on the first or last rank",
    chess.STATUS_OPPOSITE_CHECK: "the side to move could take the king",
    chess.STATUS_EMPTY: "an empty board",
}
MAX_HALFMOVES = 10_000
MAX_FULLMOVES = 100_000


def check_playable(board: chess.Board) -> None:
    """Raise ValueError, with the reason, for a position that the core does not play."""
    status = board.status()
    for flag, reason in ILLEGAL.items():
        if status & flag:
            raise ValueError(f"illegal position: {reason}")
    for color, name in ((chess.WHITE, "white"), (chess.BLACK, "black")):
        extra = sum(
            max(len(board.pieces(piece_type, color)) - at_start, 0)
            for piece_type, at_start in ((chess.KNIGHT, 2), (chess.BISHOP, 2), (chess.ROOK, 2), (chess.QUEEN, 1))
        )
        # This bounds the moves of any position by far less than MAX_MOVES: 218 is the record (Petrovic, 1964).
        if extra + len(board.pieces(chess.PAWN, color)) > 8:
            raise ValueError(f"illegal position: {name} has more promoted pieces than pawns could give")
    if not 0 <= board.halfmove_clock <= MAX_HALFMOVES:
        raise ValueError(f"illegal position: halfmove clock {board.halfmove_clock} out of range")
    if not 0 <= board.fullmove_number <= MAX_FULLMOVES:
        raise ValueError(f"illegal position: fullmove number {board.fullmove_number} out of range")


# Moves in UCI notation

cdef int parse_square(int file, int rank) noexcept nogil:
    # The square named by two characters, else NO_SQUARE.
    file -= c"a"
    rank -= c"1"
    return square(file, rank) if 0 <= file < 8 and 0 <= rank < 8 else NO_SQUARE


cdef int castling_target(Move move) noexcept nogil:
    # Where the king of a castling move ends.
    cdef bint long_side = move_to(move) < move_from(move)
    return square(2 if long_side else 6, rank_of(move_from(move)))


# The Python face

cdef class Board:
    """A game of chess: start position, moves so far, position now."""

    def __cinit__(self):
        self.history = NULL
        self.moves = NULL
        self.history_length = 0
        self.history_capacity = 0

    def __init__(self, str fen not None=chess.STARTING_FEN, bint chess960=False):
        """Set up a FEN (or four-field EPD); ValueError, one line, if it is garbled or not playable."""
        self.start(chess.Board(fen, chess960=chess960))

    def __dealloc__(self):
        free(self.history)
        free(self.moves)

    cdef int start(self, board) except -1:
        # Begin a game at a chess.Board without moves.
        board.promoted = chess.BB_EMPTY     # crazyhouse's marks, which would hide kings from status()
        check_playable(board)
        if board.status() & chess.STATUS_INVALID_EP_SQUARE:
            board.ep_square = None
        load(self, board)
        self.root = board
        self.chess960 = board.chess960
        self.fullmove_number = board.fullmove_number
        self.reserve(1)
        self.history[0] = repetition_key(&self.pos)
        self.history_length = 1
        return 0

    @staticmethod
    def from_chess(board):
        """Take over a chess.Board with its move stack; ValueError if a position in it is not playable."""
        cdef Board self = Board.__new__(Board)
        self.start(board.root())
        for move in board.move_stack:
            if move:
                self.push(move.uci())
            else:
                self.play(NO_MOVE)
        return self

    def to_chess(self):
        """Return the game as a chess.Board with its move stack."""
        cdef int i
        board = self.root.copy()
        for i in range(self.history_length - 1):
            board.push(chess.Move.from_uci(self.uci(self.moves[i])))
        return board

    def copy(self):
        """Return an independent copy, history included."""
        cdef Board other = Board.__new__(Board)
        other.reserve(self.history_length)
        other.history_length = self.history_length
        memcpy(other.history, self.history, self.history_length * sizeof(Key))
        memcpy(other.moves, self.moves, self.history_length * sizeof(Move))
        other.pos = self.pos
        other.castling = self.castling
        other.pos.castling = &other.castling
        other.chess960 = self.chess960
        other.fullmove_number = self.fullmove_number
        other.root = self.root
        return other

    cdef int reserve(self, int length) except -1:
        # Make room for `length` positions.
        cdef void *larger
        cdef int capacity = 2 * length + 64
        if length <= self.history_capacity:
            return 0
        larger = realloc(self.history, capacity * sizeof(Key))
        if larger == NULL:
            raise MemoryError
        self.history = <Key *> larger
        larger = realloc(self.moves, capacity * sizeof(Move))
        if larger == NULL:
            raise MemoryError
        self.moves = <Move *> larger
        self.history_capacity = capacity
        return 0

    cdef int play(self, Move move) except -1:
        # Make a legal move, or pass (NO_MOVE).
        cdef Position child
        self.reserve(self.history_length + 1)
        self.moves[self.history_length - 1] = move
        if move == NO_MOVE:
            make_null(&self.pos, &child)
        else:
            make(&self.pos, &child, move)
        self.fullmove_number += self.pos.side
        self.pos = child
        self.history[self.history_length] = repetition_key(&self.pos)
        self.history_length += 1
        return 0

    def push(self, str uci not None):
        """Play a move in UCI notation; ValueError, and nothing changed, if it is not legal."""
        cdef Move move = self.find(uci)
        if move == NO_MOVE:
            raise ValueError(f"illegal move {uci!r} in {self.fen()}")
        self.play(move)

    cdef Move find(self, str uci):
        # The legal move so written, else NO_MOVE. Castling is king takes rook, or the king's two-file step.
        cdef Move moves[MAX_MOVES]
        cdef Move *end
        cdef Move *move = moves
        cdef Move by_target = NO_MOVE
        cdef int n = len(uci)
        if n != 4 and n != 5:
            return NO_MOVE
        cdef int from_sq = parse_square(ord(uci[0]), ord(uci[1]))
        cdef int to_sq = parse_square(ord(uci[2]), ord(uci[3]))
        cdef int promotion = "nbrq".find(uci[4]) + KNIGHT if n == 5 else -1
        if from_sq == NO_SQUARE or to_sq == NO_SQUARE or promotion == 0:
            return NO_MOVE
        end = generate(&self.pos, moves)
        while move < end:
            if move_from(move[0]) == from_sq:
                if is_promotion(move[0]):
                    if move_to(move[0]) == to_sq and promotion_type(move[0]) == promotion:
                        return move[0]
                elif n == 4:
                    if move_to(move[0]) == to_sq:
                        return move[0]
                    if is_castling(move[0]) and castling_target(move[0]) == to_sq:
                        by_target = move[0]
            move += 1
        return by_target

    def parse(self, str uci not None):
        """Return the 16-bit move so written, 0 if it is not legal."""
        return self.find(uci)

    def uci(self, move: int):
        """Write a 16-bit move in UCI notation (castling as chess960 says); 0 is the null move 0000."""
        cdef Move m = move
        if m == NO_MOVE:
            return "0000"
        cdef int to_sq = castling_target(m) if is_castling(m) and not self.chess960 else move_to(m)
        text = chess.SQUARE_NAMES[move_from(m)] + chess.SQUARE_NAMES[to_sq]
        return text + "nbrq"[promotion_type(m) - KNIGHT] if is_promotion(m) else text

    def legal_moves(self):
        """Return all legal moves in UCI notation."""
        cdef Move moves[MAX_MOVES]
        cdef int n = generate(&self.pos, moves) - moves
        cdef int i
        return [self.uci(moves[i]) for i in range(n)]

    def fen(self):
        """Return the position's FEN, as chess.Board.fen() writes it."""
        return self.to_chess().fen()

    @property
    def turn(self):
        """Side to move: True for white."""
        return self.pos.side == WHITE

    @property
    def key(self):
        """Zobrist key, equal to chess.polyglot.zobrist_hash."""
        return self.pos.key

    @property
    def pawn_key(self):
        """Zobrist key of the pawns alone."""
        return self.pos.pawn_key

    @property
    def halfmove_clock(self):
        """Plies since the last capture or pawn move."""
        return self.pos.rule50

    @property
    def is_check(self):
        """Whether the side to move is in check."""
        return self.pos.checkers != 0

    @property
    def is_checkmate(self):
        """Whether the side to move is mated."""
        return self.pos.checkers != 0 and count_legal(&self.pos) == 0

    @property
    def is_stalemate(self):
        """Whether the side to move has no move and is not in check."""
        return self.pos.checkers == 0 and count_legal(&self.pos) == 0

    @property
    def is_insufficient_material(self):
        """Whether neither side has the material to mate."""
        return insufficient_material(&self.pos)

    @property
    def is_fifty_moves(self):
        """Whether a draw by the fifty-move rule can be claimed now (a mated player cannot)."""
        return self.pos.rule50 >= 100 and count_legal(&self.pos) > 0

    def is_repetition(self, int count=3):
        """Whether the position has now occurred `count` times in this game."""
        cdef int last = self.history_length - 1
        cdef int first = max(last - self.pos.rule50, 0)
        cdef int i
        for i in range(first, last + 1):
            count -= self.history[i] == self.history[last]
        return count <= 0
