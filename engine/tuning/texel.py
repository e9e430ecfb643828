"""Texel's method (Österlund 2014): the fit of the weights of the evaluation to logged games (see `tune`)."""

from argparse import Namespace
from array import array
from ast import literal_eval
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar
from scipy.sparse import csr_matrix
from scipy.special import expit

from sssnake._fast.board.board import Board
from sssnake._fast.evaluation import evaluate, pst
from sssnake._fast.evaluation.weights import WEIGHTS
from sssnake.engine.common.files import own_source, save_text, try_outputs
from sssnake.engine.games import gamelog

FULL_PHASE = 24
FULL_SCALE = 64
SCORE_LIMIT = 1500  # centipawns: decided positions say little about the weights
SKIP_PLIES = 4  # at the start of each game
LAST_BATCH = 0.05  # share of games held out
RATE = 1.0  # Adam's first step, centipawns
DECAY = 2e-8  # weight of the old weights as a prior: about 15 centipawns against some thousands of games
PER_LINE = 6  # pairs a line of weights.py
OWN = Path(evaluate.__file__).with_name("weights.py")  # which the engine reads at its start
TEMPO = pst.group_sizes()["tempo"][0]

Floats = npt.NDArray[np.float64]
Groups = dict[str, list[tuple[int, int]]]


@dataclass
class Positions:
    """Rows of feature counts (White minus Black), their tapers, and the targets of the prediction."""

    counts: csr_matrix
    turn: Floats  # 1 White to move, -1 Black; the tempo is not tapered
    middle: Floats  # share of the middle-game sum in the value
    end: Floats  # share of the ending sum, scale included
    result: Floats  # 0, 0.5, 1 for White
    score: Floats  # centipawns, White's view

    def values(self, weights: Floats) -> Floats:
        """Evaluations, centipawns, White's view; `weights` has shape (number of weights, 2)."""
        both: Floats = self.counts @ weights
        tempo: Floats = self.turn * abs(weights[TEMPO, 0])
        return both[:, 0] * self.middle + both[:, 1] * self.end + tempo

    def gradient(self, slope: Floats, weights: Floats) -> Floats:
        """d(loss)/d(weights) from d(loss)/d(value)."""
        found = np.stack([self.counts.T @ (slope * self.middle), self.counts.T @ (slope * self.end)], axis=1)
        found[TEMPO, 0] = slope @ self.turn * np.sign(weights[TEMPO, 0])
        return found


def quiet_positions(path: Path, every: int) -> Iterator[tuple[Board, int, int]]:
    """(board, result for White 0..2, White's score) of every `every`-th quiet position of a log."""
    seen = 0
    for game in gamelog.read_games(path):
        board = Board.from_chess(game.start)
        for ply, (move, score) in enumerate(game.plies):
            if (
                ply >= SKIP_PLIES
                and gamelog.is_quiet(move)
                and abs(score) <= SCORE_LIMIT
                and not board.is_check
            ):
                seen += 1
                if seen % every == 0:
                    yield board, game.result, score
            board.push(board.uci(move))


def load(paths: list[Path], every: int = 1) -> Positions:
    """Read logs into matrices. ValueError if a file is no log or no position is left."""
    evaluator = evaluate.Evaluator()
    indices = array("i")
    data = array("h")
    starts = array("q", [0])
    columns: list[tuple[float, ...]] = []
    for path in paths:
        for board, result, score in quiet_positions(path, every):
            trace = evaluator.trace(board)
            if trace is None:
                continue
            counts, phase, scale = trace
            for index, count in counts:
                if index != TEMPO:
                    indices.append(index)
                    data.append(count)
            starts.append(len(indices))
            middle = phase / FULL_PHASE
            turn = 1 if board.turn else -1
            columns.append((turn, middle, (1 - middle) * scale / FULL_SCALE, result / 2, score))
    if not columns:
        raise ValueError("no quiet position in these logs")
    rows = np.array(columns)
    size = sum(count for _, count in pst.group_sizes().values())
    matrix = csr_matrix(
        (np.array(data, dtype=np.float32), np.array(indices), np.array(starts)),
        shape=(len(columns), size),
    )
    return Positions(matrix, *rows.T)


def as_array(groups: Groups) -> Floats:
    """Weights as an array (number of weights, 2), the groups in the evaluation's order."""
    return np.array([pair for name in pst.group_sizes() for pair in groups[name]], dtype=np.float64)


def as_groups(weights: Floats) -> Groups:
    """An array of weights, rounded, in the form of `weights.py`."""
    pairs = [(int(mg), int(eg)) for mg, eg in np.rint(weights)]
    return {name: pairs[first : first + size] for name, (first, size) in pst.group_sizes().items()}


def group_mask(groups: Sequence[str]) -> Floats:
    """1 for the weights of these groups, 0 for all others."""
    return np.repeat([float(name in groups) for name in WEIGHTS], [len(pairs) for pairs in WEIGHTS.values()])


def fit_scale(positions: Positions, weights: Floats) -> float:
    """K, the inverse of the centipawns of a logistic unit, fitted to results."""
    values = positions.values(weights)

    def loss(scale: float) -> float:
        return float(np.mean((expit(values * scale) - positions.result) ** 2))

    return float(minimize_scalar(loss, bounds=(1e-4, 2e-2), method="bounded").x)


def split(positions: Positions, held_out: float) -> tuple[Positions, Positions]:
    """Training and held-out rows; logs are in game order, so the last rows are other games."""
    cut = int(len(positions.result) * (1 - held_out))

    def part(rows: slice) -> Positions:
        fields = (positions.turn, positions.middle, positions.end, positions.result, positions.score)
        return Positions(positions.counts[rows], *(column[rows] for column in fields))

    return part(slice(None, cut)), part(slice(cut, None))


def fit(positions: Positions, weights: Floats, scale: float, blend: float, steps: int) -> Floats:
    """Adam on the mean squared error of predicted against blended outcome; returns new weights."""
    target = (1 - blend) * positions.result + blend * expit(positions.score * scale)
    old = weights.copy()
    mean = np.zeros_like(weights)
    square = np.zeros_like(weights)
    for step in range(1, steps + 1):
        predicted = expit(positions.values(weights) * scale)
        slope = 2 * (predicted - target) * predicted * (1 - predicted) * scale / len(target)
        gradient = positions.gradient(slope, weights) + 2 * DECAY * (weights - old)
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.999 * square + 0.001 * gradient**2
        rate = RATE * (1 + np.cos(np.pi * step / steps)) / 2
        weights = weights - rate * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-12)
    return weights


def error(positions: Positions, weights: Floats, scale: float) -> float:
    """Mean squared error against results."""
    return float(np.mean((expit(positions.values(weights) * scale) - positions.result) ** 2))


def source(weights: Floats) -> str:
    """The text of weights.py."""
    lines = [
        '"""Evaluation weights, centipawns: (middle game, ending), a list a group (see pst.pxd).',
        "",
        "Written by `sssnake tune`.",
        '"""',
        "",
        "# fmt: off",
        "WEIGHTS: dict[str, list[tuple[int, int]]] = {",
    ]
    for name, pairs in as_groups(weights).items():
        lines.append(f'    "{name}": [')
        rows = (pairs[first : first + PER_LINE] for first in range(0, len(pairs), PER_LINE))
        lines += ["        " + ", ".join(map(str, row)) + "," for row in rows]
        lines.append("    ],")
    lines.append("}")
    return "\n".join(lines) + "\n"


def write(weights: Floats, path: Path) -> None:
    """Write weights.py."""
    save_text(path, source(weights))


def read(path: Path) -> Groups:
    """What `write` wrote. ValueError if the file is something else."""
    try:
        text = path.read_text(encoding="utf-8").partition("WEIGHTS")[2].partition("=")[2]
        found = literal_eval(text.strip())
        sizes = {name: len(pairs) for name, pairs in found.items()}
    except (SyntaxError, ValueError, AttributeError, TypeError):
        raise ValueError(f"{path}: no evaluation weights") from None
    if sizes != {name: size for name, (_, size) in pst.group_sizes().items()}:
        raise ValueError(f"{path}: not the weights of this version")
    groups: Groups = found
    return groups


def carry_out(args: Namespace) -> None:
    """`sssnake tune LOG... [--adopt | -o FILE.py]`, once its arguments are read. OSError, ValueError."""
    targets = [path for path in (args.output, own_source(OWN) if args.adopt else None) if path]
    try_outputs(targets, args.logs)
    positions = load(args.logs, args.every)
    training, held_out = split(positions, LAST_BATCH)
    weights = as_array(WEIGHTS)
    scale = fit_scale(training, weights)
    print(f"{len(positions.result)} positions, K = {scale:.5f} per centipawn")
    before = error(held_out, weights, scale)
    if args.groups:
        chosen = group_mask(args.groups)
        weights = weights * chosen[:, None]
        training.counts = csr_matrix(training.counts.multiply(chosen))
    weights = fit(training, weights, scale, args.blend, args.steps)
    print(f"held-out error {before:.5f} -> {error(held_out, weights, scale):.5f}")
    if not targets:
        print(source(weights), end="")
    try:
        for path in targets:
            write(weights, path)
            print(path)
    except OSError:
        print(source(weights), end="", flush=True)  # so that the weights are not lost
        raise
