"""`sssnake worth`: what each rule of the search is worth, by games of the engine against itself without it.

Elo is that of the engine with the rule, its 95 % error from pairs of games; nodes are those of the engine
with the rule, as a share of the other's (at a fixed depth: what the rule saves).
"""

import sys
from argparse import ArgumentTypeError, Namespace
from contextlib import closing
from itertools import islice

from _fast import params
from engine.limits import Limits
from engine.tools import duel, elo, jobs
from engine.tools.arguments import Parser, positive
from engine.tools.duel import WON, Duel, Side, fight
from engine.tools.match_openings import openings

OFF = {  # the parameter, and the value that switches its rule off
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
    "correction_weight": 0,
    "driver_margin": 0,
    "driver_step": 0,
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


def measure(without: dict[str, int], crew: jobs.Crew, args: Namespace) -> tuple[elo.Estimate, float]:
    """(Elo of the engine as it is against one with other values, its nodes as a share of that one's)."""
    sides = Side(driver=args.driver), Side(without, driver=args.driver)
    limits = Limits(depth=args.depth) if args.depth else Limits(nodes=args.nodes)
    starts = islice(openings(args.openings, seed=args.seed), (args.games + 1) // 2)
    scores, nodes = [], [0, 0]
    with closing(crew.run(fight, (Duel(start, sides, limits, args.plies) for start in starts))) as played:
        for _job, outcome in played:
            scores.append(outcome.points / (2 * WON))
            nodes = [total + more for total, more in zip(nodes, outcome.nodes, strict=True)]
    return elo.estimate_pairs(scores), nodes[0] / nodes[1]


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
            print(f"{'without':<32} {'Elo':>6} {'+-':>5} {'nodes':>6}", flush=True)
            for without in args.rules or [{name: value} for name, value in OFF.items()]:
                name = ",".join(f"{name}={value}" for name, value in without.items())
                found, nodes = measure(without, crew, args)
                print(f"{name:<32} {found.elo:+6.0f} {found.error:5.0f} {nodes:6.3f}", flush=True)
    except (OSError, ValueError, jobs.CrewError) as problem:
        parser.error(str(problem))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
