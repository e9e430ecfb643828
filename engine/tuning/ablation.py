"""`sssnake ablation`: the Elo of each rule of the search, by games against the engine without it.

Elo is that of the engine with the rule; its 95 % error comes from pairs of games. Nodes are those of the
engine with the rule, divided by those without (at a fixed depth: what the rule saves). Passes are those of an
iteration without the rule.
"""

import sys
from argparse import ArgumentTypeError, Namespace
from contextlib import closing
from dataclasses import dataclass
from itertools import islice

from sssnake._fast.search.parameters import OFF, find
from sssnake.engine.common.arguments import Parser, positive
from sssnake.engine.games import elo
from sssnake.engine.games.openings import OpeningOptions, openings
from sssnake.engine.jobs.executor import JobExecutor, add_executor_arguments, open_executor
from sssnake.engine.player.limits import Limits
from sssnake.engine.selfplay import pair
from sssnake.engine.selfplay.pair import WON, Pair, play_pair
from sssnake.engine.selfplay.players import Side


def changes(text: str) -> dict[str, int]:
    """Parse NAME (a rule that can be switched off) or NAME=VALUE, several of them separated by commas."""
    found = {}
    for part in text.split(","):
        name, equals, number = part.strip().partition("=")
        try:
            row = find(name)
        except KeyError:
            raise ArgumentTypeError(f"no parameter {name!r}") from None
        if not equals and row.off is None:
            raise ArgumentTypeError(f"{name} is no rule to be switched off: give {name}=VALUE")
        try:
            value = int(number) if equals else OFF[row.name]
        except ValueError:
            raise ArgumentTypeError(f"{name}={number!r}: not a number") from None
        if not row.minimum <= value <= row.maximum:
            raise ArgumentTypeError(f"{name} lies in {row.minimum}..{row.maximum}")
        found[row.name] = value
    return found


@dataclass(frozen=True)
class Ablation:
    """The engine compared with one that has other values."""

    elo: elo.Estimate
    nodes: float  # divided by the other's
    passes: float  # of an iteration of the other one, mean

    def __str__(self) -> str:
        return f"{self.elo.elo:+6.0f} {self.elo.error:5.0f} {self.nodes:6.3f} {self.passes:6.2f}"


def measure(without: dict[str, int], executor: JobExecutor, args: Namespace) -> Ablation:
    """Play the games."""
    sides = Side(driver=args.driver), Side(without, driver=args.driver)
    limits = Limits(depth=args.depth) if args.depth else Limits(nodes=args.nodes)
    pairs = (args.games + 1) // 2
    starts = islice(openings(args.openings, OpeningOptions(seed=args.seed), pairs), pairs)
    outcomes: list[pair.PairResult] = []
    with closing(
        executor.run(play_pair, (Pair(start, sides, limits, args.plies) for start in starts))
    ) as played:
        outcomes.extend(outcome for _job, outcome in played)
    searched = sum(one.nodes[1] for one in outcomes)
    if not searched:
        raise ValueError(f"no move was searched: --plies {args.plies} ends the games in their openings")
    nodes = sum(one.nodes[0] for one in outcomes) / searched
    passes = sum(one.passes[1] for one in outcomes) / len(outcomes)
    return Ablation(elo.estimate_pairs([one.points / (2 * WON) for one in outcomes]), nodes, passes)


def build_parser() -> Parser:
    """The command line."""
    parser = Parser("sssnake ablation", description=__doc__)
    add = parser.add_argument
    add("rules", type=changes, nargs="*", metavar="NAME[=VALUE]", help="default: every rule, off")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--nodes", type=positive, default=5000, help="a move (default 5000)")
    limit.add_argument("--depth", type=positive, help="a move, instead")
    add("--games", type=positive, default=300, help="for each rule, rounded up to pairs (default 300)")
    pair.add_arguments(parser)
    add_executor_arguments(parser, "pairs of games")
    return parser


def main(argv: list[str]) -> int:
    """Measure. OSError, ValueError or ToolError on bad input (`process.guarded`)."""
    parser = build_parser()
    args = parser.parse_args(argv)
    with open_executor(args, parser.prog, processes=True) as executor:
        print(f"{'without':<32} {'Elo':>6} {'+-':>5} {'nodes':>6} {'passes':>6}", flush=True)
        for without in args.rules or [{name: value} for name, value in OFF.items()]:
            name = ",".join(f"{name}={value}" for name, value in without.items())
            print(f"{name:<32} {measure(without, executor, args)}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
