"""Adjudication: the result of a game that both sides' scores agree on before the rules end it."""

from collections.abc import Sequence
from dataclasses import dataclass

from sssnake.engine.games.outcome import BLACK_WON, DRAWN, WHITE_WON


@dataclass(frozen=True)
class Adjudication:
    """When a game is decided early. Scores in centipawns, lengths in plies; a length of 0: never."""

    win_score: int = 0  # one side is ahead by this much in both sides' scores ...
    win_plies: int = 0  # ... for so many plies in a row: it has won
    draw_score: int = 0  # both sides' scores lie within this ...
    draw_plies: int = 0  # ... for so many plies in a row ...
    draw_from: int = 0  # ... and at least so many have been played: drawn
    longest: int = 0  # drawn after so many plies

    def result(self, scores: Sequence[int | None], played: int) -> int | None:
        """White's half points after `played` plies, None while the game is open.

        scores: White's, one a ply, the newest last. None: the engine sent no score, so nothing is agreed.
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
    """The last `plies` scores, or nothing if there are fewer or one is missing."""
    last = [score for score in scores[-plies:] if score is not None] if plies else []
    return last if len(last) == plies else []
