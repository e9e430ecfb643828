"""`sssnake epd`: test suites of positions through any UCI engine.

A position is solved if the move is one of `bm` and none of `am`. With `c8`/`c9` (the graded STS suites) the
move also has points. With `dm N` the engine must announce a mate in at most N moves for the right side; the
search ends as soon as it does.

The result also has the nodes after which half of the positions were solved for good; `--json` has them for
each.
"""

import contextlib
import json
import sys
import uuid
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sssnake.engine.common.arguments import Parser, command_words, milliseconds, option_value, positive
from sssnake.engine.common.messages import printable
from sssnake.engine.common.progress import Progress
from sssnake.engine.games.epd_reader import read_epd
from sssnake.engine.games.opening_files import kept
from sssnake.engine.jobs.executor import ExecutorError, JobExecutor, add_executor_arguments, open_executor
from sssnake.engine.match.client import EngineError, InfoLine, UciEngine
from sssnake.engine.match.game import TimeControl
from sssnake.engine.match.processes import EngineConfig, close_engine_pool, engine_pool

GRACE_SECONDS = 60.0  # an engine that is late by so much (or LONGEST_SECONDS without a clock) has hung
LONGEST_SECONDS = 600.0
PROBLEM_BYTES = 3000  # of memory, for a line of a suite


@dataclass(frozen=True)
class Problem:
    """One line of a suite; moves in UCI notation."""

    name: str
    fen: str
    best: frozenset[str] = frozenset()
    avoid: frozenset[str] = frozenset()
    mate: int | None = None
    points: dict[str, int] = field(default_factory=dict)
    chess960: bool = False

    @property
    def asks(self) -> bool:
        """Whether the line has anything to solve."""
        return bool(self.best or self.avoid or self.points or self.mate is not None)

    def accepts(self, move: str) -> bool:
        """Whether it is a best move and none to avoid; without best moves, whether it has the most points."""
        if move in self.avoid or (self.best and move not in self.best):
            return False
        return bool(self.best) or self.points.get(move, 0) >= max(self.points.values(), default=0)

    def mated_in_time(self, mate: int | None) -> bool:
        """Whether a mate (moves, mover's view) satisfies `dm`. One against the mover must be exact."""
        if mate is None or self.mate is None:
            return False
        return 0 < mate <= self.mate if self.mate > 0 else mate == self.mate


@dataclass(frozen=True)
class Answer:
    """The result of a problem."""

    problem: Problem
    move: str
    seconds: float
    info: InfoLine
    mate_found: bool
    since: InfoLine | None = None  # from here on the move was a solution

    @property
    def solved(self) -> bool:
        """Whether the move and the mate are right."""
        return self.problem.accepts(self.move) and (self.problem.mate is None or self.mate_found)

    @property
    def solved_by(self) -> int | None:
        """Nodes from which on the best move was a solution; None if unsolved or unknown."""
        return self.since.nodes if self.solved and self.since else None

    @property
    def points(self) -> int:
        """Points of the move played."""
        return self.problem.points.get(self.move, 0)


class Watch:
    """Reads the info lines of a search: since when its move has been a solution, and mates."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.since: InfoLine | None = None
        self.mate_found = False

    def see(self, line: bytes) -> None:
        """Process a line with an exact score."""
        info = InfoLine.parse(line)
        self.mate_found |= self.problem.mated_in_time(info.mate)
        move = line.partition(b" pv ")[2].split()[:1]
        if not move:
            return
        if not self.problem.accepts(move[0].decode(errors="replace")):
            self.since = None
        elif self.since is None:
            self.since = info


def read_suite(
    path: Path, chess960: bool = False, left_out: list[str] | None = None, notes: list[str] | None = None
) -> list[Problem]:
    """All problems of an EPD file, also in a .zip. ValueError, with its place, on a wrong line.

    If a list `left_out` is given, wrong lines are left out, and their errors are appended to it. notes: gets
    what was dropped of positions.
    """
    problems = []
    for item in list(kept(path, PROBLEM_BYTES)):  # a file that is too large is refused before it is parsed
        if item.kind == "pgn":
            raise ValueError(f"{path}: games are no test positions")
        try:
            dropped: list[str] = []
            problems.append(parse_problem(item.text, f"{path.stem}.{item.number}", chess960, dropped))
            if notes is not None:
                notes += (f"{item.where}: {remark}" for remark in dropped)
        except (ValueError, AssertionError) as error:
            if left_out is None:
                raise ValueError(f"{item.where}: {error}") from None
            left_out.append(f"{item.where}: {error}")
    if not any(problem.asks for problem in problems):
        raise ValueError(f"{path}: no position with bm, am, dm or c8/c9")
    return problems


def parse_problem(line: str, name: str, chess960: bool = False, notes: list[str] | None = None) -> Problem:
    """Parse an EPD line; `name` is used if it has no id. notes: gets what was dropped of the position."""
    board, operations = read_epd(line, chess960, notes=notes)

    def moves(code: str) -> frozenset[str]:
        found: Any = operations.get(code) or []  # engines write castling in either way
        return frozenset(board.uci(move, chess960=way) for move in found for way in (board.chess960, False))

    mate = operations.get("dm")
    if mate is not None and not (isinstance(mate, int) and mate):
        raise ValueError(f"dm {mate} is no number of moves")
    name = printable(str(operations.get("id") or name))
    points = _graded(operations)
    return Problem(
        name,
        board.fen(),
        best=moves("bm"),
        avoid=moves("am"),
        mate=mate,
        points=points,
        chess960=board.chess960,
    )


def _graded(operations: dict[str, Any]) -> dict[str, int]:
    """Points by move, from `c8 "10 4 4"` and `c9 "c4c5 e4d4 b4b5"`."""
    if "c8" not in operations or "c9" not in operations:
        return {}
    points, moves = str(operations["c8"]).split(), str(operations["c9"]).split()
    if len(points) != len(moves) or not all(word.isdigit() for word in points):
        raise ValueError("c8 and c9 do not fit together")
    return {move: int(word) for move, word in zip(moves, points, strict=True)}


def ask(engine: UciEngine, problem: Problem, limit: TimeControl, go_mate: bool = False) -> Answer:
    """Search one problem as a new game; `go_mate`: with `go mate N`, if the problem has a mate."""
    engine.new_game()
    watch = Watch(problem)

    def see(line: bytes) -> None:
        before = watch.mate_found
        watch.see(line)
        if watch.mate_found and not before:
            with contextlib.suppress(EngineError):
                engine.send("stop")

    engine.on_info = see
    seconds = LONGEST_SECONDS if limit.movetime is None else limit.movetime + GRACE_SECONDS
    mate = f"mate {abs(problem.mate)} " if go_mate and problem.mate is not None else ""
    reply = engine.go(f"position fen {problem.fen}", f"go {mate}{limit.fixed}", seconds)
    return Answer(problem, reply.move, reply.seconds, reply.info, watch.mate_found, watch.since)


@dataclass(frozen=True)
class ProblemJob:
    """The arguments of `answer`."""

    run: str
    problem: Problem
    config: EngineConfig
    go_mate: bool


def answer(job: ProblemJob) -> Answer:
    """The job: search a problem with this thread's engine."""
    try:
        engine = engine_pool(job.run).engine(0, job.config, job.problem.chess960)
        return ask(engine, job.problem, job.config.control, job.go_mate)
    except EngineError as error:
        raise EngineError(f"{job.problem.name}: {error}") from None


def run_suite(
    config: EngineConfig,
    problems: Sequence[Problem],
    executor: JobExecutor,
    progress: Progress | None = None,
    go_mate: bool = False,
    answers: list[Answer] | None = None,
) -> list[Answer]:
    """Answers to all problems, in order. After an exception the list `answers` holds those so far."""
    run, answers, done = uuid.uuid4().hex, [] if answers is None else answers, False
    todo = (ProblemJob(run, problem, config, go_mate) for problem in problems)
    try:
        with contextlib.closing(executor.in_order(answer, todo)) as answered:
            for _job, found in answered:
                answers.append(found)
                if progress is not None:
                    progress.advance(f"solved {sum(one.solved for one in answers)}")
        done = True
    finally:
        executor.call_in_processes(close_engine_pool, run, not done)
    return answers


def summary(answers: Sequence[Answer]) -> dict[str, Any]:
    """Counts over a suite."""
    graded = [answer for answer in answers if answer.problem.points]
    mates = [answer for answer in answers if answer.problem.mate is not None]
    return {
        "positions": len(answers),
        "solved": sum(answer.solved for answer in answers),
        "points": sum(answer.points for answer in graded),
        "max_points": sum(max(answer.problem.points.values()) for answer in graded),
        "mates": len(mates),
        "mates_found": sum(answer.mate_found for answer in mates),
        "seconds": round(sum(answer.seconds for answer in answers), 2),
        "half_by_nodes": _half([answer.solved_by for answer in answers]),
        "solved_by_nodes": {answer.problem.name: answer.solved_by for answer in answers if answer.solved},
        "failed": [answer.problem.name for answer in answers if not answer.solved],
    }


def _half(nodes: Sequence[int | None]) -> int | None:
    """Nodes by which half of the positions were solved; None if they were not, or nodes are unknown."""
    known = sorted(count for count in nodes if count is not None)
    half = (len(nodes) + 1) // 2
    return known[half - 1] if 0 < half <= len(known) else None


def describe(name: str, found: dict[str, Any]) -> str:
    """One line of text."""
    share = _percent(found["solved"], found["positions"])
    parts = [f"{name}: solved {found['solved']}/{found['positions']} ({share})"]
    if found["max_points"]:
        share = _percent(found["points"], found["max_points"])
        parts.append(f"points {found['points']}/{found['max_points']} ({share})")
    if found["mates"]:
        parts.append(f"mates {found['mates_found']}/{found['mates']}")
    if found["half_by_nodes"] is not None:
        parts.append(f"half by {found['half_by_nodes']} nodes")
    return ", ".join([*parts, f"{found['seconds']:.1f} s of search"])


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / max(1, whole):.1f} %"


def build_parser() -> Parser:
    """The command line."""
    parser = Parser("sssnake epd", description=__doc__)
    add = parser.add_argument
    add("files", nargs="+", type=Path, metavar="FILE", help="EPD suites")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--movetime", type=milliseconds, metavar="MS", help="time a position (default 1000)")
    limit.add_argument("--nodes", type=positive, help="nodes a position")
    limit.add_argument("--depth", type=positive, help="depth a position")
    add("--go-mate", action="store_true", help="where dm is given: go mate N")
    add("--engine", metavar="CMD", help="quoted command line of a UCI engine (default: this one)")
    add("--option", type=option_value, action="append", default=[], metavar="NAME=VALUE", help="UCI option")
    add_executor_arguments(parser, "positions")
    add("--first", type=positive, metavar="N", help="only the first N positions of each file")
    add("--chess960", action="store_true", help="all positions are of Fischer random chess")
    add("--skip-bad", action="store_true", help="leave out lines that cannot be read")
    add("--verbose", action="store_true", help="a line for each position that is not solved")
    add("--json", action="store_true", help="print the result as JSON")
    return parser


def main(argv: list[str]) -> int:
    """Run the suites. OSError, ValueError or ToolError on bad input (`process.guarded`)."""
    args = build_parser().parse_args(argv)
    limits = [f"{kind} {value}" for kind in ("movetime", "nodes", "depth") if (value := getattr(args, kind))]
    command = command_words(args.engine) if args.engine is not None else []
    control = TimeControl(fixed=limits[0] if limits else "movetime 1000")
    config = EngineConfig(command, control, dict(args.option))
    left_out: list[str] | None = [] if args.skip_bad else None
    notes: list[str] = []
    suites = []
    for path in args.files:
        problems = read_suite(path, args.chess960, left_out, notes)
        suites.append((path, [problem for problem in problems[: args.first] if problem.asks]))
    if left_out:
        print(f"sssnake epd: {len(left_out)} lines left out, the first: {left_out[0]}", file=sys.stderr)
    if notes:
        print(f"sssnake epd: {len(notes)} with a remark, the first: {notes[0]}", file=sys.stderr)
    with open_executor(args, "sssnake epd") as executor:
        return _report(suites, config, executor, args)


def _report(
    suites: Sequence[tuple[Path, list[Problem]]], config: EngineConfig, executor: JobExecutor, args: Namespace
) -> int:
    """Run and print the suites; after an error, print the answers so far and raise it."""
    results = []
    trouble: BaseException | None = None
    for path, problems in suites:
        answers: list[Answer] = []
        try:
            with Progress(len(problems), "positions") as progress:
                run_suite(config, problems, executor, progress, args.go_mate, answers)
        except (EngineError, ValueError, ExecutorError, KeyboardInterrupt) as error:
            trouble = error
            if not answers:
                break
        found = summary(answers)
        results.append({"file": str(path), "limit": config.control.fixed, **found})
        if not args.json:
            if args.verbose:
                for answer in answers:
                    if not answer.solved:
                        print(f"{answer.problem.name}: {printable(answer.move)} in {answer.problem.fen}")
            print(describe(path.name, found), flush=True)
        if trouble:
            break
    if args.json and (results or not trouble):
        print(json.dumps(results[0] if len(results) == 1 else results, indent=2), flush=True)
    if trouble:
        raise trouble
    return 0
