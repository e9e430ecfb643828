"""Misuse of the compiled core from Python is an exception, never the end of the interpreter."""

import gc
import threading
from collections.abc import Callable

import pytest
from soak import hostile_calls

from sssnake._fast.board.board import Board
from sssnake._fast.drivers.deepening import deepen_unwatched
from sssnake._fast.drivers.helpers import Helpers
from sssnake._fast.drivers.mates import MateSolver
from sssnake._fast.lab.treelab import TreeLab
from sssnake._fast.lab.turnstile import Turnstile
from sssnake._fast.search import pv, root
from sssnake._fast.search.tt import TranspositionTable
from sssnake._fast.search.worker import StopFlag, Worker
from sssnake._fast.training.harvest import Harvest


def new_worker(flag: StopFlag | None = None) -> Worker:
    return Worker(TranspositionTable(1), flag or StopFlag())


@pytest.mark.parametrize(("seed", "threads"), [(1, 1), (2, 1), (3, 3)])
def test_any_calls(seed: int, threads: int) -> None:
    assert not hostile_calls.run(seed, 20_000, threads)


def test_everything_public_is_called() -> None:
    calls = {(call.owner, call.name) for call in hostile_calls.public()}
    assert {("", "mt"), ("Worker", "set_position"), ("TreeLab", "__new__"), ("Board", "fen")} < calls


def test_a_worker_without_a_position() -> None:
    worker = new_worker()
    for call in (
        lambda: root.mt(worker, 0, 1),
        lambda: root.window(worker, 0, 1, 1),
        lambda: worker.new_iteration(1),
        lambda: pv.finish_line(worker, [796], 31999, 1),
        lambda: pv.extend_line(worker, [], 3),
        lambda: MateSolver().solve(worker, 1, 100),
        lambda: deepen_unwatched(worker, "SSS*", 1, 0),
    ):
        with pytest.raises(ValueError, match="no position"):
            call()
    helpers = Helpers(worker.stop_flag)
    helpers.add(worker)
    with pytest.raises(ValueError, match="no position"):
        helpers.start(1, "SSS*", 2)


def test_a_new_game_needs_a_position() -> None:
    worker = new_worker()
    worker.set_position(Board())
    worker.new_iteration(1)
    root.mt(worker, 0, 1)
    worker.new_game()
    with pytest.raises(ValueError, match="no position"):
        root.mt(worker, 0, 1)


def test_a_board_is_a_position_without_init() -> None:
    assert Board.__new__(Board).fen() == Board().fen()


def test_none() -> None:
    worker = new_worker()
    calls: list[tuple[Callable[..., object], int]] = [  # and the number of their other arguments
        (worker.set_position, 0),
        (worker.use_table, 0),
        (Helpers, 0),
        (root.mt, 2),
        (root.window, 3),
        (pv.extend_line, 2),
        (pv.finish_line, 3),
        (deepen_unwatched, 3),
        (Harvest, 2),
    ]
    for call, others in calls:
        with pytest.raises(TypeError):
            call(None, *[1] * others)


def test_numbers_out_of_range() -> None:
    worker = new_worker()
    worker.set_position(Board())
    for index in (-1, 20, 512, 2**31 - 1):
        for call in (worker.set_multipv, worker.promote, worker.root):
            with pytest.raises(IndexError):
                call(index)
    for depth in (-1, 129, 2**31 - 1):
        with pytest.raises(ValueError, match="depth"):
            root.mt(worker, 0, depth)
    with pytest.raises(ValueError, match="beyond"):
        root.mt(worker, 2**31 - 1, 1)
    with pytest.raises(ValueError, match="one in 0"):
        Harvest(worker, 10, 0)


def test_a_tree_is_for_one_search() -> None:
    lab = TreeLab(2, 4, 1)
    lab.stockman()
    for call in (lab.stockman, lab.alpha_beta, lambda: lab.test(5)):
        with pytest.raises(ValueError, match="been searched"):
            call()
    lab = TreeLab(2, 4, 1)
    assert lab.test(0) >= 0 and lab.test(1000) >= 0
    with pytest.raises(ValueError, match="been searched"):
        lab.stockman()


def test_a_worker_in_two_threads() -> None:
    """Whoever comes while it searches is refused."""
    flag = StopFlag()
    worker = new_worker(flag)
    worker.set_position(Board())
    worker.obey_limits()
    worker.new_iteration(60)
    search = threading.Thread(target=lambda: root.mt(worker, 0, 60))
    search.start()
    try:
        while not worker.nodes:
            pass
        for call in (
            lambda: root.mt(worker, 0, 1),
            lambda: worker.set_position(Board()),
            lambda: worker.use_table(TranspositionTable(1)),
            lambda: worker.use_network(None),
            worker.new_game,
            lambda: Harvest(worker, 10, 1),
        ):
            with pytest.raises(RuntimeError, match="is searching"):
                call()
    finally:
        flag.set()
        search.join()
    worker.set_position(Board())


def test_a_worker_that_helps() -> None:
    flag = StopFlag()
    worker = new_worker(flag)
    helpers = Helpers(flag)
    assert helpers.add(worker)
    with pytest.raises(ValueError, match="has a thread"):
        helpers.add(worker)
    worker.set_position(Board())
    helpers.start(1, "SSS*", 2)
    with pytest.raises(RuntimeError, match="is searching"):
        worker.set_position(Board())
    with pytest.raises(RuntimeError, match="is searching"):
        helpers.keep(0)
    flag.set()
    helpers.finish()
    helpers.settle()
    worker.set_position(Board())
    helpers.keep(0)


def test_a_turnstile_of_no_workers() -> None:
    worker, flag = new_worker(), StopFlag()
    helpers, taken = Helpers(flag), new_worker(flag)
    for wrong in ([None], [worker, 1], ["worker"]):
        with pytest.raises(TypeError, match="no Worker"):
            Turnstile(wrong, 10)  # type: ignore[arg-type]
    for few in ([], [worker, worker], [worker] * 65):
        with pytest.raises(ValueError, match="different workers"):
            Turnstile(few, 10)
    assert helpers.add(taken)
    with pytest.raises(ValueError, match="has a thread"):
        Turnstile([taken], 10)
    helpers.keep(0)


def test_turns_out_of_order() -> None:
    workers = [new_worker(), new_worker()]
    turnstile = Turnstile(workers, 10)
    for number in (-1, 2, 64):
        for call in (turnstile.enter, turnstile.wait, turnstile.leave):
            with pytest.raises(IndexError):
                call(number)
    for call in (turnstile.wait, turnstile.leave):
        with pytest.raises(RuntimeError, match="not inside"):
            call(0)
    turnstile.enter(0)
    with pytest.raises(RuntimeError, match="entered before"):
        turnstile.enter(0)
    turnstile.leave(0)
    with pytest.raises(RuntimeError, match="entered before"):
        turnstile.enter(0)


def test_a_turnstile_lives_as_long_as_its_workers() -> None:
    """A search reads its turns, whoever has forgotten the turnstile."""
    worker = new_worker()
    worker.set_position(Board())
    Turnstile([worker], 10)
    gc.collect()
    noise = [bytearray(10_000) for _ in range(100)]  # takes the memory that was freed
    worker.new_iteration(5)
    root.mt(worker, 0, 5)
    assert worker.nodes > 10 and len(noise) == 100
