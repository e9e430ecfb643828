"""MT and MTD (Plaat, Schaeffer, Pijls & de Bruin 1996): SSS* as null-window tests with memory.

MT(n, gamma) tests whether the value is at least gamma, by alpha-beta with the window (gamma - 1, gamma), and
stores the bounds that it proves. MTD calls MT at the root until the two bounds of the root meet; its
instances differ in the next gamma alone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic

from sssnake.engine.lab.searches.log import Log, Result
from sssnake.engine.lab.searches.memory import Memory, Table
from sssnake.engine.lab.trees.trees import INF, GameTree, Node


class MT(Generic[Node]):
    """The null-window test. Its transposition table is kept from call to call."""

    def __init__(self, tree: GameTree[Node], table: Table | None = None) -> None:
        self.tree = tree
        self.table: Table = Memory() if table is None else table
        self.log = Log(tree)

    def offspring(self, node: Node, maximizing: bool) -> Sequence[Node]:
        """Return the children in the order of search: left to right on every visit, or it is not SSS*."""
        return self.tree.children(node)

    def search(self, node: Node, gamma: int, maximizing: bool) -> int:
        """Return g: g < gamma => value <= g; g >= gamma => value >= g."""
        self.log.nodes += 1
        key = self.tree.key(node)
        lower, upper = self.table.get(key)
        if lower >= gamma:
            return lower
        if upper < gamma:
            return upper
        children = self.offspring(node, maximizing)
        if not children:
            g = self.log.evaluate(node)
            self.table.put(key, g, g)
            return g
        if maximizing:
            g = -INF
            for child in children:
                g = max(g, self.search(child, gamma, False))
                if g >= gamma:
                    break
        else:
            g = INF
            for child in children:
                g = min(g, self.search(child, gamma, True))
                if g < gamma:
                    break
        if g >= gamma:
            self.table.put(key, g, INF)
        else:
            self.table.put(key, -INF, g)
        return g

    def test(self, gamma: int) -> int:
        """The null-window test at the root: a pass."""
        return self.search(self.tree.root, gamma, True)


@dataclass
class Bracket:
    """The bounds of the root proved by the passes so far, lower <= value <= upper; g is the last result."""

    lower: int = -INF
    upper: int = INF
    g: int = 0

    @property
    def closed(self) -> bool:
        """Whether the value is known."""
        return self.lower >= self.upper

    def narrow(self, gamma: int, g: int) -> None:
        """Update a bound by the result of a pass."""
        self.g = g
        if g < gamma:
            self.upper = g
        else:
            self.lower = g


Next = Callable[[Bracket], int]


def drive(test: Callable[[int], int], first: int, following: Next) -> tuple[int, list[int]]:
    """Test gamma = first, then following(bracket), until the bracket closes; return value and results."""
    bracket = Bracket()
    passes = []
    gamma = first
    while not bracket.closed:
        passes.append(test(gamma))
        bracket.narrow(gamma, passes[-1])
        gamma = following(bracket)
    return bracket.lower, passes


def mtd(mt: MT[Node], first: int, following: Next) -> Result:
    """Drive the test at the root of a tree."""
    value, passes = drive(mt.test, first, following)
    result = mt.log.result(value)
    result.passes = passes
    return result


def from_above(bracket: Bracket) -> int:
    """SSS*: test the upper bound just proved; only the last pass can fail high."""
    return bracket.g


def from_below(bracket: Bracket) -> int:
    """DUAL*: test one more than the lower bound just proved."""
    return bracket.g + 1


def around(bracket: Bracket) -> int:
    """MTD(f): test the bound just proved, as SSS* from above, as DUAL* from below."""
    return bracket.g + 1 if bracket.g == bracket.lower else bracket.g


def halving(bracket: Bracket) -> int:
    """MTD(bi), Coplan's C*: test the middle."""
    return (bracket.lower + bracket.upper + 1) // 2


def stepping(step: int) -> Next:
    """MTD(step): descend from above by at least `step`."""
    return lambda bracket: max(bracket.lower + 1, bracket.g - step)


def mtd_plus_inf(tree: GameTree[Node], table: Table | None = None) -> Result:
    """MTD(+inf): SSS*, leaf for leaf."""
    return mtd(MT(tree, table), INF, from_above)


def mtd_minus_inf(tree: GameTree[Node], table: Table | None = None) -> Result:
    """MTD(-inf): DUAL*, leaf for leaf."""
    return mtd(MT(tree, table), 1 - INF, from_below)


def mtd_f(tree: GameTree[Node], guess: int = 0, table: Table | None = None) -> Result:
    """MTD(f): start at a guess."""
    return mtd(MT(tree, table), guess, around)


def mtd_bi(tree: GameTree[Node], table: Table | None = None) -> Result:
    """MTD(bi): bisect the whole range of values."""
    return mtd(MT(tree, table), 0, halving)


def mtd_step(tree: GameTree[Node], step: int = 16, table: Table | None = None) -> Result:
    """MTD(step): SSS* with steps of at least `step`."""
    if step < 1:
        raise ValueError("the step of MTD(step) must be positive")
    return mtd(MT(tree, table), INF, stepping(step))
