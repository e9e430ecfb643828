"""Game trees: one small interface, and the trees the laboratory searches.

The root is a MAX node and the types alternate, so the ply determines a node's type. Values are integers from
the root's view, strictly between -INF and INF.
"""

import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from sssnake.engine.lab.trees.drawing import picture

INF = 1 << 64
MASK = (1 << 64) - 1

Node = TypeVar("Node", bound=Hashable)

Nested = int | list["Nested"]


class GameTree(Protocol[Node]):
    """The interface of a tree. Children are in the same order, left to right, on every visit."""

    @property
    def root(self) -> Node:
        """The root: MAX to move."""

    def children(self, node: Node) -> Sequence[Node]:
        """Return the successors of `node`; empty at a leaf."""

    def value(self, node: Node) -> int:
        """Return the static value of a leaf."""

    def key(self, node: Node) -> Hashable:
        """Return the node's key in a transposition table: equal keys, equal subtrees."""


class TreeError(ValueError):
    """An invalid tree; the message is one line."""


class NestedTree:
    """An explicit tree, written as nested lists of integers. Nodes are numbered in preorder, root 0."""

    root = 0

    def __init__(self, nested: Nested) -> None:
        """Flatten `nested` without recursion; TreeError on empty nodes and on leaves that are no integers."""
        self.kids: list[list[int]] = []
        self.values: list[int] = []
        self.parent: list[int] = []
        self.ply: list[int] = []
        self.leaf_number: dict[int, int] = {}
        stack: list[tuple[object, int]] = [(nested, -1)]
        while stack:
            item, parent = stack.pop()
            node = self._add(item, parent)
            if isinstance(item, list):
                stack.extend((child, node) for child in reversed(item))

    def _add(self, item: object, parent: int) -> int:
        node = len(self.kids)
        if isinstance(item, list):
            if not item:
                raise TreeError("empty node: every inner node needs at least one child")
        elif type(item) is not int:
            raise TreeError(f"a leaf must be an integer, not {_shown(item)}")
        elif not -INF < 2 * item < INF:
            raise TreeError(f"a leaf must lie within 63 bits, not {_shown(item)}")
        else:
            self.leaf_number[node] = len(self.leaf_number)
        self.kids.append([])
        self.values.append(item if isinstance(item, int) else 0)
        self.parent.append(parent)
        self.ply.append(self.ply[parent] + 1 if parent >= 0 else 0)
        if parent >= 0:
            self.kids[parent].append(node)
        return node

    def children(self, node: int) -> Sequence[int]:
        """Return the children's numbers."""
        return self.kids[node]

    def value(self, node: int) -> int:
        """Return the leaf's value."""
        return self.values[node]

    def key(self, node: int) -> int:
        """Return the number itself: no two nodes are the same position."""
        return node

    def __len__(self) -> int:
        return len(self.kids)

    @property
    def depth(self) -> int:
        """The longest path, in edges."""
        return max(self.ply)

    def _repr_html_(self) -> str:
        """Return a picture of the tree, for notebooks."""
        return picture(self)

    def minimax_values(self) -> list[int]:
        """Return the minimax value of every node, by number."""
        values = list(self.values)
        for node in range(len(self) - 1, -1, -1):
            if self.kids[node]:
                best = min if self.ply[node] & 1 else max
                values[node] = best(values[child] for child in self.kids[node])
        return values

    def names(self) -> list[str]:
        """Name the nodes a, b, c, ... level by level, as the pictures in the literature do."""
        names = [""] * len(self)
        level = sorted(range(len(self)), key=lambda node: (self.ply[node], node))
        for rank, node in enumerate(level):
            names[node] = _letters(rank)
        return names


def _shown(item: object) -> str:
    text = json.dumps(item)
    return text if len(text) <= 40 else text[:37] + "..."


def _letters(rank: int) -> str:
    """0 -> a, 25 -> z, 26 -> aa, ..."""
    text = ""
    while rank >= 0:
        text = chr(ord("a") + rank % 26) + text
        rank = rank // 26 - 1
    return text


def mix(x: int) -> int:
    """Scatter 64 bits (the finaliser of SplitMix64: Steele, Lea & Flood 2014)."""
    x = (x + 0x9E3779B97F4A7C15) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


Place = tuple[int, int]  # (ply, number of the path): children of (p, c) are (p + 1, c * width + i)


@dataclass(frozen=True)
class RandomTree:
    """A tree that is not stored: values and children are hashes of the seed and the node's path.

    `values`: leaves are uniform on 0 <= v < values (2**30: practically no ties; 3: ties everywhere).
    `irregular`: 1..width children a node, and leaves above the last ply. Leaf codes of the regular tree are
    the leaf numbers 0 .. width**depth - 1, left to right.
    """

    width: int
    depth: int
    seed: int
    values: int = 1 << 30
    irregular: bool = False
    root: Place = field(default=(0, 0), init=False)

    def _hash(self, node: Place) -> int:
        return mix(mix(mix(self.seed) ^ node[0]) ^ node[1])

    def children(self, node: Place) -> Sequence[Place]:
        """Return the children, `width` of them unless irregular."""
        ply, code = node
        if ply == self.depth:
            return ()
        count = self.width
        if self.irregular:
            draw = self._hash(node)
            if ply > 0 and draw % 8 == 0:
                return ()
            count = 1 + (draw >> 32) % self.width
        first = code * self.width
        return [(ply + 1, first + i) for i in range(count)]

    def value(self, node: Place) -> int:
        """Return the leaf's value: the top bits of its hash, scaled."""
        return (self._hash(node) >> 34) * self.values >> 30

    def key(self, node: Place) -> Place:
        """Return the path's code."""
        return node


Valued = tuple[int, int, int]  # (ply, number of the path, minimax value)


@dataclass(frozen=True)
class OrderedTree:
    """A tree made from its value downwards: in a fraction `order` of the nodes the best child is first.

    One child inherits the node's value, the others are worse by 1..spread. order=1 gives Knuth & Moore's
    perfectly ordered tree, order=0 puts the best child anywhere.
    """

    width: int
    depth: int
    seed: int
    order: float = 1.0
    spread: int = 1 << 20
    root: Valued = field(default=(0, 0, 0), init=False)

    def children(self, node: Valued) -> Sequence[Valued]:
        """Return the children with their values."""
        ply, code, value = node
        if ply == self.depth:
            return ()
        draw = mix(mix(mix(self.seed) ^ ply) ^ code)
        sorted_here = (draw & 0xFFFFFFFF) < self.order * (1 << 32)
        best = 0 if sorted_here else (draw >> 32) % self.width
        sign = -1 if ply & 1 else 1
        family = []
        for i in range(self.width):
            loss = 0 if i == best else 1 + mix(draw + i + 1) % self.spread
            family.append((ply + 1, code * self.width + i, value - sign * loss))
        return family

    def value(self, node: Valued) -> int:
        """Return the leaf's value."""
        return node[2]

    def key(self, node: Valued) -> Place:
        """Return the path's code."""
        return node[:2]


@dataclass(frozen=True)
class LayeredDag:
    """A graph of layers: `size` nodes a layer, each with 1..width children in the next.

    As a game tree it is unfolded; in a transposition table the key (layer, node) merges the paths.
    """

    size: int
    width: int
    depth: int
    seed: int
    values: int = 1 << 30
    root: Place = field(default=(0, 0), init=False)

    def children(self, node: Place) -> Sequence[Place]:
        """Return the successors in the next layer (a child may stand twice)."""
        layer, number = node
        if layer == self.depth:
            return ()
        draw = mix(mix(mix(self.seed) ^ layer) ^ number)
        count = 1 + draw % self.width
        return [(layer + 1, mix(draw + i + 1) % self.size) for i in range(count)]

    def value(self, node: Place) -> int:
        """Return the value of a node of the last layer."""
        return (mix(mix(mix(self.seed) ^ node[0]) ^ node[1]) >> 34) * self.values >> 30

    def key(self, node: Place) -> Place:
        """Return layer and number: the same position, however reached."""
        return node


def nested(tree: GameTree[Node]) -> Nested:
    """Write a (small) tree out as nested lists."""
    top: list[Nested] = []
    stack: list[tuple[Node, list[Nested]]] = [(tree.root, top)]
    while stack:
        node, home = stack.pop()
        children = tree.children(node)
        if not children:
            home.append(tree.value(node))
            continue
        family: list[Nested] = []
        home.append(family)
        # The stack reverses twice: brothers are appended to `family` in their order.
        stack.extend((child, family) for child in reversed(children))
    return top[0]
