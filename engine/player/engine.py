"""The engine as an object: what outlives a search, and the searches it starts. One at a time.

>>> import chess
>>> with Engine(hash_mb=1) as engine:
...     result = engine.play(chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), Limits(depth=4))
>>> print(result.move, result.score)
a1a8 #1
"""

from collections.abc import Callable, Mapping
from types import TracebackType

import chess

from sssnake._fast.board.board import Board
from sssnake._fast.search.params import Parameters
from sssnake.engine.player import evaluation
from sssnake.engine.player.clock import GameClock
from sssnake.engine.player.drivers import Pass
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import Options
from sssnake.engine.player.resources.book import Book
from sssnake.engine.player.resources.parts import Callbacks, Notes, Resources
from sssnake.engine.player.resources.pool import LEAST_HASH, Pool
from sssnake.engine.player.resources.tablebase import Tablebase
from sssnake.engine.player.result import Info, Result, Score
from sssnake.engine.player.search import Search

__all__ = ["Engine", "Info", "Limits", "Options", "Result", "Score", "Search"]

DEFAULT_HASH = 16  # MiB

OnInfo = Callable[[Info], None]
OnPass = Callable[[Pass], None]


class Engine:
    """A player of chess: transposition table, threads, network, book, tablebases, and its game's clock.

    options: an `Options` object, shared; it may be changed between two searches.
    values: its fields by name, as in Engine(hash_mb=64, multipv=3).
    parameters: of the search, by name or as a `Parameters` object, shared; the others have their defaults.
    ValueError, one line: no such option or parameter, a value that it does not take, an EvalFile that is no
    network. Memory is allocated with the first search: MemoryError.
    """

    def __init__(
        self,
        options: Options | None = None,
        *,
        parameters: Parameters | Mapping[str, int] | None = None,
        on_note: Callable[[str], None] | None = None,
        **values: str | int | bool,
    ):
        self.options = Options() if options is None else options
        self.options.update(**values)
        if isinstance(parameters, Parameters):
            self.parameters = parameters
        else:
            self.parameters = Parameters()
            self._set_parameters(parameters or {})
        self.network = evaluation.load(self.options.eval_file)
        self.pool: Pool | None = None
        self._note = Notes(on_note)
        self.book = Book(self.options, self._note)
        self.tablebase = Tablebase(self.options, self._note)
        self._game_clock = GameClock()
        self._search: Search | None = None  # the last one

    # Searches.

    def play(
        self,
        board: chess.Board | Board,
        limits: Limits,
        on_info: OnInfo | None = None,
        on_pass: OnPass | None = None,
        since: float | None = None,
    ) -> Result:
        """Search until a limit is reached, and say what was found. See `start`."""
        search = self._begin(board, limits, Callbacks(on_info, on_pass), None, since)
        search.run()
        return search.wait()

    def start(
        self,
        board: chess.Board | Board,
        limits: Limits | None = None,
        on_info: OnInfo | None = None,
        on_pass: OnPass | None = None,
        on_done: Callable[[Search], None] | None = None,
        since: float | None = None,
    ) -> Search:
        """The same in the background: returns at once.

        board: with its game, for repetitions; it may be changed as soon as this returns. limits: None: until
        stopped. on_info, on_pass, on_done: told of lines of play, of every pass of the driver, of the end, in
        the thread of the search. since: when it was asked for (`time.monotonic`): the clock runs from then.

        ValueError: no playable position, or no legal move among the searchmoves. RuntimeError: another search
        is under way. MemoryError: see `prepare`.
        """
        copied = board.copy() if isinstance(board, Board) else board
        search = self._begin(copied, limits, Callbacks(on_info, on_pass), on_done, since)
        search.start()
        return search

    def _begin(
        self,
        board: chess.Board | Board,
        limits: Limits | None,
        callbacks: Callbacks,
        on_done: Callable[[Search], None] | None,
        since: float | None,
    ) -> Search:
        """A search that is ready to run."""
        pool = self.prepare()
        pool.stop_flag.clear()
        position = board if isinstance(board, Board) else Board.from_chess(board)
        limits = Limits(infinite=True) if limits is None else limits.of(position)
        parts = Resources(self.options, pool, self.book, self.tablebase, self._game_clock, self._note)
        self._search = Search(parts, position, limits, callbacks, on_done, since)
        return self._search

    # What outlives them.

    def prepare(self) -> Pool:
        """Allocate what the options ask for; threads, as many as there is memory for.

        MemoryError: there is none for Hash, so the old table is kept, or a smaller one taken.

        Like all that follows, not while a search is under way: RuntimeError.
        """
        self._between_searches()
        if self.pool is None:
            self.pool = Pool(LEAST_HASH, 1, self.network, self.parameters)
            self._take_hash(self.pool)
        try:
            self.pool.resize(self.options.hash_mb)
        finally:
            self.pool.set_threads(self.options.threads)
        self._note.attempt("BookFile", self.book.refresh, None)
        if self._note.attempt("SyzygyPath", self.tablebase.refresh, False):
            self.pool.clear()
        return self.pool

    def _take_hash(self, pool: Pool) -> None:
        """As much of the Hash asked for as the machine has, the default at most where that is too much."""
        size = self.options.hash_mb
        while size > LEAST_HASH:
            try:
                pool.resize(size)
                return
            except MemoryError:
                size = min(size // 2, DEFAULT_HASH)

    @property
    def size(self) -> tuple[int, int]:
        """(Hash in MiB, threads) that are allocated, or could be anywhere."""
        return (self.pool.table.megabytes, len(self.pool.workers)) if self.pool else (DEFAULT_HASH, 1)

    @property
    def on_note(self) -> Callable[[str], None] | None:
        """Who is told of book moves, of files that cannot be read, of parts that failed."""
        return self._note.listener

    @on_note.setter
    def on_note(self, listener: Callable[[str], None] | None) -> None:
        self._note.listener = listener

    def configure(self, *, parameters: Mapping[str, int] | None = None, **values: str | int | bool) -> None:
        """Change options (fields of `Options`) or parameters by name, between two searches.

        ValueError: refused, and nothing is changed.
        """
        changed = Options(**{**vars(self.options), **values})
        self._set_parameters(parameters or {})
        if changed.eval_file != self.options.eval_file:
            self.load_network(changed.eval_file)
        self.options.update(**values)

    def _set_parameters(self, values: Mapping[str, int]) -> None:
        try:
            Parameters(**self.parameters.changed() | dict(values))  # all, or none
        except KeyError as error:
            raise ValueError(f"no parameter {error}") from None
        for name, value in values.items():
            self.parameters[name] = value

    def load_network(self, name: str) -> str:
        """Evaluate as `evaluation.load(name)` says, and tell which that is. ValueError: refused."""
        network = evaluation.load(name)
        self._between_searches()
        if self.pool:
            self.pool.set_network(network)
        self.network = network
        return evaluation.describe(network)

    def new_game(self) -> None:
        """Forget the games before."""
        self._between_searches()
        self._game_clock.bank_ms = None
        if self.pool:
            self.pool.new_game()

    def clear_hash(self) -> None:
        """Empty the transposition table."""
        self._between_searches()
        if self.pool:
            self.pool.clear()

    def _between_searches(self) -> None:
        """RuntimeError: a search is under way. Waits for its helpers if it has just ended."""
        if self._search is not None and not self._search.done:
            raise RuntimeError("the engine's last search is not over: stop it, or use another engine")
        self.settle()

    def settle(self) -> None:
        """Wait for helper threads that have not seen the end of the last search."""
        if self.pool:
            self.pool.settle()

    def close(self) -> None:
        """Stop the search under way, if any, and give memory and threads back (a search takes them again)."""
        if self._search is not None:
            self._search.stop()
            self._search.join()
        self.settle()
        self._search = self.pool = None

    def __enter__(self) -> "Engine":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
