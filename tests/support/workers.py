"""A Dask scheduler and workers, each in a process of its own."""

import importlib.util
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from sssnake.engine.jobs.executor import JobExecutor
from support.constants import ROOT

ENOUGH = 120  # seconds for anything here

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="no Dask here: pip install '.[dask]'"
)

PLAIN = "from distributed.cli.dask_worker import main; main()"
WITHOUT_ENGINE = f"import sys; sys.modules['sssnake'] = None; {PLAIN}"
OTHER_VERSION = f"import sssnake; sssnake.__version__ = '9.9'; {PLAIN}"


class Site:
    """A scheduler and its workers; close() ends all of them."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.processes = folder, list[subprocess.Popen[bytes]]()
        file = folder / "scheduler.json"
        words = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
        self.scheduler = self._start("-m", "distributed.cli.dask_scheduler", *words)
        wait_for(lambda: file.exists() and b"address" in file.read_bytes())
        found = re.search(r"tcp://[\d.:]+", file.read_text(encoding="utf-8"))
        assert found is not None
        self.address = found[0]

    def _start(self, *words: str) -> "subprocess.Popen[bytes]":
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        log = (self.folder / f"{len(self.processes)}.log").open("wb")
        process = subprocess.Popen([sys.executable, *words], env=environment, stdout=log, stderr=log)
        log.close()
        self.processes.append(process)
        return process

    def worker(self, code: str = PLAIN, threads: int = 1) -> "subprocess.Popen[bytes]":
        """Start a worker."""
        words = ["--nthreads", str(threads), "--local-directory", str(self.folder)]
        return self._start("-c", code, self.address, "--no-nanny", "--no-dashboard", *words)

    def executor(self) -> JobExecutor:
        """What a tool would get with `--scheduler`."""
        from sssnake.engine.jobs.cluster import DaskExecutor

        return DaskExecutor(self.address, "sssnake test")

    def close(self) -> None:
        """End everything."""
        for process in reversed(self.processes):
            process.kill()
            process.wait()


def wait_for(condition: Callable[[], object]) -> None:
    """Wait until the condition holds; fails after ENOUGH seconds."""
    deadline = time.monotonic() + ENOUGH
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)
