"""Scout and NegaScout: a test of each move after the first, and a full search of those that pass it."""

from collections.abc import Sequence

from sssnake.engine.lab.searches.log import Log, Result
from sssnake.engine.lab.searches.memory import Table
from sssnake.engine.lab.trees.trees import INF, GameTree, Node


def scout(tree: GameTree[Node]) -> Result:
    """Scout without memory (Pearl 1980): search the first child, then test whether each brother is better.

    A better brother is searched from scratch, so leaves may be evaluated more than once.
    """
    log = Log(tree)

    def exceeds(node: Node, bound: int, strictly: bool, maximizing: bool) -> bool:
        """Return whether the node's value is > bound (>= bound unless strictly)."""
        log.nodes += 1
        children = tree.children(node)
        if not children:
            value = log.evaluate(node)
            return value > bound if strictly else value >= bound
        for child in children:
            if exceeds(child, bound, strictly, not maximizing) is maximizing:
                return maximizing
        return not maximizing

    def value_of(node: Node, maximizing: bool) -> int:
        log.nodes += 1
        children = tree.children(node)
        if not children:
            return log.evaluate(node)
        best = value_of(children[0], not maximizing)
        for i in range(1, len(children)):
            better = exceeds(children[i], best, maximizing, not maximizing)
            if better is maximizing:
                best = value_of(children[i], not maximizing)
        return best

    return log.result(value_of(tree.root, True))


def negascout(tree: GameTree[Node], table: Table | None = None) -> Result:
    """NegaScout (Reinefeld 1983): null windows after the first child, a re-search when one fails inside.

    `table` (values from the side to move) gives it the memory of the published comparisons.
    """
    log = Log(tree)

    def search(node: Node, alpha: int, beta: int, colour: int) -> int:
        log.nodes += 1
        if table is not None:
            lower, upper = table.get(tree.key(node))
            if lower >= beta or lower == upper:
                return lower
            if upper <= alpha:
                return upper
            alpha, beta = max(alpha, lower), min(beta, upper)
        children = tree.children(node)
        if not children:
            best = colour * log.evaluate(node)
            if table is not None:
                table.put(tree.key(node), best, best)
            return best
        best = scan(children, alpha, beta, colour)
        if table is not None:
            table.put(tree.key(node), best if best > alpha else -INF, best if best < beta else INF)
        return best

    def scan(children: Sequence[Node], alpha: int, beta: int, colour: int) -> int:
        best, low, high = -INF, alpha, beta
        for child in children:
            value = -search(child, -high, -low, -colour)
            if low < value < beta and high < beta:
                value = -search(child, -beta, -value, -colour)
            best = max(best, value)
            low = max(low, best)
            if low >= beta:
                break
            high = low + 1
        return best

    return log.result(search(tree.root, -INF, INF, 1))
