"""Playing below full strength: Skill Level and UCI_Elo as a cap on nodes and a noisy choice among lines.

A level is a number from 0 to 20. Below 20 the search ends after NODES * GROWTH ** level nodes and looks for
several best moves; one of them is played with a probability proportional to exp(score / temperature). Both
the temperature and the number of moves fall with the level. UCI_Elo goes on beyond level 20, by the nodes
alone. CALIBRATION says what Elo came out (docs/play/strength.md).
"""

import math
import random
from bisect import bisect
from collections.abc import Sequence
from typing import NamedTuple

from sssnake.engine.player.options import Options

FULL = 20  # the level without any handicap
NODES = 20  # of level 0
GROWTH = 1.5  # of the nodes from level to level
LINES = 8  # moves that level 0 chooses among; level 20: 1
HOTTEST, COLDEST = 300.0, 0.01  # centipawns: temperature of level 0; from level 20 on
COOLING = 3  # exponent of its fall
DECIDED = 1500  # centipawns: scores beyond, mates included, count no more than this

CALIBRATION = (
    (0.0, 820),
    (4.0, 1050),
    (6.0, 1260),
    (8.0, 1380),
    (10.0, 1610),
    (12.0, 1810),
    (14.0, 1920),
    (16.0, 2010),
    (18.0, 2130),
    (20.0, 2270),
    (22.0, 2420),
    (24.0, 2530),
)  # (level, Elo), rising


class Handicap(NamedTuple):
    """What a weaker player may use."""

    nodes: int
    lines: int
    temperature: float  # centipawns

    def choose(self, scores: Sequence[int], rng: random.Random) -> int:
        """Index of the line to play; `scores` in centipawns, the best first."""
        capped = [min(max(score, -DECIDED), DECIDED) for score in scores]
        weights = [math.exp((score - max(capped)) / self.temperature) for score in capped]
        return rng.choices(range(len(scores)), weights)[0]


def level_of(elo: float) -> float:
    """The level that plays at `elo`, by interpolation; the nearest where none does."""
    levels, ratings = zip(*CALIBRATION, strict=True)
    at = min(max(bisect(ratings, elo), 1), len(ratings) - 1)
    share = (elo - ratings[at - 1]) / (ratings[at] - ratings[at - 1])
    return float(levels[at - 1] + min(max(share, 0), 1) * (levels[at] - levels[at - 1]))


def handicap(options: Options) -> Handicap | None:
    """What the options ask for; None: full strength. Analysis is always at full strength."""
    level = level_of(options.elo) if options.limit_strength else options.skill_level
    if options.analyse_mode or (not options.limit_strength and level >= FULL):
        return None
    rest = max(1 - level / FULL, 0)
    temperature = max(HOTTEST * rest**COOLING, COLDEST)
    return Handicap(round(NODES * GROWTH**level), 1 + round((LINES - 1) * rest), temperature)


def generator(options: Options, key: int, ply: int) -> random.Random:
    """Where random choices come from: with a SkillSeed they repeat in the same position of the same game."""
    return random.Random(f"{options.skill_seed}/{key}/{ply}" if options.skill_seed else None)
