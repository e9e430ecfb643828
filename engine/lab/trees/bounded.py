"""Trees with lower and upper bounds of the value of every node (Ibaraki's informed model)."""

from collections.abc import Sequence
from typing import Protocol

from sssnake.engine.lab.trees.trees import GameTree, NestedTree, Node, TreeError, mix


class InformedTree(GameTree[Node], Protocol[Node]):
    """A game tree whose nodes have bounds."""

    def bounds(self, node: Node) -> tuple[int, int]:
        """Return lower <= minimax value <= upper."""


class BoundedTree(NestedTree):
    """An explicit tree with a pair of bounds for every node, in preorder."""

    def __init__(self, nested: object, bounds: Sequence[Sequence[int]]) -> None:
        """Check that the bounds hold; TreeError if not."""
        super().__init__(nested)  # type: ignore[arg-type]
        if len(bounds) != len(self):
            raise TreeError(f"{len(bounds)} pairs of bounds for {len(self)} nodes")
        self.pairs = [(pair[0], pair[1]) for pair in bounds]
        for value, (lower, upper) in zip(self.minimax_values(), self.pairs, strict=True):
            if not lower <= value <= upper:
                raise TreeError(f"the bounds {lower} and {upper} do not hold: a node's value is {value}")

    @classmethod
    def around(cls, nested: object, seed: int, spread: int) -> "BoundedTree":
        """Give every node bounds at random distances 0..spread from its value."""
        tree = NestedTree(nested)  # type: ignore[arg-type]
        pairs = []
        for node, value in enumerate(tree.minimax_values()):
            draw = mix(mix(seed) ^ node)
            pairs.append((value - draw % (spread + 1), value + (draw >> 32) % (spread + 1)))
        return cls(nested, pairs)

    def bounds(self, node: int) -> tuple[int, int]:
        """Return the node's pair."""
        return self.pairs[node]
