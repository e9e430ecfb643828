"""The lesson on the lecture's Scout code: a condition that loses values."""

from collections.abc import Iterator

from sssnake.engine.lab.searches.printed import PrintedScout
from sssnake.engine.lab.trees.making import random_tree
from sssnake.engine.lab.trees.named import NAMED
from sssnake.engine.lab.trees.trees import NestedTree

TREES = 300


def scout() -> Iterator[str]:
    """Scout as the lecture prints it, and where its condition `depth <= 2` loses the value."""
    yield "The lecture's Scout tests every move but the first with a null window. A move that passes the"
    yield "test is searched again, but only where depth <= 2: at most two plies above the leaves."
    yield ""
    named = NAMED["scout"]
    yield f"{named.nested}   (sssnake lab show scout)"
    yield from told(named.tree)
    yield ""
    yield "The test proves that the move is better than its rival, by 1. Without the second search that bound"
    yield "is taken for its value. In a null window it does no harm: whatever reaches beta is cut anyway."
    yield "So the code is right on every tree of at most two plies, and on every tree where no test succeeds"
    yield "at a node of more plies whose window is open: where the first of its moves is the best."
    yield ""
    yield f"{TREES} random trees of three moves a node, by plies; no re-search is skipped in some of them:"
    for depth in (2, 3, 4, 5):
        yield counted(depth)
    yield ""
    yield "With the re-search at every depth it is NegaScout, and right on all of them."


def told(tree: NestedTree) -> Iterator[str]:
    """Say what the code finds on a tree, and at which moves it loses."""
    search, repaired = PrintedScout(tree), PrintedScout(tree, tree.depth)
    names, found, value = tree.names(), search.run().value, repaired.run().value
    yield f"as printed: {found}    with the re-search at every depth: {value}    minimax: {_value(tree)}"
    for parent, child in search.lost:
        plies = tree.depth - tree.ply[parent]
        yield f"at {names[parent]}, {plies} plies above the leaves, {names[child]} is not searched again"


def counted(depth: int) -> str:
    """Count on random trees."""
    wrong = spared = 0
    for seed in range(TREES):
        tree = random_tree(3, depth, seed)
        search = PrintedScout(tree)
        wrong += search.run().value != _value(tree)
        spared += not search.lost
    return f"{depth} plies: wrong on {wrong:>3}, none skipped in {spared:>3}"


def _value(tree: NestedTree) -> int:
    return tree.minimax_values()[0]
