"""evalspeed: the time of a network evaluation, in nanoseconds, with every instruction set of this machine.

The positions of `sssnake bench` are searched once, and the evaluated positions recorded. Then these are
evaluated again, in the same order and without a search. Processor time; the best of several rounds counts.
"""

import random
import sys
from array import array

from sssnake._fast.board.board import Board
from sssnake._fast.evaluation import nnue
from sssnake._fast.evaluation.netfile import Net
from sssnake.engine.common.arguments import Parser, positive
from sssnake.engine.player.bench import POSITIONS
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits

DEPTH = 9
ROUNDS = 5
CAPACITY = 1_000_000  # positions recorded, 192 bytes each
PIECE_VALUES = (6, 18, 19, 30, 54, 0)  # of pawn, knight, ... king, in accumulator units
CENTRE = 3  # units of a piece in the centre more than of one in a corner
NOISE = 2


def material_net(hidden: int, buckets: int = 1, seed: int = 1) -> Net:
    """A network that counts material and the centre, with noise: for sensible searches without training.

    ValueError: no such size.
    """
    rng = random.Random(seed)
    net = Net(hidden, buckets, description="material and the centre")
    net.check_head()

    def noisy(unit: int) -> list[int]:
        return [unit + rng.randint(-NOISE, NOISE) for _ in range(hidden)]

    net.bias = array("h", noisy(0))
    for kind in range(12):  # own pieces, then the enemy's
        for square in range(64):
            distance = max(abs(2 * (square & 7) - 7), abs(2 * (square >> 3) - 7)) // 2
            net.weights.extend(noisy(PIECE_VALUES[kind] + CENTRE - distance if kind < 6 else 0))
    weight = max(1, 256 // hidden)
    net.out = array("h", ([weight] * hidden + [-weight] * hidden) * buckets)
    net.out_bias = array("i", [0] * buckets)
    return net


def record(network: nnue.Network, depth: int) -> tuple[nnue.Recording, int]:
    """(evaluated positions, nodes) of the searches of `bench`."""
    recording, nodes = nnue.Recording(CAPACITY), 0
    engine = Engine()
    pool = engine.prepare()
    pool.main.use_network(network, recording)
    for fen in POSITIONS:
        engine.new_game()
        nodes += engine.play(Board(fen), Limits(depth=depth)).nodes
    return recording, nodes


def main(argv: list[str]) -> int:
    """`sssnake evalspeed`."""
    parser = Parser("sssnake evalspeed", description=__doc__)
    add = parser.add_argument
    add("--eval-file", metavar="FILE", help="the network (default: one that counts material)")
    add("--hidden", type=positive, default=256, help="size of that one, a multiple of 16 (default 256)")
    add("--depth", type=positive, default=DEPTH, help=f"plies of the searches (default {DEPTH})")
    args = parser.parse_args(argv)
    engine = Engine(eval_file=args.eval_file or "")
    network = (args.eval_file and engine.network) or nnue.Network(material_net(args.hidden))
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
