"""Puts small mutants into the sources, one at a time, and sees whether the folder's own tests notice.

    python tests/measure/mutants.py engine/match engine/games --count 20 -o mutants.csv

Works in a copy of the tree. Mutants are drawn at random among all of a folder; a seed gives the same ones,
and the folders take turns. Tests of `engine/X` are those of `tests/X`, without those that measure time or
make packages. The file of the same name is run first, then those that import the module, name it, the others,
until one fails. A mutant is killed if a test fails (the table says which), or if the tests take much longer
than without it. A run that was cut off goes on where it was. Of Cython sources lines are changed by patterns,
and the module is built again, with little optimization.
"""

import argparse
import ast
import csv
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import zip_longest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import pytest
from support.constants import ROOT

from sssnake.engine.match import descendants

PATIENCE = 3  # times the tests' usual time, and so many seconds more: then they hang
SPARE = 60.0
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")
TABLES = ("_fast/evaluation/weights.py",)  # tuned numbers: no one more or less is a fault
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
PATTERNS = (  # of Cython lines: what is found, and what it becomes
    (r" < ", " <= "),
    (r" <= ", " < "),
    (r" > ", " >= "),
    (r" >= ", " > "),
    (r" == ", " != "),
    (r" != ", " == "),
    (r" \+ ", " - "),
    (r" - ", " + "),
    (r" and ", " or "),
    (r" or ", " and "),
    (r" & ", " | "),
    (r"\+= ", "-= "),
    (r"-= ", "+= "),
    (r"\breturn (?!(0|False|NULL)$).+", "return 0"),
    (r"(?<=[ (])(\d+)(?=[\s),:])", "+1"),
)
DECLARATION = re.compile(r"\s*(#|cdef|cpdef|cimport|from|import|def|class|ctypedef|@|\"\"\"|DEF)")


@dataclass(frozen=True)
class Mutant:
    """A change of one place: characters `start` to `end` of a file become `new`."""

    file: str
    line: int
    start: int
    end: int
    new: str
    old: str


def mutants_of_python(file: str, text: str) -> Iterator[Mutant]:
    """All mutants of a Python source."""
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def place(line: int, column: int) -> int:
        """A place in the text; columns of `ast` are bytes."""
        row = text[starts[line - 1] : starts[line]]
        return starts[line - 1] + len(row.encode()[:column].decode())

    for node in walk(ast.parse(text)):
        assert node.end_lineno is not None and node.end_col_offset is not None
        start = place(node.lineno, node.col_offset)
        end = place(node.end_lineno, node.end_col_offset)
        for new in changes(node):
            yield Mutant(file, node.lineno, start, end, new, text[start:end])


def walk(tree: ast.AST) -> Iterator[ast.expr | ast.stmt]:
    """Expressions and statements, without annotations, decorators, docstrings, f-strings and messages."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list") or isinstance(tree, ast.JoinedStr | ast.Raise):
            continue
        if isinstance(tree, ast.keyword) and tree.arg == "strict":  # of `zip`: an assertion
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.expr | ast.stmt):
                yield child
            if isinstance(child, ast.AST):
                yield from walk(child)


def changes(node: ast.expr | ast.stmt) -> Iterator[str]:
    """What may stand in the place of a piece of code."""
    match node:
        case ast.Compare(left, [operator, *rest], others):
            changed = COMPARISONS[type(operator)]()
            yield f"({ast.unparse(ast.Compare(left, [changed, *rest], others))})"
        case ast.BinOp(left, operator, right) if type(operator) in ARITHMETIC and not is_text(left, right):
            yield f"({ast.unparse(ast.BinOp(left, ARITHMETIC[type(operator)](), right))})"
        case ast.BoolOp(operator, values):
            other = ast.Or() if isinstance(operator, ast.And) else ast.And()
            yield f"({ast.unparse(ast.BoolOp(other, values))})"
        case ast.UnaryOp(ast.Not(), operand):
            yield f"({ast.unparse(operand)})"
        case ast.Constant(bool(value)):
            yield str(not value)
        case ast.Constant(int(value)):
            yield from (f"({value + 1})", f"({value - 1})")
        case ast.Call(function, [first, second, *rest], keywords) if not symmetric(function):
            yield ast.unparse(ast.Call(function, [second, first, *rest], keywords))
        case ast.Return(ast.expr() as value) if not (isinstance(value, ast.Constant) and not value.value):
            yield "return None"
        case ast.Expr(ast.Call()) | ast.AugAssign() | ast.Assign([ast.Attribute()]):
            yield "pass"


def symmetric(function: ast.expr) -> bool:
    """Whether the order of the arguments does not matter."""
    return isinstance(function, ast.Name) and function.id in ("min", "max")


def is_text(*nodes: ast.expr) -> bool:
    """Whether one of them is a string."""
    return any(isinstance(node, ast.JoinedStr) or _is_string(node) for node in nodes)


def _is_string(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)


def mutants_of_cython(file: str, text: str) -> Iterator[Mutant]:
    """Mutants of the lines of a Cython source that are neither declarations nor comments."""
    start, quoted = 0, False
    for number, line in enumerate(text.splitlines(keepends=True), 1):
        was_quoted, quoted = quoted, quoted ^ (line.count('"""') % 2 == 1)
        if not (was_quoted or quoted or DECLARATION.match(line)):
            code = line.partition("#")[0].rstrip()
            for pattern, new in PATTERNS:
                for found in re.finditer(pattern, code):
                    put = str(int(found[0]) + 1) if new == "+1" else new
                    first, last = start + found.start(), start + found.end()
                    yield Mutant(file, number, first, last, put, found[0])
        start += len(line)


MAKERS = {".py": mutants_of_python, ".pyx": mutants_of_cython}


def sample(folder: str, count: int, seed: int) -> list[Mutant]:
    """`count` mutants of a folder (or a file)."""
    top, found = ROOT / folder, list[Mutant]()
    files = [top] if top.is_file() else sorted(file for file in top.rglob("*") if file.suffix in MAKERS)
    for file in files:
        name = file.relative_to(ROOT).as_posix()
        if name not in TABLES:
            found += MAKERS[file.suffix](name, file.read_text(encoding="utf-8"))
    return random.Random(f"{seed} {folder}").sample(found, min(count, len(found)))


def tested_by(file: str) -> list[list[str]]:
    """The test files of a source, nearest first: by name, those that import it or name it, others.

    The deepest folder counts that has a folder of tests which import from it: `tests/api` for `analysis/api`,
    but `tests/serve` for `serve/games`. Those of a file that no folder of tests is for (`_fast/clock.pyx`)
    are all that import or name it.
    """
    parts = Path(file).with_suffix("").parts
    own = [name for at, name in enumerate(parts[:-1]) if is_tested_in(".".join(parts[: at + 1]), name)]
    package, name = ".".join(parts[:-1]), parts[-1]
    imports = re.compile(rf"{re.escape(package)}(\.| import .*\b){name}\b")
    groups: list[list[str]] = [[], [], [], []]
    for path in sorted((ROOT / "tests").joinpath(*own[-1:]).rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        near = (path.stem == f"test_{name}", imports.search(text), re.search(rf"\b{name}\b", text), True)
        groups[[bool(sign) for sign in near].index(True)].append(path.relative_to(ROOT).as_posix())
    return [group for group in groups[: 4 if own else 3] if group]


def is_tested_in(package: str, folder: str) -> bool:
    """Whether a folder of tests imports from a package."""
    files = (ROOT / "tests" / folder).rglob("test_*.py")
    return any(package in file.read_text(encoding="utf-8") for file in files)


def run_tests(tree: Path, tests: list[str], limit: float | None = None) -> tuple[str, str]:
    """(verdict, the test that failed): survived, killed or timeout."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-m",
        "not clock and not packages",
        *tests,
    ]
    mark = uuid.uuid4().hex
    with subprocess.Popen(
        command,
        cwd=tree,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
        env={**descendants.marked(mark), "PYTHONPATH": str(tree)},  # programs that tests start elsewhere
    ) as process:
        try:
            said, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            return "timeout", ""
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            descendants.end(mark)
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", said, re.MULTILINE)
    passed = process.returncode in (0, pytest.ExitCode.NO_TESTS_COLLECTED)
    return "survived" if passed else "killed", failed[1] if failed else ""


def build(tree: Path) -> bool:
    """Compile what has changed of the core in a tree. False: that fails."""
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    environment = {**os.environ, "SSSNAKE_PROFILE": "0", "SSSNAKE_OPTIMIZE": "1"}
    return (
        subprocess.run(command, cwd=tree, capture_output=True, check=False, env=environment).returncode == 0
    )


def verdict(mutant: Mutant, tree: Path, tests: list[list[str]], limit: float) -> tuple[str, str]:
    """Put a mutant in, run the tests, take it out. What `run_tests` says, or ("not built", "")."""
    path, compiled = tree / mutant.file, not mutant.file.endswith(".py")
    text = path.read_text(encoding="utf-8")
    assert text[mutant.start : mutant.end] == mutant.old
    kept = {file: (file.read_bytes(), file.stat()) for file in (built_of(mutant, tree) if compiled else [])}
    times = path.stat()
    write(path, text[: mutant.start] + mutant.new + text[mutant.end :])
    try:
        if compiled and not build(tree):
            return "not built", ""
        for group in tests:
            found, by = run_tests(tree, group, limit)
            if found != "survived":
                break
        return found, by
    finally:
        write(path, text)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        for file, (content, stat) in kept.items():
            file.unlink()
            file.write_bytes(content)
            file.chmod(stat.st_mode)
            os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def built_of(mutant: Mutant, tree: Path) -> list[Path]:
    """What is made of a Cython source: its C, object and module, which come back instead of another build."""
    source = Path(mutant.file)
    named = [*(tree / "build").rglob(f"{source.stem}.*"), *(tree / source.parent).glob(f"{source.stem}.*.so")]
    return [file for file in named if file.suffix in (".c", ".o", ".so")]


def write(path: Path, text: str) -> None:
    """Write a source. Python knows compiled ones by second and size, which may be the same as before."""
    for stale in (path.parent / "__pycache__").glob(f"{path.stem}.*"):
        stale.unlink()
    path.write_text(text, encoding="utf-8")


FIELDS = ["file", "line", "start", "end", "old", "new", "verdict", "by"]


def known(output: Path) -> dict[tuple[str, str, str, str], str]:
    """The verdicts that a table has."""
    if not output.exists():
        return {}
    with output.open(newline="", encoding="utf-8") as file:
        rows = csv.DictReader(file)
        return {(row["file"], row["start"], row["end"], row["new"]): row["verdict"] for row in rows}


def measure(mutants: list[Mutant], args: argparse.Namespace, tree: Path, limits: dict[str, float]) -> None:
    """Try all mutants that the table does not have yet, and add them to it."""
    done = known(args.output)
    with args.output.open("a", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, FIELDS)
        if not done:
            table.writeheader()
        for mutant in mutants:
            if (mutant.file, str(mutant.start), str(mutant.end), mutant.new) in done:
                continue
            tests = [args.tests] if args.tests else tested_by(mutant.file)
            found, by = verdict(mutant, tree, tests, limits.get(folder_of(mutant), args.limit))
            table.writerow({**asdict(mutant), "verdict": found, "by": by})
            file.flush()
            print(f"{found:9} {mutant.file}:{mutant.line}: {mutant.old!r} -> {mutant.new!r} {by}", flush=True)


def folder_of(mutant: Mutant) -> str:
    """Whose tests are the mutant's."""
    return Path(tested_by(mutant.file)[0][0]).parent.as_posix()


def usual_times(mutants: list[Mutant], tests: list[str] | None, tree: Path) -> dict[str, float]:
    """Seconds for the tests of each folder. ValueError: they fail without a mutant."""
    times: dict[str, float] = {}
    for mutant in mutants:
        if (folder := folder_of(mutant)) not in times:
            began = time.monotonic()
            found, by = run_tests(tree, tests or [test for group in tested_by(mutant.file) for test in group])
            if found != "survived":
                raise ValueError(f"the tests of {folder} fail without a mutant: {by}")
            times[folder] = time.monotonic() - began
    return times


def main() -> int:
    """Exit status 1: the tests fail without a mutant."""
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("sources", nargs="+", metavar="SOURCE", help="folder or file")
    parser.add_argument("--count", type=int, default=20, help="mutants a source (default 20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="show the mutants, and do nothing")
    parser.add_argument(
        "--tests", nargs="+", metavar="TESTS", help="instead of the folder's own; pytest's arguments"
    )
    parser.add_argument(
        "--limit", type=float, help="seconds for the tests, which are then not run without a mutant first"
    )
    parser.add_argument(
        "--tree", type=Path, help="where the copy is, or will be, and stays; its tests are copied anew"
    )
    parser.add_argument("-o", "--output", type=Path, default=Path("mutants.csv"))
    args = parser.parse_args()
    drawn = [sample(source, args.count, args.seed) for source in args.sources]
    mutants = [mutant for turn in zip_longest(*drawn) for mutant in turn if mutant]
    if args.list:
        for mutant in mutants:
            print(f"{mutant.file}:{mutant.line}: {mutant.old!r} -> {mutant.new!r}")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        tree = args.tree or Path(folder) / "tree"
        if not tree.exists():
            shutil.copytree(ROOT, tree, ignore=LEFT_OUT, symlinks=True)
        shutil.copytree(ROOT / "tests", tree / "tests", ignore=LEFT_OUT, dirs_exist_ok=True)
        try:
            times = {} if args.limit else usual_times(mutants, args.tests, tree)
        except ValueError as problem:
            print(problem, file=sys.stderr)
            return 1
        measure(mutants, args, tree, {name: PATIENCE * usual + SPARE for name, usual in times.items()})
    verdicts = [found for found in known(args.output).values() if found != "not built"]
    killed = len(verdicts) - verdicts.count("survived")
    print(f"{killed} of {len(verdicts)} killed: {100 * killed / max(1, len(verdicts)):.0f} %")
    return 0


if __name__ == "__main__":
    sys.exit(main())
