"""Reads trees: a JSON nested list, or an array of {"id", "tree"} records that may carry bounds."""

import json
import re
import sys
from codecs import BOM_UTF8
from dataclasses import dataclass
from pathlib import Path
from typing import TypeGuard

from sssnake.engine.common.inputs import read_bytes
from sssnake.engine.lab.trees.bounded import BoundedTree
from sssnake.engine.lab.trees.deep import DEPTH_LIMIT, deeply
from sssnake.engine.lab.trees.named import NAMED
from sssnake.engine.lab.trees.trees import Nested, NestedTree, TreeError

_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]')


@dataclass
class Record:
    """One tree to be searched; `informed` where the record carries bounds."""

    name: object
    tree: NestedTree
    informed: BoundedTree | None = None


def read_text(file: str) -> str:
    """Return the text of a file, or of stdin for "-"; TreeError if it cannot be read."""
    if file == "-" and sys.stdin is None:
        raise TreeError("cannot read -: standard input is closed")
    try:
        data = sys.stdin.buffer.read() if file == "-" else read_bytes(file)
        return data.removeprefix(BOM_UTF8).decode()
    except OSError as error:
        known = f"; trees by name: {', '.join(NAMED)}" if isinstance(error, FileNotFoundError) else ""
        raise TreeError(f"cannot read {file}: {error.strerror}{known}") from None
    except ValueError as error:
        if not isinstance(error, UnicodeDecodeError):  # closed in the meantime; a zero byte in the name
            raise TreeError(f"cannot read {file}: {error}") from None
        raise TreeError(f"{file} is not UTF-8 text") from None


def parse(text: str) -> object:
    """Parse JSON nested up to DEPTH_LIMIT deep; TreeError, one line, on anything else."""
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(match.group(), 0)
        if depth > DEPTH_LIMIT:
            raise TreeError(f"nested too deeply: more than {DEPTH_LIMIT} levels")
    try:
        return deeply(lambda: json.loads(text))
    except json.JSONDecodeError as error:
        raise TreeError(f"malformed JSON: {error}") from None
    except ValueError:
        raise TreeError("malformed JSON: a number of too many digits") from None
    except (RecursionError, MemoryError):
        raise TreeError("nested too deeply for the memory of this machine") from None


def records(data: object) -> list[Record]:
    """Make trees of parsed JSON; TreeError, naming the record, on anything that is no tree."""
    if isinstance(data, dict):
        data = [data]
    if _is_tree(data) and not isinstance(data, list):
        return [Record(None, NestedTree(data))]
    if not isinstance(data, list):
        raise TreeError("a tree is a nested list of integers")
    if not any(isinstance(item, dict) for item in data):
        return [Record(None, NestedTree(data))]
    return [_record(item, number) for number, item in enumerate(data, 1)]


def read_records(file: str) -> list[Record]:
    """Read a file (or stdin, "-") of trees; a name of NAMED is that tree, where no file is called so."""
    if file in NAMED and not Path(file).exists():
        return [Record(file, NAMED[file].tree)]
    return records(parse(read_text(file)))


def read_tree(file: str) -> NestedTree:
    """Read a file (or stdin, "-") that holds one tree."""
    found = read_records(file)
    if len(found) != 1:
        raise TreeError(f"one tree is wanted, {len(found)} were given")
    return found[0].tree


def _is_tree(data: object) -> TypeGuard[Nested]:
    """Whether this may be a tree: a list, whatever it holds, or a bare leaf."""
    return isinstance(data, list) or type(data) is int


def _record(item: object, number: int) -> Record:
    if not isinstance(item, dict):
        raise TreeError(f"record {number}: an object with a tree is wanted")
    name = item.get("id")
    label = f"record {number}" if name is None else f"record {number} ({str(name)[:40]})"
    if item.get("root", "MAX") != "MAX":
        raise TreeError(f"{label}: the root must be MAX")
    nested = item.get("tree")
    if not _is_tree(nested):
        raise TreeError(f"{label}: a tree is a nested list of integers")
    try:
        informed = BoundedTree(nested, _pairs(item["bounds"])) if "bounds" in item else None
        return Record(name, NestedTree(nested) if informed is None else informed, informed)
    except TreeError as error:
        raise TreeError(f"{label}: {error}") from None


def _pairs(bounds: object) -> list[list[int]]:
    """Check that `bounds` is a list of pairs of integers."""
    if isinstance(bounds, list) and all(
        isinstance(pair, list) and len(pair) == 2 and type(pair[0]) is type(pair[1]) is int for pair in bounds
    ):
        return bounds
    raise TreeError("bounds are a list of [lower, upper], one pair of integers a node, in preorder")
