"""Threads that share one table: helpers that help, each with a memory of its own."""

import pytest

from _fast import search
from _fast.board import Board
from _fast.tt import TranspositionTable
from _fast.worker import StopFlag, Worker
from engine import pool
from engine.drivers import DRIVERS as BY_NAME
from engine.drivers import INFINITE, Iteration, Stopped
from engine.limits import Limits
from engine.options import DRIVERS, Options
from engine.searcher import Searcher
from engine.tools.bench import POSITIONS


@pytest.mark.parametrize("driver", DRIVERS)
def test_every_thread_searches(driver: str) -> None:
    searcher = Searcher(Options(hash_mb=1, threads=3, driver=driver))
    searcher.search(Board(), Limits(movetime=300), lambda report: None)
    searcher.settle()
    assert searcher.pool and all(worker.nodes > 100 for worker in searcher.pool.workers)


def test_helpers_deepen_and_odd_ones_run_a_ply_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int]] = []

    def driver(iteration: Iteration) -> None:
        seen.append((iteration.depth, iteration.guess))
        if len(seen) % 3 == 0:
            raise Stopped
        iteration.lower = 10 * iteration.depth

    monkeypatch.setitem(BY_NAME, "SSS*", driver)
    worker = Worker(TranspositionTable(1), StopFlag())
    worker.set_position(Board())
    for number in (1, 2):
        pool.help_out(worker, "SSS*", number)
    assert seen == [(2, 0), (3, 20), (4, 30), (1, 0), (2, 10), (3, 20)]


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
