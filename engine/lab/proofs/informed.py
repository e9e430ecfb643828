"""H* is not surpassed (Ibaraki; theorem 2.2 in Katoh & Ibaraki 1987): a check on trees with bounds.

H* explores the tip to which the optimistic bounds lead: from a MAX node to the child of the greatest upper
bound, from a MIN node to that of the least lower bound. Let another search explore X where H* explores Y, and
let the paths to X and Y part at D. If D is a MAX node, let U be its upper bound: give every leaf below an
unexplored tip that value between the tip's bounds that is closest to U. Then the child of D on the path to Y
keeps the upper bound U until it is solved, with the value U, and so is D. H* never goes to X. If D is a MIN
node, the same holds for its lower bound.

The bounds must not widen from a node to its children (the children's bounds, backed up, lie within the node's
own). Otherwise H* may be drawn to a child by an upper bound that its parent's refutes.
"""

from collections.abc import Iterator

from sssnake.engine.lab.proofs.notation import subtree
from sssnake.engine.lab.searches.informed import InformedSearch, Spot
from sssnake.engine.lab.trees.bounded import BoundedTree
from sssnake.engine.lab.trees.trees import NestedTree, nested


def tips(search: InformedSearch[int]) -> Iterator[Spot[int]]:
    """Yield the tips that may still be explored, from left to right."""
    stack = [search.root]
    while stack:
        spot = stack.pop()
        if not spot.children and not spot.solved:
            yield spot
        stack.extend(reversed(spot.children))


def explored(search: InformedSearch[int]) -> set[int]:
    """Return the nodes explored so far."""
    found, stack = set(), [search.root]
    while stack:
        spot = stack.pop()
        if spot.children or spot.node in search.log.leaves:
            found.add(spot.node)
        stack.extend(spot.children)
    return found


def explored_by_hstar(tree: BoundedTree) -> set[int]:
    """Return the nodes that H* explores."""
    search = InformedSearch(tree)
    search.settle(search.root)
    return explored(search)


def parting(one: Spot[int], other: Spot[int]) -> Spot[int]:
    """Return the last node that is on both paths."""
    path = set()
    spot: Spot[int] | None = one
    while spot is not None:
        path.add(spot.node)
        spot = spot.parent
    while other.node not in path:
        assert other.parent is not None
        other = other.parent
    return other


def against(search: InformedSearch[int], x: Spot[int], y: Spot[int], tree: BoundedTree) -> BoundedTree:
    """Extend the generated tree to one on which H*, which now explores Y, never explores X."""
    d = parting(x, y)
    aim = d.upper if d.maximizing else d.lower
    values, pairs = list(tree.values), list(tree.pairs)
    for tip in tips(search):
        for node in subtree(tree, tip.node):
            pairs[node] = tip.lower, tip.upper
            values[node] = min(max(aim, tip.lower), tip.upper)
    other = NestedTree(0)
    other.__dict__.update(tree.__dict__)
    other.values = values
    return BoundedTree(nested(other), pairs)


def narrowing(tree: NestedTree, seed: int, spread: int) -> BoundedTree:
    """Give every node bounds at random distances 0..spread from its value, never wider than its parent's."""
    values = tree.minimax_values()
    pairs = list(BoundedTree.around(nested(tree), seed, spread).pairs)
    for node, children in enumerate(tree.kids):
        lower, upper = pairs[node]
        heir = next((child for child in children if values[child] == values[node]), node)
        for child in children:
            low, high = pairs[child]
            if tree.ply[node] % 2 == 0:
                pairs[child] = max(low, lower) if child == heir else low, min(high, upper)
            else:
                pairs[child] = max(low, lower), min(high, upper) if child == heir else high
    return BoundedTree(nested(tree), pairs)


def theorem_2_2(tree: NestedTree) -> bool:
    """For every deviation from H* there is a tree on which H* does not explore the node."""
    bounded = narrowing(tree, seed=len(tree), spread=1 + len(tree) % 40)
    search = InformedSearch(bounded)
    while not search.root.solved:
        y = search.root.tip()
        for x in tips(search):
            if x is not y and x.node in explored_by_hstar(against(search, x, y, bounded)):
                return False
        search.explore(y)
    return True
