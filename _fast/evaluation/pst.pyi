from typing import Self, final

GROUPS: tuple[tuple[str, int], ...]

def group_sizes() -> dict[str, tuple[int, int]]: ...

@final
class Weights:
    def __new__(cls, groups: dict[str, list[tuple[int, int]]]) -> Self: ...
