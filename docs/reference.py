"""Writes docs/play/reference.md from the docstrings of the public names: python docs/reference.py

Signatures and fields are those of the sources, so that every version of Python writes the same page.
"""

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import sssnake
from sssnake.engine.player.options import FIELDS, Option

PAGE = Path(__file__).parent / "play" / "reference.md"
HEAD = """# Reference of the Python interface

Made from the docstrings by `python docs/reference.py`. [Python](python.md) is the tutorial,
[recipes](recipes.md) has examples. Import the names from `sssnake`.
"""


def page() -> str:
    """The whole document."""
    parts = [HEAD]
    for name in sssnake.__all__:
        parts += entry(name)
    return "\n".join([*parts, *options()]) + "\n"


def entry(name: str) -> Iterator[str]:
    """One public name: a class with what it has, or a function."""
    found = getattr(sssnake, name)
    source = Path(inspect.getsourcefile(found) or "")
    text = source.read_text(encoding="utf-8")
    node = next(one for one in ast.parse(text).body if getattr(one, "name", "") == name)
    if isinstance(node, ast.FunctionDef):
        yield from function(node, "## ")
    elif isinstance(node, ast.ClassDef):
        yield from class_entry(node, text.splitlines())


def class_entry(node: ast.ClassDef, lines: list[str]) -> Iterator[str]:
    """A class: its docstring, its fields, its public methods and properties."""
    yield f"## {node.name}\n"
    yield docstring(node)
    fields = [one for one in node.body if isinstance(one, ast.AnnAssign)]
    if fields and node.name not in ("OptionValues", "Options"):
        yield "| field | type | |\n|---|---|---|"
        for one in fields:
            remark = lines[one.lineno - 1].partition("  # ")[2].replace("|", "\\|")
            kind = ast.unparse(one.annotation).strip("'").replace("|", "\\|")
            yield f"| `{ast.unparse(one.target)}` | `{kind}` | {remark} |"
        yield ""
    for one in node.body:
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef) and is_public(one):
            yield from function(one, "### ", node.name)


def is_public(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether programs call it by its name."""
    setter = any(isinstance(mark, ast.Attribute) for mark in node.decorator_list)
    return (not node.name.startswith("_") or node.name == "__init__") and not setter


def function(node: ast.FunctionDef | ast.AsyncFunctionDef, level: str, owner: str = "") -> Iterator[str]:
    """A function, method or property."""
    marks = [mark.id for mark in node.decorator_list if isinstance(mark, ast.Name)]
    node.args.args = [one for one in node.args.args if one.arg not in ("self", "cls")]
    name = {"__init__": owner}.get(node.name, f"{owner}.{node.name}" if owner else node.name)
    returns = f" -> {ast.unparse(node.returns)}" if node.returns and node.name != "__init__" else ""
    call = "" if marks and marks[0].endswith("property") else f"({ast.unparse(node.args)})"
    before = "await " if isinstance(node, ast.AsyncFunctionDef) else ""
    signature = f"{before}{name}{call}{returns}".translate({ord("'"): None})
    if node.name == "__init__" and not ast.get_docstring(node) and not node.args.kwarg:
        return  # the class says how it is made
    yield f"{level}{name}\n"
    yield f"```\n{signature.replace('=None', ' = None')}\n```\n"
    if ast.get_docstring(node):
        yield docstring(node)


def docstring(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """A docstring as Markdown: examples become code."""
    paragraphs = (ast.get_docstring(node) or "").split("\n\n")
    shown = [f"```python\n{text}\n```" if text.startswith(">>> ") else text for text in paragraphs]
    return "\n\n".join(shown) + "\n"


def options() -> Iterator[str]:
    """The options as keyword arguments, with their names in UCI."""
    yield "## Options by name\n"
    yield "Keyword arguments of `Engine`, `Engine.configure`, `Options` and `analyse_many`."
    yield "[Options](options.md) says what they do.\n"
    yield "| name | UCI's | type | default | values |\n|---|---|---|---|---|"
    for option in FIELDS.values():
        kind = type(option.default).__name__
        default = repr(option.default).replace("|", "\\|")
        yield f"| `{option.field}` | {option.name} | {kind} | `{default}` | {values(option)} |"


def values(option: Option) -> str:
    """What an option takes."""
    if option.kind == "spin":
        return f"{option.low} to {option.high}"
    return ", ".join(choice.replace("*", "\\*") for choice in option.choices)


def main() -> int:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
