"""Two searches as the sources print them, with what is wrong or wasteful in them.

The lecture's Scout searches a move again only `depth <= 2` plies above the leaves. Its tests are
right at any depth: in a null window whatever reaches beta is cut anyway. But at a node of more plies whose
window is open, the bound that a test has proved is taken for the value of the move. So the code is right on
every tree of at most two plies, and on every tree where no test succeeds at such a node: where the first move
of each is the best. Elsewhere MAX's values may be too low and MIN's too high. Without the condition it is
NegaScout, and right everywhere.

The alpha-beta of Gasyou (2008) cuts only if beta < value, not at beta, and takes the last of equal moves. Its
value is right; it evaluates leaves that alpha-beta cuts, and its line is another one where moves are equal.
"""

from collections.abc import Hashable

from sssnake.engine.lab.searches.log import Log, Result
from sssnake.engine.lab.trees.trees import INF, GameTree, NestedTree, Node

RESEARCH_DEPTH = 2  # plies above the leaves


class PrintedScout:
    """The lecture's code. `lost`: the moves whose bound was taken for their value, as (parent, move)."""

    def __init__(self, tree: NestedTree, research_depth: int = RESEARCH_DEPTH) -> None:
        self.tree = tree
        self.research_depth = research_depth
        self.log = Log(tree)
        self.lost: list[tuple[int, int]] = []

    def run(self) -> Result:
        """Search from the root; a leaf above the last ply is evaluated where it stands."""
        return self.log.result(self.scout(0, self.tree.depth, -INF, INF, 1))

    def scout(self, node: int, depth: int, alpha: int, beta: int, colour: int) -> int:
        """Return the value that the code finds, for the side to move; colour is 1 at MAX nodes, else -1."""
        self.log.nodes += 1
        children = self.tree.children(node)
        if not children:
            return colour * self.log.evaluate(node)
        a, b = alpha, beta
        for child in children:
            s = -self.scout(child, depth - 1, -b, -a, -colour)
            if a < s < beta and depth <= self.research_depth:
                a = -self.scout(child, depth - 1, -beta, -s, -colour)
            elif a < s < beta and b < beta:
                self.lost.append((node, child))
            a = max(a, s)
            if a >= beta:
                return a
            b = a + 1
        return a


def scout_printed(tree: NestedTree) -> Result:
    """Scout as the lecture prints it: on [[[3]], [[8]]] it finds 4, the value is 8."""
    return PrintedScout(tree).run()


def alpha_beta_printed(tree: GameTree[Node]) -> Result:
    """Alpha-beta as Gasyou (2008) prints it; `Result.line` is its principal variation."""
    log = Log(tree)

    def search(node: Node, alpha: int, beta: int, colour: int) -> tuple[int, list[Hashable]]:
        log.nodes += 1
        here = tree.key(node)
        children = tree.children(node)
        if not children:
            return colour * log.evaluate(node), [here]
        best, line = -INF, [here]
        for child in children:
            value, below = search(child, -beta, -alpha, -colour)
            if -value >= best:
                best, line = -value, [here, *below]
                if beta < best:
                    break
                alpha = max(alpha, best)
        return best, line

    value, line = search(tree.root, -INF, INF, 1)
    result = log.result(value)
    result.line = line
    return result
