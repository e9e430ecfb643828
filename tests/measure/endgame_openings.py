"""Random endings that neither side wins at sight, as openings of matches with and without tablebases.

    python tests/measure/endgame_openings.py KRPPPvKRPP KRPPvKRPP --positions 100 --nodes 20000 >endings.epd

Random positions of each material, in turn, that a search scores within `--within` centipawns.
"""

import argparse
import random
import sys
from itertools import cycle
from pathlib import Path

import chess

sys.path.insert(0, str(Path(__file__).parents[1]))

from measure.endings import positions
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("materials", nargs="+", metavar="MATERIAL")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--nodes", type=int, default=20_000, help="of each search")
    parser.add_argument("--within", type=int, default=120, help="centipawns")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    sources = cycle([positions(material, rng) for material in args.materials])
    limits, found = Limits(nodes=args.nodes), 0
    with Engine(hash_mb=16) as engine:
        while found < args.positions:
            board: chess.Board = next(next(sources))
            engine.new_game()
            if not board.is_check() and abs(engine.play(board, limits).score) <= args.within:
                print(board.epd(), flush=True)
                found += 1


if __name__ == "__main__":
    main()
