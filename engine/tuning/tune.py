"""`sssnake tune`: learning numbers from games, by one of three methods.

texel (the default) fits the evaluation's weights to logged games, spsa the search's parameters by games with
all of them a little higher or lower, tdleaf learns piece values and tables from nothing. Each has options of
its own: `sssnake tune --method NAME --help`.
"""

from importlib import import_module

from engine.common.arguments import Parser

METHODS = {
    "texel": "engine.tuning.texel",
    "spsa": "engine.tuning.spsa",
    "tdleaf": "engine.tuning.tdleaf",
}
HELP = ("-h", "--help")


def main(argv: list[str]) -> int:
    """Hand the words to the method's own command line."""
    parser = Parser("sssnake tune", description=__doc__, add_help=False)
    parser.add_argument("--method", choices=list(METHODS), default="texel")
    args, words = parser.parse_known_args(argv)
    if list(words) == list(argv) and set(HELP) & set(words):
        print(__doc__)
    status: int = import_module(METHODS[args.method]).main(words)
    return status
