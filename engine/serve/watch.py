"""Literal SSS*, the default driver and PVS on one position, side by side at equal numbers of nodes."""

import asyncio
import threading
from collections.abc import Callable

import chess

from engine.player.engine import Engine, Limits
from engine.player.options import DRIVERS
from engine.serve.machine import Machine
from engine.serve.passes import Passes, literal

HASH = 16  # MiB, of each
NODES, MOST_NODES = 300_000, 2_000_000  # of each: a search is short, for others wait

Tell = Callable[[dict[str, object]], None]


def runners() -> dict[str, tuple[str, dict[str, int]]]:
    """The drivers to watch: name -> driver, parameters."""
    return {"literal": literal(), "default": (DRIVERS[0], {}), "pvs": ("PVS", {})}


class Turns:
    """Several threads of which one goes on at a time: the one that has used the least."""

    def __init__(self, names: list[str]):
        self._used = dict.fromkeys(names, 0)
        self._changed = threading.Condition()
        self._ended = False

    def hand_over(self, name: str, used: int) -> None:
        """Say how much has been used so far; returns when it is this one's turn again."""
        with self._changed:
            self._used[name] = used
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._ended or min(self._used, key=self._used.__getitem__) == name)

    def leave(self, name: str) -> None:
        """Wait for this one no longer."""
        with self._changed:
            del self._used[name]
            self._changed.notify_all()

    def end(self) -> None:
        """Let all go on."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()


async def watch(machine: Machine, board: chess.Board, nodes: int, tell: Tell) -> None:
    """Search with every driver; `tell` gets every pass and every end, in the event loop."""
    async with machine.place():
        loop, over, drivers = asyncio.get_running_loop(), asyncio.Event(), runners()
        turns, left = Turns(list(drivers)), set(drivers)

        def finish(name: str) -> None:
            left.discard(name)
            if not left:
                over.set()

        def start(name: str, driver: str, parameters: dict[str, int]) -> Engine:
            engine = Engine(hash_mb=HASH, driver=driver, parameters=parameters)
            passes = Passes(engine, board)

            def on_pass(report: str) -> None:
                loop.call_soon_threadsafe(tell, {"event": "pass", "driver": name, **passes.read(report)})
                turns.hand_over(name, passes.nodes)

            def on_done(_: object) -> None:
                turns.leave(name)
                loop.call_soon_threadsafe(finish, name)

            engine.start(board, Limits(nodes=nodes), on_pass=on_pass, on_done=on_done)
            return engine

        engines: list[Engine] = []
        try:
            for name, (driver, parameters) in drivers.items():
                engines.append(start(name, driver, parameters))
            await over.wait()
        finally:
            turns.end()
            for engine in engines:
                engine.close()  # stops it, and waits for the end
