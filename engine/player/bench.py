"""bench: a fixed set of positions at a fixed depth.

The node count is the signature of the search, the speed its pace.
"""

import sys
import time
from argparse import ArgumentTypeError
from dataclasses import dataclass

from sssnake._fast.board.board import Board
from sssnake._fast.search.parameters import find
from sssnake._fast.search.params import Parameters
from sssnake.engine.common.arguments import Parser, positive
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import DRIVERS, INTERNAL, Options, driver

DEPTH = 12

# Six known positions, then positions from the engine's own games after random openings, early to late.
POSITIONS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "8/8/7k/6q1/3p4/3P4/1K6/8 b - - 0 1",
    "7k/5K2/6P1/8/8/8/8/8 b - - 0 1",
    "rnb1kbnr/ppp2p1p/3pp1p1/8/2P2P1q/1Q4P1/PP1PP2P/RNB1KBNR w KQkq - 0 5",
    "rn1qkb1r/p1ppppp1/bp6/3n3p/1P1P4/4PN2/P1P2PPP/RNBQKB1R w KQkq - 2 6",
    "r1b1kbnr/p1qppppp/n1p5/1p3P2/3PP3/PP3N2/2P3PP/RNBQKB1R w KQkq - 0 8",
    "r1bqk1nr/ppp2pp1/2n4p/4p3/1b2N3/1PpPP3/P2B1PPP/R2QKBNR w KQq - 0 10",
    "r1b1kb1r/p1pqn2p/3p1pp1/3Pn3/1p6/4N3/PPP2PPP/1RBQKBNR w Kkq - 1 13",
    "r2q1k1r/1ppbn1b1/p2pp1B1/3nP1Bp/8/P1N2N1P/1PP2PP1/R2Q1RK1 w - - 1 16",
    "r3kb2/1pP2p2/4b2r/p2q3p/Pn6/4PNP1/1B3P1P/R2QKB1R w KQq - 1 19",
    "r4b2/qb6/2k1N2r/p1p1n2B/1nPP3p/1P2B3/6PP/R2Q1RK1 w - - 0 23",
    "r2k4/1pp1n2r/p3Q1pp/4Pp2/Pb1P4/2Pb2P1/1B1N3P/R3R1K1 w - - 0 27",
    "4k3/7p/5p2/qpn1pN2/2n1P3/r1P2N1P/3p1P2/RQ4K1 w - - 0 31",
    "4r1r1/1p3k2/1Rb5/p1P1pB1p/4Pb1P/5Pp1/6R1/4K3 w - - 2 36",
    "2r3k1/3Q4/p2R1ppp/1p6/2P5/P7/5KPP/7r w - - 2 41",
    "2k5/5R2/7p/1Rnp1p2/5Pp1/6P1/rB2r2P/5K2 b - - 15 48",
    "1k6/pp5Q/5p1P/5r2/2b5/P3bN2/2K5/8 w - - 13 56",
    "8/5Bk1/8/5R2/5K2/8/8/8 w - - 4 66",
    "rnbqkb1r/pp2p1pp/2pp3n/5p2/8/8/PPPPPPPP/RNBQKBNR w KQkq - 2 5",
    "rnbqk2r/pp2pp1p/2pp1n1b/6p1/P7/1P4P1/1BPPPP1P/RN1QKBNR w KQkq - 2 6",
    "r1bqkb1r/ppp3pp/n2p1n2/4ppB1/7P/1P1P1N2/P1PNPPP1/R2QKB1R w KQkq - 0 8",
    "r1bq1rk1/1ppp1pp1/p1nb1n1p/4p3/4P3/2PP1N2/P1N2PPP/R1BQKB1R w KQ - 0 10",
    "r1b1kb1r/p1qn1pp1/3ppn1p/Np6/1P4P1/2PPPN1P/5P2/R1BQKB1R w KQkq - 0 13",
    "r3kb1r/p3pp1p/2b2p2/3q4/2pp1nPP/PP3N2/3PBP2/R1BQK2R w KQkq - 0 16",
    "r2q1rk1/p1pb1pn1/p2p3p/3Pp3/4P3/2N1PP1p/1PPQ4/2KR1BR1 w - - 0 19",
    "r1bk3r/1pp1n1bp/p2pP1p1/P2P1p2/1PPNn3/3BPN1P/8/R1B1K3 w - - 1 23",
    "r3k2r/p7/1p3p2/1n1p4/6pP/P2K4/3N1P2/2R3R1 w kq - 0 27",
    "r7/1p3kp1/8/3P3p/P4P2/6P1/q5KP/2B4R w - - 1 31",
    "r1b2rk1/1p3ppp/8/pq1pPP2/2R5/3PK1B1/6BP/8 w - d6 0 36",
    "2r3k1/1b1n4/1pq2pp1/p3p2p/P2p3P/BP1P1PP1/2P1Q1K1/2R1R3 w - - 4 41",
    "8/5pk1/3Q2pp/4P3/5PPP/5K2/2r5/8 b - - 4 48",
    "3k4/8/Q6p/1p6/1p4PP/4R3/5K2/8 w - - 4 56",
    "8/8/8/2q3k1/8/8/1K3p2/6q1 w - - 0 66",
    "rnbqkbnr/1pp2ppp/p7/3p4/3Pp2P/4PN2/PPP2PP1/RNBQKB1R w KQkq - 0 5",
    "rnb1kb1r/pp2pppp/2pp1n2/q7/8/4P2P/PPPP1PPR/RNBQKBN1 w kq - 0 6",
    "rnbqkbnr/pp3ppp/8/3pP3/3p4/N5P1/PPP1PN1P/R1BQKB1R w KQkq - 1 8",
    "r1bqkb1r/pp2ppp1/n1p5/4p2p/3P2n1/BPN2NP1/P1P2P1P/R1Q1KB1R w KQkq - 0 10",
    "r1bqkb1r/pp1n1ppp/3pp3/2n5/2PB4/3PPN1P/P1N2PP1/R2QKB1R w KQq - 0 13",
    "rk1q1b1r/pb2n1pp/1pppBp2/8/4P2P/P1N1BPP1/1nP1Q3/R3K1NR w KQ - 2 16",
    "1rbq1rk1/2p2pp1/2n1p2p/p1NpPnPP/3P4/RPP2N2/5P2/3QKB1R w K - 0 19",
    "4k3/6p1/2p1bp1r/7p/1Qpn3P/3P4/4PPP1/q2K1B1R w - - 1 23",
    "5rk1/7p/5pp1/p3P3/P2n2P1/1P1P3N/2p4P/3K3R w - - 0 27",
    "2r2r2/2B3k1/1R3p2/3bp1pp/3R4/P6P/5PP1/7K w - - 0 31",
    "2r2k2/pR6/4R3/8/6P1/1PK5/r7/8 w - - 1 36",
    "2R5/2p2kp1/p4p1p/P1P1p3/8/2r2KP1/7P/8 w - - 0 41",
    "8/7k/7p/b2B1N1P/1Q2P3/p7/8/1K6 b - - 0 48",
    "8/8/6k1/1b6/4P1p1/P3K3/7Q/4B3 w - - 1 56",
)


COUNTS = ("nodes", "passes", "iterations", "failed_high", "crossings", "first_searched", "first_nodes")


@dataclass
class Totals:
    """Totals over all positions."""

    nodes: int
    seconds: float
    passes: int
    iterations: int
    failed_high: int = 0
    crossings: int = 0
    first_searched: int = 0
    first_nodes: int = 0

    @property
    def speed(self) -> int:
        """Nodes a second."""
        return int(self.nodes / max(self.seconds, 1e-6))


def bench(
    depth: int = DEPTH,
    options: Options | None = None,
    verbose: bool = False,
    parameters: Parameters | None = None,
) -> Totals:
    """Search every position to `depth` with fresh memory; one line each when `verbose`."""
    engine = Engine(options, parameters=parameters)
    engine.prepare()
    total = Totals(0, 0.0, 0, 0)
    for number, fen in enumerate(POSITIONS, 1):
        engine.new_game()
        board = Board(fen)
        start = time.perf_counter()
        result = engine.play(board, Limits(depth=depth))
        total.seconds += time.perf_counter() - start
        for count in COUNTS:
            setattr(total, count, getattr(total, count) + getattr(result, count))
        if verbose:
            where = f"{number:2d}/{len(POSITIONS)}"
            print(f"{where}  {result.nodes:9d} nodes  {result.score:6d} cp  {fen}", flush=True)
    return total


def driver_summary(total: Totals) -> str:
    """What the driver's passes were like."""
    iterations = max(total.iterations, 1)
    return (
        f"{total.passes / iterations:.2f} passes an iteration, "
        f"{total.failed_high / iterations:.2f} fail high; "
        f"first passes: {total.first_searched} of {total.iterations} searched, "
        f"{100 * total.first_nodes / max(total.nodes, 1):.2f} % of the nodes; "
        f"{total.crossings} passes cross earlier bounds"
    )


def summary(total: Totals) -> str:
    """The last line, as OpenBench reads it."""
    return f"{total.nodes} nodes {total.speed} nps"


def parameter(text: str) -> tuple[str, int]:
    """A search parameter, NAME=VALUE."""
    name, _, value = text.partition("=")
    try:
        return find(name).name, int(value)
    except KeyError:
        raise ArgumentTypeError(f"no parameter {name!r}") from None


def main(argv: list[str]) -> int:
    """`sssnake bench [DEPTH]`."""
    parser = Parser("sssnake bench", description=__doc__)
    add = parser.add_argument
    add("depth", nargs="?", type=positive, default=DEPTH, help=f"plies (default {DEPTH})")
    add("--driver", type=driver, choices=DRIVERS, default=DRIVERS[0], help="(default SSS*)")
    add("--hash", type=positive, default=16, help="MB (default 16)")
    add("--threads", type=positive, default=1, help="more than one is not deterministic")
    add("--eval-file", default=INTERNAL, metavar="FILE", help=f"network that evaluates (default {INTERNAL})")
    add("--param", type=parameter, action="append", default=[], metavar="NAME=VALUE", help="search parameter")
    args = parser.parse_args(argv)
    try:
        parameters = Parameters(**dict(args.param))
    except ValueError as error:
        parser.error(f"--param: {error}")
    options = Options(driver=args.driver, hash_mb=args.hash, threads=args.threads, eval_file=args.eval_file)
    total = bench(args.depth, options, verbose=True, parameters=parameters)
    print(driver_summary(total))
    print(summary(total))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
