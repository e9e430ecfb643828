from typing import final

from _fast.board import Board

@final
class Evaluator:
    def evaluate(self, board: Board) -> int: ...
    def trace(self, board: Board) -> tuple[list[tuple[int, int]], int, int] | None: ...
