"""Calls a second of the Python interface, beside those of another checkout, in turn.

    python tests/measure/calls.py ../old            # play with 100 nodes, in both
    python tests/measure/calls.py --evaluate        # evaluate_many against python-chess' SimpleEngine
    python tests/measure/calls.py --import          # import of sssnake, and of Engine, beside that of chess

The other checkout is built. `play` is measured in processor time, so that other work counts less; the rest in
time, on an idle machine.
"""

import argparse
import statistics
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from support.constants import ROOT

BOARDS = """
import random, sys, time, chess
rng, boards = random.Random(1), []
while len(boards) < 50:
    board = chess.Board()
    for _ in range(rng.randrange(4, 60)):
        if not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
    boards += [] if board.is_game_over() else [board]
"""
PLAY = """
import importlib, os
sys.path.insert(0, os.getcwd())
prefix = "sssnake." if os.path.isdir("sssnake") else ""  # none before the one name
module = importlib.import_module(prefix + "engine.player.engine")
engine, limits = module.Engine(hash_mb=16), module.Limits(nodes=100)
boards = boards if sys.argv[1] == "games" else [chess.Board()] * len(boards)
for board in boards:
    engine.play(board, limits)
start, count = time.process_time(), 0
while time.process_time() - start < 2:
    for board in boards:
        engine.play(board, limits)
    count += len(boards)
print(count / (time.process_time() - start))
"""
EVALUATE = """
from sssnake import Engine
engine = Engine()
given = boards if sys.argv[1] == "boards" else [board.fen() for board in boards]
given = [board.copy(stack=False) for board in given] if sys.argv[1] == "boards" else given
start, count = time.perf_counter(), 0
while time.perf_counter() - start < 2:
    count += len(engine.evaluate_many(given * 20))
print(count / (time.perf_counter() - start))
"""
SIMPLE = """
import chess.engine
with chess.engine.SimpleEngine.popen_uci([sys.executable, *"-m sssnake".split()]) as engine:
    limit = chess.engine.Limit(depth=1)
    for board in boards:
        engine.analyse(board.copy(stack=False), limit)
    start, count = time.perf_counter(), 0
    while time.perf_counter() - start < 2:
        for board in boards:
            engine.analyse(board, limit)
        count += len(boards)
    print(count / (time.perf_counter() - start))
"""
IMPORT = "import time; start = time.perf_counter(); {}; print(1000 * (time.perf_counter() - start))"


def number(code: str, *words: str, folder: Path = ROOT) -> float:
    """What a piece of code prints, run in the checkout `folder`."""
    run = subprocess.run([sys.executable, "-c", code, *words], cwd=folder, capture_output=True, text=True)
    if run.returncode:
        raise SystemExit(run.stderr)
    return float(run.stdout)


def show(name: str, values: list[float], others: list[float]) -> None:
    """A line with medians, and the median of the ratios of pairs."""
    ratio = statistics.median(one / other for one, other in zip(values, others, strict=True))
    print(f"{name:<28} {statistics.median(values):10.1f} {statistics.median(others):10.1f} {ratio:7.2f}")


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("other", nargs="?", type=Path, help="another checkout, built")
    parser.add_argument("--evaluate", action="store_true")
    parser.add_argument("--import", action="store_true", dest="imports")
    parser.add_argument("--pairs", type=int, default=7)
    args = parser.parse_args()
    pairs = range(args.pairs)
    print(f"{'':<28} {'this':>10} {'other':>10} {'ratio':>7}")
    if args.other:
        for kind in ("start", "games"):
            found = [
                (number(BOARDS + PLAY, kind), number(BOARDS + PLAY, kind, folder=args.other)) for _ in pairs
            ]
            show(f"play, 100 nodes, {kind}", *map(list, zip(*found, strict=True)))
    if args.evaluate:
        for kind in ("boards", "fens"):
            found = [(number(BOARDS + EVALUATE, kind), number(BOARDS + SIMPLE)) for _ in pairs]
            show(f"evaluate_many, {kind}", *map(list, zip(*found, strict=True)))
    if args.imports:
        for line in ("import sssnake", "from sssnake import Engine, Limits"):
            found = [(number(IMPORT.format(line)), number(IMPORT.format("import chess"))) for _ in pairs]
            show(f"{line}, ms"[:28], *map(list, zip(*found, strict=True)))


if __name__ == "__main__":
    main()
