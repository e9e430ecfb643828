"""Endurance: memory over many short searches, and how soon `stop` is obeyed, of the real engine process.

    python tests/soak/endurance.py memory [--times 100000]
    python tests/soak/endurance.py stop [--times 1000] [--option Threads=2 ...]

`memory` prints the resident memory twenty times, always after the same kind of work; exit status 1 when
it has grown by more than 1 MB since the first tenth. `stop` prints quantiles of the time from writing
`stop` to reading `bestmove`; exit status 1 when one in a hundred takes longer than 20 ms.
"""

import argparse
import random
import re
import sys
import tempfile
import time
from pathlib import Path

import chess

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.engine_process import Engine

GROWTH = 1000  # kB
LATE = 20.0  # ms
PHASES = ("Threads 1 Hash 16 MultiPV 1", "Threads 3 Hash 16 MultiPV 2", "Threads 1 Hash 3 MultiPV 5")
PHASE = 20  # searches


def random_game(rng: random.Random) -> list[str]:
    """Random legal moves."""
    board = chess.Board()
    while not board.is_game_over() and board.ply() < 120:
        board.push(rng.choice(list(board.legal_moves)))
    return [move.uci() for move in board.move_stack]


def set_options(engine: Engine, text: str) -> None:
    """`text`: names and values in turn."""
    words = text.split()
    for name, value in zip(words[::2], words[1::2], strict=True):
        engine.send(f"setoption name {name} value {value}".encode())


def resident(engine: Engine) -> int:
    """Kilobytes in memory."""
    status = Path(f"/proc/{engine.process.pid}/status").read_text(encoding="ascii")
    return int(re.findall(r"VmRSS:\s+(\d+) kB", status)[0])


def memory(engine: Engine, times: int, rng: random.Random) -> bool:
    """Short searches in growing games, new games, other tables and threads in between."""
    samples: list[int] = []
    cycle = PHASE * len(PHASES)
    cycles = max(1, times // cycle)
    for number in range(cycles):
        for phase in reversed(PHASES):
            set_options(engine, phase)
            engine.send(b"ucinewgame")
            moves = random_game(rng)
            for ply in range(PHASE):
                engine.send(
                    f"position startpos moves {' '.join(moves[: ply * len(moves) // PHASE])}".encode(),
                    f"go nodes {rng.randint(1, 400)}".encode(),
                )
                engine.until("bestmove")
        samples.append(resident(engine))
        if (number + 1) * 20 // cycles > number * 20 // cycles:
            print(f"{(number + 1) * cycle:7d} searches  {samples[-1] / 1000:.1f} MB", flush=True)
    grown = samples[-1] - max(samples[: max(1, cycles // 10)])
    print(f"grown by {grown} kB since the first tenth")
    return grown <= GROWTH


def stop(engine: Engine, times: int, rng: random.Random) -> bool:
    """Searches without end, stopped at any moment."""
    late = []
    for _ in range(times):
        moves = random_game(rng)
        moves = moves[: rng.randrange(len(moves))]
        engine.send(f"position startpos moves {' '.join(moves)}".encode(), b"go infinite")
        time.sleep(rng.uniform(0, 0.3))
        start = time.perf_counter()
        engine.send(b"stop")
        engine.until("bestmove")
        late.append((time.perf_counter() - start) * 1000)
    late.sort()
    shares = {"median": 0.5, "p90": 0.9, "p99": 0.99, "max": 1.0}
    quantiles = {name: late[min(int(share * times), times - 1)] for name, share in shares.items()}
    print(f"{times} stops:", ", ".join(f"{name} {value:.1f} ms" for name, value in quantiles.items()))
    return quantiles["p99"] < LATE


def main() -> int:
    """Exit status 0: within bounds."""
    verbatim = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=verbatim)
    parser.add_argument("what", choices=("memory", "stop"))
    parser.add_argument("--times", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(folder)
        try:
            set_options(engine, " ".join(args.option).replace("=", " "))
            engine.send(b"isready")
            engine.until("readyok")
            good = {"memory": memory, "stop": stop}[args.what](engine, args.times, random.Random(args.seed))
            engine.send(b"quit")
            engine.end(0)
        finally:
            engine.close()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
