"""The parts of an engine that a search uses, and the callbacks of a search."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from sssnake.engine.player.clock import GameClock
from sssnake.engine.player.drivers import Pass
from sssnake.engine.player.options import Options
from sssnake.engine.player.resources.book import Book
from sssnake.engine.player.resources.pool import Pool
from sssnake.engine.player.resources.tablebase import Tablebase
from sssnake.engine.player.result import Info

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
        """The result of a part of the set-up, or a remark and `without` if it fails: the move comes first."""
        try:
            return part()
        except Exception as error:
            self(f"{name}: {error!r}; the search does without")
            return without


@dataclass(slots=True)
class Callbacks:
    """Functions that the search's thread calls."""

    on_info: Callable[[Info], None] | None = None  # with each line of play
    on_pass: Callable[[Pass], None] | None = None  # with each pass of the driver


@dataclass(slots=True)
class Resources:
    """The parts of an engine that outlive a search."""

    options: Options
    pool: Pool
    book: Book
    tablebase: Tablebase
    game_clock: GameClock = field(default_factory=GameClock)
    note: Notes = field(default_factory=Notes)
