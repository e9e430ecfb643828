"""Nodes a second of the positions of `bench`, beside those of another checkout, in lockstep.

    python tests/measure/pace.py ../old --depth 12 --turns 5 --cpu 1

Two programs search the same position in turn, again and again, so that a machine whose pace varies does to
both what it does to one. The other checkout is built; its node counts may differ: nodes a second
are compared, by processor time. Where other work runs, the fastest search of each position counts.
"""

import argparse
import statistics
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from support.constants import ROOT

from sssnake.engine.player.bench import POSITIONS

SEARCH = """
import importlib, os, sys, time
if sys.argv[1] != "any":
    os.sched_setaffinity(0, {int(sys.argv[1])})
sys.path.insert(0, os.getcwd())
prefix = "sssnake." if os.path.isdir("sssnake") else ""  # none before the one name
module = importlib.import_module(prefix + "engine.player.engine")
board_of = importlib.import_module(prefix + "_fast.board.board").Board
engine, limits = module.Engine(hash_mb=16), module.Limits(depth=int(sys.argv[2]))
engine.prepare()
for line in sys.stdin:
    engine.new_game()
    board, start = board_of(line.strip()), time.process_time()
    result = engine.play(board, limits)
    print(result.nodes, time.process_time() - start, flush=True)
"""


class Program:
    """One of the two: a process that searches what it is told."""

    def __init__(self, folder: Path, cpu: str, depth: int):
        python = folder / ".venv" / "bin" / "python"
        command = [str(python) if python.exists() else sys.executable, "-c", SEARCH, cpu, str(depth)]
        self.process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def search(self, fen: str) -> tuple[int, float]:
        """Nodes, and seconds of processor time."""
        assert self.process.stdin and self.process.stdout
        print(fen, file=self.process.stdin, flush=True)
        nodes, seconds = self.process.stdout.readline().split()
        return int(nodes), float(seconds)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("other", type=Path, help="another checkout, built")
    parser.add_argument("--this", type=Path, default=ROOT, help="the checkout that is compared with it")
    parser.add_argument("--depth", type=int, default=12)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--cpu", default="any", help="number of the processor that both run on")
    args = parser.parse_args()
    programs = [Program(folder, args.cpu, args.depth) for folder in (args.this, args.other)]
    ratios: list[float] = []
    least = [[float("inf")] * len(POSITIONS) for _ in programs]
    counts = [0, 0]
    for turn in range(args.turns):
        counts, seconds = [0, 0], [0.0, 0.0]
        for number, fen in enumerate(POSITIONS):
            for which in (0, 1) if (turn + number) % 2 else (1, 0):
                nodes, spent = programs[which].search(fen)
                counts[which] += nodes
                seconds[which] += spent
                least[which][number] = min(least[which][number], spent)
        speeds = [count / spent for count, spent in zip(counts, seconds, strict=True)]
        ratios.append(speeds[0] / speeds[1])
        print(f"{counts} nodes, {speeds[0]:.0f} and {speeds[1]:.0f} a second: {ratios[-1]:.4f}", flush=True)
    print(f"median {statistics.median(ratios):.4f}, {min(ratios):.4f} to {max(ratios):.4f}")
    speeds = [count / sum(spent) for count, spent in zip(counts, least, strict=True)]
    print(f"by the fastest search of each position {speeds[0] / speeds[1]:.4f}")


if __name__ == "__main__":
    main()
