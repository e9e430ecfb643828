"""Start positions of matches, from a book or from random plies. They are checked before the first game.

A small book is checked whole. Of a larger one (there are books of 240,000 lines and of 34,000 games) only the
openings that will be played are checked.
"""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import chess

from sssnake.engine.games.movetext import ENGLISH
from sssnake.engine.games.opening_files import BadOpeningError, Item, kept
from sssnake.engine.games.outcome import outcome_with_history
from sssnake.engine.games.starts import random_opening

RANDOM_PLIES = 6
CHECKED = 2000  # a book of so many openings is small: checking it takes a second or two


@dataclass(frozen=True)
class OpeningOptions:
    """How openings are chosen."""

    plies: int | None = None  # where lines of a PGN are cut (None: not); number of random plies (None: 6)
    seed: int = 0
    shuffle: bool = True  # play the openings of a book in random order
    chess960: bool = False  # read all positions as Chess960; random openings start from Chess960 positions
    skip_bad: bool = False  # leave out openings that cannot be played
    language: str = ENGLISH  # of the letters of the pieces in PGN


class Openings(Iterator[chess.Board]):
    """Endless start boards with their moves on the stack: a book over and over. Every board is a new object.

    `left_out` holds the openings that are not played and why; `notes`: what was dropped of a FEN; `chess960`:
    whether an opening that is played needs it.
    """

    def __init__(self, path: Path, options: OpeningOptions) -> None:
        self.path, self.options = path, options
        self.items = list(kept(path))
        self.left_out: dict[int, str] = {}  # by the index of the item
        self.notes: list[str] = []
        self.checked: set[int] = set()
        self.chess960 = options.chess960
        self._order = self._walk()
        if not self.items:
            raise ValueError(f"{path}: no opening in it")

    def check(self, count: int | None) -> None:
        """Check the first `count` openings in the order of play, and all of a small book."""
        if len(self.items) <= CHECKED:
            for index in range(len(self.items)):
                self._board(index)
        wanted = min(count or 0, len(self.items))
        for _ in islice(self._walk(), wanted):
            pass

    def __next__(self) -> chess.Board:
        return next(self._order)

    def _walk(self) -> Iterator[chess.Board]:
        rng, order = random.Random(self.options.seed), list(range(len(self.items)))
        while True:
            if self.options.shuffle:
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
            new = index not in self.checked
            board = item.board(
                self.options.plies, self.options.chess960, self.options.language, self.notes if new else None
            )
            if new:
                _refuse_ended(item, board)
                self.checked.add(index)
                self.chess960 |= board.chess960
        except BadOpeningError as error:
            if not self.options.skip_bad:
                raise
            self.left_out[index] = str(error)
            return None
        return board

    def remark(self) -> str:
        """What was left out, and what was dropped of positions, in one line; "" for nothing."""
        told = []
        if self.left_out:
            first = self.left_out[min(self.left_out)]
            told.append(f"{len(self.left_out)} of {len(self.items)} openings left out, the first: {first}")
        if self.notes:
            more = f" (and {len(self.notes) - 1} more)" if len(self.notes) > 1 else ""
            told.append(f"{self.notes[0]}{more}")
        return "; ".join(told)


def _refuse_ended(item: Item, board: chess.Board) -> None:
    ended = outcome_with_history(board)
    if ended is not None:
        raise BadOpeningError(f"{item.where}: the game is over before it begins ({ended[1]})")


def openings(
    path: Path | None, options: OpeningOptions = OpeningOptions(), count: int | None = None
) -> Iterator[chess.Board]:
    """Endless start boards with their moves on the stack: a book over and over, or random openings.

    `count`: so many will be played. BadOpeningError, one line with file and number, if one of those is bad or
    any one of a small book; with `skip_bad` they are left out. ValueError if the file is bad.
    """
    if path is None:
        return _random_openings(options)
    book = Openings(path, options)
    book.check(count)
    return book


def _random_openings(options: OpeningOptions) -> Iterator[chess.Board]:
    rng = random.Random(options.seed)
    plies = RANDOM_PLIES if options.plies is None else options.plies
    while True:
        yield random_opening(rng, (plies, plies), chess960=float(options.chess960))
