"""What outlives a search: table, threads, what is left of the clock. One search at a time."""

import time
import weakref
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from _fast.board.board import Board
from _fast.search.params import Parameters
from engine.player import evaluation
from engine.player.book import Book
from engine.player.clock import Clock, Latency
from engine.player.deepening import MATE, Info, Line, Result, Thinking
from engine.player.drivers import PATIENCE
from engine.player.limits import Limits
from engine.player.options import Options
from engine.player.pool import Pool
from engine.player.tablebase import Tablebase

__all__ = ["MATE", "Info", "Line", "Result", "Searcher"]

DEFAULT_HASH = 16  # MiB
LEAST_HASH = 1

Part = TypeVar("Part")


class Searcher:
    """Owns the table and the workers; one `search` at a time. `stop` and `ponderhit`: from any thread.

    parameters: of the search (None: the defaults); they may change between two searches.
    Raises ValueError, one line, for an EvalFile that is no network.
    """

    def __init__(self, options: Options, parameters: Parameters | None = None):
        self.options = options
        self.parameters = Parameters() if parameters is None else parameters
        self.network = evaluation.load(options.eval_file)
        self.pool: Pool | None = None
        this = weakref.proxy(self)  # or the table would stay until Python looks for cycles
        self.book = Book(options, lambda text: this._tell(text))
        self.tables = Tablebase(options, lambda text: this._tell(text))
        self.latency = Latency()
        self.on_pass: Callable[[str], None] | None = None  # told of every pass (UCI `debug on`)
        self.on_note: Callable[[str], None] | None = None  # book moves, files that cannot be read
        self.passes = 0  # of the last search
        self.iterations = 0
        self._thinking: Thinking | None = None  # the search under way
        self._hit = False  # ponderhit came, perhaps before the search had its clock
        self._bank_ms: float | None = None  # nodestime: what is left of the game's time, by our own count

    def prepare(self) -> Pool:
        """Allocate what the options ask for. MemoryError: the old table is kept, or the least one made."""
        self.settle()
        if self.pool is None:
            try:
                self.pool = self._pool(self.options.hash_mb, self.options.threads)
            except MemoryError:
                self.pool = self._pool(LEAST_HASH, 1)
                raise
        self.pool.resize(self.options.hash_mb)
        self.pool.set_threads(self.options.threads)
        self._try("BookFile", self.book.refresh, None)
        if self._try("SyzygyPath", self.tables.refresh, False):
            self.pool.clear()
        return self.pool

    def _pool(self, megabytes: int, threads: int) -> Pool:
        return Pool(megabytes, threads, self.network, self.parameters)

    def _try(self, name: str, part: Callable[[], Part], without: Part) -> Part:
        """What a part of the set-up gives. If it fails, that costs a remark and not the move."""
        try:
            return part()
        except Exception as error:
            self._tell(f"{name}: {error!r}; the search does without")
            return without

    def load_network(self, name: str) -> str:
        """Evaluate as `evaluation.load(name)` says, and tell which that is. ValueError: refused."""
        network = evaluation.load(name)
        self.settle()
        if self.pool:
            self.pool.set_network(network)
        self.network = network
        return evaluation.describe(network)

    def _tell(self, text: str) -> None:
        if self.on_note:
            self.on_note(text)

    @property
    def size(self) -> tuple[int, int]:
        """(Hash in MiB, threads) that are allocated, or could be anywhere."""
        return (self.pool.table.megabytes, len(self.pool.workers)) if self.pool else (DEFAULT_HASH, 1)

    def settle(self) -> None:
        """Wait for helpers that have not seen the end of the last search."""
        if self.pool:
            self.pool.settle()

    def arm(self) -> None:
        """Call before the thread of a search starts: from now on a `stop` or `ponderhit` counts."""
        self.settle()
        self._thinking, self._hit = None, False
        if self.pool:
            self.pool.stop_flag.clear()

    def new_game(self) -> None:
        """Forget earlier games."""
        self.settle()
        self._bank_ms = None
        if self.pool:
            self.pool.new_game()

    def clear_hash(self) -> None:
        """Empty the table."""
        self.settle()
        if self.pool:
            self.pool.clear()

    def stop(self) -> None:
        """End the search as soon as may be."""
        if self.pool:
            self.pool.stop_flag.set()

    def ponderhit(self) -> None:
        """The expected move was played: the clock runs from now."""
        self._hit = True
        thinking = self._thinking
        if thinking and self.pool:
            if thinking.clock.ponderhit():
                self.pool.stop_flag.set()
            else:
                thinking.set_limits()

    def search(
        self, board: Board, limits: Limits, report: Callable[[Info], None], start: float | None = None
    ) -> Result:
        """Think about `board` until a limit is reached. Blocks; never raises for a legal position.

        start: when `go` came, seconds of `time.monotonic`. Helpers may run on for a moment: see `settle`.
        """
        pool = self.prepare()
        analysis = limits.infinite or limits.mate or self.options.analyse_mode
        chosen = None
        if not analysis:
            chosen = self._try("OwnBook", lambda: self.book.choose(board, limits.searchmoves), None)
        if chosen:
            self._tell(str(chosen))
            limits = replace(limits, depth=1, searchmoves=[chosen.move])  # for a line with a score
        start = time.monotonic() if start is None else start
        clock = self._try("clock", lambda: self._clock(board, limits, pool, start), None)
        clock = clock or Clock(limits, board.turn, self.options.move_overhead, start)
        thinking = Thinking(
            self.options, pool, self.tables, board, limits, clock, report, start, self.on_pass
        )
        thinking.on_note = self.on_note
        names = self._try("SyzygyPath", thinking.ask_tables, limits.searchmoves)
        searchmoves = None if names is None else [board.parse(name) for name in names]
        pool.use_tablebases(*thinking.probes())
        helpers = 0 if thinking.handicap else len(pool.workers) - 1
        try:
            pool.start(board, searchmoves, self.options.driver, helpers, thinking.node_limit)
            if pool.helpers < helpers:
                self._tell(f"Threads: no more than {1 + pool.helpers} could be started")
            thinking.set_limits()
            self._thinking = thinking
            if self._hit:  # before there was anything to hit
                self.ponderhit()
            thinking.deepen()
        except Exception as error:
            if not thinking.lines:
                raise
            self._tell(f"search ended by {error!r}")
        finally:
            self._thinking = None
            pool.finish()
            self.tables.report_damage()
            self.passes, self.iterations = thinking.passes, thinking.iterations
        self._account(board, limits, clock, pool)
        return Result(chosen.move, chosen.reply) if chosen else thinking.result()

    # The clock, and what the game has left.

    def _clock(self, board: Board, limits: Limits, pool: Pool, start: float) -> Clock:
        """The time budget of a search; under nodestime one that runs by nodes, from an account of our own."""
        side = None if limits.infinite else limits.clock(board.turn)
        overhead = self.options.move_overhead
        rate = self.options.nodestime
        patience = PATIENCE.get(self.options.driver, 1.0)
        if rate:
            if side:
                self._bank_ms = side[0] if self._bank_ms is None else self._bank_ms
                limits = replace(limits, wtime=int(self._bank_ms), btime=int(self._bank_ms))
            return Clock(
                limits, board.turn, overhead, start, lambda: start + pool.nodes / rate / 1000, patience
            )
        if side:
            self.latency.asked(ply_of(board), side[0])
            overhead = round(self.latency.overhead(overhead, side[0]))
        return Clock(limits, board.turn, overhead, start, patience=patience)

    def _account(self, board: Board, limits: Limits, clock: Clock, pool: Pool) -> None:
        """Remember what our clock should show after this move."""
        side = None if limits.infinite else limits.clock(board.turn)
        if side is None or clock.pondering:
            return
        gain = side[1] - clock.spent_ms()
        if self._bank_ms is not None:
            self._bank_ms += gain
        else:
            self.latency.answered(ply_of(board), side[0] + gain, pool.main.longest_gap * 1000)


def ply_of(board: Board) -> int:
    """Half moves since the game began, by its move number."""
    return 2 * board.fullmove_number + (not board.turn)
