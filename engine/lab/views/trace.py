"""`lab trace`: every OPEN list of SSS*, beside the corresponding move of MTD(+inf)."""

from collections.abc import Iterator, Sequence

from engine.lab.proofs.shadow import Entry, Move, Turn, side_by_side
from engine.lab.trees.trees import INF, NestedTree


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


def lines(tree: NestedTree) -> Iterator[str]:
    """Yield the trace: passes as headings, one line a step, MT on the left, OPEN on the right."""
    names = tree.names()
    told, played = side_by_side(tree)
    pairs = [(told[move.turn], move) for move in played if move.turn is not None]
    answers = {move.number: move.g for move in played if move.node == 0 and move.kind in ("know", "answer")}
    deeds = [deed(turn, move, tree, names) for turn, move in pairs]
    width = max(map(len, deeds))
    passed = 0
    for count, (turn, move) in enumerate(pairs, 1):
        while passed < move.number:
            if passed:
                yield f"  returns {answers[passed]}: {names[0]} <= {answers[passed]}"
            passed += 1
            if passed < move.number or count > 1:
                yield ""
            gamma = INF if passed == 1 else answers[passed - 1]
            yield f"pass {passed}: MT({names[0]}, {number(gamma)})"
        what = f"{deeds[count - 1]:<{width}}"
        yield f"{count:>4}  case {turn.step.case or '-'}  {what}  {open_text(turn.open_list, names)}"
    yield f"  returns {answers[passed]}: {names[0]} >= {answers[passed]}"
    yield ""
    leaves = [names[turn.node] for turn in told if turn.step.case == 4]
    yield f"value {answers[passed]}, {passed} passes, leaves evaluated: {' '.join(leaves)}"
