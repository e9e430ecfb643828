"""The engine as an object: what outlives a search, and the searches it starts. One at a time.

>>> import chess
>>> with Engine(hash_mb=1) as engine:
...     result = engine.play(chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), Limits(depth=4))
>>> print(result.move, result.score)
a1a8 #1
"""

import os
import threading
import weakref
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from types import TracebackType
from typing import NoReturn, TypedDict, Unpack

import chess

from sssnake._fast.board.board import Board
from sssnake._fast.evaluation.evaluate import Evaluator
from sssnake._fast.search.params import Parameters
from sssnake.engine.player import evaluation
from sssnake.engine.player.clock import GameClock
from sssnake.engine.player.drivers import Pass
from sssnake.engine.player.limits import Limits, ending, is_brief, limits_of
from sssnake.engine.player.options import Options
from sssnake.engine.player.resources.book import Book
from sssnake.engine.player.resources.parts import Callbacks, Notes, Resources
from sssnake.engine.player.resources.pool import LEAST_HASH, Pool
from sssnake.engine.player.resources.tablebase import Tablebase
from sssnake.engine.player.result import Evaluated, Info, Result, Score
from sssnake.engine.player.search import Search
from sssnake.engine.player.stream import Analysis, finished

TYPE_CHECKING = False
if TYPE_CHECKING:
    import chess.engine

__all__ = [
    "Analysis",
    "Engine",
    "Evaluated",
    "Info",
    "Limits",
    "OptionValues",
    "Options",
    "Pass",
    "Result",
    "Score",
    "Search",
]

DEFAULT_HASH = 16  # MiB
BUSY = "the engine's last search is not over: stop it, or use another engine"

OnInfo = Callable[[Info], None]
OnPass = Callable[[Pass], None]


class OptionValues(TypedDict, total=False):
    """The fields of `Options` as keyword arguments, so that type checkers and editors know them."""

    hash_mb: int
    threads: int
    driver: str
    multipv: int
    ponder: bool
    move_overhead: int
    eval_file: str
    nodestime: int
    own_book: bool
    book_file: str
    book_depth: int
    book_seed: int
    syzygy_path: str
    syzygy_probe_depth: int
    syzygy_probe_limit: int
    syzygy_50_move_rule: bool
    skill_level: int
    skill_seed: int
    limit_strength: bool
    elo: int
    chess960: bool
    show_wdl: bool
    analyse_mode: bool
    opponent: str
    log_file: str


class Engine:
    """A player of chess: transposition table, threads, network, book, tablebases, and its game's clock.

    options: an `Options` object, shared; it may be changed between two searches.
    values: its fields by name, as in Engine(hash_mb=64, multipv=3).
    parameters: of the search, by name or as a `Parameters` object, shared; the others have their defaults.
    on_note: told of book moves, of files that cannot be read, of parts that failed.
    ValueError, one line: no such option or parameter, a value that it does not take, an EvalFile that is no
    network. Memory is allocated with the first search: MemoryError.

    One thread uses an engine at a time; others, and callbacks, get RuntimeError. They may use `close`, the
    `Search` or the `Analysis`, and `evaluate`. Engines are independent of each other. In a forked process an
    engine is as good as new; searches of the parent process go on there alone.
    """

    def __init__(
        self,
        options: Options | None = None,
        *,
        parameters: Parameters | Mapping[str, int] | None = None,
        on_note: Callable[[str], None] | None = None,
        **values: Unpack[OptionValues],
    ):
        if not isinstance(options, Options | None):
            raise TypeError(f"options: an Options object, not {options!r}; its fields go by name: hash_mb=64")
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
        self._evaluator: Evaluator | None = None
        self._search: Search | None = None  # the last one
        self._turn = Turn()
        ENGINES.add(self)

    # Searches.

    def play(
        self,
        board: chess.Board | Board,
        limits: "Limits | chess.engine.Limit | None" = None,
        on_info: OnInfo | None = None,
        on_pass: OnPass | None = None,
        since: float | None = None,
    ) -> Result:
        """Search until a limit is reached, and say what was found. See `start`.

        limits: None: 100 000 nodes. ValueError: they do not end the search (infinite, ponder).
        Ctrl-C, in the main thread, ends the search: KeyboardInterrupt.
        """
        limits = ending(limits_of(limits))
        search = self._begin(board, limits, Callbacks(on_info, on_pass), None, since)
        if is_brief(limits) or threading.get_ident() != threading.main_thread().ident:
            search.run()
            return search.wait()
        search.start()
        try:
            return search.wait()
        except BaseException:
            search.stop()
            search.join()
            raise

    def start(
        self,
        board: chess.Board | Board,
        limits: "Limits | chess.engine.Limit | None" = None,
        on_info: OnInfo | None = None,
        on_pass: OnPass | None = None,
        on_done: Callable[[Search], None] | None = None,
        since: float | None = None,
    ) -> Search:
        """The same in the background: returns at once.

        board: with its game, for repetitions; it may be changed as soon as this returns. limits: None: until
        stopped. on_info, on_pass, on_done: told of lines of play, of every pass of the driver, of the end, in
        the thread of the search. since: when it was asked for (`time.monotonic`): the clock runs from then.

        ValueError: no playable position, or no legal move among the searchmoves. TypeError: no board, no
        limits. RuntimeError: another search is under way. MemoryError: see `prepare`.
        """
        copied = board.copy() if isinstance(board, Board) else board
        search = self._begin(copied, limits_of(limits), Callbacks(on_info, on_pass), on_done, since)
        search.start()
        return search

    def analysis(
        self,
        board: chess.Board | Board,
        limits: "Limits | chess.engine.Limit | None" = None,
        on_pass: OnPass | None = None,
    ) -> Analysis:
        """A search to iterate over, by `for` or `async for`: lines of play as they are found. See `start`."""
        return Analysis(lambda on_info, on_done: self.start(board, limits, on_info, on_pass, on_done))

    async def aplay(
        self,
        board: chess.Board | Board,
        limits: "Limits | chess.engine.Limit | None" = None,
        on_info: OnInfo | None = None,
        on_pass: OnPass | None = None,
    ) -> Result:
        """`play` in a thread of its own, for asyncio. If the task is cancelled, the search is over then."""
        wanted = ending(limits_of(limits))
        return await finished(lambda on_done: self.start(board, wanted, on_info, on_pass, on_done))

    def _begin(
        self,
        board: chess.Board | Board,
        limits: Limits,
        callbacks: Callbacks,
        on_done: Callable[[Search], None] | None,
        since: float | None,
    ) -> Search:
        """A search that is ready to run."""
        with self._turn:
            pool = self.prepare()
            pool.stop_flag.clear()
            position = native(board)
            limits = limits.of(position) if limits.ends() else replace(limits.of(position), infinite=True)
            parts = Resources(self.options, pool, self.book, self.tablebase, self._game_clock, self._note)
            self._search = Search(parts, position, limits, callbacks, on_done, since)
            return self._search

    # Evaluations without a search.

    def evaluate(self, board: chess.Board | Board | str) -> Score:
        """What the evaluation says of a position or FEN, without a search: centipawns, for the side to move.

        Where pieces hang or the king is in check, only a search knows. ValueError: no playable position.
        """
        return Score(self._evaluate(native(board, fen=True)))

    def evaluate_many(self, positions: "Iterable[chess.Board | Board | str]") -> list[Evaluated]:
        """The same for many: one row each, in order. A position that is refused is a row with the error."""
        rows = []
        for position in positions:
            try:
                rows.append(Evaluated(position, Score(self._evaluate(native(position, fen=True)))))
            except (ValueError, TypeError) as error:
                rows.append(Evaluated(position, None, str(error)))
        return rows

    def _evaluate(self, board: Board) -> int:
        if self._evaluator is None or self._evaluator.network is not self.network:
            self._evaluator = Evaluator(self.network)
        return self._evaluator.evaluate(board)

    # What outlives them.

    def prepare(self) -> Pool:
        """Allocate what the options ask for; threads, as many as there is memory for.

        MemoryError: there is none for Hash, so the old table is kept, or a smaller one taken.

        Like all that follows, not while a search is under way: RuntimeError.
        """
        with self._turn:
            self._between_searches()
            pool = self.pool
            if pool is None:
                self.pool = pool = Pool(LEAST_HASH, 1, self.network, self.parameters)
                self._take_hash(pool)
            try:
                pool.resize(self.options.hash_mb)
            finally:
                pool.set_threads(self.options.threads)
            self._note.attempt("BookFile", self.book.refresh, None)
            if self._note.attempt("SyzygyPath", self.tablebase.refresh, False):
                pool.clear()
            return pool

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

    def configure(
        self, *, parameters: Mapping[str, int] | None = None, **values: Unpack[OptionValues]
    ) -> None:
        """Change options (fields of `Options`) or parameters by name, between two searches.

        ValueError: refused, and nothing is changed. RuntimeError: a search is under way.
        """
        with self._turn:
            self._between_searches()
            changed = Options(**vars(self.options))
            changed.update(**values)
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
        with self._turn:
            self._between_searches()
            if self.pool:
                self.pool.set_network(network)
            self.network = network
        return evaluation.describe(network)

    def new_game(self) -> None:
        """Forget the games before."""
        with self._turn:
            self._between_searches()
            self._game_clock.bank_ms = None
            if self.pool:
                self.pool.new_game()

    def clear_hash(self) -> None:
        """Empty the transposition table."""
        with self._turn:
            self._between_searches()
            if self.pool:
                self.pool.clear()

    def _between_searches(self) -> None:
        """RuntimeError: a search is under way. Waits for its helpers if it has just ended."""
        if self._search is not None and not self._search.done:
            raise RuntimeError(BUSY)
        self.settle()

    def settle(self) -> None:
        """Wait for helper threads that have not seen the end of the last search."""
        if self.pool:
            self.pool.settle()

    def close(self) -> None:
        """Stop the search under way, if any, and give memory and threads back (a search takes them again).

        From any thread: a `play` in another one returns what it has found. In a callback the search ends, and
        the memory goes, when the callback has returned.
        """
        search = self._search
        if search is not None and search.is_here:
            search.stop()
            self.pool = None  # the search holds it until its end
            return
        with self._turn.waited_for():
            if self._search is not None:
                self._search.stop()
                self._search.join()
            self.settle()
            self._search = self.pool = None

    def _forget_threads(self) -> None:
        """In a forked process, which has none but the one that forked."""
        self._turn = Turn()
        if self.pool:
            self.pool.forget_threads()
        self._search = self.pool = None

    def __reduce__(self) -> NoReturn:
        """Neither copied nor pickled: two would share one memory, and close it under each other."""
        raise TypeError("an engine cannot be copied: make another one with the same options")

    def __enter__(self) -> "Engine":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Turn:
    """Lets one thread use an engine at a time. RuntimeError: another one does."""

    def __init__(self) -> None:
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("another thread uses the engine: wait for it, or use another engine")

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def waited_for(self) -> AbstractContextManager[bool]:
        """The same, but waiting for its turn."""
        return self._lock


ENGINES: "weakref.WeakSet[Engine]" = weakref.WeakSet()


def _after_fork() -> None:
    for engine in ENGINES:
        engine._forget_threads()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def native(board: chess.Board | Board | str, fen: bool = False) -> Board:
    """A board of the core; with `fen`, also from a FEN. TypeError: no board. ValueError: not one to play."""
    if isinstance(board, Board):
        return board
    if isinstance(board, chess.Board):
        if board.uci_variant != "chess":
            raise ValueError(f"{board.uci_variant} is not played, only chess and chess960")
        return Board.from_chess(board)
    if fen and isinstance(board, str):
        return Board.from_fen(board)
    what = "a chess.Board or a FEN" if fen else "a chess.Board"
    hint = "; of a FEN chess.Board(fen) makes one" if isinstance(board, str) else ""
    raise TypeError(f"a position is {what}, not of type {type(board).__name__}{hint}")
