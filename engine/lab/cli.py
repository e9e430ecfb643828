"""`sssnake lab ...`: the laboratory's command line. Each subcommand imports what it needs when it runs."""

import argparse
import os
import sys
from collections.abc import Iterable
from typing import NoReturn, TypeVar

from .trees import TreeError

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
    return top


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


def run_verify(arguments: argparse.Namespace) -> int:
    """Check the properties; 1 if one is violated."""
    from . import verify

    sound = True
    for holds, line in verify.report(arguments.trees, arguments.seed, progress):
        print(f"{'ok  ' if holds else 'FAIL'}  {line}", flush=True)
        sound = sound and holds
    return 0 if sound else 1
