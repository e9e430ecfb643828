"""A game judged, as objects: what `sssnake analyse` prints.

>>> import chess.pgn
>>> from io import StringIO
>>> game = chess.pgn.read_game(StringIO("1. f3 e5 2. g4 Qh4#"))
>>> judged = analyse(game, Limits(nodes=2000), hash_mb=1)
>>> [f"{move.number} {move.san}" for move in judged.moves if move.mark and move.mark.sign == "??"]
['2. g4']
"""

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING

import chess
import chess.pgn

from sssnake.engine.analysis import annotate
from sssnake.engine.analysis.api.workers import Workers
from sssnake.engine.analysis.judge import JudgedMove, Summary, judge, summary
from sssnake.engine.analysis.mates import settle
from sssnake.engine.analysis.segments import NODES, Evaluation, Segment, Settings, evaluate_with, segments
from sssnake.engine.analysis.study import Study
from sssnake.engine.common.progress import Progress
from sssnake.engine.player.engine import Engine, Limits, native
from sssnake.engine.player.limits import ending, limits_of

if TYPE_CHECKING:
    import chess.engine


@dataclass(frozen=True)
class GameAnalysis:
    """A game with what each move was worth.

    moves: of the main line, each with the evaluations before and after it, its loss of expected score (0 to
    1) and its mark. evaluations: of every position, one more than there are moves, for the player to move.
    """

    game: chess.pgn.Game
    moves: list[JudgedMove]
    evaluations: list[Evaluation]
    limits: Limits  # of every position

    @property
    def white(self) -> Summary:
        """White's accuracy in per cent, and number of marks."""
        return summary(self.moves, chess.WHITE)

    @property
    def black(self) -> Summary:
        """Black's."""
        return summary(self.moves, chess.BLACK)

    def pgn(self, all_lines: bool = False) -> str:
        """The game annotated, as `sssnake analyse` writes it to a file.

        all_lines: with variations at every move.
        """
        study = _study(copy.deepcopy(self.game))
        study.evaluations = [*self.evaluations]
        return annotate.pgn(study, self.moves, _in_words(self.limits), all_lines)


def analyse(
    game: chess.pgn.Game | chess.Board,
    limits: "Limits | chess.engine.Limit | None" = None,
    *,
    workers: int = 1,
    multipv: int = 1,
    hash_mb: int = 64,
    syzygy_path: str = "",
) -> GameAnalysis:
    """Search every position of a game and judge its moves; with a progress bar on a terminal.

    game: its main line, or a board with its moves. limits: of a position, None: 500 000 nodes. workers: how
    many parts of the game are searched at a time; with nodes or depth the result is the same for any number.
    The others are options of the engine. It is what the command finds with the same limits and options.

    ValueError: a position that cannot be played, limits that do not end a search, no such value of an option.
    TypeError: no game, no limits.
    """
    wanted = limits_of(limits)
    wanted = ending(wanted, NODES)
    study = _study(_game(game))
    native(study.start)
    settings = Settings(wanted, multipv, hash_mb, syzygy_path)
    with (
        Workers(workers, **settings.options) as engines,
        Progress(len(study.evaluations), "positions", title=study.title) as bar,
    ):
        jobs = list(segments(study.number, study.start, study.moves, settings))
        for job, found in engines.in_order(_evaluated, jobs):
            study.evaluations[job.first : job.last + 1] = found
            bar.advance(steps=len(found))
    settle(study)
    found = [evaluation for evaluation in study.evaluations if evaluation is not None]
    return GameAnalysis(study.game, judge(study), found, wanted)


def _evaluated(engine: Engine, job: Segment) -> tuple[Segment, list[Evaluation]]:
    return job, evaluate_with(engine, job)


def _study(game: chess.pgn.Game) -> Study:
    return Study(1, "game", game)


def _game(game: object) -> chess.pgn.Game:
    """The game of whatever holds one."""
    if isinstance(game, chess.Board):
        native(game)
        return chess.pgn.Game.from_board(game)
    if not isinstance(game, chess.pgn.Game):
        raise TypeError(f"a game is a chess.pgn.Game or a chess.Board, not of type {type(game).__name__}")
    if game.errors:
        raise ValueError(f"the game was not read to its end: {' '.join(str(game.errors[0]).split())}")
    return game


def _in_words(limits: Limits) -> str:
    """The limit of a search, as the command writes it."""
    if limits.movetime:
        return f"{limits.movetime} ms a position"
    return f"depth {limits.depth}" if limits.depth else f"{limits.nodes} nodes a position"
