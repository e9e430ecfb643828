"""What GSEARCH keeps of all children of a node, brought up to date in log n steps where one of them changes.

A tournament over the children: every pair of neighbours, and of neighbouring pairs, ... has one summary, and
the summary of the whole family stands at the top. So a family of n children costs n log n altogether, where
looking at all brothers each time would cost n * n.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engine.lab.trees.trees import INF

NOTHING_OPEN = -2 * INF


@dataclass(frozen=True, slots=True)
class Summary:
    """Some neighbouring children: bounds, and what they mean to OPEN nodes.

    lower, upper    the bounds of the best of them, for the player who chooses among them
    worth           of the best OPEN node below them, as far as they and their ancestors know
    limit           the least of their terms: no OPEN node to the right of them is worth more
    """

    lower: int
    upper: int
    worth: int
    limit: int


class Family:
    """The children of a node, as summaries; `maximizing`: whether the node is a MAX node."""

    def __init__(self, maximizing: bool, children: Sequence[Summary]) -> None:
        self.best = max if maximizing else min
        self.places = 1 << (len(children) - 1).bit_length()  # a power of two
        nobody = -INF if maximizing else INF
        empty = Summary(nobody, nobody, NOTHING_OPEN, INF)
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
            max(left.worth, min(left.limit, right.worth)),
            min(left.limit, right.limit),
        )

    def change(self, index: int, child: Summary) -> None:
        """Take over what is new of a child."""
        i = self.places + index
        self.summaries[i] = child
        while i > 1:
            i //= 2
            self.summaries[i] = self._together(i)

    def leftmost(self, worth: int) -> int:
        """Return the leftmost child, by index, below which an OPEN node is worth that much; there is one."""
        i = 1
        while i < self.places:
            i *= 2
            if self.summaries[i].worth < worth:
                i += 1  # not on the left, hence on the right, and no term on the left forbids it
        return i - self.places
