"""Ponderhits at random moments of a search, above all of its first iteration: is the time limit kept?

python tests/soak/ponderhits.py [--hits 1000] [--seed 1]
"""

import argparse
import random
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

from sssnake._fast.board.board import Board
from sssnake.engine.player.bench import POSITIONS
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits

MOVETIME = 20  # ms
SPANS = (300, 1000, 5000, 60_000)  # microseconds from the start of a search within which the hit comes
LINES, THREADS = (1, 4, 20), (1, 4)
LATE = 0.5  # seconds; what lies between two looks at the clock is the machine's and does not count
HANGS = 20.0  # seconds


def lateness(hits: int, seed: int) -> Iterator[tuple[float, str]]:
    """(seconds beyond the limit, what was done) of every search."""
    rng = random.Random(seed)
    for number in range(hits):
        if number % 50 == 0:
            lines, threads = rng.choice(LINES), rng.choice(THREADS)
            engine = Engine(hash_mb=1, multipv=lines, threads=threads, move_overhead=0)
            pool = engine.prepare()
        fen, span = rng.choice(POSITIONS[:48]), rng.choice(SPANS)
        delay = rng.random() * span / 1e6
        search = engine.start(Board(fen), Limits(movetime=MOVETIME, ponder=True))
        until = time.perf_counter() + delay
        while time.perf_counter() < until:  # sleeping would take a twentieth of a millisecond at least
            pass
        search.ponderhit()
        hit = time.monotonic()
        with suppress(TimeoutError):
            search.wait(HANGS)
        late = time.monotonic() - hit - MOVETIME / 1000
        search.stop()
        search.wait()
        yield (
            late - pool.main.longest_gap,
            (f"{fen}, hit after {1e6 * delay:.0f} us, MultiPV {lines}, Threads {threads}"),
        )


def main() -> int:
    """Print the latest answers; exit status 1 if one was late."""
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("--hits", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    found = sorted(lateness(args.hits, args.seed), reverse=True)
    for late, what in found[:3]:
        print(f"{1000 * late:6.1f} ms beyond the limit: {what}")
    return int(found[0][0] > LATE)


if __name__ == "__main__":
    sys.exit(main())
