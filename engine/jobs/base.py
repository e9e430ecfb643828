"""`JobExecutor`: a `concurrent.futures.Executor` whose jobs survive the loss of workers.

A job is a picklable value and a function of it. Its result depends on nothing else, so a job can run
anywhere, and can run again when its worker was lost. Each result is returned exactly once.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import AbstractContextManager, closing, suppress
from itertools import chain, islice
from queue import Empty, SimpleQueue
from typing import Any, ParamSpec, Self, TypeVar

from sssnake.engine.common.messages import ToolError
from sssnake.engine.jobs.signals import defer_interrupts, interruptible

POLL_SECONDS = 1.0  # between two looks at the workers
MAX_ATTEMPTS = 4  # a job that has lost so many workers is held to be the cause

J = TypeVar("J")
P = ParamSpec("P")
R = TypeVar("R")


class ExecutorError(ToolError):
    """The jobs cannot be done. The message is one line for the user."""


class JobExecutor(Executor, ABC):
    """Runs jobs, as a context manager. If the block ends by an exception, running jobs are abandoned."""

    remote = False  # True if the workers are processes that this program did not start
    _signals: AbstractContextManager[None]

    def __enter__(self) -> Self:
        self._signals = interruptible()
        self._signals.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if kind is not None:
                self.terminate_workers()
            with defer_interrupts():
                self.shutdown(cancel_futures=True)
        finally:
            self._signals.__exit__(None, None, None)

    @abstractmethod
    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Schedule a call. The future fails or is cancelled if its worker is lost (see `is_lost`)."""

    @abstractmethod
    def capacity(self) -> int:
        """How many jobs may be submitted at present: enough to keep every worker busy."""

    def is_lost(self, future: Future[Any]) -> bool:
        """Whether a finished future failed because its worker was lost, not because of its job."""
        return future.cancelled() or isinstance(future.exception(), BrokenExecutor)

    @abstractmethod
    def replace_workers(self, *, lost: bool) -> bool:
        """Look after the workers; `lost`: a job lost its worker. True: all jobs must be submitted again."""

    @abstractmethod
    def call_in_processes(self, function: Callable[..., None], *arguments: object) -> None:
        """Call the function once in each process that runs jobs and outlives them."""

    def terminate_workers(self) -> None:
        """Stop running jobs, where that is possible."""

    def run(self, function: Callable[[J], R], jobs: Iterable[J]) -> Generator[tuple[J, R], None, None]:
        """Run all jobs; yield (job, result) as they are done. An exception of a job is raised here.

        A job is drawn from `jobs` only when there is capacity for it. Jobs of lost workers run again. Closing
        the generator cancels those that are not running.
        """
        waiting, again = iter(jobs), deque[J]()
        pending: dict[Future[R], J] = {}
        ended: SimpleQueue[Future[R]] = SimpleQueue()
        losses: dict[int, int] = {}  # lost workers by id(job), since a job was last done
        try:
            while True:
                capacity = self.capacity()
                for job in islice(chain(drain(again), waiting), max(0, capacity - len(pending))):
                    with defer_interrupts():
                        future = self.submit(function, job)
                        pending[future] = job
                        future.add_done_callback(ended.put)
                if capacity and not pending:
                    return
                done = next_of(ended) & pending.keys()
                with defer_interrupts():
                    lost = [pending.pop(future) for future in done if self.is_lost(future)]
                    # Results before errors: the failure of one job does not hide the results of others.
                    whole = sorted(done & pending.keys(), key=lambda one: one.exception() is not None)
                for future in whole:
                    losses.clear()
                    with defer_interrupts():
                        result = future.result()
                    yield pending.pop(future), result
                if self.replace_workers(lost=bool(lost)):
                    lost += pending.values()
                    cancel(pending)
                    pending.clear()
                for job in lost:
                    losses[id(job)] = losses.get(id(job), 0) + 1
                    if losses[id(job)] >= MAX_ATTEMPTS:
                        raise ExecutorError(f"{MAX_ATTEMPTS} workers were lost to the job {str(job)[:200]}")
                    again.append(job)
        finally:
            cancel(pending)

    def in_order(self, function: Callable[[J], R], jobs: Iterable[J]) -> Generator[tuple[J, R], None, None]:
        """Like `run`, but the results come in the order of the jobs."""
        early: dict[int, tuple[J, R]] = {}
        next_number = 0
        with closing(self.run(_Numbered(function), enumerate(jobs))) as done:
            for (number, job), result in done:
                early[number] = job, result
                while next_number in early:
                    yield early.pop(next_number)
                    next_number += 1


def next_of(ended: SimpleQueue[Future[R]]) -> set[Future[R]]:
    """The futures that have ended, after the first one or POLL_SECONDS.

    An interrupt may come here, and nowhere where a future's lock is held: it would stay locked, and the pool
    would wait for it for ever. `concurrent.futures.wait` holds such locks.
    """
    found = set[Future[R]]()
    with suppress(Empty):
        found.add(ended.get(timeout=POLL_SECONDS))
        while True:
            found.add(ended.get_nowait())
    return found


def cancel(futures: Iterable[Future[Any]]) -> None:
    """Cancel all futures that are not running."""
    with defer_interrupts():
        for future in futures:
            future.cancel()


def drain(queue: "deque[J]") -> Iterator[J]:
    """Remove and yield everything, from the left."""
    while queue:
        yield queue.popleft()


class _Numbered:
    """A function of a job, made a function of (number, job)."""

    def __init__(self, function: Callable[[J], R]) -> None:
        self.function: Callable[[Any], Any] = function

    def __call__(self, numbered: tuple[int, Any]) -> Any:
        return self.function(numbered[1])
