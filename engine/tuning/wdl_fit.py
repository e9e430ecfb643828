"""wdl: fits the model of UCI_ShowWDL to logged games, by maximum likelihood.

The data are score, material and result of every n-th scored position, from White's view (the model is the
same for both sides). Prints the coefficients as lines of `engine/player/wdl.py`, or writes them there.
"""

import sys
from pathlib import Path

from sssnake.engine.common.arguments import Parser, positive
from sssnake.engine.common.files import own_source, try_outputs
from sssnake.engine.common.inputs import read_text
from sssnake.engine.player import wdl


def main(argv: list[str]) -> int:
    """`sssnake wdl LOG... [--adopt | -o FILE]`."""
    parser = Parser("sssnake wdl", description=__doc__)
    add = parser.add_argument
    add("logs", nargs="+", type=Path, help="game logs of datagen or match")
    add("-o", "--output", type=Path, metavar="FILE", help="replace the coefficients of this copy")
    add("--adopt", action="store_true", help="replace those of engine/player/wdl.py itself")
    add("--every", type=positive, default=4, help="take every n-th position (default 4)")
    args = parser.parse_args(argv)
    from sssnake.engine.tuning.wdl_model import fit, lines, load, table, write  # needs numpy, --help does not

    own = own_source(Path(wdl.__file__)) if args.adopt else None
    targets = [path for path in (args.output, own) if path]
    for path in targets:
        read_text(path)  # its other lines are kept
    try_outputs(targets, args.logs)
    score, share, result = load(args.logs, args.every)
    coefficients, loss = fit(score, share, result)
    print(f"{len(score)} positions, {loss:.4f} nats each")
    print(table(coefficients, score, share, result))
    print(*lines(coefficients).values(), sep="\n", flush=True)
    for path in targets:
        write(coefficients, path)
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
