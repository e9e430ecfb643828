"""The game that a GUI describes, position and moves: a longer list of the same game costs only the rest."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from _fast.board.board import Board

STARTPOS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"


class CurrentGame:
    """The position in force and how it came about."""

    def __init__(self, make_board: "Callable[[str, bool], Board]"):
        self._make_board = make_board
        self._base = (STARTPOS, False)  # FEN, Chess960
        self._moves: list[str] = []
        self.board = make_board(STARTPOS, False)

    def set(self, fen: str, moves: list[str], chess960: bool) -> None:
        """Set up `fen` and play `moves`. ValueError: garbled or illegal; the old position stays."""
        known = len(self._moves)
        if (fen, chess960) == self._base and moves[:known] == self._moves:
            board = self.board.copy()
        else:
            board, known = self._make_board(fen, chess960), 0
        for move in moves[known:]:
            board.push(move)
        self._base, self._moves, self.board = (fen, chess960), moves, board

    def set_chess960(self, chess960: bool) -> None:
        """The same game, castling written as in Chess960 or as in standard chess."""
        self.set(self._base[0], self._moves, chess960)
