"""Engines that work side by side, each in a thread: the core searches without Python's lock."""

import operator
from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from queue import SimpleQueue
from types import TracebackType
from typing import Self, TypeVar, Unpack

from sssnake.engine.player.engine import Engine, OptionValues

J = TypeVar("J")
R = TypeVar("R")
MOST = 256  # workers
AHEAD = 2  # jobs of a worker: one under way, one waiting


class Workers:
    """So many engines with these options. A context manager; if it ends early, their searches are stopped.

    ValueError: no number of workers.
    """

    def __init__(self, count: int, **options: Unpack[OptionValues]):
        self._count = _checked(count)
        self._engines = [Engine(**options) for _ in range(self._count)]
        self._free: SimpleQueue[Engine] = SimpleQueue()
        for engine in self._engines:
            self._free.put(engine)
        self._ended = False

    def in_order(self, work: Callable[[Engine, J], R], jobs: Iterable[J]) -> Generator[R, None, None]:
        """What `work` makes of each job with an engine, in the order of the jobs. One worker: right here.

        Jobs are drawn when there is a worker for them. Each begins with an engine that remembers nothing.
        """

        def run(job: J) -> R:
            engine = self._free.get()
            try:
                if self._ended:
                    raise InterruptedError
                engine.new_game()
                return work(engine, job)
            finally:
                self._free.put(engine)

        if self._count == 1:
            yield from map(run, jobs)
            return
        pending: deque[Future[R]] = deque()
        with ThreadPoolExecutor(self._count) as threads:
            try:
                for job in jobs:
                    pending.append(threads.submit(run, job))
                    if len(pending) >= AHEAD * self._count:
                        yield pending.popleft().result()
                while pending:
                    yield pending.popleft().result()
            finally:
                for future in pending:
                    future.cancel()
                self._stop()

    def _stop(self) -> None:
        """End what is under way, at its next search at the latest."""
        self._ended = True
        for engine in self._engines:
            engine.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()


def _checked(count: int) -> int:
    try:
        number = operator.index(count)
    except TypeError:
        number = 0
    if isinstance(count, bool) or not 1 <= number <= MOST:
        raise ValueError(f"workers is a whole number from 1 to {MOST}, not {count!r}")
    return number
