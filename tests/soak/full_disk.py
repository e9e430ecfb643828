"""A full disk under what the commands write: one line, exit status 2, and what was written stays readable.

    python tests/soak/full_disk.py [--free 8]

The disk is a tmpfs of 1 MB in a mount namespace of its own (`unshare`, Linux); a file fills it up to some
kilobytes. Exit status 1 at the first fault, 77 if such a disk cannot be made here.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import chess.pgn

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.constants import ENGINE, ROOT

from sssnake.engine.common.messages import reason
from sssnake.engine.games import gamelog

BUNDLE = [sys.executable, ".ci/packages/bundle.py"]  # `make EXE=NAME`
OWN = " ".join(ENGINE)
GAMES = ["match", OWN, OWN, "--nodes", "30", "--games", "100"]
SIZE = 1 << 20  # bytes
CANNOT = 77


class FaultError(Exception):
    """Something went wrong beside the disk."""


def run(words: list[str], text: str = "") -> tuple[int, str, list[str]]:
    """Exit status, output, and lines on stderr."""
    command = [*BUNDLE, *words[1:]] if words[:1] == ["EXE"] else [*ENGINE, *words]
    done = subprocess.run(command, cwd=ROOT, input=text, capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout, [line for line in done.stderr.splitlines() if "%|" not in line]


def refused(words: list[str], path: Path) -> str:
    """Run a command that must leave with one line about the file; its output."""
    status, output, lines = run(words)
    if (
        status != 2
        or len(lines) != 1
        or "No space left on device" not in lines[0]
        or path.name not in lines[0]
    ):
        raise FaultError(f"{words[0]}: exit status {status}, {lines}")
    return output


def pgn(disk: Path) -> str:
    """Games as PGN: those in the file are whole, and the result is told."""
    path = disk / "games.pgn"
    told = refused([*GAMES, "--pgn", str(path)], path)
    games = 0
    with path.open(encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            if game.errors or str(len(list(game.mainline_moves()))) != game.headers["PlyCount"]:
                raise FaultError(f"{path}: game {games + 1} is damaged")
            games += 1
    if f" {games + 1} games " not in told:
        raise FaultError(f"{games} games are in the PGN; told was {told!r}")
    return f"{games} whole games"


def log(disk: Path) -> str:
    """A game log."""
    path = disk / "games.log"
    told = refused([*GAMES, "--log", str(path)], path)
    games = len(list(gamelog.read_games(path)))
    if f" {games + 1} games " not in told or gamelog.count(path) != games:
        raise FaultError(f"{games} games are in the log; told was {told!r}")
    return f"{games} whole games"


def shards(disk: Path) -> str:
    """`datagen`: goes on, to the same bytes, once there is room."""
    out, elsewhere = disk / "shards", disk.parent / "elsewhere"
    options = ["--seeds", "1", "1", "--games", "60", "--nodes", "50"]
    path = out / "seed000001-50n.games"
    refused(["datagen", str(out), *options], path)
    games = len(list(gamelog.read_games(path)))
    (disk / "filler").unlink()
    for folder in (out, elsewhere):
        if run(["datagen", str(folder), *options])[0]:
            raise FaultError("datagen does not go on")
    if path.read_bytes() != (elsewhere / path.name).read_bytes():
        raise FaultError("datagen goes on to other bytes")
    return f"{games} whole games, then the same bytes as elsewhere"


def kept(words: Callable[[Path], list[str]], name: str) -> Callable[[Path], str]:
    """A file that is replaced as a whole: the old one stays, and nothing beside it."""

    def check(disk: Path) -> str:
        path = disk / name
        path.write_bytes(b"old")
        refused(words(path), path)
        if path.read_bytes() != b"old" or {item.name for item in disk.iterdir()} != {name, "filler"}:
            raise FaultError(f"{sorted(disk.iterdir())}")
        return "the old file is kept"

    return check


def debug_log(disk: Path) -> str:
    """The Debug Log File: the session goes on."""
    text = f"setoption name Debug Log File value {disk}/log\n" + "go depth 1\nisready\n" * 400
    status, output, lines = run([], text)
    if status or lines or output.count("Debug Log File given up") != 1 or output.count("bestmove") != 400:
        raise FaultError(f"exit status {status}, {lines}, {output[-300:]}")
    return "given up with one remark, the session went on"


def sources(folder: Path) -> Path:
    """Games of which a book, an analysis and a report are each larger than the room."""
    path = folder / "lines.pgn"
    if not path.exists():
        found = run(["match", OWN, OWN, "--nodes", "5", "--games", "12", "--pgn", str(path)])
        if found[0]:
            raise FaultError(str(found))
    return path


def checks(folder: Path) -> dict[str, Callable[[Path], str]]:
    """What is written, by name."""
    book = ["book", "build", str(sources(folder)), "--least", "1", "--nodes", "1", "--plies", "200"]
    book += ["--margin", "9999", "-o"]
    analyse = ["analyse", str(sources(folder)), "--nodes", "1", "--hash", "1"]
    return {
        "match --pgn": pgn,
        "match --log": log,
        "datagen": shards,
        "Debug Log File": debug_log,
        "book build -o": kept(lambda path: [*book, str(path)], "book.bin"),
        "analyse -o": kept(lambda path: [*analyse, "-o", str(path)], "out.pgn"),
        "analyse --html": kept(lambda path: [*analyse, "--html", str(path)], "out.html"),
        "make EXE": kept(lambda path: ["EXE", str(path)], "snake"),
    }


def inside(folder: Path, free: int) -> int:
    """In the namespace: mount the disk anew for each check."""
    disk = folder / "disk"
    disk.mkdir(exist_ok=True)
    for name, check in checks(folder).items():
        mounted = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "none", str(disk)]
        if subprocess.run(mounted, capture_output=True).returncode:
            return CANNOT
        room = os.statvfs(disk)
        (disk / "filler").write_bytes(bytes(room.f_bavail * room.f_frsize - (free << 10)))
        try:
            print(f"{name}: {check(disk)}", flush=True)
        except Exception as error:
            print(f"{name}: {reason(error)}")
            return 1
        finally:
            subprocess.run(["umount", str(disk)], check=True)
    return 0


def main() -> int:
    """Exit status 0: all is as it should be."""
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("--free", type=int, default=8, help="kilobytes")
    parser.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.inside:
        return inside(args.inside, args.free)
    with tempfile.TemporaryDirectory() as folder:
        words = [
            "unshare",
            "--mount",
            *(["--map-root-user"] if os.geteuid() else []),
            sys.executable,
            __file__,
        ]
        try:
            status = subprocess.run([*words, "--free", str(args.free), "--inside", folder]).returncode
        except FileNotFoundError:
            status = CANNOT
    if status == CANNOT:
        print("no disk of 1 MB can be mounted here (unshare, mount)")
    return status


if __name__ == "__main__":
    sys.exit(main())
