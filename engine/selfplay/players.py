"""Players inside this process: by a search with limits, or by a plain search to a small fixed depth.

Each player has an engine of its own, with its own parameters, network and transposition table.
"""

from dataclasses import dataclass, field
from typing import Protocol

from sssnake._fast.board.board import Board
from sssnake._fast.drivers.shallow import ShallowSearch
from sssnake._fast.evaluation.pst import Weights
from sssnake._fast.search.params import Parameters
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import INTERNAL, Options

HASH_MB = 8


@dataclass(frozen=True)
class Side:
    """A setting of the engine: driver, network, and the parameters that differ from the defaults."""

    values: dict[str, int] = field(default_factory=dict)
    driver: str = "SSS*"
    network: str = INTERNAL


class Player(Protocol):
    """Chooses the moves of one side or of both."""

    def new_game(self) -> None:
        """Forget the game before."""

    def move(self, board: Board) -> tuple[str, int]:
        """(move, White's score in centipawns) of a position that has a legal move."""


class SearchPlayer:
    """Searches as in a game. It counts its `nodes`, `passes` and `iterations`."""

    def __init__(
        self, side: Side, limits: Limits, hash_mb: int = HASH_MB, weights: Weights | None = None
    ) -> None:
        options = Options(hash_mb=hash_mb, driver=side.driver, eval_file=side.network)
        self.engine = Engine(options, parameters=Parameters(**side.values))
        self.limits = limits
        self.nodes = self.passes = self.iterations = 0
        if weights is not None:
            self.engine.prepare().set_network(None, weights)

    def new_game(self) -> None:
        """Forget the game before."""
        self.engine.new_game()

    def move(self, board: Board) -> tuple[str, int]:
        """(move, White's score)."""
        result = self.engine.play(board, self.limits)
        if result.move is None:
            raise RuntimeError(f"no move in {board.fen()}")
        self.nodes += result.nodes
        self.passes += result.passes
        self.iterations += result.iterations
        return result.move.uci(), result.score.value if board.turn else -result.score.value


class ShallowPlayer:
    """Searches to a small fixed depth, each from what the one before has found out: see `ShallowSearch`."""

    def __init__(self, side: Side, depth: int, hash_mb: int = HASH_MB) -> None:
        options = Options(hash_mb=hash_mb, eval_file=side.network)
        self.engine = Engine(options, parameters=Parameters(**side.values))
        self.pool = self.engine.prepare()
        self.driver = side.driver
        self.shallow = ShallowSearch(self.pool.main, depth, self.driver)

    def new_game(self) -> None:
        """Forget the game before."""
        self.engine.new_game()
        self.shallow.new_game()

    def move(self, board: Board) -> tuple[str, int]:
        """(move, White's score)."""
        self.pool.start(board, None, self.driver)
        move, value = self.shallow.search()
        return board.uci(move), value if board.turn else -value
