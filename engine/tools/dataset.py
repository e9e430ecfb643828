"""dataset: logged games turned into training samples, kept in a cache; which games are held out.

The samples are `_fast.samples.Sample`, 32 bytes a position. A cache file is nothing but samples; its name
holds the hash of the games and the filter, so a shard that grew is converted anew.
"""

import hashlib
import os
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar

from _fast.board import Board
from _fast.samples import SAMPLE_SIZE, Collector, validate
from engine.tools import gamelog

SAMPLE = np.dtype(
    [
        ("occupied", "<u8"),
        ("pieces", "u1", 16),
        ("score", "<i2"),
        ("result", "u1"),
        ("flags", "u1"),
        ("game", "<u4"),
    ]
)
BLACK_MOVES, CHESS960 = 1, 2  # flags
CACHE_VERSION = 1
HASH_RANGE = 2**32
SCALES = (50, 2000)  # centipawns: where the slope of results against scores is looked for

Samples = npt.NDArray[np.void]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Filter:
    """Which positions are kept, beside being quiet."""

    skip_plies: int = 4  # at the start of each game
    score_limit: int = 3000  # centipawns


@dataclass(frozen=True)
class Shard:
    """What is known of a file of games once it has been read."""

    name: str
    sha256: str
    games: int
    plies: int
    samples: int


def replay(path: Path, wanted: Filter) -> tuple[Collector, list[tuple[bytes, int, int]]]:
    """All samples of a file, and (start, result, plies) of its games; ValueError naming a corrupt game."""
    collector = Collector(wanted.skip_plies, wanted.score_limit)
    games: list[tuple[bytes, int, int]] = []
    for start, moves, scores in gamelog.raw_games(path):
        try:
            board, result, plies = gamelog.unpack_start(start)
            collector.add(Board.from_chess(board), moves, scores, result, game_number(start))
        except ValueError as problem:
            raise ValueError(f"{path}: game {len(games) + 1}: {problem}") from None
        games.append((start, result, plies))
    if not games:
        raise ValueError(f"{path}: no games")
    return collector, games


def game_number(start: bytes) -> int:
    """What a game is known by: the hash of its start position, so that games from one start stay together."""
    return zlib.crc32(start[:24])


def load(path: Path, wanted: Filter, cache: Path | None = None) -> tuple[Shard, Samples]:
    """A file's samples, from the cache if it has them. OSError, ValueError."""
    data = path.read_bytes()
    sha256 = hashlib.sha256(data).hexdigest()
    games, plies = 0, 0
    for _, moves, _ in gamelog.raw_games(path):
        games, plies = games + 1, plies + len(moves)
    kept = cache and cache / f"{sha256[:20]}-{wanted.skip_plies}-{wanted.score_limit}.v{CACHE_VERSION}"
    if kept is None or not kept.exists():
        samples = np.frombuffer(replay(path, wanted)[0].samples_so_far(), SAMPLE)
        if kept is not None:
            store(kept, samples)
    else:
        try:
            validate(np.memmap(kept, np.uint8, "r"))
        except ValueError as problem:
            raise ValueError(f"{kept}: {problem}; delete it") from None
        samples = np.memmap(kept, SAMPLE, "r")
    return Shard(path.name, sha256, games, plies, len(samples)), samples


def store(path: Path, samples: Samples) -> None:
    """Write a cache file, all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(f".{os.getpid()}")
    half.write_bytes(samples.tobytes())
    half.rename(path)


def load_all(
    paths: Sequence[Path], wanted: Filter, cache: Path | None = None
) -> tuple[list[Shard], Samples]:
    """The samples of many files, one after the other. ValueError where two hold the same games."""
    shards: dict[str, Shard] = {}
    parts = []
    for path in paths:
        shard, samples = load(path, wanted, cache)
        if shard.sha256 in shards:
            raise ValueError(f"{path} holds the same games as {shards[shard.sha256].name}")
        shards[shard.sha256] = shard
        parts.append(samples)
    if not sum(map(len, parts)):
        raise ValueError("no quiet position in these games")
    return list(shards.values()), np.concatenate(parts)


def fingerprint(shards: Sequence[Shard], wanted: Filter) -> str:
    """One hash for all data, in their order, and the filter."""
    text = repr([shard.sha256 for shard in shards]) + repr(sorted(asdict(wanted).items()))
    return hashlib.sha256(text.encode()).hexdigest()


def held_out(samples: Samples, share: float) -> Mask:
    """Which samples are not trained on: whole games, the same ones however much data there is beside them."""
    # The product spreads neighbouring numbers; 0x9E3779B1 is the prime next to 2^32 / golden ratio.
    spread = samples["game"].astype(np.uint64) * np.uint64(0x9E3779B1) % np.uint64(HASH_RANGE)
    return np.asarray(spread < np.uint64(share * HASH_RANGE))


def raw(samples: Samples) -> npt.NDArray[np.uint8]:
    """The bytes of contiguous samples, as the core takes them."""
    return np.frombuffer(np.ascontiguousarray(samples), np.uint8)


def sigmoid(x: npt.NDArray[np.floating[Any]]) -> Floats:
    """Logistic function."""
    return np.asarray(1 / (1 + np.exp(-x.astype(np.float64))))


def fit_scale(scores: Floats, targets: Floats) -> float:
    """The centipawns that make one logistic unit: sigmoid(score / scale) comes nearest to the targets."""

    def loss(scale: float) -> float:
        return float(np.mean((sigmoid(scores / scale) - targets) ** 2))

    return float(minimize_scalar(loss, bounds=SCALES, method="bounded").x)


def placements(
    samples: Samples,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """(sample, code, square) of every piece of every sample; code: 2 * type + (1: not the mover's)."""
    squares = np.unpackbits(samples["occupied"].reshape(-1, 1).view(np.uint8), axis=1, bitorder="little")
    sample, square = np.nonzero(squares)
    pieces = squares.sum(axis=1, dtype=np.int64)
    index = np.arange(len(sample)) - (np.cumsum(pieces) - pieces)[sample]
    code = samples["pieces"][sample, index >> 1] >> (4 * (index & 1)) & 15
    return sample, code.astype(np.int64), square


if SAMPLE.itemsize != SAMPLE_SIZE:  # two descriptions of one thing
    raise ImportError(f"a sample has {SAMPLE_SIZE} bytes in the core, {SAMPLE.itemsize} here")
