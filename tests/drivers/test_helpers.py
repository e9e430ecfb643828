"""Helper threads: they make the passes of the drivers, and take turns where processors are few."""

import time
from typing import Any

import pytest
from support.parameters import PARAMETERS

from sssnake._fast.board.board import Board
from sssnake._fast.drivers.bracket import SWING, Bracket
from sssnake._fast.drivers.helpers import Helpers
from sssnake._fast.search.tt import TranspositionTable
from sssnake._fast.search.worker import StopFlag, Worker
from sssnake.engine.player.bench import POSITIONS
from sssnake.engine.player.drivers import Stopped, close
from sssnake.engine.player.options import DRIVERS

DEEPEST = 120  # plies; the helpers' last iteration


# Helpers make the passes that the main thread would


def by_drivers(worker: Worker, driver: str, number: int) -> None:
    """A helper's iterative deepening, in Python."""
    guess, swing = 0, float(SWING)
    for depth in range(2 - number % 2, DEEPEST):
        worker.new_iteration(depth)
        bracket = Bracket(driver, PARAMETERS, depth, guess, swing)
        try:
            close(bracket, worker)
        except Stopped:
            return
        guess, swing = bracket.lower, bracket.next_swing
        worker.sort_roots(1)


def found(fen: str, count: int, limit: int, by: str = "", driver: str = DRIVERS[0]) -> list[Any]:
    """What the last of some helpers knows after so many nodes, on its own table; or the same in Python."""
    flag = StopFlag()
    flag.set_limits(limit, 0)
    helpers, workers = Helpers(flag), []
    for _ in range(count):
        workers.append(Worker(TranspositionTable(1), flag))
        workers[-1].set_position(Board(fen))
        assert helpers.add(workers[-1])
    if by == "python":
        workers[-1].obey_limits()
        by_drivers(workers[-1], driver, count - 1)
    else:
        helpers.start(count, driver, 2)
        helpers.settle()
    last = workers[-1]
    return [last.nodes, last.table.entries_used(), *map(last.root, range(last.root_count))]


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("driver", DRIVERS)
def test_helpers_make_the_passes_of_the_drivers(driver: str, count: int) -> None:
    """Odd ones run a ply ahead. Mates, lost positions and quiet ones take different ways through a driver."""
    mates = ["6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "8/8/8/8/8/2k5/7q/K7 w - - 0 1"]
    for fen in [*POSITIONS[1::9], *mates]:
        for limit in (777, 20_000):
            assert found(fen, count, limit, driver=driver) == found(fen, count, limit, "python", driver)


# More threads than processors


def crowd(count: int, seconds: float | None) -> list[int]:
    """Nodes of so many helpers on three processors after a while; None: stopped before they begin."""
    flag = StopFlag()
    helpers, table = Helpers(flag), TranspositionTable(1)
    workers = [Worker(table, flag) for _ in range(count)]
    for worker in workers:
        helpers.add(worker)
    for _ in range(2):
        for worker in workers:
            worker.set_position(Board(POSITIONS[1]))
        if seconds is None:
            flag.set()
        helpers.start(count, DRIVERS[0], 3)
        time.sleep(seconds or 0)
        flag.set()
        helpers.finish()
        helpers.settle()
        flag.clear()
    return [worker.nodes for worker in workers]


def test_all_get_their_turn() -> None:
    assert min(crowd(6, 1.0)) > 500


def test_no_turn_before_there_is_a_processor() -> None:
    """One is the main thread's; and after a stop nobody need begin."""
    assert sum(map(bool, crowd(40, None))) <= 2


def test_helpers_can_be_dropped_at_any_time() -> None:
    for count in (1, 5, 60):
        flag = StopFlag()
        helpers = Helpers(flag)
        for _ in range(count):
            worker = Worker(TranspositionTable(1), flag)
            worker.set_position(Board())
            assert helpers.add(worker)
        helpers.start(count, DRIVERS[0], 2)
        del helpers, worker  # while they search
