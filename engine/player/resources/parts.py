"""The parts of an engine that a search uses, and the callbacks of a search."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from sssnake.engine.player.clock import GameClock
from sssnake.engine.player.drivers import Pass
from sssnake.engine.player.options import Options
from sssnake.engine.player.resources.book import Book
from sssnake.engine.player.resources.pool import Pool
from sssnake.engine.player.resources.tablebase import Tablebase
from sssnake.engine.player.result import Info

Part = TypeVar("Part")
Report = TypeVar("Report")


@dataclass
class Notes:
    """Remarks for the user: book moves, files that cannot be read, parts that failed."""

    listener: Callable[[str], None] | None = None
    raised: Exception | None = None  # by the listener, last: it ends the search

    def __call__(self, text: str) -> None:
        """Pass a remark on."""
        if self.listener:
            try:
                self.listener(text)
            except Exception as error:
                self.raised = error
                raise

    def attempt(self, name: str, part: Callable[[], Part], without: Part) -> Part:
        """The result of a part of the set-up, or a remark and `without` if it fails: the move comes first."""
        try:
            return part()
        except Exception as error:
            if error is self.raised:
                raise
            self(f"{name}: {error!r}; the search does without")
            return without


class Callback(Generic[Report]):
    """A function of the caller's. What it raises is told from what the search raises."""

    __slots__ = ("function", "raised")

    def __init__(self, function: Callable[[Report], None]):
        self.function = function
        self.raised: BaseException | None = None

    def __call__(self, report: Report) -> None:
        """Call it."""
        try:
            self.function(report)
        except BaseException as error:
            self.raised = error
            raise


class Callbacks:
    """Functions that the search's thread calls."""

    __slots__ = ("on_info", "on_pass")

    def __init__(
        self,
        on_info: Callable[[Info], None] | None = None,  # with each line of play
        on_pass: Callable[[Pass], None] | None = None,  # with each pass of the driver
    ):
        self.on_info = on_info and Callback(on_info)
        self.on_pass = on_pass and Callback(on_pass)

    @property
    def raised(self) -> list[BaseException]:
        """What they have raised."""
        called = (self.on_info, self.on_pass)
        return [callback.raised for callback in called if callback and callback.raised]


@dataclass(slots=True)
class Resources:
    """The parts of an engine that outlive a search."""

    options: Options
    pool: Pool
    book: Book
    tablebase: Tablebase
    game_clock: GameClock = field(default_factory=GameClock)
    note: Notes = field(default_factory=Notes)
