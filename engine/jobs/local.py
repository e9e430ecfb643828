"""`LocalExecutor`: jobs in threads or processes of this machine."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import nullcontext

from sssnake.engine.jobs.base import JobExecutor, P, R
from sssnake.engine.jobs.signals import safe_start


class LocalExecutor(JobExecutor):
    """Threads, for jobs that release the GIL (engine processes, the core), or processes.

    A process starts like a remote worker: it has imported nothing but the engine. It ends with this program.
    """

    def __init__(self, workers: int, *, processes: bool) -> None:
        self.workers, self.processes = workers, processes
        self._executor = self._start()

    def _start(self) -> Executor:
        if not self.processes:
            return ThreadPoolExecutor(self.workers)
        self._others = set(multiprocessing.active_children())
        context = multiprocessing.get_context("spawn")
        with safe_start():  # this starts the resource tracker; `submit` starts the workers
            return ProcessPoolExecutor(self.workers, context, initializer=_become_worker)

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Schedule a call. If the process pool has just broken, the future comes back as lost."""
        try:
            with safe_start() if self.processes else nullcontext():
                return self._executor.submit(fn, *args, **kwargs)
        except BrokenExecutor as error:
            future: Future[R] = Future()
            future.set_exception(error)
            return future

    def capacity(self) -> int:
        """Two jobs a worker: one running, one queued."""
        return 2 * self.workers

    def replace_workers(self, *, lost: bool) -> bool:
        """Replace a process pool that lost a process: it fails all its jobs."""
        if lost:
            self._executor.shutdown()
            self._executor = self._start()
        return lost

    def call_in_processes(self, function: Callable[..., None], *arguments: object) -> None:
        """Threads run in this process; worker processes end with the executor."""
        if not self.processes:
            function(*arguments)

    def terminate_workers(self) -> None:
        """Terminate worker processes. Threads cannot be terminated: their jobs must end by themselves."""
        if self.processes:
            for child in set(multiprocessing.active_children()) - self._others:
                child.terminate()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the pool."""
        self._executor.shutdown(wait, cancel_futures=cancel_futures)


def _become_worker() -> None:
    """Leave Ctrl-C to the parent process, and end with it."""
    os.environ.pop("PYTHONSAFEPATH", None)  # engines that a job starts may import from their own folder
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_follow_parent, daemon=True).start()


def _follow_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
