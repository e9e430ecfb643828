"""What a pass of a driver has done, as a message to the page: the pass, and the root moves' new bounds."""

import chess

from sssnake._fast.board.board import Board
from sssnake._fast.values import INFINITE
from sssnake.engine.player.drivers import Pass
from sssnake.engine.player.engine import Engine


class Passes:
    """Turns the passes of one search into messages, in its thread. Values are those of the player to move."""

    def __init__(self, engine: Engine, board: chess.Board):
        self._engine = engine
        self._board = Board.from_chess(board)
        self._depth = 0
        self._roots: dict[str, tuple[int | None, int | None]] = {}  # of this iteration, as told last
        self.nodes = 0

    def message(self, done: Pass) -> dict[str, object]:
        """A pass as a message. roots: [move, lower, upper] of the moves whose bounds have changed."""
        if done.depth != self._depth:
            self._depth = done.depth
            self._roots.clear()
        assert self._engine.pool
        self.nodes = self._engine.pool.main.nodes
        return {
            "depth": done.depth,
            "pass": done.number,
            "gamma": done.gamma,
            "value": done.value if done.nodes else None,
            "kind": done.kind,
            "nodes": done.nodes,
            "lower": done.lower,
            "upper": done.upper,
            "roots": self._changed_roots(),
        }

    def _changed_roots(self) -> list[tuple[str, int | None, int | None]]:
        worker = self._engine.pool and self._engine.pool.main
        changed = []
        for index in range(worker.root_count if worker else 0):
            assert worker
            root = worker.root(index)
            name = self._board.uci(root.move)
            lower = root.lower if root.lower > -INFINITE else None
            bounds = (lower, root.upper if root.upper < INFINITE else None)
            if self._roots.get(name) != bounds:
                self._roots[name] = bounds
                changed.append((name, *bounds))
        return changed
