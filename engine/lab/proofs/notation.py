"""The lemmas of Katoh & Ibaraki (1987) about search trees, in the paper's notation.

T is a search tree of GSEARCH and P = P_n an OPEN node at the end of the path P_0 .. P_n. The bounds below P
are L_b <= f <= U_b. The paper's functions of P, and what they are called here:

    beta_(P)     least L_b over AMIN-LS(P), the left brothers at MIN ancestors       lower_beta
    alpha^(P)    greatest U_b over AMAX-LS(P), the left brothers at MAX ancestors    upper_alpha
    alpha_R^k*   greatest U_b over AMAX-RS(P_k*), P_k* the last node on the path     strongest_rival
                 whose own left brothers lower beta_
    eligible     beta_(P) > alpha^(P), condition (A')                                is_eligible
    certified    every node of AMIN-LS(P) is cut (left-MAX-certified)                is_certified

For dual SSS* MIN and MAX change places, and bounds their sign; `Side` does that. The paper prints that dual
SSS* takes the node of the largest alpha^. That is a misprint: it is the smallest.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sssnake.engine.lab.searches.gsearch import GSearch, Spot, largest_lower_beta, smallest_upper_alpha
from sssnake.engine.lab.trees.trees import INF, NestedTree, mix

EXTREME = 1 << 40  # beyond every leaf value of the trees


@dataclass(frozen=True)
class Side:
    """The player for whom a search looks for a strategy: MAX for SSS*, MIN for dual SSS*."""

    maximizing: bool

    def search(self, tree: NestedTree) -> GSearch[int]:
        """Return SSS* or dual SSS* at its beginning."""
        return GSearch(tree, largest_lower_beta if self.maximizing else smallest_upper_alpha)

    def least(self, spot: Spot[int]) -> int:
        """L_b; for MIN -U_b."""
        return spot.lower if self.maximizing else -spot.upper

    def most(self, spot: Spot[int]) -> int:
        """U_b; for MIN -L_b."""
        return spot.upper if self.maximizing else -spot.lower


MAX, MIN = Side(True), Side(False)


def lower_beta(spot: Spot[int], side: Side = MAX) -> int:
    """Return beta_: the least L_b over AMIN-LS."""
    return min((side.least(q) for q in spot.left_of_path(not side.maximizing)), default=INF)


def upper_alpha(spot: Spot[int], side: Side = MAX) -> int:
    """Return alpha^: the greatest U_b over AMAX-LS."""
    return max((side.most(q) for q in spot.left_of_path(side.maximizing)), default=-INF)


def is_eligible(spot: Spot[int], side: Side = MAX) -> bool:
    """Condition (A'); an infinity counts as greater than itself, as the paper stipulates."""
    beta, alpha = lower_beta(spot, side), upper_alpha(spot, side)
    return beta > alpha or beta == alpha == INF or beta == alpha == -INF


def is_certified(search: GSearch[int], spot: Spot[int], side: Side = MAX) -> bool:
    """Return whether every node of AMIN-LS is cut."""
    return all(search.is_cut(brother) for brother in spot.left_of_path(not side.maximizing))


def strongest_rival(spot: Spot[int], side: Side = MAX) -> int:
    """Return alpha_R^k*; -INF where nothing lowers beta_."""
    for step in [spot, *spot.ancestors()]:
        above = step.parent
        if above is not None and above.maximizing is not side.maximizing:
            own = min((side.least(q) for q in above.children[: step.index]), default=INF)
            if own < lower_beta(above, side):
                return max((side.most(q) for q in step.right_of_path(side.maximizing)), default=-INF)
    return -INF


def resists_rivals(spot: Spot[int], side: Side = MAX) -> bool:
    """Condition (B')."""
    return lower_beta(spot, side) >= strongest_rival(spot, side)


def open_spots(search: GSearch[int]) -> Iterator[Spot[int]]:
    """Yield the OPEN nodes from left to right."""
    stack = [search.root]
    while stack:
        spot = stack.pop()
        if spot.is_open:
            yield spot
        stack.extend(reversed(spot.children))


def is_passed_over(search: GSearch[int], spot: Spot[int]) -> bool:
    """Return whether the preliminary test cuts an OPEN node, so that choosing it explores nothing."""
    return search.lower_above(spot) >= search.upper_above(spot)


def choices(search: GSearch[int]) -> list[Spot[int]]:
    """Return the OPEN nodes that choosing would explore."""
    return [spot for spot in open_spots(search) if not is_passed_over(search, spot)]


# Extending T to a game tree against a search


def subtree(tree: NestedTree, top: int) -> Iterator[int]:
    """Yield a node and all nodes below it."""
    stack = [top]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(tree.kids[node])


def refilled(tree: NestedTree, values: list[int]) -> NestedTree:
    """Return the same tree with other leaf values."""
    other = NestedTree(0)
    other.__dict__.update(tree.__dict__)
    other.values = values
    return other


def extended(
    search: GSearch[int], tree: NestedTree, low: Iterator[Spot[int]], high: Iterator[Spot[int]]
) -> NestedTree:
    """Extend T: leaves not yet evaluated are worst for MAX below `low`, best below `high`, else 0.

    Then f = L_b at the nodes of `low` and f = U_b at those of `high`, with EXTREME for infinity.
    """
    values = list(tree.values)
    for leaf in tree.leaf_number:
        if leaf not in search.log.leaves:
            values[leaf] = 0
    for spots, extreme in ((low, -EXTREME), (high, EXTREME)):
        for top in spots:
            for node in subtree(tree, top.node):
                if node in tree.leaf_number and node not in search.log.leaves:
                    values[node] = extreme
    return refilled(tree, values)


Rule = Callable[[GSearch[int], list[Spot[int]]], list[Spot[int]]]


def wandering(tree: NestedTree, seed: int, rule: Rule) -> Iterator[tuple[GSearch[int], Spot[int]]]:
    """Run GSEARCH that takes any of the nodes that `rule` leaves of its choices, at random.

    Yields the search and the next node before every exploration.
    """
    search: GSearch[int] = GSearch(tree)
    draw = mix(seed)
    while not search.solved:
        found = rule(search, choices(search))
        assert found, "no choice is left, and the game is not solved"
        draw = mix(draw)
        spot = found[draw % len(found)]
        yield search, spot
        search.explore(spot)
