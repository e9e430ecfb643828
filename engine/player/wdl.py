"""Win, draw and loss expected of a score: what UCI_ShowWDL prints.

Two logistic curves of the score, one for a win, one for a loss; what they leave is the draw (an ordered
logit, McCullagh 1980). A score of `centre` wins half of the games; `spread` says how much the outcome is in
doubt. Both depend on the material on the board. Fitted by `sssnake wdl` to the engine's own games.
"""

import math

from sssnake._fast.values import MATE_RANGE

CENTRE = (356.7, -324.8, 63.2)  # centipawns: coefficients of 1, m, m * m with m = material / FULL
SPREAD = (58.2, 287.4, -200.7)

FULL = 78  # material at the start
WORTH = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}


def material(pieces: str) -> int:
    """Pawn units of both sides; `pieces` as in FEN, whatever stands between their letters."""
    letters = pieces.lower()
    return sum(worth * letters.count(letter) for letter, worth in WORTH.items())


def curves(pieces: float) -> tuple[float, float]:
    """(centre, spread) in centipawns for so much material."""
    m = min(pieces, FULL) / FULL
    centre, spread = (a + b * m + c * m * m for a, b, c in (CENTRE, SPREAD))
    return centre, spread


def wdl(score: int, pieces: float) -> tuple[int, int, int]:
    """(win, draw, loss) in per mille, for the side whose score it is; mates are certain."""
    if abs(score) >= MATE_RANGE:
        return (1000, 0, 0) if score > 0 else (0, 0, 1000)
    centre, spread = curves(pieces)
    win, loss = (round(1000 / (1 + math.exp(min((centre - x) / spread, 700)))) for x in (score, -score))
    return win, 1000 - win - loss, loss


def expected(outcomes: tuple[int, int, int]) -> float:
    """Share of the point, 0 to 1, expected of a win, a draw and a loss in per mille."""
    win, draw, _loss = outcomes
    return (win + draw / 2) / 1000
