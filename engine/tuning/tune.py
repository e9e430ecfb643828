"""`sssnake tune`: fits numbers of the engine to games, by one of three methods.

texel (the default) fits evaluation weights to logged games. spsa tunes search parameters by games in which
they are a little higher or lower. tdleaf learns piece values and piece-square tables by self-play from zero.
Each has its own options: `sssnake tune --method NAME --help`.
"""

from importlib import import_module

from sssnake.engine.common.arguments import Parser

METHODS = {
    "texel": "sssnake.engine.tuning.texel",
    "spsa": "sssnake.engine.tuning.spsa",
    "tdleaf": "sssnake.engine.tuning.tdleaf",
}
HELP = ("-h", "--help")


def main(argv: list[str]) -> int:
    """Run the command line of the method."""
    parser = Parser("sssnake tune", description=__doc__, add_help=False)
    parser.add_argument("--method", choices=list(METHODS), default="texel")
    args, words = parser.parse_known_args(argv)
    if list(words) == list(argv) and set(HELP) & set(words):
        print(__doc__)
    status: int = import_module(METHODS[args.method]).main(words)
    return status
