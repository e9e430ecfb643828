"""Writes the reference in docs/play/ from the docstrings of the public names: python docs/reference.py

Signatures and fields are those of the sources, so that every version of Python writes the same page.
"""

import ast
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import sssnake
from sssnake.engine.player.options import FIELDS, Option

Function = ast.FunctionDef | ast.AsyncFunctionDef
FOLDER = Path(__file__).parent / "play"
# File -> title, what it is about, the names it describes.
PAGES = {
    "reference.md": (
        "Reference: the engine",
        "How a program calls it.",
        ("Engine",),
    ),
    "reference-options.md": (
        "Reference: limits and options",
        "What a search may use, and how an engine is set.",
        ("Limits", "Options", "OptionValues"),
    ),
    "reference-searches.md": (
        "Reference: searches, games, many positions",
        "Searches under way, and functions that use engines of their own.",
        ("Search", "Analysis", "analyse", "GameAnalysis", "analyse_many", "Analysed", "Evaluated"),
    ),
    "reference-results.md": (
        "Reference: results",
        "What a search gives back, and what callbacks are told.",
        ("Result", "Info", "Score", "Pass"),
    ),
}
HEAD = """# {title}

{about} Import the names from `sssnake`. Made from the docstrings by `python docs/reference.py`.
Other pages: the [tutorial](python.md), {others}.
"""


def pages() -> dict[str, str]:
    """Every page of the reference: file name -> text."""
    assert sorted(name for *_, names in PAGES.values() for name in names) == sorted(sssnake.__all__)
    return {file: page(file) for file in PAGES}


def page(file: str) -> str:
    """One of them."""
    title, about, names = PAGES[file]
    links = [f"[{other[0].partition(': ')[2]}]({name})" for name, other in PAGES.items() if name != file]
    parts = [HEAD.format(title=title, about=about, others=", ".join(links))]
    for name in names:
        parts += entry(name)
    if "Options" in names:
        parts += options()
    return "\n".join(parts) + "\n"


def entry(name: str) -> Iterator[str]:
    """One public name: a class with what it has, or a function."""
    found = getattr(sssnake, name)
    source = Path(inspect.getsourcefile(found) or "")
    text = source.read_text(encoding="utf-8")
    node = next(one for one in ast.parse(text).body if getattr(one, "name", "") == name)
    if isinstance(node, ast.FunctionDef):
        yield f"## {name}\n"
        yield from function(node)
    elif isinstance(node, ast.ClassDef):
        yield from class_entry(node, text.splitlines())


def class_entry(node: ast.ClassDef, lines: list[str]) -> Iterator[str]:
    """A class: its docstring, its fields and properties, its public methods."""
    yield f"## {node.name}\n"
    yield docstring(node)
    rows = [field(one, lines) for one in node.body if isinstance(one, ast.AnnAssign)]
    public = [one for one in node.body if isinstance(one, Function) and is_public(one)]
    if node.name in ("OptionValues", "Options"):  # see `options`
        rows = []
    rows += [property_row(one) for one in public if is_property(one)]
    if rows:
        yield "\n".join(["| field | type | |\n|---|---|---|", *rows, ""])
    for one in public:
        if not is_property(one):
            yield from function(one, node.name)


def field(node: ast.AnnAssign, lines: list[str]) -> str:
    """The row of a field, with the comment behind it."""
    return row(ast.unparse(node.target), node.annotation, lines[node.lineno - 1].partition("  # ")[2])


def property_row(node: Function) -> str:
    """The row of a property, with its docstring."""
    assert node.returns
    return row(node.name, node.returns, " ".join((ast.get_docstring(node) or "").split()))


def row(name: str, annotation: ast.expr, remark: str) -> str:
    """A row of a table of fields."""
    kind = ast.unparse(Unquoted().visit(annotation))
    kind, remark = (text.replace("|", "\\|") for text in (kind, remark))
    return f"| `{name}` | `{kind}` | {remark} |"


class Unquoted(ast.NodeTransformer):
    """Annotations without the quotation marks that keep them from being evaluated."""

    def visit_Constant(self, node: ast.Constant) -> ast.expr:
        """A string is an expression."""
        return ast.parse(node.value, mode="eval").body if isinstance(node.value, str) else node


def is_public(node: Function) -> bool:
    """Whether programs call it by its name."""
    setter = any(isinstance(mark, ast.Attribute) for mark in node.decorator_list)
    return (not node.name.startswith("_") or node.name == "__init__") and not setter


def is_property(node: Function) -> bool:
    """Whether it is read like a field."""
    return any(isinstance(mark, ast.Name) and mark.id.endswith("property") for mark in node.decorator_list)


def function(node: Function, owner: str = "") -> Iterator[str]:
    """A function or method: how it is called, and its docstring."""
    if node.name == "__init__" and not ast.get_docstring(node) and not node.args.kwarg:
        return  # the class says how it is made
    node.args.args = [one for one in node.args.args if one.arg not in ("self", "cls")]
    for one in (*node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg):
        if one and one.annotation:
            one.annotation = Unquoted().visit(one.annotation)
    name = {"__init__": owner}.get(node.name, f"{owner}.{node.name}" if owner else node.name)
    returns = f" -> {ast.unparse(Unquoted().visit(node.returns))}" if node.returns else ""
    before = "await " if isinstance(node, ast.AsyncFunctionDef) else ""
    call = f"{before}{name}({ast.unparse(node.args)}){'' if node.name == '__init__' else returns}"
    yield f"**`{call.replace('=None', ' = None')}`**\n"
    if ast.get_docstring(node):
        yield docstring(node)


def docstring(node: ast.ClassDef | Function) -> str:
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
    """Write the pages."""
    for file, text in pages().items():
        (FOLDER / file).write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
