"""datagen: self-play games as training data, at fixed nodes or depth. Seeded, resumable, bit-exact.

One shard a seed. Game n of seed s depends only on (s, n), the engine and the parameters. So a shard that was
cut off is continued where it stopped, with the same bytes as a whole one. A .json file of the same name says
which engine, network and share of Chess960 the shard was begun with; with others it is not continued. Games
begin with 8 or 9 random plies; starts that are not balanced are rejected.

At a fixed depth each search goes on from what the one before it in the game has found out: see
_fast/drivers/shallow.pyx. For a few plies that is several times as fast as a search under a clock.
"""

import hashlib
import json
import platform
import random
import sys
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from sssnake.engine.common.arguments import Parser, natural, positive, share
from sssnake.engine.common.files import check_apart, save_text
from sssnake.engine.common.inputs import read_bytes, read_text
from sssnake.engine.common.messages import reason
from sssnake.engine.common.progress import Progress
from sssnake.engine.games import gamelog
from sssnake.engine.games.adjudication import Adjudication
from sssnake.engine.games.starts import random_start
from sssnake.engine.jobs.cluster import identity
from sssnake.engine.jobs.executor import (
    JobExecutor,
    LocalExecutor,
    add_executor_arguments,
    open_executor,
)
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import INTERNAL
from sssnake.engine.selfplay.game import LONGEST, play
from sssnake.engine.selfplay.players import Player, SearchPlayer, ShallowPlayer, Side

FAIR_START = 300  # centipawns: less balanced starts are rejected
ADJUDICATION = Adjudication(
    win_score=2000, win_plies=4, draw_score=8, draw_plies=12, draw_from=80, longest=LONGEST
)
HASH_MB = 4
# At a fixed depth MTD(f) begins at the value that the search before has found. Its bracket counts as closed
# when it is ten centipawns wide, wider where the value has moved, but not before it has an upper bound.
SHALLOW_DRIVER = "MTD(f)"
SHALLOW_PARAMETERS = {"driver_best": 0, "driver_tolerance": 10}
SHALLOW_HASH_MB = 1  # it fits into a processor's cache


@dataclass(frozen=True)
class Recipe:
    """What a shard depends on: its seed, and how its games are played."""

    seed: int
    games: int
    nodes: int  # a move
    chess960: float = 0.0
    eval_file: str = INTERNAL
    depth: int = 0  # plies a move, in place of nodes
    sha256: str = ""  # of `eval_file`; "" for the network that comes with the engine

    @property
    def name(self) -> str:
        """The name of its file, without the suffix."""
        return f"seed{self.seed:06d}-" + (f"{self.depth}d" if self.depth else f"{self.nodes}n")


def fingerprint(eval_file: str) -> str:
    """The `sha256` of a Recipe. ValueError if the file cannot be read."""
    if eval_file in ("", INTERNAL):
        return ""
    try:
        return hashlib.sha256(read_bytes(eval_file)).hexdigest()
    except FileNotFoundError:
        raise ValueError(f"{eval_file}: no such file") from None
    except OSError as error:
        raise ValueError(f"{eval_file}: {error.strerror}") from None


def player_for(recipe: Recipe) -> Player:
    """The player of both sides. ValueError if the network file has another hash than the recipe."""
    if fingerprint(recipe.eval_file) != recipe.sha256:
        raise ValueError(f"{recipe.eval_file}: not the network that this run began with")
    if recipe.depth:
        side = Side(SHALLOW_PARAMETERS, SHALLOW_DRIVER, recipe.eval_file)
        return ShallowPlayer(side, recipe.depth, SHALLOW_HASH_MB)
    return SearchPlayer(Side(network=recipe.eval_file), Limits(nodes=recipe.nodes), HASH_MB)


def make_game(job: tuple[Recipe, int]) -> bytes:
    """The job: play game number `job[1]` of a shard, and pack it. Depends on its arguments alone."""
    recipe, number = job
    player = player_of_thread(recipe)
    rng = random.Random(f"{recipe.seed}/{number}")
    while True:
        start = random_start(rng, recipe.chess960)
        game = play((player, player), start, ADJUDICATION, fair=FAIR_START)
        if game is not None and game.result is not None:
            return gamelog.pack_game(start, game.result, game.plies)


_kept = threading.local()


def player_of_thread(recipe: Recipe) -> Player:
    """The player of this thread, kept from job to job: its transposition table is expensive to allocate."""
    kind = recipe.nodes, recipe.depth, recipe.sha256
    if getattr(_kept, "kind", None) != kind:
        try:
            _kept.player = player_for(recipe)
        except ValueError as problem:
            raise ValueError(f"{problem} ({platform.node()})") from None
        _kept.kind = kind
    player: Player = _kept.player
    return player


def note(recipe: Recipe) -> dict[str, Any]:
    """What the games of a shard depend on, in addition to its name: the contents of its .json file."""
    return {"engine": identity(), "network": recipe.sha256 or INTERNAL, "chess960": recipe.chess960}


def games_in(path: Path, recipe: Recipe) -> int:
    """How many games a shard has. ValueError if it needs more, but its .json file says they would differ.

    A shard without a .json file is trusted.
    """
    games = gamelog.count(path)
    beside = path.with_suffix(".json")
    if not 0 < games < recipe.games or not beside.exists():
        return games
    try:
        old = dict(json.loads(read_text(beside)))
    except (ValueError, TypeError):
        raise ValueError(f"{beside}: not a file of datagen") from None
    new = note(recipe)
    others = [f"{key} {old.get(key)}, not {new[key]}" for key in new if old.get(key) != new[key]]
    if others:
        way_out = f"go on with that, take another folder, or delete {beside} to mix games"
        raise ValueError(f"{path} was begun with {'; '.join(others)}: {way_out}")
    return games


def make_shards(
    executor: JobExecutor, folder: Path, recipes: Sequence[Recipe]
) -> Iterator[tuple[Recipe, int, int]]:
    """Complete every shard; yield (recipe, games, plies written now) as each is done.

    Games are written in the order of their numbers, so a shard that is cut off is the beginning of the whole.
    ValueError if another run writes the same shard, or has written it meanwhile.
    """
    here = {recipe: games_in(shard_path(folder, recipe), recipe) for recipe in recipes}
    missing = {recipe: range(here[recipe], recipe.games) for recipe in recipes}
    made = executor.in_order(
        make_game, ((recipe, number) for recipe in recipes for number in missing[recipe])
    )
    done, total = 0, sum(map(len, missing.values()))  # games of all shards
    for recipe in recipes:
        path, games, plies = shard_path(folder, recipe), len(missing[recipe]), 0
        if not games:
            yield recipe, 0, 0
            continue
        with gamelog.Writer(path) as writer, Progress(total, "games", done=done, title=path.name) as bar:
            if writer.games != here[recipe]:
                raise ValueError(f"{path}: another run has written {writer.games - here[recipe]} games there")
            if not here[recipe]:
                save_text(note_path(path), json.dumps(note(recipe), indent=1) + "\n")
            for _job, game in islice(made, games):
                try:
                    writer.append(game)
                except OSError as error:
                    raise ValueError(f"{reason(error)}; {writer.games} games are in it") from None
                plies += (len(game) - gamelog.START.size) // gamelog.PLY.size
                done += 1
                bar.advance()
        yield recipe, games, plies


def make_shard(folder: Path, recipe: Recipe) -> tuple[int, int]:
    """Complete one shard, in this process; return (games, plies) written now."""
    with LocalExecutor(1, processes=False) as executor:
        ((_recipe, games, plies),) = make_shards(executor, folder, [recipe])
    return games, plies


def shard_path(folder: Path, recipe: Recipe) -> Path:
    """The file of a shard."""
    return folder / f"{recipe.name}.games"


def note_path(shard: Path) -> Path:
    """The file that says how a shard was made."""
    return shard.with_suffix(".json")


def main(argv: list[str]) -> int:
    """`sssnake datagen FOLDER --seeds FIRST COUNT --games N --nodes N` or `--depth N`."""
    parser = Parser("sssnake datagen", description=__doc__)
    add = parser.add_argument
    add("folder", type=Path, help="where shards are written (made if missing)")
    seeds = "the shards: COUNT of them, with the seeds from FIRST on (default 1 1)"
    add("--seeds", type=natural, nargs=2, metavar=("FIRST", "COUNT"), default=(1, 1), help=seeds)
    add("--games", type=positive, default=500, help="games a shard (default 500)")
    add("--nodes", type=positive, default=5000, help="nodes a move (default 5000)")
    add("--depth", type=positive, default=0, help="plies a move, in place of nodes")
    add("--chess960", type=share, default=0.0, help="share of Chess960 starts, 0..1")
    add("--eval-file", default=INTERNAL, metavar="FILE", help=f"network that evaluates (default {INTERNAL})")
    add_executor_arguments(parser, "games")
    args = parser.parse_args(argv)
    first, count = args.seeds
    if not count:
        parser.error("--seeds: COUNT is 0, no shard")
    Limits(depth=args.depth or None)  # ValueError: no depth of a search
    try:
        args.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"{args.folder}: {error.strerror}")
    settings = (args.games, args.nodes, args.chess960, args.eval_file, args.depth)
    sha256 = fingerprint(args.eval_file)
    recipes = [Recipe(seed, *settings, sha256) for seed in range(first, first + count)]
    shards = [shard_path(args.folder, recipe) for recipe in recipes]
    check_apart([*shards, *map(note_path, shards)], [args.eval_file])
    with open_executor(args, parser.prog, processes=True) as executor:
        for recipe, games, plies in make_shards(executor, args.folder, recipes):
            path = shard_path(args.folder, recipe)
            print(f"{path}: {games} games, {plies} positions written", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
