"""TDLeaf(lambda) (Baxter, Tridgell & Weaver 1998): batches, steps, the learning curve (see `tune`)."""

import json
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from sssnake._fast.evaluation.weights import WEIGHTS
from sssnake.engine.common.files import save_text, try_outputs, whole
from sssnake.engine.common.inputs import read_text
from sssnake.engine.common.progress import Progress
from sssnake.engine.games.elo import Z95, estimate, moments
from sssnake.engine.jobs.executor import JobExecutor, open_executor
from sssnake.engine.tuning.tdleaf_games import (
    SQUARES,
    GradientJob,
    WeightsPair,
    game_gradient,
    play_weights,
    tables_alone,
)
from sssnake.engine.tuning.texel import (
    Floats,
    Groups,
    Positions,
    as_array,
    error,
    fit_scale,
    load,
    read,
    write,
)

MATERIAL_RATE = 40.0  # centipawns of the first step; the n-th of equal ones is sqrt(n) times smaller
SQUARE_RATE = 4.0  # a square sees its piece seldom: most of its gradient is noise
PIECES = ("pawn", "knight", "bishop", "rook", "queen")
ARRAYS = {"material": (6,), "squares": (SQUARES, 2), "material_pace": (6,), "square_pace": (SQUARES, 2)}


def adagrad(gradient: Floats, squares: Floats) -> Floats:
    """A step along a gradient, each weight at its own decaying rate (AdaGrad: Duchi, Hazan & Singer 2011).

    `squares` holds the sums of squared gradients; it is updated.
    """
    squares += gradient**2
    steps: Floats = gradient / np.sqrt(squares + 1e-12)
    return steps


@dataclass
class TDLeafState:
    """The weights learnt so far, the state of the optimizer, and the learning curve."""

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
        """Material plus square values, shape (384, 2)."""
        return self.squares + np.repeat(self.material, 64)[:, None]

    def values(self) -> dict[str, tuple[float, float]]:
        """Mean value of each piece (middle game, ending) over the squares of ranks 2 to 7."""
        means = self.tables.reshape(6, 64, 2)[:5, 8:56].mean(axis=1).tolist()
        return {name: (round(mg, 1), round(eg, 1)) for name, (mg, eg) in zip(PIECES, means, strict=True)}

    def train_batch(self, executor: JobExecutor) -> None:
        """Play a batch of games with the present weights, then step along the sum of their gradients.

        Material is the part that all squares of a piece have in common, in both phases. It has a gradient of
        its own, with less noise, and so a larger rate.
        """
        jobs = (
            GradientJob(self.tables, self.seed, self.games + index, self.depth, self.decay)
            for index in range(self.batch)
        )
        games = [result for _job, result in executor.in_order(game_gradient, jobs)]
        total = np.sum([game.gradient for game in games], axis=0)
        self.material += MATERIAL_RATE * adagrad(total.reshape(6, 128).sum(axis=1), self.material_pace)
        self.squares += SQUARE_RATE * adagrad(total, self.square_pace)
        self.games += self.batch
        self.steps += sum(game.steps for game in games)

    def save(self, path: Path) -> None:
        """Write everything."""
        fields = {**vars(self), **{name: getattr(self, name).tolist() for name in ARRAYS}}
        save_text(path, json.dumps(fields))

    @classmethod
    def load(cls, path: Path) -> "TDLeafState":
        """Read what `save` wrote. ValueError if the file is something else."""
        try:
            fields = json.loads(read_text(path))
            arrays = {name: np.array(fields[name], float) for name in ARRAYS}
            shapes = {name: array.shape for name, array in arrays.items()}
            finite = all(np.isfinite(array).all() for array in arrays.values())
            counts = [fields[name] for name in ("seed", "depth", "batch", "games", "steps")]
            counts += [row["games"] for row in fields["curve"]]
            sound = all(type(count) is int for count in counts) and type(fields["curve"]) is list
            if not (sound and finite) or shapes != ARRAYS:
                raise ValueError
            for row in fields["curve"]:
                describe(row)  # raises what follows if something is missing, or of another type
            return cls(**{**fields, **arrays})
        except (ValueError, TypeError, KeyError, AttributeError, ArithmeticError):
            raise ValueError(f"{path}: no state of tdleaf") from None


@dataclass(frozen=True)
class Comparison:
    """How progress is measured: predicted results of held-out games, and games against other weights."""

    positions: Positions | None
    opponent: Groups | None
    pairs: int
    nodes: int

    def run(self, state: TDLeafState, executor: JobExecutor) -> dict[str, Any]:
        """Measure; one row of the learning curve."""
        row: dict[str, Any] = {"games": state.games, "values": state.values()}
        if self.positions is not None:
            row["error"] = prediction_error(self.positions, tables_alone(state.tables))
        if self.pairs:
            tables, seed = state.tables, state.seed
            numbers = range(self.pairs)
            pairs = (WeightsPair(tables, self.opponent, seed, number, self.nodes) for number in numbers)
            counts = [0] * 5
            for _pair, points in executor.run(play_weights, pairs):
                counts[points] += 1
            row["pairs"] = counts
        return row


def prediction_error(positions: Positions, groups: Groups) -> float:
    """Mean squared error of predicted results, at the scale that fits these weights best."""
    weights = as_array(groups)
    return error(positions, weights, fit_scale(positions, weights))


def listed(values: Mapping[str, Sequence[float]]) -> str:
    """Piece values in one line."""
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


@dataclass(frozen=True)
class Schedule:
    """How long to train, how often to evaluate, and where the state is saved."""

    games: int
    every: int  # games between two evaluations
    path: Path


def train(state: TDLeafState, evaluation: Comparison, schedule: Schedule, executor: JobExecutor) -> None:
    """Train up to the number of games, with evaluations in between. The state is saved after each batch."""
    with Progress(schedule.games, "games", done=state.games) as bar:
        while True:
            if evaluation_due(state, schedule):
                state.curve.append(evaluation.run(state, executor))
                state.save(schedule.path)
                bar.print(describe(state.curve[-1]))
            if state.games >= schedule.games:
                return
            state.train_batch(executor)
            state.save(schedule.path)
            bar.advance(listed(state.values()), state.batch)


def evaluation_due(state: TDLeafState, schedule: Schedule) -> bool:
    """Whether an evaluation comes next. It may be one that an earlier, interrupted run did not finish."""
    if not state.curve:
        return True
    last: int = state.curve[-1]["games"]
    if last >= state.games:
        return False
    return state.games >= schedule.games or state.games // schedule.every > last // schedule.every


def load_or_start(new: TDLeafState, path: Path) -> TDLeafState:
    """The state in the file, or `new` if there is none. ValueError if the file has other settings."""
    if not path.exists():
        return new
    old = TDLeafState.load(path)
    if (old.seed, old.depth, old.decay, old.batch) != (new.seed, new.depth, new.decay, new.batch):
        raise ValueError(f"{path} is the state of a run with another seed, depth, decay or batch")
    return old


def references(positions: Positions | None, opponent: Groups | None) -> dict[str, float]:
    """The errors of fitted weights on the same held-out games."""
    if positions is None:
        return {}
    found = {"all weights, fitted": prediction_error(positions, WEIGHTS)}
    if opponent is not None:
        found["the opponent's"] = prediction_error(positions, opponent)
    return found


def draw(curve: list[dict[str, Any]], references: Mapping[str, float], target: Path) -> None:
    """Draw a learning curve: piece values, prediction errors (those of other weights too), matches."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, (values, prediction, match) = pyplot.subplots(1, 3, figsize=(15, 4.5), layout="constrained")
    games = [row["games"] for row in curve]
    for piece in PIECES:
        line = values.plot(games, [row["values"][piece][0] for row in curve], label=piece)
        values.plot(games, [row["values"][piece][1] for row in curve], "--", color=line[0].get_color())
    values.set(title="piece values: middle game ——  ending – –", xlabel="games", ylabel="centipawns")
    values.legend()
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


def carry_out(args: Namespace, tool: str) -> None:
    """`sssnake tune --method tdleaf STATE.json`, once its arguments are read. OSError, ValueError."""
    try_outputs((args.state, args.output, args.png), (*args.held_out, args.against))
    state = load_or_start(TDLeafState(args.seed, args.depth, args.decay, args.batch), args.state)
    opponent = read(args.against) if args.against else None
    positions = load(args.held_out) if args.held_out else None
    evaluation = Comparison(positions, opponent, args.pairs, args.nodes)
    with open_executor(args, tool, processes=True) as executor:
        train(state, evaluation, Schedule(args.games, args.every, args.state), executor)
    if args.output:
        write(as_array(tables_alone(state.tables)), args.output)
    if args.png:
        draw(state.curve, references(positions, opponent), args.png)
