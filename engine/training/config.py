"""The settings of a training: the contents of its TOML file, with defaults and limits."""

import tomllib
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from sssnake.engine.common.inputs import read_text
from sssnake.engine.player.options import INTERNAL
from sssnake.engine.training.dataset import Filter

LIMITS: dict[str, tuple[float, float]] = {  # inclusive
    "held_out": (0.0, 0.5),
    "skip_plies": (0, 1000),
    "score_limit": (1, 31743),
    "hindsight": (0.0, 1.0),
    "walks": (0, 255),
    "walk_plies": (0, 255),
    "walk_depth": (0, 10),
    "walk_seed": (1, 2**32),
    "harvest_every": (0, 1_000_000),
    "harvest_nodes": (1, 1_000_000),
    "harvest_rarity": (1, 1_000_000),
    "harvest_seed": (1, 2**32),
    "hidden": (16, 1024),
    "buckets": (1, 8),
    "scale": (1, 32767),
    "score_scale": (1.0, 32767.0),
    "seed": (0, 2**63),
    "epochs": (1, 100_000),
    "batch": (1, 1 << 24),
    "learning_rate": (0.0, 1.0),
    "final_learning_rate": (0.0, 1.0),
    "weight_decay": (0.0, 10.0),
    "result_weight": (0.0, 1.0),
    "final_result_weight": (0.0, 1.0),
}


@dataclass(frozen=True)
class Data:
    """[data]: where the positions come from."""

    games: list[str] = field(default_factory=list)  # files or patterns, relative to the TOML file
    held_out: float = 0.05  # share of the games that only the validation sees
    skip_plies: int = 4  # at the start of each game
    score_limit: int = 3000  # centipawns: positions beyond it are left out
    hindsight: float = 0.0  # weight of the next score: 0: own score only, 1: the last score of the game
    walks: int = 0  # from each kept position to positions beside the games (`_fast/training/neighbours.pyx`)
    walk_plies: int = 8  # after the random move that begins it
    walk_depth: int = 0  # plies of the searches that choose its moves and its scores; 0: quiescence only
    walk_seed: int = 1
    harvest_every: int = 0  # one in so many positions of the games is searched
    harvest_nodes: int = 3000  # of such a search
    harvest_rarity: int = 10  # sampling rate: one in so many evaluated positions, with its static value
    harvest_seed: int = 1
    evaluation: str = INTERNAL  # of walks and harvest: a network file, relative to the TOML file

    def filter(self, beside: Path = Path()) -> Filter:
        """The filter of positions; `beside`: the folder of the TOML file."""
        settings = {entry.name: getattr(self, entry.name) for entry in fields(Filter)}
        if self.evaluation != INTERNAL:
            settings["evaluation"] = str(beside / self.evaluation)
        return Filter(**settings)


@dataclass(frozen=True)
class NetworkShape:
    """[network]: the shape of the network."""

    hidden: int = 32  # H, a multiple of 16
    buckets: int = 1  # output weights by number of pieces
    scale: int = 400  # centipawns that are one logistic unit of the network's value


@dataclass(frozen=True)
class Training:
    """[training]: the settings of the optimizer."""

    start: str = ""  # initial parameters: a checkpoint or network beside the TOML file, or <internal>
    seed: int = 1
    epochs: int = 20
    batch: int = 16384
    learning_rate: float = 1e-3  # at the start; it falls along a cosine
    final_learning_rate: float = 1e-5  # at the end
    weight_decay: float = 0.01
    result_weight: float = 0.1  # weight of the game's result in the target; the rest is the search's score
    final_result_weight: float | None = None  # at the end, reached evenly. None: as at the start
    score_scale: float = 400.0  # centipawns of the search's score that are one logistic unit


@dataclass(frozen=True)
class Config:
    """All of a training's settings."""

    data: Data = Data()
    network: NetworkShape = NetworkShape()
    training: Training = Training()

    def settings(self) -> dict[str, Any]:
        """Everything that the network depends on, except the contents of the games."""
        settings = asdict(self)
        del settings["data"]["games"]
        return settings


def read(path: Path) -> Config:
    """Read a configuration. OSError; ValueError, one line, if a setting is wrong."""
    try:
        sections_found = tomllib.loads(read_text(path))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise ValueError(f"{path}: {problem}") from None
    sections = {"data": Data, "network": NetworkShape, "training": Training}
    for name, section in sections_found.items():
        if name not in sections or not isinstance(section, dict):
            raise ValueError(f"{path}: no section [{name}]; there are {', '.join(sections)}")
    try:
        given = {name: checked(name, kind, sections_found.get(name, {})) for name, kind in sections.items()}
        config = Config(
            Data(**given["data"]), NetworkShape(**given["network"]), Training(**given["training"])
        )
        check_shape(config)
    except ValueError as problem:
        raise ValueError(f"{path}: {problem}") from None
    return config


def check_shape(config: Config) -> None:
    """ValueError if the settings do not fit together."""
    if config.network.hidden % 16:
        raise ValueError(f"hidden = {config.network.hidden}: not a multiple of 16")


def checked(section: str, kind: type, settings: dict[str, Any]) -> dict[str, Any]:
    """The settings of one section, of the right types and within their limits."""
    known = {entry.name: entry.type for entry in fields(kind)}
    result = {}
    for name, value in settings.items():
        if name not in known:
            raise ValueError(f"[{section}] has no {name}; there are {', '.join(known)}")
        if name == "games":
            if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
                raise ValueError("games: a list of files or patterns is expected")
        elif known[name] is str:
            if not isinstance(value, str):
                raise ValueError(f"{name} = {value!r}: the name of a file is expected")
        else:
            value = number(name, value, known[name] is not int)
        result[name] = value
    return result


def number(name: str, value: Any, is_float: bool) -> int | float:
    """A number within its limits."""
    low, high = LIMITS[name]
    right = isinstance(value, (int, float) if is_float else int) and not isinstance(value, bool)
    if not right or not low <= value <= high:
        kind = "a number" if is_float else "an integer"
        raise ValueError(f"{name} = {value!r}: {kind} from {low} to {high} is expected")
    return float(value) if is_float else int(value)


def files(config: Config, beside: Path) -> list[Path]:
    """The game files of a configuration in the folder `beside`, sorted. ValueError if there are none."""
    found: list[Path] = []
    for pattern in config.data.games:
        place = Path(beside.absolute(), pattern)  # an absolute pattern stands for itself
        below = str(place.relative_to(place.anchor))
        paths = sorted(Path(place.anchor).glob(below)) if below != "." else []  # the root itself is no file
        if not paths:
            raise ValueError(f"{pattern}: no such file")
        found += paths
    return found
