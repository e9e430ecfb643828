"""Minimax, negamax and alpha-beta, depth first and without memory."""

from collections.abc import Hashable

from sssnake.engine.lab.searches.log import Log, Result
from sssnake.engine.lab.trees.trees import INF, GameTree, Node


def minimax(tree: GameTree[Node]) -> Result:
    """Value every node (Shannon 1950): the best of the children's values for the side to move."""
    log = Log(tree)

    def search(node: Node, maximizing: bool) -> int:
        log.nodes += 1
        children = tree.children(node)
        if not children:
            return log.evaluate(node)
        best = -INF if maximizing else INF
        for child in children:
            value = search(child, not maximizing)
            best = max(best, value) if maximizing else min(best, value)
        return best

    return log.result(search(tree.root, True))


def negamax(tree: GameTree[Node]) -> Result:
    """Minimax seen from the side to move (Knuth & Moore 1975): max for both, signs flipped between plies."""
    log = Log(tree)

    def search(node: Node, colour: int) -> int:
        log.nodes += 1
        children = tree.children(node)
        if not children:
            return colour * log.evaluate(node)
        best = -INF
        for child in children:
            best = max(best, -search(child, -colour))
        return best

    return log.result(search(tree.root, 1))


def alpha_beta(tree: GameTree[Node], alpha: int = -INF, beta: int = INF) -> Result:
    """Fail-soft alpha-beta (Knuth & Moore 1975; fail-soft: Fishburn 1983).

    With m the minimax value and a the value returned: m <= alpha => m <= a <= alpha;
    alpha < m < beta => a = m; m >= beta => beta <= a <= m.
    """
    log = Log(tree)

    def search(node: Node, alpha: int, beta: int, maximizing: bool) -> int:
        log.nodes += 1
        children = tree.children(node)
        if not children:
            return log.evaluate(node)
        best = -INF if maximizing else INF
        for child in children:
            value = search(child, alpha, beta, not maximizing)
            if maximizing:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    return log.result(search(tree.root, alpha, beta, True))


def alpha_beta_hard(tree: GameTree[Node], alpha: int = -INF, beta: int = INF) -> Result:
    """Fail-hard alpha-beta (the procedure F2 of Knuth & Moore 1975): returns no value outside its window."""
    log = Log(tree)

    def search(node: Node, alpha: int, beta: int, maximizing: bool) -> int:
        log.nodes += 1
        children = tree.children(node)
        if not children:
            return min(max(log.evaluate(node), alpha), beta)
        for child in children:
            value = search(child, alpha, beta, not maximizing)
            if maximizing:
                alpha = max(alpha, value)
            else:
                beta = min(beta, value)
            if alpha >= beta:
                break
        return alpha if maximizing else beta

    return log.result(search(tree.root, alpha, beta, True))


def alpha_beta_pv(tree: GameTree[Node]) -> Result:
    """Alpha-beta whose nodes return their line to the parent; `Result.line` is the principal variation.

    Of equal moves the leftmost one is in the line (only a better value replaces it), as in SSS*.
    """
    log = Log(tree)

    def search(node: Node, alpha: int, beta: int, maximizing: bool) -> tuple[int, list[Hashable]]:
        log.nodes += 1
        here = tree.key(node)
        children = tree.children(node)
        if not children:
            return log.evaluate(node), [here]
        best, line = -INF if maximizing else INF, [here]
        for child in children:
            value, below = search(child, alpha, beta, not maximizing)
            if value > best if maximizing else value < best:
                best, line = value, [here, *below]
            if maximizing:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best, line

    value, line = search(tree.root, -INF, INF, True)
    result = log.result(value)
    result.line = line
    return result
