"""A crew on many machines: the workers of a Dask scheduler (`--scheduler tcp://host:8786`).

A worker is admitted only if it runs this very version: asked, it says so, and gets one resource of that name,
for which every job asks. The scheduler does the rest: a lost worker's jobs it gives to others admitted. As
there is one such resource a worker, its jobs come one at a time, whatever tools they are for and however many
threads it has: parameters and weights of the core belong to the process.
Whoever can reach a scheduler can run anything on its workers: use it in a trusted network only.
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

from engine import __version__
from engine.common.extras import how_to_get
from engine.jobs.local import POLL_SECONDS, Crew, CrewError, J, R
from engine.player.bench import bench

CONNECT_SECONDS = 10
FIRST_WORKER_SECONDS = 30  # for the first worker to appear
SIGNATURE_DEPTH = 8
JOBS_A_WORKER = 2  # one at work and one at hand
HOME = Path(__file__).parents[2]
READ = ("engine/**/*.py", "_fast/**/*.py", "networks/*.sssn")  # what decides about results, but for the core


@cache
def identity() -> str:
    """What makes seeded jobs equal: the version, the code that runs them, and how the core searches.

    Remembered, so that what a job changes for its time does not count.
    """
    nodes = bench(SIGNATURE_DEPTH).nodes
    return f"SSSnake {__version__}, code {code(HOME)[:8]}, bench {nodes} at depth {SIGNATURE_DEPTH}"


def code(home: Path) -> str:
    """A digest, in hexadecimal, of the Python code and the network below a folder. The core is not in it."""
    digest = hashlib.sha256()
    for path in sorted(path for pattern in READ for path in home.glob(pattern)):
        digest.update(f"{path.relative_to(home).as_posix()}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def admission() -> Callable[..., Awaitable[str]]:
    """A function for each worker to call; "" admitted, else why not.

    Being a closure it travels by value: a worker without the engine can run it, and say so.
    """

    async def admit(expected: str, dask_worker: Any = None) -> str:
        from importlib import import_module

        try:
            found = import_module("engine.jobs.cluster").identity()
        except ImportError as error:
            return f"it has no SSSnake ({error})"
        if found != expected:
            return f"it runs {found}, not {expected}"
        if expected not in dask_worker.state.total_resources:
            await dask_worker.set_resources(**{expected: 1})
        return ""

    return admit


class Cluster(Crew):
    """The admitted workers of one scheduler, whoever joins or leaves while the jobs are done."""

    remote = True

    def __init__(self, address: str, tool: str) -> None:
        self.address, self.tool = address, tool
        self._admitted: dict[str, bool] = {}  # whether a worker, of those present, is
        self._next_look = 0.0
        self._revived = False
        self._client = _connect(address)
        try:
            self._executor: Executor = self._client.get_executor(resources={identity(): 1}, pure=False)
            self._await_first()
        except BaseException:
            self._client.close()
            raise

    def submit(self, function: Callable[[J], R], job: J) -> Future[R]:
        """Hand out a job to any admitted worker."""
        return self._executor.submit(function, job)

    def is_lost(self, future: Future[Any]) -> bool:
        """The scheduler gives up a job after some lost workers, which need not be that job's fault."""
        return super().is_lost(future) or type(future.exception()).__name__ == "KilledWorker"

    def room(self) -> int:
        """What keeps the admitted workers busy; looks after comers and goers now and then."""
        if time.monotonic() >= self._next_look:
            self._muster()
        return JOBS_A_WORKER * sum(self._admitted.values())

    def mend(self, broken: bool) -> bool:
        """Jobs that are out while nobody is admitted would wait for ever: the first comer gets them anew."""
        revived, self._revived = self._revived, False
        return revived

    def everywhere(self, function: Callable[..., None], *arguments: object) -> None:
        """Call the function in each admitted worker that is still there."""
        workers = [address for address, admitted in self._admitted.items() if admitted]
        if workers:
            self._client.run(function, *arguments, workers=workers, on_error="ignore")

    def close(self, give_up: bool) -> None:
        """Take leave; the workers stay, and finish what they are at for nothing."""
        self._client.close()

    def _muster(self) -> None:
        """Note who has come and who has gone; comers are asked who they are."""
        try:
            present = self._client.scheduler_info(n_workers=-1)["workers"]
            comers = [address for address in present if address not in self._admitted]
            answers = (
                self._client.run(admission(), identity(), workers=comers, on_error="return") if comers else {}
            )
        except (OSError, TimeoutError, CancelledError, KeyError):  # no workers named: not connected
            raise CrewError(f"the scheduler {self.address} does not answer any more") from None
        had = any(self._admitted.values())
        self._admitted = {address: is_so for address, is_so in self._admitted.items() if address in present}
        deserted = not any(self._admitted.values())
        for address, answer in answers.items():
            if isinstance(answer, OSError):
                continue  # gone meanwhile
            self._admitted[address] = not answer
            if answer:
                self._tell(f"worker {address} is refused: {_one_line(answer)}")
            elif (threads := present[address]["nthreads"]) > 1:
                self._tell(f"worker {address} does one job at a time, for all its {threads} threads")
        self._revived = self._revived or (deserted and any(self._admitted.values()))
        if had and not any(self._admitted.values()):
            self._tell("no worker is left; waiting for one")
        self._next_look = time.monotonic() + POLL_SECONDS

    def _tell(self, text: str) -> None:
        print(f"{self.tool}: {text}", file=sys.stderr)

    def _await_first(self) -> None:
        """Wait for a worker; CrewError if none comes, or those that come are all refused."""
        deadline = time.monotonic() + FIRST_WORKER_SECONDS
        while True:
            self._muster()
            if any(self._admitted.values()):
                self._revived = False
                return
            if self._admitted or time.monotonic() > deadline:
                raise CrewError(f"{self.address} has no worker that may do the jobs")
            time.sleep(POLL_SECONDS)


def _connect(address: str) -> Any:
    try:
        distributed = import_module("distributed")
    except ImportError:
        raise CrewError(f"--scheduler needs Dask: {how_to_get('distributed')}") from None
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    logging.getLogger("distributed.client").setLevel(logging.CRITICAL)
    try:
        asyncio.run(_knock(distributed, address))
        return distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except TimeoutError:
        raise CrewError(f"no Dask scheduler at {address}: what is there does not answer") from None
    except Exception as error:  # Dask has no list of what may go wrong
        raise CrewError(f"no Dask scheduler at {address}: {_one_line(error)}") from None


async def _knock(distributed: Any, address: str) -> None:
    """Raise whatever Dask has against an address: a client that fails to connect takes long to be rid of."""
    words = distributed.Security().get_connection_args("client")
    async with asyncio.timeout(CONNECT_SECONDS + 1):  # to connect and to be greeted; Dask's is for the former
        comm = await distributed.comm.connect(address, timeout=CONNECT_SECONDS, **words)
    await comm.close()


def _one_line(problem: object) -> str:
    if isinstance(problem, BaseException):
        problem = f"{type(problem).__name__}: {problem}"
    return " ".join(str(problem).split())[:300]
