"""B* and H*: searches of trees whose nodes have an optimistic and a pessimistic bound.

In Ibaraki's informed model a node has bounds lower <= f <= upper as soon as it is generated; exploring a leaf
gives f. Both searches explore the tip that the optimistic bounds lead to: MAX follows the largest upper
bound, MIN the smallest lower bound. H* does so from the root until the root's bounds meet. B* looks for the
best move only: it may also explore below the second best move, and stops when the best move's lower bound is
not less than any other upper bound.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Generic

from sssnake.engine.lab.searches.log import Log, Result
from sssnake.engine.lab.trees.bounded import InformedTree
from sssnake.engine.lab.trees.trees import Node


class Spot(Generic[Node]):
    """A generated node, and its bounds so far."""

    __slots__ = ("children", "lower", "maximizing", "node", "parent", "ply", "upper")

    def __init__(self, node: Node, parent: "Spot[Node] | None", bounds: tuple[int, int]) -> None:
        self.node = node
        self.parent = parent
        self.lower, self.upper = bounds
        self.children: list[Spot[Node]] = []
        self.ply: int = 0 if parent is None else parent.ply + 1
        self.maximizing = self.ply % 2 == 0

    @property
    def solved(self) -> bool:
        """Whether the value is known."""
        return self.lower >= self.upper

    def hope(self) -> "Spot[Node]":
        """Return the child of the best optimistic bound for the side to move, the leftmost of equal ones."""
        if self.maximizing:
            return max(self.children, key=lambda child: child.upper)
        return min(self.children, key=lambda child: child.lower)

    def tip(self) -> "Spot[Node]":
        """Follow the optimistic bounds to a tip. If this node is unsolved, so is the tip."""
        spot = self
        while spot.children:
            spot = spot.hope()
        return spot


class InformedSearch(Generic[Node]):
    """The generated part of an informed tree."""

    def __init__(self, tree: InformedTree[Node]) -> None:
        self.tree = tree
        self.log = Log(tree)
        self.root: Spot[Node] = Spot(tree.root, None, tree.bounds(tree.root))

    def explore(self, spot: Spot[Node]) -> None:
        """Value a leaf or generate a node's children, and back the bounds up."""
        self.log.nodes += 1
        children = self.tree.children(spot.node)
        if not children:
            spot.lower = spot.upper = self.log.evaluate(spot.node)
        spot.children = [Spot(child, spot, self.tree.bounds(child)) for child in children]
        above: Spot[Node] | None = spot if children else spot.parent
        while above is not None and self.narrow(above):
            above = above.parent

    @staticmethod
    def narrow(spot: Spot[Node]) -> bool:
        """Back up the children's bounds where they are narrower than the node's; False if nothing changes."""
        best = max if spot.maximizing else min
        lower = max(spot.lower, best(child.lower for child in spot.children))
        upper = min(spot.upper, best(child.upper for child in spot.children))
        news = (lower, upper) != (spot.lower, spot.upper)
        spot.lower, spot.upper = lower, upper
        return news

    def settle(self, spot: Spot[Node]) -> None:
        """Explore below `spot` until its bounds meet."""
        while not spot.solved:
            self.explore(spot.tip())


def hstar(tree: InformedTree[Node]) -> Result:
    """H* (Ibaraki, Suzuki, Inoue & Hasegawa 1982): follow the optimistic bounds until the root is solved."""
    search = InformedSearch(tree)
    search.settle(search.root)
    return search.log.result(search.root.lower)


@dataclass
class Proof:
    """What B* proves: the number of a best root move, and the explorations that it took."""

    move: int
    explorations: int


def prove_best(search: InformedSearch[Node]) -> Proof:
    """B* (Berliner 1979): explore until one root move is proved best.

    ProveBest explores below the best move, to raise its lower bound; DisproveRest below the second best, to
    lower its upper bound. By Berliner's depth criterion the one with the shallower tip is explored, ProveBest
    if equal.
    """
    root = search.root
    if not root.children:
        search.explore(root)
    while not (proved := list(champions(root))):
        leader = root.hope()
        rival = max((child for child in root.children if child is not leader), key=lambda child: child.upper)
        disprove = not rival.solved and (leader.solved or rival.tip().ply < leader.tip().ply)
        search.explore((rival if disprove else leader).tip())
    return Proof(proved[0], search.log.nodes)


def champions(root: Spot[Node]) -> Iterator[int]:
    """Yield the root moves whose lower bound no other move's upper bound exceeds."""
    for i, child in enumerate(root.children):
        if all(child.lower >= other.upper for other in root.children if other is not child):
            yield i


def bstar(tree: InformedTree[Node]) -> Result:
    """B*, then the value of the move it proved: it is the root's."""
    search = InformedSearch(tree)
    if not tree.children(tree.root):
        search.settle(search.root)
        return search.log.result(search.root.lower)
    proof = prove_best(search)
    best = search.root.children[proof.move]
    search.settle(best)
    return search.log.result(best.lower)
