"""`lab show`: one self-contained page about a tree. It is put together from the files in page/.

The page searches the tree itself, in JavaScript, so that it can be edited there; here it gets the tree alone.
"""

import json
import tempfile
import webbrowser
from importlib.resources import files
from pathlib import Path

from sssnake.engine.common.files import save_text
from sssnake.engine.lab.chess.explicit import LARGEST, ChessTreeData
from sssnake.engine.lab.trees.making import text
from sssnake.engine.lab.trees.named import NAMED
from sssnake.engine.lab.trees.trees import NestedTree, TreeError

SCRIPTS = (
    "tree.js",
    "search.js",
    "gsearch.js",
    "replay.js",
    "draw.js",
    "race.js",
    "gview.js",
    "exercise.js",
    "windows.js",
    "deepening.js",
    "app.js",
)  # in this order
DEEPEST = 1000  # plies: the page's searches are recursive


def source(name: str) -> str:
    """Return a file of the page."""
    return files(__package__).joinpath("page", name).read_text(encoding="utf-8")


def script(*names: str) -> str:
    """Return scripts of the page as one."""
    return "\n".join(source(name) for name in names)


def page(tree: NestedTree, chess: ChessTreeData | None = None) -> str:
    """Return the HTML, one file that needs nothing else; TreeError if the tree is too large to be drawn."""
    html = source("index.html").replace("/*STYLE*/", source("style.css"), 1)
    html = html.replace("/*SCRIPT*/", script(*SCRIPTS), 1)
    return html.replace("/*DATA*/", data(tree, chess), 1)


def served(tree: NestedTree, chess: ChessTreeData | None, folder: str) -> str:
    """Return the HTML for a server that allows no inline scripts: style.css and page.js are in a folder."""
    html = source("index.html")
    style, code = "<style>\n/*STYLE*/\n</style>", "<script>\n/*SCRIPT*/\n</script>"
    links = f'<link rel="icon" href="icon.svg">\n<link rel="stylesheet" href="{folder}/style.css">'
    html = html.replace(style, links, 1)
    html = html.replace(code, f'<script src="{folder}/page.js"></script>', 1)
    return html.replace("/*DATA*/", data(tree, chess), 1)


def data(tree: NestedTree, chess: ChessTreeData | None) -> str:
    """Return what the page is about, as JSON that may stand in HTML."""
    if len(tree) > LARGEST:
        raise TreeError(f"a tree of {len(tree)} nodes is too large to be drawn; {LARGEST} is the limit")
    if tree.depth > DEEPEST:
        raise TreeError(f"a tree of {tree.depth} plies is too deep to be drawn; {DEEPEST} is the limit")
    trees = {name: {"tree": json.dumps(each.nested), "about": each.about} for name, each in NAMED.items()}
    found: dict[str, object] = {"tree": text(tree).strip(), "chess": None, "trees": trees}
    if chess is not None:
        fields = ("fen", "depth", "rules", "moves", "boards", "keys", "log", "passes")
        found["chess"] = {name: getattr(chess, name) for name in fields}
    return json.dumps(found, separators=(",", ":")).replace("<", "\\u003c")


def open_in_browser(html: str) -> str:
    """Write the page to a new temporary file, open it in the user's browser, and return its address."""
    file = Path(tempfile.mkdtemp(prefix="sssnake-lab-")) / "lab.html"
    save_text(file, html)
    webbrowser.open(file.as_uri())
    return file.as_uri()
