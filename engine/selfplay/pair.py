"""Self-play pairs: two games between two settings of this engine, colours changed, inside one process.

They take a third of the time of the same games over UCI. A game may be broken off after some plies; it then
counts as the expected score of both sides. If the settings differ in the middle game, that gives half the
error of a result in half the time.
"""

from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path

import chess

from engine.common.arguments import positive
from engine.games.adjudication import Adjudication
from engine.games.outcome import DRAWN, WHITE_WON
from engine.player import wdl
from engine.player.limits import Limits
from engine.player.options import DRIVERS
from engine.selfplay.game import LONGEST, Game, play
from engine.selfplay.players import SearchPlayer, Side

WON = WHITE_WON  # half points
LAST_SCORES = 4  # plies at the end of an unfinished game whose scores give the expected result
ADJUDICATION = Adjudication(win_score=700, win_plies=6, draw_score=8, draw_plies=10, draw_from=80)


@dataclass(frozen=True)
class Pair:
    """Two games from one opening, colours changed."""

    start: chess.Board  # with its moves on the stack
    sides: tuple[Side, Side]
    limits: Limits
    plies: int = LONGEST  # of a game, those of the opening included; then the expected score counts


@dataclass(frozen=True)
class Outcome:
    """Half points of the first side, 0 to 4 (fractions if expected), and how much each side searched."""

    points: float
    nodes: tuple[int, int]
    passes: tuple[float, float]  # of an iteration


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of pairs to a command line."""
    add = parser.add_argument
    add("--plies", type=positive, default=LONGEST, help="break games off there; the expected score counts")
    add("--driver", choices=DRIVERS, default="SSS*", help="(default SSS*)")
    add("--seed", type=int, default=1, help="of all random numbers (default 1)")
    add("--openings", type=Path, metavar="FILE", help="EPD or PGN, also in a .zip; default: random plies")


def play_pair(pair: Pair) -> Outcome:
    """Play both games."""
    one, other = (SearchPlayer(side, pair.limits) for side in pair.sides)
    first = points(play((one, other), pair.start, ADJUDICATION, plies=pair.plies), pair)
    second = points(play((other, one), pair.start, ADJUDICATION, plies=pair.plies), pair)
    passes = [player.passes / max(player.iterations, 1) for player in (one, other)]
    return Outcome(first + WON - second, (one.nodes, other.nodes), (passes[0], passes[1]))


def points(game: Game | None, pair: Pair) -> float:
    """White's half points, or those expected if the game was broken off."""
    assert game is not None
    if game.result is not None:
        return game.result
    return DRAWN if pair.plies >= LONGEST else expected(game)


def expected(game: Game) -> float:
    """White's expected half points: the mean of the WDL model over the last scores."""
    last = [score for _move, score in game.plies[-LAST_SCORES:]] or [0]
    material = wdl.material(game.board.pieces)
    shares = [wdl.wdl(score, material) for score in last]
    return sum(WON * win + DRAWN * draw for win, draw, _loss in shares) / (1000 * len(last))
