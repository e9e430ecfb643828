"""`sssnake analyse`: what the moves of games were worth, and what would have been better.

INPUT is a PGN or EPD file, also in a .zip, "-" for standard input, or a FEN. Every position is searched; a
move's score is that of the position after it. A move is marked by the expected score that it loses:
?! from 0.05 of a point on, ? from 0.10, ?? from 0.20; ! is the only good move, where it is not obvious.
With --nodes or --depth the results are the same for every --concurrency.
"""

from argparse import Namespace
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path

from chess.polyglot import MemoryMappedReader

from sssnake.engine.analysis.output import AnalysisOutput, OutputError, check_outputs
from sssnake.engine.analysis.segments import NODES, Segment, Settings, evaluate, segments
from sssnake.engine.analysis.study import STDIN, Bad, Study, position_of, studies
from sssnake.engine.common.arguments import Parser, milliseconds, positive
from sssnake.engine.common.files import STANDARD_INPUT, File
from sssnake.engine.common.progress import Progress
from sssnake.engine.games.movetext import ENGLISH, LANGUAGE_HELP, LANGUAGES
from sssnake.engine.jobs.executor import ExecutorError, JobExecutor, add_executor_arguments, open_executor
from sssnake.engine.jobs.signals import defer_interrupts
from sssnake.engine.player.engine import Engine, Limits
from sssnake.engine.player.options import FIELDS
from sssnake.engine.player.resources.book import open_book
from sssnake.engine.player.resources.tablebase import folders

LINES = 3  # of a position that is no game
OWN = "own"  # --book: the shipped book
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
    limit.add_argument("--movetime", type=milliseconds, metavar="MS", help="a position, in milliseconds")
    add("--multipv", type=positive, metavar="N", help=f"lines (default 1 in games, {LINES} elsewhere)")
    add("--hash", type=positive, default=64, metavar="MIB", help="of each worker (default 64)")
    add("--syzygy", default="", metavar="FOLDERS", help="endgame tablebases")
    add("--book", metavar="FILE", help="mark the moves of a Polyglot book (own: the shipped one)")
    add("--language", choices=LANGUAGES, default=ENGLISH, help=LANGUAGE_HELP)
    add("--chess960", action="store_true", help="all games and positions are of Fischer random chess")
    add("-o", "--output", type=Path, metavar="FILE", help="write annotated PGN (-: in place of the table)")
    add("--all-lines", action="store_true", help="there, best lines at every move that was not the best")
    add("--html", type=Path, metavar="FILE", help="write a report as one HTML page")
    add("--json", action="store_true", help="print a JSON object a line instead of tables")
    add_executor_arguments(parser, "segments of a game")
    return parser


def main(argv: list[str]) -> int:
    """Run the command; 130 when interrupted: then what was found has been written."""
    parser = build_parser()
    args = parser.parse_args(argv)
    try:
        return _run(args, parser.prog)
    except OutputError as problem:
        raise problem.cause from None


def _run(args: Namespace, tool: str) -> int:
    check_outputs(args, _inputs(args))
    settings = _settings(args)
    book = _open_book(args.book)
    found = studies(args.input, args.chess960, args.game, args.language)
    with ExitStack() as stack:
        output = AnalysisOutput(args, tool, _in_words(args), book, stack)
        trouble = _analyse(found, settings, args, tool, output)
        interrupted = isinstance(trouble, KeyboardInterrupt)
        if not output.good:  # old files are kept
            if interrupted:
                output.interrupted()
            raise trouble or SystemExit(2)
        output.end()
    if interrupted:
        output.interrupted()
    if trouble is not None:
        raise trouble
    return 0


def _inputs(args: Namespace) -> Iterator[File]:
    """All files that are read."""
    if not position_of(args.input):
        yield from (STANDARD_INPUT if name == STDIN else name for name in args.input)
    if args.book is not None:
        yield _book_file(args.book)
    for folder in folders(args.syzygy):
        yield from Path(folder).glob("*.rtb[wz]")


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


def _book_file(name: str) -> Path:
    from sssnake.openings import BOOK

    return BOOK if name == OWN else Path(name)


def _open_book(name: str | None) -> MemoryMappedReader | None:
    if name is None:
        return None
    path = _book_file(name)
    reader, fault = open_book(path)
    if reader is None:
        raise ValueError(f"{path}: {fault}")
    return reader


def _analyse(
    found: Iterator[Study | Bad], settings: Settings, args: Namespace, tool: str, output: AnalysisOutput
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


def _search(queue: _Queue, executor: JobExecutor, output: AnalysisOutput) -> None:
    """Run all jobs, with a progress bar for each game. The moves are shown as they are known."""
    with closing(executor.in_order(evaluate, queue.jobs())) as done:
        while (one := queue.next()) is not None:
            if isinstance(one, Study):
                with Progress(len(one.evaluations), "positions", title=one.title) as bar:
                    while not one.done:
                        job, evaluations = next(done)
                        one.evaluations[job.first : job.last + 1] = evaluations
                        bar.advance(steps=len(evaluations))
                        if not one.done:
                            with defer_interrupts():  # each line is shown once
                                bar.above(partial(output.progress, one))
            with defer_interrupts():  # a game is written whole, once
                output.write(queue.unwritten.popleft())


def _in_words(args: Namespace) -> str:
    """The limit of a search: 500000 nodes a position."""
    if args.movetime:
        return f"{args.movetime} ms a position"
    return f"depth {args.depth}" if args.depth else f"{args.nodes or NODES} nodes a position"
