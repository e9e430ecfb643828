"""Deepening in the core finds what deepening that somebody watches finds, to the last node."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import chess
import pytest
from support.playouts import playout

from sssnake._fast.board.board import Board
from sssnake._fast.drivers.deepening import deepen_unwatched
from sssnake._fast.values import MATE_RANGE
from sssnake.engine.player import deepening
from sssnake.engine.player.bench import POSITIONS
from sssnake.engine.player.engine import Engine, Limits, OptionValues, Result
from sssnake.engine.player.options import DRIVERS, Options

MATES = (
    "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
    "5rk1/6pp/8/8/8/8/8/K6q w - - 0 1",
    "8/8/8/8/4k3/8/1Q6/K7 w - - 0 1",
)


def watch(*_: object) -> None:
    """Being told of passes makes a search stop at each."""


def without_times(result: Result) -> Result:
    return replace(result, lines=[replace(line, nps=0, time_ms=0) for line in result.lines])


def both(engines: tuple[Engine, Engine], board: chess.Board, limits: Limits) -> Result:
    """The same search by an engine that is watched and by one that is not."""
    watched = without_times(engines[0].play(board, limits, on_pass=watch))
    alone = without_times(engines[1].play(board, limits))
    assert watched == alone, (board.root().fen(), board.move_stack, limits)
    return alone


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A note of each search that the core makes alone."""
    calls: list[object] = []

    def noted(*arguments: Any) -> object:
        calls.append(arguments)
        return deepen_unwatched(*arguments)

    monkeypatch.setattr(deepening, "deepen_unwatched", noted)
    return calls


def games(seeds: range, plies: int) -> list[chess.Board]:
    """Random games, some of Chess960, with null moves and repetitions; each at several points."""
    found = []
    for seed in seeds:
        played = [board.copy() for board, _ in playout(seed, plies, null_moves=True)]
        found += [board for board in played[seed % 9 :: 9] if board.legal_moves]
    return found


@pytest.mark.parametrize("driver", DRIVERS)
def test_searches_that_nobody_watches(driver: str, counted: list[object]) -> None:
    rng = random.Random(driver)
    engines = Engine(hash_mb=1, driver=driver), Engine(hash_mb=1, driver=driver)
    boards = games(range(6), 120) + [chess.Board(fen) for fen in (*POSITIONS[::7], *MATES)]
    mates = stopped = 0
    for board in boards:
        depth, nodes = rng.choice([1, 2, 5]), int(10 ** rng.uniform(0, 3.3))
        for limits in (Limits(nodes=nodes), Limits(depth=depth), Limits(nodes=nodes, depth=depth)):
            result = both(engines, board, limits)
            mates += abs(result.score) >= MATE_RANGE
            stopped += result.iterations < depth
    assert len(counted) == 3 * len(boards)
    assert mates > 4 and stopped > 10


def test_a_search_of_some_moves(counted: list[object]) -> None:
    engines = Engine(hash_mb=1), Engine(hash_mb=1)
    for board in games(range(20, 24), 60):
        names = [board.uci(move) for move in board.legal_moves]
        result = both(engines, board, Limits(depth=4, searchmoves=names[::3]))
        assert str(result.move) in names[::3]
    assert counted


def test_a_game_played_to_its_end() -> None:
    """From a table that knows the position: by repetition, by the 50-move rule, by mate."""
    engines = Engine(hash_mb=1), Engine(hash_mb=1)
    for fen in (*MATES, "4k3/8/8/8/8/8/3R4/3K4 w - - 80 100", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"):
        board = chess.Board(fen)
        for _ in range(60):
            move = both(engines, board, Limits(nodes=400)).move
            if move is None:
                break
            board.push(move)
        assert board.is_game_over(claim_draw=True)


@pytest.mark.parametrize(
    ("options", "limits"),
    [
        ({"multipv": 2}, Limits(depth=3)),
        ({"threads": 2}, Limits(depth=3)),
        ({"skill_level": 5}, Limits(depth=3)),
        ({}, Limits(movetime=5)),
        ({}, Limits(wtime=200)),
        ({}, Limits(depth=3, mate=1)),
    ],
)
def test_what_the_core_does_not_do_alone(
    options: OptionValues, limits: Limits, counted: list[object]
) -> None:
    assert Engine(Options(hash_mb=1), **options).play(chess.Board(), limits).move
    assert not counted


def test_one_is_stopped_from_outside() -> None:
    engine = Engine(hash_mb=1)
    search = engine.start(chess.Board(), Limits(infinite=True))
    search.stop()
    assert search.wait().move in list(chess.Board().legal_moves)


def refuse(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()


def test_what_is_refused() -> None:
    worker = Engine(hash_mb=1).prepare().main
    refuse(lambda: deepen_unwatched(worker, "SSS*", 3, 0), "no position")
    worker.set_position(Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"))
    refuse(lambda: deepen_unwatched(worker, "SSS*", 3, 0), "no move")
    worker.set_position(Board())
    refuse(lambda: deepen_unwatched(worker, "SSS", 3, 0), "no driver 'SSS'")
    for depth in (-1, 129):
        refuse(lambda: deepen_unwatched(worker, "SSS*", depth, 0), "depth")  # noqa: B023  # of this turn
    assert deepen_unwatched(worker, "SSS*", 0, 0)[:4] == (False, 0, [], 0)
