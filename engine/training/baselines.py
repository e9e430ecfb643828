"""baselines: simpler evaluations that a network must beat on held-out games.

They are fitted piece-square tables, the static evaluation and the search's score. Each gets the scale that
fits the training positions best, so that its unit does not matter.
"""

from collections.abc import Iterator

import chess
import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from sssnake._fast.board.board import Board
from sssnake._fast.evaluation.evaluate import Evaluator
from sssnake.engine.training import dataset
from sssnake.engine.training.config import Config
from sssnake.engine.training.dataset import Floats, Samples
from sssnake.engine.training.trainer import Trainer, targets

PHASE = np.array([0, 1, 1, 2, 4, 0])  # by piece type
FULL_PHASE = 24
PST_SIZE = 384  # entries of piece-square tables: six piece types, 64 squares
PST_SAMPLES = 300_000  # more do not improve the fit
SCALE_SAMPLES = 10_000
STEPS = 200  # of the fit
RIDGE = 1e-6


def pst_inputs(samples: Samples, tapered: bool) -> csr_matrix:
    """Rows of piece-square counts, own minus other's: [middle game, ending][type][square], 1 for tempo.

    Without taper everything counts as middle game: one value for each piece and square.
    """
    sample, code, square = dataset.placements(samples)
    theirs = code & 1
    material = np.bincount(sample, PHASE[code >> 1], len(samples))
    phase = np.minimum(material / FULL_PHASE, 1)[sample] if tapered else 1
    column = 64 * (code >> 1) + (square ^ 56 * theirs)
    every = np.arange(len(samples))
    return csr_matrix(
        (
            np.concatenate([(1 - 2 * theirs) * phase, (1 - 2 * theirs) * (1 - phase), np.ones(len(samples))]),
            (
                np.concatenate([sample, sample, every]),
                np.concatenate([column, PST_SIZE + column, np.full(len(samples), 2 * PST_SIZE)]),
            ),
        ),
        shape=(len(samples), 2 * PST_SIZE + 1),
    )


def fit_pst(samples: Samples, wanted: Floats, tapered: bool) -> Floats:
    """Piece-square tables, in logistic units, fitted to the targets (mean squared error)."""
    inputs = pst_inputs(samples, tapered)

    def loss(weights: Floats) -> tuple[float, Floats]:
        predicted = dataset.sigmoid(inputs @ weights)
        error = predicted - wanted
        slope = 2 * error * predicted * (1 - predicted) / len(wanted)
        return float(np.mean(error**2) + RIDGE * weights @ weights), inputs.T @ slope + 2 * RIDGE * weights

    start = np.zeros(inputs.shape[1])
    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS}).x)


def board_of(sample: np.void) -> Board:
    """A sample as a position, White to move (castling and en passant are not in it)."""
    board = chess.Board.empty()
    for index, square in enumerate(chess.scan_forward(int(sample["occupied"]))):
        code = int(sample["pieces"][index >> 1]) >> 4 * (index & 1) & 15
        board.set_piece_at(square, chess.Piece((code >> 1) + 1, not code & 1))
    return Board.from_chess(board)


def static_values(samples: Samples) -> Floats:
    """The engine's static evaluation of each sample, centipawns, mover's view."""
    evaluator = Evaluator()
    return np.array([evaluator.evaluate(board_of(sample)) for sample in samples], dtype=np.float64)


def part(samples: Samples, size: int, seed: int) -> Samples:
    """A random subset of at most `size` samples."""
    if len(samples) <= size:
        return samples
    return samples[np.random.default_rng(seed).choice(len(samples), size, replace=False)]


def comparison(trainer: Trainer) -> Iterator[tuple[str, float, float]]:
    """(what, error against the targets, error against results) on the held-out positions."""
    config, unseen = trainer.config, trainer.unseen
    fitted = part(trainer.known, PST_SAMPLES, config.training.seed)
    scaled = part(trainer.known, SCALE_SAMPLES, config.training.seed)
    yield errors("network", trainer.values(unseen).astype(float), unseen, config)
    for name, tapered in (("linear", False), ("tapered", True)):
        tables = fit_pst(fitted, targets(fitted, config), tapered)
        yield errors(f"{name} piece-square tables", pst_inputs(unseen, tapered) @ tables, unseen, config)
    for name, values in (("static evaluation", static_values), ("search's score", scores)):
        scale = dataset.fit_scale(values(scaled), targets(scaled, config))
        yield errors(f"{name} / {scale:.0f} cp", values(unseen) / scale, unseen, config)


def scores(samples: Samples) -> Floats:
    """The search's score of each sample, centipawns, mover's view."""
    return np.asarray(samples["score"].astype(np.float64))


def errors(name: str, values: Floats, samples: Samples, config: Config) -> tuple[str, float, float]:
    """Mean squared errors of values in logistic units, against targets and against results."""
    predicted = dataset.sigmoid(values)
    target, result = (
        float(np.mean((predicted - wanted) ** 2))
        for wanted in (targets(samples, config), samples["result"] / 2)
    )
    return name, target, result
