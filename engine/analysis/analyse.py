"""`sssnake analyse`: what the moves of games were worth, and what would have been better.

INPUT is a PGN or EPD file, also in a .zip, "-" for standard input, or a FEN. Every position is searched; a
move's score is that of the position after it. A move is marked by the expected score that it loses:
?! from 0.05 of a point on, ? from 0.10, ?? from 0.20; ! is the only good move, where it is not obvious.
With --nodes or --depth the results are the same for every --concurrency.
"""

import shutil
import sys
from argparse import Namespace
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from engine.analysis import annotate, report, table
from engine.analysis.judge import judge
from engine.analysis.segments import Segment, Settings, evaluate, segments
from engine.analysis.study import STDIN, Bad, Study, studies
from engine.common.arguments import Parser, positive, printable
from engine.common.files import try_output, whole
from engine.common.progress import Progress
from engine.games.movetext import ENGLISH, LANGUAGE_HELP, LANGUAGES
from engine.jobs.executor import ExecutorError, JobExecutor, add_executor_arguments, open_executor
from engine.player.engine import Engine, Limits
from engine.player.options import FIELDS
from engine.player.resources.book import open_book

if TYPE_CHECKING:
    from chess.polyglot import MemoryMappedReader

NODES = 500_000  # a position, if no limit is given
LINES = 3  # of a position that is no game
OWN = "own"  # --book: the shipped book


class OutputError(Exception):
    """An output cannot be written: `cause` says which and why. Old files are kept."""

    def __init__(self, cause: OSError) -> None:
        super().__init__(str(cause))
        self.cause = cause


TROUBLE = (KeyboardInterrupt, ExecutorError, ValueError, OSError, MemoryError)


def build_parser() -> Parser:
    """The command line."""
    parser = Parser("sssnake analyse", description=__doc__)
    add = parser.add_argument
    add("input", nargs="+", metavar="INPUT", help="PGN or EPD files, -, startpos, or a FEN")
    add("--game", type=positive, metavar="N", help="only game (or position) number N")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--nodes", type=positive, metavar="N", help=f"a position (default {NODES})")
    limit.add_argument("--depth", type=positive, metavar="N", help="a position, in plies")
    limit.add_argument("--movetime", type=positive, metavar="MS", help="a position, in milliseconds")
    add("--multipv", type=positive, metavar="N", help=f"lines (default 1 in games, {LINES} elsewhere)")
    add("--hash", type=positive, default=64, metavar="MIB", help="of each worker (default 64)")
    add("--syzygy", default="", metavar="FOLDERS", help="endgame tablebases")
    add("--book", metavar="FILE", help="mark the moves of a Polyglot book (own: the shipped one)")
    add("--language", choices=LANGUAGES, default=ENGLISH, help=LANGUAGE_HELP)
    add("--chess960", action="store_true", help="all games and positions are of Fischer random chess")
    add("-o", "--output", type=Path, metavar="FILE", help="write annotated PGN")
    add("--all-lines", action="store_true", help="there, best lines at every move that was not the best")
    add("--html", type=Path, metavar="FILE", help="write a report as one HTML page")
    add("--json", action="store_true", help="print a JSON object a line instead of tables")
    add_executor_arguments(parser, "segments of a game")
    return parser


def main(argv: list[str]) -> int:
    """Run the command; 0, or 2 on bad input, 130 when interrupted (what was found by then is written)."""
    parser = build_parser()
    args = parser.parse_args(argv)
    try:
        return _run(args, parser.prog)
    except OutputError as problem:
        parser.refuse(problem.cause)
    except (OSError, ValueError, ExecutorError) as problem:
        parser.refuse(problem)


def _run(args: Namespace, tool: str) -> int:
    for path in (args.output, args.html):
        _check_output(path, args.input)
    if args.output and args.html and args.output.resolve() == args.html.resolve():
        raise ValueError(f"{args.html}: both outputs cannot be one file")
    settings = _settings(args)
    book = _open_book(args.book)
    found = studies(args.input, args.chess960, args.game, args.language)
    with ExitStack() as stack:
        output = _Output(args, tool, book, stack)
        trouble = _analyse(found, settings, args, tool, output)
        if not output.good:  # old files are kept
            raise trouble or SystemExit(2)
        output.end()
    if trouble is not None:
        raise trouble
    return 0


def _check_output(path: Path | None, inputs: Iterable[str]) -> None:
    """Refuse what cannot be written, and a file that is read."""
    try_output(path)
    if path is not None and path.is_file():
        for name in inputs:
            if name != STDIN and Path(name).exists() and path.samefile(name):
                raise ValueError(f"{path}: the output would replace the input")


def _settings(args: Namespace) -> Settings:
    """The limits of a search. ValueError: a value that the engine does not take."""
    kind = next((kind for kind in ("nodes", "depth", "movetime") if getattr(args, kind)), "nodes")
    limits = Limits.parse([kind, str(getattr(args, kind) or NODES)])
    for name, field, value in (("--hash", "hash_mb", args.hash), ("--multipv", "multipv", args.multipv or 1)):
        try:
            FIELDS[field].check(value)
        except ValueError as error:
            raise ValueError(str(error).replace(field, name)) from None
    if args.syzygy:
        _check_tablebases(args.syzygy)
    return Settings(limits, args.multipv or 0, args.hash, args.syzygy)


def _check_tablebases(folders: str) -> None:
    notes: list[str] = []
    with Engine(hash_mb=1, syzygy_path=folders, on_note=notes.append) as engine:
        engine.prepare()
    if any(": 0 files" in note for note in notes):
        raise ValueError(f"--syzygy: {notes[0].partition(': ')[2]}")


def _open_book(name: str | None) -> "MemoryMappedReader | None":
    if name is None:
        return None
    from openings import BOOK

    path = BOOK if name == OWN else Path(name)
    reader, fault = open_book(path)
    if reader is None:
        raise ValueError(f"{path}: {fault}")
    return reader


def _analyse(
    found: Iterator[Study | Bad], settings: Settings, args: Namespace, tool: str, output: "_Output"
) -> BaseException | None:
    """Search and write everything. After an error or Ctrl-C what was found is written, and it is returned."""
    queue = _Queue(found, settings)
    try:
        with open_executor(args, tool, processes=True) as executor:
            _search(queue, executor, output)
    except TROUBLE as error:
        first = queue.unwritten[0] if queue.unwritten else None
        if isinstance(first, Study) and any(first.evaluations):
            output.write(first)
        return error
    return None


class _Queue:
    """What is read and not yet written, in its order. It is read as workers become free."""

    def __init__(self, found: Iterator[Study | Bad], settings: Settings) -> None:
        self.found, self.settings = found, settings
        self.unwritten: deque[Study | Bad] = deque()
        self.unsearched: deque[Study] = deque()

    def _read(self) -> bool:
        """Read one more game; False if there is none."""
        one = next(self.found, None)
        if one is not None:
            self.unwritten.append(one)
        if isinstance(one, Study):
            self.unsearched.append(one)
        return one is not None

    def jobs(self) -> Iterator[Segment]:
        """The segments of all games."""
        while self.unsearched or self._read():
            if self.unsearched:
                one = self.unsearched.popleft()
                lines = self.settings.multipv or (1 if one.moves else LINES)
                yield from segments(one.number, one.start, one.moves, self.settings.with_lines(lines))

    def next(self) -> Study | Bad | None:
        """What is to be written next; None at the end."""
        return self.unwritten[0] if self.unwritten or self._read() else None


def _search(queue: _Queue, executor: JobExecutor, output: "_Output") -> None:
    """Run all jobs, with a progress bar for each game."""
    with closing(executor.in_order(evaluate, queue.jobs())) as done:
        while (one := queue.next()) is not None:
            if isinstance(one, Study):
                with Progress(len(one.evaluations), "positions", title=one.title) as bar:
                    while not one.done:
                        job, evaluations = next(done)
                        one.evaluations[job.first : job.last + 1] = evaluations
                        bar.advance(steps=len(evaluations))
            output.write(queue.unwritten.popleft())


@dataclass
class _Output:
    """Where the games are written as they are done."""

    args: Namespace
    tool: str
    book: "MemoryMappedReader | None"
    stack: ExitStack

    def __post_init__(self) -> None:
        args = self.args
        self.good = 0  # games and positions that could be read
        self.how = _in_words(args)
        self.pgn: BinaryIO | None = self._open(args.output)
        self.html: BinaryIO | None = self._open(args.html)
        terminal = sys.stdout.isatty()
        self.width = shutil.get_terminal_size().columns if terminal else None
        if self.html:
            names = [printable(Path(name).name) for name in args.input if Path(name).is_file()]
            title = f"Analysis of {', '.join(names)}" if names else "Analysis"
            head, self.tail = report.head_and_tail(title, self.how)
            self.html.write(head.encode())

    def _open(self, path: Path | None) -> BinaryIO | None:
        return self.stack.enter_context(whole(path)) if path else None

    def write(self, one: Study | Bad) -> None:
        """Write a game or a position; of a bad one, its error, and its text unchanged. OutputError."""
        try:
            self._write(one)
        except OSError as error:
            raise OutputError(error) from error

    def _write(self, one: Study | Bad) -> None:
        if isinstance(one, Bad):
            self._complain(one.message)
            if self.pgn and one.text:
                self.pgn.write(annotate.unchanged(one.text))
            return
        self.good += 1
        judged = judge(one, self.book)
        if one.remark:
            self._complain(one.remark)
        if self.args.json:
            print(table.as_json(one, judged), flush=True)
        else:
            if self.good > 1:
                print()
            print("\n".join(table.text(one, judged, self.width)), flush=True)
        if self.html:
            self.html.write(report.section(one, judged, self.good == 1).encode())
        if self.pgn:
            self.pgn.write(annotate.pgn(one, judged, self.how, self.args.all_lines).encode())

    def _complain(self, message: str) -> None:
        print(f"{self.tool}: {printable(' '.join(message.split()))}", file=sys.stderr)

    def end(self) -> None:
        """Finish the page."""
        if self.html:
            self.html.write(self.tail.encode())


def _in_words(args: Namespace) -> str:
    """The limit of a search: 500000 nodes a position."""
    if args.movetime:
        return f"{args.movetime} ms a position"
    return f"depth {args.depth}" if args.depth else f"{args.nodes or NODES} nodes a position"
