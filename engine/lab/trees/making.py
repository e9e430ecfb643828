"""Trees to work with: the example of the paper, and random ones."""

import json

from sssnake.engine.lab.trees.deep import DEPTH_LIMIT, deeply
from sssnake.engine.lab.trees.named import NAMED
from sssnake.engine.lab.trees.trees import NestedTree, OrderedTree, RandomTree, TreeError, nested

LARGEST = 1 << 20  # leaves of a tree that is written out


def example() -> NestedTree:
    """Return the tree of Plaat and others (1996); its value is 35."""
    return NAMED["plaat"].tree


def random_tree(
    width: int, depth: int, seed: int, values: int = 100, irregular: bool = False, order: float = 0.0
) -> NestedTree:
    """Make a tree of `width` children a node (irregular: 1 to `width`) and `depth` plies.

    Leaves are uniform on 0 .. values - 1. With order > 0 that fraction of the nodes has its best child first,
    and every other child is worse by 1 .. values; then the root's value is 0.
    """
    if not 1 <= values <= 1 << 30:
        raise TreeError("a leaf has one of 1 to 2**30 values")
    if not 0 <= order <= 1:
        raise TreeError(f"the fraction of sorted nodes lies between 0 and 1, not at {order}")
    if order and irregular:
        raise TreeError("a tree with sorted nodes is regular")
    if depth >= DEPTH_LIMIT:
        raise TreeError(f"a tree has less than {DEPTH_LIMIT} plies")
    if depth * (width.bit_length() - 1) > 20 or width**depth > LARGEST:
        raise TreeError(f"a tree of more than {LARGEST} leaves is not written out")
    if order:
        return NestedTree(nested(OrderedTree(width, depth, seed, order, values)))
    return NestedTree(nested(RandomTree(width, depth, seed, values, irregular)))


def text(tree: NestedTree) -> str:
    """Write a tree as its file: JSON on one line."""
    return deeply(lambda: json.dumps(nested(tree))) + "\n"
