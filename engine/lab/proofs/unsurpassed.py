"""SSS* and dual SSS* are not surpassed (Katoh & Ibaraki 1987, theorem 4.1, corollary 4.1): a check on trees.

Search A surpasses B if on every tree it explores only nodes that B explores. The paper shows that no search
strictly surpasses SSS*: a search that deviates from it does so in one of the ways

    I    exploring X although X is not eligible: beta_(X) <= alpha^(X)
    II   exploring an eligible X that is not left-MAX-certified: some node of AMIN-LS(X) is not yet cut
    III  exploring a certified, eligible X of finite beta_ while an OPEN node of infinite beta_ remains
    IV   exploring a certified, eligible X of finite beta_ that violates (B'): beta_(X) < alpha_R^k*(X)
    V    taking the nodes of infinite beta_ in another order

In way V it explores what SSS* explores (lemma 4.5, in lemmas.py). For each of the others there is a tree on
which it explores a node that SSS* does not. Here that tree is built: the deviating search is run until it
deviates, and the leaves it has not evaluated get values against it; in way II there may be new branches, too.
"""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Literal

from sssnake.engine.lab.proofs.lemmas import explored_by_stockman
from sssnake.engine.lab.proofs.notation import (
    EXTREME,
    MAX,
    Side,
    is_certified,
    is_eligible,
    is_passed_over,
    lower_beta,
    open_spots,
    refilled,
    resists_rivals,
    subtree,
)
from sssnake.engine.lab.searches.gsearch import GSearch, Spot
from sssnake.engine.lab.trees.trees import INF, Nested, NestedTree, RandomTree, mix, nested

Way = Literal["I", "II", "III", "IV"]
BRANCHINGS = 8000  # extensions by new branches that are tried; mostly one of the first few convicts
SHAPES = ((2, 3), (2, 4), (3, 3))  # width and depth of new branches
ROOM = 1 << 10  # what known leaves are multiplied by there
WAYS: tuple[Way, ...] = ("I", "II", "III", "IV")


def deviation(search: GSearch[int], spot: Spot[int], side: Side = MAX) -> Way | None:
    """Return the way in which exploring `spot` now deviates from SSS* (dual SSS*), if it does."""
    if is_passed_over(search, spot):
        return None  # taken from OPEN, but not explored
    if not is_eligible(spot, side):
        return "I"
    if not is_certified(search, spot, side):
        return "II"
    if lower_beta(spot, side) == INF:
        return None
    if search.root.priority == INF:
        return "III"
    return None if resists_rivals(spot, side) else "IV"


def deviating(way: Way, tree: NestedTree, side: Side = MAX) -> Iterator[tuple[GSearch[int], Spot[int]]]:
    """Run SSS* (dual SSS*) that deviates once, in the given way, as soon as possible.

    Yields the search and the next node before every exploration.
    """
    search = side.search(tree)
    deviated = False
    while not search.solved:
        spot = search.select()
        if spot is None:
            return
        if not deviated:
            other = next((spot for spot in open_spots(search) if deviation(search, spot, side) == way), None)
            if other is not None:
                spot, deviated = other, True
        yield search, spot
        search.explore(spot)


def explored_by(way: Way, tree: NestedTree, side: Side = MAX) -> set[object]:
    """Return the nodes that the deviating search explores."""
    search = None
    for search, _ in deviating(way, tree, side):  # noqa: B007
        pass
    return set() if search is None else set(search.explored)


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


def has_chance(way: Way, tree: NestedTree, side: Side = MAX) -> bool:
    """Return whether a deviation in this way is possible on this tree."""
    return any(deviation(search, spot, side) == way for search, spot in deviating(way, tree, side))


def branched(search: GSearch[int], spot: Spot[int], seed: int) -> NestedTree:
    """Extend the search tree by new branches: below the left brothers at MIN (MAX) ancestors, OPEN nodes get
    random trees of three or four plies; all other OPEN nodes become random leaves.

    Known leaves are multiplied by ROOM. That changes nothing for a search, which only compares; and above
    each of them there is room for new ones, before the next. New leaves are spread over the rooms between the
    bounds of the root, one room below all and one above all: which of the others they are in is of no
    consequence.
    """
    assert isinstance(search.tree, NestedTree)
    below = {q.node for maximizing in (False, True) for q in spot.left_of_path(maximizing)}
    known = [search.tree.value(leaf) for leaf in search.tree.leaf_number if leaf in search.log.leaves] or [0]
    between = {value for value in known if search.root.lower <= value < search.root.upper}
    rooms = [min(known) - 1, *sorted(between), max(known)]
    width, depth = SHAPES[seed % len(SHAPES)]

    def placed(draw: int) -> int:
        room, inside = divmod(draw % (len(rooms) * ROOM), ROOM)
        return rooms[room] * ROOM + inside

    def written(one: Spot[int], inside: bool) -> Nested:
        inside = inside or one.node in below
        if one.children:
            return [written(child, inside) for child in one.children]
        if one.node in search.log.leaves:
            return one.lower * ROOM
        draw = mix(mix(seed) ^ one.node)
        if inside and one is not spot:
            return replaced(nested(RandomTree(width, depth, draw)), placed)
        return placed(draw)

    return NestedTree(written(search.root, False))


def replaced(tree: Nested, value: Callable[[int], int]) -> Nested:
    """Give every leaf another value."""
    return value(tree) if isinstance(tree, int) else [replaced(child, value) for child in tree]


def witness(way: Way, tree: NestedTree, side: Side = MAX) -> NestedTree | None:
    """Return a tree on which the deviating search explores a node that SSS* (dual SSS*) does not.

    It has the same shape, with other leaf values; in way II, where that may not suffice, also new branches:
    exploring X early does no harm on [[1, 1]], but may if there is more below the first brother (lemma 4.2).
    None if the search cannot deviate in this way, or if no tree was found.
    """
    for search, spot in deviating(way, tree, side):
        if deviation(search, spot, side) == way:
            shaped = (refilled(tree, values) for values in fillings(search, spot, tree))
            grown = (branched(search, spot, seed) for seed in range(BRANCHINGS if way == "II" else 0))
            return next((built for built in chain(shaped, grown) if convicts(way, built, side)), None)
    return None


def convicts(way: Way, built: NestedTree, side: Side) -> bool:
    """Return whether the deviating search explores a node of this tree that SSS* does not."""
    return not explored_by(way, built, side) <= explored_by_stockman(built, side)
