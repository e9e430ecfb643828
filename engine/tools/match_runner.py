"""Many games at once: the schedule, and the threads that play it, each with engine processes of its own.

A thread sleeps nearly all the time (an engine thinks, or both wait), so threads serve as well as processes
would.
"""

import queue
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import chess

from engine.tools.match_game import Played, Rules, TimeControl, play
from engine.tools.uci_client import EngineError, UciEngine


@dataclass
class Player:
    """How one engine is started and called; `options` are its own, `shared` everybody's."""

    command: list[str]
    control: TimeControl
    options: dict[str, str | None] = field(default_factory=dict)
    shared: dict[str, str | None] = field(default_factory=dict)
    name: str = ""
    ponder: bool = False            # thinks on the opponent's time, if it has the option Ponder


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


def start_player(player: Player, chess960: bool = False) -> tuple[UciEngine, list[str]]:
    """A running engine with its options set, and the shared options it does not have."""
    engine = UciEngine(player.command)
    try:
        engine.handshake()
        unknown = engine.set_options(player.options)
        if chess960:
            unknown += engine.set_options({"UCI_Chess960": "true"})
        if unknown:
            raise EngineError(f"{engine.name} has no option {unknown[0]!r}")
        shared = {**player.shared, **({"Ponder": "true"} if player.ponder else {})}
        missing = engine.set_options({k: v for k, v in shared.items() if k not in player.options})
        engine.ponders = player.ponder and "ponder" in engine.options
        engine.wait_ready()
    except EngineError as error:
        engine.kill()
        engine.close()
        raise EngineError(f"{' '.join(player.command)}: {error}") from None
    return engine, missing


class Runner:
    """Plays the tasks; iterating over it yields (task, game) as the games end. `stop` ends it at once."""

    def __init__(
        self,
        players: Sequence[Player],
        tasks: Iterator[Task],
        rules: Rules,
        concurrency: int = 1,
        restart: bool = False,
        chess960: bool = False,
    ) -> None:
        self.players, self.rules, self.restart, self.chess960 = players, rules, restart, chess960
        self._tasks, self._lock = tasks, threading.Lock()
        self._stopped = threading.Event()
        self._running: set[UciEngine] = set()
        self._results: queue.SimpleQueue[tuple[Task, Played] | Exception | None] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=self._work) for _ in range(concurrency)]

    def __iter__(self) -> Iterator[tuple[Task, Played]]:
        for thread in self._threads:
            thread.start()
        working = len(self._threads)
        while working:
            # A timeout, for an endless wait cannot be interrupted by Ctrl-C everywhere.
            try:
                item = self._results.get(timeout=1.0)
            except queue.Empty:
                continue
            if item is None:
                working -= 1
            elif isinstance(item, Exception):
                raise item
            else:
                yield item

    def stop(self) -> None:
        """Give up the games under way; returns when no engine is left."""
        self._stopped.set()
        with self._lock:
            for engine in self._running:
                engine.kill()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()

    def _work(self) -> None:
        engines: dict[int, UciEngine] = {}
        try:
            while (task := self._next_task()) is not None:
                for index in set(engines) - {task.a, task.b}:
                    self._drop(engines, index)
                for index in {task.a, task.b} - set(engines):
                    engines[index] = self._start(index)
                black, white = task.black, task.white
                controls = (self.players[black].control, self.players[white].control)
                game = play((engines[black], engines[white]), controls, task.start, self.rules)
                if self._stopped.is_set():
                    break
                broken = [white if color else black for color in game.broken]
                for index in list(engines) if self.restart else broken:
                    self._drop(engines, index)
                self._results.put((task, game))
        except Exception as error:  # handed to the iterating thread, whose business it is
            if not self._stopped.is_set():
                self._results.put(error)
        finally:
            for index in list(engines):
                self._drop(engines, index)
            self._results.put(None)

    def _next_task(self) -> Task | None:
        with self._lock:
            return None if self._stopped.is_set() else next(self._tasks, None)

    def _start(self, index: int) -> UciEngine:
        engine, _missing = start_player(self.players[index], self.chess960)
        with self._lock:
            self._running.add(engine)
            if self._stopped.is_set():
                engine.kill()
        return engine

    def _drop(self, engines: dict[int, UciEngine], index: int) -> None:
        engine = engines.pop(index)
        engine.close()
        with self._lock:
            self._running.discard(engine)
