"""The opening book: any Polyglot file through chess.polyglot, a damaged one as far as it can be read.

Nothing is opened, and chess.polyglot not imported, before a book is wanted.
"""

import mmap
import os
import random
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sssnake._fast.board.board import Board
from sssnake.engine.player.options import Options

TYPE_CHECKING = False
if TYPE_CHECKING:
    from chess.polyglot import MemoryMappedReader

ENTRY_BYTES = 16
KEY_BYTES = 8  # of an entry, at its beginning, big-endian
CHUNK = 1 << 16  # bytes of a book that are looked at together, whole entries
CHUNKS = 512  # at most so many are looked at: a book may be larger than the memory
REPAIRABLE = 1 << 28  # bytes; a larger book is not sorted here
MOST_ENTRIES = 1024  # of one position; there are fewer legal moves, and a book with more is damaged


class BookMove(NamedTuple):
    """A move from the book, the reply that it expects, and the choice there was (UCI names, weights)."""

    move: str
    reply: str | None
    weights: dict[str, int]

    def __str__(self) -> str:
        total = sum(self.weights.values())
        ordered = sorted(self.weights.items(), key=lambda item: -item[1])
        return "book " + ", ".join(f"{name} {100 * weight / total:.0f} %" for name, weight in ordered)


class Book:
    """The book that the options name. `tell` is called, once a file, with what is wrong with it."""

    def __init__(self, options: Options, tell: Callable[[str], None]):
        self._options = options
        self._tell = tell
        self._reader: MemoryMappedReader | None = None
        self._opened: str | None = None  # BookFile as it was when last opened
        self._seed: int | None = None
        self._random = random.Random()

    def refresh(self) -> None:
        """Open what the options ask for, unless that is done."""
        options = self._options
        if not options.own_book:
            return
        if self._seed != options.book_seed:
            self._seed = options.book_seed
            self._random = random.Random(self._seed or None)
        if self._opened != options.book_file:
            self._opened = options.book_file
            self._reader = self._open(options.book_file)

    def _open(self, name: str) -> "MemoryMappedReader | None":
        from sssnake.openings import BOOK

        path = Path(os.path.expanduser(name)) if name else BOOK  # noqa: PTH111 (unknown users)
        try:
            reader, fault = open_book(path) if name else _shipped(path)
        except (OSError, ValueError) as error:
            reader, fault = None, getattr(error, "strerror", None) or str(error)
        if fault:
            self._tell(f"BookFile {path}: {fault}")
        return reader

    def choose(self, board: Board, allowed: list[str] | None = None) -> BookMove | None:
        """A move at random, in proportion to the weights; None when the book has none (among `allowed`)."""
        self.refresh()
        if not self._options.own_book or board.fullmove_number > self._options.book_depth:
            return None
        weights = {
            name: weight
            for name, weight in self._weights(board).items()
            if (allowed is None or name in allowed) and not repeats(board, name)
        }
        if not weights:
            return None
        name = self._random.choices(list(weights), list(weights.values()))[0]
        after = board.copy()
        after.push(name)
        replies = self._weights(after)
        return BookMove(name, max(replies, key=lambda reply: replies[reply], default=None), weights)

    def _weights(self, board: Board) -> dict[str, int]:
        """Weight of every legal move that the book gives, as written in `board`'s notation."""
        weights: dict[str, int] = {}
        reader, key = self._reader, board.key
        if reader and reader.bisect_key_left(key + 1) - reader.bisect_key_left(key) <= MOST_ENTRIES:
            position = board.to_chess()
            for entry in reader.find_all(position):
                name = position.uci(entry.move)
                weights[name] = weights.get(name, 0) + entry.weight
        return weights


def repeats(board: Board, name: str) -> bool:
    """Whether a move leads back to a position of the game: a book has no memory and may go in circles."""
    after = board.copy()
    after.push(name)
    return after.is_repetition(2)


@cache
def _shipped(path: Path) -> "tuple[MemoryMappedReader | None, str]":
    """The book that is shipped, shared by all engines: each tab of the page has one."""
    return open_book(path)


def open_book(path: Path) -> "tuple[MemoryMappedReader | None, str]":
    """(reader of what is readable, what is wrong with the file or ""). OSError: nothing can be read.

    The file is mapped. Only one that must be sorted is read.
    """
    from chess.polyglot import MemoryMappedReader

    if path.exists() and not path.is_file():
        return None, "not a file"
    size = path.stat().st_size
    if size < ENTRY_BYTES:
        return None, "no entry in it"
    reader = MemoryMappedReader.__new__(MemoryMappedReader)
    with path.open("rb") as file:
        reader.mmap = mmap.mmap(file.fileno(), size - size % ENTRY_BYTES, access=mmap.ACCESS_READ)
    ordered = sorted_by_key(reader.mmap)
    faults = ["truncated"] * (size % ENTRY_BYTES > 0) + ["not sorted"] * (not ordered)
    if not ordered:
        if size > REPAIRABLE:
            return None, f"not sorted, and too large to be sorted ({size / 1e6:.0f} MB)"
        reader.mmap = BookInMemory(repaired(reader.mmap))  # type: ignore[assignment]
    return reader, f"{' and '.join(faults)}, used as far as it is readable" if faults else ""


def sorted_by_key(data: mmap.mmap) -> bool:
    """Whether the keys never fall, as far as was looked: Polyglot readers search by bisection.

    Of a large book only parts are looked at, evenly spread.
    """
    last = b""
    step = max(CHUNK, len(data) // CHUNKS // ENTRY_BYTES * ENTRY_BYTES)
    for start in range(0, len(data), step):
        chunk = data[start : start + CHUNK]
        keys = [last, *(chunk[i : i + KEY_BYTES] for i in range(0, len(chunk), ENTRY_BYTES))]
        if any(map(bytes.__gt__, keys, keys[1:])):
            return False
        last = keys[-1]
    return True


def repaired(data: mmap.mmap) -> bytes:
    """The entries by key; a key's entries keep their order."""
    starts = range(0, len(data), ENTRY_BYTES)
    entries = sorted((data[i : i + ENTRY_BYTES] for i in starts), key=lambda entry: entry[:KEY_BYTES])
    return b"".join(entries)


class BookInMemory(bytearray):
    """What a reader of chess.polyglot asks of its mapped file, without a file."""

    size = bytearray.__len__

    def close(self) -> None:
        """Nothing to close."""
