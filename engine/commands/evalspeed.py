"""evalspeed: what the network costs, in nanoseconds, for every instruction set that this machine has.

The positions of `sssnake bench` are searched once with the network; then what it was asked about is evaluated
again, in the same order and with nothing between. Processor time; the best of several rounds counts.
"""

import random
import sys
from array import array

from _fast.board.board import Board
from _fast.evaluation import nnue
from _fast.evaluation.netfile import Net
from engine.common.arguments import Parser, positive
from engine.player.bench import POSITIONS
from engine.player.limits import Limits
from engine.player.options import Options
from engine.player.searcher import Searcher

DEPTH = 9
ROUNDS = 5
CAPACITY = 1_000_000  # positions recorded, 192 bytes each
WORTH = (6, 18, 19, 30, 54, 0)  # of pawn, knight, ... king, in accumulator units
CENTRE = 3  # units that a man in the centre is worth more than one in a corner
NOISE = 2


def material_net(hidden: int, buckets: int = 1, seed: int = 1) -> Net:
    """A network that knows material and the centre, with noise: sensible searches before any training."""
    rng = random.Random(seed)
    net = Net(hidden, buckets, description="material and the centre")

    def noisy(unit: int) -> list[int]:
        return [unit + rng.randint(-NOISE, NOISE) for _ in range(hidden)]

    net.bias = array("h", noisy(0))
    for kind in range(12):  # own men, then the enemy's
        for square in range(64):
            distance = max(abs(2 * (square & 7) - 7), abs(2 * (square >> 3) - 7)) // 2
            net.weights.extend(noisy(WORTH[kind] + CENTRE - distance if kind < 6 else 0))
    weight = max(1, 256 // hidden)
    net.out = array("h", ([weight] * hidden + [-weight] * hidden) * buckets)
    net.out_bias = array("i", [0] * buckets)
    return net


def record(network: nnue.Network, depth: int) -> tuple[nnue.Recording, int]:
    """What the searches of `bench` ask the network, and the number of their nodes."""
    recording, nodes = nnue.Recording(CAPACITY), 0
    searcher = Searcher(Options())
    pool = searcher.prepare()
    pool.main.use_network(network, recording)
    for fen in POSITIONS:
        searcher.new_game()
        searcher.search(Board(fen), Limits(depth=depth), lambda info: None)
        nodes += pool.nodes
    return recording, nodes


def main(argv: list[str]) -> int:
    """`sssnake evalspeed`."""
    parser = Parser("sssnake evalspeed", description=__doc__)
    add = parser.add_argument
    add("--eval-file", metavar="FILE", help="the network (default: one that counts material)")
    add("--hidden", type=positive, default=256, help="size of that one, a multiple of 16 (default 256)")
    add("--depth", type=positive, default=DEPTH, help=f"plies of the searches (default {DEPTH})")
    args = parser.parse_args(argv)
    try:
        searcher = Searcher(Options(eval_file=args.eval_file or ""))
        network = (args.eval_file and searcher.network) or nnue.Network(material_net(args.hidden))
    except ValueError as error:
        parser.refuse(error)
    recording, nodes = record(network, args.depth)
    share = len(recording) / nodes
    print(f"{network.shape}: {nodes} nodes, {len(recording)} evaluations, {share:.2f} a node")
    for name in nnue.instruction_sets():
        nnue.use(name)
        each = min(recording.seconds(network) for _ in range(ROUNDS)) / len(recording) * 1e9
        print(f"{name:<10}{each:7.1f} ns an evaluation{each * share:7.1f} ns a node", flush=True)
    nnue.use()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
