"""Transposition tables: the two bounds that a search has proved of a position.

An entry is (lower, upper): lower <= value <= upper; (-INF, INF) is empty. `put` narrows an entry and keeps
the other bound, except in the tables that show the cost of losing it.
"""

from collections.abc import Callable, Hashable
from typing import Protocol

from sssnake.engine.lab.trees.trees import INF

Bounds = tuple[int, int]

UNKNOWN: Bounds = (-INF, INF)


class Table(Protocol):
    """The interface of a transposition table."""

    def get(self, key: Hashable) -> Bounds:
        """Return the bounds stored for `key`; (-INF, INF) if there are none."""

    def put(self, key: Hashable, lower: int, upper: int) -> None:
        """Store bounds just proved; -INF or INF for a bound that was not proved."""


class Memory:
    """An unbounded table: both bounds of every position."""

    def __init__(self) -> None:
        self.bounds: dict[Hashable, Bounds] = {}

    def get(self, key: Hashable) -> Bounds:
        """Return the bounds stored for `key`."""
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

    Always replaces; with `keep`, only if the stored position's `keep` is not larger. `keep` is a function of
    the key, such as the height of the subtree.
    """

    def __init__(self, size: int, keep: Callable[[Hashable], int] | None = None) -> None:
        if size < 1:
            raise ValueError("a table needs at least one slot")
        self.slots: list[tuple[Hashable, Bounds] | None] = [None] * size
        self.keep = keep

    def get(self, key: Hashable) -> Bounds:
        """Return the bounds stored for `key`, if it is still in its slot."""
        slot = self.slots[hash(key) % len(self.slots)]
        return slot[1] if slot is not None and slot[0] == key else UNKNOWN

    def put(self, key: Hashable, lower: int, upper: int) -> None:
        """Narrow the entry of `key`, or replace the one in its slot."""
        index = hash(key) % len(self.slots)
        slot = self.slots[index]
        if slot is not None and slot[0] == key:
            lower, upper = max(slot[1][0], lower), min(slot[1][1], upper)
        elif slot is not None and self.keep is not None and self.keep(key) < self.keep(slot[0]):
            return
        self.slots[index] = key, (lower, upper)
