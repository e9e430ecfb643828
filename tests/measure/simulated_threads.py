"""Search by several threads, simulated on one: the same every time, however busy the machine is.

    python tests/measure/simulated_threads.py depth 16 --threads 2 4 8    # nodes of a thread until depth 16
    python tests/measure/simulated_threads.py games vote lazy --threads 2 --nodes 20000 --pairs 200
                                              --openings FILE

Threads take turns of `--quantum` nodes. Time is counted in nodes of a thread: what the passes cost counts,
what Python does between them does not. Ways to search: `lazy` and `pvs`, a driver for each thread (Lazy
SMP); `full`, alpha-beta alone. As `lazy`, but: `vote`, the threads vote for the move; `deeper`, a helper's
move is played if it has finished a deeper iteration than the main thread; `shared`, all have the same
histories (`lazy`: from `shared_history` threads on; never with `--param shared_history=0`); `biased`, the
n-th helper searches with other values (`--bias lmr_base_quiet=128`: the first with 128 more, the second with
128 less, the third with 256 more ...). One bracket for all threads (`team`, `narrow`) can be measured at the
tag shared-bracket.
"""

import argparse
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from pathlib import Path
from statistics import geometric_mean
from typing import NamedTuple

import chess

from sssnake._fast.board.board import Board
from sssnake._fast.drivers.bracket import SWING, TOP, Bracket
from sssnake._fast.lab.turnstile import Turnstile
from sssnake._fast.search.params import Parameters
from sssnake._fast.search.tt import TranspositionTable
from sssnake._fast.search.worker import StopFlag, Worker
from sssnake.engine.games.elo import estimate_pairs
from sssnake.engine.games.openings import OpeningOptions, openings
from sssnake.engine.player import evaluation
from sssnake.engine.player.bench import POSITIONS
from sssnake.engine.player.drivers import Stopped, close
from sssnake.engine.player.options import INTERNAL
from sssnake.engine.selfplay.game import play
from sssnake.engine.selfplay.pair import ADJUDICATION, WON

DEEPEST = 120  # plies
WAYS = ("lazy", "vote", "pvs", "deeper", "shared", "biased")
DRIVER = {"pvs": "PVS", "full": "AlphaBeta"}  # of the others: SSS*
HASH_MB = 16
LEAST_VOTE = 15  # centipawns: added to what a thread's value is above the lowest, times its depth


class Ballot(NamedTuple):
    """What a thread found last."""

    move: int
    value: int
    depth: int


def deepest_of(ballots: Mapping[int, Ballot]) -> Ballot:
    """The main thread's ballot (0), or that of the first helper that has finished a deeper iteration."""
    return max((ballots[number] for number in sorted(ballots)), key=lambda ballot: ballot.depth)


def biased(values: Mapping[str, int], bias: Mapping[str, int], number: int) -> Parameters:
    """The parameters of a thread: the main one (0) has `values`, a helper is away by multiples of `bias`."""
    times = (number + 1) // 2 * (1 if number % 2 else -1)
    plain = Parameters(**values)
    moved = {name: plain[name] + times * step for name, step in bias.items()} if number else {}
    return Parameters(**{**values, **moved})


def elected(ballots: Iterable[Ballot]) -> Ballot:
    """The best ballot for the move with the most votes: deep and hopeful threads have more of them."""
    cast = list(ballots)
    lowest = min(ballot.value for ballot in cast)
    votes: Counter[int] = Counter()
    for ballot in cast:
        votes[ballot.move] += (ballot.value - lowest + LEAST_VOTE) * ballot.depth
    return max(cast, key=lambda ballot: (votes[ballot.move], ballot.depth))


class Simulated:
    """A player (engine/selfplay/players.py) of several threads that take turns."""

    def __init__(
        self,
        way: str,
        threads: int,
        rounds: int,
        quantum: int,
        values: Mapping[str, int] = {},
        bias: Mapping[str, int] = {},
        exact: bool = False,
    ) -> None:
        self.way, self.rounds, self.quantum, self.exact = way, rounds, quantum, exact
        self.table, self.flag = TranspositionTable(HASH_MB, exact=exact), StopFlag()
        self.parameters = Parameters(**values)
        if way != "biased":
            bias = {}
        self.workers = [
            Worker(self.table, self.flag, biased(values, bias, number)) for number in range(threads)
        ]
        network = evaluation.load(INTERNAL)
        for worker in self.workers:
            worker.use_network(network)
        shared = way == "shared" or 0 < self.parameters["shared_history"] <= threads
        for worker in self.workers[1:] if shared else []:
            worker.share_history(self.workers[0])
        self.driver = DRIVER.get(way, "SSS*")

    def new_game(self) -> None:
        """Forget the game before."""
        self.table.clear()
        for worker in self.workers:
            worker.new_game()

    def move(self, board: Board) -> tuple[str, int]:
        """(move, White's score)."""
        self.search(board, DEEPEST)
        return board.uci(self.best), self.value if board.turn else -self.value

    def search(self, board: Board, deepest: int) -> list[int]:
        """Rounds after which each iteration was finished. The last one's move and value are kept."""
        self.table.new_search()
        self.flag.clear()
        for worker in self.workers:
            worker.set_position(board)
            worker.set_exact(self.exact)
            worker.obey_limits()
        self.best, self.value = self.workers[0].root(0).move, 0
        self.values: list[int] = []  # of the iterations
        self.ballots: dict[int, Ballot] = {}  # of the threads
        turnstile = self.turnstile = Turnstile(self.workers, self.quantum, self.rounds)
        done: list[int] = []

        def seated(number: int, work: Callable[[], None]) -> Callable[[], None]:
            def run() -> None:
                turnstile.enter(number)
                try:
                    work()
                finally:
                    turnstile.leave(number)

            return run

        helpers = range(1, len(self.workers))
        threads = [threading.Thread(target=seated(number, self.helping(number))) for number in helpers]
        for thread in threads:
            thread.start()

        def lead() -> None:
            try:
                self.lead(deepest, done)
            finally:
                self.flag.set()

        seated(0, lead)()
        for thread in threads:
            thread.join()
        if self.way == "vote" and self.ballots:
            self.best, self.value, _ = elected(self.ballots.values())
        if self.way == "deeper" and self.ballots:
            self.best, self.value, _ = deepest_of(self.ballots)
        return done

    def lead(self, deepest: int, done: list[int]) -> None:
        """Iteration after iteration, by the main thread."""
        main, guess, swing = self.workers[0], 0, float(SWING)
        for depth in range(1, deepest + 1):
            main.new_iteration(depth)
            bracket = Bracket(self.driver, self.parameters, depth, guess, swing)
            try:
                close(bracket, main)
            except Stopped:
                self.rescue(main)
                return
            main.promote(main.best_root(), 0)
            main.sort_roots(1)
            guess, swing = bracket.lower, bracket.next_swing
            self.best, self.value = main.root(0).move, bracket.lower
            self.ballots[0] = Ballot(self.best, self.value, depth)
            self.values.append(bracket.lower)
            done.append(self.turnstile.rounds)

    def rescue(self, main: Worker) -> None:
        """An unfinished iteration may have proved another move to be better."""
        best = main.root(main.best_root())
        uppers = {root.move: root.upper for root in map(main.root, range(main.root_count))}
        if best.lower > max(uppers[self.best], -TOP):
            self.best, self.value = best.move, best.lower
            self.ballots[0] = Ballot(best.move, best.lower, len(self.values))

    def helping(self, number: int) -> Callable[[], None]:
        """Lazy SMP: a search of its own, every other one a ply ahead."""

        def work() -> None:
            worker, guess, swing = self.workers[number], 0, float(SWING)
            for depth in range(2 - (number - 1) % 2, DEEPEST):
                worker.new_iteration(depth)
                bracket = Bracket(self.driver, self.parameters, depth, guess, swing)
                try:
                    close(bracket, worker)
                except Stopped:
                    return
                guess, swing = bracket.lower, bracket.next_swing
                self.ballots[number] = Ballot(worker.root(worker.best_root()).move, bracket.lower, depth)
                worker.sort_roots(1)

        return work


def compare_depth(args: argparse.Namespace) -> None:
    """Nodes of a thread until a depth, divided by those of one thread: geometric mean over positions."""
    positions = [fen for fen in POSITIONS if len(Board(fen).legal_moves()) > 1][:: args.every]

    def costs(way: str, threads: int) -> list[int]:
        player = Simulated(way, threads, 0, args.quantum, args.values, args.bias)
        found = []
        for fen in positions:
            player.new_game()
            found.append(args.quantum * (1 + player.search(Board(fen), args.depth)[-1]))
        return found

    alone = costs("lazy", 1)
    print(f"depth {args.depth}, {len(positions)} positions, one thread: {sum(alone)} nodes", flush=True)
    for threads in args.threads:
        for way in args.ways or WAYS:
            found = costs(way, threads)
            base = costs("pvs", 1) if way == "pvs" else alone
            mean = geometric_mean([a / b for a, b in zip(found, base, strict=True)])
            print(
                f"{threads} threads {way:7s} {mean:.3f}  of the sums {sum(found) / sum(base):.3f}", flush=True
            )


def compare_games(args: argparse.Namespace) -> None:
    """Games of two ways to search, `--nodes` of a thread a move."""
    rounds = max(1, args.nodes // args.quantum)
    one, other = (
        Simulated(way, args.threads[0], rounds, args.quantum, args.values, args.bias) for way in args.ways
    )
    names = f"{args.ways[0]} against {args.ways[1]}, {args.threads[0]} threads"
    scores = []
    for start in islice(openings(args.openings, OpeningOptions(seed=args.seed), args.pairs), args.pairs):
        first, second = half_points((one, other), start), half_points((other, one), start)
        scores.append((first + WON - second) / (2 * WON))
        if len(scores) % 5 == 0:
            elo = estimate_pairs(scores)
            print(f"{names}: {elo.elo:+.1f} +- {elo.error:.1f} after {len(scores)} pairs", flush=True)


def half_points(players: Sequence[Simulated], start: chess.Board) -> int:
    """Play a game; White's half points."""
    game = play(players, start, ADJUDICATION)
    assert game is not None and game.result is not None
    return game.result


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    depth = commands.add_parser("depth")
    depth.add_argument("depth", type=int)
    depth.add_argument("--ways", nargs="*", choices=WAYS)
    depth.add_argument("--every", type=int, default=1, help="of bench's positions")
    depth.set_defaults(run=compare_depth)
    games = commands.add_parser("games")
    games.add_argument("ways", nargs=2, choices=WAYS)
    games.add_argument("--nodes", type=int, default=20_000)
    games.add_argument("--pairs", type=int, default=100)
    games.add_argument("--seed", type=int, default=1)
    games.add_argument("--openings", type=Path)
    games.set_defaults(run=compare_games)
    for command in (depth, games):
        command.add_argument("--threads", type=int, nargs="+", default=[2])
        command.add_argument("--quantum", type=int, default=512)
        command.add_argument("--param", action="append", default=[], help="NAME=VALUE")
        command.add_argument("--bias", action="append", default=[], help="NAME=STEP, for `biased`")
    args = parser.parse_args()
    args.values, args.bias = (
        {name: int(value) for name, value in (text.split("=") for text in texts)}
        for texts in (args.param, args.bias)
    )
    args.run(args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
