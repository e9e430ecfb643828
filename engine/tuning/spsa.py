"""spsa: tunes search parameters by games (simultaneous perturbation stochastic approximation, Spall 1992).

In each pair of games every parameter is a little higher on one side and a little lower on the other, at
random. Then all parameters move towards the winner. With N pairs in all, pair k perturbs by
c(k) = c_end * (N / k)**gamma and moves by r(k) * c(k) * (wins - losses), where r(k) = a(k) / c(k)**2 and
a(k) = r_end * c_end**2 * ((A + N) / (A + k))**alpha. c_end is the step of the parameter.

Values are kept as real numbers. In a game they are rounded up or down at random, without bias. All pairs of a
batch start from the same values, so a seed gives the same run on any number of workers. At fixed nodes and
without --option the games are played in the processes of the workers, otherwise over UCI. With --plies a game
ends there and counts as what is expected of its last position: a smaller error, in less time.
"""

import hashlib
import json
import math
import random
import sys
import uuid
from argparse import Namespace
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import chess

from sssnake._fast.search.parameters import BY_NAME
from sssnake.engine.common.arguments import Parser, option_value, positive, share
from sssnake.engine.common.files import save_text, try_outputs
from sssnake.engine.common.inputs import read_text
from sssnake.engine.common.progress import Progress
from sssnake.engine.games.openings import OpeningOptions, openings
from sssnake.engine.games.outcome import half_points
from sssnake.engine.jobs.executor import ExecutorError, JobExecutor, add_executor_arguments, open_executor
from sssnake.engine.match.client import EngineError
from sssnake.engine.match.game import Rules, TimeControl, play
from sssnake.engine.match.processes import EngineConfig, close_engine_pool, engine_pool
from sssnake.engine.player.limits import Limits
from sssnake.engine.selfplay.game import LONGEST
from sssnake.engine.selfplay.pair import Pair, play_pair
from sssnake.engine.selfplay.players import Side
from sssnake.engine.tuning.params import R_END, known, write_values

ALPHA, GAMMA, A_SHARE = 0.602, 0.101, 0.1  # Spall 1998; A as a share of all pairs
SMALLEST = 0.5  # perturbation: a smaller one is rounded away
BATCH = 8  # pairs
RULES = Rules(resign_moves=4, resign_score=1000, draw_from=40, draw_moves=4, draw_score=10, max_moves=200)


@dataclass(frozen=True)
class Knob:
    """A parameter that is tuned."""

    name: str
    start: float
    minimum: int
    maximum: int
    c_end: float
    r_end: float


@dataclass(frozen=True)
class Trial:
    """The two sets of values that a pair of games compares."""

    number: int  # from 1
    flips: list[int]  # 1 or -1 a parameter
    plus: dict[str, int]
    minus: dict[str, int]


@dataclass
class Tuning:
    """The state of a run. Everything that follows depends on it alone."""

    knobs: list[Knob]
    pairs: int  # in all
    seed: int
    conditions: dict[str, Any] = field(default_factory=dict)  # of the games
    values: list[float] = field(default_factory=list)
    done: int = 0  # pairs
    faults: int = 0

    def __post_init__(self) -> None:
        self.values = self.values or [knob.start for knob in self.knobs]

    @property
    def experiment(self) -> tuple[object, ...]:
        """What must not change where a run goes on."""
        return self.knobs, self.pairs, self.seed, self.conditions

    def perturbation(self, knob: Knob, number: int) -> float:
        """c(k)."""
        return max(SMALLEST, knob.c_end * math.pow(self.pairs / number, GAMMA))

    def rate(self, knob: Knob, number: int) -> float:
        """r(k)."""
        offset = A_SHARE * self.pairs
        decay = math.pow((offset + self.pairs) / (offset + number), ALPHA)
        return knob.r_end * decay * (knob.c_end / self.perturbation(knob, number)) ** 2

    def trial(self, number: int) -> Trial:
        """Perturb the present values: the trial of a pair."""
        rng = random.Random(f"spsa {self.seed}/{number}")
        flips = [rng.choice((1, -1)) for _ in self.knobs]
        plus: dict[str, int] = {}
        minus: dict[str, int] = {}
        for knob, value, flip in zip(self.knobs, self.values, flips, strict=True):
            for side, sign in ((plus, flip), (minus, -flip)):
                exact = value + sign * self.perturbation(knob, number)
                side[knob.name] = min(max(math.floor(exact + rng.random()), knob.minimum), knob.maximum)
        return Trial(number, flips, plus, minus)

    def update(self, trial: Trial, points: float) -> None:
        """Move towards the winner; `points`: half points of `plus`, 0 to 4, played or expected."""
        for index, (knob, flip) in enumerate(zip(self.knobs, trial.flips, strict=True)):
            step = self.rate(knob, trial.number) * self.perturbation(knob, trial.number)
            value = self.values[index] + step * (points - 2) * flip
            self.values[index] = min(max(value, knob.minimum), knob.maximum)
        self.done = trial.number

    def result(self) -> dict[str, int]:
        """The values found, rounded."""
        return {knob.name: round(value) for knob, value in zip(self.knobs, self.values, strict=True)}

    def save(self, path: Path) -> None:
        """Write the state."""
        save_text(path, json.dumps(asdict(self), indent=1))

    @classmethod
    def load(cls, path: Path) -> "Tuning":
        """Read what `save` wrote. ValueError if the file is something else."""
        try:
            fields: dict[str, Any] = json.loads(read_text(path))
            knobs = [Knob(**knob) for knob in fields["knobs"]]
            values, counts = fields["values"], (fields["pairs"], fields["done"], fields["faults"])
            sound = type(values) is list and all(type(count) is int and count >= 0 for count in counts)
            for knob, value in zip(knobs, values, strict=True):
                sound = sound and type(value) in (int, float) and knob.minimum <= value <= knob.maximum
            if not sound:
                raise ValueError
            return cls(**{**fields, "knobs": knobs})
        except (ValueError, TypeError, KeyError):
            raise ValueError(f"{path}: no state of spsa") from None


@dataclass(frozen=True)
class PairJob:
    """The arguments of a job: a pair of games for a trial."""

    run: str
    trial: Trial
    start: chess.Board
    control: TimeControl
    options: dict[str, str | None]
    plies: int = LONGEST


@dataclass(frozen=True)
class TrialResult:
    """Half points of `plus`, and how many games ended by a fault (lost on time, crashed, ...)."""

    points: float
    faults: int = 0


def play_over_uci(job: PairJob) -> TrialResult:
    """Play the pair between two processes of this engine."""
    pool, points, faults = engine_pool(job.run), 0, 0
    sides = [
        EngineConfig([], job.control, job.options, tuned={name: str(value) for name, value in values.items()})
        for values in (job.trial.plus, job.trial.minus)
    ]
    for white in (0, 1):
        engines = [pool.engine(slot, side, job.start.chess960) for slot, side in enumerate(sides)]
        game = play((engines[1 - white], engines[white]), (job.control, job.control), job.start, RULES)
        pool.keep({0, 1} - {white if color else 1 - white for color in game.broken})
        points += half_points(game.result) if white == 0 else 2 - half_points(game.result)
        faults += game.fault is not None
    return TrialResult(points, faults)


def play_in_process(job: PairJob) -> TrialResult:
    """Play the pair at fixed nodes, inside this process."""
    sides = Side(job.trial.plus), Side(job.trial.minus)
    limits = Limits(nodes=int(job.control.fixed.split()[1]))
    return TrialResult(play_pair(Pair(job.start, sides, limits, job.plies)).points)


def tune(
    tuning: Tuning,
    executor: JobExecutor,
    function: Callable[[PairJob], TrialResult],
    new_job: Callable[[Trial], PairJob],
    report: Callable[[Tuning], None],
) -> None:
    """Play the pairs that are left, batch by batch; call `report` after each batch."""
    while tuning.done < tuning.pairs:
        last = min(tuning.done + BATCH, tuning.pairs)
        trials = [tuning.trial(number) for number in range(tuning.done + 1, last + 1)]
        with closing(executor.in_order(function, map(new_job, trials))) as played:
            outcomes = [outcome for _job, outcome in played]
        for trial, outcome in zip(trials, outcomes, strict=True):
            tuning.update(trial, outcome.points)
            tuning.faults += outcome.faults
        report(tuning)


def build_parser() -> Parser:
    """The command line."""
    parser = Parser("sssnake tune --method spsa", description=__doc__)
    add = parser.add_argument
    add("--parameters", type=known, nargs="+", required=True, metavar="NAME", help="see `sssnake params`")
    add("--games", type=positive, default=2000, help="in all, rounded up to pairs (default 2000)")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--nodes", type=positive, help="a move (default 5000)")
    limit.add_argument("--tc", metavar="[MOVES/]SECONDS[+INC]", help="a clock instead")
    add("--plies", type=positive, default=LONGEST, help="with --nodes: end games there, see above")
    add("--seed", type=int, default=1, help="of perturbations and openings (default 1)")
    add("--r-end", type=share, default=R_END, help=f"learning rate at the end (default {R_END})")
    add("--openings", type=Path, metavar="FILE", help="EPD or PGN, also in a .zip; default: random plies")
    add("--option", type=option_value, action="append", default=[], metavar="NAME=VALUE", help="UCI option")
    add("--state", type=Path, metavar="FILE.json", help="keep the state there; the same command goes on")
    add("-o", "--output", type=Path, metavar="FILE", help="write them for `sssnake params --values`")
    add_executor_arguments(parser, "pairs of games")
    return parser


def conditions(args: Namespace, control: TimeControl) -> dict[str, Any]:
    """What the games depend on besides the values, in JSON's types. A book is known by its content."""
    book = None if args.openings is None else str(args.openings)
    if args.openings is not None and args.openings.is_file():
        with args.openings.open("rb") as file:
            book = hashlib.file_digest(file, "sha256").hexdigest()
    limit = asdict(control)
    return {"limit": limit, "plies": args.plies, "openings": book, "options": dict(args.option)}


def load_or_start(args: Namespace, control: TimeControl) -> Tuning:
    """The run of the state file, or a new one. ValueError if the file has other settings."""
    rows = [BY_NAME[name] for name in args.parameters]
    knobs = [Knob(row.name, row.default, row.minimum, row.maximum, row.step, args.r_end) for row in rows]
    new = Tuning(knobs, (args.games + 1) // 2, args.seed, conditions(args, control))
    if args.state is None or not args.state.exists():
        return new
    old = Tuning.load(args.state)
    if old.experiment != new.experiment:
        settings = "parameters, games, seed, limit, plies, openings or options"
        raise ValueError(f"{args.state} is the state of a run with other {settings}")
    return old


def main(argv: list[str]) -> int:
    """Tune. OSError, ValueError or ToolError on bad input (`process.guarded`)."""
    parser = build_parser()
    args = parser.parse_args(argv)
    if len(set(args.parameters)) < len(args.parameters):
        parser.error("a parameter is given twice")
    try_outputs((args.state, args.output), (args.openings, *dict(args.option).values()))
    control = TimeControl.parse(args.tc) if args.tc else TimeControl(fixed=f"nodes {args.nodes or 5000}")
    tuning = load_or_start(args, control)
    trouble: Exception | None = None
    try:
        starts = islice(openings(args.openings, OpeningOptions(seed=args.seed)), tuning.done, None)
        quick = bool(control.fixed) and not args.option
        if args.plies < LONGEST and not quick:
            raise ValueError("--plies goes with --nodes, and with no --option")
        with open_executor(args, parser.prog, processes=quick) as executor:
            options = dict(args.option)
            new_job = lambda run, trial: PairJob(run, trial, next(starts), control, options, args.plies)  # noqa: E731
            function = play_in_process if quick else play_over_uci
            _run(tuning, executor, function, new_job, args.state)
        if args.output:
            save_text(args.output, write_values(tuning.result()))
    except (OSError, ValueError, EngineError, ExecutorError) as problem:
        trouble = problem
    if tuning.done or trouble is None:
        print(write_values(tuning.result()), end="", flush=True)
    if tuning.faults:
        print(f"{parser.prog}: {tuning.faults} games ended by a fault", file=sys.stderr)
    if trouble is not None:
        raise trouble
    return 0


def _run(
    tuning: Tuning,
    executor: JobExecutor,
    function: Callable[[PairJob], TrialResult],
    new_job: Callable[[str, Trial], PairJob],
    path: Path | None,
) -> None:
    """Play all pairs that are left. The state is saved in the file after each batch."""
    run, reported, ended = uuid.uuid4().hex, tuning.done, False
    bar = Progress(tuning.pairs, "pairs", done=tuning.done)

    def report(now: Tuning) -> None:
        nonlocal reported
        if path:
            now.save(path)
        values = ", ".join(f"{name} {value}" for name, value in now.result().items())
        bar.advance(values, now.done - reported)
        reported = now.done

    try:
        with bar:
            tune(tuning, executor, function, partial(new_job, run), report)
        ended = True
    finally:
        executor.call_in_processes(close_engine_pool, run, not ended)
