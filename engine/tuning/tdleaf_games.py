"""The jobs of tdleaf: a self-play game and its gradient, and pairs of games between two sets of weights.

The value of a position is that of the leaf of its principal variation, so the gradient is that of the leaf's
features. The PVS driver plays the games: its open windows return a whole variation, null windows a bound.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from sssnake._fast.board.board import Board
from sssnake._fast.evaluation.evaluate import Evaluator
from sssnake._fast.evaluation.pst import Weights
from sssnake._fast.evaluation.weights import WEIGHTS
from sssnake._fast.search import pv
from sssnake._fast.values import MATE_RANGE
from sssnake.engine.games.adjudication import Adjudication
from sssnake.engine.games.starts import random_start
from sssnake.engine.player.limits import Limits
from sssnake.engine.selfplay.game import LONGEST, play
from sssnake.engine.selfplay.players import SearchPlayer, Side
from sssnake.engine.tuning.texel import FULL_PHASE, FULL_SCALE, Floats, Groups

HASH_MB = 4
SQUASH = 0.0025  # value = tanh(SQUASH * centipawns): a pawn is worth a quarter of a win
SQUARES = 6 * 64  # piece-square tables, the first group of weights
LONGEST_LINE = 60  # plies of a principal variation, captures included
AGREE = 16  # centipawns: a leaf further from the search's value is ignored (draws, transpositions)
BY_THE_RULES = Adjudication(longest=LONGEST)


def tables_alone(tables: Floats) -> Groups:
    """Weights of the evaluation: piece-square tables of shape (384, 2), and zero for all other terms."""
    nothing = {name: [(0, 0)] * len(pairs) for name, pairs in WEIGHTS.items()}
    return {**nothing, "psqt": [(int(mg), int(eg)) for mg, eg in np.rint(tables)]}


# -- one game ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GradientJob:
    """The arguments of `game_gradient`. The game depends on them alone."""

    tables: Floats = field(repr=False)
    seed: int
    number: int
    depth: int
    decay: float  # lambda


@dataclass
class Step:
    """A position of a game: its value for White, -1 to 1, and the features of its leaf."""

    value: float
    features: list[tuple[int, int]] = field(
        default_factory=list
    )  # (weight, count); none: the value has no gradient
    middle: float = 0.0  # the leaf's taper
    end: float = 0.0


class LeafPlayer(SearchPlayer):
    """Plays both sides, and records a step for each position."""

    def __init__(self, tables: Floats, depth: int) -> None:
        weights = Weights(tables_alone(tables))
        side = Side({"correction_rate": 0}, driver="PVS")
        super().__init__(side, Limits(depth=depth), HASH_MB, weights)
        self.evaluator = Evaluator(weights=weights)
        self.steps: list[Step] = []

    def new_game(self) -> None:
        """Forget the game before."""
        super().new_game()
        self.steps = []

    def move(self, board: Board) -> tuple[str, int]:
        """(move, White's score)."""
        best, score = super().move(board)
        self.steps.append(self.step(board, score))
        return best, score

    def step(self, board: Board, score: int) -> Step:
        """The value of a position whose search found White's `score`, and its leaf's features."""
        if abs(score) >= MATE_RANGE:
            return Step(1.0 if score > 0 else -1.0)
        leaf = self.leaf(board)
        trace = self.evaluator.trace(leaf)
        value = self.evaluator.evaluate(leaf) if leaf.turn else -self.evaluator.evaluate(leaf)
        if trace is None or abs(value - score) > AGREE:
            return Step(float(np.tanh(SQUASH * score)))
        counts, phase, scale = trace
        middle = phase / FULL_PHASE
        features = [(index, count) for index, count in counts if index < SQUARES]
        return Step(float(np.tanh(SQUASH * value)), features, middle, (1 - middle) * scale / FULL_SCALE)

    def leaf(self, board: Board) -> Board:
        """The position at the end of the saved principal variation of the last search."""
        pool = self.engine.prepare()
        leaf = board.copy()
        for move in pv.extend_line(pool.main, pool.main.root(0).line, LONGEST_LINE):
            leaf.push(leaf.uci(move))
        return leaf


def gradient(steps: Sequence[Step], result: float, decay: float) -> Floats:
    """The sum over positions of d(value)/d(tables) times the decayed sum of the differences that followed.

    `result` is White's, -1 to 1. Shape (384, 2).
    """
    found = np.zeros((SQUARES, 2))
    following, coming = result, 0.0
    for step in reversed(steps):
        coming = following - step.value + decay * coming
        following = step.value
        slope = SQUASH * (1 - step.value**2) * coming
        for index, count in step.features:
            found[index] += slope * count * step.middle, slope * count * step.end
    return found


@dataclass(frozen=True)
class GameGradient:
    """The gradient of a game, White's half points, and the number of positions."""

    gradient: Floats
    result: int
    steps: int


def game_gradient(job: GradientJob) -> GameGradient:
    """Play one game to its end by the rules; return its gradient."""
    start = random_start(random.Random(f"tdleaf {job.seed}/{job.number}"))
    player = LeafPlayer(job.tables, job.depth)
    game = play((player, player), start, BY_THE_RULES)
    assert game is not None and game.result is not None
    return GameGradient(gradient(player.steps, game.result - 1, job.decay), game.result, len(player.steps))


# -- games between two sets of weights ----------------------------------------------------------------------


@dataclass(frozen=True)
class WeightsPair:
    """A pair of games with colours changed, at fixed nodes a move; None: the engine's own weights."""

    ours: Floats | None = field(repr=False)
    theirs: Groups | None = field(repr=False)
    seed: int
    number: int
    nodes: int


def play_weights(pair: WeightsPair) -> int:
    """Half points of `ours`, 0 to 4."""
    start = random_start(random.Random(f"duel {pair.seed}/{pair.number}"))
    groups = WEIGHTS if pair.ours is None else tables_alone(pair.ours), pair.theirs or WEIGHTS
    one, other = (SearchPlayer(Side(), Limits(nodes=pair.nodes), HASH_MB, Weights(each)) for each in groups)
    first = play((one, other), start, BY_THE_RULES)
    second = play((other, one), start, BY_THE_RULES)
    assert first is not None and second is not None
    return (first.result or 0) + 2 - (second.result or 0)
