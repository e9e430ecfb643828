"""`sssnake screening`: which of many parameters matter, and in which direction, from one set of games.

A factorial experiment at two levels (Fisher 1935; for screening Plackett & Burman 1946). In every pair of
games each parameter has its low or its high value, at random, and the opponent has the other one. Least
squares give the Elo of each parameter, high against low, as precisely as if all games had been played for
this parameter alone: the effects of the others are part of the noise. The results are slopes. Whether the
better values are also better together must be decided by a match.
"""

import json
import math
import random
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterable, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import chess

from sssnake._fast.search.parameters import find
from sssnake.engine.common.arguments import Parser, positive
from sssnake.engine.common.files import check_apart, save_text
from sssnake.engine.common.inputs import read_text
from sssnake.engine.common.progress import Progress
from sssnake.engine.games.elo import Z95
from sssnake.engine.games.openings import OpeningOptions, openings
from sssnake.engine.jobs.executor import ExecutorError, add_executor_arguments, open_executor
from sssnake.engine.player.limits import Limits
from sssnake.engine.selfplay import pair as selfplay
from sssnake.engine.selfplay.pair import WON, Pair, play_pair
from sssnake.engine.selfplay.players import Side

if TYPE_CHECKING:  # numpy is imported where it computes, so that --help works without
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float64]

ELO_PER_SCORE = 1600 / math.log(10)  # slope of the logistic model between equals


@dataclass(frozen=True)
class Factor:
    """A parameter and its two values."""

    name: str
    low: int
    high: int

    def value(self, sign: int) -> int:
        """The high value for 1, the low one for -1."""
        return self.high if sign > 0 else self.low


@dataclass
class Experiment:
    """The state of a run. `points`: half points of the first side, by number of the pair."""

    factors: list[Factor]
    seed: int
    nodes: int
    plies: int
    driver: str
    points: dict[int, float] = field(default_factory=dict)

    def signs(self, pair: int) -> list[int]:
        """The sign of each parameter of the first side in a pair: 1 high, -1 low."""
        rng = random.Random(f"screen {self.seed}/{pair}")
        return [rng.choice((1, -1)) for _ in self.factors]

    def games(self, pair: int, start: chess.Board) -> Pair:
        """The pair of games."""
        signs = self.signs(pair)

        def side(turn: int) -> Side:
            values = {one.name: one.value(turn * sign) for one, sign in zip(self.factors, signs, strict=True)}
            return Side(values, self.driver)

        return Pair(start, (side(1), side(-1)), Limits(nodes=self.nodes), self.plies)

    def design(self, pairs: Iterable[int]) -> "Floats":
        """The signs of these pairs, a row each.

        ValueError where they tell nothing, whatever the results: there are not more pairs than parameters, or
        two parameters always have equal signs.
        """
        import numpy as np

        signs = np.array([self.signs(pair) for pair in pairs], dtype=np.float64)
        if len(signs) <= len(self.factors) or np.linalg.matrix_rank(signs) < len(self.factors):
            raise ValueError(f"{len(signs)} pairs say too little about {len(self.factors)} parameters")
        return signs

    def effects(self) -> "tuple[Floats, Floats]":
        """(Elo of each parameter's high value over its low one, its 95 % half width), by least squares.

        ValueError where the pairs tell nothing (see `design`), or the effects explain every result.
        """
        import numpy as np

        pairs = sorted(self.points)
        signs = self.design(pairs)
        gained = ELO_PER_SCORE * (np.array([self.points[pair] for pair in pairs]) / (2 * WON) - 0.5)
        inverse = np.linalg.inv(signs.T @ signs)
        found = inverse @ signs.T @ gained
        unexplained = gained - signs @ found
        if np.allclose(unexplained, 0):
            raise ValueError(f"{len(gained)} pairs have no variance to estimate errors from")
        variance = float(np.square(unexplained).sum()) / (len(gained) - len(self.factors))
        return found, Z95 * np.sqrt(variance * np.diag(inverse))

    def save(self, path: Path) -> None:
        """Write the state."""
        save_text(path, json.dumps(asdict(self)))

    def resume(self, path: Path) -> None:
        """Continue from a file of `save`. ValueError if it is something else, or of other settings."""
        try:
            fields: dict[str, Any] = json.loads(read_text(path))
            points = {int(pair): float(value) for pair, value in fields.pop("points").items()}
        except (ValueError, TypeError, KeyError, AttributeError):
            raise ValueError(f"{path}: no state of screening") from None
        if fields != {name: value for name, value in asdict(self).items() if name != "points"}:
            raise ValueError(f"{path} is the state of a run with other parameters, limits, driver or seed")
        self.points = points


def factor(text: str) -> Factor:
    """NAME=LOW:HIGH."""
    name, _, values = text.partition("=")
    try:
        row = find(name)
    except KeyError:
        raise ArgumentTypeError(f"no parameter {name!r}") from None
    try:
        low, high = map(int, values.split(":"))
    except ValueError:
        raise ArgumentTypeError(f"{text!r} is not NAME=LOW:HIGH") from None
    if not row.minimum <= low < high <= row.maximum:
        raise ArgumentTypeError(f"{name}: LOW below HIGH, both in {row.minimum}..{row.maximum}")
    return Factor(row.name, low, high)


def build_parser() -> Parser:
    """The command line."""
    parser = Parser("sssnake screening", description=__doc__)
    add = parser.add_argument
    add("factors", type=factor, nargs="+", metavar="NAME=LOW:HIGH", help="see `sssnake params`")
    add("--games", type=positive, default=1000, help="in all, rounded up to pairs (default 1000)")
    add("--nodes", type=positive, default=20_000, help="a move (default 20000)")
    selfplay.add_arguments(parser)
    add("--state", type=Path, metavar="FILE.json", help="keep the results there; the same command goes on")
    add_executor_arguments(parser, "pairs of games")
    return parser


def main(argv: list[str]) -> int:
    """Run the command. OSError, ValueError or ToolError on bad input (`process.guarded`)."""
    parser = build_parser()
    args = parser.parse_args(argv)
    if len({one.name for one in args.factors}) < len(args.factors):
        parser.error("a parameter is given twice")
    import numpy  # noqa: F401  # `report` needs it: if it is missing, say so before the games

    check_apart([args.state], [args.openings])
    experiment = Experiment(args.factors, args.seed, args.nodes, args.plies, args.driver)
    if args.state and args.state.exists():
        experiment.resume(args.state)
    experiment.design({*experiment.points, *range(pairs_of(args))})  # too few: say so before the games
    try:
        run(experiment, args, parser.prog)
    except (OSError, ExecutorError):
        with suppress(ValueError):  # too few to say anything
            print("\n".join(report(experiment)), flush=True)
        raise
    print("\n".join(report(experiment)))
    return 0


def pairs_of(args: Namespace) -> int:
    """How many pairs of games there are in all."""
    return int(args.games + 1) // 2


def run(experiment: Experiment, args: Namespace, tool: str) -> None:
    """Play the pairs that are missing."""
    pairs = pairs_of(args)
    starts = enumerate(islice(openings(args.openings, OpeningOptions(seed=args.seed), pairs), pairs))
    missing = ((pair, start) for pair, start in starts if pair not in experiment.points)
    games = ((pair, experiment.games(pair, start)) for pair, start in missing)
    executor = open_executor(args, tool, processes=True)
    bar = Progress(pairs, "pairs", done=len(experiment.points))
    with executor, bar, closing(executor.run(play, games)) as done:
        for (pair, _games), points in done:
            experiment.points[pair] = points
            if args.state:
                experiment.save(args.state)
            bar.advance()


def play(task: tuple[int, Pair]) -> float:
    """The job: play a numbered pair; half points of its first side."""
    return play_pair(task[1]).points


def report(experiment: Experiment) -> Sequence[str]:
    """A line for each parameter, ordered by effect divided by error."""
    found, errors = experiment.effects()
    lines = [f"{'low -> high':<40} {'Elo':>6} {'+-':>5}   {len(experiment.points)} pairs"]
    for index in (-abs(found / errors)).argsort():
        one = experiment.factors[index]
        name = f"{one.name} {one.low} -> {one.high}"
        lines.append(f"{name:<40} {found[index]:+6.1f} {errors[index]:5.1f}")
    return lines


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
