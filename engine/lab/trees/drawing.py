"""A tree as a small picture (SVG): leaves in a row, every node above the middle of its children."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sssnake.engine.lab.trees.trees import NestedTree

LARGEST = 400  # nodes; a larger tree is described in words
ACROSS, DOWN, MARGIN = 34, 58, 22  # pixels


def picture(tree: "NestedTree") -> str:
    """Draw a tree: MAX nodes are squares, MIN nodes circles; minimax values stand beside the nodes' names."""
    values = tree.minimax_values()
    if len(tree) > LARGEST:
        leaves = len(tree.leaf_number)
        return f"<p>a tree of {len(tree)} nodes, {leaves} leaves, depth {tree.depth}; value {values[0]}</p>"
    xs = columns(tree)
    places = [(MARGIN + ACROSS * xs[node], MARGIN + DOWN * tree.ply[node]) for node in range(len(tree))]
    parts = []
    for node in range(1, len(tree)):
        (x1, y1), (x2, y2) = places[tree.parent[node]], places[node]
        parts.append(f'<path d="M{x1:g} {y1}L{x2:g} {y2}" stroke="#999" fill="none"/>')
    for node, name in enumerate(tree.names()):
        x, y = places[node]
        style = 'fill="#fff" stroke="#666"'
        if tree.ply[node] % 2:
            parts.append(f'<circle cx="{x:g}" cy="{y}" r="11" {style}/>')
        else:
            parts.append(f'<rect x="{x - 10:g}" y="{y - 10}" width="20" height="20" rx="3" {style}/>')
        parts.append(f'<text x="{x:g}" y="{y + 4}" fill="#222">{name}</text>')
        parts.append(f'<text x="{x:g}" y="{y + 25}" fill="#b4541c">{values[node]}</text>')
    width, height = 2 * MARGIN + ACROSS * max(xs), 2 * MARGIN + DOWN * tree.depth + 12
    return (
        f'<svg viewBox="0 0 {width:g} {height}" width="{width:g}" height="{height}" text-anchor="middle" '
        f'font-family="sans-serif" font-size="11">{"".join(parts)}</svg>'
    )


def columns(tree: "NestedTree") -> list[float]:
    """Return the column of every node: 0, 1, ... for the leaves, the middle of its children for another."""
    xs = [float(tree.leaf_number.get(node, 0)) for node in range(len(tree))]
    for node in range(len(tree) - 1, -1, -1):
        if tree.kids[node]:
            xs[node] = (xs[tree.kids[node][0]] + xs[tree.kids[node][-1]]) / 2
    return xs
