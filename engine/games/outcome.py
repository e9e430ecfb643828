"""When a game is over by the rules: one function for the referee, the demonstration and the openings.

A third occurrence of a position and the fiftieth move without progress end a game as soon as they are on the
board; a repetition that could only be claimed with the next move does not.
"""

import chess

DRAWN = "1/2-1/2"


class Repetitions:
    """How often each position has been there: `Board.is_repetition` replays the game for every question."""

    def __init__(self) -> None:
        self._seen: dict[tuple[object, ...], int] = {}

    def add(self, board: chess.Board) -> int:
        """Count this position; how often it has been there."""
        key = (
            board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings,
            board.occupied_co[chess.WHITE], board.turn, board.clean_castling_rights(),
            board.ep_square if board.has_legal_en_passant() else None,
        )  # fmt: skip
        self._seen[key] = count = self._seen.get(key, 0) + 1
        return count

    def replay(self, board: chess.Board) -> int:
        """Count all positions of a board's move stack, the last one too; how often that has been there."""
        past = board.root()
        count = self.add(past)
        for move in board.move_stack:
            past.push(move)
            count = self.add(past)
        return count


def outcome(board: chess.Board, count: int) -> tuple[str, str] | None:
    """(result, reason) if the game is over; `count`: how often this position has been there."""
    if not any(board.generate_legal_moves()):
        if board.is_check():
            return ("0-1" if board.turn else "1-0"), "checkmate"
        return DRAWN, "stalemate"
    if count >= 3:
        return DRAWN, "threefold repetition"
    if board.halfmove_clock >= 100:
        return DRAWN, "fifty moves"
    if board.is_insufficient_material():
        return DRAWN, "insufficient material"
    return None


def standing(board: chess.Board) -> tuple[str, str] | None:
    """The same of a board with its move stack."""
    return outcome(board, Repetitions().replay(board))
