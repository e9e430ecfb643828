"""Wrong implementations of SSS* and of dual SSS*.

None of these ever returns a wrong value, so tests of values do not find them. They evaluate other leaves, in
another order, and may evaluate leaves that alpha-beta cuts.
"""

from collections.abc import Callable, Sequence

from sssnake.engine.lab.proofs.notation import open_spots, upper_alpha
from sssnake.engine.lab.searches.gsearch import GSearch, Spot
from sssnake.engine.lab.searches.log import Result
from sssnake.engine.lab.searches.memory import Bounded
from sssnake.engine.lab.searches.mtd import MT, from_above, mtd
from sssnake.engine.lab.searches.stockman import Path, Place, Stockman
from sssnake.engine.lab.trees.trees import INF, GameTree, NestedTree, Node


class NewestFirst(Stockman[Node]):
    """Inserts a state before its equals."""

    def rank(self, merit: int, path: Path) -> tuple[int, ...]:
        """Rank by merit, then the state pushed last first."""
        return -merit, -self.pushed


class OldestFirst(Stockman[Node]):
    """Inserts a state after its equals."""

    def rank(self, merit: int, path: Path) -> tuple[int, ...]:
        """Rank by merit, then the state pushed first first."""
        return -merit, self.pushed


class Reversed(Stockman[Node]):
    """Pushes all children of a MAX node one after the other to the front: the last one comes first.

    So case 6 reads where it is written as a loop that puts each child at the front of OPEN.
    """

    def rank(self, merit: int, path: Path) -> tuple[int, ...]:
        """Rank by merit, then from right to left at MAX nodes."""
        return (-merit, *(index if ply % 2 else -index for ply, index in enumerate(path)))


class NoPurge(Stockman[Node]):
    """Leaves the descendants of a SOLVED node on OPEN."""

    def purge(self, place: Place[Node]) -> None:
        """Do nothing."""


class BestFirst(MT[Node]):
    """Sorts the children again on every visit, by what the passes have proved, as chess programs do."""

    def __init__(self, tree: GameTree[Node]) -> None:
        super().__init__(tree)
        self.order: dict[Node, Sequence[Node]] = {}

    def offspring(self, node: Node, maximizing: bool) -> Sequence[Node]:
        """Return the children, the best first; equals keep the order of the last visit."""

        def promise(child: Node) -> int:
            lower, upper = self.table.get(self.tree.key(child))
            if upper < INF:
                return upper
            return lower if lower > -INF else -INF if maximizing else INF

        last = self.order.get(node, self.tree.children(node))
        self.order[node] = sorted(last, key=promise, reverse=maximizing)
        return self.order[node]


def best_first(tree: GameTree[Node]) -> Result:
    """MTD(+inf) with dynamic reordering between the passes."""
    return mtd(BestFirst(tree), INF, from_above)


def small_table(tree: GameTree[Node]) -> Result:
    """MTD(+inf) with a table of eight entries."""
    return mtd(MT(tree, Bounded(8)), INF, from_above)


class LargestAlpha(GSearch[int]):
    """Dual SSS* as Katoh & Ibaraki (1987) print it: the OPEN node of the *largest* alpha^.

    A misprint for "smallest": this search evaluates leaves that alpha-beta cuts.
    """

    def select(self) -> Spot[int] | None:
        """Return the leftmost OPEN node of the largest alpha^."""
        return max(open_spots(self), key=upper_alpha, default=None)


def dual_as_printed(tree: NestedTree) -> Result:
    """Search as the misprint says."""
    return LargestAlpha(tree).run()


def mutants() -> dict[str, Callable[[GameTree[Node]], Result]]:
    """Return every mutant by name."""
    return {
        "insert before equals": lambda tree: NewestFirst(tree).run(),
        "insert after equals": lambda tree: OldestFirst(tree).run(),
        "children reversed": lambda tree: Reversed(tree).run(),
        "no purge": lambda tree: NoPurge(tree).run(),
        "best child first": best_first,
        "8-entry table": small_table,
    }
