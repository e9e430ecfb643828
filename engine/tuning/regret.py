"""`sssnake regret`: how much worse the moves of a setting are, judged by far longer searches.

It needs less time than games. Every setting chooses a move in positions of logged games. If the move differs
from that of the first setting, both moves are searched with many more nodes, by SSS* and by PVS so that
neither driver judges alone, and the difference of the scores counts. Positions come in rows: those of one
side along a game, so that the transposition table is as full as in play.
"""

import math
import random
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import fmean, variance

import chess

from sssnake._fast.board.board import Board
from sssnake.engine.common.arguments import Parser, positive
from sssnake.engine.common.progress import Progress
from sssnake.engine.games.elo import Z95
from sssnake.engine.games.gamelog import MAX_SCORE, decode_move, read_games
from sssnake.engine.games.outcome import DRAWN, result_by_rules
from sssnake.engine.jobs.executor import add_executor_arguments, open_executor
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import DRIVERS, FIELDS
from sssnake.engine.selfplay.players import Side
from sssnake.engine.tuning.ablation import changes

ROW = 4  # positions of a row, two plies apart
DECIDED = 500  # centipawns: positions beyond it are not used
WORST = 30  # centipawns: upper limit of the loss by one move, so that no blunder outweighs all else
HASH_MB, JUDGES_HASH_MB = 16, 64
JUDGES = "SSS*", "PVS"


@dataclass(frozen=True)
class Setting:
    """A setting of the engine, and its nodes a move."""

    name: str
    side: Side
    nodes: int | None  # None: those of the command line


@dataclass(frozen=True)
class RowJob:
    """The arguments of `weigh`: a row of positions, from ply `first` of a game on, every other ply."""

    start: chess.Board
    moves: tuple[chess.Move, ...]
    first: int
    settings: tuple[Setting, ...]
    nodes: int
    judges_nodes: int

    def positions(self) -> Iterator[chess.Board]:
        """The boards, with the moves of the game on the stack."""
        board = self.start.copy()
        for ply, move in enumerate(self.moves):
            if ply >= self.first and (ply - self.first) % 2 == 0:
                yield board.copy()
            board.push(move)


@dataclass(frozen=True)
class Verdict:
    """A setting compared with the first one over a row: centipawns lost, moves that differ, plies deeper."""

    lost: float
    differ: int
    deeper: int


def weigh(job: RowJob) -> list[Verdict]:
    """The job: compare all settings with the first one, over a row."""
    boards = list(job.positions())
    first, *others = (choose(job, setting, boards) for setting in job.settings)
    known: dict[tuple[int, str], float] = {}

    def value(index: int, move: str) -> float:
        if (index, move) not in known:
            known[index, move] = judge(boards[index], move, job.judges_nodes)
        return known[index, move]

    verdicts = []
    for other in others:
        pairs = [(i, mine, his) for i, ((mine, _), (his, _)) in enumerate(zip(first, other, strict=True))]
        losses = [value(i, mine) - value(i, his) for i, mine, his in pairs if mine != his]
        lost = sum(max(-WORST, min(WORST, loss)) for loss in losses)
        deeper = sum(his - mine for (_, mine), (_, his) in zip(first, other, strict=True))
        verdicts.append(Verdict(lost, len(losses), deeper))
    return verdicts


def choose(job: RowJob, setting: Setting, boards: Sequence[chess.Board]) -> list[tuple[str, int]]:
    """(move, depth) of a setting in each position, one after the other as in a game."""
    engine = Engine(hash_mb=HASH_MB, driver=setting.side.driver, parameters=setting.side.values)
    limits, chosen = Limits(nodes=setting.nodes or job.nodes), []
    for board in boards:
        result = engine.play(board, limits)
        chosen.append((result.move.uci() if result.move else "", result.depth))
    return chosen


def judge(start: chess.Board, move: str, nodes: int) -> float:
    """Centipawns of a move for its mover: the mean of both drivers, or the result if it ends the game."""
    board = Board.from_chess(start)
    board.push(move)
    result = result_by_rules(board)
    if result is not None:
        return (result - DRAWN) * (-MAX_SCORE if board.turn else MAX_SCORE)
    values: list[int] = []
    for driver in JUDGES:
        engine = Engine(hash_mb=JUDGES_HASH_MB, driver=driver)
        values.append(-engine.play(board, Limits(nodes=nodes)).score)
    return sum(values) / len(values)


def rows(files: Sequence[Path], seed: int) -> Iterator[tuple[chess.Board, tuple[chess.Move, ...], int]]:
    """Endless random rows: (start, moves, first ply). ValueError if no game has an undecided row."""
    rng = random.Random(seed)
    span = 2 * ROW - 1
    games = [game for file in files for game in read_games(file) if len(game.plies) >= span]
    spans = (game.plies[first : first + span] for game in games for first in first_plies(game.plies))
    if not any(map(is_open, spans)):
        raise ValueError(f"no game with {span} plies in a row within {DECIDED} centipawns")
    while True:
        game = rng.choice(games)
        first = rng.choice(first_plies(game.plies))
        if is_open(game.plies[first : first + span]):
            moves = tuple(decode_move(code) for code, _ in game.plies[: first + span])
            yield game.start, moves, first


def first_plies(plies: Sequence[tuple[int, int]]) -> range:
    """The plies at which a row may begin."""
    return range(len(plies) - 2 * ROW + 2)


def is_open(plies: Sequence[tuple[int, int]]) -> bool:
    """Whether all scores are undecided."""
    return all(abs(score) <= DECIDED for _, score in plies)


def setting(text: str) -> Setting:
    """Parse DRIVER[:NODES][,NAME=VALUE...]."""
    head, _, tail = text.partition(",")
    driver, colon, nodes = head.partition(":")
    known = FIELDS["driver"].choice(driver)
    if known is None:
        raise ArgumentTypeError(f"no driver {driver!r}; there are {', '.join(DRIVERS)}")
    try:
        return Setting(text, Side(changes(tail) if tail else {}, known), positive(nodes) if colon else None)
    except ValueError:
        raise ArgumentTypeError(f"{nodes!r} is no number of nodes") from None


def report(name: str, verdicts: Sequence[Verdict]) -> str:
    """A line of the output: centipawns a move with 95 % error, share of differing moves, depth difference."""
    lost = [verdict.lost / ROW for verdict in verdicts]
    mean = fmean(lost)
    error = Z95 * math.sqrt(variance(lost) / len(lost)) if len(lost) > 1 else 0.0
    moves = ROW * len(verdicts)
    differ = 100 * sum(verdict.differ for verdict in verdicts) / moves
    deeper = sum(verdict.deeper for verdict in verdicts) / moves
    return f"{name:<40} {mean:+7.2f} {error:5.2f} {differ:6.1f} % {deeper:+7.2f}"


def build_parser() -> Parser:
    """The command line."""
    parser = Parser("sssnake regret", description=__doc__)
    add = parser.add_argument
    add(
        "settings",
        type=setting,
        nargs="+",
        metavar="DRIVER[:NODES][,NAME=VALUE...]",
        help="all are compared with the first",
    )
    add("--games", type=Path, nargs="+", required=True, metavar="FILE", help="logged (match --log, datagen)")
    add("--positions", type=positive, default=2000, help=f"rounded up to rows of {ROW} (default 2000)")
    add("--nodes", type=positive, default=100_000, help="a move, where a setting has none (default 100000)")
    add("--judges-nodes", type=positive, default=400_000, help="of each of both judges (default 400000)")
    add("--seed", type=int, default=1, help="of the positions (default 1)")
    add_executor_arguments(parser, "rows")
    return parser


def main(argv: list[str]) -> int:
    """Run the command. OSError, ValueError or ToolError on bad input (`process.guarded`)."""
    parser = build_parser()
    args = parser.parse_args(argv)
    if len(args.settings) < 2:
        parser.error("nothing to compare: give two settings or more")
    compare(args, parser.prog)
    return 0


def compare(args: Namespace, tool: str) -> None:
    """Run all jobs, and print a line for each setting."""
    settings, count = tuple(args.settings), -(-args.positions // ROW)
    found = rows(args.games, args.seed)
    jobs = (RowJob(*row, settings, args.nodes, args.judges_nodes) for row in islice(found, count))
    all_verdicts = []
    executor, bar = open_executor(args, tool, processes=True), Progress(count, "rows")
    with executor, bar, closing(executor.run(weigh, jobs)) as done:
        for _job, verdicts in done:
            all_verdicts.append(verdicts)
            bar.advance()
    print(f"{'against ' + settings[0].name:<40} {'lost cp':>7} {'+-':>5} {'differ':>8} {'deeper':>7}")
    for number, one in enumerate(settings[1:]):
        print(report(one.name, [verdicts[number] for verdicts in all_verdicts]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
