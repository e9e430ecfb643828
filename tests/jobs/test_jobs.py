"""The seam: equal results whoever does the jobs, and none lost or counted twice when workers are killed."""

import math
import multiprocessing
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from support.commands import leave
from support.constants import ENGINE, ROOT
from support.workers import ENOUGH, OTHER_VERSION, WITHOUT_ENGINE, Site, needs_dask, wait_for

from sssnake.engine.jobs.base import MAX_ATTEMPTS
from sssnake.engine.jobs.executor import ExecutorError, LocalExecutor
from sssnake.engine.jobs.signals import defer_interrupts, interruptible
from sssnake.engine.selfplay import datagen
from sssnake.engine.selfplay.datagen import Recipe, make_game, make_shard, make_shards, shard_path

RECIPES = [Recipe(seed, games=8, nodes=100) for seed in (1, 2)]
JOBS = [(recipe, number) for recipe in RECIPES for number in range(recipe.games)]


@pytest.fixture(scope="module")
def games() -> list[bytes]:
    """What the jobs come to."""
    return [make_game(job) for job in JOBS]


# -- this machine ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("processes", [False, True])
def test_any_number_of_workers_gives_the_same(processes: bool, games: list[bytes]) -> None:
    with LocalExecutor(3, processes=processes) as executor:
        assert [game for _, game in executor.in_order(make_game, JOBS)] == games
        unordered = dict(executor.run(make_game, JOBS))
    assert unordered == dict(zip(JOBS, games, strict=True))


def test_jobs_are_drawn_only_when_there_is_room() -> None:
    drawn = 0

    def endless() -> Iterator[int]:
        nonlocal drawn
        while True:
            drawn += 1
            yield drawn

    with LocalExecutor(2, processes=False) as executor:
        results = executor.run(math.factorial, endless())
        job, result = next(results)
        assert result == math.factorial(job)
        assert drawn <= executor.capacity()
        results.close()


class Trap:
    """A future's lock. For the main thread an interrupt waits right behind its door, once."""

    def __init__(self, condition: Any, sprung: list[None]) -> None:
        self.condition, self.sprung = condition, sprung

    def acquire(self, *arguments: Any) -> bool:
        taken: bool = self.condition.acquire(*arguments)
        if threading.current_thread() is threading.main_thread() and not self.sprung:
            self.sprung.append(None)
            signal.raise_signal(signal.SIGINT)
        return taken

    def __enter__(self) -> None:
        self.acquire()

    def __exit__(self, *_: object) -> None:
        self.condition.release()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.condition, name)


def test_an_interrupt_leaves_no_future_locked() -> None:
    """Or the pool would wait for its lock at the end, for ever."""
    conditions, sprung = list[Any](), list[None]()

    class Trapped(LocalExecutor):
        def submit(self, *arguments: Any, **more: Any) -> Any:
            future = super().submit(*arguments, **more)
            conditions.append(future._condition)
            future._condition = Trap(future._condition, sprung)  # type: ignore[assignment]
            return future

    with pytest.raises(KeyboardInterrupt), Trapped(1, processes=False) as executor:
        for _ in executor.run(math.factorial, range(3)):
            pass
    with ThreadPoolExecutor(1) as other:
        assert all(other.submit(condition.acquire, False).result() for condition in conditions)


def test_a_failing_job_is_heard_of() -> None:
    with LocalExecutor(2, processes=False) as executor, pytest.raises(ValueError, match="factorial"):
        list(executor.run(math.factorial, [3, -1, 4]))


def test_a_killed_process_costs_nothing(games: list[bytes]) -> None:
    with LocalExecutor(2, processes=True) as executor:
        found = {}
        for job, game in executor.run(make_game, JOBS):
            assert job not in found
            found[job] = game
            if len(found) == 3:
                os.kill(multiprocessing.active_children()[0].pid or 0, signal.SIGKILL)
    assert found == dict(zip(JOBS, games, strict=True))


def test_a_job_that_kills_is_given_up() -> None:
    with (
        LocalExecutor(1, processes=True) as executor,
        pytest.raises(ExecutorError, match=f"{MAX_ATTEMPTS} workers were lost"),
    ):
        list(executor.run(os._exit, [1]))


def test_an_abandoned_crew_ends_at_once() -> None:
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt), LocalExecutor(1, processes=True) as executor:
        for _ in executor.run(time.sleep, [0, 600]):
            raise KeyboardInterrupt
    assert time.monotonic() - start < ENOUGH
    assert not multiprocessing.active_children()


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_whatever_ends_datagen_its_shard_can_be_resumed(
    number: signal.Signals, games: list[bytes], tmp_path: Path
) -> None:
    path = shard_path(tmp_path, RECIPES[0])
    words = ["--seeds", "1", "1", "--games", "1000", "--nodes", "100", "--concurrency", "2"]
    command = [*ENGINE, "datagen", str(tmp_path), *words]
    with subprocess.Popen(command, cwd=ROOT, start_new_session=True, stderr=subprocess.PIPE) as process:
        wait_for(lambda: path.exists() and path.stat().st_size > 0)
        children = descendants(process.pid)
        process.send_signal(number)
        process.wait(ENOUGH)
        assert process.stderr is not None
        said = process.stderr.read()
        assert b"Traceback" not in said if number == signal.SIGKILL else said == b""
    wait_for(lambda: not any(map(alive, children)))
    part, whole = path.read_bytes(), b"".join(games[: RECIPES[0].games])
    assert part.startswith(whole) or whole.startswith(part)
    make_shard(tmp_path, RECIPES[0])
    assert path.read_bytes().startswith(whole)


def descendants(pid: int) -> list[int]:
    """The child processes of a process (Linux; elsewhere none are found)."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == pid:
            found.append(int(status.parent.name))
    return found


def alive(pid: int) -> bool:
    """Whether a process runs (zombies do not)."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# -- many machines -----------------------------------------------------------------------------------------


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A scheduler without workers."""
    place = Site(tmp_path)
    try:
        yield place
    finally:
        place.close()


@needs_dask
def test_a_killed_worker_costs_nothing(site: Site, games: list[bytes], tmp_path: Path) -> None:
    workers = [site.worker(), site.worker()]
    with site.executor() as executor:
        wait_for(lambda: executor.capacity() == 4)
        found = {}
        for job, game in executor.run(make_game, JOBS):
            assert job not in found
            found[job] = game
            if len(found) == 3:
                workers[0].kill()
        assert found == dict(zip(JOBS, games, strict=True))
        list(make_shards(executor, tmp_path, RECIPES))
    assert b"".join(shard_path(tmp_path, recipe).read_bytes() for recipe in RECIPES) == b"".join(games)


@needs_dask
def test_when_all_are_lost_the_next_comer_does_it(
    site: Site, games: list[bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    first = site.worker()
    with site.executor() as executor:
        found = []
        for _, game in executor.in_order(make_game, JOBS):
            found.append(game)
            if len(found) == 3:
                first.kill()
                first.wait()
                site.worker()
    assert found == games


@needs_dask
def test_strangers_are_refused(site: Site, games: list[bytes], capsys: pytest.CaptureFixture[str]) -> None:
    strangers = [site.worker(WITHOUT_ENGINE), site.worker(OTHER_VERSION)]
    with pytest.raises(ExecutorError, match="no worker that may do the jobs"):
        site.executor()
    site.worker()
    deadline = time.monotonic() + ENOUGH
    executor = None
    while executor is None:
        assert time.monotonic() < deadline
        try:
            executor = site.executor()
        except ExecutorError:
            time.sleep(0.5)
    with executor:
        assert [game for _, game in executor.in_order(make_game, JOBS)] == games
        assert executor.capacity() == 2
    lines = capsys.readouterr().err.splitlines()
    assert all(line.startswith("sssnake test: worker tcp://") for line in lines)
    assert any("it has no SSSnake" in line for line in lines)
    assert any("it runs SSSnake 9.9" in line for line in lines)
    assert all(process.poll() is None for process in strangers)


@needs_dask
def test_a_scheduler_that_is_not_there_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from sssnake.engine.jobs import cluster

    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 1)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        silent = f"tcp://127.0.0.1:{mute.getsockname()[1]}"
        reasons = {"tcp://127.0.0.1:9": "OSError: Timed out", silent: "what is there does not answer"}
        for address, reason in reasons.items():
            start = time.monotonic()
            with pytest.raises(SystemExit) as left:
                leave(datagen.main, [str(tmp_path), "--scheduler", address])
            assert left.value.code == 2
            assert time.monotonic() - start < 15
            wanted = rf"sssnake datagen: no Dask scheduler at {address}: {reason}.*\n"
            assert re.fullmatch(wanted, capsys.readouterr().err)


@needs_dask
@pytest.mark.parametrize("address", ["nonsense", "http://127.0.0.1:8786", "tls://127.0.0.1:9"])
def test_an_address_that_is_none_is_one_line_at_once(address: str, tmp_path: Path) -> None:
    """In a process of its own: what is left of a client is heard of when Python ends."""
    command = [*ENGINE, "datagen", str(tmp_path), "--scheduler", address]
    start = time.monotonic()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=ENOUGH)
    assert time.monotonic() - start < 15
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(rf"sssnake datagen: no Dask scheduler at {address}: .*\n", done.stderr)


@needs_dask
def test_a_scheduler_that_goes_away_is_one_line(site: Site) -> None:
    site.worker()
    with site.executor() as executor, pytest.raises(ExecutorError, match="does not answer any more"):
        for _ in executor.run(make_game, JOBS):
            site.scheduler.kill()


def test_without_dask_the_way_to_it_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SystemExit) as left:
        leave(datagen.main, [str(tmp_path), "--scheduler", "tcp://127.0.0.1:8786"])
    assert left.value.code == 2
    error = capsys.readouterr().err
    assert error.startswith("sssnake datagen: --scheduler needs Dask: ")
    assert "-m pip install '.[dask]'" in error
    assert error.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_an_interrupt_waits_for_what_must_not_be_cut_in_two() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), interruptible():
        with defer_interrupts():
            os.kill(os.getpid(), signal.SIGTERM)
            done.append("whole")
        done.append("never")
    assert done == ["whole"]
