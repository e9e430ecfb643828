"""Passes as messages to the page, of a search of the test's own: brackets, nodes, bounds of root moves."""

from types import SimpleNamespace
from typing import Any

import chess

from sssnake._fast.board.board import Board
from sssnake._fast.search.worker import RootEntry
from sssnake._fast.values import INFINITE
from sssnake.engine.player.drivers import Pass
from sssnake.engine.serve.watch import Passes

E4, D4 = (Board().parse(name) for name in ("e2e4", "d2d4"))


class Worker:
    """The main worker: its nodes, and the bounds of two root moves."""

    nodes = 0
    root_count = 2

    def __init__(self) -> None:
        self.bounds = {E4: (-INFINITE, INFINITE), D4: (-INFINITE, INFINITE)}

    def root(self, index: int) -> RootEntry:
        move = (E4, D4)[index]
        return RootEntry(move, *self.bounds[move], 0, [move])


def reader() -> tuple[Passes, Worker]:
    worker = Worker()
    engine: Any = SimpleNamespace(pool=SimpleNamespace(main=worker))
    return Passes(engine, chess.Board()), worker


def a_pass(depth: int = 1, value: int = 5, nodes: int = 1) -> Pass:
    return Pass(depth, 0, 3, -1, 0, value, nodes, value, None, crossed=False)


def test_a_message_says_what_the_pass_has_proved() -> None:
    passes, worker = reader()
    worker.nodes = 1234
    told = passes.message(a_pass(4, 7, 50))
    assert (told["depth"], told["pass"], told["gamma"], told["nodes"]) == (4, 3, 0, 50)
    assert (told["value"], told["kind"], told["lower"], told["upper"]) == (7, "lower", 7, None)
    assert passes.nodes == 1234, "of the search so far"


def test_a_pass_that_earlier_bounds_answered_has_no_value() -> None:
    told = reader()[0].message(a_pass(nodes=0))
    assert (told["value"], told["kind"], told["nodes"]) == (None, "not searched", 0)


def test_bounds_of_root_moves_are_told_when_they_change() -> None:
    passes, worker = reader()

    def told(depth: int) -> object:
        return passes.message(a_pass(depth))["roots"]

    assert told(1) == [("e2e4", None, None), ("d2d4", None, None)] and told(1) == []
    worker.bounds[D4] = (5, INFINITE)
    assert told(1) == [("d2d4", 5, None)]
    worker.bounds[E4] = (-INFINITE, 4)
    assert told(1) == [("e2e4", None, 4)]
    assert told(2) == [("e2e4", None, 4), ("d2d4", 5, None)], "of a new iteration all"
