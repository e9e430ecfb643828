"""The layout: which module may import which, how long a module may be, that each has a docstring."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.constants import ROOT

# All lies below the package sssnake. Lowest layer first. A module imports only from lines above its own;
# those on one line do not import each other. A subpackage is one module of its parent, with own layers.
LAYERS = {
    "_fast": """
        types values cpu clock pages mapping
        bits contracts
        board
        evaluation
        search
        drivers training lab
    """,
    "_fast.board": """
        attacks zobrist playable
        position
        checks kpk
        movegen tbindex
        board tbfile
        kbnk
        see perft syzygy
    """,
    "_fast.evaluation": """
        weights netfile bishop_knight
        endings
        pst
        nnue
        evaluate
    """,
    "_fast.search": """
        parameters
        params
        tt history
        picker
        worker
        node
        quiesce updates
        pruning
        reductions
        alphabeta
        root pv
    """,
    "_fast.drivers": """
        bracket mates
        deepening shallow
        helpers
    """,
    "_fast.training": """
        rows neighbours harvest
        samples
        trainer
    """,
    "_fast.lab": """
        treebench turnstile
        treelab
    """,
    "engine": """
        networks common
        player
        jobs
        games
        match selfplay analysis
        training
        tuning
        lab
        uci serve
        commands
        __main__
    """,
    "engine.player": """
        options
        limits
        clock skill wdl drivers evaluation
        result
        resources
        deepening
        search
        stream
        engine
        bench
    """,
    "engine.player.resources": """
        memory book tablebase
        pool
        parts
    """,
    "engine.common": """
        messages progress suggest cleanup
        process
        extras files inputs build
        arguments
    """,
    "engine.jobs": """
        signals
        base
        local cluster
        executor
    """,
    "engine.games": """
        outcome elo epd_reader movetext pgn_cutter
        pgn_reader
        pgn_writer
        adjudication starts gamelog opening_files
        openings
    """,
    "engine.match": """
        windows_job descendants
        child_process
        xboard
        client
        game
        processes
        runner
        report pgn
        match
    """,
    "engine.selfplay": """
        players genfens
        game
        datagen pair
    """,
    "engine.analysis": """
        exporter marks
        segments
        study
        judge mates
        annotate table report
        output api
        analyse
    """,
    "engine.analysis.api": """
        workers
        batch games
    """,
    "engine.training": """
        dataset
        config shards
        trainer content judged
        baselines errors outcomes
        data gauge train
    """,
    "engine.tuning": """
        params texel wdl_model ablation screening
        spsa tdleaf_games regret
        tdleaf wdl_fit
        tune
    """,
    "engine.lab": """
        trees
        searches
        proofs
        chess
        lessons views
        cli exports
        __main__
    """,
    "engine.lab.lessons": """
        hashing horizon printed frames
        exchange repetition remedies
        lessons
    """,
    "engine.lab.trees": """
        deep drawing
        trees
        bounded named
        making
        reading
    """,
    "engine.lab.searches": """
        log memory family
        classic gsearch informed mtd scout stockman printed
        best
    """,
    "engine.lab.proofs": """
        theory shadow notation
        mutants lemmas
        unsurpassed informed
        verify
    """,
    "engine.lab.chess": """
        core tree
        table proof explicit
    """,
    "engine.lab.views": """
        table show solve trace
        plot
    """,
    "engine.uci": """
        output game
        console
        protocol
    """,
    "engine.serve": """
        levels opening_names machine security messages network
        rules watch laboratory
        games
        work
        tab
        app
        serve
    """,
    "engine.serve.network": """
        door listening
    """,
    "engine.serve.games": """
        record
        reading
    """,
    "engine.commands": """
        examples evalspeed perft epd demo book_sources
        book
        cli
    """,
    "engine.networks": "",
    "openings": "",
}
# Top-level packages that a top-level package may import besides itself.
BELOW = {"_fast": [], "openings": [], "engine": ["_fast", "openings"]}

LONGEST = 450  # lines of a module
MOST = 14  # modules of a package

FILES = sorted(
    path
    for package in LAYERS
    for path in (ROOT / package.replace(".", "/")).iterdir()
    if path.suffix in (".py", ".pyx", ".pxd") and path.name != "__init__.py"
)
OLD_NAME = re.compile(
    r"""(?:^|\\n|[;"'])\s*(?:from (?:engine|_fast|networks|openings)(?:\.\w+)* c?import"""
    r"""|c?import (?:engine|_fast|networks|openings)\b)|(["'])-m\1, *["'](?:engine|_fast)\b""",
    re.MULTILINE,
)
CIMPORT = re.compile(r"^\s*(?:from\s+(\S+)\s+c?import\s+([^#\n]+)|c?import\s+([^#\n]+))", re.MULTILINE)

each_file = pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))


def module_of(path: Path) -> str:
    """The dotted name of a module."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def imports(path: Path) -> Iterator[str]:
    """Every module of this project that a file imports, anywhere in it, except for type checking alone."""
    package = module_of(path).rpartition(".")[0]
    text = path.read_text(encoding="utf-8")
    named = python_imports(text, package) if path.suffix == ".py" else cython_imports(text)
    modules = {module_of(file) for file in FILES}
    for full, name in named:
        source = full.removeprefix("sssnake.")
        if source.split(".")[0] in LAYERS and source != full:
            yield f"{source}.{name}" if f"{source}.{name}" in modules else source


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
    """Whether the import leads to a lower layer of the innermost package that holds both."""
    top, below = importer.split(".")[0], imported.split(".")[0]
    if top != below:
        return below in BELOW[top]
    if (importer + ".").startswith(imported + "."):
        return True  # the importer's own package
    both = [package for package in LAYERS if holds(package, importer) and holds(package, imported)]
    shared = max(both, key=len)
    return layer_in(shared, imported) < layer_in(shared, importer)


def holds(package: str, module: str) -> bool:
    """Whether the module lies in the package or in one of its subpackages."""
    return module.startswith(package + ".")


def layer_in(package: str, module: str) -> int:
    """The layer in `package` of `module`, or of the subpackage that holds it; 0 is the lowest."""
    name = module.removeprefix(package + ".").split(".")[0]
    lines = [line.split() for line in LAYERS[package].strip().splitlines()]
    found = [number for number, names in enumerate(lines) if name in names]
    assert found, f"{package}.{name} is missing in LAYERS in {Path(__file__).name}"
    return found[0]


@each_file
def test_imports_point_downward(path: Path) -> None:
    module = module_of(path)
    wrong = [name for name in imports(path) if name != module and not allowed(module, name)]
    assert not wrong, f"{module} must not import {', '.join(wrong)}"


@pytest.mark.parametrize("package", LAYERS)
def test_every_module_has_a_layer_and_no_package_is_too_large(package: str) -> None:
    folder = ROOT / package.replace(".", "/")
    there = {path.stem for path in FILES if path.parent == folder}
    there |= {path.name for path in folder.iterdir() if f"{package}.{path.name}" in LAYERS}
    assert there == set(LAYERS[package].split())
    assert len(there - {"__main__"}) <= MOST


def test_nothing_is_imported_by_an_old_name() -> None:
    """`import _fast.x` would register the compiled `sssnake._fast.x` and spoil the later import of it."""
    folders = ("engine", "_fast", "openings", "sssnake", "tests", "docs", ".ci")
    files = [path for folder in folders for path in (ROOT / folder).rglob("*.p*")]
    files = [
        path for path in files if path.suffix in (".py", ".pyx", ".pxd", ".pyi") and path != Path(__file__)
    ]
    found = [path for path in files if OLD_NAME.search(path.read_text(encoding="utf-8"))]
    assert len(files) > 300 and not found


def test_an_old_name_is_found() -> None:
    for text in (
        "from _fast import cpu",
        "  import engine.lab",
        "cimport _fast.a as a",
        "import networks",
        'code = "import sys\\nfrom engine.common import x"',
        '"-m", "engine"',
    ):
        assert OLD_NAME.search(text), text
    for text in (
        "from sssnake._fast import cpu",
        "import sssnake.engine.lab",
        "from x.engine import y",
        "import chess.engine",
        "from the engine import of",
    ):
        assert not OLD_NAME.search(text), text


@each_file
def test_every_module_says_what_it_is(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        assert ast.get_docstring(ast.parse(text))
    else:
        assert re.match(r'(# |""")\w', text), "the first line must be a comment or docstring"


def test_no_public_class_of_one_name_stands_twice() -> None:
    """A name that two modules use for two things is looked up in the wrong one. The laboratory is a world
    of its own: its searches are textbook code with the words of their sources."""
    where: dict[str, list[str]] = {}
    for path in FILES:
        if path.suffix == ".py" and path.is_relative_to(ROOT / "engine") and "lab" not in path.parts:
            for node in ast.parse(path.read_text(encoding="utf-8")).body:
                if isinstance(node, ast.ClassDef):
                    where.setdefault(node.name, []).append(path.name)
    assert len(where) > 100
    assert not {name: files for name, files in where.items() if len(files) > 1}


@each_file
def test_no_module_is_too_long(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


def test_the_check_finds_a_wrong_import() -> None:
    assert not allowed("_fast.board.movegen", "_fast.search.root")
    assert not allowed("_fast.board.movegen", "engine.uci.protocol")
    assert not allowed("_fast.board.position", "_fast.board.movegen")
    assert not allowed("engine.player.clock", "engine.match.match")
    assert not allowed("engine.lab.trees.trees", "engine.lab.searches.mtd")
    assert allowed("engine.selfplay.pair", "engine.player.engine")
    assert allowed("engine.commands.cli", "engine.lab.cli")
    cython = "from _fast.a cimport (x,\n  y)\ncimport _fast.b as b\nfrom _fast import c\n"
    assert list(cython_imports(cython)) == [
        ("_fast.a", "x"),
        ("_fast.a", "y"),
        ("_fast.b", ""),
        ("_fast", "c"),
    ]
    python = "from ..match import m\nif TYPE_CHECKING:\n import engine.commands\ndef f():\n import engine.uci"
    assert list(python_imports(python, "engine.lab")) == [("engine.match", "m"), ("engine.uci", "")]


def test_headers_of_windows_stand_apart() -> None:
    """windows.h has macros `near`, `far`, `small`: fields of these names would vanish from a struct."""
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "_fast").rglob("*.p[yx][xd]")}
    with_it = [path for path, text in sources.items() if "#include <windows.h>" in text]
    assert len(with_it) >= 3
    for path in with_it:
        assert path.suffix == ".pyx", f"{path} is included by others"
        assert "from sssnake" not in sources[path], path


def test_what_the_thread_sanitizer_leaves_out_exists() -> None:
    """`make races` would report what is meant so, if a function moved and its suppression did not."""
    names = []
    for path in (ROOT / "_fast").rglob("*.p[yx][xd]"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        module = "_".join(f"{len(part)}{part}" for part in ("sssnake", *parts))
        found = re.findall(r"^cdef [^=\n]*?(\w+)\([^)]*\) noexcept nogil:", path.read_text("utf-8"), re.M)
        names += [f"__pyx_f_{module}_{name}" for name in found]
    patterns = re.findall(r"^race:(_fast\w+)$", (ROOT / "tests" / "threads.supp").read_text("utf-8"), re.M)
    assert len(patterns) == 9
    for pattern in patterns:
        assert any(name.endswith(pattern) for name in names), pattern


def test_programs_are_no_tests_and_what_all_name_stands_once() -> None:
    """Soak tests and measurements have folders of their own; the project's folder is counted up to once."""
    tests = ROOT / "tests"
    assert {path.name for path in tests.iterdir() if path.is_file()} == {"conftest.py", "threads.supp"}
    assert not [path for tier in ("soak", "measure") for path in (tests / tier).rglob("test_*")]
    once = re.compile(
        r'parents\[2\]|executable, "-m", "sssnake"\W|"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/P.* 0 1"'
    )
    found = {path for path in tests.rglob("*.py") if once.search(path.read_text(encoding="utf-8"))}
    assert found - {Path(__file__)} == {tests / "support" / "constants.py"}
