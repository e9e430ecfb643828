"""The error of networks on the results of games, with its own error.

A result says little of a position, but there are millions of them, and no network's opinion is in them. The
positions of one game share their result, so games are counted, not positions: an error is a ratio of sums
over games (Cochran 1977).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sssnake._fast.evaluation import netfile
from sssnake._fast.training import trainer
from sssnake.engine.player import evaluation
from sssnake.engine.player.options import INTERNAL
from sssnake.engine.training import dataset, shards
from sssnake.engine.training.dataset import Filter, Floats, Samples
from sssnake.engine.training.trainer import in_floats

Z95 = 1.96  # standard errors that hold 95 % of the normal distribution with their negatives


@dataclass(frozen=True)
class Outcomes:
    """Sums of the squared errors of one network over the positions of each game."""

    name: str
    scale: float  # centipawns of the network's value that are one logistic unit: those that suit it best
    squares: Floats


def values(name: str, samples: Samples) -> Floats:
    """The network's values for the side to move, centipawns. ValueError if the file is no network."""
    net = netfile.read(evaluation.SHIPPED if name == INTERNAL else Path(name))
    found = np.empty(len(samples), np.float32)
    trainer.values(in_floats(net), dataset.raw(samples), found, net.hidden, net.buckets)
    return found.astype(np.float64) * net.scale


def by_game(samples: Samples) -> Samples:
    """The samples game by game; games from one start are one."""
    return samples[np.argsort(samples["game"], kind="stable")]


def outcomes(name: str, found: Floats, samples: Samples, first: npt.NDArray[np.intp]) -> Outcomes:
    """Compare values with the results of samples, game by game; `first`: each game's first sample."""
    wanted = samples["result"] / 2
    scale = dataset.fit_scale(found, wanted)
    return Outcomes(name, scale, np.add.reduceat((dataset.sigmoid(found / scale) - wanted) ** 2, first))


def difference(squares: Floats, others: Floats, counts: Floats) -> str:
    """How much larger the root mean square is, with its error from paired games of so many positions."""
    total, root = counts.sum(), np.sqrt(squares.sum() / counts.sum())
    excess = squares - others
    spread = np.sqrt(((excess - excess.sum() / total * counts) ** 2).sum()) / total
    return f"{root - np.sqrt(others.sum() / total):+.5f} +- {Z95 * spread / (2 * root):.5f}"


def table(rows: Sequence[Outcomes], counts: Floats) -> list[str]:
    """The size of the sample, then a line a network: its root mean square error, and by how much it exceeds
    that of the first one, and of the one before.

    After +- stands half of the 95 % interval.
    """
    lines = [
        f"{len(counts)} games, {counts.sum():.0f} positions",
        f"{'network':<24} {'scale':>5} {'error':>8}  {'against the first':<20}  against the one before",
    ]
    for number, row in enumerate(rows):
        line = f"{row.name[-24:]:<24} {row.scale:5.0f} {np.sqrt(row.squares.sum() / counts.sum()):8.5f}"
        for other in (rows[0], rows[number - 1]) if number else ():
            line += f"  {difference(row.squares, other.squares, counts):<20}"
        lines.append(line.rstrip())
    return lines


def compared(networks: Sequence[str], games: Sequence[Path]) -> list[str]:
    """The lines of the table of networks, from files of games. OSError, ValueError."""
    _, samples = shards.load_all(games, Filter(skip_plies=0))
    samples = by_game(samples)
    _, first, counts = np.unique(samples["game"], return_index=True, return_counts=True)
    rows = [outcomes(name, values(name, samples), samples, first) for name in networks]
    return table(rows, counts.astype(np.float64))
