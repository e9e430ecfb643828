"""The job: the positions of a segment of a game, searched from the last to the first.

A segment has a fixed length and begins with an empty transposition table, so that its results depend on
nothing else. Within it the searches of later positions help those of the earlier ones: what refutes a move is
known when the move is searched.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import chess

from sssnake._fast.values import MATE
from sssnake.engine.analysis.marks import ONLY, expected, is_obvious, material
from sssnake.engine.games.outcome import Repetitions, outcome
from sssnake.engine.player.engine import Engine, Limits, OptionValues
from sssnake.engine.player.result import Info, Score

PLIES = 8  # of a segment
NODES = 500_000  # a position, if no limit is given
SECOND = 4  # the second-best move is searched with a fraction of the limit: one in so many


@dataclass(frozen=True)
class Line:
    """A line of play from a position; moves in UCI notation, score from the view of the player to move."""

    score: Score
    depth: int
    moves: tuple[str, ...]


@dataclass(frozen=True)
class Evaluation:
    """What a position is worth to the player to move."""

    score: Score
    lines: tuple[Line, ...] = ()  # best first; none if the game is over
    second: Score | None = None  # of the second-best move, where it was wanted
    ended: str = ""  # why the game is over

    @property
    def best(self) -> Line | None:
        """The best line."""
        return self.lines[0] if self.lines else None

    def of(self, line: Line) -> "Evaluation":
        """The position as if this line were the best."""
        return Evaluation(line.score, (line,))


@dataclass(frozen=True)
class Settings:
    """How every position is searched."""

    limits: Limits
    multipv: int = 1
    hash_mb: int = 64
    syzygy: str = ""

    @property
    def options(self) -> OptionValues:
        """The engine's."""
        return {"hash_mb": self.hash_mb, "multipv": self.multipv, "syzygy_path": self.syzygy}

    def with_lines(self, count: int) -> "Settings":
        """The same with so many lines."""
        return replace(self, multipv=count)


@dataclass(frozen=True)
class Segment:
    """The arguments of `evaluate`: positions `first` to `last` of a game, each with its game before it."""

    study: int
    start: chess.Board
    moves: tuple[chess.Move, ...]
    first: int
    last: int
    settings: Settings

    def positions(self) -> Iterator[tuple[chess.Board, chess.Move | None, str]]:
        """(board with its moves, the move played there, why the game is over)."""
        board, seen = self.start.copy(), Repetitions()
        for ply in range(self.last + 1):
            played = self.moves[ply] if ply < len(self.moves) else None
            ended = outcome(board, seen.add(board))
            if ply >= self.first:
                yield board.copy(), played, ended[1] if ended else ""
            if played:
                board.push(played)


def segments(
    study: int, start: chess.Board, moves: Sequence[chess.Move], settings: Settings
) -> Iterator[Segment]:
    """The jobs of a game."""
    ends = [*range(0, len(moves) + 1, PLIES), len(moves) + 1]
    for first, end in pairwise(ends):
        yield Segment(study, start, tuple(moves), first, end - 1, settings)


def evaluate(segment: Segment) -> list[Evaluation]:
    """The job: evaluations of a segment, in the order of the game."""
    with Engine(**segment.settings.options) as engine:
        return evaluate_with(engine, segment)


def evaluate_with(engine: Engine, segment: Segment) -> list[Evaluation]:
    """The same with a new engine, which has the options of the segment's settings."""
    return list(backward(engine, segment))[::-1]


def backward(engine: Engine, segment: Segment) -> Iterator[Evaluation]:
    """The same one by one, from the last position to the first."""
    for position in reversed(list(segment.positions())):
        yield _position(engine, segment.settings.limits, *position)


def _position(
    engine: Engine, limits: Limits, board: chess.Board, played: chess.Move | None, ended: str
) -> Evaluation:
    if ended:
        return Evaluation(Score(-MATE if ended == "checkmate" else 0), ended=ended)
    lines = tuple(map(_line, engine.play(board, limits).lines))
    best = lines[0]
    second = lines[1].score if len(lines) > 1 else None
    if second is None and played is not None and _may_be_only(board, played, best):
        second = _second(engine, limits, board, played)
    return Evaluation(best.score, lines, second)


def _line(info: Info) -> Line:
    return Line(Score(info.score), info.depth, tuple(info.names))


def _may_be_only(board: chess.Board, played: chess.Move, best: Line) -> bool:
    """Whether the second-best move matters: the first one was found, and was not obvious."""
    if board.uci(played) != best.moves[0] or expected(best.score, material(board)) < ONLY.least:
        return False
    return board.legal_moves.count() > 1 and not is_obvious(board, played)


def _second(engine: Engine, limits: Limits, board: chess.Board, played: chess.Move) -> Score:
    """The score of the best move but the one played, by a shorter search."""

    def less(limit: int | None) -> int | None:
        return max(1, limit // SECOND) if limit else limit

    others = [board.uci(move) for move in board.legal_moves if move != played]
    shorter = replace(limits, nodes=less(limits.nodes), movetime=less(limits.movetime), searchmoves=others)
    return Score(engine.play(board, shorter).score)
