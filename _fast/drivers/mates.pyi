from typing import Self, final

from sssnake._fast.search.worker import Worker

@final
class MateSolver:
    def __new__(cls) -> Self: ...
    def solve(self, worker: Worker, n: int, budget: int) -> list[int] | None: ...
