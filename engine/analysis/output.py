"""Where an analysis is written: the table or JSON on standard output, annotated PGN, the report."""

import re
import shutil
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO

from chess.polyglot import MemoryMappedReader

from sssnake.engine.analysis import annotate, report, table
from sssnake.engine.analysis.judge import judge, plural
from sssnake.engine.analysis.mates import settle
from sssnake.engine.analysis.study import Bad, Study
from sssnake.engine.common.files import STANDARD_OUTPUT, File, named, try_outputs, whole
from sssnake.engine.common.messages import one_line, printable

STDOUT = "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"  # as names of outputs


class OutputError(Exception):
    """An output cannot be written: `cause` says which and why. Old files are kept."""

    def __init__(self, cause: OSError) -> None:
        super().__init__(str(cause))
        self.cause = cause


def check_outputs(args: Namespace, inputs: Iterable[File]) -> None:
    """Refuse what cannot be written, a file that is read, and two outputs in one place."""
    outputs = [path for path in (args.output, args.html) if path]
    if len(outputs) == 2 and all(map(is_stdout, outputs)):
        raise ValueError(f"{args.html}: standard output cannot be both outputs")
    try_outputs([STANDARD_OUTPUT if is_stdout(path) else path for path in outputs], inputs)
    if args.json and any(map(is_stdout, outputs)):
        raise ValueError("--json needs standard output for itself: give -o and --html the name of a file")


def is_stdout(path: Path | None) -> bool:
    """Whether an output is standard output, which then has no table."""
    return path is not None and str(path) in STDOUT


class _Stdout:
    """Standard output for bytes."""

    def write(self, data: bytes) -> None:
        """Write at once; OSError. The command ends if nobody reads any more."""
        try:
            with named("standard output"):
                sys.stdout.buffer.write(data)
                sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise SystemExit(0) from None


@contextmanager
def _writing() -> Iterator[None]:
    """Tell errors of writing from those of the input."""
    try:
        yield
    except OSError as error:
        raise OutputError(error) from error


def _gap(copied: str) -> str:
    """What parts a game from one before it that was copied."""
    if not copied or re.search(r"\n\r?\n\Z", copied):
        return ""
    return "\n" if copied.endswith("\n") else "\n\n"


class AnalysisOutput:
    """Where the games are written as they are done. Files keep their old content if one write fails."""

    def __init__(
        self, args: Namespace, tool: str, how: str, book: MemoryMappedReader | None, stack: ExitStack
    ) -> None:
        self.args, self.tool, self.how, self.book, self.stack = args, tool, how, book, stack
        self.good = 0  # games and positions that could be read
        self.partly = ""  # how much of the last game was analysed, if not all of it
        self.shown = 0  # lines of the table of the present game
        self.silent = is_stdout(args.output) or is_stdout(args.html)
        self.pgn, self.html = self._open(args.output), self._open(args.html)
        self.copied = ""  # the game before, in the PGN, if it was copied
        terminal = sys.stdout.isatty()
        self.width = shutil.get_terminal_size().columns if terminal else None
        if self.html:
            names = [printable(Path(name).name) for name in args.input if Path(name).is_file()]
            title = f"Analysis of {', '.join(names)}" if names else "Analysis"
            head, self.tail = report.head_and_tail(title, how)
            self.html.write(head.encode())

    def _open(self, path: Path | None) -> BinaryIO | _Stdout | None:
        if path is None or is_stdout(path):
            return _Stdout() if path else None
        return self.stack.enter_context(whole(path))

    def progress(self, study: Study) -> None:
        """Show the moves whose evaluations are final. OutputError."""
        settled = settle(study)
        if study.moves and settled > 1 and not self.args.json and not self.silent:
            with _writing():
                self._rows(study, table.HEADS + settled - 1)

    def write(self, one: Study | Bad) -> None:
        """Write a game or a position; of a bad one, its error, and its bytes unchanged. OutputError."""
        with _writing():
            if isinstance(one, Bad):
                self._complain(one.message)
                if self.pgn and one.text:
                    self._copy(self.pgn, one.text)
            else:
                self._study(one)

    def _study(self, one: Study) -> None:
        settle(one)
        if one.remark:
            self._complain(one.remark)
        if self.args.json:
            self._print(table.as_json(one, judge(one, self.book)))
        elif not self.silent:
            self._rows(one)
        self.good, self.shown = self.good + 1, 0
        if not one.done:
            done = sum(found is not None for found in one.evaluations)
            self.partly = f"{done} of {plural(len(one.evaluations), 'position')} of {one.title}"
        judged = judge(one, self.book)
        if self.html:
            self.html.write(report.section(one, judged, self.good == 1).encode())
        if self.pgn:
            made = annotate.pgn(one, judged, self.how, self.args.all_lines)
            self.pgn.write(f"{_gap(self.copied)}{made}".encode())
            self.copied = ""

    def _rows(self, study: Study, upto: int | None = None) -> None:
        """Print the lines of the table up to this number (None: all) that are not yet printed."""
        rows = list(table.text(study, judge(study, self.book), self.width))[:upto]
        if self.good and not self.shown:
            self._print("")
        for row in rows[self.shown :]:
            self._print(row)
        self.shown = len(rows)

    def _print(self, line: str) -> None:
        """Print a line. If nobody reads it, files are still written."""
        if self.silent:
            return
        try:
            print(line, flush=True)
        except SystemExit:
            if self.pgn is None and self.html is None:
                raise
            self.silent = True

    def _copy(self, pgn: BinaryIO | _Stdout, raw: str) -> None:
        """Write a game as it was read, to the byte."""
        joined = self.copied.endswith("\n") or raw[0].isspace()  # as they were in the file
        pgn.write(("" if joined else _gap(self.copied)).encode() + raw.encode("utf-8", "surrogateescape"))
        self.copied = raw

    def _complain(self, message: str) -> None:
        print(f"{self.tool}: {one_line(message)}", file=sys.stderr)

    def end(self) -> None:
        """Finish the page."""
        if self.html:
            self.html.write(self.tail.encode())

    def interrupted(self) -> None:
        """Say what was kept."""
        names = " and ".join(printable(str(path)) for path in (self.args.output, self.args.html) if path)
        whole_games = self.good - bool(self.partly)
        found = " and ".join(filter(None, (plural(whole_games, "game") if whole_games else "", self.partly)))
        if not found:
            self._complain(f"interrupted, nothing was found yet{f'; {names}: as before' if names else ''}")
        else:
            self._complain(f"interrupted: {found} {f'kept in {names}' if names else 'shown'}")
