"""`lab show`: one self-contained page that steps through SSS* and MTD(+inf) on a drawn tree."""

import json
import re
from importlib.resources import files
from pathlib import Path

from engine.lab.proofs.shadow import Move, Turn, side_by_side
from engine.lab.trees.trees import INF, NestedTree, TreeError

BEYOND_DOUBLE = re.compile(r"(?<=[\[:,])(-?\d{16,})(?=[\],}])")  # numbers that JavaScript must call BigInt
LARGEST = 600  # nodes that a page can still show


def finite(value: int) -> int | None:
    """Return the value for JSON, an infinity as null; its sign follows from the place."""
    return value if -INF < value < INF else None


def turn_data(turn: Turn) -> dict[str, object]:
    """Return a step of SSS* for the page."""
    entries = [[node, solved, finite(merit)] for node, solved, merit in turn.open_list]
    return {"open": entries, "node": turn.node, "step": turn.step.case}


def move_data(move: Move) -> dict[str, object]:
    """Return a move of MT for the page; gamma and the bounds say which infinity null is."""
    lower, upper = move.bounds
    return {
        "kind": move.kind,
        "node": move.node,
        "gamma": finite(move.gamma),
        "number": move.number,
        "g": move.g,
        "lower": finite(lower),
        "upper": finite(upper),
        "turn": move.turn,
    }


def data(tree: NestedTree) -> dict[str, object]:
    """Return everything the page shows."""
    told, played = side_by_side(tree)
    ends = {move.number: move for move in played if move.node == 0 and move.kind in ("answer", "know")}
    return {
        "tree": {
            "names": tree.names(),
            "parent": tree.parent,
            "children": tree.kids,
            "ply": tree.ply,
            "values": tree.values,
        },
        "turns": [turn_data(turn) for turn in told],
        "moves": [move_data(move) for move in played],
        "passes": [{"gamma": finite(end.gamma), "g": end.g} for end in ends.values()],
        "value": played[-1].g,
    }


def page(tree: NestedTree) -> str:
    """Return the HTML; TreeError if the tree is too large to be drawn."""
    if len(tree) > LARGEST:
        raise TreeError(f"a tree of {len(tree)} nodes is too large to be drawn; {LARGEST} is the limit")
    template = files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    text = json.dumps(data(tree), separators=(",", ":"))
    text = BEYOND_DOUBLE.sub(r"\1n", text)
    return template.replace("/*DATA*/null", text, 1)


def write(tree: NestedTree, target: str) -> None:
    """Write the page to a file; TreeError if that cannot be done."""
    try:
        Path(target).write_text(page(tree), encoding="utf-8")
    except OSError as error:
        raise TreeError(f"cannot write {target}: {error.strerror}") from None
