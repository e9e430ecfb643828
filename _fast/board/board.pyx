"""Board: a position with its game history, for Python, with all arguments checked."""

import chess

from sssnake._fast.board.playable import read_fen

from libc.stdlib cimport free, realloc
from libc.string cimport memcpy

from sssnake._fast.bits cimport popcount
from sssnake._fast.board.movegen cimport (
    count_legal, generate, generate_checks, generate_quiet, generate_tactical, gives_check, is_legal,
)
from sssnake._fast.board.position cimport (
    MAY_CHECK, Position, insufficient_material, key_after, make, make_null, refuse, repetition_key, set_up,
    setup_from_chess, setup_from_fen, setup_to_chess, table_key,
)
from sssnake._fast.types cimport (
    CAPTURE, DOUBLE_PUSH, EN_PASSANT, FIFTY, KING, KNIGHT, Key, MAX_MOVES, Move, NO_MOVE, NO_PIECE, NO_SQUARE,
    PAWN, PROMOTION, QUEEN, QUIET, WHITE, file_of, is_castling, is_promotion, make_move, move_from, move_to,
    promotion_type, rank_of, square, type_of,
)


cdef enum:
    REPEATED_PLIES = 6                  # reversible ones, before a reply can repeat for the third time


# Moves in UCI notation

cdef list NAMES = chess.SQUARE_NAMES
cdef object NEW_MOVE = chess.Move
cdef Board START = None                     # the starting position


cdef int parse_square(int file, int rank) noexcept nogil:
    # The square named by two characters, else NO_SQUARE.
    file -= c"a"
    rank -= c"1"
    return square(file, rank) if 0 <= file < 8 and 0 <= rank < 8 else NO_SQUARE


cdef int castling_target(Move move) noexcept nogil:
    # Where the king of a castling move ends.
    cdef bint long_side = move_to(move) < move_from(move)
    return square(2 if long_side else 6, rank_of(move_from(move)))


cdef int checked(int move) except -1:
    if not 0 <= move < 1 << 16:
        raise ValueError(f"a move has sixteen bits: {move}")
    return move


cdef int times_seen(const Position *pos, const Key *keys, int index, Key key) noexcept nogil:
    # How often a game had the position `key` since its last irreversible move. keys[index]: that of `pos`.
    cdef int i, seen = 0
    for i in range(max(0, index - <int> pos.rule50), index + 1):
        seen += keys[i] == key
    return seen


cdef bint has_repeated(const Position *pos, const Key *keys, int index) noexcept nogil:
    # Whether a game had some position twice since its last irreversible move. keys[index]: that of `pos`.
    cdef int i
    for i in range(max(0, index - <int> pos.rule50), index):
        if times_seen(pos, keys, index, keys[i]) >= 2:
            return True
    return False


cdef bint is_repeatable(const Position *pos, const Key *keys, int index, Move move) noexcept nogil:
    # Whether the opponent can claim a draw by repetition after `move`. keys[index]: that of `pos` in its game
    cdef Position[2] after
    cdef Move[MAX_MOVES] replies
    cdef Move *end
    cdef int i
    if pos.rule50 < REPEATED_PLIES:
        return False
    make(pos, &after[0], move, MAY_CHECK)
    if after[0].rule50 == 0:
        return False
    end = generate(&after[0], replies)
    for i in range(<int> (end - replies)):
        make(&after[0], &after[1], replies[i], MAY_CHECK)
        if times_seen(pos, keys, index, repetition_key(&after[1])) >= 2:
            return True
    return False


cdef class Board:
    """A game of chess: start position, moves so far, position now."""

    def __cinit__(self):
        if START is not None:               # a board is always a position, whoever makes it
            self.become(START)

    def __init__(self, str fen not None=chess.STARTING_FEN, bint chess960=False):
        """Set up a FEN (or four-field EPD); ValueError, one line, if it is garbled or not playable."""
        self.start(chess.Board(fen, chess960=chess960))

    def __dealloc__(self):
        free(self.history)
        free(self.played)

    cdef int start(self, board) except -1:
        setup_from_chess(&self.root, board)
        if not self.begin():
            refuse(board)
        return 0

    cdef int begin(self) except -1:
        # 0: the side to move could take the king.
        if not set_up(&self.pos, &self.castling, &self.root):
            return 0
        self.chess960 = self.root.chess960
        self.fullmove_number = self.root.fullmove_number
        self.reserve(1)
        self.history[0] = repetition_key(&self.pos)
        self.history_length = 1
        return 1

    @staticmethod
    def from_fen(str fen not None):
        """Set up a FEN, as `playable.read_fen` reads it; ValueError, one line: not one, or not playable."""
        cdef Board self = Board.__new__(Board)
        cdef bytes text = fen.encode("utf-8", "replace")
        if b"\0" in text or not setup_from_fen(&self.root, text) or not self.begin():
            self.start(read_fen(fen)[0])
        return self

    @staticmethod
    def from_chess(board):
        """Take over a chess.Board with its move stack; ValueError if a position in it is not playable."""
        cdef Board self = Board.__new__(Board)
        cdef Move move
        stack = board.move_stack
        self.start(board.root() if stack else board)
        for played in stack:
            promotion = played.promotion
            move = self.between(played.from_square, played.to_square, promotion - 1 if promotion else -1)
            if played.drop:
                move = NO_MOVE
            if move != NO_MOVE:
                self.play(move)
            elif played:
                raise ValueError(f"illegal move {played.uci()!r} in {self.fen()}")
            elif self.pos.checkers:
                raise ValueError(f"a null move in check: {self.fen()}")
            else:
                self.play(NO_MOVE)
        return self

    def to_chess(self):
        """Return the game as a chess.Board with its move stack."""
        cdef int i
        board = setup_to_chess(&self.root)
        for i in range(self.history_length - 1):
            board.push(chess.Move.from_uci(self.uci(self.played[i])))
        return board

    def copy(self):
        """Return an independent copy, history included."""
        cdef Board other = Board.__new__(Board)
        other.become(self)
        return other

    cdef int become(self, Board other) except -1:
        # Take over another board, history included.
        self.reserve(other.history_length)
        self.history_length = other.history_length
        memcpy(self.history, other.history, other.history_length * sizeof(Key))
        memcpy(self.played, other.played, other.history_length * sizeof(Move))
        self.pos = other.pos
        self.castling = other.castling
        self.pos.castling = &self.castling
        self.chess960 = other.chess960
        self.fullmove_number = other.fullmove_number
        self.root = other.root
        return 0

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
        larger = realloc(self.played, capacity * sizeof(Move))
        if larger == NULL:
            raise MemoryError
        self.played = <Move *> larger
        self.history_capacity = capacity
        return 0

    cdef int play(self, Move move) except -1:
        # Make a legal move, or pass (NO_MOVE).
        cdef Position child
        self.reserve(self.history_length + 1)
        self.played[self.history_length - 1] = move
        if move == NO_MOVE:
            make_null(&self.pos, &child)
        else:
            make(&self.pos, &child, move, MAY_CHECK)
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
        # The legal move in UCI notation, else NO_MOVE. Castling: king takes rook, or the king moves two
        # files.
        cdef int n = len(uci)
        if n != 4 and n != 5:
            return NO_MOVE
        cdef int from_sq = parse_square(ord(uci[0]), ord(uci[1]))
        cdef int to_sq = parse_square(ord(uci[2]), ord(uci[3]))
        cdef int promotion = "nbrq".find(uci[4]) + KNIGHT if n == 5 else -1
        if from_sq == NO_SQUARE or to_sq == NO_SQUARE or promotion == 0:
            return NO_MOVE
        return self.between(from_sq, to_sq, promotion)

    cdef Move between(self, int from_sq, int to_sq, int promotion) noexcept:
        cdef int kind
        cdef Move move
        if not (0 <= from_sq < NO_SQUARE and 0 <= to_sq < NO_SQUARE):
            return NO_MOVE
        if type_of(self.pos.board[from_sq]) == KING:
            return NO_MOVE if promotion >= 0 else self.king_move(from_sq, to_sq)
        kind = QUIET if self.pos.board[to_sq] == NO_PIECE else CAPTURE
        if promotion >= 0:
            if not KNIGHT <= promotion <= QUEEN:
                return NO_MOVE
            kind += PROMOTION + promotion - KNIGHT
        elif type_of(self.pos.board[from_sq]) == PAWN:
            if to_sq == self.pos.ep and file_of(from_sq) != file_of(to_sq):
                kind = EN_PASSANT
            elif abs(to_sq - from_sq) == 16:
                kind = DOUBLE_PUSH
        move = make_move(from_sq, to_sq, kind)
        return move if is_legal(&self.pos, move) else NO_MOVE

    cdef Move king_move(self, int from_sq, int to_sq) noexcept:
        # The same for a king: a castling move is written as king takes rook or by the king's target.
        cdef Move[MAX_MOVES] moves
        cdef Move *end = generate(&self.pos, moves)
        cdef Move *move = moves
        cdef Move by_target = NO_MOVE
        while move < end:
            if move_from(move[0]) == from_sq:
                if move_to(move[0]) == to_sq:
                    return move[0]
                if is_castling(move[0]) and castling_target(move[0]) == to_sq:
                    by_target = move[0]
            move += 1
        return by_target

    def parse(self, str uci not None):
        """Return the 16-bit move of UCI notation, 0 if it is not legal."""
        return self.find(uci)

    def uci(self, int move):
        """Return a 16-bit move in UCI notation (castling as `chess960` says); 0 is the null move 0000."""
        cdef Move m = checked(move)
        if m == NO_MOVE:
            return "0000"
        cdef int to_sq = castling_target(m) if is_castling(m) and not self.chess960 else move_to(m)
        cdef str text = <str> NAMES[move_from(m)] + <str> NAMES[to_sq]
        return text + "nbrq"[promotion_type(m) - KNIGHT] if is_promotion(m) else text

    def to_move(self, int move):
        """A 16-bit move as python-chess writes it (castling as `chess960` says); 0 is its null move."""
        cdef Move m = checked(move)
        if m == NO_MOVE:
            return NEW_MOVE(0, 0)
        cdef int to_sq = castling_target(m) if is_castling(m) and not self.chess960 else move_to(m)
        if is_promotion(m):
            return NEW_MOVE(move_from(m), to_sq, promotion_type(m) + 1)
        return NEW_MOVE(move_from(m), to_sq)

    def moves(self, str kind not None="all"):
        """Return 16-bit legal moves: "all", "tactical" (captures and promotions), "quiet" or "checks".

        Checks are quiet moves that give check, without castling, where the side to move is not in check.
        """
        cdef Move listed[MAX_MOVES]
        cdef Move *end
        if kind == "tactical":
            end = generate_tactical(&self.pos, listed)
        elif kind == "quiet":
            end = generate_quiet(&self.pos, listed)
        elif kind == "checks" and not self.pos.checkers:
            end = generate_checks(&self.pos, listed)
        elif kind == "all":
            end = generate(&self.pos, listed)
        else:
            raise ValueError(f"no such kind of moves in this position: {kind}")
        return [listed[i] for i in range(end - listed)]

    def legal_moves(self):
        """Return all legal moves in UCI notation."""
        return [self.uci(move) for move in self.moves()]

    def is_legal(self, int move):
        """Whether a 16-bit number is a legal move here."""
        return is_legal(&self.pos, checked(move))

    def gives_check(self, int move):
        """Whether a 16-bit move gives check; ValueError if it is not legal."""
        if not is_legal(&self.pos, checked(move)):
            raise ValueError(f"illegal move {move} in {self.fen()}")
        return gives_check(&self.pos, move)

    def key_after(self, int move):
        """Zobrist key after a 16-bit move, computed without making it; ValueError if it is not legal."""
        if not is_legal(&self.pos, checked(move)):
            raise ValueError(f"illegal move {move} in {self.fen()}")
        return key_after(&self.pos, move)

    def snapshot(self):
        """Return the position's memory as bytes, without its address and ply counts (tests)."""
        cdef Position pos = self.pos
        pos.castling = NULL
        pos.plies_from_null = pos.ply = 0
        return (<const char *> &pos)[:sizeof(Position)]

    def fen(self):
        """Return the position's FEN, as chess.Board.fen() writes it."""
        return self.to_chess().fen()

    @property
    def pieces(self):
        """The letters of the pieces on the board, as in FEN, square by square from a1."""
        cdef int sq
        return "".join(["PpNnBbRrQqKk"[self.pos.board[sq]] for sq in range(64)
                        if self.pos.board[sq] != NO_PIECE])

    @property
    def piece_counts(self):
        """Number of pawns, knights, bishops, rooks and queens, of both colours together."""
        return tuple([popcount(self.pos.by_type[i]) for i in range(KING)])

    @property
    def turn(self):
        """Side to move: True for white."""
        return self.pos.side == WHITE

    @property
    def key(self):
        """Zobrist key, equal to chess.polyglot.zobrist_hash."""
        return self.pos.key

    @property
    def table_key(self):
        """The key in the transposition table: the Zobrist key, changed by high 50-move counters."""
        return table_key(&self.pos)

    @property
    def part_keys(self):
        """Keys of the pawns, White's and Black's pieces, knights and bishops, all other pieces (a list)."""
        return list(self.pos.part_keys)

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
        return self.pos.rule50 >= FIFTY and count_legal(&self.pos) > 0

    def is_repetition(self, int count=3):
        """Whether the position has now occurred `count` times in this game."""
        cdef int last = self.history_length - 1
        cdef int first = max(last - self.pos.rule50, 0)
        cdef int i
        for i in range(first, last + 1):
            count -= self.history[i] == self.history[last]
        return count <= 0


START = Board()
