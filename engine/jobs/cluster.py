"""`DaskExecutor`: jobs on the workers of a Dask scheduler (`--scheduler tcp://host:8786`).

A worker is admitted only if it runs exactly this version. It is asked for its `identity`. If that is ours,
it gets a Dask resource of that name, as many units as it has threads. Every job needs one unit, so only
admitted workers get jobs, one a thread. An engine owns its parameters and its network: jobs of several tools
can run side by side in one process. The scheduler gives the jobs of a lost worker to another one.

Whoever can reach a scheduler can run any code on its workers: use it in a trusted network only.
"""

import asyncio
import hashlib
import logging
import sys
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError, Executor, Future
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from sssnake import __version__
from sssnake.engine.common.extras import how_to_get
from sssnake.engine.common.messages import one_line, reason
from sssnake.engine.jobs.base import POLL_SECONDS, ExecutorError, JobExecutor, P, R
from sssnake.engine.player.bench import bench

CONNECT_SECONDS = 10
LONGEST_REASON = 300  # characters
FIRST_WORKER_SECONDS = 30  # for the first worker to appear
SIGNATURE_DEPTH = 8
JOBS_PER_THREAD = 2  # one running and one queued
HOME = Path(__file__).parents[2]
SOURCES = (
    "engine/**/*.py",
    "_fast/**/*.py",
    "engine/networks/*.sssn",
)  # results depend on these, and on the core


@cache
def identity() -> str:
    """Version, Python code and node count of the core. If equal, seeded jobs give equal results."""
    nodes = bench(SIGNATURE_DEPTH).nodes
    return f"SSSnake {__version__}, code {code(HOME)[:8]}, bench {nodes} at depth {SIGNATURE_DEPTH}"


def code(home: Path) -> str:
    """SHA-256 (hexadecimal) of the Python code and the networks below a folder. The core is not included."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in SOURCES for path in home.glob(pattern)):
        digest.update(f"{path.relative_to(home).as_posix()}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def admission() -> Callable[..., Awaitable[str]]:
    """A function that each worker calls. It returns "" if the worker is admitted, else the reason why not.

    It is a closure, so Dask pickles it by value, and a worker without the engine can run it.
    """

    async def admit(expected: str, dask_worker: Any = None) -> str:
        from importlib import import_module

        try:
            found = import_module("sssnake.engine.jobs.cluster").identity()
        except ImportError as error:
            return f"it has no SSSnake ({error})"
        if found != expected:
            return f"it runs {found}, not {expected}"
        if expected not in dask_worker.state.total_resources:
            await dask_worker.set_resources(**{expected: dask_worker.state.nthreads})
        return ""

    return admit


class DaskExecutor(JobExecutor):
    """The admitted workers of one scheduler. Workers may join or leave while jobs are running."""

    remote = True

    def __init__(self, address: str, tool: str) -> None:
        self.address, self.tool = address, tool
        self._threads: dict[str, int] = {}  # threads of each worker that is present; 0: not admitted
        self._next_look = 0.0
        self._resubmit = False
        self._client = _connect(address)
        try:
            self._executor: Executor = self._client.get_executor(resources={identity(): 1}, pure=False)
            self._await_first_worker()
        except BaseException:
            self._client.close()
            raise

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Schedule a call on any admitted worker."""
        return self._executor.submit(fn, *args, **kwargs)

    def is_lost(self, future: Future[Any]) -> bool:
        """The scheduler gives up a job after some lost workers, which need not be the job's fault."""
        return super().is_lost(future) or type(future.exception()).__name__ == "KilledWorker"

    def capacity(self) -> int:
        """Two jobs a thread of the admitted workers; now and then it looks for new and lost workers."""
        if time.monotonic() >= self._next_look:
            self._update_workers()
        return JOBS_PER_THREAD * sum(self._threads.values())

    def replace_workers(self, *, lost: bool) -> bool:
        """True after a time without any worker: jobs submitted then would wait for ever."""
        resubmit, self._resubmit = self._resubmit, False
        return resubmit

    def call_in_processes(self, function: Callable[..., None], *arguments: object) -> None:
        """Call the function in each admitted worker that is still there."""
        workers = [address for address, threads in self._threads.items() if threads]
        if workers:
            self._client.run(function, *arguments, workers=workers, on_error="ignore")

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Leave the scheduler. The workers stay; the results of running jobs are dropped."""
        self._client.close()

    def _update_workers(self) -> None:
        """Register workers that have come or gone; ask new ones for their identity."""
        try:
            present = self._client.scheduler_info(n_workers=-1)["workers"]
            new = [address for address in present if address not in self._threads]
            answers = self._client.run(admission(), identity(), workers=new, on_error="return") if new else {}
        except (OSError, TimeoutError, CancelledError, KeyError):  # KeyError: no workers named, not connected
            raise ExecutorError(f"the scheduler {self.address} does not answer any more") from None
        had = any(self._threads.values())
        self._threads = {address: count for address, count in self._threads.items() if address in present}
        deserted = not any(self._threads.values())
        for address, answer in answers.items():
            if isinstance(answer, OSError):
                continue  # it has gone meanwhile
            self._threads[address] = 0 if answer else present[address]["nthreads"]
            if answer:
                said = reason(answer) if isinstance(answer, BaseException) else str(answer)
                self._warn(f"worker {address} is refused: {one_line(said, LONGEST_REASON)}")
        self._resubmit = self._resubmit or (deserted and any(self._threads.values()))
        if had and not any(self._threads.values()):
            self._warn("no worker is left; waiting for one")
        self._next_look = time.monotonic() + POLL_SECONDS

    def _warn(self, text: str) -> None:
        print(f"{self.tool}: {text}", file=sys.stderr)

    def _await_first_worker(self) -> None:
        """Wait for a worker; ExecutorError if none comes, or if all that come are refused."""
        deadline = time.monotonic() + FIRST_WORKER_SECONDS
        while True:
            self._update_workers()
            if any(self._threads.values()):
                self._resubmit = False
                return
            if self._threads or time.monotonic() > deadline:
                raise ExecutorError(f"{self.address} has no worker that may do the jobs")
            time.sleep(POLL_SECONDS)


def _connect(address: str) -> Any:
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise ExecutorError(f"--scheduler needs Dask: {how_to_get('distributed')}") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    try:
        asyncio.run(_try_connection(distributed, address))
        return distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except TimeoutError:
        raise ExecutorError(f"no Dask scheduler at {address}: what is there does not answer") from None
    except Exception as error:  # Dask has no list of what may go wrong
        said = one_line(reason(error), LONGEST_REASON)
        raise ExecutorError(f"no Dask scheduler at {address}: {said}") from None


async def _try_connection(distributed: Any, address: str) -> None:
    """Raise what Dask raises for a bad address; a client that fails to connect would take long to close."""
    words = distributed.Security().get_connection_args("client")
    async with asyncio.timeout(CONNECT_SECONDS + 1):  # for the handshake too; Dask limits only the connection
        comm = await distributed.comm.connect(address, timeout=CONNECT_SECONDS, **words)
    await comm.close()
