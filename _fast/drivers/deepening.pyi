from sssnake._fast.drivers.bracket import PassCounts
from sssnake._fast.search.worker import Worker

def deepen_unwatched(
    worker: Worker, driver: str, depth: int, nodes: int
) -> tuple[bool, int, list[int], int, PassCounts]: ...
