"""Start positions for matches, from files of openings or random plies, all checked before the first game.

A file of a few thousand openings is checked whole. Of a larger one (there are books of 240,000 lines and of
34,000 games) those are that will be played.
"""

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import chess

from engine.games.opening_files import BadOpeningError, Item, items
from engine.games.outcome import standing

RANDOM_PLIES = 6
CHECKED = 2000  # openings that are checked whether or not they will be played: a second or two


class Openings(Iterator[chess.Board]):
    """Endless start boards, move stack included: a book over and over. All boards are made anew.

    `left_out` says what is wrong with openings that are not played; `chess960`: some of the others need it.
    """

    def __init__(
        self, path: Path, plies: int | None, seed: int, shuffle: bool, chess960: bool, skip_bad: bool
    ) -> None:
        self.path, self.plies, self.seed, self.shuffle, self.always960 = path, plies, seed, shuffle, chess960
        self.skip_bad = skip_bad
        self.items = list(items(path))
        self.left_out: dict[int, str] = {}  # by the index of the item
        self.checked: set[int] = set()
        self.chess960 = chess960
        self._order = self._walk()
        if not self.items:
            raise ValueError(f"{path}: no opening in it")

    def check(self, count: int | None) -> None:
        """Look at the first `count` openings in the order of play, and at all of a small book."""
        if len(self.items) <= CHECKED:
            for index in range(len(self.items)):
                self._board(index)
        wanted = min(count or 0, len(self.items))
        for _ in islice(self._walk(), wanted):
            pass

    def __next__(self) -> chess.Board:
        return next(self._order)

    def _walk(self) -> Iterator[chess.Board]:
        rng, order = random.Random(self.seed), list(range(len(self.items)))
        while True:
            if self.shuffle:
                rng.shuffle(order)
            played = False
            for index in order:
                board = None if index in self.left_out else self._board(index)
                if board is not None:
                    played = True
                    yield board
            if not played:
                raise ValueError(f"{self.path}: no opening in it; {next(iter(self.left_out.values()))}")

    def _board(self, index: int) -> chess.Board | None:
        """An opening; None where it is bad and left out."""
        item = self.items[index]
        try:
            board = item.board(self.plies, self.always960)
            if index not in self.checked:
                _refuse_ended(item, board)
                self.checked.add(index)
                self.chess960 |= board.chess960
        except BadOpeningError as error:
            if not self.skip_bad:
                raise
            self.left_out[index] = str(error)
            return None
        return board

    def remark(self) -> str:
        """What was left out, in one line; "" for nothing."""
        if not self.left_out:
            return ""
        first = self.left_out[min(self.left_out)]
        return f"{len(self.left_out)} of {len(self.items)} openings left out, the first: {first}"


def _refuse_ended(item: Item, board: chess.Board) -> None:
    ended = standing(board)
    if ended is not None:
        raise BadOpeningError(f"{item.where}: the game is over before it begins ({ended[1]})")


def openings(
    path: Path | None,
    plies: int | None = None,
    seed: int = 0,
    shuffle: bool = True,
    chess960: bool = False,
    count: int | None = None,
    skip_bad: bool = False,
) -> Iterator[chess.Board]:
    """Endless start boards, move stack included: the book over and over, or random games of `plies` plies.

    `plies` cuts PGN lines; `count`: so many will be played. BadOpeningError, one line with file and number,
    on a bad one among those, or in a small book; with `skip_bad` it is left out. ValueError on a bad file.
    """
    if path is None:
        return _random_openings(random.Random(seed), RANDOM_PLIES if plies is None else plies, chess960)
    found = Openings(path, plies, seed, shuffle, chess960, skip_bad)
    found.check(count)
    return found


def _random_openings(rng: random.Random, plies: int, chess960: bool) -> Iterator[chess.Board]:
    while True:
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
        while board.ply() < plies and (moves := list(board.legal_moves)):
            board.push(rng.choice(moves))
        if standing(board) is None:
            yield board
