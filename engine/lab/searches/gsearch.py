"""GSEARCH (Ibaraki 1986; Katoh & Ibaraki 1987): one procedure, of which alpha-beta and SSS* are selections.

The search tree grows from the root. Every node has bounds computed from below, L_b <= f <= U_b, and bounds
from above: U_t (the least U_b of its MIN ancestors) and L_t (the greatest L_b of its MAX ancestors). A node
is cut iff max(L_t, L_b) >= min(U_t, U_b). A selection rule chooses the next OPEN node. Three rules have the
same form: the priority of an OPEN node is the least of the terms of the left brothers along its path; the
leftmost node of the highest priority is taken.

    alpha-beta   no terms: the leftmost node
    SSS*         at a MIN parent, L_b of every left brother: the priority is the lower beta
    dual SSS*    at a MAX parent, -U_b of every left brother: the priority is minus the upper alpha

Time. An exploration goes down a path and up it, at most once each; at each of its nodes it takes as many
steps as the family's tournament tree has levels: the logarithm of the number of children, rounded up, and one
more. On uniform trees that makes n log n steps for n explorations, since the search explores at least about
the square root of the tree. So much is proved. On other trees there may be more: on [[...[v0, v1], v2]...,
vd], a path with a leaf beside each node, where |v| falls outward and the signs alternate, SSS* changes
priorities along the whole path at every leaf, and n explorations take about n^2 / 4 steps. That changes
usually stop early is measured, not proved: alpha-beta took 8 steps an exploration on that tree, whatever its
depth.
"""

from collections.abc import Callable, Hashable, Iterator
from typing import Generic

from sssnake.engine.lab.searches.family import NOTHING_OPEN, Family, Summary
from sssnake.engine.lab.searches.log import Log, Result
from sssnake.engine.lab.trees.trees import INF, GameTree, Node


class Spot(Generic[Node]):
    """A node of the search tree."""

    __slots__ = (
        *("children", "family", "index", "is_open", "lower", "maximizing", "node", "parent", "ply"),
        *("priority", "upper"),
    )

    def __init__(self, node: Node, parent: "Spot[Node] | None", index: int) -> None:
        self.node = node
        self.parent = parent
        self.index = index
        self.ply: int = 0 if parent is None else parent.ply + 1
        self.maximizing: bool = parent is None or not parent.maximizing
        self.children: list[Spot[Node]] = []
        self.family: Family | None = None  # the children, as soon as there are any
        self.is_open = True
        self.lower = -INF
        self.upper = INF
        self.priority = INF

    def ancestors(self) -> Iterator["Spot[Node]"]:
        """Yield the ancestors, nearest first."""
        spot = self.parent
        while spot is not None:
            yield spot
            spot = spot.parent

    def left_of_path(self, maximizing: bool) -> Iterator["Spot[Node]"]:
        """Yield AMAX-LS (AMIN-LS): children of MAX (MIN) ancestors that stand left of the path."""
        return self._beside(maximizing, left=True)

    def right_of_path(self, maximizing: bool) -> Iterator["Spot[Node]"]:
        """Yield AMAX-RS (AMIN-RS): children of MAX (MIN) ancestors that stand right of the path."""
        return self._beside(maximizing, left=False)

    def _beside(self, maximizing: bool, left: bool) -> Iterator["Spot[Node]"]:
        below = self
        for spot in self.ancestors():
            if spot.maximizing is maximizing:
                yield from spot.children[: below.index] if left else spot.children[below.index + 1 :]
            below = spot


Term = Callable[[bool, "Spot[Node]"], int]


def leftmost(_parent_maximizing: bool, _brother: "Spot[Node]") -> int:
    """Alpha-beta: all OPEN nodes have the same priority."""
    return INF


def largest_lower_beta(parent_maximizing: bool, brother: "Spot[Node]") -> int:
    """SSS*: beta_(P) = min of L_b over AMIN-LS(P), the larger the better."""
    return INF if parent_maximizing else brother.lower


def smallest_upper_alpha(parent_maximizing: bool, brother: "Spot[Node]") -> int:
    """Dual SSS*: alpha^(P) = max of U_b over AMAX-LS(P), the smaller the better."""
    return -brother.upper if parent_maximizing else INF


class GSearch(Generic[Node]):
    """The search tree of GSEARCH, its bounds and its cut condition."""

    def __init__(self, tree: GameTree[Node], term: "Term[Node]" = leftmost) -> None:
        self.tree = tree
        self.term = term
        self.log = Log(tree)
        self.root: Spot[Node] = Spot(tree.root, None, 0)
        self.explored: set[Hashable] = set()
        self.open_count = self.open_max = 1
        # The path to the node selected last, as far as it still leads to the next one, and for each node of
        # it (L_t, U_t). Where an exploration changes nothing above a node, the path to it stays.
        self.path = [self.root]
        self.above = [(-INF, INF)]

    @property
    def solved(self) -> bool:
        """Whether the game is solved."""
        return self.root.lower >= self.root.upper

    def upper_above(self, spot: Spot[Node]) -> int:
        """Return U_t."""
        return min((above.upper for above in spot.ancestors() if not above.maximizing), default=INF)

    def lower_above(self, spot: Spot[Node]) -> int:
        """Return L_t."""
        return max((above.lower for above in spot.ancestors() if above.maximizing), default=-INF)

    def is_cut(self, spot: Spot[Node]) -> bool:
        """Return whether nothing below the node can change the value of the root."""
        return max(self.lower_above(spot), spot.lower) >= min(self.upper_above(spot), spot.upper)

    def select(self) -> Spot[Node] | None:
        """Return the leftmost OPEN node of the highest priority; None when OPEN is empty."""
        target = self.root.priority
        if target == NOTHING_OPEN:
            return None
        spot = self.path[-1]
        while spot.family is not None:
            self.above.append(self._below(spot))
            spot = spot.children[spot.family.leftmost(target)]
            self.path.append(spot)
        return spot

    def _below(self, spot: Spot[Node]) -> tuple[int, int]:
        """Return (L_t, U_t) of the children of the last node on the path."""
        lower, upper = self.above[-1]
        return (max(lower, spot.lower), upper) if spot.maximizing else (lower, min(upper, spot.upper))

    def _is_passed_over(self, spot: Spot[Node]) -> bool:
        """The preliminary test: return whether L_t >= U_t."""
        if spot is self.path[-1]:
            lower, upper = self.above[-1]
            return lower >= upper
        return self.lower_above(spot) >= self.upper_above(spot)

    def explore(self, spot: Spot[Node]) -> None:
        """Take a node from OPEN; unless the preliminary test cuts it, value it or generate its children."""
        spot.is_open = False
        self.open_count -= 1
        self.log.nodes += 1
        spot.priority = NOTHING_OPEN
        if not self._is_passed_over(spot):
            self.explored.add(self.tree.key(spot.node))
            children = self.tree.children(spot.node)
            if children:
                spot.children = [Spot(child, spot, i) for i, child in enumerate(children)]
                self.open_count += len(children)
                self.open_max = max(self.open_max, self.open_count)
                family = [self._summary(spot.maximizing, child) for child in spot.children]
                spot.family = Family(spot.maximizing, family)
                spot.priority = spot.family.whole.priority
            else:
                spot.lower = spot.upper = self.log.evaluate(spot.node)
        self._update(spot)

    def _update(self, spot: Spot[Node]) -> None:
        """Back up new bounds and priorities towards the root, as far as anything changes."""
        child = spot
        for above in spot.ancestors():
            assert above.family is not None
            above.family.change(child.index, self._summary(above.maximizing, child))
            found = above.family.whole
            if (found.lower, found.upper, found.priority) == (above.lower, above.upper, above.priority):
                self._keep_path_to(above)
                return
            above.lower, above.upper, above.priority = found.lower, found.upper, found.priority
            child = above
        self._keep_path_to(self.root)

    def _keep_path_to(self, spot: Spot[Node]) -> None:
        """Forget the path below a node, if it leads there; elsewhere nothing has changed."""
        if spot.ply < len(self.path) and self.path[spot.ply] is spot:
            del self.path[spot.ply + 1 :], self.above[spot.ply + 1 :]

    def _summary(self, parent_maximizing: bool, child: Spot[Node]) -> Summary:
        return Summary(child.lower, child.upper, child.priority, self.term(parent_maximizing, child))

    def run(self) -> Result:
        """Search until the bounds of the root meet."""
        while not self.solved:
            spot = self.select()
            if spot is None:
                break
            self.explore(spot)
        result = self.log.result(self.root.lower)
        result.open_max = self.open_max
        return result


def gsearch_alpha_beta(tree: GameTree[Node]) -> Result:
    """GSEARCH that takes the leftmost OPEN node."""
    return GSearch(tree, leftmost).run()


def gsearch_sss(tree: GameTree[Node]) -> Result:
    """GSEARCH that takes the OPEN node of largest lower beta."""
    return GSearch(tree, largest_lower_beta).run()


def gsearch_dual(tree: GameTree[Node]) -> Result:
    """GSEARCH that takes the OPEN node of smallest upper alpha."""
    return GSearch(tree, smallest_upper_alpha).run()
