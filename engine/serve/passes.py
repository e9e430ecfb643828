"""What a pass of a driver has done, in numbers: gamma, value, nodes, bracket, bounds of root moves."""

import re

import chess

from sssnake._fast.board.board import Board
from sssnake._fast.values import INFINITE
from sssnake.engine.player.engine import Engine

REPORT = re.compile(  # docs/sss/how-it-plays.md#watch-it
    r"depth (\d+)(?: line \d+)? pass (\d+) gamma (-?\d+) -> (?:(-?\d+) (lower|upper|exact)|not searched)"
)


class Passes:
    """Reads the reports of one search, in its thread. Values are those of the player to move."""

    def __init__(self, engine: Engine, board: chess.Board):
        self._engine = engine
        self._board = Board.from_chess(board)
        self._new_iteration(0)
        self.nodes = 0

    def _new_iteration(self, depth: int) -> None:
        self.depth = depth
        self.lower: int | None = None
        self.upper: int | None = None
        self._roots: dict[str, tuple[int | None, int | None]] = {}

    def read(self, report: str) -> dict[str, object]:
        """A report as a message. roots: [move, lower, upper] of the moves whose bounds have changed."""
        found = REPORT.match(report)
        assert found and self._engine.pool, report
        depth, number, gamma = (int(found[group]) for group in (1, 2, 3))
        value = None if found[4] is None else int(found[4])
        if depth != self.depth:
            self._new_iteration(depth)
        if value is not None:
            self._narrow(value, found[5])
        before, self.nodes = self.nodes, self._engine.pool.main.nodes
        return {
            "depth": depth,
            "pass": number,
            "gamma": gamma,
            "value": value,
            "kind": found[5] or "not searched",
            "nodes": self.nodes - before,
            "lower": self.lower,
            "upper": self.upper,
            "roots": self._changed_roots(),
        }

    def _narrow(self, value: int, kind: str) -> None:
        """Take a proved bound; where it contradicts the older one, that is forgotten."""
        if kind != "lower" and (self.upper is None or value < self.upper):
            self.upper = value
        if kind != "upper" and (self.lower is None or value > self.lower):
            self.lower = value
        if self.lower is not None and self.upper is not None and self.lower > self.upper:
            self.lower, self.upper = (None, value) if kind == "upper" else (value, None)

    def _changed_roots(self) -> list[tuple[str, int | None, int | None]]:
        worker = self._engine.pool and self._engine.pool.main
        changed = []
        for index in range(worker.root_count if worker else 0):
            assert worker
            move, lower, upper, *_ = worker.root(index)
            name = self._board.uci(move)
            bounds = (lower if lower > -INFINITE else None, upper if upper < INFINITE else None)
            if self._roots.get(name) != bounds:
                self._roots[name] = bounds
                changed.append((name, *bounds))
        return changed
