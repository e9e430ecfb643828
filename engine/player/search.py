"""The life of one search: its set-up, its thread, stop and ponderhit, its result."""

import os
import threading
import time
from collections.abc import Callable
from dataclasses import replace

import chess

from sssnake._fast.board.board import Board
from sssnake._fast.drivers.helpers import STACK_BYTES
from sssnake.engine.player.clock import Clock
from sssnake.engine.player.deepening import Deepening
from sssnake.engine.player.drivers import PATIENCE
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.resources.book import BookMove
from sssnake.engine.player.resources.parts import Callbacks, Resources
from sssnake.engine.player.result import Result

ALONE_MS = 1000  # of a search in the caller's thread, which nobody can stop, if it has no limit of its own
RELIEF = 0.01  # seconds in which ended threads give their memory back


class Search:
    """One search. `stop`, `ponderhit`, `wait` and `done` may be used from any thread, at any time.

    on_done: called with the search, in its thread, when it is over; `wait` returns when that has returned.
    since: when the search was requested, seconds of `time.monotonic`; None: now.
    An exception in a callback ends the search, and `wait` raises it.
    """

    def __init__(
        self,
        resources: Resources,
        board: Board,
        limits: Limits,
        callbacks: Callbacks,
        on_done: "Callable[[Search], None] | None" = None,
        since: float | None = None,
    ):
        self.limits = limits
        self._board = board
        self._resources = resources
        self._callbacks = callbacks
        self._on_done = on_done
        self._since = time.monotonic() if since is None else since
        self._deepening: Deepening | None = None  # once it is set up, until it is over
        self._hit = False  # ponderhit came, perhaps before the clock was set
        self._lock = threading.Lock()
        self._over = False  # the stop flag is another search's now
        self._running = threading.Lock()  # held until the search is over; cheaper to make than an Event
        self._running.acquire()
        self._reporting = threading.Lock()  # held until on_done has returned
        self._reporting.acquire()
        self._process = os.getpid()
        self._thread = 0  # that it runs in
        self._ended = False
        self._result: Result | None = None
        self._error: BaseException | None = None

    # For the caller.

    def stop(self) -> None:
        """End the search as soon as possible; `wait` returns its result."""
        with self._lock:
            if not self._over:
                self._resources.pool.stop_flag.set()

    def ponderhit(self) -> None:
        """The expected move was played: the clock runs from now."""
        self._hit = True
        with self._lock:
            deepening = self._deepening
            if deepening and not self._over:
                if deepening.clock.ponderhit():
                    self._resources.pool.stop_flag.set()
                else:
                    deepening.set_limits()

    @property
    def done(self) -> bool:
        """Whether the search is over."""
        return self._ended

    @property
    def is_here(self) -> bool:
        """Whether the caller is a callback of this search."""
        return not self._ended and self._thread == threading.get_ident()

    def wait(self, timeout: float | None = None) -> Result:
        """The result, as soon as there is one; the engine is free again.

        timeout: in seconds. TimeoutError: not yet. RuntimeError: a callback of the search waits for its end.
        Raises what a callback raised, or what the search raised if it failed without a move to play.
        """
        told = self._thread == threading.get_ident()  # in on_done: waits for nothing
        if not self._join(
            self._running if told else self._reporting, -1 if timeout is None else max(0, timeout)
        ):
            raise TimeoutError(f"the search is not over after {timeout} s")
        if self._error is not None:
            raise self._error
        assert self._result is not None
        return self._result

    def join(self) -> None:
        """Wait for the end, whatever it is. The engine is free; on_done may not have returned yet."""
        self._join(self._running, -1)

    def _join(self, lock: threading.Lock, timeout: float) -> bool:
        """Wait at most so many seconds, -1 for ever. Whether the search is over."""
        if self.is_here:
            raise RuntimeError("a callback of a search cannot wait for its end: it may stop it and return")
        if lock.locked() and self._process != os.getpid():
            raise RuntimeError("the search runs in the process that this one was forked from")
        over = lock.acquire(timeout=min(timeout, threading.TIMEOUT_MAX))
        if over:
            lock.release()
        return over

    # For the engine.

    def start(self) -> None:
        """Run in a thread of its own: with fewer helpers where memory is short, at last in the caller's."""
        while not self._start_thread():
            if not self._resources.pool.shrink():
                self._resources.note("Threads: none could be started; this search hears no stop")
                self._run_here()
                return
            time.sleep(RELIEF)

    def _start_thread(self) -> bool:
        """False: the machine gives no thread."""
        usual = threading.stack_size(STACK_BYTES)
        try:
            threading.Thread(target=self.run, name="search", daemon=True).start()
        except (RuntimeError, MemoryError):
            return False
        finally:
            threading.stack_size(usual)
        return True

    def _run_here(self) -> None:
        """Run in the caller's thread. It must end without a stop."""
        limits = self.limits
        if limits.infinite or limits.ponder or not limits.ends():
            most = min(limits.movetime or ALONE_MS, ALONE_MS)
            self.limits = replace(limits, infinite=False, ponder=False, movetime=most)
        self.run()

    def run(self) -> None:
        """Search until a limit is reached. Helpers may go on for a moment: see `Pool.settle`."""
        self._thread = threading.get_ident()
        try:
            self._result = self._search()
        except BaseException as error:  # `wait` raises it
            self._end(error)
        else:
            self._end(None)
        try:
            if self._on_done:
                self._on_done(self)
        except BaseException as error:
            self._error = self._error or error
        finally:
            self._thread = 0
            self._reporting.release()

    def _end(self, error: BaseException | None) -> None:
        """From now on `wait` does not block.

        This object and its thread, which may outlive the engine, hold nothing of it any more.
        """
        with self._lock:
            self._over = True
            self._resources.note.raised = None  # it holds what its traceback does
            del self._resources, self._callbacks
        self._error, self._ended = error, True
        self._running.release()

    def _search(self) -> Result:
        """The search, with or without a move of the book."""
        chosen = self._book_move()
        if chosen is None:
            return self._deepen(self.limits)
        self._resources.note(str(chosen))
        # One ply more, for a line with a score.
        result = self._deepen(replace(self.limits, depth=1, searchmoves=[chosen.move]))
        ponder = None if chosen.reply is None else chess.Move.from_uci(chosen.reply)
        return replace(result, move=chess.Move.from_uci(chosen.move), ponder=ponder)

    def _book_move(self) -> BookMove | None:
        """A move of the opening book, unless this is analysis."""
        limits, resources = self.limits, self._resources
        options = resources.options
        if limits.infinite or limits.mate or options.analyse_mode or not options.own_book:
            return None
        choose = resources.book.choose
        return resources.note.attempt("OwnBook", lambda: choose(self._board, limits.searchmoves), None)

    def _deepen(self, limits: Limits) -> Result:
        """Iterative deepening, from the set-up to the account of the clock."""
        board, resources = self._board, self._resources
        pool, note = resources.pool, resources.note
        clock = note.attempt("clock", lambda: self._clock(limits), None)
        clock = clock or Clock(limits, board.turn, resources.options.move_overhead, self._since)
        deepening = Deepening(resources, board, limits, clock, self._callbacks, self._since)
        try:
            self._set_up(deepening)
            self._deepening = deepening
            if self._hit:  # before there was a clock
                self.ponderhit()
            deepening.deepen()
        except Exception as error:
            if not deepening.lines or error in self._callbacks.raised or error is note.raised:
                raise
            note(f"search ended by {error!r}")
        finally:
            with self._lock:
                self._deepening, self._over = None, True
                pool.finish()
            resources.tablebase.report_damage()
        self._account(limits, clock)
        return deepening.result()

    def _set_up(self, deepening: Deepening) -> None:
        """Tablebases and workers, at the root of this search."""
        board, resources = self._board, self._resources
        pool, note = resources.pool, resources.note
        names = note.attempt("SyzygyPath", deepening.probe_root, deepening.limits.searchmoves)
        searchmoves = None if names is None else [board.parse(name) for name in names]
        pool.use_tablebases(*deepening.probes())
        helpers = 0 if deepening.handicap else resources.options.threads - 1
        pool.start(board, searchmoves, resources.options.driver, helpers, deepening.node_limit)
        if pool.helpers < helpers:
            note(f"Threads: no more than {1 + pool.helpers} could be started")
        deepening.set_limits()

    # The clock, and what the game has left.

    def _clock(self, limits: Limits) -> Clock:
        """The time budget; under nodestime, one that runs by nodes, from an account of our own."""
        board, options, since = self._board, self._resources.options, self._since
        pool, game = self._resources.pool, self._resources.game_clock
        side = None if limits.infinite else limits.clock(board.turn)
        overhead, rate = options.move_overhead, options.nodestime
        patience = PATIENCE.get(options.driver, 1.0)
        if rate:
            if side:
                game.bank_ms = side[0] if game.bank_ms is None else game.bank_ms
                limits = replace(limits, wtime=int(game.bank_ms), btime=int(game.bank_ms))
            return Clock(
                limits, board.turn, overhead, since, lambda: since + pool.nodes / rate / 1000, patience
            )
        if side:
            game.latency.asked(ply_of(board), side[0])
            overhead = round(game.latency.overhead(overhead, side[0]))
        return Clock(limits, board.turn, overhead, since, patience=patience)

    def _account(self, limits: Limits, clock: Clock) -> None:
        """Remember what our clock should show after this move."""
        board, game = self._board, self._resources.game_clock
        side = None if limits.infinite else limits.clock(board.turn)
        if side is None or clock.pondering:
            return
        gain = side[1] - clock.spent_ms()
        if game.bank_ms is not None:
            game.bank_ms += gain
        else:
            longest_gap = self._resources.pool.main.longest_gap
            game.latency.answered(ply_of(board), side[0] + gain, longest_gap * 1000)


def ply_of(board: Board) -> int:
    """Half moves since the game began, by its move number."""
    return 2 * board.fullmove_number + (not board.turn)
