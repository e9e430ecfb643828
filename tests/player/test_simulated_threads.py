"""Threads simulated on one processor (tests/measure): the same every time, fair turns, votes."""

import threading

from measure.simulated_threads import WAYS, Ballot, Simulated, biased, deepest_of, elected

from sssnake._fast.board.board import Board
from sssnake._fast.lab.turnstile import Turnstile
from sssnake._fast.search import root
from sssnake._fast.search.tt import TranspositionTable
from sssnake._fast.search.worker import StopFlag, Worker
from sssnake.engine.player.bench import POSITIONS


def test_a_simulated_search_is_the_same_every_time() -> None:
    def search(way: str) -> tuple[list[int], int, int, list[int]]:
        player = Simulated(way, 3, 0, 512, bias={"lmr_base_quiet": 256})
        done = player.search(Board(POSITIONS[10]), 9)
        return done, player.best, player.value, [worker.nodes for worker in player.workers]

    for way in WAYS:
        first = search(way)
        assert first == search(way)
        assert min(first[3]) > 0


def test_histories_are_shared_if_that_is_the_way_or_as_the_engine_does() -> None:
    def searched(way: str, threads: int, **values: int) -> list[int]:
        player = Simulated(way, threads, 0, 512, values=values)
        player.search(Board(POSITIONS[10]), 9)
        return [worker.nodes for worker in player.workers]

    for threads in (2, 4):
        own, shared = (searched(way, threads, shared_history=0) for way in ("lazy", "shared"))
        assert own != shared
        assert searched("lazy", threads) == (shared if threads == 4 else own)


def test_turns_are_of_equal_length() -> None:
    flag = StopFlag()
    workers = [Worker(TranspositionTable(1), flag) for _ in range(3)]
    for worker in workers:
        worker.set_position(Board(POSITIONS[1]))
        worker.obey_limits()
    turnstile = Turnstile(workers, 500, last_round=10)

    def run(number: int) -> None:
        turnstile.enter(number)
        workers[number].new_iteration(12)
        root.mt(workers[number], 0, 12)
        turnstile.leave(number)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert turnstile.rounds >= 10
    assert all(4500 <= worker.nodes <= 5600 for worker in workers)


def test_threads_vote_for_a_move() -> None:
    deep, other, hopeful = Ballot(1, 10, 9), Ballot(2, 0, 8), Ballot(2, 5, 8)
    assert elected([deep]) == deep
    assert elected([deep, other]) == deep
    assert elected([deep, other, hopeful]).move == 2, "two of three, if not much worse"
    assert elected([deep._replace(value=100), other, hopeful]).move == 1


def test_a_helper_decides_only_if_it_is_deeper() -> None:
    main, helper, other = Ballot(1, 0, 8), Ballot(2, 50, 8), Ballot(3, 50, 9)
    assert deepest_of({0: main, 1: helper}) == main
    assert deepest_of({1: helper, 0: main}) == main
    assert deepest_of({0: main, 1: other, 2: other._replace(move=4)}) == other


def test_helpers_are_biased_to_either_side() -> None:
    found = [biased({"lmr_depth": 3}, {"lmr_base_quiet": 10}, number) for number in range(5)]
    plain = found[0]["lmr_base_quiet"]
    assert [values["lmr_base_quiet"] - plain for values in found] == [0, 10, -10, 20, -20]
    assert {values["lmr_depth"] for values in found} == {3}
