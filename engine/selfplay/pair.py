"""Self-play pairs: two games between two settings of this engine, colours changed, inside one process.

They take a third of the time of the same games over UCI. A game may be broken off after some plies; it then
counts as what is expected of its last position. If the settings differ in the middle game, that gives half
the error of a result in half the time. The default engine judges the position: by the players' own scores, a
setting that is merely more hopeful would win.
"""

from argparse import ArgumentParser
from dataclasses import dataclass, replace
from pathlib import Path

import chess

from sssnake._fast.board.board import Board
from sssnake.engine.common.arguments import positive
from sssnake.engine.games.adjudication import Adjudication
from sssnake.engine.games.outcome import DRAWN, WHITE_WON
from sssnake.engine.player import wdl
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import DRIVERS, driver
from sssnake.engine.selfplay.game import LONGEST, Game, play
from sssnake.engine.selfplay.players import Player, SearchPlayer, Side

WON = WHITE_WON  # half points
JUDGED = 4  # times the nodes of a move, to judge the last position of an unfinished game
ADJUDICATION = Adjudication(win_score=700, win_plies=6, draw_score=8, draw_plies=10, draw_from=80)


@dataclass(frozen=True)
class Pair:
    """Two games from one opening, colours changed."""

    start: chess.Board  # with its moves on the stack
    sides: tuple[Side, Side]
    limits: Limits
    plies: int = LONGEST  # of a game, those of the opening included; then the expected score counts


@dataclass(frozen=True)
class PairResult:
    """Half points of the first side, 0 to 4 (fractions if expected), and how much each side searched."""

    points: float
    nodes: tuple[int, int]
    passes: tuple[float, float]  # of an iteration


def add_arguments(parser: ArgumentParser) -> None:
    """Add the options of pairs to a command line."""
    add = parser.add_argument
    add("--plies", type=positive, default=LONGEST, help="break games off there; the expected score counts")
    add("--driver", type=driver, choices=DRIVERS, default="SSS*", help="(default SSS*)")
    add("--seed", type=int, default=1, help="of all random numbers (default 1)")
    add("--openings", type=Path, metavar="FILE", help="EPD or PGN, also in a .zip; default: random plies")


def play_pair(pair: Pair) -> PairResult:
    """Play both games."""
    one, other = (SearchPlayer(side, pair.limits) for side in pair.sides)
    judge = judge_of(pair)
    first = points(play((one, other), pair.start, ADJUDICATION, plies=pair.plies), pair, judge)
    second = points(play((other, one), pair.start, ADJUDICATION, plies=pair.plies), pair, judge)
    passes = [player.passes / max(player.iterations, 1) for player in (one, other)]
    return PairResult(first + WON - second, (one.nodes, other.nodes), (passes[0], passes[1]))


def judge_of(pair: Pair) -> Player:
    """The player who judges games that are broken off: neither side, but the engine as it is."""
    nodes = pair.limits.nodes
    return SearchPlayer(Side(), pair.limits if nodes is None else replace(pair.limits, nodes=JUDGED * nodes))


def points(game: Game | None, pair: Pair, judge: Player) -> float:
    """White's half points, or those expected if the game was broken off."""
    assert game is not None
    if game.result is not None:
        return game.result
    return DRAWN if pair.plies >= LONGEST else expected(game.board, judge)


def expected(board: Board, judge: Player) -> float:
    """White's expected half points in a position, by the judge's score and the WDL model."""
    judge.new_game()
    _move, score = judge.move(board.copy())
    return WON * wdl.expected(wdl.wdl(score, wdl.material(board.pieces)))
