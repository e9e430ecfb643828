"""The schedule of a match, and the job that plays one game.

The job spends nearly all its time waiting for an engine process, so threads serve as well as processes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import chess

from sssnake.engine.match.game import Played, Rules, play
from sssnake.engine.match.processes import EngineConfig, engine_pool


@dataclass(frozen=True)
class Task:
    """One game to be played: `a` and `b` are the pairing's players, `white` is one of them."""

    number: int
    a: int
    b: int
    white: int
    pair: int
    start: chess.Board

    @property
    def black(self) -> int:
        """The player with the black pieces."""
        return self.a + self.b - self.white


def pairings(players: int, gauntlet: bool) -> list[tuple[int, int]]:
    """All pairs of players, or with `gauntlet` those of the first player with every other one."""
    return [(a, b) for a in range(1 if gauntlet else players) for b in range(a + 1, players)]


def schedule(
    meetings: Sequence[tuple[int, int]], pairs: int, starts: Iterator[chess.Board]
) -> Iterator[Task]:
    """All games. Every pairing plays an opening with both colours before the next opening begins."""
    number = 0
    for pair in range(pairs):
        start = next(starts)
        for a, b in meetings:
            for white in (a, b):
                yield Task(number, a, b, white, pair, start)
                number += 1


@dataclass(frozen=True)
class GameJob:
    """The arguments of `play_game`."""

    run: str
    task: Task
    white: EngineConfig
    black: EngineConfig
    rules: Rules
    restart: bool = False  # new engine processes for each game


def game_jobs(
    run: str, tasks: Iterator[Task], players: Sequence[EngineConfig], rules: Rules, restart: bool
) -> Iterator[GameJob]:
    """The jobs of a match."""
    for task in tasks:
        yield GameJob(run, task, players[task.white], players[task.black], rules, restart)


def play_game(job: GameJob) -> Played:
    """Play a game. Its engine processes are kept for the next game, unless one of them failed."""
    task, pool, chess960 = job.task, engine_pool(job.run), job.task.start.chess960
    pool.keep({task.white, task.black})
    engines = (pool.engine(task.black, job.black, chess960), pool.engine(task.white, job.white, chess960))
    game = play(engines, (job.black.control, job.white.control), task.start, job.rules)
    broken = {task.white if color else task.black for color in game.broken}
    pool.keep(set() if job.restart else {task.white, task.black} - broken)
    return game
