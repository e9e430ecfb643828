"""shards: checks files of games, and loads those that a training may use.

A file is refused if it was cut off, fails the sign test, or repeats games of earlier files. The sign test
finds labels from the wrong side's view, which would only show as a weak network: scores and results must be
correlated, and a queen more must be good for its owner, both for White and for Black.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sssnake.engine.common.progress import Progress
from sssnake.engine.games import gamelog
from sssnake.engine.jobs.executor import LocalExecutor
from sssnake.engine.training import dataset
from sssnake.engine.training.dataset import BLACK_MOVES, Filter, Floats, Samples, Shard

REPEATED = 0.1  # tolerated share of repeated games; of short quick games some are equal
POSITION_BYTES = 28  # at the head of a game; what follows is its result
VALUES = (1, 3, 3, 5, 9, 0)  # of pawn to king, in pawns; for "up a queen"
PAWN, QUEEN = 0, 4


# -- repeated games ------------------------------------------------------------------


@dataclass(frozen=True)
class Inventory:
    """The games of a file, read without replaying them."""

    games: int
    rest: int  # bytes behind the last whole game
    again: Counter[Path]  # repeated games, by the file that had them first
    new: dict[bytes, Path]  # the other games: digest of start and moves -> this file

    def problem(self, tolerated: float = REPEATED) -> str | None:
        """Why the file is refused; None if nothing is wrong so far. tolerated: share of repeated games."""
        if self.rest:
            return f"truncated: {self.rest} bytes behind game {self.games}"
        if self.again.total() > tolerated * self.games:
            ((first, _),) = self.again.most_common(1)
            return f"{self.again.total()} of the {self.games} games repeat earlier ones, mostly of {first}"
        return None


def inventory(path: Path, known: Mapping[bytes, Path]) -> Inventory:
    """Compare a file with the games `known` from other files. OSError; ValueError if it is no log."""
    new: dict[bytes, Path] = {}
    again: Counter[Path] = Counter()
    rest = path.stat().st_size
    for start, moves, _ in gamelog.raw_games(path):
        digest = hashlib.sha256(start[:POSITION_BYTES] + moves.tobytes()).digest()
        if digest in known or digest in new:
            again[known.get(digest, path)] += 1
        else:
            new[digest] = path
        rest -= gamelog.START.size + gamelog.PLY.size * len(moves)
    return Inventory(again.total() + len(new), rest, again, new)


# -- the sign test ---------------------------------------------------------------------------------


def correlation(scores: Floats, results: Floats) -> float:
    """Pearson's correlation; NaN if one of them is constant."""
    if len(scores) < 2 or not scores.std() or not results.std():
        return float("nan")
    return float(np.corrcoef(scores, results)[0, 1])


def bounded(samples: Samples) -> Floats:
    """Scores of the mover, mapped to -1..1, so that won games do not outweigh the others."""
    return np.asarray(np.tanh(samples["score"] / 400))


def by_byte(values: Sequence[int]) -> npt.NDArray[np.int16]:
    """Value for the mover of the two pieces in each possible byte of a sample; `values`: pawn to king."""
    pieces = [sign * value for value in values for sign in (1, -1)] + [0] * 4
    return np.array([low + high for high in pieces for low in pieces], np.int16)


MATERIAL = by_byte(VALUES)
QUEENS = by_byte([kind == QUEEN for kind in range(6)])
BITS = np.array([byte.bit_count() for byte in range(256)], np.int16)


def up_a_queen(samples: Samples) -> Floats:
    """1 for samples whose mover is a queen up (in queens and in material), -1: a queen down, 0: neither."""
    occupied = np.ascontiguousarray(samples["occupied"]).view(np.uint8).reshape(-1, 8)
    unused = 32 - BITS[occupied].sum(axis=1)  # half bytes of 0, the code of the mover's pawns
    queens = QUEENS[samples["pieces"]].sum(axis=1)
    material = MATERIAL[samples["pieces"]].sum(axis=1) - unused * VALUES[PAWN]
    ahead = (queens > 0) & (material >= VALUES[QUEEN])
    behind = (queens < 0) & (material <= -VALUES[QUEEN])
    return np.asarray(ahead * 1.0 - behind)


def sign_problem(samples: Samples) -> str | None:
    """What is wrong with the labels of positions from games; None if nothing."""
    for flag, mover in ((0, "White"), (BLACK_MOVES, "Black")):
        part = samples[samples["flags"] & BLACK_MOVES == flag]
        together = correlation(bounded(part), part["result"].astype(float))
        if not together > 0:
            found = "are not correlated" if np.isnan(together) else f"have correlation {together:.2f}"
            return f"score and result {found} where {mover} is to move"
        owner = up_a_queen(part)
        for label, known in (("score", bounded(part)), ("result", part["result"] - 1.0)):
            mean = float((owner * known).sum() / max(np.count_nonzero(owner), 1))
            if owner.any() and not mean > 0:
                return f"a queen more has a mean {label} of {mean:.2f} for its owner where {mover} is to move"
    return None


# -- all together ----------------------------------------------------------------------------------


def load_all(
    paths: Sequence[Path], wanted: Filter, cache: Path | None = None, workers: int = 1
) -> tuple[list[Shard], Samples]:
    """The samples of many files, in their order. OSError; ValueError, with the file, if one is refused.

    workers: files converted at a time, if there is a cache.
    """
    known: dict[bytes, Path] = {}
    for path in paths:
        found = inventory(path, known)
        complain(path, found.problem())
        known |= found.new
    shards: list[Shard] = []
    parts: list[Samples] = []
    if cache is not None and workers > 1 and len(paths) > 1:
        convert_all([(path, wanted, cache) for path in paths], workers)
    with Progress(len(paths), "files", title="read") as bar:
        for path in paths:
            shard, samples = dataset.load(path, wanted, cache)
            of_games = samples[~dataset.neighbours(samples)]
            complain(path, sign_problem(of_games) if len(of_games) else None)
            shards.append(shard)
            parts.append(samples)
            bar.advance()
    if not sum(map(len, parts)):
        raise ValueError("no quiet position in these games")
    return shards, np.concatenate(parts)


def complain(path: Path, problem: str | None) -> None:
    """Raise ValueError if a file has a problem."""
    if problem:
        raise ValueError(f"{path}: {problem}")


def convert_all(jobs: Sequence[tuple[Path, Filter, Path]], workers: int) -> None:
    """Put the samples of many files into the cache, `workers` files at a time."""
    executor, bar = LocalExecutor(workers, processes=True), Progress(len(jobs), "files", title="converted")
    with executor, bar:
        for _ in executor.run(convert, jobs):
            bar.advance()


def convert(job: tuple[Path, Filter, Path]) -> None:
    """Put the samples of one file into the cache: the job of a process."""
    dataset.load(*job)
