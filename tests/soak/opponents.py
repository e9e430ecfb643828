"""Hostile opponents in `match`: the right side forfeits, the run ends, the PGN is whole.

    python tests/soak/opponents.py [--games 500] [KIND ...]

Each kind of opponent plays its share of the games against an engine that behaves, with new processes for
every game. After each kind no process is left, no zombie, and no descriptor that was not open before. An
engine that does not get through its start ends the run with one line. Exit status 1 at the first fault.
"""

import argparse
import contextlib
import io
import json
import os
import sys
import tempfile
import textwrap
import time
import uuid
from pathlib import Path

import chess.pgn

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.constants import FAKE

from soak.kills import left
from sssnake.engine.commands import cli
from sssnake.engine.match import client

START_SECONDS, USUAL = 3.0, client.START_SECONDS  # for an engine that hangs at its start, and for others
QUICK = ("crash", "illegal", "none", "garbage")  # the others take seconds a game, and play a fiftieth of them
# From the third move on, what another one does than to answer. `fake_uci.py` knows four kinds itself.
ANSWERS = {
    "100 MB": "[os.write(1, b'info string y\\n' * 4096) for _ in range(1800)]",
    "garbage": "os.write(1, os.urandom(100_000) + b'\\nbestmove \\xff\\x00\\nbestmove\\nbestmove e9e9\\n')",
    "late": "time.sleep(2.5); print('bestmove a2a3', flush=True)",
    "a child that holds the pipe": "subprocess.Popen(['sleep', '600']); sys.exit(1)",
}
FAULTS = {
    "crash": "crash",
    "illegal": "illegal",
    "none": "illegal",
    "time": "time",
    "stall": "stall",
    "100 MB": "stall",
    "garbage": "illegal",
    "late": "time",
    "a child that holds the pipe": "stall",
}
STARTS = {
    "hangs at uci": "time.sleep(600)",
    "hangs at isready": "print('uciok', flush=True); time.sleep(600)",
    "100 MB at uci": "[os.write(1, b'z' * 65536) for _ in range(1600)]; time.sleep(600)",
    "exits": "sys.exit(3)",
}
SCRIPT = """
    import os, subprocess, sys, time
    moves = 0
    for line in sys.stdin:
        word = line.split()[0] if line.split() else ""
        if word in ("uci", "isready"):
            print({"uci": "uciok", "isready": "readyok"}[word], flush=True)
        elif word == "go":
            ANSWER
        elif word == "quit":
            break
"""


class FaultError(Exception):
    """What was wrong."""


def opponent(kind: str, folder: Path) -> str:
    """The command line of an opponent."""
    path = folder / "opponent.py"
    if kind in STARTS:
        path.write_text(f"import os, sys, time\n{STARTS[kind]}\n")
    elif kind in ANSWERS:
        path.write_text(textwrap.dedent(SCRIPT).replace("ANSWER", ANSWERS[kind]))
    else:
        return f"{FAKE} {kind}"
    return f"{sys.executable} {path}"


def open_now() -> int:
    """Descriptors of this process."""
    return len(list(Path("/proc/self/fd").iterdir()))


def check_children(kind: str) -> None:
    """FaultError if a child is left, a zombie, or a child's child."""
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, _ = os.waitpid(-1, os.WNOHANG)
            raise FaultError(f"{kind}: {'a zombie' if pid else 'a child'} is left")
    if [pid for pid in left(os.environ["KILLS"]) if pid != os.getpid()]:
        raise FaultError(f"{kind}: processes of the opponent live on")


def run(words: list[str]) -> tuple[int, str, str]:
    """`match` in this process: exit status, output, errors."""
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        status = cli.main(["match", *words])
    return status, out.getvalue(), errors.getvalue()


def play(kind: str, games: int, folder: Path) -> str:
    """Games against one kind of opponent."""
    pgn = folder / "games.pgn"
    pgn.unlink(missing_ok=True)
    limits = ["--tc", "1+0.1", "--margin", "500", "--games", str(games), "--max-moves", "12"]
    client.START_SECONDS = START_SECONDS if kind in STARTS else USUAL
    words = [FAKE, opponent(kind, folder), *limits, "--restart", "--json", "--pgn", str(pgn)]
    status, out, errors = run(words)
    if kind in STARTS:
        if status != 2 or errors.count("\n") != 1 or out:
            raise FaultError(f"{kind}: exit status {status}, {errors!r}")
        return errors.strip()
    if status:
        raise FaultError(f"{kind}: exit status {status}, {errors!r}")
    [pairing] = json.loads(out)["pairings"]
    ours, theirs = pairing["faults"]
    played = pairing["games"]
    if sum(ours.values()) or pairing["wins"] != played or theirs[FAULTS[kind]] != played:
        raise FaultError(f"{kind}: {pairing}")
    read = 0
    with pgn.open(encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            if game.errors or str(len(list(game.mainline_moves()))) != game.headers["PlyCount"]:
                raise FaultError(f"{kind}: game {read + 1} of the PGN is damaged")
            read += 1
    if read != played:
        raise FaultError(f"{kind}: {read} games in the PGN, {played} played")
    return f"{played} games, all won: {FAULTS[kind]}"


def main() -> int:
    """Exit status 0: all is as it should be."""
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    kinds = [*FAULTS, *STARTS]
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(kinds)}; default: all")
    parser.add_argument("--games", type=int, default=500)
    args = parser.parse_args()
    chosen = args.kinds or kinds
    slow = max(2, args.games // 50)
    quick = [kind for kind in chosen if kind in QUICK]
    rest = args.games - slow * sum(kind in FAULTS and kind not in QUICK for kind in chosen)
    os.environ["KILLS"] = uuid.uuid4().hex  # marks all processes that are started
    with tempfile.TemporaryDirectory() as folder:
        run([FAKE, FAKE, "--nodes", "1", "--games", "2", "--max-moves", "2"])  # what stays open from now on
        before = open_now()
        for kind in chosen:
            begun = time.monotonic()
            try:
                games = max(2, rest // len(quick)) if kind in QUICK else slow
                found = play(kind, games, Path(folder))
                check_children(kind)
                if open_now() != before:
                    raise FaultError(f"{kind}: {open_now()} descriptors are open, {before} before")
            except FaultError as error:
                print(error)
                return 1
            print(f"{kind}: {found} ({time.monotonic() - begun:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
