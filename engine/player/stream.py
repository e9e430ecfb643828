"""A search to iterate over: lines of play as they are found, for `for` and for `async for`."""

import os
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from types import TracebackType
from typing import Self

from sssnake.engine.player.result import Info, Result
from sssnake.engine.player.search import Search

TYPE_CHECKING = False
if TYPE_CHECKING:
    import asyncio

OnDone = Callable[[Search], None]


class Feed:
    """What a search has reported and nobody has taken yet. It knows its reader only while that waits."""

    def __init__(self) -> None:
        self._infos: deque[Info] = deque()
        self._changed = threading.Condition()
        self._over = False
        self._process = os.getpid()
        self._wake: Callable[[], None] | None = None  # of a coroutine that waits

    def put(self, info: Info) -> None:
        """Take a report, in the thread of the search."""
        self._infos.append(info)
        self._tell()

    def end(self, search: Search) -> None:
        """There are no more."""
        self._over = True
        self._tell()

    def _tell(self) -> None:
        with self._changed:
            self._changed.notify_all()
            wake, self._wake = self._wake, None
        if wake:
            wake()

    def _to_come(self) -> bool:
        """Whether a reader has to wait. In a forked process, without the search, nothing comes."""
        return not self._infos and not self._over and self._process == os.getpid()

    def take(self) -> Info | None:
        """The next report, when there is one; None at the end."""
        if self._to_come():  # else without the lock: in a forked process it may be held for ever
            with self._changed:
                while self._to_come():
                    self._changed.wait()
        return self._next()

    async def atake(self) -> Info | None:
        """The same for asyncio."""
        import asyncio

        loop = asyncio.get_running_loop()
        while self._to_come():
            woken = asyncio.Event()
            with self._changed:
                self._wake = lambda: later(loop, woken.set)  # noqa: B023  # of this turn
                waits = self._to_come()
            if waits:
                await woken.wait()
        return self._next()

    def _next(self) -> Info | None:
        try:
            return self._infos.popleft()
        except IndexError:
            return None


class Analysis:
    """A search under way, or its end. Iterating gives each `Info`, in order, and then ends.

    As context manager it stops the search at the end of the block; one that is dropped stops it too. What a
    search raises is raised by the iteration, when it has given what was found before, and by `wait`.
    """

    def __init__(self, start: Callable[[Callable[[Info], None], OnDone], Search]):
        self._feed = Feed()
        self.search = start(self._feed.put, self._feed.end)

    @property
    def done(self) -> bool:
        """Whether the search is over. There may be lines left to iterate over."""
        return self.search.done

    def stop(self) -> None:
        """End the search as soon as possible. From any thread; the iteration ends with what is found."""
        self.search.stop()

    def wait(self, timeout: float | None = None) -> Result:
        """The result, when there is one: see `Search.wait`."""
        return self.search.wait(timeout)

    async def result(self) -> Result:
        """The same for asyncio."""
        import asyncio

        while not self.search.done:
            await asyncio.shield(asyncio.to_thread(self.search.join))
        return self.search.wait()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Info:
        info = self._feed.take()
        if info is None:
            self.search.wait()  # raises what ended it
            raise StopIteration
        return info

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Info:
        info = await self._feed.atake()
        if info is None:
            self.search.wait()
            raise StopAsyncIteration
        return info

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.search.stop()
        self.search.join()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.__exit__(kind, error, trace)  # milliseconds

    def __del__(self) -> None:
        search = getattr(self, "search", None)
        if search is not None and not search.done and not search.is_here:
            search.stop()
            if not sys.is_finalizing():
                with suppress(RuntimeError):  # in a forked process
                    search.join()


async def finished(start: Callable[[OnDone], Search]) -> Result:
    """The result of a search. If the task is cancelled, the search is stopped, and over when this returns."""
    import asyncio

    loop, over = asyncio.get_running_loop(), asyncio.Event()
    search = start(lambda _: later(loop, over.set))
    try:
        await over.wait()
    finally:
        search.stop()
        search.join()  # if it is not over, it is in a few milliseconds
    return search.wait()


def later(loop: "asyncio.AbstractEventLoop", call: Callable[[], object]) -> None:
    """Call in the event loop, from another thread; not at all if the loop has ended."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(call)
