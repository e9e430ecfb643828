"""The arrows and measures of the house: who imports whom, how long a room is, that each says what it is."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

# Bottom first. A room imports only from lines above its own; rooms on one line do not know each other.
# A subpackage stands in its parent's list as one room, and has a list of its own.
LAYERS = {
    "_fast": """
        types treebench cpu pages mapping
        bits params weights playable netfile rows treelab
        attacks zobrist
        position
        checks kpk
        endings
        movegen tbindex
        board tbfile
        see perft tables tt history syzygy
        nnue
        evaluate
        picker
        worker
        node
        quiesce
        rules
        alphabeta
        search mateline mates neighbours harvest
        bracket
        helpers
        samples
        trainer
    """,
    "engine": """
        options memory process extras
        limits
        clock skill wdl book tablebase drivers evaluation
        pool
        thinking
        searcher
        tools
        lab
        output game
        console
        uci
        cli
    """,
    "engine.tools": """
        arguments bootstrap elo files status child_process crew outcome epd_reader pgn_reader
        gamelog opening_files uci_client bench perft demo bundle
        match_openings match_game
        cluster stable params
        jobs
        book_sources match_runner datagen winrate dataset evalspeed
        book genfens match_report match_pgn epd texel shards train_config duel
        match lessons training worth spsa screen data
        regret
        baselines tdleaf
        train tune
    """,
    "engine.lab": """
        deep trees
        family log memory
        classic gsearch informed mtd scout stockman theory
        best chess_core chess_tree mutants reading shadow table unsurpassed
        chess_table show solve trace verify
        chess_proof plot
        cli
        __main__
    """,
    "networks": "",
    "openings": "",
}
# What a package may import besides itself.
BELOW = {"_fast": [], "networks": [], "openings": [], "engine": ["_fast", "networks", "openings"]}

SHORTEST, LONGEST = 30, 450  # lines
SHORT_ROOMS = {"_fast/cpu", "engine/evaluation", "engine/lab/__main__", "engine/tools/tune"}
LONG_ROOMS: set[str] = set()

FILES = sorted(
    path
    for package in LAYERS
    for path in (ROOT / package.replace(".", "/")).iterdir()
    if path.suffix in (".py", ".pyx", ".pxd") and path.name != "__init__.py"
)
CIMPORT = re.compile(r"^\s*(?:from\s+(\S+)\s+c?import\s+([^#\n]+)|c?import\s+([^#\n]+))", re.MULTILINE)

each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))


def module_of(path: Path) -> str:
    """The dotted name of a room."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def layer(module: str) -> tuple[str, int]:
    """Package and layer of a module, the layer counted from the bottom."""
    package = max((p for p in LAYERS if module.startswith(p + ".")), key=len)
    room = module.removeprefix(package + ".").split(".")[0]
    lines = [line.split() for line in LAYERS[package].strip().splitlines()]
    found = [number for number, rooms in enumerate(lines) if room in rooms]
    assert found, f"{module} has no place in the list of layers at the head of {Path(__file__).name}"
    return package, found[0]


def imports(path: Path) -> Iterator[str]:
    """Every module of ours that a file names in an import, wherever in the file, but for types alone."""
    package = module_of(path).rpartition(".")[0]
    text = path.read_text(encoding="utf-8")
    named = python_imports(text, package) if path.suffix == ".py" else cython_imports(text)
    rooms = {module_of(file) for file in FILES}
    for source, name in named:
        if source.split(".")[0] in LAYERS:
            yield f"{source}.{name}" if f"{source}.{name}" in rooms else source


def python_imports(text: str, package: str) -> Iterator[tuple[str, str]]:
    """(module, name) of each import; those under TYPE_CHECKING are no dependencies."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            node.body = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) + 1 - node.level] if node.level else []
            source = ".".join([*parents, *filter(None, [node.module])])
            yield from ((source, alias.name) for alias in node.names)


def cython_imports(text: str) -> Iterator[tuple[str, str]]:
    """(module, name) of each import and cimport."""
    text = re.sub(r"\(([^()]*)\)", lambda group: group[1].replace("\n", " "), text)
    for source, names, modules in CIMPORT.findall(text):
        for name in (names or modules).split(","):
            name = name.split(" as ")[0].strip()
            yield (source, name) if source else (name, "")


def allowed(importer: str, imported: str) -> bool:
    """Whether the arrow points downward."""
    top, below = importer.split(".")[0], imported.split(".")[0]
    if top != below:
        return below in BELOW[top]
    if imported in LAYERS:
        return True  # the package itself: its version, its folder
    (package, height), (other, depth) = layer(importer), layer(imported)
    if package != other:  # compare them in the package that they share, where a subpackage is one room
        shared = package if other.startswith(package) else other if package.startswith(other) else top
        height, depth = height_in(shared, importer), height_in(shared, imported)
    return depth < height


def height_in(package: str, module: str) -> int:
    """The layer, in `package`, of the room or subpackage that holds `module`."""
    return layer(".".join(module.split(".")[: package.count(".") + 2]))[1]


@each_file
def test_imports_point_downward(path: Path) -> None:
    module = module_of(path)
    wrong = [name for name in imports(path) if name != module and not allowed(module, name)]
    assert not wrong, f"{module} must not import {', '.join(wrong)}"


@each_file
def test_every_room_has_its_place(path: Path) -> None:
    layer(module_of(path))


@each_file
def test_every_room_says_what_it_is(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        assert ast.get_docstring(ast.parse(text))
    else:
        assert re.match(r'(# |""")\w', text), "the first line must be a comment or docstring"


@each_file
def test_rooms_are_neither_halls_nor_cupboards(path: Path) -> None:
    pair = [other for other in FILES if other.with_suffix("") == path.with_suffix("")]
    lengths = [len(other.read_text(encoding="utf-8").splitlines()) for other in pair]
    assert (sum(lengths) < SHORTEST) == (str(path.relative_to(ROOT).with_suffix("")) in SHORT_ROOMS), lengths
    own = lengths[pair.index(path)]
    assert (own > LONGEST) == (str(path.relative_to(ROOT)) in LONG_ROOMS), f"{own} lines"


def test_the_readme_draws_the_house_as_it_is() -> None:
    picture = (ROOT / "README.md").read_text(encoding="utf-8").partition("## The house")[2]
    missing = {path.stem for path in FILES if path.parent.name in ("_fast", "engine")}
    missing -= set(re.findall(r"\w+", picture))
    assert not missing, f"README.md shows no room for {', '.join(sorted(missing))}"


def test_the_checks_see_a_wrong_arrow() -> None:
    assert not allowed("_fast.movegen", "_fast.search")
    assert not allowed("_fast.movegen", "engine.uci")
    assert not allowed("engine.clock", "engine.tools.match")
    assert not allowed("engine.tools.match", "engine.uci")
    assert allowed("engine.tools.match", "engine.searcher")
    assert allowed("engine.cli", "engine.lab.cli")
    cython = "from _fast.a cimport (x,\n  y)\ncimport _fast.b as b\nfrom _fast import c\n"
    assert list(cython_imports(cython)) == [
        ("_fast.a", "x"), ("_fast.a", "y"), ("_fast.b", ""), ("_fast", "c"),
    ]
    python = "from ..tools import m\nif TYPE_CHECKING:\n import engine.cli\ndef f():\n import engine.uci"
    assert list(python_imports(python, "engine.lab")) == [("engine.tools", "m"), ("engine.uci", "")]
