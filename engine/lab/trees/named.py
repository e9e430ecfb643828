"""Trees by name: those of the literature, and one for each point of a lecture on game-tree search.

Where the text of a source has come down without its drawing, `about` says so, and the tree is one of our own
that shows what the drawing was for.
"""

from typing import NamedTuple

from sssnake.engine.lab.trees.trees import Nested, NestedTree


class NamedTree(NamedTuple):
    """A tree and what it is good for, in one line."""

    nested: Nested
    about: str

    @property
    def tree(self) -> NestedTree:
        """The tree itself."""
        return NestedTree(self.nested)


# The best moves of both sides first, and the same leaves with the worst moves first.
BEST_FIRST: Nested = [
    [[[8, 16], [5, 7]], [[13, 14], [2, 9]]],
    [[[6, 18], [3, 4]], [[11, 17], [1, 19]]],
]
WORST_FIRST: Nested = [
    [[[19, 1], [17, 11]], [[4, 3], [18, 6]]],
    [[[9, 2], [14, 13]], [[7, 5], [16, 8]]],
]

NAMED = {
    "stockman": NamedTree(
        [[5, -2, 0], [1, -3, 7], [5, 5, 4]],
        "the nodes a to m of a Japanese page of 2004 on Stockman's SSS*, with its 16 OPEN lists; the leaves "
        "g, i and j are never evaluated there, and have values of ours",
    ),
    "plaat": NamedTree(
        [[[[41, 5], [12, 90]], [[101, 80], [20, 30]]], [[[34, 80], [36, 35]], [[50, 36], [25, 3]]]],
        "on which Plaat, Schaeffer, Pijls and de Bruin (1996) run SSS* and MTD(+inf), after Pearl (1984)",
    ),
    "katoh-ibaraki": NamedTree(
        [[[44, 18], [40, 12]], [[45, 45], [83, 66]], [[12, 44], [30, 63]]],
        "for figure 1 of Katoh and Ibaraki (1987), of the value 45 as theirs; the drawing is lost, the other "
        "values are ours: SSS* and dual SSS* leave out different leaves of alpha-beta's",
    ),
    "homework-1": NamedTree(
        [[3, 5, 6], [2, 9, 8], [1, 4, 7]],
        "alpha-beta, first exercise: one bad answer is enough (drawing lost, tree ours)",
    ),
    "homework-2": NamedTree(
        [[6, 9, 7], [6, 4, 8], [7, 5, 3]],
        "alpha-beta, second exercise: an answer equal to alpha cuts, too (drawing lost, tree ours)",
    ),
    "homework-3": NamedTree(
        [[[[5, 8]]], [[[3, 9], [4, 6]], [[7, 2]]]],
        "alpha-beta, third exercise: a deep cut, by a bound from three plies above (drawing lost, tree ours)",
    ),
    "homework-4": NamedTree(
        BEST_FIRST,
        "alpha-beta, fourth exercise: the best moves first, as much pruned as can be (drawing lost, tree "
        "ours)",
    ),
    "homework-5": NamedTree(
        WORST_FIRST,
        "alpha-beta, fifth exercise: the same leaves, the worst moves first, nothing is pruned (drawing "
        "lost, tree ours)",
    ),
    "homework-6": NamedTree(
        [[[7, 7], [1, 6]], 9, [[1, 9, 5], [9, 5], [7, 5, 4]]],
        "alpha-beta, sixth exercise: leaves at different plies; SSS* and DUAL* prune more, and other leaves "
        "(drawing lost, tree ours)",
    ),
    "scout": NamedTree(
        [[[3]], [[8]]],
        "on which the lecture's Scout code, as printed, is wrong: it finds 4, the value is 8",
    ),
    "ties": NamedTree(
        [[3, 2, 1], 3],
        "equal values: GSEARCH stops before the last leaf of SSS*",
    ),
}
FIRST = "stockman"  # what a page shows if no tree is asked for
