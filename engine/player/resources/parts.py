"""What a search borrows from its engine and leaves to the next search, and whom it tells what."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from engine.player.clock import GameClock
from engine.player.options import Options
from engine.player.resources.book import Book
from engine.player.resources.pool import Pool
from engine.player.resources.tablebase import Tablebase
from engine.player.result import Info

Part = TypeVar("Part")


@dataclass
class Notes:
    """Remarks for the user: book moves, files that cannot be read, parts that failed."""

    listener: Callable[[str], None] | None = None

    def __call__(self, text: str) -> None:
        """Pass a remark on."""
        if self.listener:
            self.listener(text)

    def attempt(self, name: str, part: Callable[[], Part], without: Part) -> Part:
        """What a part of the set-up gives. If it fails, that costs a remark and not the move."""
        try:
            return part()
        except Exception as error:
            self(f"{name}: {error!r}; the search does without")
            return without


@dataclass(slots=True)
class Callbacks:
    """Who is told of what, in the thread of the search."""

    on_info: Callable[[Info], None] | None = None
    on_pass: Callable[[str], None] | None = None  # every call of the core, in a line of text


@dataclass(slots=True)
class Resources:
    """The parts of an engine that outlive a search."""

    options: Options
    pool: Pool
    book: Book
    tablebase: Tablebase
    game_clock: GameClock = field(default_factory=GameClock)
    note: Notes = field(default_factory=Notes)
