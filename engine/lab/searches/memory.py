"""Tables for searches with memory: the two bounds a search has proved of a position.

An entry is (lower, upper): lower <= value <= upper; (-INF, INF) says nothing. `put` narrows an entry, it
never forgets the other bound, except in the tables that exist to show what forgetting costs.
"""

from collections.abc import Callable, Hashable
from typing import Protocol

from engine.lab.trees.trees import INF

Bounds = tuple[int, int]

UNKNOWN: Bounds = (-INF, INF)


class Table(Protocol):
    """What a search asks of its memory."""

    def get(self, key: Hashable) -> Bounds:
        """Return the bounds known of `key`."""

    def put(self, key: Hashable, lower: int, upper: int) -> None:
        """Remember bounds just proved; -INF or INF where nothing was proved."""


class Memory:
    """An unbounded table: both bounds of every position ever proved."""

    def __init__(self) -> None:
        self.bounds: dict[Hashable, Bounds] = {}

    def get(self, key: Hashable) -> Bounds:
        """Return the bounds known of `key`."""
        return self.bounds.get(key, UNKNOWN)

    def put(self, key: Hashable, lower: int, upper: int) -> None:
        """Narrow the entry of `key`."""
        low, high = self.bounds.get(key, UNKNOWN)
        self.bounds[key] = max(low, lower), min(high, upper)


class OneBound(Memory):
    """An unbounded table whose entries hold only the bound proved last, as many engines' tables do."""

    def put(self, key: Hashable, lower: int, upper: int) -> None:
        """Replace the entry of `key`."""
        self.bounds[key] = lower, upper


class Bounded:
    """A table of `size` slots, one position a slot.

    A newcomer always takes an occupied slot, or, with `keep`, only where the tenant's `keep` is smaller: a
    rank such as the height of the subtree, given by a function of the key.
    """

    def __init__(self, size: int, keep: Callable[[Hashable], int] | None = None) -> None:
        if size < 1:
            raise ValueError("a table needs at least one slot")
        self.slots: list[tuple[Hashable, Bounds] | None] = [None] * size
        self.keep = keep

    def get(self, key: Hashable) -> Bounds:
        """Return the bounds known of `key`, if it still has its slot."""
        slot = self.slots[hash(key) % len(self.slots)]
        return slot[1] if slot is not None and slot[0] == key else UNKNOWN

    def put(self, key: Hashable, lower: int, upper: int) -> None:
        """Narrow the entry of `key`, or move it in."""
        index = hash(key) % len(self.slots)
        slot = self.slots[index]
        if slot is not None and slot[0] == key:
            lower, upper = max(slot[1][0], lower), min(slot[1][1], upper)
        elif slot is not None and self.keep is not None and self.keep(key) < self.keep(slot[0]):
            return
        self.slots[index] = key, (lower, upper)
