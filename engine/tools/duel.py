"""duel: games between two settings of this engine inside one process, at fixed nodes or depth a move.

They take a third of the time that the same games take through UCI, and no clock. A game that ends before its
time is worth what both sides expect of it then: half the error of a result, in half the time, where the
question is who plays the better middle game. Parameters belong to the process: duels are jobs for processes,
which do one at a time.
"""

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import chess

from _fast import params
from _fast.board import Board
from engine import wdl
from engine.limits import Limits
from engine.options import DRIVERS, INTERNAL, Options
from engine.searcher import Info, Searcher
from engine.tools.arguments import positive
from engine.tools.datagen import over

HASH_MB = 8
LOST, DRAWN, WON = 0, 1, 2  # half points
WON_PLIES, WON_SCORE = 6, 700  # both sides agree for so many plies that one is so far ahead, centipawns
DRAWN_FROM, DRAWN_PLIES, DRAWN_SCORE = 80, 10, 8  # the same for a draw, from a ply of the game on
LONGEST = 400  # plies, then a draw
LAST_SCORES = 4  # plies whose scores say what is expected of an unfinished game


@dataclass(frozen=True)
class Side:
    """A setting: its driver, its network, and the parameters that differ from their defaults."""

    values: dict[str, int] = field(default_factory=dict)
    driver: str = "SSS*"
    network: str = INTERNAL


@dataclass(frozen=True)
class Duel:
    """A pair of games from one opening, colours changed."""

    start: chess.Board  # with its moves on the stack
    sides: tuple[Side, Side]
    limits: Limits
    plies: int = LONGEST  # of a game, those of the opening included; fewer: then what is expected counts


@dataclass(frozen=True)
class Outcome:
    """Half points of the first side, 0 to 4 (with fractions, if expected), and what each side searched."""

    points: float
    nodes: tuple[int, int]
    passes: tuple[float, float]  # of an iteration


def add_arguments(parser: ArgumentParser) -> None:
    """Give a tool the options that all its duels have in common."""
    add = parser.add_argument
    add("--plies", type=positive, default=LONGEST, help="end games there by what both sides expect")
    add("--driver", choices=DRIVERS, default="SSS*", help="(default SSS*)")
    add("--seed", type=int, default=1, help="of all that is left to chance (default 1)")
    add("--openings", type=Path, metavar="FILE", help="EPD or PGN, also in a .zip; default: random plies")


@contextmanager
def usual_parameters() -> Iterator[None]:
    """Afterwards the process's parameters are what they were before."""
    before = {row.name: params.get(row.name) for row in params.TABLE}
    try:
        yield
    finally:
        for name, value in before.items():
            params.put(name, value)


def fight(duel: Duel) -> Outcome:
    """Play both games of a duel."""
    with usual_parameters():
        players = [Player(duel, number) for number in (0, 1)]
        first = game(players[0], players[1], duel)
        second = game(players[1], players[0], duel)
    one, other = players
    return Outcome(first + WON - second, (one.nodes, other.nodes), (one.passes, other.passes))


class Player:
    """One side of a duel."""

    def __init__(self, duel: Duel, number: int) -> None:
        side, other = duel.sides[number], duel.sides[1 - number]
        usual = {name: params.get(name) for name in other.values}
        self.values = {**usual, **side.values}  # all that the other one may have changed
        self.searcher = Searcher(Options(hash_mb=HASH_MB, driver=side.driver, eval_file=side.network))
        self.limits, self.nodes, self.score = duel.limits, 0, 0
        self._passes, self._iterations = 0, 0

    def _note(self, info: Info) -> None:
        self.score = info.score

    @property
    def passes(self) -> float:
        """The mean of all iterations so far."""
        return self._passes / max(self._iterations, 1)

    def move(self, board: Board) -> str:
        """The move to play; `score` is then the mover's centipawns."""
        for name, value in self.values.items():
            if params.get(name) != value:
                params.put(name, value)
        best = self.searcher.search(board, self.limits, self._note).bestmove
        self.nodes += self.searcher.prepare().nodes
        self._passes += self.searcher.passes
        self._iterations += self.searcher.iterations
        if best is None:
            raise RuntimeError(f"no move in {board.fen()}")
        return best


def game(white: Player, black: Player, duel: Duel) -> float:
    """White's half points, or those expected where the game ends before its time."""
    board = Board.from_chess(duel.start)
    for player in (white, black):
        player.searcher.new_game()
        player.searcher.clear_hash()
    scores: list[int] = []
    for ply in range(len(duel.start.move_stack), duel.plies):
        result = over(board)
        result = adjudged(scores, ply) if result is None else result
        if result is not None:
            return result
        player = white if board.turn else black
        move = player.move(board)
        scores.append(player.score if board.turn else -player.score)
        board.push(move)
    return DRAWN if duel.plies >= LONGEST else expected(scores, board)


def expected(scores: list[int], board: Board) -> float:
    """White's half points by the model of wins and draws: the mean over White's last scores."""
    last = scores[-LAST_SCORES:] or [0]
    material = wdl.material(board.men)
    shares = [wdl.wdl(score, material) for score in last]
    return sum(WON * win + DRAWN * draw for win, draw, _loss in shares) / (1000 * len(last))


def adjudged(scores: list[int], ply: int) -> int | None:
    """White's half points where both sides agree, White's `scores` of the game so far; None while open."""
    last = scores[-WON_PLIES:]
    if len(last) == WON_PLIES and min(last) >= WON_SCORE:
        return WON
    if len(last) == WON_PLIES and max(last) <= -WON_SCORE:
        return LOST
    last = scores[-DRAWN_PLIES:]
    if ply >= DRAWN_FROM and len(last) == DRAWN_PLIES and max(map(abs, last)) <= DRAWN_SCORE:
        return DRAWN
    return None
