"""shards: files of games that may be learnt from, each by itself and all together.

Refused are files that were cut off, that fail the sign test, or whose games were there before. The sign test
catches labels from the wrong side's view, which otherwise show only as a weak network: scores and results
must go together, and a queen more must be good for its owner, for White and for Black each.
"""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.common.progress import StatusLine
from engine.games import gamelog
from engine.jobs import executor
from engine.training import dataset
from engine.training.dataset import BLACK_MOVES, Filter, Floats, Samples, Shard

REPEATED = 0.1  # share of a file's games; quick games are short now and then, and a few come out the same
POSITION_BYTES = 28  # at the head of a game; what follows is its result
VALUES = (1, 3, 3, 5, 9, 0)  # of pawn to king, in pawns; for "up a queen"
PAWN, QUEEN = 0, 4


# -- games that were there before ------------------------------------------------------------------


@dataclass(frozen=True)
class Inventory:
    """A file's games, looked through without being replayed."""

    games: int
    rest: int  # bytes behind the last whole game
    again: Counter[Path]  # games that were there before, by the file that had them first
    new: dict[bytes, Path]  # the others: a digest of start and moves, and this file

    def problem(self, tolerated: float = REPEATED) -> str | None:
        """Why the file may not be learnt from, None if nothing is seen so far.

        tolerated: the share of its games that may have been there before.
        """
        if self.rest:
            return f"truncated: {self.rest} bytes behind game {self.games}"
        if self.again.total() > tolerated * self.games:
            ((first, _),) = self.again.most_common(1)
            return f"{self.again.total()} of the {self.games} games repeat earlier ones, mostly of {first}"
        return None


def inventory(path: Path, known: Mapping[bytes, Path]) -> Inventory:
    """What a file holds beside the games `known` from others. OSError; ValueError where it is no log."""
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
    """Pearson's; NaN where one of them never varies."""
    if len(scores) < 2 or not scores.std() or not results.std():
        return float("nan")
    return float(np.corrcoef(scores, results)[0, 1])


def bounded(samples: Samples) -> Floats:
    """Scores of the mover, squeezed to -1..1, so that won games do not outweigh the others."""
    return np.asarray(np.tanh(samples["score"] / 400))


def by_byte(values: Sequence[int]) -> npt.NDArray[np.int16]:
    """What the two men in each possible byte of a sample are worth to the mover; `values`: pawn to king."""
    men = [sign * value for value in values for sign in (1, -1)] + [0] * 4
    return np.array([low + high for high in men for low in men], np.int16)


MATERIAL = by_byte(VALUES)
QUEENS = by_byte([kind == QUEEN for kind in range(6)])
BITS = np.array([byte.bit_count() for byte in range(256)], np.int16)


def up_a_queen(samples: Samples) -> Floats:
    """For each sample 1 where the mover is a queen up (in queens and in all), -1: the other, 0: none."""
    occupied = np.ascontiguousarray(samples["occupied"]).view(np.uint8).reshape(-1, 8)
    unused = 32 - BITS[occupied].sum(axis=1)  # half bytes; they look like the mover's pawns
    queens = QUEENS[samples["pieces"]].sum(axis=1)
    material = MATERIAL[samples["pieces"]].sum(axis=1) - unused * VALUES[PAWN]
    ahead = (queens > 0) & (material >= VALUES[QUEEN])
    behind = (queens < 0) & (material <= -VALUES[QUEEN])
    return np.asarray(ahead * 1.0 - behind)


def sign_problem(samples: Samples) -> str | None:
    """What is wrong with the labels of positions from games, None if nothing."""
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
    """The samples of many files, one after the other. OSError; ValueError naming a file that is refused.

    workers: so many files are converted at a time, where there is a cache to put them.
    """
    known: dict[bytes, Path] = {}
    for path in paths:
        found = inventory(path, known)
        complain(path, found.problem())
        known |= found.new
    shards: list[Shard] = []
    parts: list[Samples] = []
    with StatusLine() as status:
        if cache is not None and workers > 1 and len(paths) > 1:
            with executor.Local(workers, processes=True) as crew:
                tasks = [(path, wanted, cache) for path in paths]
                for done, _ in enumerate(crew.run(convert, tasks), 1):
                    status.show(f"{done}/{len(paths)} files converted")
        for path in paths:
            status.show(f"{len(shards)}/{len(paths)} files read")
            shard, samples = dataset.load(path, wanted, cache)
            of_games = samples[~dataset.neighbours(samples)]
            complain(path, sign_problem(of_games) if len(of_games) else None)
            shards.append(shard)
            parts.append(samples)
    if not sum(map(len, parts)):
        raise ValueError("no quiet position in these games")
    return shards, np.concatenate(parts)


def complain(path: Path, problem: str | None) -> None:
    """Raise a ValueError if there is a problem with a file."""
    if problem:
        raise ValueError(f"{path}: {problem}")


def convert(job: tuple[Path, Filter, Path]) -> None:
    """Put a file's samples into the cache: a job for a process of its own."""
    dataset.load(*job)
