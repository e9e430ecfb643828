"""Puts small mutants into the sources, one at a time, and sees whether the folder's own tests notice.

    python tests/measure/mutants.py engine/match engine/games --count 20 -o mutants.csv

Works in a copy of the tree. The mutants of a folder are drawn at random, and evenly from its files; a seed
gives the same ones. Tests of `engine/X` are those of `tests/X`. A run that was cut off goes on where it was.
A mutant is killed if a test fails, or if the tests do not end in time. Of Cython sources lines are changed by
patterns, and the core is built again.
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
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", ".hypothesis")
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
PATTERNS = (  # of Cython lines: what is found, and what it becomes
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "),
    (r" != ", " == "), (r" \+ ", " - "), (r" - ", " + "), (r" and ", " or "), (r" or ", " and "),
    (r" & ", " | "), (r"\+= ", "-= "), (r"-= ", "+= "), (r"\breturn .+", "return 0"),
    (r"(?<=[ (])(\d+)(?=[\s),:])", "+1"),
)  # fmt: skip
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
        case ast.Call(function, [first, second, *rest], keywords):
            yield ast.unparse(ast.Call(function, [second, first, *rest], keywords))
        case ast.Return(ast.expr()):
            yield "return None"
        case ast.Expr(ast.Call()) | ast.AugAssign() | ast.Assign([ast.Attribute()]):
            yield "pass"


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


def sample(folder: str, count: int, seed: int) -> list[Mutant]:
    """`count` mutants of a folder (or a file), drawn in turn from each of its files."""
    rng, top = random.Random(f"{seed} {folder}"), ROOT / folder
    files = (
        [top] if top.is_file() else sorted(file for file in top.rglob("*") if file.suffix in (".py", ".pyx"))
    )
    heaps = []
    for file in files:
        mutants = mutants_of_python if file.suffix == ".py" else mutants_of_cython
        heap = list(mutants(file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8")))
        rng.shuffle(heap)
        heaps.append(heap)
    drawn: list[Mutant] = []
    while len(drawn) < count and any(heaps):
        drawn += [heap.pop() for heap in heaps if heap]
    return drawn[:count]


def tested_by(file: str) -> str:
    """The folder of the tests of a source."""
    parts = Path(file).parts
    folder = Path("tests") / (parts[1] if len(parts) > 2 else parts[0])
    return folder.as_posix()


def run_tests(tree: Path, tests: list[str], limit: float) -> str:
    """killed, survived, or timeout."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    with subprocess.Popen(
        command, cwd=tree, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    ) as process:
        try:
            return "survived" if process.wait(limit) == 0 else "killed"
        except subprocess.TimeoutExpired:
            return "timeout"
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def build(tree: Path) -> bool:
    """Compile the core in a tree. False: that fails."""
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    environment = {**os.environ, "SSSNAKE_PROFILE": "0"}
    return (
        subprocess.run(command, cwd=tree, capture_output=True, check=False, env=environment).returncode == 0
    )


def verdict(mutant: Mutant, tree: Path, tests: list[str], limit: float) -> str:
    """Put a mutant in, run the tests, take it out."""
    path, compiled = tree / mutant.file, not mutant.file.endswith(".py")
    text = path.read_text(encoding="utf-8")
    assert text[mutant.start : mutant.end] == mutant.old
    path.write_text(text[: mutant.start] + mutant.new + text[mutant.end :], encoding="utf-8")
    try:
        if compiled and not build(tree):
            return "not built"
        return run_tests(tree, tests, limit)
    finally:
        path.write_text(text, encoding="utf-8")
        if compiled:
            build(tree)


def known(output: Path) -> set[tuple[str, str, str, str]]:
    """The mutants that a table has."""
    if not output.exists():
        return set()
    with output.open(newline="", encoding="utf-8") as file:
        return {(row["file"], row["start"], row["end"], row["new"]) for row in csv.DictReader(file)}


def measure(mutants: list[Mutant], args: argparse.Namespace, tree: Path) -> None:
    """Try all mutants that the table does not have yet, and add them to it."""
    done = known(args.output)
    with args.output.open("a", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, ["file", "line", "start", "end", "old", "new", "verdict"])
        if not done:
            table.writeheader()
        for mutant in mutants:
            if (mutant.file, str(mutant.start), str(mutant.end), mutant.new) in done:
                continue
            tests = args.tests or [tested_by(mutant.file)]
            found = verdict(mutant, tree, tests, args.limit)
            table.writerow({**asdict(mutant), "verdict": found})
            file.flush()
            print(f"{found:9} {mutant.file}:{mutant.line}: {mutant.old!r} -> {mutant.new!r}", flush=True)


def main() -> int:
    """Exit status 1: the tests fail without a mutant."""
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("sources", nargs="+", metavar="SOURCE", help="folder or file")
    parser.add_argument("--count", type=int, default=20, help="mutants a source (default 20)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=600, help="seconds for the tests of a mutant")
    parser.add_argument(
        "--tests", nargs="+", metavar="TESTS", help="instead of the folder's own; pytest's arguments"
    )
    parser.add_argument("-o", "--output", type=Path, default=Path("mutants.csv"))
    args = parser.parse_args()
    mutants = [mutant for source in args.sources for mutant in sample(source, args.count, args.seed)]
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        shutil.copytree(ROOT, tree, ignore=LEFT_OUT, symlinks=True)
        for tests in (
            [args.tests] if args.tests else [[name] for name in sorted({tested_by(m.file) for m in mutants})]
        ):
            if run_tests(tree, tests, args.limit) != "survived":
                print(f"{' '.join(tests)} fails, or takes too long, without a mutant", file=sys.stderr)
                return 1
        measure(mutants, args, tree)
    return 0


if __name__ == "__main__":
    sys.exit(main())
