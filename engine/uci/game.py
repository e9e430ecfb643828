"""The game that a GUI describes, position and moves: a longer list of the same game costs only the rest."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from sssnake._fast.board.board import Board

STARTPOS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class CurrentGame:
    """The position in force and how it came about."""

    def __init__(self, make_board: "Callable[[str, bool], Board]"):
        self._make_board = make_board
        self.remark = ""  # on the position set last: what was dropped of its FEN, or how castling is written
        self._base = (STARTPOS, False)  # FEN, Chess960
        self._moves: list[str] = []
        self.board = make_board(STARTPOS, False)

    def set(self, fen: str, moves: list[str], chess960: bool) -> None:
        """Set up `fen` and play `moves`. ValueError: garbled or illegal; the old position stays."""
        known = len(self._moves)
        if (fen, chess960) == self._base and moves[:known] == self._moves:
            board = self.board.copy()
        else:
            board, known = self._read(fen, chess960), 0
        for move in moves[known:]:
            board.push(move)
        self._base, self._moves, self.board = (fen, chess960), moves, board

    def _read(self, fen: str, chess960: bool) -> "Board":
        """The position of a FEN. Castling rights that only Chess960 knows are kept, whatever is set."""
        if fen == STARTPOS:
            return self._make_board(fen, chess960)
        from sssnake._fast.board.playable import read_fen

        read, self.remark = read_fen(fen, chess960)
        rights, read.chess960 = read.castling_rights, chess960
        if read.clean_castling_rights() != rights:
            read.chess960 = True
            way = "castling rights of Chess960: castling is written king takes rook"
            self.remark = f"{self.remark}; {way}" if self.remark else way
        return self._make_board(read.fen(en_passant="fen"), read.chess960)

    def set_chess960(self, chess960: bool) -> None:
        """The same game, castling written as in Chess960 or as in standard chess."""
        self.set(self._base[0], self._moves, chess960)
