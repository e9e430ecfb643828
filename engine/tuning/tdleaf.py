"""tdleaf: piece values and tables learnt from zero, by games against itself alone.

TDLeaf(lambda) (Baxter, Tridgell & Weaver 1998): after each game the value of every position, that of the leaf
of its principal variation, is moved towards those of the positions that followed it, and the last towards the
result.

The evaluation is linear, material and tapered piece-square tables, without a tempo. Endings
judged by rule keep their rules, and the search orders captures by fixed piece values.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from _fast.evaluation.weights import WEIGHTS
from engine.common.arguments import Parser, natural, positive, share
from engine.common.files import save_text, try_output, whole
from engine.common.progress import StatusLine
from engine.games.elo import Z95, estimate, moments
from engine.jobs import executor
from engine.jobs.executor import Crew
from engine.tuning.lessons import SQUARES, LessonJob, WeightsPair, play_weights, study, tables_alone
from engine.tuning.texel import Floats, Groups, Positions, as_array, error, fit_scale, load, read, write

MATERIAL_RATE = 40.0  # centipawns of the first step; the n-th of equal ones is sqrt(n) times smaller
SQUARE_RATE = 4.0  # a square sees its piece seldom: most of its gradient is noise
PIECES = ("pawn", "knight", "bishop", "rook", "queen")
ARRAYS = {"material": (6,), "squares": (SQUARES, 2), "material_pace": (6,), "square_pace": (SQUARES, 2)}


def paced(gradient: Floats, squares: Floats) -> Floats:
    """Steps along a gradient, each weight at its own decaying pace (AdaGrad: Duchi, Hazan & Singer 2011).

    `squares` holds the sums of squared gradients, and is brought up to date.
    """
    squares += gradient**2
    steps: Floats = gradient / np.sqrt(squares + 1e-12)
    return steps


@dataclass
class Course:
    """What has been learnt so far, and the way there."""

    seed: int
    depth: int
    decay: float
    batch: int
    games: int = 0
    steps: int = 0
    material: Floats = field(default_factory=lambda: np.zeros(6))
    squares: Floats = field(default_factory=lambda: np.zeros((SQUARES, 2)))
    material_pace: Floats = field(default_factory=lambda: np.zeros(6))
    square_pace: Floats = field(default_factory=lambda: np.zeros((SQUARES, 2)))
    curve: list[dict[str, Any]] = field(default_factory=list)

    @property
    def tables(self) -> Floats:
        """Material and square values added up, shape (384, 2)."""
        return self.squares + np.repeat(self.material, 64)[:, None]

    def values(self) -> dict[str, tuple[float, float]]:
        """Mean worth of each piece over the squares that all can stand on."""
        means = self.tables.reshape(6, 64, 2)[:5, 8:56].mean(axis=1).tolist()
        return {name: (round(mg, 1), round(eg, 1)) for name, (mg, eg) in zip(PIECES, means, strict=True)}

    def advance(self, crew: Crew) -> None:
        """A batch of games with the present values, then one step along the sum of their gradients.

        What a piece's squares have in common, in both phases, is its material, which is learnt sooner.
        """
        lessons = (
            LessonJob(self.tables, self.seed, self.games + index, self.depth, self.decay)
            for index in range(self.batch)
        )
        learnt = [result for _lesson, result in crew.in_order(study, lessons)]
        total = np.sum([one.gradient for one in learnt], axis=0)
        self.material += MATERIAL_RATE * paced(total.reshape(6, 128).sum(axis=1), self.material_pace)
        self.squares += SQUARE_RATE * paced(total, self.square_pace)
        self.games += self.batch
        self.steps += sum(one.steps for one in learnt)

    def save(self, path: Path) -> None:
        """Write everything."""
        fields = {**vars(self), **{name: getattr(self, name).tolist() for name in ARRAYS}}
        save_text(path, json.dumps(fields))

    @classmethod
    def load(cls, path: Path) -> "Course":
        """Read what `save` wrote. ValueError if the file is something else."""
        try:
            fields = json.loads(path.read_text(encoding="utf-8"))
            arrays = {name: np.array(fields[name], float) for name in ARRAYS}
            if {name: array.shape for name, array in arrays.items()} != ARRAYS:
                raise ValueError
            return cls(**{**fields, **arrays})
        except (ValueError, TypeError, KeyError):
            raise ValueError(f"{path}: no state of tdleaf") from None


@dataclass(frozen=True)
class Exam:
    """How progress is measured: prediction of held-out results, and games against other weights."""

    positions: Positions | None
    rival: Groups | None
    pairs: int
    nodes: int

    def sit(self, course: Course, crew: Crew) -> dict[str, Any]:
        """One row of the learning curve."""
        row: dict[str, Any] = {"games": course.games, "values": course.values()}
        groups = tables_alone(course.tables)
        if self.positions is not None:
            row["error"] = predicted_badly(self.positions, groups)
        if self.pairs:
            tables, seed = course.tables, course.seed
            numbers = range(self.pairs)
            pairs = (WeightsPair(tables, self.rival, seed, number, self.nodes) for number in numbers)
            counts = [0] * 5
            for _pair, points in crew.run(play_weights, pairs):
                counts[points] += 1
            row["pairs"] = counts
        return row


def predicted_badly(positions: Positions, groups: Groups) -> float:
    """Mean squared error of results predicted from values, at the scale that suits these weights best."""
    weights = as_array(groups)
    return error(positions, weights, fit_scale(positions, weights))


def listed(values: Mapping[str, Sequence[float]]) -> str:
    """What each piece is worth, in words."""
    return ", ".join(f"{name} {mg:.0f}/{eg:.0f}" for name, (mg, eg) in values.items())


def describe(row: dict[str, Any]) -> str:
    """A row of the learning curve in one line."""
    parts = [f"{row['games']} games: {listed(row['values'])}"]
    if "error" in row:
        parts.append(f"error {row['error']:.5f}")
    if "pairs" in row:
        score = sum(points * count for points, count in enumerate(row["pairs"])) / (4 * sum(row["pairs"]))
        parts.append(f"match {100 * score:.1f} %, {estimate(row['pairs'])}")
    return "; ".join(parts)


def learn(course: Course, exam: Exam, crew: Crew, games: int, every: int, state: Path) -> None:
    """Play on to so many games, with an exam now and then; the state is saved after each batch."""
    with StatusLine() as line:
        while True:
            if is_due(course, games, every):
                examine(course, exam, crew, state, line)
            if course.games >= games:
                return
            course.advance(crew)
            course.save(state)
            line.show(f"{course.games}/{games} games: {listed(course.values())}")


def is_due(course: Course, games: int, every: int) -> bool:
    """Whether the next thing to do is an exam: also one that an earlier run did not come to the end of."""
    if not course.curve:
        return True
    last: int = course.curve[-1].get("games", course.games)
    return last < course.games and (course.games >= games or course.games // every > last // every)


def examine(course: Course, exam: Exam, crew: Crew, state: Path, line: StatusLine) -> None:
    """Add a row to the learning curve, and print it."""
    course.curve.append(exam.sit(course, crew))
    course.save(state)
    line.clear()
    print(describe(course.curve[-1]), flush=True)


def begin(new: Course, state: Path) -> Course:
    """A new course, or that of the state file. ValueError if that is another one."""
    if not state.exists():
        return new
    old = Course.load(state)
    if (old.seed, old.depth, old.decay, old.batch) != (new.seed, new.depth, new.decay, new.batch):
        raise ValueError(f"{state} is the state of a run with another seed, depth, decay or batch")
    return old


def references(positions: Positions | None, rival: Groups | None) -> dict[str, float]:
    """The errors of weights that were fitted, on the same held-out games."""
    if positions is None:
        return {}
    found = {"all weights, fitted": predicted_badly(positions, WEIGHTS)}
    if rival is not None:
        found["the opponent's"] = predicted_badly(positions, rival)
    return found


def draw(curve: list[dict[str, Any]], references: Mapping[str, float], target: Path) -> None:
    """Three pictures of a learning curve: values, prediction (with other weights' errors), matches."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, (worth, prediction, match) = pyplot.subplots(1, 3, figsize=(15, 4.5), layout="constrained")
    games = [row["games"] for row in curve]
    for piece in PIECES:
        line = worth.plot(games, [row["values"][piece][0] for row in curve], label=piece)
        worth.plot(games, [row["values"][piece][1] for row in curve], "--", color=line[0].get_color())
    worth.set(title="worth: middle game ——  ending – –", xlabel="games", ylabel="centipawns")
    worth.legend()
    judged = [row for row in curve if "error" in row]
    prediction.plot([row["games"] for row in judged], [row["error"] for row in judged], label="TDLeaf")
    for style, (name, value) in zip((":", "--", "-."), references.items(), strict=False):
        prediction.axhline(value, color="grey", linestyle=style, label=name)
    prediction.set(title="held-out games", xlabel="games", ylabel="mean squared error of the result")
    prediction.legend()
    played = [row for row in curve if "pairs" in row]
    found = [moments(row["pairs"]) for row in played]
    heights = [100 * mean for _, mean, _ in found]
    errors = [100 * Z95 * (variance / total) ** 0.5 for total, _, variance in found]
    match.errorbar([row["games"] for row in played], heights, errors, capsize=3)
    match.set(title="match", xlabel="games", ylabel="points, %", ylim=(0, 60))
    with whole(target) as file:
        figure.savefig(file, dpi=110, format=target.suffix[1:] or "png")
    pyplot.close(figure)


def main(argv: list[str]) -> int:
    """`sssnake tune --method tdleaf STATE.json`."""
    parser = Parser("sssnake tune --method tdleaf", description=__doc__)
    add = parser.add_argument
    add("state", type=Path, help="JSON file of the state, made if missing; the same command goes on from it")
    add("--games", type=positive, default=4000, help="in all (default 4000)")
    add("--batch", type=positive, default=16, help="games between two changes of the values (default 16)")
    add("--depth", type=positive, default=4, help="of every search (default 4)")
    add("--decay", type=share, default=0.7, help="lambda (default 0.7)")
    add("--seed", type=int, default=1)
    add("--held-out", type=Path, nargs="+", default=[], metavar="LOG", help="games to predict")
    add("--pairs", type=natural, default=0, help="pairs of games of each match (default 0: none)")
    add("--nodes", type=positive, default=1000, help="a move in matches (default 1000)")
    add("--against", type=Path, metavar="FILE.py", help="weights of the opponent (default: the engine's own)")
    add("--every", type=positive, default=1000, help="games between two exams (default 1000)")
    add("--png", type=Path, metavar="FILE", help="draw the learning curve (needs matplotlib)")
    add("-o", "--output", type=Path, metavar="FILE.py", help="write the weights there at the end")
    executor.add_arguments(parser, "games")
    args = parser.parse_args(argv)
    try:
        for path in (args.output, args.png):
            try_output(path)
        course = begin(Course(args.seed, args.depth, args.decay, args.batch), args.state)
        rival = read(args.against) if args.against else None
        positions = load(args.held_out) if args.held_out else None
        exam = Exam(positions, rival, args.pairs, args.nodes)
        with executor.hire(args, parser.prog, processes=True) as crew:
            learn(course, exam, crew, args.games, args.every, args.state)
        if args.output:
            write(as_array(tables_alone(course.tables)), args.output)
        if args.png:
            draw(course.curve, references(positions, rival), args.png)
    except (OSError, ValueError, ImportError, executor.CrewError) as problem:
        parser.refuse(problem)
    return 0
