"""Threads that share one bracket: gammas, root moves that all know of, the value found, limits obeyed."""

import re
import threading
import time
from itertools import pairwise
from types import SimpleNamespace

import chess
import pytest
from simulated_threads import Ballot, Simulated, elected
from support.parameters import PARAMETERS

from _fast.board.board import Board
from _fast.drivers.sharing import SharedRoots
from _fast.lab.turnstile import Turnstile
from _fast.search import root
from _fast.search.params import Parameters
from _fast.search.tt import TranspositionTable
from _fast.search.worker import StopFlag, Worker
from _fast.values import INFINITE, MATE
from engine.player.bench import POSITIONS
from engine.player.drivers import SWING, TOP, DriverParameters
from engine.player.engine import Engine
from engine.player.limits import Limits
from engine.player.result import Info
from engine.player.team import AHEAD, ALONE, PASSES, SharedIteration, Team

MATES = [
    "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
    "8/8/8/8/8/2k5/7q/K7 w - - 0 1",
    "7k/8/8/8/8/8/R7/1R5K w - - 0 1",
]


def team_engine(threads: int = 3, driver: str = "SSS*", multipv: int = 1) -> Engine:
    parameters = {"driver_team": 1}
    return Engine(hash_mb=4, threads=threads, parameters=parameters, driver=driver, multipv=multipv)


# Choosing gammas


def shared(lower: int = -INFINITE, upper: int = INFINITE, asked: tuple[int, ...] = ()) -> SharedIteration:
    worker = Worker(TranspositionTable(1), StopFlag(), PARAMETERS)
    worker.set_position(Board())
    worker.new_iteration(9)
    it = SharedIteration(worker, 9, 20, 1000.0, DriverParameters.of(PARAMETERS))
    it.roots.begin(worker)
    it.second = None
    if lower > -INFINITE:
        it.narrow(lower, lower, 1)
    if upper < INFINITE:
        it.narrow(upper + 1, upper, 1)
    it.asked = dict(enumerate(asked))
    return it


def test_every_iteration_begins_at_the_top_in_one_thread() -> None:
    assert shared().choose(4) == TOP
    assert shared(asked=(TOP,)).choose(4) is None


def test_two_threads_ask_around_the_last_value() -> None:
    it = shared(upper=400)
    it.set_out()
    above = it.choose(2)
    assert above == 20 + PARAMETERS["driver_margin"]
    it.asked[0] = above
    below = it.choose(2)
    assert below is not None and below < 20


@pytest.mark.parametrize(("threads", "parts"), [(1, 2), (2, 3), (4, 5)])
def test_a_known_bracket_is_divided_among_the_threads(threads: int, parts: int) -> None:
    it = shared(0, 60)
    it.size = 1000  # no steps
    asked: list[int] = []
    for number in range(threads):
        gamma = it.choose(threads)
        assert gamma is not None and 0 < gamma <= 60 and gamma not in asked
        asked.append(gamma)
        it.asked[number] = gamma
    points = [0, *sorted(asked), 61]
    gaps = [high - low for low, high in pairwise(points)]
    assert max(gaps) <= 2 * 61 / parts and min(gaps) >= 0.4 * 61 / parts


@pytest.mark.parametrize(
    "it",
    [
        shared(),
        shared(0),
        shared(upper=50),
        shared(0, 50),
        shared(0, 9),
        shared(0, 1),
        shared(TOP + 5, TOP + 9),
    ],
)
def test_no_gamma_is_asked_for_twice_or_outside_of_the_bracket(it: SharedIteration) -> None:
    it.size = 5
    for number in range(12):
        gamma = it.choose(12)
        if gamma is None:
            return
        assert it.lower < gamma <= it.upper and gamma not in it.asked.values()
        it.asked[number] = gamma


def test_a_bracket_that_never_closes_ends() -> None:
    it = shared(0, 400)
    while not it.closed():
        it.narrow(0, 0, 1)
    assert len(it.passes) == PASSES


# Root moves


def test_what_one_thread_proves_all_know() -> None:
    table, flag = TranspositionTable(1), StopFlag()
    one, other = (Worker(table, flag) for _ in range(2))
    board = Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    for worker in (one, other):
        worker.set_position(board)
        worker.new_iteration(3)
    roots = SharedRoots()
    roots.begin(one)
    roots.lend(other, 3)
    other.new_iteration(3)
    assert root.mt(other, 20_000, 3) == MATE - 1
    roots.merge(other, True)
    roots.lead_with_best()
    move, effort = roots.leader()
    assert board.uci(move) == "d1d8" and 0 < effort <= 1 and roots.best() == 0
    roots.lend(one, 3, nodes=True)
    assert one.root(0)[:2] == (move, MATE - 1)
    assert sum(one.root(index)[3] for index in range(one.root_count)) == other.nodes
    assert not roots.unrivalled()  # nobody has looked at the others
    root.mt(one, MATE - 1, 3)
    assert one.root(0)[4] == [move]


def test_moves_of_another_position_are_not_lent() -> None:
    one, other = (Worker(TranspositionTable(1), StopFlag()) for _ in range(2))
    one.set_position(Board(POSITIONS[1]))
    other.set_position(Board(POSITIONS[2]))
    roots = SharedRoots()
    roots.begin(one)
    for worker in (other, Worker(TranspositionTable(1), StopFlag())):
        with pytest.raises(ValueError, match="another position"):
            roots.lend(worker, 3)


def test_a_newer_bound_counts() -> None:
    worker = Worker(TranspositionTable(1), StopFlag())
    board = Board(POSITIONS[1])
    worker.set_position(board, [board.parse("e2a6")])
    worker.new_iteration(1)
    roots = SharedRoots()
    roots.begin(worker)
    low = root.mt(worker, 2000, 1)
    roots.merge(worker, False)
    roots.lend(worker, 1)
    assert worker.root(0)[1:3] == (-INFINITE, low)
    worker.new_iteration(1)
    assert root.mt(worker, -2000, 1) >= -2000
    roots.merge(worker, True)
    roots.lend(worker, 1)
    assert worker.root(0)[1] >= -2000 and worker.root(0)[1] <= worker.root(0)[2]


def test_a_bound_that_comes_too_late_does_not_open_a_closed_bracket(monkeypatch: pytest.MonkeyPatch) -> None:
    workers = [Worker(TranspositionTable(1), StopFlag()) for _ in range(2)]
    for worker in workers:
        worker.set_position(Board(POSITIONS[1]))
        worker.new_iteration(5)
    team = Team(workers, DriverParameters.of(Parameters()), 5, ahead=False)
    it = team.iteration(5, 0, SWING)

    def late(worker: Worker, gamma: int, depth: int) -> int:
        it.lower = it.upper = 10  # meanwhile other threads have closed it
        team.over = True
        return -50

    monkeypatch.setattr("engine.player.team.root", SimpleNamespace(mt=late))
    team._front = it
    team._serve(1)
    assert (it.lower, it.upper, it.crossings) == (10, 10, 0) and it.closed()


# Searches


@pytest.mark.parametrize("threads", [2, AHEAD, 9])
@pytest.mark.parametrize("way", ["team", "narrow"])
def test_a_team_finds_the_value(threads: int, way: str) -> None:
    """Without pruning and tolerance: that of a full alpha-beta search, at every depth."""
    parameters = Parameters(driver_tolerance_max=0, driver_tolerance=0, driver_best=0)
    for number in (2, 3, 35, 48):
        board = Board(POSITIONS[number])
        values = []
        for name, count in ((way, threads), ("full", 1)):
            player = Simulated(name, count, 0, 512, parameters, exact=True)
            assert len(player.search(board, ALONE + 1)) == ALONE + 1
            values.append(player.values)
        assert values[0] == values[1]


@pytest.mark.parametrize("threads", [2, AHEAD, 9])
def test_a_team_finds_the_shortest_mate(threads: int) -> None:
    for fen, mate in zip(MATES, (MATE - 1, 2 - MATE, MATE - 3), strict=True):
        player = Simulated("team", threads, 0, 512, Parameters())
        player.search(Board(fen), 10)
        assert player.value == mate


def test_a_simulated_search_is_the_same_every_time() -> None:
    def search(way: str) -> tuple[list[int], int, int, list[int]]:
        player = Simulated(way, 3, 0, 512, Parameters())
        done = player.search(Board(POSITIONS[10]), 9)
        return done, player.best, player.value, [worker.nodes for worker in player.workers]

    for way in ("team", "lazy"):
        first = search(way)
        assert first == search(way)
        assert min(first[3]) > 0


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


def test_every_pass_of_the_team_is_told_in_the_thread_of_the_search() -> None:
    told: list[str] = []
    names: set[str] = set()
    engine = team_engine()

    def on_pass(text: str) -> None:
        told.append(text)
        names.add(threading.current_thread().name)

    result = engine.play(Board(POSITIONS[11]), Limits(depth=12), on_pass=on_pass)
    assert len(told) == result.passes and names == {threading.current_thread().name}
    depths: dict[int, list[tuple[int, str]]] = {}
    for text in told:
        found = re.match(r"depth (\d+) pass (\d+) gamma (-?\d+) ", text)
        assert found
        depths.setdefault(int(found[1]), []).append((int(found[2]), found[3]))
    assert list(depths) == list(range(1, 13))
    for passes in depths.values():
        assert [number for number, _ in passes] == list(range(1, len(passes) + 1))
        assert passes[0][1] == str(TOP)
    assert result.first_searched == result.iterations == 12


@pytest.mark.clock
@pytest.mark.parametrize("threads", [2, 5, 40])
def test_a_team_obeys_its_limits(threads: int) -> None:
    engine = team_engine(threads)
    engine.prepare()
    for fen in (chess.STARTING_FEN, *MATES, POSITIONS[20]):
        for limits in (Limits(depth=7), Limits(nodes=5000), Limits(movetime=60)):
            start = time.monotonic()
            result = engine.play(Board(fen), limits)
            assert result.move is not None
            engine.settle()
            if limits.movetime:
                assert time.monotonic() - start < 0.6
            if limits.depth and not any(fen == mate for mate in MATES):
                assert result.iterations == 7
            if limits.nodes:
                assert result.nodes < 5000 + threads * 1100


@pytest.mark.clock
def test_a_team_stops_at_once_and_plays_on() -> None:
    engine = team_engine(4)
    for _ in range(5):
        search = engine.start(Board(POSITIONS[9]), Limits(infinite=True))
        time.sleep(0.05)
        start = time.monotonic()
        search.stop()
        assert search.wait(5).move is not None
        engine.settle()
        assert time.monotonic() - start < 0.5
    engine.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "team"]


@pytest.mark.parametrize("driver", ["SSS*", "PVS", "MTD(f)"])
def test_several_lines_and_other_drivers(driver: str) -> None:
    """MultiPV has a bracket a line; other drivers do as without a team."""
    reports: list[Info] = []
    engine = team_engine(2, multipv=3, driver=driver)
    result = engine.play(Board(POSITIONS[11]), Limits(depth=8), reports.append)
    assert [line.multipv for line in result.lines] == [1, 2, 3]
    assert len({line.names[0] for line in result.lines}) == 3
    scores = [line.score for line in result.lines]
    assert scores == sorted(scores, reverse=True)


def test_shallow_iterations_have_no_team() -> None:
    engine = team_engine(2)
    engine.play(Board(), Limits(depth=ALONE - 1))
    assert engine.pool is not None and engine.pool.workers[1].nodes == 0


def test_threads_vote_for_a_move() -> None:
    deep, other, hopeful = Ballot(1, 10, 9), Ballot(2, 0, 8), Ballot(2, 5, 8)
    assert elected([deep]) == deep
    assert elected([deep, other]) == deep
    assert elected([deep, other, hopeful]).move == 2, "two of three, if not much worse"
    assert elected([deep._replace(value=100), other, hopeful]).move == 1
