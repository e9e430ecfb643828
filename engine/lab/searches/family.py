"""GSEARCH's summary of the children of a node, updated in log n steps when one of n children changes.

A tournament tree over the children: each pair of neighbours, each pair of neighbouring pairs, ... has a
summary; that of all children is at the top.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sssnake.engine.lab.trees.trees import INF

NOTHING_OPEN = -2 * INF


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of some neighbouring children.

    lower, upper    the bounds of the best of them, for the player to move at their parent
    priority        the greatest of the OPEN nodes below them, by their own terms
    limit           the least of their terms: no OPEN node to the right of them has a higher priority
    """

    lower: int
    upper: int
    priority: int
    limit: int


class Family:
    """The children of a node, as summaries; `maximizing`: whether the node is a MAX node."""

    def __init__(self, maximizing: bool, children: Sequence[Summary]) -> None:
        self.best = max if maximizing else min
        self.places = 1 << (len(children) - 1).bit_length()  # a power of two
        worst = -INF if maximizing else INF
        empty = Summary(worst, worst, NOTHING_OPEN, INF)
        # The summary at i is that of 2 * i and 2 * i + 1; the children stand at `places` and behind it.
        self.summaries = [empty] * self.places + [*children] + [empty] * (self.places - len(children))
        for i in range(self.places - 1, 0, -1):
            self.summaries[i] = self._together(i)

    @property
    def whole(self) -> Summary:
        """The summary of all children."""
        return self.summaries[1]

    def _together(self, i: int) -> Summary:
        left, right = self.summaries[2 * i : 2 * i + 2]
        return Summary(
            self.best(left.lower, right.lower),
            self.best(left.upper, right.upper),
            max(left.priority, min(left.limit, right.priority)),
            min(left.limit, right.limit),
        )

    def change(self, index: int, child: Summary) -> None:
        """Replace the summary of a child."""
        i = self.places + index
        self.summaries[i] = child
        while i > 1:
            i //= 2
            self.summaries[i] = self._together(i)

    def leftmost(self, priority: int) -> int:
        """Return the index of the leftmost child that has an OPEN node of that priority; there is one."""
        i = 1
        while i < self.places:
            i *= 2
            if self.summaries[i].priority < priority:
                i += 1  # not on the left, hence on the right, and no term on the left forbids it
        return i - self.places
