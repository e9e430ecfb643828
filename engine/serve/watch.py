"""Literal SSS*, the default driver and PVS on one position, side by side at equal numbers of nodes."""

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

import chess

from sssnake._fast.board.board import Board
from sssnake._fast.values import INFINITE
from sssnake.engine.player.drivers import Pass
from sssnake.engine.player.engine import Engine, Limits, Search
from sssnake.engine.player.options import DRIVERS
from sssnake.engine.serve.machine import TICK, Machine, Queued, unbroken, wait

HASH = 16  # MiB, of each
NODES, MOST_NODES = 300_000, 2_000_000  # of each: a search is short, for others wait

RUNNERS = {"literal": "SSS*-literal", "default": DRIVERS[0], "pvs": "PVS"}  # name on the page -> driver

Tell = Callable[[dict[str, object]], None]


class Turns:
    """Several threads, of which one goes on at a time: the one that has used the least."""

    def __init__(self, names: list[str]):
        self._used = dict.fromkeys(names, 0)
        self._changed = threading.Condition()
        self._waiting = 0
        self._paused = self._ended = False

    def hand_over(self, name: str, used: int) -> None:
        """Say how much has been used so far; returns when it is this one's turn again."""
        with self._changed:
            self._used[name] = used
            self._waiting += 1
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._ended or (not self._paused and self._next() == name))
            self._waiting -= 1

    def _next(self) -> str:
        return min(self._used, key=self._used.__getitem__)

    def leave(self, name: str) -> None:
        """Wait for this one no longer."""
        with self._changed:
            del self._used[name]
            self._changed.notify_all()

    def pause(self, paused: bool) -> None:
        """Hold all, or let them go on."""
        with self._changed:
            self._paused = paused
            self._changed.notify_all()

    @property
    def resting(self) -> bool:
        """Whether none goes on."""
        with self._changed:
            return self._waiting == len(self._used)

    def end(self) -> None:
        """Let all go on at once, to their end."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()


class Passes:
    """Turns the passes of one search into messages, in its thread. Values are those of the player to move."""

    def __init__(self, engine: Engine, board: chess.Board):
        self._engine = engine
        self._board = Board.from_chess(board)
        self._depth = 0
        self._roots: dict[str, tuple[int | None, int | None]] = {}  # of this iteration, as told last
        self.nodes = 0

    def message(self, done: Pass) -> dict[str, object]:
        """A pass as a message. roots: [move, lower, upper] of the moves whose bounds have changed."""
        if done.depth != self._depth:
            self._depth = done.depth
            self._roots.clear()
        assert self._engine.pool
        self.nodes = self._engine.pool.main.nodes
        return {
            "depth": done.depth,
            "pass": done.number,
            "gamma": done.gamma,
            "value": done.value if done.nodes else None,
            "kind": done.kind,
            "nodes": done.nodes,
            "lower": done.lower,
            "upper": done.upper,
            "roots": self._changed_roots(),
        }

    def _changed_roots(self) -> list[tuple[str, int | None, int | None]]:
        worker = self._engine.pool and self._engine.pool.main
        changed = []
        for index in range(worker.root_count if worker else 0):
            assert worker
            root = worker.root(index)
            name = self._board.uci(root.move)
            lower = root.lower if root.lower > -INFINITE else None
            bounds = (lower, root.upper if root.upper < INFINITE else None)
            if self._roots.get(name) != bounds:
                self._roots[name] = bounds
                changed.append((name, *bounds))
        return changed


class Race:
    """The searches of all drivers on one position."""

    def __init__(self, board: chess.Board, nodes: int, tell: Tell):
        self._loop = asyncio.get_running_loop()
        self._board, self._limits, self._tell = board, Limits(nodes=nodes), tell
        self._left = set(RUNNERS)
        self._engines: list[Engine] = []
        self.turns = Turns(list(RUNNERS))
        self.over = asyncio.Event()

    @property
    def started(self) -> bool:
        """Whether it has begun."""
        return bool(self._engines)

    def start(self) -> None:
        """Begin."""
        for name, driver in RUNNERS.items():
            engine = Engine(hash_mb=HASH, driver=driver)
            self._engines.append(engine)
            passes = Passes(engine, self._board)
            engine.start(
                self._board,
                self._limits,
                on_pass=partial(self._passed, name, passes),
                on_done=partial(self._done, name),
            )

    def _passed(self, name: str, passes: Passes, done: Pass) -> None:
        event = {"event": "pass", "driver": name, **passes.message(done)}
        self._loop.call_soon_threadsafe(self._tell, event)
        self.turns.hand_over(name, passes.nodes)

    def _done(self, name: str, _: Search) -> None:
        self.turns.leave(name)
        with suppress(RuntimeError):  # the server has ended, and its loop is closed
            self._loop.call_soon_threadsafe(self._finished, name)

    def _finished(self, name: str) -> None:
        self._left.discard(name)
        if not self._left:
            self.over.set()

    def close(self) -> None:
        """Stop what still runs, and wait for its end."""
        self.turns.end()
        for engine in self._engines:
            engine.close()


async def watch(
    machine: Machine, board: chess.Board, nodes: int, tell: Tell, on_wait: Queued | None = None
) -> None:
    """Search with every driver, in slices if others wait; `tell` gets every pass, in the event loop."""
    race = Race(board, nodes, tell)
    try:
        while not race.over.is_set():
            async with machine.place(on_wait):
                await _slice(machine, race)
    finally:
        await unbroken(asyncio.to_thread(race.close))


async def _slice(machine: Machine, race: Race) -> None:
    """Let the race go on, until it or its slice is over."""
    began = time.monotonic()
    if race.started:
        race.turns.pause(False)
    else:
        await unbroken(asyncio.to_thread(race.start))
    while not race.over.is_set():
        await wait(race.over, TICK)
        if machine.is_over(began):
            race.turns.pause(True)
            while not (race.turns.resting or race.over.is_set()):  # a pass is not interrupted
                await wait(race.over, TICK)
            return
