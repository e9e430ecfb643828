"""kill -9 at random moments of `match`, `datagen` and `train`: nothing is lost or counted twice.

    python tests/soak/kills.py [--times 50] [--seed 1] [match datagen train]

Each command is started, killed, and started again in the same folder, and at last runs to its end. `datagen`
and `train` must then have written the bytes of a run without kills. `match` appends: each game in its PGN is
whole, the game log holds the same ones, and no kill costs more than the game that was being written. No
process is left after a kill. Exit status 1 at the first fault.
"""

import argparse
import contextlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path

import chess.pgn

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.constants import ENGINE, ROOT

from sssnake.engine.games import gamelog

LONGEST = 2.0  # seconds until a kill, at most
SOON = 60.0  # seconds until all processes of a killed command have ended, on a busy machine
CONFIG = "[network]\nhidden = 16\n[training]\nepochs = 40\nbatch = 256\n"


class LostError(Exception):
    """Something was lost, doubled or left behind; the message says what."""


def spawn(words: list[str], mark: str) -> "subprocess.Popen[bytes]":
    """A command of this engine; all processes that it starts have `mark` in their environment."""
    return subprocess.Popen(
        [*ENGINE, *words],
        cwd=ROOT,
        env={**os.environ, "KILLS": mark},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def left(mark: str) -> list[int]:
    """Processes with this mark that have not ended."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            if f"KILLS={mark}".encode() in (path / "environ").read_bytes():
                found.append(int(path.name))
        except OSError:
            pass
    return found


def killed(words: list[str], seconds: float, grows: Path | None = None) -> bool:
    """Start a command and kill it after that time. False: it had ended. LostError: something is left.

    grows: the time begins when this file, or a file in this folder, is written.
    """
    mark = uuid.uuid4().hex
    before = state(grows)
    process = spawn(words, mark)
    while grows and state(grows) == before and process.poll() is None:
        time.sleep(0.01)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
    _, errors = process.communicate()
    if process.returncode not in (0, -9):
        raise LostError(f"{' '.join(words)}: exit status {process.returncode}: {errors.decode()}")
    deadline = time.monotonic() + SOON
    while left(mark):
        if time.monotonic() > deadline:
            raise LostError(f"{' '.join(words)}: processes {left(mark)} live on")
        time.sleep(0.02)
    return process.returncode == -9


def state(path: Path | None) -> list[tuple[int, int]]:
    """Sizes and dates of a file, or of those in a folder."""
    found = []
    for file in path.iterdir() if path and path.is_dir() else [path] if path else []:
        with contextlib.suppress(FileNotFoundError):
            found.append((file.stat().st_size, file.stat().st_mtime_ns))
    return found


def finish(words: list[str]) -> None:
    """Run a command to its end."""
    process = spawn(words, "end")
    _, errors = process.communicate()
    if process.returncode:
        raise LostError(f"{' '.join(words)}: exit status {process.returncode}: {errors.decode()}")


def contents(folder: Path, names: str) -> dict[str, bytes]:
    """The files in a folder, by name."""
    return {path.name: path.read_bytes() for path in sorted(folder.glob(names))}


def resumed(
    words: Callable[[Path], list[str]], names: str, folder: Path, times: int, rng: random.Random
) -> int:
    """Kill, start again, and compare with a run without kills; return how often a run came to its end."""
    whole, again = folder / "whole", folder / "again"
    finish(words(whole))
    expected = contents(whole, names)
    kills = ends = 0
    while kills < times:
        grows = again if rng.random() < 0.8 else None
        if killed(words(again), rng.uniform(0, LONGEST), grows):
            kills += 1
            continue
        ends += 1
        compare(expected, contents(again, names))
        shutil.rmtree(again)
    finish(words(again))
    compare(expected, contents(again, names))
    return ends + 1


def compare(expected: dict[str, bytes], found: dict[str, bytes]) -> None:
    """LostError if files differ."""
    for name, data in expected.items():
        if found.get(name) != data:
            raise LostError(
                f"{name}: {len(found.get(name, b''))} bytes, not the {len(data)} of a run without kills"
            )


def datagen(folder: Path, times: int, rng: random.Random) -> str:
    """Shards of games, by two processes."""
    options = ["--seeds", "1", "6", "--games", "24", "--nodes", "150", "--concurrency", "2"]
    ends = resumed(lambda out: ["datagen", str(out), *options], "*.games", folder, times, rng)
    return f"{ends} times to the end, 6 shards of 24 games each, the same bytes"


def train(folder: Path, times: int, rng: random.Random) -> str:
    """A small network."""
    games = folder / "games"
    finish(["datagen", str(games), "--seeds", "1", "1", "--games", "300", "--nodes", "20"])
    config = folder / "small.toml"
    config.write_text(CONFIG)
    words = ["train", str(config), "--data", str(games / "seed000001-20n.games"), "--resume", "-o"]
    ends = resumed(lambda out: [*words, str(out)], "net.sssn", folder, times, rng)
    return f"{ends} times to the end, the same network"


def match(folder: Path, times: int, rng: random.Random) -> str:
    """Games that are appended to one PGN and one log."""
    pgn, log = folder / "games.pgn", folder / "games.log"
    own = " ".join(ENGINE)
    words = ["match", own, own, "--nodes", "30", "--pgn", str(pgn), "--log", str(log), "--games"]
    kills = logged = 0
    games: list[str] = []
    while kills < times:
        grows = pgn if rng.random() < 0.8 else None
        kills += killed([*words, "2000", "--seed", str(kills)], rng.uniform(0, LONGEST), grows)
        games, logged = read_pgn(pgn), gamelog.count(log)
        if not logged <= len(games) <= logged + kills:
            raise LostError(f"{len(games)} games in the PGN, {logged} in the log after {kills} kills")
        if len(set(games)) < len(games):
            raise LostError("a game stands twice in the PGN")
    finish([*words, "20", "--seed", str(kills)])
    if len(read_pgn(pgn)) != len(games) + 20 or gamelog.count(log) != logged + 20:
        raise LostError("the last run did not append its 20 games")
    return f"{len(games)} games in the PGN, {logged} in the log, all whole"


def read_pgn(path: Path) -> list[str]:
    """The games of a PGN. LostError: one of them is damaged."""
    games: list[str] = []
    if path.exists():
        with path.open(encoding="utf-8") as file:
            while (game := chess.pgn.read_game(file)) is not None:
                plies = len(list(game.mainline_moves()))
                if game.errors or str(plies) != game.headers.get("PlyCount"):
                    raise LostError(f"game {len(games) + 1} of {path} is damaged")
                games.append(f"{game.headers['Round']} {game.end().board().fen()} {game.mainline_moves()}")
    return games


COMMANDS = {"match": match, "datagen": datagen, "train": train}


def main() -> int:
    """Exit status 0: nothing was lost, doubled or left behind."""
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument(
        "commands", nargs="*", metavar="COMMAND", help=f"of {', '.join(COMMANDS)}; default: all"
    )
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for name in args.commands or COMMANDS:
        with tempfile.TemporaryDirectory() as folder:
            try:
                found = COMMANDS[name](Path(folder), args.times, random.Random(f"{args.seed}/{name}"))
            except LostError as error:
                print(f"{name}: {error}")
                return 1
        print(f"{name}: killed {args.times} times: {found}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
