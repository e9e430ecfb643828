"""The training of a network, epoch by epoch, and its checkpoints.

Every batch is cut into the same number of slices, whatever the number of threads. Each slice has its own
gradient, and the gradients are added in order. So a seed gives the same network, bit for bit, on any number
of threads, and a training that is resumed from a checkpoint ends like one that was never stopped.

The trainer is own code, and not that of a framework, because it is exact and needs nothing but numpy.
"""

import json
import zipfile
import zlib
from array import array
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sssnake._fast.evaluation.netfile import INPUTS, MAGIC, Net, read
from sssnake._fast.training import trainer
from sssnake.engine.common.files import whole
from sssnake.engine.common.inputs import open_input
from sssnake.engine.training import dataset
from sssnake.engine.training.config import Config
from sssnake.engine.training.dataset import Samples

SLICES = 8
FIRST_WEIGHT = 0.01  # input weights start within it: small, since those of rare features stay
FIRST_BIAS = 0.4  # neurons start in the middle of the activation's slope

Numbers = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Losses:
    """Mean squared errors at the end of an epoch, against the targets and against results alone."""

    epoch: int
    rate: float  # of learning, at the epoch's end
    training: float  # target, mean over the epoch
    held_out: float  # target; NaN without held-out games
    held_out_result: float
    held_out_beside: float  # target, of positions beside the held-out games


class Trainer:
    """Parameters, the state of AdamW, and the samples of a training."""

    def __init__(self, config: Config, samples: Samples, fingerprint: str, threads: int = 1) -> None:
        """`fingerprint` identifies the data in checkpoints. ValueError if there is no training sample."""
        self.config, self.threads = config, threads
        self.identity = json.dumps({"games": fingerprint, **config.settings()}, sort_keys=True)
        mask = dataset.held_out(samples, config.data.held_out)
        beside = dataset.neighbours(samples)
        self.known = samples[~mask]
        self.unseen, self.unseen_beside = samples[mask & ~beside], samples[mask & beside]
        if not len(self.known):
            raise ValueError("no position left to train on")
        self.bytes = dataset.raw(self.known)
        self.shape = (config.network.hidden, config.network.buckets)
        self.parameters = first_parameters(config)
        self.mean = np.zeros_like(self.parameters)
        self.square = np.zeros_like(self.parameters)
        self.gradients = np.zeros((SLICES, len(self.parameters)), np.float32)
        self.history: list[Losses] = []

    # -- one epoch -----------------------------------------------------------------------------

    def batches(self) -> int:
        """Batches of an epoch. Their sizes differ by one position at most."""
        return -(-len(self.known) // self.config.training.batch)

    def rate(self, step: int) -> float:
        """Learning rate of a step, counted from 0 over the whole training: half a cosine wave."""
        first, last = self.config.training.learning_rate, self.config.training.final_learning_rate
        total = self.config.training.epochs * self.batches()
        return float(last + (first - last) * (1 + np.cos(np.pi * step / total)) / 2)

    def result_weight(self, step: int) -> float:
        """Weight of the results in the targets of a step, counted like those of `rate`."""
        first, last = self.config.training.result_weight, final_result_weight(self.config)
        return first + (last - first) * step / (self.config.training.epochs * self.batches())

    def epoch(self, progress: Callable[[float], None] = lambda loss: None) -> Losses:
        """Train on all samples once. `progress` is called with the mean loss so far, after each batch."""
        number = len(self.history)
        order = np.random.default_rng((self.config.training.seed, number)).permutation(len(self.known))
        total, steps, done = 0.0, self.batches(), 0
        with ThreadPoolExecutor(self.threads) as executor:
            for i in range(steps):
                end = len(order) * (i + 1) // steps
                step = number * steps + i
                total += self.step(order[done:end], step, executor)
                done = end
                progress(total / done)
        self.history.append(self.losses(self.rate(step), total / len(order)))
        return self.history[-1]

    def step(self, order: npt.NDArray[np.int64], step: int, executor: ThreadPoolExecutor) -> float:
        """Train on one batch; return its sum of squared errors before the step."""
        training = self.config.training
        objective = trainer.Objective(self.result_weight(step), training.score_scale, 1 / len(order))
        this = trainer.Step(step + 1, self.rate(step), training.weight_decay)

        def slopes(i: int) -> float:
            part = order[len(order) * i // SLICES : len(order) * (i + 1) // SLICES]
            return trainer.gradient(
                self.parameters, self.bytes, part, self.gradients[i], self.shape, objective
            )

        def descend(i: int) -> None:
            size = len(self.parameters)
            part = slice(size * i // SLICES, size * (i + 1) // SLICES)
            state = self.mean[part], self.square[part]
            trainer.adamw(self.parameters[part], *state, self.gradients[:, part], this)

        total = sum(executor.map(slopes, range(SLICES)))
        list(executor.map(descend, range(SLICES)))
        return total

    def losses(self, rate: float, training: float) -> Losses:
        """The present errors on held-out games and on positions beside them."""
        values = dataset.sigmoid(self.values(self.unseen))
        beside = dataset.sigmoid(self.values(self.unseen_beside))
        return Losses(
            len(self.history) + 1,
            rate,
            training,
            squared_error(values, targets(self.unseen, self.config)),
            squared_error(values, self.unseen["result"] / 2),
            squared_error(beside, targets(self.unseen_beside, self.config)),
        )

    def values(self, samples: Samples) -> Numbers:
        """The value of each sample, in logistic units, mover's view."""
        values = np.empty(len(samples), np.float32)
        trainer.values(self.parameters, dataset.raw(samples), values, *self.shape)
        return values

    # -- files and checkpoints ------------------------------------------------------------------------------

    def net(self, description: str) -> Net:
        """The quantized network."""
        hidden, buckets = self.shape
        net = Net(hidden, buckets, scale=self.config.network.scale, description=description)
        start = 0
        for name, (kind, length) in net.parts().items():
            part = np.rint(self.parameters[start : start + length].astype(np.float64) * units(net)[name])
            setattr(net, name, array(kind, part.astype(int).tolist()))
            start += length
        return net

    def save(self, path: Path) -> None:
        """Write a checkpoint, atomically."""
        with whole(path) as file:
            np.savez(
                file,
                parameters=self.parameters,
                mean=self.mean,
                square=self.square,
                identity=self.identity,
                history=np.array([list(vars(losses).values()) for losses in self.history]),
            )

    def begin_with(self, path: Path) -> None:
        """Start from the parameters of a checkpoint or a network. OSError; ValueError: wrong shape."""
        with open_input(path, regular=True) as file:
            is_network = file.read(len(MAGIC)) == MAGIC
        found = in_floats(read(path)) if is_network else checkpoint_parameters(path)
        if found.shape != self.parameters.shape:
            raise ValueError(f"{path}: of a network of another shape")
        self.parameters[:] = found

    def restore(self, path: Path) -> None:
        """Resume from a checkpoint. OSError; ValueError if it is none, or of other settings or data."""
        with checkpoint(path) as found:
            identity = str(found["identity"])
            if identity == self.identity:
                for name in ("parameters", "mean", "square"):
                    getattr(self, name)[:] = found[name]
                self.history = [Losses(int(row[0]), *map(float, row[1:])) for row in found["history"]]
        if identity != self.identity:
            raise ValueError(f"{path}: of a training with other settings or games")


def units(net: Net) -> dict[str, int]:
    """The integer that stands for 1, for each part of a network."""
    return {"weights": net.qa, "bias": net.qa, "out": net.qb, "out_bias": net.qa * net.qb}


def in_floats(net: Net) -> Numbers:
    """The parameters of a network file as floats."""
    parts = [np.array(getattr(net, part), np.float32) / unit for part, unit in units(net).items()]
    return np.concatenate(parts)


@contextmanager
def checkpoint(path: Path) -> Iterator[Mapping[str, Any]]:
    """The arrays of a checkpoint, by name. OSError; ValueError if it is none or lacks one of them."""
    with open_input(path, regular=True) as file:  # numpy leaves a file of its own open if it is no archive
        try:
            with np.load(file) as kept:
                yield kept
        except (ValueError, KeyError, EOFError, TypeError, RuntimeError, zipfile.BadZipFile, zlib.error):
            raise ValueError(f"{path}: not a checkpoint") from None


def checkpoint_parameters(path: Path) -> Numbers:
    """The parameters in a checkpoint. OSError; ValueError if it is none."""
    with checkpoint(path) as found:
        return np.asarray(found["parameters"], np.float32)


def squared_error(predicted: dataset.Floats, wanted: dataset.Floats) -> float:
    """The mean squared error; NaN of no samples."""
    return float(np.mean((predicted - wanted) ** 2)) if len(predicted) else float("nan")


def first_parameters(config: Config) -> Numbers:
    """Random initial parameters."""
    hidden, buckets = config.network.hidden, config.network.buckets
    rng = np.random.default_rng(config.training.seed)
    weights = rng.uniform(-FIRST_WEIGHT, FIRST_WEIGHT, INPUTS * hidden)
    out = rng.uniform(-1, 1, hidden) * (2 * hidden) ** -0.5
    both = np.concatenate([out, -out])  # the weights of the two sides are opposite
    parts = [weights, np.full(hidden, FIRST_BIAS), np.tile(both, buckets), np.zeros(buckets)]
    return np.concatenate(parts).astype(np.float32)


def final_result_weight(config: Config) -> float:
    """The weight of the results in the targets at the end of a training."""
    training = config.training
    return training.result_weight if training.final_result_weight is None else training.final_result_weight


def targets(samples: Samples, config: Config) -> dataset.Floats:
    """The targets of the network's sigmoid at the end of the training: a blend of result and score."""
    weight = np.where(dataset.neighbours(samples), 0.0, final_result_weight(config))
    score = dataset.sigmoid(samples["score"] / config.training.score_scale)
    return np.asarray(weight * samples["result"] / 2 + (1 - weight) * score)
