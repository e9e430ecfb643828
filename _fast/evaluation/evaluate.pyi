from typing import Self, final

from sssnake._fast.board.board import Board
from sssnake._fast.evaluation.nnue import Network, Recording
from sssnake._fast.evaluation.pst import Weights

@final
class Evaluator:
    network: Network | None
    weights: Weights
    def __new__(
        cls,
        network: Network | None = None,
        recording: Recording | None = None,
        weights: Weights | None = None,
    ) -> Self: ...
    def evaluate(self, board: Board) -> int: ...
    def trace(self, board: Board) -> tuple[list[tuple[int, int]], int, int] | None: ...
