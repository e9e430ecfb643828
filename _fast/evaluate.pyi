from typing import Self, final

from _fast.board import Board
from _fast.nnue import Network, Recording

@final
class Evaluator:
    network: Network | None
    def __new__(cls, network: Network | None = None, recording: Recording | None = None) -> Self: ...
    def evaluate(self, board: Board) -> int: ...
    def trace(self, board: Board) -> tuple[list[tuple[int, int]], int, int] | None: ...
