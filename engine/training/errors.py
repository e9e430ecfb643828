"""The error of networks on positions judged by long searches, with its own error (bootstrap, Efron 1979)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sssnake._fast.board.board import Board
from sssnake._fast.evaluation.evaluate import Evaluator
from sssnake.engine.player import evaluation
from sssnake.engine.training import judged
from sssnake.engine.training.dataset import Floats, fit_scale, sigmoid
from sssnake.engine.training.judged import JudgedPosition

SCALE = 200.0  # centipawns of the long search's score that are one logistic unit
BANDS = ((2, 32), (21, 32), (11, 20), (2, 10))  # piece counts of the columns
RESAMPLES = 1000  # of the bootstrap (Efron 1979)
Z95 = (2.5, 97.5)  # percentiles


@dataclass(frozen=True)
class Errors:
    """Squared errors of one evaluation, position by position, and the scale they were taken at."""

    name: str
    squares: Floats
    scale: float


def values(name: str, positions: Sequence[JudgedPosition]) -> Floats:
    """Static values for the side to move, centipawns. OSError; ValueError if the file is no network."""
    evaluator = Evaluator(evaluation.load(name))
    boards = [Board.from_chess(position.board) for position in positions]
    return np.array([evaluator.evaluate(board) for board in boards], dtype=np.float64)


def errors(name: str, found: Floats, wanted: Floats) -> Errors:
    """Compare values with the wanted expected scores."""
    scale = fit_scale(found, wanted)
    return Errors(name, (sigmoid(found / scale) - wanted) ** 2, scale)


def table(rows: Sequence[Errors], pieces: npt.NDArray[np.int_], seed: int) -> list[str]:
    """A line a network: its error in each band of piece counts, and by how much it exceeds that of the first
    one, and of the one before.

    After +- stands half of the bootstrap's 95 % interval; for the difference, that of paired samples.
    """
    masks = [(low <= pieces) & (pieces <= high) for low, high in BANDS]
    heads = [f"{low}-{high} pieces ({mask.sum()})" for (low, high), mask in zip(BANDS, masks, strict=True)]
    lines = [
        f"{'network':<24} {'scale':>5} "
        + "  ".join(f"{head:>20}" for head in heads)
        + f"  {'against the first':<17}  against the one before"
    ]
    for number, row in enumerate(rows):
        cells = [f"{cell(row.squares[mask], seed):>20}" for mask in masks]
        others = (rows[0], rows[number - 1]) if number else ()
        cells += [f"{difference(row.squares, other.squares, seed):<17}" for other in others]
        lines.append(f"{row.name[-24:]:<24} {row.scale:5.0f} " + "  ".join(cells))
    return [line.rstrip() for line in lines]


def cell(squares: Floats, seed: int) -> str:
    """Root mean square with its error; nothing if there are no positions."""
    if not len(squares):
        return "-"
    means = squares[resamples(len(squares), seed)].mean(axis=1)
    return f"{np.sqrt(squares.mean()):.4f} +- {half_width(np.sqrt(means)):.4f}"


def difference(squares: Floats, first: Floats, seed: int) -> str:
    """How much larger the root mean square is than that of `first`, with its error from paired samples."""
    chosen = resamples(len(squares), seed)
    parts = np.sqrt(squares[chosen].mean(axis=1)) - np.sqrt(first[chosen].mean(axis=1))
    return f"{np.sqrt(squares.mean()) - np.sqrt(first.mean()):+.4f} +- {half_width(parts):.4f}"


def resamples(count: int, seed: int) -> npt.NDArray[np.int64]:
    """Indices drawn with replacement, a row for each of the bootstrap's samples."""
    return np.random.default_rng(seed).integers(0, count, (RESAMPLES, count))


def half_width(samples: Floats) -> float:
    """Half of the interval that holds 95 % of the samples."""
    low, high = np.percentile(samples, Z95)
    return float(high - low) / 2


def compared(networks: Sequence[str], file: Path, seed: int) -> list[str]:
    """The lines of the table of networks, from the positions of a file. OSError, ValueError."""
    positions = judged.read(file)
    scores = np.array([position.score for position in positions], dtype=np.float64)
    wanted = sigmoid(scores / SCALE)
    pieces = np.array([position.pieces for position in positions])
    rows = [errors(name, values(name, positions), wanted) for name in networks]
    return table(rows, pieces, seed)
