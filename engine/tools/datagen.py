"""datagen: games of the engine against itself, as training data: fixed nodes, seeded, resumable, bit-exact.

One shard a seed. Game number n of seed s depends on (s, n), the engine and the parameters alone, so a shard
that was cut off goes on where it stopped and comes out the same. A note beside it, of the same name in .json,
says which engine, network and share of Chess960 it was begun with: with others it does not go on. Games begin
with 8 or 9 random plies; unbalanced starts are thrown away.

At a fixed depth moves come from plain iterative deepening with an open window, without what a search under
a clock needs around it: for few plies that is several times as fast.
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

import chess

from _fast import search
from _fast.board import Board
from engine.drivers import INFINITE
from engine.limits import Limits
from engine.options import INTERNAL, Options
from engine.searcher import Info, Searcher
from engine.tools import gamelog, jobs
from engine.tools.arguments import Parser, complaint, natural, positive, share
from engine.tools.cluster import identity
from engine.tools.files import save_text
from engine.tools.jobs import Crew
from engine.tools.status import StatusLine

RANDOM_PLIES = 8  # or one more
FAIR_START = 300  # centipawns: starts further from balance are thrown away
WON_SCORE = 2000  # centipawns ...
WON_PLIES = 4  # ... for that many plies: won
DRAWN_SCORE = 8  # centipawns ...
DRAWN_PLIES = 12  # ... for that many plies ...
DRAWN_FROM = 80  # ... from this ply on: drawn
LONGEST = 400  # plies; then drawn
HASH_MB = 4
CHESS960_STARTS = 960


@dataclass(frozen=True)
class Recipe:
    """What makes a shard: its seed, and how its games are played."""

    seed: int
    games: int
    nodes: int  # a move
    chess960: float = 0.0
    eval_file: str = INTERNAL
    depth: int = 0  # plies a move, in place of nodes
    sha256: str = ""  # of `eval_file`; "" for the network that comes with the engine

    @property
    def name(self) -> str:
        """What its file is called."""
        return f"seed{self.seed:06d}-" + (f"{self.depth}d" if self.depth else f"{self.nodes}n")


def fingerprint(eval_file: str) -> str:
    """The `sha256` of a Recipe. ValueError where the file cannot be read."""
    if eval_file in ("", INTERNAL):
        return ""
    try:
        return hashlib.sha256(Path(eval_file).read_bytes()).hexdigest()
    except FileNotFoundError:
        raise ValueError(f"{eval_file}: no such file") from None
    except OSError as error:
        raise ValueError(f"{eval_file}: {error.strerror}") from None


def random_start(rng: random.Random, chess960: float) -> chess.Board:
    """A position after random plies that leave the game open."""
    while True:
        board = chess.Board()
        if rng.random() < chess960:
            board = chess.Board.from_chess960_pos(rng.randrange(CHESS960_STARTS))
        for _ in range(RANDOM_PLIES + rng.randrange(2)):
            moves = sorted(board.legal_moves, key=chess.Move.uci)
            if not moves:
                break
            board.push(rng.choice(moves))
        if any(board.legal_moves):
            return chess.Board(board.fen(), chess960=board.chess960)


class Player:
    """One side for both: searches and keeps the last exact score. ValueError where the network is another."""

    def __init__(self, recipe: Recipe):
        if fingerprint(recipe.eval_file) != recipe.sha256:
            raise ValueError(f"{recipe.eval_file}: not the network that this run began with")
        self.searcher = Searcher(Options(hash_mb=HASH_MB, eval_file=recipe.eval_file))
        self.pool = self.searcher.prepare()
        self.limits = Limits(nodes=recipe.nodes)
        self.depth = recipe.depth
        self.last: Info | None = None

    def move(self, board: Board) -> tuple[str, int]:
        """(best move, White's score) of a position that has a legal move."""
        return self.look(board) if self.depth else self.think(board)

    def look(self, board: Board) -> tuple[str, int]:
        """By plain searches of 1, 2, ... `depth` plies."""
        worker, value = self.pool.main, 0
        # Not the worker alone: the pool is to know that its table is used.
        self.pool.start(board, None, "AlphaBeta")
        for depth in range(1, self.depth + 1):
            worker.new_iteration(depth)
            value = search.window(worker, -INFINITE, INFINITE, depth)
            worker.promote(worker.best_root(), 0)
        return board.uci(worker.root(0)[0]), value if board.turn else -value

    def think(self, board: Board) -> tuple[str, int]:
        """As in a game."""
        best = self.searcher.search(board, self.limits, self._note).bestmove
        if best is None or self.last is None:
            raise RuntimeError(f"no move in {board.fen()}")
        return best, self.last.score if board.turn else -self.last.score

    def _note(self, info: Info) -> None:
        if not info.bound:
            self.last = info


def over(board: Board) -> int | None:
    """Result for White by the rules (0, 1, 2), None while the game goes on."""
    if board.is_checkmate:
        return gamelog.BLACK_WON if board.turn else gamelog.WHITE_WON
    if board.is_stalemate or board.is_insufficient_material or board.is_fifty_moves or board.is_repetition(3):
        return gamelog.DRAWN
    return None


def adjudged(scores: list[int]) -> int | None:
    """Result by agreement of the last scores (White's view), None while open."""
    last = scores[-WON_PLIES:]
    if len(last) == WON_PLIES:
        if min(last) >= WON_SCORE:
            return gamelog.WHITE_WON
        if max(last) <= -WON_SCORE:
            return gamelog.BLACK_WON
    if len(scores) >= max(DRAWN_FROM, DRAWN_PLIES) and max(map(abs, scores[-DRAWN_PLIES:])) <= DRAWN_SCORE:
        return gamelog.DRAWN
    return gamelog.DRAWN if len(scores) >= LONGEST else None


def play(player: Player, start: chess.Board) -> tuple[int, list[tuple[int, int]]] | None:
    """(result, plies) of one game; None when the start was not fair."""
    player.searcher.new_game()
    board = Board(start.fen(), start.chess960)
    plies: list[tuple[int, int]] = []
    scores: list[int] = []
    result = over(board)
    while result is None:
        name, score = player.move(board.copy())
        if not plies and abs(score) > FAIR_START:
            return None
        plies.append((board.parse(name), score))
        scores.append(score)
        board.push(name)
        result = over(board)
        if result is None:
            result = adjudged(scores)
    return result, plies


def make_game(job: tuple[Recipe, int]) -> bytes:
    """Game number `job[1]` of a shard, packed: a function of its arguments alone."""
    recipe, number = job
    player = player_of_thread(recipe)
    rng = random.Random(f"{recipe.seed}/{number}")
    game = None
    while game is None:
        start = random_start(rng, recipe.chess960)
        game = play(player, start)
    return gamelog.pack_game(start, *game)


_kept = threading.local()


def player_of_thread(recipe: Recipe) -> Player:
    """This thread's player, kept from job to job: its table is dear to make, and emptied before each game."""
    kind = recipe.nodes, recipe.depth, recipe.sha256
    if getattr(_kept, "kind", None) != kind:
        try:
            _kept.player = Player(recipe)
        except ValueError as problem:
            raise ValueError(f"{problem} ({platform.node()})") from None
        _kept.kind = kind
    player: Player = _kept.player
    return player


def note(recipe: Recipe) -> dict[str, Any]:
    """What a shard's games depend on, beside what its name tells."""
    return {"engine": identity(), "network": recipe.sha256 or INTERNAL, "chess960": recipe.chess960}


def games_in(path: Path, recipe: Recipe) -> int:
    """How many games a shard has. ValueError where it is to have more, and its note tells of other ones.

    A shard without a note is taken at its name's word.
    """
    games = gamelog.count(path)
    beside = path.with_suffix(".json")
    if not 0 < games < recipe.games or not beside.exists():
        return games
    try:
        old = dict(json.loads(beside.read_text(encoding="utf-8")))
    except (ValueError, TypeError):
        raise ValueError(f"{beside}: no note of datagen") from None
    new = note(recipe)
    others = [f"{key} {old.get(key)}, not {new[key]}" for key in new if old.get(key) != new[key]]
    if others:
        way_out = f"go on with that, take another folder, or delete {beside} to mix games"
        raise ValueError(f"{path} was begun with {'; '.join(others)}: {way_out}")
    return games


def make_shards(crew: Crew, folder: Path, recipes: Sequence[Recipe]) -> Iterator[tuple[Recipe, int, int]]:
    """Bring every shard to its number of games; (recipe, games, plies written now) as each is done.

    Games are written in the order of their numbers, so that a shard cut off is the beginning of the whole.
    ValueError where another run writes the same shard, or has written it meanwhile.
    """
    here = {recipe: games_in(shard_path(folder, recipe), recipe) for recipe in recipes}
    missing = {recipe: range(here[recipe], recipe.games) for recipe in recipes}
    made = crew.in_order(make_game, ((recipe, number) for recipe in recipes for number in missing[recipe]))
    done, total = 0, sum(map(len, missing.values()))
    for recipe in recipes:
        path, games, plies = shard_path(folder, recipe), len(missing[recipe]), 0
        if not games:
            yield recipe, 0, 0
            continue
        with gamelog.Writer(path) as writer, StatusLine() as line:
            if writer.games != here[recipe]:
                raise ValueError(f"{path}: another run has written {writer.games - here[recipe]} games there")
            if not here[recipe]:
                save_text(path.with_suffix(".json"), json.dumps(note(recipe), indent=1) + "\n")
            for _job, game in islice(made, games):
                try:
                    writer.append(game)
                except OSError as error:
                    raise ValueError(f"{complaint(error)}; {writer.games} games are in it") from None
                plies += (len(game) - gamelog.START.size) // gamelog.PLY.size
                done += 1
                line.show(f"{done}/{total} games  {path.name}")
        yield recipe, games, plies


def make_shard(folder: Path, recipe: Recipe) -> tuple[int, int]:
    """Bring one shard to its number of games, in this process; (games, plies) written now."""
    with jobs.Local(1, processes=False) as crew:
        ((_recipe, games, plies),) = make_shards(crew, folder, [recipe])
    return games, plies


def shard_path(folder: Path, recipe: Recipe) -> Path:
    """Where a seed's games stand."""
    return folder / f"{recipe.name}.games"


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
    jobs.add_arguments(parser, "games")
    args = parser.parse_args(argv)
    try:
        args.folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        parser.error(f"{args.folder}: {error.strerror}")
    first, count = args.seeds
    settings = (args.games, args.nodes, args.chess960, args.eval_file, args.depth)
    try:
        sha256 = fingerprint(args.eval_file)
        recipes = [Recipe(seed, *settings, sha256) for seed in range(first, first + count)]
        with jobs.hire(args, parser.prog, processes=True) as crew:
            for recipe, games, plies in make_shards(crew, args.folder, recipes):
                path = shard_path(args.folder, recipe)
                print(f"{path}: {games} games, {plies} positions written", flush=True)
    except (OSError, ValueError, jobs.CrewError) as problem:
        parser.refuse(problem)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
