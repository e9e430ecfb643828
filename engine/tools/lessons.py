"""Lessons: one game of tdleaf, what it teaches, and games between two sets of weights.

A position's value is that of the leaf at the end of its principal variation: the features of the leaf learn.
The PVS driver plays the games: its open windows save the whole variation, null windows only what they prove.
Weights and parameters belong to the process: these are jobs for processes, which do one at a time.
"""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import chess
import numpy as np

from _fast import params, search
from _fast.board import Board
from _fast.evaluate import Evaluator
from _fast.tables import load as install
from _fast.weights import WEIGHTS
from engine.limits import Limits
from engine.options import Options
from engine.searcher import MATE, Info, Searcher
from engine.tools import gamelog
from engine.tools.datagen import HASH_MB, LONGEST, over, random_start
from engine.tools.texel import FULL_PHASE, FULL_SCALE, Floats, Groups

SQUASH = 0.0025  # value = tanh(SQUASH * centipawns): a pawn is worth a quarter of a win
SQUARES = 6 * 64  # tables, the first group of weights
LONGEST_LINE = 60  # plies of a principal variation, captures included
AGREE = 16  # centipawns: a leaf further from the search's value (draws, the table) is not what the search saw
MATED = MATE - 256


@contextmanager
def evaluating(groups: Groups, **parameters: int) -> Iterator[None]:
    """Within this context the core evaluates by these weights and searches with these parameters."""
    usual = {name: params.get(name) for name in parameters}
    try:
        install(groups)
        for name, value in parameters.items():
            params.put(name, value)
        yield
    finally:
        install(WEIGHTS)
        for name, value in usual.items():
            params.put(name, value)


def tables_alone(tables: Floats) -> Groups:
    """Weights of the whole evaluation: tables of shape (384, 2), nothing else."""
    nothing = {name: [(0, 0)] * len(pairs) for name, pairs in WEIGHTS.items()}
    return {**nothing, "psqt": [(int(mg), int(eg)) for mg, eg in np.rint(tables)]}


def by_tables(driver: str) -> Searcher:
    """A searcher that evaluates by weights, whatever network is shipped."""
    searcher = Searcher(Options(hash_mb=HASH_MB, driver=driver))
    searcher.prepare().set_network(None)
    return searcher


# -- one game ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Lesson:
    """A game to play and learn from; it depends on these fields alone."""

    tables: Floats = field(repr=False)
    seed: int
    number: int
    depth: int
    decay: float  # lambda


@dataclass
class Step:
    """One position of a game: its value for White, -1 to 1, and what of that value can be learnt."""

    value: float
    features: list[tuple[int, int]] = field(default_factory=list)  # (weight, count) of the leaf, or nothing
    middle: float = 0.0  # the leaf's taper
    end: float = 0.0


class Student:
    """Plays both sides and looks at the leaves of its principal variations."""

    def __init__(self, depth: int) -> None:
        self.searcher = by_tables("PVS")
        self.limits = Limits(depth=depth)
        self.evaluator = Evaluator()
        self.info: Info | None = None

    def _note(self, info: Info) -> None:
        self.info = info

    def think(self, board: Board) -> tuple[str, Step]:
        """The move to play, and what the position is worth."""
        best = self.searcher.search(board.copy(), self.limits, self._note).bestmove
        if best is None or self.info is None:
            raise RuntimeError(f"no move in {board.fen()}")
        return best, self._judge(board, self.info.score if board.turn else -self.info.score)

    def _judge(self, board: Board, score: int) -> Step:
        """The value of a position whose search found White's `score`, and its leaf's features."""
        if abs(score) > MATED:
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
        pool = self.searcher.prepare()
        leaf = board.copy()
        for move in search.extend_line(pool.main, pool.main.root(0)[4], LONGEST_LINE):
            leaf.push(leaf.uci(move))
        return leaf


def play(student: Student, start: chess.Board) -> tuple[int, list[Step]]:
    """(result for White: 0, 1, 2, and the steps) of a game from `start`, played to its end by the rules."""
    board, steps = Board(start.fen()), list[Step]()
    while (result := over(board)) is None and len(steps) < LONGEST:
        move, step = student.think(board)
        steps.append(step)
        board.push(move)
    return gamelog.DRAWN if result is None else result, steps


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
class Lessons:
    """What a game taught."""

    gradient: Floats
    result: int
    steps: int


def study(lesson: Lesson) -> Lessons:
    """Play one game and learn from it."""
    start = random_start(random.Random(f"tdleaf {lesson.seed}/{lesson.number}"), 0.0)
    with evaluating(tables_alone(lesson.tables), correction_weight=0):
        result, steps = play(Student(lesson.depth), start)
    return Lessons(gradient(steps, result - 1, lesson.decay), result, len(steps))


# -- a game between two sets of weights ---------------------------------------------------------------------


@dataclass(frozen=True)
class Duel:
    """A pair of games with colours changed, at fixed nodes a move; None: the engine's own weights."""

    ours: Floats | None = field(repr=False)
    theirs: Groups | None = field(repr=False)
    seed: int
    number: int
    nodes: int


def fight(duel: Duel) -> int:
    """Half points of `ours`, 0 to 4."""
    start = random_start(random.Random(f"duel {duel.seed}/{duel.number}"), 0.0)
    ours = WEIGHTS if duel.ours is None else tables_alone(duel.ours)
    sides = ours, WEIGHTS if duel.theirs is None else duel.theirs
    return _game(start, sides, duel.nodes) + 2 - _game(start, sides[::-1], duel.nodes)


def _game(start: chess.Board, sides: tuple[Groups, Groups], nodes: int) -> int:
    """Result for White (0, 1, 2); `sides` are the weights of White and Black, in the core by turns."""
    searchers = [by_tables("SSS*") for _ in sides]
    board = Board(start.fen())
    for _ply in range(LONGEST):
        side = not board.turn
        with evaluating(sides[side]):
            best = searchers[side].search(board.copy(), Limits(nodes=nodes), lambda _info: None).bestmove
        assert best is not None
        board.push(best)
        if (result := over(board)) is not None:
            return result
    return gamelog.DRAWN
