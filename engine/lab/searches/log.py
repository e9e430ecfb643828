"""Results and costs of a search, counted in the same way by every algorithm of the laboratory."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Generic

from sssnake.engine.lab.trees.trees import GameTree, Node


@dataclass
class Result:
    """The result of a search and its cost.

    value       the minimax value of the root
    leaves      keys of the leaves, in the order of first evaluation
    evaluations static evaluations, repeats included
    nodes       visits of nodes, repeats included
    passes      the value returned by each pass (searches that make passes)
    open_max    the greatest length of OPEN (searches that keep one)
    line        the keys along the principal variation (searches that keep it)
    """

    value: int
    leaves: list[Hashable]
    evaluations: int
    nodes: int
    passes: list[int] = field(default_factory=list)
    open_max: int = 0
    line: list[Hashable] = field(default_factory=list)


class Log(Generic[Node]):
    """Counts a search's visits and records the leaves it evaluated."""

    def __init__(self, tree: GameTree[Node]) -> None:
        self.tree = tree
        self.leaves: dict[Hashable, None] = {}
        self.evaluations = 0
        self.nodes = 0

    def evaluate(self, node: Node) -> int:
        """Return the static value of a leaf, and record the evaluation."""
        self.evaluations += 1
        self.leaves[self.tree.key(node)] = None
        return self.tree.value(node)

    def result(self, value: int) -> Result:
        """Close the log."""
        return Result(value, list(self.leaves), self.evaluations, self.nodes)
