"""dataset: converts logged games into training samples, caches them, and chooses the held-out games.

A sample is a `sssnake._fast.training.samples.Sample`, 32 bytes a position. A cache file holds samples, and
their CRC-32 at its end. Its name holds the hash of the games and the filter, so a shard that has grown is
converted again.
"""

import functools
import hashlib
import random
import zlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from sssnake import _fast
from sssnake._fast.board.board import Board
from sssnake._fast.search.worker import StopFlag, Worker
from sssnake._fast.training.harvest import Harvest
from sssnake._fast.training.neighbours import Neighbourhood
from sssnake._fast.training.samples import SAMPLE_SIZE, Collector, validate
from sssnake.engine import networks
from sssnake.engine.common.files import save
from sssnake.engine.common.inputs import open_input, read_bytes
from sssnake.engine.games import gamelog
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import INTERNAL

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
BLACK_MOVES, NEIGHBOUR = 1, 4  # flags; 2 stands for Chess960
CACHE_VERSION = 3
CRC_BYTES = 4
HASH_MB = 16  # of the searches that neighbours and harvests come from
DECIDED = 1500  # centipawns; no search starts from a position of a game beyond
HASH_RANGE = 2**32
SCALES = (50, 2000)  # centipawns: where the slope of results against scores is looked for

RawGame = tuple[bytes, "array[int]", "array[int]"]  # start, moves and White's scores, as logged
Samples = npt.NDArray[np.void]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Filter:
    """Which quiet positions of the games are kept, and which other positions are added."""

    skip_plies: int = 4  # at the start of each game
    score_limit: int = 3000  # centipawns
    hindsight: float = 0.0  # weight of the next score: 0: own score only, 1: the last score of the game
    walks: int = 0  # to positions beside the games, from each kept position
    walk_plies: int = 8  # after the random move that begins it
    walk_depth: int = 0  # plies of its searches
    walk_seed: int = 1
    harvest_every: int = 0  # one in so many positions of the games is searched; 0: none
    harvest_nodes: int = 3000  # of such a search
    harvest_rarity: int = 10  # sampling rate: one in so many of the positions it evaluates
    harvest_seed: int = 1
    evaluation: str = INTERNAL  # of added positions: a network file

    def name(self) -> str:
        """Part of a cache file's name. Added positions depend on the engine, so its hash is included."""
        name = f"{self.skip_plies}-{self.score_limit}"
        if self.hindsight:
            name += f"-c{self.hindsight}"
        if self.walks:
            name += f"-w{self.walks}-{self.walk_plies}-{self.walk_depth}-{self.walk_seed}"
        if self.harvest_every:
            name += f"-h{self.harvest_every}-{self.harvest_nodes}-{self.harvest_rarity}-{self.harvest_seed}"
        if self.walks or self.harvest_every:
            name += f"-{core_hash(self.evaluation):08x}"
        return name


@dataclass(frozen=True)
class Shard:
    """What is known about a file of games after reading it."""

    name: str
    sha256: str
    games: int
    plies: int
    samples: int


class Harvester:
    """Searches from positions of games, and samples the positions that these searches evaluate."""

    def __init__(self, wanted: Filter) -> None:
        self.wanted = wanted
        self.engine = engine_for(wanted)
        self.harvest = Harvest(self.engine.prepare().main, wanted.harvest_nodes, wanted.harvest_rarity)

    def around(self, board: Board, game: RawGame, collector: Collector) -> None:
        """Harvest a game that starts on `board`, which is changed. The random numbers depend on the game."""
        start, moves, scores = game
        rng = random.Random(f"{self.wanted.harvest_seed} {start.hex()}")
        self.engine.new_game()
        self.engine.clear_hash()
        for ply, (move, score) in enumerate(zip(moves, scores, strict=True)):
            chosen = rng.randrange(self.wanted.harvest_every) == 0
            if chosen and ply >= self.wanted.skip_plies and abs(score) <= DECIDED:
                self.harvest.begin(rng.getrandbits(64))
                self.engine.play(board, Limits(nodes=self.wanted.harvest_nodes))
                collector.gather(self.harvest, game_number(start))
            board.push(board.uci(move))


def engine_for(wanted: Filter) -> Engine:
    """An engine with the evaluation wanted. ValueError: that is no network."""
    return Engine(hash_mb=HASH_MB, eval_file=wanted.evaluation)


def replay(path: Path, wanted: Filter) -> tuple[Collector, list[tuple[bytes, int, int]]]:
    """All samples of a file, and (start, result, plies) of its games; ValueError naming a corrupt game."""
    collector = Collector(wanted.skip_plies, wanted.score_limit, neighbourhood(wanted))
    harvester = Harvester(wanted) if wanted.harvest_every else None
    games: list[tuple[bytes, int, int]] = []
    for game in gamelog.raw_games(path):
        start, moves, scores = game
        try:
            position, result, plies = gamelog.unpack_start(start)
            board = Board.from_chess(position)
            collector.add(board, moves, seen_later(scores, wanted.hindsight), result, game_number(start))
        except ValueError as problem:
            raise ValueError(f"{path}: game {len(games) + 1}: {problem}") from None
        if harvester:
            harvester.around(board, game, collector)
        games.append((start, result, plies))
    if not games:
        raise ValueError(f"{path}: no games")
    return collector, games


def seen_later(scores: "array[int]", hindsight: float) -> "array[int]":
    """Scores blended with the later scores of the game (lambda-returns, Sutton 1988)."""
    if not hindsight:
        return scores
    known = [score for score in scores if score != gamelog.NO_SCORE]
    later, value = array(scores.typecode), float(known[-1] if known else 0)
    for score in reversed(scores):
        if score != gamelog.NO_SCORE:
            value = max(-DECIDED, min(DECIDED, value))  # a mate score is no number of centipawns
            value = score if abs(score) > DECIDED else value + (1 - hindsight) * (score - value)
        later.append(score if score == gamelog.NO_SCORE else round(value))
    later.reverse()
    return later


def neighbourhood(wanted: Filter) -> Neighbourhood | None:
    """The source of positions beside the games; None if there are none."""
    if not wanted.walks:
        return None
    pool = engine_for(wanted).prepare()
    worker = Worker(pool.table, StopFlag(), pool.parameters)  # walks end by themselves: a flag nobody sets
    worker.use_network(pool.network, weights=pool.weights)
    return Neighbourhood(worker, wanted.walks, wanted.walk_plies, wanted.walk_depth, wanted.walk_seed)


@functools.cache
def core_hash(evaluation: str = INTERNAL) -> int:
    """CRC of the compiled core and of the network: positions added beside the games depend on them."""
    crc = 0
    for package in (_fast, networks):
        for path in sorted(Path(str(package.__file__)).parent.rglob("*")):
            if path.is_file() and path.parent.name != "__pycache__":
                crc = zlib.crc32(path.read_bytes(), crc)
    return crc if evaluation == INTERNAL else zlib.crc32(read_bytes(evaluation), crc)


def game_number(start: bytes) -> int:
    """The number of a game: the hash of its start position. Games from one start have the same number."""
    return zlib.crc32(start[:24])


def load(path: Path, wanted: Filter, cache: Path | None = None) -> tuple[Shard, Samples]:
    """A file's samples, from the cache if it has them. OSError, ValueError."""
    with open_input(path, regular=True) as file:
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    games, plies = 0, 0
    for _, moves, _ in gamelog.raw_games(path):
        games, plies = games + 1, plies + len(moves)
    kept = cache and cache / f"{sha256[:20]}-{wanted.name()}.v{CACHE_VERSION}"
    if kept is None or not kept.exists():
        samples = np.frombuffer(replay(path, wanted)[0].samples_so_far(), SAMPLE)
        if kept is not None:
            store(kept, samples)
    else:
        samples = kept_samples(kept)
    return Shard(path.name, sha256, games, plies, len(samples)), samples


def kept_samples(path: Path) -> Samples:
    """The samples of a cache file. OSError; ValueError if it is not whole."""
    data = np.memmap(path, np.uint8, "r") if path.stat().st_size else np.empty(0, np.uint8)
    samples, crc = data[:-CRC_BYTES], data[-CRC_BYTES:].tobytes()
    if crc != zlib.crc32(samples.data).to_bytes(CRC_BYTES, "little"):
        raise ValueError(f"{path}: damaged; delete it")
    try:
        validate(samples)
    except ValueError as problem:
        raise ValueError(f"{path}: {problem}; delete it") from None
    return samples.view(SAMPLE)


def store(path: Path, samples: Samples) -> None:
    """Write a cache file, all of it or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    data = samples.tobytes()
    save(path, data + zlib.crc32(data).to_bytes(CRC_BYTES, "little"))


def fingerprint(shards: Sequence[Shard], wanted: Filter) -> str:
    """One hash for all data, in their order, and the filter."""
    text = repr([shard.sha256 for shard in shards]) + wanted.name()
    return hashlib.sha256(text.encode()).hexdigest()


def held_out(samples: Samples, share: float) -> Mask:
    """Which samples are held out: whole games. It does not depend on the other games."""
    # The product spreads neighbouring numbers; 0x9E3779B1 is the prime next to 2^32 / golden ratio.
    spread = samples["game"].astype(np.uint64) * np.uint64(0x9E3779B1) % np.uint64(HASH_RANGE)
    return np.asarray(spread < np.uint64(share * HASH_RANGE))


def neighbours(samples: Samples) -> Mask:
    """Which samples are positions beside the games; they have no result."""
    return np.asarray(samples["flags"] & NEIGHBOUR != 0)


def raw(samples: Samples) -> npt.NDArray[np.uint8]:
    """The bytes of contiguous samples, as the core takes them."""
    return np.frombuffer(np.ascontiguousarray(samples), np.uint8)


def sigmoid(x: npt.NDArray[np.floating[Any]]) -> Floats:
    """The logistic function, in double precision."""
    return np.asarray(expit(x.astype(np.float64)))


def fit_scale(scores: Floats, targets: Floats) -> float:
    """Centipawns of one logistic unit: the scale at which sigmoid(score / scale) fits the targets best."""
    from scipy.optimize import minimize_scalar  # slow, and few commands fit a scale

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


if SAMPLE.itemsize != SAMPLE_SIZE:  # the layout is described twice
    raise ImportError(f"a sample has {SAMPLE_SIZE} bytes in the core, {SAMPLE.itemsize} here")
