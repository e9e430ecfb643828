"""Results of games, and when a game is over by the rules: for python-chess boards and for the core's.

A third occurrence of a position and the fiftieth move without progress end a game as soon as they are on the
board. A repetition that could only be claimed with the next move does not.
"""

import chess

from sssnake._fast.board.board import Board
from sssnake._fast.values import FIFTY

BLACK_WON, DRAWN, WHITE_WON = 0, 1, 2  # White's half points
RESULTS = ("0-1", "1/2-1/2", "1-0")  # as PGN writes them, by White's half points


def half_points(result: str) -> int:
    """White's half points of a PGN result. ValueError if the game has none."""
    return RESULTS.index(result)


def result_by_rules(board: Board) -> int | None:
    """White's half points if the game on a board of the core is over by the rules, else None."""
    if board.is_checkmate:
        return BLACK_WON if board.turn else WHITE_WON
    if board.is_stalemate or board.is_insufficient_material or board.is_fifty_moves or board.is_repetition(3):
        return DRAWN
    return None


def outcome(board: chess.Board, count: int) -> tuple[str, str] | None:
    """(result, reason) if the game is over by the rules; `count`: occurrences of this position so far."""
    if not any(board.generate_legal_moves()):
        if board.is_check():
            return RESULTS[BLACK_WON if board.turn else WHITE_WON], "checkmate"
        return RESULTS[DRAWN], "stalemate"
    if count >= 3:
        return RESULTS[DRAWN], "threefold repetition"
    if board.halfmove_clock >= FIFTY:
        return RESULTS[DRAWN], "fifty moves"
    if board.is_insufficient_material():
        return RESULTS[DRAWN], "insufficient material"
    return None


def outcome_with_history(board: chess.Board) -> tuple[str, str] | None:
    """The same, with the positions of the board's move stack counted."""
    return outcome(board, Repetitions().replay(board))


class Repetitions:
    """Counts positions. (`chess.Board.is_repetition` replays the game for every question.)"""

    def __init__(self) -> None:
        self._seen: dict[tuple[object, ...], int] = {}

    def add(self, board: chess.Board) -> int:
        """Count this position; return how often it has occurred."""
        key = (
            board.pawns,
            board.knights,
            board.bishops,
            board.rooks,
            board.queens,
            board.kings,
            board.occupied_co[chess.WHITE],
            board.turn,
            board.clean_castling_rights(),
            board.ep_square if board.has_legal_en_passant() else None,
        )
        self._seen[key] = count = self._seen.get(key, 0) + 1
        return count

    def replay(self, board: chess.Board) -> int:
        """Count the positions of a board's move stack and its own; return how often that has occurred."""
        past = board.root()
        count = self.add(past)
        for move in board.move_stack:
            past.push(move)
            count = self.add(past)
        return count
