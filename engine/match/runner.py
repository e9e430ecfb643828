"""Many games at once: the schedule, and the job that is one game.

Whoever does it sleeps nearly all the time (an engine thinks, or both wait), so threads serve as well as
processes would.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import chess

from engine.match.game import Played, Rules, play
from engine.match.processes import Player, stable


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
    """Who meets whom: everybody everybody, or the first everybody else."""
    return [(a, b) for a in range(1 if gauntlet else players) for b in range(a + 1, players)]


def schedule(
    meetings: Sequence[tuple[int, int]], pairs: int, starts: Iterator[chess.Board]
) -> Iterator[Task]:
    """All games, opening by opening: each pairing plays it with both colours before the next one."""
    number = 0
    for pair in range(pairs):
        start = next(starts)
        for a, b in meetings:
            for white in (a, b):
                yield Task(number, a, b, white, pair, start)
                number += 1


@dataclass(frozen=True)
class Encounter:
    """All that a worker needs to play one game."""

    run: str
    task: Task
    white: Player
    black: Player
    rules: Rules
    restart: bool = False  # new engine processes for each game


def encounters(
    run: str, tasks: Iterator[Task], players: Sequence[Player], rules: Rules, restart: bool
) -> Iterator[Encounter]:
    """The jobs of a match."""
    for task in tasks:
        yield Encounter(run, task, players[task.white], players[task.black], rules, restart)


def meet(job: Encounter) -> Played:
    """Play the game, with engines that stay for the next one unless they broke."""
    task, horses, chess960 = job.task, stable(job.run), job.task.start.chess960
    horses.keep({task.white, task.black})
    engines = (
        horses.engine(task.black, job.black, chess960), horses.engine(task.white, job.white, chess960)
    )  # fmt: skip
    game = play(engines, (job.black.control, job.white.control), task.start, job.rules)
    broken = {task.white if color else task.black for color in game.broken}
    horses.keep(set() if job.restart else {task.white, task.black} - broken)
    return game
