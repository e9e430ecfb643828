"""Iterative deepening over a driver: commits moves of closed brackets, reports lines, watches the clock."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from _fast import search as core
from _fast.board import Board
from _fast.mateline import mate_line
from _fast.worker import Worker
from engine import evaluation, tablebase
from engine.book import Book
from engine.clock import Clock
from engine.drivers import DRIVERS, TOP, Iteration, Pass, Stopped
from engine.limits import Limits
from engine.options import Options
from engine.pool import Pool

MATE = 32000  # as in _fast/types.pxd
DEEPEST = 120  # plies of the last iteration
TABLES_SHARE = 0.5  # of a move's hard time limit: after that endgame tables are asked for results alone
BOUND_AFTER = 1.0  # seconds: passes that only lower the ceiling are reported from then on, and no more often


@dataclass
class Info:
    """What one info line says. Score in the core's values: centipawns, MATE - plies for mates."""

    depth: int
    seldepth: int
    multipv: int
    score: int
    bound: str  # "", "lowerbound" or "upperbound"
    nodes: int
    nps: int
    hashfull: int
    tbhits: int
    time_ms: int
    pv: list[str]


@dataclass
class Result:
    """The move to play (None if there is none) and the reply expected."""

    bestmove: str | None
    ponder: str | None = None


@dataclass
class Line:
    """A root move's committed result: 16-bit moves, its value, the depth at which it was proved."""

    moves: list[int] = field(default_factory=list)
    value: int = 0
    depth: int = 0


class Searcher:
    """Owns the table and the workers; one `search` at a time. `stop` and `ponderhit`: from any thread.

    Raises ValueError, one line, for an EvalFile that is no network.
    """

    def __init__(self, options: Options):
        self.options = options
        self.network = evaluation.load(options.eval_file)
        self.pool: Pool | None = None
        self.book = Book(options, self._tell)
        self.tables = tablebase.Tablebase(options, self._tell)
        self.clock: Clock | None = None  # of the search under way
        self._hit = False  # ponderhit came, perhaps before the search had its clock
        self._nodes = 0  # limit of the search under way, 0: none
        self.on_pass: Callable[[str], None] | None = None  # told of every pass (UCI `debug on`)
        self.on_note: Callable[[str], None] | None = None  # book moves, files that cannot be read
        self.passes = 0  # of the last search
        self.iterations = 0

    def prepare(self) -> Pool:
        """Allocate what the options ask for. MemoryError: the old table is kept."""
        if self.pool is None:
            self.pool = Pool(self.options.hash_mb, self.options.threads, self.network)
        self.pool.resize(self.options.hash_mb)
        self.pool.set_threads(self.options.threads)
        self.book.refresh()
        self.tables.refresh()
        return self.pool

    def load_network(self, name: str) -> str:
        """Evaluate as `evaluation.load(name)` says, and tell which that is. ValueError: refused."""
        network = evaluation.load(name)
        if self.pool:
            self.pool.set_network(network)
        self.network = network
        return evaluation.describe(network)

    def _tell(self, text: str) -> None:
        if self.on_note:
            self.on_note(text)

    def arm(self) -> None:
        """Call before the thread of a search starts: from now on a `stop` or `ponderhit` counts."""
        self.clock, self._hit = None, False
        if self.pool:
            self.pool.stop_flag.clear()

    def new_game(self) -> None:
        """Forget earlier games."""
        if self.pool:
            self.pool.new_game()

    def clear_hash(self) -> None:
        """Empty the table."""
        if self.pool:
            self.pool.table.clear()

    def stop(self) -> None:
        """End the search as soon as may be."""
        if self.pool:
            self.pool.stop_flag.set()

    def ponderhit(self) -> None:
        """The expected move was played: the clock runs from now."""
        self._hit = True
        if self.clock and self.pool:
            if self.clock.ponderhit():
                self.pool.stop_flag.set()
            else:
                self._set_limits(self.pool.main, self.clock)

    def search(
        self, board: Board, limits: Limits, report: Callable[[Info], None], start: float | None = None
    ) -> Result:
        """Think about `board` until a limit is reached. Blocks; never raises for a legal position."""
        pool = self.prepare()
        analysis = limits.infinite or limits.mate or self.options.analyse_mode
        if not analysis and (chosen := self.book.choose(board, limits.searchmoves)):
            self._tell(str(chosen))
            return Result(chosen.move, chosen.reply)
        thinking = Thinking(self, pool, board, limits, report, time.monotonic() if start is None else start)
        names = thinking.ask_tables()
        searchmoves = None if names is None else [board.parse(name) for name in names]
        self._nodes = limits.nodes or 0
        pool.start(board, searchmoves, self.options.driver)
        self.clock = thinking.clock
        if self._hit:
            self.ponderhit()
        try:
            thinking.deepen()
        finally:
            pool.finish()
            self.passes, self.iterations = thinking.passes, thinking.iterations
        return thinking.result()

    def _set_limits(self, worker: Worker, clock: Clock) -> None:
        deadline = clock.deadline
        worker.set_limits(self._nodes, 0 if deadline is None else max(1, int(deadline * 1e9)))


class Thinking:
    """One search under way."""

    def __init__(
        self,
        owner: Searcher,
        pool: Pool,
        board: Board,
        limits: Limits,
        report: Callable[[Info], None],
        start: float,
    ):
        self.owner = owner
        self.pool = pool
        self.board = board
        self.limits = limits
        self.report = report
        self.clock = Clock(limits, board.turn, owner.options.move_overhead, start)
        self.start = start
        self.lines: list[Line] = []
        self.verdicts: dict[int, tablebase.Verdict] = {}  # of the root moves, if the tables hold the position
        self.passes = 0
        self.iterations = 0
        self._last_bound = start

    def ask_tables(self) -> list[str] | None:
        """The moves to search, by endgame tables if they hold the position; None: all."""
        options, tables, names = self.owner.options, self.owner.tables, self.limits.searchmoves
        tables.hits = 0
        if self.limits.depth is not None and self.limits.depth < options.syzygy_probe_depth:
            return names
        until = None if self.clock.hard_ms is None else self.start + TABLES_SHARE * self.clock.hard_ms / 1000
        verdicts = tables.judge(self.board, self.board.legal_moves() if names is None else names, until)
        self.verdicts = {self.board.parse(name): verdict for name, verdict in verdicts.items()}
        return tablebase.best(verdicts, options.multipv) if verdicts else names

    def deepen(self) -> None:
        """Iteration after iteration, until a limit or a proven mate ends it."""
        worker = self.pool.main
        if worker.root_count == 0:
            self._report_nothing()
            return
        count = min(self.owner.options.multipv, worker.root_count)
        for depth in range(1, min(self.limits.depth or DEEPEST, DEEPEST) + 1):
            try:
                self._iterate(worker, depth, count)
            except Stopped:
                break
            self.iterations += 1
            if depth == 1:
                self.owner._set_limits(worker, self.clock)
            if self._enough(worker, depth):
                break

    def _iterate(self, worker: Worker, depth: int, count: int) -> None:
        """One depth, all its MultiPV lines. Raises Stopped; lines whose bracket had closed stay committed."""
        worker.new_iteration(depth)
        drive = DRIVERS[self.owner.options.driver]
        found = []
        for index in range(count):
            worker.set_multipv(index)
            worker.set_scouting(self.owner.options.driver != "AlphaBeta")
            guess = self.lines[index].value if index < len(self.lines) else 0
            iteration = Iteration(worker, depth, guess, self._after_pass)
            drive(iteration)
            worker.promote(worker.best_root(), index)
            line = self._finish(worker, Line(worker.root(index)[5], iteration.value, depth))
            found.append(line)
            if not self.verdicts:
                self._commit(index, line)
        worker.sort_roots(count)
        if self.verdicts:  # the tables' order overrules the search's, hence not before all lines are there
            found.sort(key=lambda line: (-self.verdicts[line.moves[0]].rank, -line.value))
            for index, line in enumerate(found):
                self._commit(index, line)

    def _commit(self, index: int, line: Line) -> None:
        """A bracket has closed: its move counts from now on."""
        self.lines[index : index + 1] = [line]
        self.report(self._info(index, line, ""))

    def _finish(self, worker: Worker, line: Line) -> Line:
        """Make the line of a closed bracket as long as it should be, and its value what is known of it."""
        if abs(line.value) > TOP:
            self._show_mate(worker, line)
        else:
            line.moves = core.extend_line(worker, line.moves, max(line.depth, 2))
        if self.verdicts:
            verdict = self.verdicts[line.moves[0]].value
            if abs(line.value) <= TOP or line.value * verdict <= 0:
                line.value = verdict
        return line

    def _show_mate(self, worker: Worker, line: Line) -> None:
        """The whole way to the mate; where it was not found, decisive centipawns and not a bare claim."""
        moves = mate_line(worker, line.moves[0], line.value)
        sign = 1 if line.value > 0 else -1
        line.value = sign * (MATE - len(moves) if moves else TOP)
        line.moves = moves or core.extend_line(worker, line.moves, max(line.depth, 2))

    def _after_pass(self, iteration: Iteration, done: Pass) -> None:
        """Tell of a pass: always when debugging, rarely otherwise."""
        self.passes += 1
        if self.owner.on_pass:
            kind = "lower" if done.value >= done.gamma else "upper" if done.value <= done.alpha else "exact"
            name = f"depth {iteration.depth} pass {len(iteration.passes)}"
            self.owner.on_pass(f"{name} gamma {done.gamma} -> {done.value} {kind}")
        now = time.monotonic()
        index = iteration.worker.root_first
        tells = not self.verdicts and not iteration.closed() and index < len(self.lines)
        if tells and now - self._last_bound >= BOUND_AFTER:
            self._last_bound = now
            bound = "upperbound" if done.value < done.gamma else "lowerbound"
            self.report(self._info(index, Line(self.lines[index].moves, done.value, iteration.depth), bound))

    def _info(self, index: int, line: Line, bound: str) -> Info:
        elapsed = time.monotonic() - self.start
        nodes = self.pool.nodes
        pv = [self.board.uci(move) for move in line.moves]
        return Info(
            line.depth,
            max(self.pool.selective_depth, line.depth),
            index + 1,
            line.value,
            bound,
            nodes,
            int(nodes / max(elapsed, 1e-3)),
            self.pool.table.hashfull(),
            self.owner.tables.hits,
            int(elapsed * 1000),
            pv,
        )

    def _report_nothing(self) -> None:
        score = -MATE if self.board.is_checkmate else 0
        self.report(Info(0, 0, 1, score, "", 0, 0, 0, 0, 0, []))

    def _enough(self, worker: Worker, depth: int) -> bool:
        """Whether deepening should end after this iteration."""
        best = self.lines[0]
        if self.limits.mate and best.value >= MATE - (2 * self.limits.mate - 1):
            return True
        timed = self.clock.soft_ms is not None or self.limits.movetime is not None
        plies = MATE - abs(best.value)
        if timed and not self.clock.pondering and abs(best.value) > TOP and depth > 2 * plies:
            return True  # a mate searched through twice over will not get shorter
        if self.limits.nodes and self.pool.nodes >= self.limits.nodes:
            return True
        return not self.clock.another_iteration(best.moves[0], best.value, worker.root_count)

    def result(self) -> Result:
        """The committed move; without any (stopped before the first iteration closed) the first legal."""
        if self.pool.main.root_count == 0:
            return Result(None)
        moves = self.lines[0].moves if self.lines else [self.pool.main.root(0)[0]]
        if len(moves) == 1:
            moves = core.extend_line(self.pool.main, moves, 2)
        names = [self.board.uci(move) for move in moves[:2]]
        return Result(names[0], names[1] if len(names) > 1 else None)
