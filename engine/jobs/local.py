"""Crews: workers that do independent jobs. What any crew can do, and the crews of this machine.

A job is a picklable value and a function of it; its result depends on nothing else, so it does not matter who
does it, or that somebody else did half of it before. Each job's result is handed on exactly once.
"""

import multiprocessing
import os
import signal
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from itertools import chain, islice
from types import FrameType
from typing import Any, Self, TypeVar

POLL_SECONDS = 1.0  # between two looks at who is there
LIVES = 4  # workers that may be lost to one job, before it is held to be the culprit

J = TypeVar("J")
R = TypeVar("R")


class CrewError(Exception):
    """The jobs cannot be done: one line for people."""


class _Held:
    """Whether interrupts are to wait, and whether one does. Handlers run in the main thread alone."""

    depth = 0
    waiting = False


@contextmanager
def held() -> Iterator[None]:
    """Put an interrupt off to the end of the block: what is started in it is known to who must end it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _Held.depth += 1
    try:
        yield
    finally:
        _Held.depth -= 1
        if _Held.waiting and not _Held.depth:
            _Held.waiting = False
            raise KeyboardInterrupt


@contextmanager
def interruptible() -> Iterator[None]:
    """Take SIGTERM for Ctrl-C, and only the first of either, so that nothing outlives its purpose."""
    numbers = (signal.SIGINT, signal.SIGTERM)

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)
        if not _Held.depth:
            raise KeyboardInterrupt
        _Held.waiting = True

    if threading.current_thread() is not threading.main_thread():  # nobody else may set handlers
        yield
        return
    before = [signal.signal(number, interrupt) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


@contextmanager
def safe_start() -> Iterator[None]:
    """Python processes that are started meanwhile import nothing from the current folder."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before


class Crew(ABC):
    """Does jobs, as a context manager. What is under way when the context is left by an error is given up."""

    remote = False  # whether the work is done by processes that this one did not start
    _signals: AbstractContextManager[None]

    def __enter__(self) -> Self:
        self._signals = interruptible()
        self._signals.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            self.close(kind is not None)
        finally:
            self._signals.__exit__(None, None, None)

    @abstractmethod
    def submit(self, function: Callable[[J], R], job: J) -> Future[R]:
        """Hand out a job."""

    @abstractmethod
    def room(self) -> int:
        """How many jobs may be out at present: enough to keep every worker busy."""

    def is_lost(self, future: Future[Any]) -> bool:
        """Whether a finished future tells of its worker's end, not of its job's."""
        return future.cancelled() or isinstance(future.exception(), BrokenExecutor)

    @abstractmethod
    def mend(self, broken: bool) -> bool:
        """Look after the workers; `broken`: a job was lost. True if all that is out must be done anew."""

    @abstractmethod
    def everywhere(self, function: Callable[..., None], *arguments: object) -> None:
        """Call the function once in each process that does jobs and outlives them."""

    @abstractmethod
    def close(self, give_up: bool) -> None:
        """Let the workers go; `give_up`: without waiting for what they are at."""

    def run(self, function: Callable[[J], R], jobs: Iterable[J]) -> Generator[tuple[J, R], None, None]:
        """Do all jobs; (job, result) as they come. An exception of a job is raised here.

        Jobs are drawn only when there is room for them. Jobs of a lost worker are done again. Closing the
        iterator withdraws those that are out.
        """
        waiting, again = iter(jobs), deque[J]()
        out: dict[Future[R], J] = {}
        losses: dict[int, int] = {}  # by the identity of the job, since a job was last done
        try:
            while True:
                room = self.room()
                for job in islice(chain(drain(again), waiting), max(0, room - len(out))):
                    out[self.submit(function, job)] = job
                if room and not out:
                    return
                done, _ = wait(out, POLL_SECONDS, FIRST_COMPLETED)
                if not out:
                    time.sleep(POLL_SECONDS)  # until somebody comes
                lost = [out.pop(future) for future in done if self.is_lost(future)]
                # Results first: what one job raises does not hide what others have done.
                for future in sorted(done & out.keys(), key=lambda one: one.exception() is not None):
                    losses.clear()
                    yield out.pop(future), future.result()
                if self.mend(bool(lost)):
                    lost += out.values()
                    self._withdraw(out)
                    out.clear()
                for job in lost:
                    losses[id(job)] = losses.get(id(job), 0) + 1
                    if losses[id(job)] >= LIVES:
                        raise CrewError(f"{LIVES} workers were lost to the job {str(job)[:200]}")
                    again.append(job)
        finally:
            self._withdraw(out)

    def in_order(self, function: Callable[[J], R], jobs: Iterable[J]) -> Generator[tuple[J, R], None, None]:
        """`run`, with the results in the order of the jobs, whoever is done first."""
        early: dict[int, tuple[J, R]] = {}
        next_one = 0
        with closing(self.run(_Numbered(function), enumerate(jobs))) as done:
            for (number, job), result in done:
                early[number] = job, result
                while next_one in early:
                    yield early.pop(next_one)
                    next_one += 1

    @staticmethod
    def _withdraw(out: Iterable[Future[Any]]) -> None:
        for future in out:
            future.cancel()


def drain(queue: "deque[J]") -> Iterator[J]:
    """Take everything out, from the left."""
    while queue:
        yield queue.popleft()


class _Numbered:
    """A function of (number, job) that looks at the job alone."""

    def __init__(self, function: Callable[[J], R]) -> None:
        self.function: Callable[[Any], Any] = function

    def __call__(self, numbered: tuple[int, Any]) -> Any:
        return self.function(numbered[1])


class Local(Crew):
    """Threads, for jobs that leave the processor to others (engines, the core), or processes of this machine.

    A process starts as a remote worker would, with nothing but the engine in it, and ends with this one.
    """

    def __init__(self, workers: int, processes: bool) -> None:
        self.workers, self.processes = workers, processes
        self._children: set[int | None] = set()
        self._executor = self._start()

    def _start(self) -> Executor:
        if not self.processes:
            return ThreadPoolExecutor(self.workers)
        self._others = set(multiprocessing.active_children())
        context = multiprocessing.get_context("spawn")
        with safe_start():  # a process that looks after semaphores is started here, the workers with a job
            return ProcessPoolExecutor(self.workers, context, initializer=_become_worker)

    def submit(self, function: Callable[[J], R], job: J) -> Future[R]:
        """Hand out a job; where the pool has just broken, it comes back as lost."""
        try:
            with safe_start() if self.processes else nullcontext():
                return self._executor.submit(function, job)
        except BrokenExecutor as error:
            future: Future[R] = Future()
            future.set_exception(error)
            return future

    def room(self) -> int:
        """One job at work and one at hand for each worker."""
        return 2 * self.workers

    def mend(self, broken: bool) -> bool:
        """A pool that lost a process fails all its jobs; a new one takes its place."""
        if broken:
            self._executor.shutdown()
            self._executor = self._start()
        return broken

    def everywhere(self, function: Callable[..., None], *arguments: object) -> None:
        """This process has the threads; child processes end with the crew."""
        if not self.processes:
            function(*arguments)

    def close(self, give_up: bool) -> None:
        """End the pool. Threads cannot be ended from outside: what they do must end by itself."""
        if give_up and self.processes:
            for child in set(multiprocessing.active_children()) - self._others:
                child.terminate()
        self._executor.shutdown(cancel_futures=True)


def _become_worker() -> None:
    """Leave Ctrl-C to the parent, and do not outlive it."""
    os.environ.pop("PYTHONSAFEPATH", None)  # engines of others may import what lies beside them
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
