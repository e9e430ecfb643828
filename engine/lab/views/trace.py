"""`lab trace`: every OPEN list of SSS*, beside the corresponding move of MTD(+inf)."""

import json
from collections.abc import Callable, Sequence

from sssnake.engine.lab.proofs.shadow import Entry, Move, Turn, follow
from sssnake.engine.lab.trees.trees import INF, NestedTree


def number(value: int) -> str:
    """Write a value; infinity as a sign."""
    return "+∞" if value >= INF else "-∞" if value <= -INF else str(value)


def open_text(entries: Sequence[Entry], names: Sequence[str]) -> str:
    """Write an OPEN list: <a, LIVE, +∞>, <b, SOLVED, 5>."""
    return ", ".join(
        f"<{names[node]}, {'SOLVED' if solved else 'LIVE'}, {number(merit)}>"
        for node, solved, merit in entries
    )


def deed(turn: Turn, move: Move, tree: NestedTree, names: Sequence[str]) -> str:
    """Describe the move of MT that corresponds to this step of SSS*."""
    name, gamma = names[turn.node], number(move.gamma)
    children = tree.kids[turn.node]
    case = turn.step.case
    if case == 4:
        return f"MT({name}, {gamma}): leaf, {tree.values[turn.node]}"
    if case in (5, 6):
        side = "MAX" if case == 6 else "MIN"
        return f"MT({name}, {gamma}): {side}, first {names[children[0]]}"
    if case == 0:
        return f"{name} >= {gamma}: the bounds meet"
    parent = tree.parent[turn.node]
    if case == 2:
        brothers = tree.kids[parent]
        return f"{name} >= {gamma}: next {names[brothers[brothers.index(turn.node) + 1]]}"
    return f"{name} >= {gamma}: so is {names[parent]}"


class Trace:
    """A trace as it comes: one call of `tell` for every move of MT. `emit` takes the lines."""

    def __init__(self, tree: NestedTree, emit: Callable[[str], None]) -> None:
        self.tree = tree
        self.names = tree.names()
        self.emit = emit
        self.steps = 0
        self.passes: list[int] = []
        self.leaves: list[int] = []

    def run(self) -> None:
        """Search, and emit every line as soon as it is known."""
        follow(self.tree, self.tell)
        self.end()

    def tell(self, move: Move, turn: Turn | None) -> None:
        """Take a move of MT and its step of SSS*."""
        if move.number > len(self.passes) and move.node == 0 and move.kind in ("enter", "walk"):
            self.begin_pass(move)
        if turn is not None:
            self.steps += 1
            if turn.step.case == 4:
                self.leaves.append(turn.node)
            self.step(move, turn)
        if move.node == 0 and move.kind == "answer":
            self.passes.append(move.g)
            self.end_pass(move)

    def begin_pass(self, move: Move) -> None:
        """Take the first move of a pass."""

    def step(self, move: Move, turn: Turn) -> None:
        """Take a step of SSS*."""

    def end_pass(self, move: Move) -> None:
        """Take the answer of a pass."""

    def end(self) -> None:
        """Sum up."""


class TextTrace(Trace):
    """Passes as headings, one line a step, MT on the left, OPEN on the right."""

    def __init__(self, tree: NestedTree, emit: Callable[[str], None]) -> None:
        super().__init__(tree, emit)
        name = max(map(len, self.names))
        value = max(2, *(len(str(tree.values[leaf])) for leaf in tree.leaf_number))
        # The longest of "MT(n, v): MAX, first n", "n >= v: the bounds meet", "MT(n, v): leaf, v".
        self.width = name + value + max(19 + name, 21, 14 + value)

    def begin_pass(self, move: Move) -> None:
        """Write the heading."""
        if self.passes:
            self.emit("")
        self.emit(f"pass {move.number}: MT({self.names[0]}, {number(move.gamma)})")

    def step(self, move: Move, turn: Turn) -> None:
        """Write the line."""
        what = f"{deed(turn, move, self.tree, self.names):<{self.width}}"
        states = open_text(turn.open_list, self.names)
        self.emit(f"{self.steps:>4}  case {turn.step.case or '-'}  {what}  {states}")

    def end_pass(self, move: Move) -> None:
        """Write the answer."""
        sign = "<=" if move.g < move.gamma else ">="
        self.emit(f"  returns {move.g}: {self.names[0]} {sign} {move.g}")

    def end(self) -> None:
        """Write the last line."""
        leaves = " ".join(self.names[leaf] for leaf in self.leaves)
        self.emit("")
        self.emit(f"value {self.passes[-1]}, {len(self.passes)} passes, leaves evaluated: {leaves}")


class JsonTrace(Trace):
    """One JSON object a line: the steps, the end of each pass, the result. Infinity is "+inf"."""

    def step(self, move: Move, turn: Turn) -> None:
        """Write a step: OPEN as it stands before it, its case, and the move of MT that does it."""
        self.write(
            {
                "step": self.steps,
                "case": turn.step.case,
                "node": self.names[turn.node],
                "leaf": self.tree.leaf_number.get(turn.node),
                "pass": move.number,
                "gamma": plain(move.gamma),
                "mt": move.kind,
                "open": [
                    [self.names[node], "SOLVED" if solved else "LIVE", plain(merit)]
                    for node, solved, merit in turn.open_list
                ],
            }
        )

    def end_pass(self, move: Move) -> None:
        """Write what the pass proved."""
        bound = "upper" if move.g < move.gamma else "lower"
        self.write({"pass": move.number, "gamma": plain(move.gamma), "returns": move.g, "bound": bound})

    def end(self) -> None:
        """Write the result."""
        leaves = [self.names[leaf] for leaf in self.leaves]
        self.write({"value": self.passes[-1], "passes": self.passes, "leaves": leaves})

    def write(self, what: dict[str, object]) -> None:
        """Write an object."""
        self.emit(json.dumps(what))


def plain(value: int) -> int | str:
    """Return a value for JSON."""
    return "+inf" if value >= INF else "-inf" if value <= -INF else value


def lines(tree: NestedTree) -> list[str]:
    """Return the lines of a trace, for notebooks."""
    found: list[str] = []
    TextTrace(tree, found.append).run()
    return found
