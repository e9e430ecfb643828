"""`sssnake tune`: fits numbers of the engine to games, by one of three methods.

texel (the default) fits evaluation weights to logged games. spsa tunes search parameters by games in which
they are a little higher or lower. tdleaf learns piece values and piece-square tables by self-play from zero.
Each has its own options: `sssnake tune --method NAME --help`.
"""

from pathlib import Path

from sssnake._fast.evaluation.weights import WEIGHTS
from sssnake.engine.common.arguments import Parser, natural, picture, positive, share
from sssnake.engine.jobs.executor import add_executor_arguments

TEXEL = """texel: fits the weights of the evaluation to games (Texel's method, Österlund 2014).

Every quiet position of the logs becomes a row of feature counts (the trace of the core's evaluation).
Logistic regression fits the weights so that sigmoid(K * evaluation) predicts a blend of the game's result and
the search's score. Prints the weights in the form of `_fast/evaluation/weights.py`, or writes them there.
"""
TDLEAF = """tdleaf: learns piece values and piece-square tables from zero, by self-play alone.

TDLeaf(lambda) (Baxter, Tridgell & Weaver 1998). The value of a position is that of the leaf of its principal
variation. After each game the value of every position is moved towards those of the positions that followed,
and that of the last position towards the result.

The evaluation is linear: material and tapered piece-square tables, without a tempo term. Endings with special
rules keep these rules, and the search orders captures by fixed piece values.
"""
HELP = ("-h", "--help")


def main(argv: list[str]) -> int:
    """Run the command line of the method."""
    parser = Parser("sssnake tune", description=__doc__, add_help=False)
    parser.add_argument("--method", choices=list(METHODS), default="texel")
    args, words = parser.parse_known_args(argv)
    if list(words) == list(argv) and set(HELP) & set(words):
        print(__doc__)
    return METHODS[args.method](words)


def texel(argv: list[str]) -> int:
    """`sssnake tune LOG... [--adopt | -o FILE.py]`."""
    parser = Parser("sssnake tune", description=TEXEL)
    add = parser.add_argument
    add("logs", nargs="+", type=Path, help="game logs of datagen or match")
    add("-o", "--output", type=Path, metavar="FILE.py", help="write the weights there")
    add("--adopt", action="store_true", help="write them into _fast/evaluation/weights.py, the engine's own")
    add("--blend", type=share, default=0.5, help="share of the search's score in the target (default 0.5)")
    add("--steps", type=positive, default=400, help="of gradient descent (default 400)")
    add("--every", type=positive, default=1, help="take every n-th quiet position")
    add("--groups", nargs="+", choices=list(WEIGHTS), metavar="GROUP", help="fit these; all others are zero")
    args = parser.parse_args(argv)
    from sssnake.engine.tuning.texel import carry_out  # needs numpy, --help does not

    carry_out(args)
    return 0


def tdleaf(argv: list[str]) -> int:
    """`sssnake tune --method tdleaf STATE.json`."""
    parser = Parser("sssnake tune --method tdleaf", description=TDLEAF)
    add = parser.add_argument
    add("state", type=Path, help="JSON file of the state, made if missing; the same command goes on from it")
    add("--games", type=positive, default=4000, help="in all (default 4000)")
    add("--batch", type=positive, default=16, help="games in a batch: between two steps (default 16)")
    add("--depth", type=positive, default=4, help="of every search, in plies (default 4)")
    add("--decay", type=share, default=0.7, help="lambda (default 0.7)")
    add("--seed", type=int, default=1, help="of all random numbers (default 1)")
    known = "held-out games, whose results are predicted"
    add("--held-out", type=Path, nargs="+", default=[], metavar="LOG", help=known)
    add("--pairs", type=natural, default=0, help="pairs of games of each match (default 0: none)")
    add("--nodes", type=positive, default=1000, help="a move in matches (default 1000)")
    add("--against", type=Path, metavar="FILE.py", help="weights of the opponent (default: the engine's own)")
    add("--every", type=positive, default=1000, help="games between two evaluations (default 1000)")
    add("--png", type=picture, metavar="FILE", help="draw the learning curve (needs matplotlib)")
    add("-o", "--output", type=Path, metavar="FILE.py", help="write the weights there at the end")
    add_executor_arguments(parser, "games")
    args = parser.parse_args(argv)
    from sssnake.engine.tuning.tdleaf import carry_out  # needs numpy, --help does not

    carry_out(args, parser.prog)
    return 0


def spsa(argv: list[str]) -> int:
    """`sssnake tune --method spsa --parameters NAME...`."""
    from sssnake.engine.tuning import spsa

    return spsa.main(argv)


METHODS = {"texel": texel, "spsa": spsa, "tdleaf": tdleaf}
