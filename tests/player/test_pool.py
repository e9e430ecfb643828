"""Threads that share one table: helpers that help, what each of them remembers, and never in the way."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sssnake._fast.board.board import Board
from sssnake._fast.search import root as search
from sssnake._fast.search.tt import TranspositionTable
from sssnake._fast.search.worker import StopFlag, Worker
from sssnake._fast.values import INFINITE
from sssnake.engine.player.bench import POSITIONS
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import DRIVERS
from sssnake.engine.player.resources import pool
from sssnake.engine.player.resources.memory import processors
from sssnake.engine.player.result import Info

STATM = Path("/proc/self/statm")


@pytest.mark.parametrize("driver", DRIVERS)
def test_every_thread_searches(driver: str) -> None:
    engine = Engine(hash_mb=1, threads=3, driver=driver)
    workers = engine.prepare().workers
    for movetime in (300, 300, 1000, 5000):  # of a busy machine not every one may get something at once
        engine.play(Board(), Limits(movetime=movetime))
        engine.settle()
        if all(worker.nodes > 100 for worker in workers):
            return
    raise AssertionError([worker.nodes for worker in workers])


@pytest.mark.parametrize(
    ("threads", "nodes", "each"), [(1, 5000, 5000), (3, 60_001, 20_000), (4, 40_000, 10_000)]
)
def test_the_threads_share_the_nodes_of_a_go(threads: int, nodes: int, each: int) -> None:
    engine = Engine(hash_mb=1, threads=threads)
    for _ in range(25 if threads > 1 else 2):  # threads disturb each other: each run ends at another node
        engine.new_game()
        result = engine.play(Board(), Limits(nodes=nodes))
        engine.settle()
        workers = engine.prepare().workers
        assert workers[0].nodes == each and all(worker.nodes <= each for worker in workers)
        assert result.nodes <= nodes


# More threads than processors


def test_threads_come_and_go_with_the_option() -> None:
    workers = pool.Pool(1, 1)
    tasks = Path("/proc/self/task")
    before = len(list(tasks.iterdir())) if tasks.exists() else 0
    for threads in (1, 9, 3, 200, 1):
        workers.set_threads(threads)
        workers.new_game()
        assert len(workers.workers) == threads
        until = time.monotonic() + 10
        while tasks.exists() and len(list(tasks.iterdir())) > before + threads - 1:  # they leave in time
            assert time.monotonic() < until
            time.sleep(0.01)


@pytest.mark.clock
@pytest.mark.parametrize("threads", [8, 64, 256])
def test_many_threads_do_not_keep_the_main_one_from_its_clock(threads: int) -> None:
    engine = Engine(hash_mb=1, threads=threads)
    engine.prepare()
    for movetime in (1, 200, 200, 1, 200):
        start, reports = time.monotonic(), list[Info]()
        engine.play(Board(), Limits(movetime=movetime), reports.append, since=start)
        engine.settle()
        assert time.monotonic() - start < movetime / 1000 + 0.5  # it was seconds
        assert reports[-1].depth >= (4 if movetime > 1 else 1)


def test_few_processors_are_seen(tmp_path: Path) -> None:
    """Those that a control group leaves."""
    everything = processors(tmp_path)
    assert 1 <= everything <= (os.cpu_count() or 1)
    for text, right in (("100000 100000", 1), ("max 100000", everything), ("1 100000", 1), ("", everything)):
        (tmp_path / "cpu.max").write_text(text)
        assert processors(tmp_path) == right


def test_a_system_that_tells_no_processors_has_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_getaffinity", raising=False)
    for told, right in ((4, 4), (None, 1)):
        monkeypatch.setattr(os, "cpu_count", lambda told=told: told)
        assert processors(tmp_path) == right


# Memory


def nodes(worker: Worker) -> int:
    """Of a few searches with an empty table."""
    worker.use_table(TranspositionTable(1))
    worker.set_position(Board(POSITIONS[1]))
    for depth in range(1, 7):
        worker.new_iteration(depth)
        search.window(worker, -INFINITE, INFINITE, depth)
    return worker.nodes


def test_every_worker_has_a_history_of_its_own() -> None:
    first, second = pool.Pool(1, 2).workers
    fresh, taught = nodes(first), nodes(first)
    assert nodes(second) == fresh != taught
    first.new_game()
    assert nodes(first) == fresh


def test_workers_may_share_one_history() -> None:
    first, second = pool.Pool(1, 2).workers
    fresh, taught = nodes(first), nodes(first)
    first.new_game()
    second.share_history(first)
    assert (nodes(second), nodes(first)) == (fresh, taught)
    second.share_history(None)
    assert nodes(second) == fresh
    engine = Engine(hash_mb=1, threads=3, parameters={"shared_history": 1})
    engine.play(Board(), Limits(nodes=30_000))
    engine.settle()
    workers = engine.prepare().workers
    engine.clear_hash()
    assert nodes(workers[2]) != fresh  # whether it had searched or not, the others have


def test_histories_are_shared_from_four_threads_on() -> None:
    """One pool, from search to search: also when threads or the parameter change again."""
    engine = Engine(hash_mb=1, threads=4)
    workers = engine.prepare()
    for value, helpers, shared in ((4, 3, True), (4, 2, False), (4, 3, True), (0, 3, False), (2, 1, True)):
        engine.configure(parameters={"shared_history": value})
        workers.start(Board(), None, DRIVERS[0], helpers=helpers)
        fresh, _taught = nodes(workers.main), nodes(workers.main)
        for worker in workers.workers[1 : 1 + helpers]:
            assert (nodes(worker) != fresh) == shared, (value, helpers)
        workers.new_game()


def test_a_new_game_forgets_a_history_that_was_put_aside() -> None:
    first, second = pool.Pool(1, 2).workers
    fresh, _taught = nodes(second), nodes(second)
    second.share_history(first)
    nodes(second)
    second.new_game()
    second.share_history(None)
    assert nodes(second) == fresh


@pytest.mark.skipif(not STATM.exists(), reason="the system does not say what memory is touched")
def test_a_new_game_touches_no_memory_that_was_not_used() -> None:
    """Two megabytes a thread would be."""
    flag, table = StopFlag(), TranspositionTable(1)
    lender, *borrowers = [Worker(table, flag) for _ in range(40)]
    for worker in borrowers:
        worker.share_history(lender)
        nodes(worker)
    before = int(STATM.read_text().split()[1])
    for worker in borrowers:
        worker.new_game()
    pages = int(STATM.read_text().split()[1]) - before
    assert pages * os.sysconf("SC_PAGE_SIZE") < 20 << 20


COLLECTED = """
import gc, chess
from sssnake import Engine, Limits

class Bot:
    def __init__(self):
        self.engine = Engine(hash_mb=1, on_note=self.note)
    def note(self, text):
        pass

gc.disable()
for _ in range(10):
    bot = Bot()
    bot.engine.play(chess.Board(), Limits(depth=1))
    gc.collect(0)  # what comes now is younger, and would be cleared first
    bot.engine.configure(threads=4)
    bot.engine.play(chess.Board(), Limits(movetime=60))
    del bot
    gc.collect()
print("survived")
"""


def test_an_engine_in_a_cycle_is_collected_while_its_helpers_search() -> None:
    run = subprocess.run([sys.executable, "-c", COLLECTED], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout, run.stderr) == (0, "survived\n", "")
