"""Fair sharing of the machine: a bounded number of searches at once, the others wait in a queue.

A search without end gives its place up after a slice of time, if another one waits, and queues again; at
once, if a move in a game waits: moves go before all others. Every browser tab has its own engine, so it finds
its transposition table as it was.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass

import chess

from sssnake.engine.player.engine import Engine, Info, Limits, Result

SLICE = 2.0  # seconds
TICK = 0.1  # seconds between two looks at the queue
PATIENCE = 0.3  # seconds that are waited before it is told
MOST_LARGE = 8  # reviews and races at once: they have engines of their own
MOST_RESTING = 16  # tabs without work that keep their engine's memory
Queued = Callable[[bool], None]  # told True when a search waits for its place, False when it has got it


@dataclass
class Outcome:
    """A search that is over."""

    result: Result
    seconds: float  # that it had the machine
    finished: bool = True  # by itself, not by the end of its slice


class Machine:
    """The places for searches."""

    def __init__(self, searches: int):
        self._places = self._free = searches
        self._moves: deque[asyncio.Future[None]] = deque()  # who waits, first come, first served
        self._others: deque[asyncio.Future[None]] = deque()
        self._resting: dict[object, Callable[[], None]] = {}  # who, how memory is given back
        self.searching = 0
        self._large = asyncio.Semaphore(MOST_LARGE)
        self.reading = asyncio.Lock()  # of long texts: one at a time

    @property
    def waiting(self) -> int:
        """How many wait for a place."""
        return len(self._moves) + len(self._others)

    def rests(self, who: object, give_back: Callable[[], None]) -> None:
        """It has no work for now; where many rest, the one that has rested longest gives its memory back."""
        self._resting[who] = give_back
        if len(self._resting) > MOST_RESTING:
            self._resting.pop(next(iter(self._resting)))()

    def wakes(self, who: object) -> None:
        """It works again, or is gone."""
        self._resting.pop(who, None)

    @asynccontextmanager
    async def large(self, on_wait: Queued) -> AsyncIterator[None]:
        """Work with engines of its own: only so much of it has begun, the rest waits and needs no memory."""
        waits = self._large.locked()
        if waits:
            on_wait(True)
        async with self._large:
            if waits:
                on_wait(False)
            yield

    @property
    def crowd(self) -> int:
        """How many moves in games share each place, one more counted."""
        return 1 + len(self._moves) // self._places

    @asynccontextmanager
    async def place(self, on_wait: Queued | None = None, urgent: bool = False) -> AsyncIterator[None]:
        """Wait for a place and hold it; `on_wait` is called in the event loop, not for a short wait."""
        told = on_wait and asyncio.get_running_loop().call_later(PATIENCE, on_wait, True)
        began = time.monotonic()
        try:
            await self._acquire(self._moves if urgent else self._others)
        finally:
            if told:
                told.cancel()
        if on_wait and time.monotonic() - began >= PATIENCE:
            on_wait(False)
        self.searching += 1
        try:
            yield
        finally:
            self.searching -= 1
            self._release()

    async def _acquire(self, queue: "deque[asyncio.Future[None]]") -> None:
        if self._free and not self.waiting:
            self._free -= 1
            return
        turn = asyncio.get_running_loop().create_future()
        queue.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # the place had just been given
                self._release()
            raise
        finally:
            if turn in queue:
                queue.remove(turn)

    def _release(self) -> None:
        """Give a place to the next one."""
        self._free += 1
        while self._free and (queue := self._moves or self._others):
            turn = queue.popleft()
            if not turn.done():
                self._free -= 1
                turn.set_result(None)

    def is_over(self, began: float) -> bool:
        """Whether a slice is over that began then: others wait, and it was long enough."""
        return bool(self._moves) or (bool(self._others) and time.monotonic() - began > SLICE)

    async def search(
        self,
        engine: Engine,
        board: chess.Board,
        limits: Limits,
        on_info: Callable[[Info], None] | None = None,
        on_start: Callable[[], None] | None = None,
        on_wait: Queued | None = None,
        urgent: bool = False,
    ) -> Outcome:
        """One search. If the task is cancelled, the search has ended when this returns.

        urgent: a move in a game. on_info, on_start, on_wait: called in the event loop.
        """
        while True:
            async with self.place(on_wait, urgent):
                if on_start:
                    on_start()
                outcome = await self._slice(engine, board, limits, on_info)
            if outcome.finished:
                return outcome

    async def _slice(
        self, engine: Engine, board: chess.Board, limits: Limits, on_info: Callable[[Info], None] | None
    ) -> Outcome:
        """The search, at most to the end of its slice if others wait."""
        loop, done, over_time = asyncio.get_running_loop(), asyncio.Event(), False
        tell = on_info and (lambda info: _later(loop, on_info, info))
        await unbroken(asyncio.to_thread(engine.prepare))  # may allocate much
        search = engine.start(board, limits, on_info=tell, on_done=lambda _: _later(loop, done.set))
        began = time.monotonic()
        try:
            while not done.is_set():
                await wait(done, TICK)
                if limits.infinite and self.is_over(began):
                    over_time = True
                    search.stop()
        finally:
            search.stop()
            await unbroken(asyncio.to_thread(search.join))  # a few milliseconds
        return Outcome(search.wait(), time.monotonic() - began, not over_time)


def _later(loop: asyncio.AbstractEventLoop, call: Callable[..., object], *values: object) -> None:
    """Call in the event loop, from another thread; not at all if the loop has ended."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(call, *values)


async def unbroken(work: Coroutine[None, None, object]) -> None:
    """Wait for work in a thread to its end, also if the task is cancelled meanwhile."""
    task = asyncio.create_task(work)
    try:
        await asyncio.shield(task)
    finally:
        await asyncio.wait([task])


async def wait(event: asyncio.Event, seconds: float) -> None:
    """Wait for an event, but no longer than so many seconds."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):  # `wait_for` of Python 3.11 may lose a cancellation
            await event.wait()
