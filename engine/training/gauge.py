"""gauge: how far networks are from what long searches say, on a fixed set of positions of own games.

A network's error is the root mean square difference of expected scores: a sigmoid of its value, at the scale
that suits the network best, minus a sigmoid of the long search's score. It takes seconds a network. Networks
whose errors differ by less than the error of the difference are not told apart. No network learns from these
positions.

With --results the networks are set beside the results of games that none of them has learnt from, at all
quiet positions. Ten thousand games tell closer networks apart than the judged positions do.
"""

import sys
from argparse import Namespace
from contextlib import closing
from pathlib import Path

from sssnake.engine.common.arguments import Parser, positive
from sssnake.engine.common.files import append, check_apart, lock
from sssnake.engine.common.progress import Progress
from sssnake.engine.jobs.executor import add_executor_arguments, open_executor
from sssnake.engine.player.options import INTERNAL
from sssnake.engine.training import judged

JUDGED = Path(__file__).parents[3] / "docs" / "training" / "judged.epd"


def judge_games(args: Namespace, tool: str) -> None:
    """Choose positions of the games, search them, and append them to the file as they come, in their order.

    A file that was cut off goes on behind its last position. ValueError if that is none of these games'.
    """
    check_apart([args.output], args.judge)
    boards = judged.candidates(args.judge, args.seed)
    with args.output.open("ab", buffering=0) as file, open_executor(args, tool, processes=True) as executor:
        lock(file)
        have = judged.resume(args.output, boards, args.nodes)
        tasks = ((board, args.nodes) for board in boards)
        done = executor.in_order(judged.judge, tasks)
        with closing(done), Progress(args.count, "positions", done=have) as bar:
            while have < args.count and (found := next(done, None)):
                if line := found[1]:
                    append(file, f"{line}\n".encode())
                    bar.advance()
                    have += 1
    if have < args.count:
        raise ValueError(f"the games have only {have} positions that suit, not {args.count}")
    print(f"{args.output}: {have} positions, {args.nodes} nodes each")


def build_parser() -> Parser:
    """The command line."""
    parser = Parser("sssnake gauge", description=__doc__)
    add = parser.add_argument
    add("networks", nargs="*", metavar="NET", help=f"a network's file, or {INTERNAL} (default)")
    add(
        "--positions",
        type=Path,
        default=JUDGED,
        metavar="FILE",
        help="judged positions (default: docs/training/judged.epd of the sources)",
    )
    add(
        "--results",
        type=Path,
        nargs="+",
        metavar="GAMES",
        help="logged games, whose results replace the judged positions",
    )
    add("--judge", type=Path, nargs="+", metavar="GAMES", help="make a file of positions from logged games")
    add("-o", "--output", type=Path, metavar="FILE", help="of --judge")
    add("--count", type=positive, default=2000, metavar="N", help="positions for --judge (default 2000)")
    add("--nodes", type=positive, default=2_000_000, metavar="N", help="of each search (default 2000000)")
    add("--seed", type=int, default=1, help="of the choice and of the bootstrap (default 1)")
    add_executor_arguments(parser, "positions")
    return parser


def main(argv: list[str]) -> int:
    """Run the command. OSError, ValueError or ToolError on bad input (`process.guarded`)."""
    parser = build_parser()
    args = parser.parse_args(argv)
    if bool(args.judge) != bool(args.output):
        parser.error("--judge and -o belong together")
    if args.judge:
        parser.refuse_idle(args, ("networks", "positions", "results"), "with --judge")
        judge_games(args, parser.prog)
        return 0
    parser.refuse_idle(args, ("count", "nodes"), "without --judge")
    if args.results:
        parser.refuse_idle(args, ("positions", "seed"), "with --results")
        from sssnake.engine.training import outcomes  # needs numpy, --help does not

        print(*outcomes.compared(args.networks or [INTERNAL], args.results), sep="\n")
        return 0
    if args.positions == JUDGED and not JUDGED.is_file():  # an installed copy
        parser.error("--positions is missing: the sources bring some, docs/training/judged.epd")
    from sssnake.engine.training.errors import compared  # needs numpy, --help does not

    print(*compared(args.networks or [INTERNAL], args.positions, args.seed), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
