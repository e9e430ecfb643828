from enum import IntEnum
from typing import Self, final

class Bound(IntEnum):
    NONE = 0
    LOWER = 1
    UPPER = 2
    EXACT = 3

@final
class TranspositionTable:
    def __new__(cls, megabytes: int, exact: bool = False, clusters: int = 0) -> Self: ...
    megabytes: int
    exact: bool
    def clear(self) -> None: ...
    def new_search(self) -> None: ...
    def hashfull(self) -> int: ...
    def entries_used(self) -> int: ...
    def get(self, key: int, ply: int = 0) -> dict[str, int] | None: ...
    def put(
        self,
        key: int,
        value: int,
        depth: int,
        bound: int,
        move: int = 0,
        *,
        ply: int = 0,
        pv: bool = False,
    ) -> None: ...
    def flip(self, bit: int) -> None: ...
