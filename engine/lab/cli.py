"""`sssnake lab ...`: the laboratory's command line. Each subcommand imports what it needs when it runs."""

import argparse
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn, TypeVar

from .trees import TreeError

if TYPE_CHECKING:
    from .table import Row

T = TypeVar("T")


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaint is one line."""

    def error(self, message: str) -> NoReturn:
        """Print the complaint and exit with status 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def main(argv: list[str]) -> int:
    """Run one subcommand; return the exit status: 0 done, 1 a property is violated, 2 bad input."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")
    try:
        arguments = parser().parse_args(argv)
        return int(arguments.run(arguments))
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else 2
    except TreeError as error:
        print(f"sssnake lab: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader has gone; nothing more can be said, not even by Python's own flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def parser() -> argparse.ArgumentParser:
    """Describe every subcommand."""
    top = Parser(
        prog="sssnake lab", description="The laboratory: SSS*, MTD and their relatives on game trees."
    )
    commands = top.add_subparsers(dest="command", required=True, parser_class=Parser)

    solve = commands.add_parser("solve", help="search trees, one JSON object a line")
    solve.add_argument("--algorithm", required=True, metavar="NAME[,NAME..]|all")
    solve.add_argument("file", nargs="?", default="-", help="JSON trees; - for stdin")
    solve.set_defaults(run=run_solve)

    verify = commands.add_parser("verify", help="check every property on fresh random trees")
    verify.add_argument("--trees", type=positive, default=500, metavar="N")
    verify.add_argument("--seed", type=int, default=1, metavar="S")
    verify.set_defaults(run=run_verify)

    trace = commands.add_parser("trace", help="every OPEN list of SSS*, beside the pass of MT doing the same")
    trace.add_argument("file", help="a JSON tree; - for stdin")
    trace.set_defaults(run=run_trace)

    show = commands.add_parser("show", help="write a page that steps through SSS* and MTD(+inf)")
    show.add_argument("tree", help="a JSON tree; - for stdin")
    show.add_argument("-o", dest="output", required=True, metavar="OUT.html")
    show.set_defaults(run=run_show)

    table = commands.add_parser("table", help="leaves, nodes and passes on uniform random trees")
    table.add_argument("--csv", metavar="FILE", help="write the table as CSV, too")
    table.add_argument("--markdown", metavar="FILE", help="write the Markdown to a file instead of stdout")
    table.set_defaults(run=run_table)
    plot = commands.add_parser("plot", help="the same as a picture")
    plot.add_argument("--png", metavar="FILE", required=True)
    plot.add_argument(
        "--measure", choices=["leaves", "evaluations", "nodes", "passes", "entries"], default="leaves"
    )
    plot.set_defaults(run=run_plot)
    for command in (table, plot):
        add_settings(command)
    return top


def add_settings(command: argparse.ArgumentParser) -> None:
    """Add what `table` and `plot` vary: every combination of shape, order and slots is tried."""
    command.add_argument(
        "--shape", type=shape, nargs="+", metavar="WxD", help="default: those of the literature"
    )
    command.add_argument("--trees", type=positive, default=40, metavar="N", help="trees a setting")
    command.add_argument("--seed", type=int, default=1, metavar="S")
    command.add_argument(
        "--order", type=float, nargs="+", default=[0.0], metavar="P", help="fraction of sorted nodes"
    )
    command.add_argument(
        "--slots", type=int, nargs="+", default=[0], metavar="N", help="table size; 0: unbounded"
    )
    command.add_argument("--algorithms", default="all", metavar="NAME[,NAME..]")


def shape(text: str) -> tuple[int, int]:
    """Parse WIDTHxDEPTH."""
    width, _, depth = text.partition("x")
    return positive(width), positive(depth)


def positive(text: str) -> int:
    """Parse a positive integer."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a positive integer is wanted, not {text!r}")
    return int(text)


def progress(items: Iterable[T]) -> Iterable[T]:
    """Yield the items behind a progress bar, on a terminal, if tqdm is installed."""
    if sys.stderr.isatty():
        try:
            from tqdm import tqdm
        except ImportError:
            return items
        bar: Iterable[T] = tqdm(items, leave=False)
        return bar
    return items


def run_solve(arguments: argparse.Namespace) -> int:
    """Search the trees of a file."""
    from . import reading, solve

    for line in solve.lines(reading.read_records(arguments.file), arguments.algorithm):
        print(line)
    return 0


def run_trace(arguments: argparse.Namespace) -> int:
    """Print the trace of a tree."""
    from . import reading, trace
    from .deep import deeply

    tree = reading.read_tree(arguments.file)
    for line in deeply(lambda: list(trace.lines(tree))):
        print(line)
    return 0


def run_show(arguments: argparse.Namespace) -> int:
    """Write the page of a tree."""
    from . import reading, show
    from .deep import deeply

    tree = reading.read_tree(arguments.tree)
    deeply(lambda: show.write(tree, arguments.output))
    return 0


def compared(arguments: argparse.Namespace) -> "list[Row]":
    """Search the trees that `table` and `plot` are about."""
    from . import table

    names = list(table.SEARCHES) if arguments.algorithms == "all" else arguments.algorithms.split(",")
    for name in names:
        if name not in table.SEARCHES:
            raise TreeError(f"unknown algorithm {name!r}; known: {', '.join(table.SEARCHES)}")
    rows = []
    for setting in table.settings(arguments.shape or table.SHAPES, arguments.order, arguments.slots):
        rows += table.compare(setting, names, arguments.trees, arguments.seed, progress)
    return rows


def run_table(arguments: argparse.Namespace) -> int:
    """Print, or write, a table."""
    from . import table

    rows = compared(arguments)
    if arguments.csv:
        write(arguments.csv, table.comma_separated(rows))
    if arguments.markdown:
        write(arguments.markdown, table.markdown(rows))
    else:
        print(table.markdown(rows), end="")
    return 0


def run_plot(arguments: argparse.Namespace) -> int:
    """Draw a picture."""
    from . import plot

    plot.draw(compared(arguments), arguments.png, arguments.measure)
    return 0


def write(file: str, text: str) -> None:
    """Write a text file; TreeError if that cannot be done."""
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise TreeError(f"cannot write {file}: {error.strerror}") from None


def run_verify(arguments: argparse.Namespace) -> int:
    """Check the properties; 1 if one is violated."""
    from . import verify

    sound = True
    for holds, line in verify.report(arguments.trees, arguments.seed, progress):
        print(f"{'ok  ' if holds else 'FAIL'}  {line}", flush=True)
        sound = sound and holds
    return 0 if sound else 1
