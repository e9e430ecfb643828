"""SSS* is not surpassed (Katoh & Ibaraki 1987): a check on trees.

Search A surpasses B if on every tree it explores only nodes that B explores. The paper shows that no search
strictly surpasses SSS*: a search that deviates from it does so in one of the ways

    I    exploring X although X is not eligible: beta_(X) <= alpha^(X)
    II   exploring an eligible X that is not left-MAX-certified: some node of AMIN-LS(X) is not yet cut
    III  exploring a certified, eligible X of finite beta_ while an OPEN node of infinite beta_ remains
    IV   exploring a certified, eligible X of finite beta_ that violates (B'): beta_(X) < alpha_R^k*(X)

and for each of them there is a tree on which it explores a node that SSS* does not. Here that tree is built:
the deviating search is run until it deviates, and the leaves it has not evaluated get values against it.
"""

from collections.abc import Iterator
from typing import Literal

from engine.lab.searches.gsearch import GSearch, Spot, largest_lower_beta
from engine.lab.searches.stockman import Stockman
from engine.lab.trees.trees import INF, NestedTree, mix

Way = Literal["I", "II", "III", "IV"]
WAYS: tuple[Way, ...] = ("I", "II", "III", "IV")
EXTREME = 1 << 40  # beyond every leaf value of the trees


def lower_beta(spot: Spot[int]) -> int:
    """Return beta_: the least L_b over AMIN-LS."""
    return min((brother.lower for brother in spot.left_of_path(maximizing=False)), default=INF)


def upper_alpha(spot: Spot[int]) -> int:
    """Return alpha^: the greatest U_b over AMAX-LS."""
    return max((brother.upper for brother in spot.left_of_path(maximizing=True)), default=-INF)


def is_eligible(spot: Spot[int]) -> bool:
    """Condition (A'); an infinity counts as greater than itself, as the paper stipulates."""
    beta, alpha = lower_beta(spot), upper_alpha(spot)
    return beta > alpha or beta == alpha == INF or beta == alpha == -INF


def is_certified(search: GSearch[int], spot: Spot[int]) -> bool:
    """Return whether every node of AMIN-LS is cut."""
    return all(search.is_cut(brother) for brother in spot.left_of_path(maximizing=False))


def strongest_rival(spot: Spot[int]) -> int:
    """Return alpha_R^k*: the greatest U_b right of the path down to the last node that lowers beta_."""
    path = [spot, *spot.ancestors()]
    for step in path:
        if step.parent is not None and not step.parent.maximizing:
            own = min((brother.lower for brother in step.parent.children[: step.index]), default=INF)
            if own < lower_beta(step.parent):
                return max((brother.upper for brother in step.right_of_path(maximizing=True)), default=-INF)
    return -INF


def deviation(search: GSearch[int], spot: Spot[int]) -> Way | None:
    """Return the way in which exploring `spot` now deviates from SSS*, if it does."""
    if search.lower_above(spot) >= search.upper_above(spot):
        return None  # cut by the preliminary test: taken from OPEN, but not explored
    if not is_eligible(spot):
        return "I"
    if not is_certified(search, spot):
        return "II"
    if lower_beta(spot) == INF:
        return None
    if search.root.priority == INF:
        return "III"
    return "IV" if lower_beta(spot) < strongest_rival(spot) else None


def deviating(way: Way, tree: NestedTree) -> Iterator[tuple[GSearch[int], Spot[int]]]:
    """Run SSS* that deviates once, in the given way, as soon as possible.

    Yields the search and the next node before every exploration.
    """
    search = GSearch(tree, largest_lower_beta)
    deviated = False
    while not search.solved:
        spot = search.select()
        if spot is None:
            return
        if not deviated:
            other = next((spot for spot in open_spots(search) if deviation(search, spot) == way), None)
            if other is not None:
                spot, deviated = other, True
        yield search, spot
        search.explore(spot)


def open_spots(search: GSearch[int]) -> Iterator[Spot[int]]:
    """Yield the OPEN nodes from left to right."""
    stack = [search.root]
    while stack:
        spot = stack.pop()
        if spot.is_open:
            yield spot
        stack.extend(reversed(spot.children))


def explored_by(way: Way, tree: NestedTree) -> set[object]:
    """Return the nodes that the deviating search explores."""
    search = None
    for search, _ in deviating(way, tree):  # noqa: B007
        pass
    return set() if search is None else set(search.explored)


def explored_by_sss(tree: NestedTree) -> set[object]:
    """Return the nodes that Stockman's SSS* explores (where values tie, never fewer than GSEARCH's)."""
    search = Stockman(tree)
    visited: set[object] = set()
    while search.value is None:
        step = search.step()
        if not step.solved:
            visited.add(step.key)
    return visited


def fillings(search: GSearch[int], spot: Spot[int], tree: NestedTree) -> Iterator[list[int]]:
    """Yield leaf values that agree with those that the search has evaluated.

    Unseen leaves are extreme: left brothers at MIN ancestors low or high, at MAX ancestors high or low, and
    so on for every group beside the path and for the rest; then some at random.
    """
    group = dict.fromkeys(range(len(tree)), 0)
    beside = (
        spot.left_of_path(maximizing=False),
        spot.left_of_path(maximizing=True),
        spot.right_of_path(maximizing=False),
        spot.right_of_path(maximizing=True),
    )
    for number, spots in enumerate(beside, 1):
        for top in spots:
            for node in subtree(tree, top.node):
                group[node] = number
    unseen = [leaf for leaf in tree.leaf_number if leaf not in search.log.leaves]
    for pattern in range(32):
        values = list(tree.values)
        for leaf in unseen:
            values[leaf] = EXTREME if pattern >> group[leaf] & 1 else -EXTREME
        yield values
    for seed in range(64):
        values = list(tree.values)
        for leaf in unseen:
            values[leaf] = mix(mix(seed) ^ leaf) % 100
        yield values


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


def has_chance(way: Way, tree: NestedTree) -> bool:
    """Return whether a deviation in this way is possible on this tree."""
    return any(deviation(search, spot) == way for search, spot in deviating(way, tree))


def witness(way: Way, tree: NestedTree) -> NestedTree | None:
    """Return a tree of the same shape on which the deviating search explores a node that SSS* does not.

    None if it cannot deviate; also if there is no such tree of this shape, as for [[1, 1]] in way II (the
    paper's trees may have new branches; here only leaf values change).
    """
    for search, spot in deviating(way, tree):
        if deviation(search, spot) == way:
            for values in fillings(search, spot, tree):
                built = refilled(tree, values)
                if not explored_by(way, built) <= explored_by_sss(built):
                    return built
            return None
    return None
