"""data: describes files of games (`info`), and checks them as `train` does (`check`).

`check` is stricter than `train` in one thing: it refuses a file with any repeated game.
"""

import sys
from pathlib import Path

from sssnake.engine.common.arguments import Parser


def main(argv: list[str]) -> int:
    """`sssnake data info|check FILE...`: check exits with 1 where a file is refused."""
    parser = Parser("sssnake data", description=__doc__)
    parser.add_argument("action", choices=("info", "check"), help="describe them, or check them")
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="game logs of datagen or match")
    args = parser.parse_args(argv)
    from sssnake.engine.training import content  # needs numpy, --help does not

    if args.action == "check":
        return content.check(args.files)
    print(*content.describe(content.read_all(args.files)), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
