"""`sssnake worth`: what each rule of the search is worth, by games of the engine against itself without it.

Elo is that of the engine with the rule, its 95 % error from pairs of games; nodes are those of the engine
with the rule, as a share of the other's (at a fixed depth: what the rule saves); passes are those that an
iteration takes without the rule.
"""

import sys
from argparse import ArgumentTypeError, Namespace
from contextlib import closing
from dataclasses import dataclass
from itertools import islice

from _fast import params
from engine.limits import Limits
from engine.tools import duel, elo, jobs
from engine.tools.arguments import Parser, positive
from engine.tools.duel import WON, Duel, Side, fight
from engine.tools.match_openings import openings

OFF = {  # the parameter, and the value that switches its rule off
    "mate_distance": 0,
    "table_cutoffs": 0,
    "razoring_depth": 0,
    "reverse_futility_depth": 0,
    "null_move_depth": 0,
    "null_move_verify": 64,
    "probcut_depth": 0,
    "etc_depth": 0,
    "path_draws": 0,
    "flagged_cutoffs": 0,
    "iir_depth": 0,
    "late_move_depth": 0,
    "futility_depth": 0,
    "history_depth": 0,
    "root_futility": 0,
    "see_depth": 0,
    "singular_depth": 0,
    "lmr_depth": 0,
    "lmr_history": 100_000_000,
    "lmr_cut_node": 0,
    "lmr_flagged": 0,
    "lmr_improving": 0,
    "lmr_killer": 0,
    "lmr_check": 0,
    "lmr_tt_capture": 0,
    "quiesce_margin": -1,
    "quiesce_checks": 0,
    "quiesce_evasions": 20,
    "ending_men": 0,
    "killers": 0,
    "counter_moves": 0,
    "continuation_history": 0,
    "capture_history": 0,
    "history_gain": 0,
    "correction_weight": 0,
    "driver_margin": 0,
    "driver_step": 0,
    "driver_least": 50,
    "driver_bisect": 0,
    "driver_tolerance": 0,
    "driver_tolerance_share": 0,
    "driver_tolerance_max": 0,
    "driver_best": 0,
    "driver_far": 0,
    "driver_flag": 0,
}


def changes(text: str) -> dict[str, int]:
    """NAME, a rule of `OFF`, or NAME=VALUE; several with commas between them."""
    found = {}
    for part in text.split(","):
        name, equals, number = part.strip().partition("=")
        rows = {row.name: row for row in params.TABLE}
        if name not in rows:
            raise ArgumentTypeError(f"no parameter {name!r}")
        if not equals and name not in OFF:
            raise ArgumentTypeError(f"{name} is no rule to be switched off: give {name}=VALUE")
        try:
            found[name] = int(number) if equals else OFF[name]
        except ValueError:
            raise ArgumentTypeError(f"{name}={number!r}: not a number") from None
        row = rows[name]
        if not row.minimum <= found[name] <= row.maximum:
            raise ArgumentTypeError(f"{name} lies in {row.minimum}..{row.maximum}")
    return found


@dataclass(frozen=True)
class Worth:
    """The engine as it is beside one with other values."""

    elo: elo.Estimate
    nodes: float  # as a share of the other's
    passes: float  # of the other's iterations, in the mean

    def __str__(self) -> str:
        return f"{self.elo.elo:+6.0f} {self.elo.error:5.0f} {self.nodes:6.3f} {self.passes:6.2f}"


def measure(without: dict[str, int], crew: jobs.Crew, args: Namespace) -> Worth:
    """Play the games."""
    sides = Side(driver=args.driver), Side(without, driver=args.driver)
    limits = Limits(depth=args.depth) if args.depth else Limits(nodes=args.nodes)
    pairs = (args.games + 1) // 2
    starts = islice(openings(args.openings, seed=args.seed, count=pairs), pairs)
    outcomes: list[duel.Outcome] = []
    with closing(crew.run(fight, (Duel(start, sides, limits, args.plies) for start in starts))) as played:
        outcomes.extend(outcome for _job, outcome in played)
    nodes = sum(one.nodes[0] for one in outcomes) / sum(one.nodes[1] for one in outcomes)
    passes = sum(one.passes[1] for one in outcomes) / len(outcomes)
    return Worth(elo.estimate_pairs([one.points / (2 * WON) for one in outcomes]), nodes, passes)


def build_parser() -> Parser:
    """The command line."""
    parser = Parser("sssnake worth", description=__doc__)
    add = parser.add_argument
    add("rules", type=changes, nargs="*", metavar="NAME[=VALUE]", help="default: every rule, off")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--nodes", type=positive, default=5000, help="a move (default 5000)")
    limit.add_argument("--depth", type=positive, help="a move, instead")
    add("--games", type=positive, default=300, help="for each, rounded up to pairs (default 300)")
    duel.add_arguments(parser)
    jobs.add_arguments(parser, "pairs of games")
    return parser


def main(argv: list[str]) -> int:
    """Measure; 0, or 2 on bad input."""
    parser = build_parser()
    args = parser.parse_args(argv)
    try:
        with jobs.hire(args, parser.prog, processes=True) as crew:
            print(f"{'without':<32} {'Elo':>6} {'+-':>5} {'nodes':>6} {'passes':>6}", flush=True)
            for without in args.rules or [{name: value} for name, value in OFF.items()]:
                name = ",".join(f"{name}={value}" for name, value in without.items())
                print(f"{name:<32} {measure(without, crew, args)}", flush=True)
    except (OSError, ValueError, jobs.CrewError) as problem:
        parser.refuse(problem)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
