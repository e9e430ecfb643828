"""Reports of passes as numbers, of a search of the test's own: brackets, nodes, bounds of root moves."""

from types import SimpleNamespace
from typing import Any

import chess
import pytest

from sssnake._fast.board.board import Board
from sssnake._fast.values import INFINITE
from sssnake.engine.serve.passes import Passes

E4, D4 = (Board().parse(name) for name in ("e2e4", "d2d4"))


class Worker:
    """The main worker: its nodes, and the bounds of two root moves."""

    nodes = 0
    root_count = 2

    def __init__(self) -> None:
        self.bounds = {E4: (-INFINITE, INFINITE), D4: (-INFINITE, INFINITE)}

    def root(self, index: int) -> tuple[int, int, int, int, list[int]]:
        move = (E4, D4)[index]
        return move, *self.bounds[move], 0, [move]


def reader() -> tuple[Passes, Worker]:
    worker = Worker()
    engine: Any = SimpleNamespace(pool=SimpleNamespace(main=worker))
    return Passes(engine, chess.Board()), worker


@pytest.mark.parametrize(
    ("said", "brackets"),
    [
        (["900 upper", "40 upper", "35 lower"], [(None, 900), (None, 40), (35, 40)]),
        (["900 upper", "950 upper"], [(None, 900), (None, 900)]),  # it proves nothing new
        (["10 lower", "5 lower", "30 lower"], [(10, None), (10, None), (30, None)]),
        (["10 lower", "10 upper"], [(10, None), (10, 10)]),
        (["10 lower", "4 upper"], [(10, None), (None, 4)]),  # a contradiction: the newer one counts
        (["10 upper", "12 lower", "15 upper"], [(None, 10), (12, None), (12, 15)]),
        (["-7 exact"], [(-7, -7)]),
    ],
)
def test_the_bracket_is_what_the_passes_have_proved(
    said: list[str], brackets: list[tuple[int | None, int | None]]
) -> None:
    passes, _ = reader()
    told = [
        passes.read(f"depth 4 pass {number} gamma 20 -> {text} nodes 5")
        for number, text in enumerate(said, 1)
    ]
    assert [(one["lower"], one["upper"]) for one in told] == brackets
    assert [(one["value"], one["kind"]) for one in told] == [
        (int(text.split()[0]), text.split()[1]) for text in said
    ]
    fresh = passes.read("depth 5 line 2 pass 1 gamma -30 -> not searched")
    assert fresh["lower"] is fresh["upper"] is fresh["value"] is None
    assert (fresh["depth"], fresh["pass"], fresh["gamma"], fresh["kind"]) == (5, 1, -30, "not searched")


def test_nodes_are_those_of_each_pass() -> None:
    passes, worker = reader()
    nodes = []
    for worker.nodes in (100, 350, 350):
        nodes.append(passes.read("depth 1 pass 1 gamma 0 -> 5 lower nodes 1")["nodes"])
    assert nodes == [100, 250, 0]


def test_bounds_of_root_moves_are_told_when_they_change() -> None:
    passes, worker = reader()

    def told(depth: int) -> object:
        return passes.read(f"depth {depth} pass 1 gamma 0 -> 5 lower nodes 1")["roots"]

    assert told(1) == [("e2e4", None, None), ("d2d4", None, None)] and told(1) == []
    worker.bounds[D4] = (5, INFINITE)
    assert told(1) == [("d2d4", 5, None)]
    worker.bounds[E4] = (-INFINITE, 4)
    assert told(1) == [("e2e4", None, 4)]
    assert told(2) == [("e2e4", None, 4), ("d2d4", 5, None)], "of a new iteration all"
