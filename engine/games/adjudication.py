"""Results: by the rules of chess, and before that by the agreement of both sides' scores."""

from collections.abc import Sequence
from dataclasses import dataclass

from _fast.board.board import Board

BLACK_WON, DRAWN, WHITE_WON = 0, 1, 2  # White's half points


def result_by_rules(board: Board) -> int | None:
    """White's half points where the game is over by the rules, None while it goes on."""
    if board.is_checkmate:
        return BLACK_WON if board.turn else WHITE_WON
    if board.is_stalemate or board.is_insufficient_material or board.is_fifty_moves or board.is_repetition(3):
        return DRAWN
    return None


@dataclass(frozen=True)
class Adjudication:
    """When a game is decided before its end. Scores in centipawns, lengths in plies; a length of 0: never."""

    win_score: int = 0  # both sides agree that one is ahead by this much ...
    win_plies: int = 0  # ... for so many plies in a row: won
    draw_score: int = 0  # both sides' scores lie within this ...
    draw_plies: int = 0  # ... for so many plies in a row ...
    draw_from: int = 0  # ... when at least so many have been played: drawn
    longest: int = 0  # drawn after so many

    def result(self, scores: Sequence[int | None], played: int) -> int | None:
        """White's half points after `played` plies, None while the game is open.

        scores: White's, one a ply, the newest last. None: a side told no score, and agrees with nothing.
        """
        last = agreed(scores, self.win_plies)
        if last and min(last) >= self.win_score:
            return WHITE_WON
        if last and max(last) <= -self.win_score:
            return BLACK_WON
        last = agreed(scores, self.draw_plies)
        if last and played >= self.draw_from and max(map(abs, last)) <= self.draw_score:
            return DRAWN
        return DRAWN if self.longest and played >= self.longest else None


def agreed(scores: Sequence[int | None], plies: int) -> list[int]:
    """The last scores, or nothing where there are fewer than `plies` or one is missing."""
    last = [score for score in scores[-plies:] if score is not None] if plies else []
    return last if len(last) == plies else []
