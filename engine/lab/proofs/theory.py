"""Theory of these searches: leaf counts, growth rates, expectations, and which nodes SSS* visits."""

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations

from sssnake.engine.lab.searches.log import Result
from sssnake.engine.lab.trees.trees import INF, Nested, NestedTree


def minimal_leaves(width: int, depth: int) -> int:
    """Return the leaves of a perfectly ordered tree that any search must evaluate (Knuth & Moore 1975)."""
    return int(width ** ((depth + 1) // 2) + width ** (depth // 2) - 1)


def branching_factor(width: int) -> float:
    """Return xi / (1 - xi), xi the positive root of x**w + x = 1: the growth of alpha-beta and of SSS*.

    Alpha-beta: Baudet 1978, Pearl 1982; SSS*: Roizen & Pearl 1983.
    """
    low, high = 0.0, 1.0
    while high - low > 1e-15:
        middle = (low + high) / 2
        low, high = (middle, high) if middle**width + middle < 1 else (low, middle)
    return low / (1 - low)


def uniform(width: int, depth: int, leaves: list[int]) -> Nested:
    """Fold width**depth leaves, left to right, into a uniform tree."""
    level: list[Nested] = list(leaves)
    for _ in range(depth):
        level = [level[i : i + width] for i in range(0, len(level), width)]
    return level[0]


def expected_leaves(search: Callable[[NestedTree], Result], width: int, depth: int) -> Fraction:
    """Return the exact mean of evaluated leaves over all orders of width**depth distinct values.

    For independent continuous leaves every order is equally likely; (2, 2) means 24 trees, (2, 3) 40320.
    """
    total = count = 0
    for order in permutations(range(width**depth)):
        total += len(search(NestedTree(uniform(width, depth, list(order)))).leaves)
        count += 1
    return Fraction(total, count)


def visited_by_sss(tree: NestedTree) -> set[int]:
    """Return the nodes that SSS* visits by Theorem 3.1 (Roizen & Pearl 1983; Katoh & Ibaraki 1987).

    With f the minimax values and P = P_n on the path P_0 .. P_n, SSS* visits P iff
    (A) the least f among the left brothers at MIN ancestors (AMIN-LS) exceeds the greatest f among the left
        brothers at MAX ancestors (AMAX-LS), and
    (B) that least f is at least the greatest f among the right brothers at MAX ancestors of P_k', the first
        node on the path whose own left brothers attain the least f.
    """
    f = tree.minimax_values()
    visited = set()
    # node, least of AMIN-LS, greatest of AMAX-LS, greatest of AMAX-RS on the path, and the same at P_k'.
    stack = [(0, INF, -INF, -INF, -INF)]
    while stack:
        node, left_min, left_max, right_max, right_then = stack.pop()
        if left_min > left_max and left_min >= right_then:
            visited.add(node)
        brothers = tree.kids[node]
        if tree.ply[node] % 2 == 0:
            suffix = [-INF]
            for child in reversed(brothers[1:]):
                suffix.append(max(suffix[-1], f[child]))
            for child in brothers:
                stack.append((child, left_min, left_max, max(right_max, suffix.pop()), right_then))
                left_max = max(left_max, f[child])
        else:
            for child in brothers:
                stack.append((child, left_min, left_max, right_max, right_then))
                if f[child] < left_min:
                    left_min, right_then = f[child], right_max
    return visited
