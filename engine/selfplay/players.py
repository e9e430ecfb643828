"""Players of the engine inside this process: by a search with limits, or by plain searches of a few plies.

Each player has a searcher of its own, with its own parameters, network and memory.
"""

from dataclasses import dataclass, field
from typing import Protocol

from _fast.board.board import Board
from _fast.evaluation.pst import Weights
from _fast.search import root
from _fast.search.params import Parameters
from engine.player.drivers import INFINITE
from engine.player.limits import Limits
from engine.player.options import INTERNAL, Options
from engine.player.searcher import Info, Searcher

HASH_MB = 8


@dataclass(frozen=True)
class Side:
    """A setting of the engine: driver, network, and the parameters that differ from their defaults."""

    values: dict[str, int] = field(default_factory=dict)
    driver: str = "SSS*"
    network: str = INTERNAL


class Player(Protocol):
    """Whoever chooses the moves of one side, or of both."""

    def new_game(self) -> None:
        """Forget the game before."""

    def move(self, board: Board) -> tuple[str, int]:
        """(move, White's score in centipawns) of a position that has a legal move."""


class SearchPlayer:
    """Searches as in a game. Counts what it does: `nodes`, `passes`, `iterations`."""

    def __init__(
        self, side: Side, limits: Limits, hash_mb: int = HASH_MB, weights: Weights | None = None
    ) -> None:
        options = Options(hash_mb=hash_mb, driver=side.driver, eval_file=side.network)
        self.searcher = Searcher(options, Parameters(**side.values))
        self.limits = limits
        self.nodes = self.passes = self.iterations = 0
        self.last: Info | None = None
        if weights is not None:
            self.searcher.prepare().set_network(None, weights)

    def new_game(self) -> None:
        """Forget the game before."""
        self.searcher.new_game()

    def move(self, board: Board) -> tuple[str, int]:
        """(move, White's score)."""
        best = self.searcher.search(board, self.limits, self._note).bestmove
        if best is None or self.last is None:
            raise RuntimeError(f"no move in {board.fen()}")
        self.nodes += self.searcher.prepare().nodes
        self.passes += self.searcher.passes
        self.iterations += self.searcher.iterations
        return best, self.last.score if board.turn else -self.last.score

    def _note(self, info: Info) -> None:
        if not info.bound:
            self.last = info


class ShallowPlayer:
    """Plain iterative deepening to a fixed depth with an open window: quick where few plies are asked for."""

    def __init__(self, side: Side, depth: int, hash_mb: int = HASH_MB) -> None:
        options = Options(hash_mb=hash_mb, eval_file=side.network)
        self.searcher = Searcher(options, Parameters(**side.values))
        self.pool = self.searcher.prepare()
        self.depth = depth

    def new_game(self) -> None:
        """Forget the game before."""
        self.searcher.new_game()

    def move(self, board: Board) -> tuple[str, int]:
        """(move, White's score)."""
        worker, value = self.pool.main, 0
        # Not the worker alone: the pool is to know that its table is used.
        self.pool.start(board, None, "AlphaBeta")
        for depth in range(1, self.depth + 1):
            worker.new_iteration(depth)
            value = root.window(worker, -INFINITE, INFINITE, depth)
            worker.promote(worker.best_root(), 0)
        return board.uci(worker.root(0)[0]), value if board.turn else -value
