"""Iterative deepening: which lines count, what is reported, when another iteration is not worth it."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from operator import add, mul

from sssnake._fast.board.board import Board
from sssnake._fast.board.syzygy import Tables
from sssnake._fast.drivers.bracket import SWING, TOP, Bracket, PassCounts
from sssnake._fast.drivers.deepening import deepen_unwatched
from sssnake._fast.drivers.mates import MateSolver
from sssnake._fast.search import pv
from sssnake._fast.search.worker import Worker
from sssnake._fast.values import DECISIVE, INFINITE, MATE, MATE_RANGE, TB_RANGE, TB_WIN
from sssnake.engine.player import skill, wdl
from sssnake.engine.player.clock import Clock
from sssnake.engine.player.drivers import Pass, Stopped, close
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.resources import tablebase
from sssnake.engine.player.resources.parts import Callbacks, Resources
from sssnake.engine.player.result import Info, Result, Score

DEEPEST = 120  # plies of the last iteration
MATE_CERTAIN = 2.0  # searched to so many times its length, a mate will not get shorter
TABLEBASE_SHARE = 0.5  # of a move's hard time limit: later the tablebases are probed for results alone
MATE_BUDGET = 20_000  # nodes that a mate problem is tried for at least, between two iterations
PROVED_SHORTEST = 6  # moves: for a mate that long or longer it is not proved that there is no shorter one
BOUND_REACH = 50  # centipawns from the last value: bounds farther off mislead who takes them for values
BOUND_AFTER = 1.0  # seconds: passes that only lower the ceiling are reported from then on, and no more often


@dataclass(slots=True)
class RootLine:
    """A root move's committed result."""

    moves: list[int] = field(default_factory=list)  # of 16 bits
    value: int = 0
    depth: int = 0  # at which the value was proved
    info: Info | None = None  # what was reported of it last


class Deepening:
    """Iterative deepening of one search. `lines`: best first; lines of the iteration under way stand first.

    since: when the search was requested, seconds of `time.monotonic`.
    """

    def __init__(
        self,
        resources: Resources,
        board: Board,
        limits: Limits,
        clock: Clock,
        callbacks: Callbacks,
        since: float,
    ):
        self.options = resources.options
        self.pool = resources.pool
        self.tablebase = resources.tablebase
        self.note = resources.note
        self.board = board
        self.limits = limits
        self.clock = clock
        self.report = callbacks.on_info
        self.on_pass = callbacks.on_pass
        self.since = since
        self.handicap = skill.handicap(self.options)
        self.material = sum(map(mul, board.piece_counts, wdl.WORTH.values()))
        self.node_limit = node_limit(limits, self.handicap)
        self.lines: list[RootLine] = []
        self.verdicts: dict[int, tablebase.RootVerdict] = {}  # if the tablebases hold the root
        self.iterations = 0
        self.counts = PassCounts()
        self.count = 1  # lines of an iteration
        self._fresh: list[RootLine] = []  # of the iteration under way
        self._older: list[RootLine] = []  # of those before
        self._timed = False  # whether the clock may end the iteration under way
        self._swing: float = SWING  # of the best line's value
        self._last_bound = since
        self._hanging = False  # a bound was reported last, and no exact line since
        self._solver = MateSolver() if limits.mate else None
        self._no_mate_in = 0  # moves

    def set_limits(self) -> None:
        """Tell the workers the limits, as they are now. From any thread."""
        nodes, deadline = self.node_limit, self.clock.deadline
        if self.options.nodestime and deadline is not None:
            allowed = max(1, int((deadline - self.since) * 1000 * self.options.nodestime))
            nodes, deadline = min(nodes or allowed, allowed), None
        self.pool.set_limits(nodes, deadline)

    def probe_root(self) -> list[str] | None:
        """The moves to search, by the tablebases if they hold the position; None: all.

        Weaker players have no tablebases, and mate problems want the shortest mate, not the surest win.
        """
        options, names = self.options, self.limits.searchmoves
        self.tablebase.hits = 0
        shallow = self.limits.depth is not None and self.limits.depth < options.syzygy_probe_depth
        tables = self.tablebase.for_search()[0]
        known = tables is not None or tablebase.mates_with_bishop_and_knight(self.board)
        if shallow or self.handicap or self.limits.mate or not known:
            return names
        until = (
            None if self.clock.hard_ms is None else self.since + TABLEBASE_SHARE * self.clock.hard_ms / 1000
        )
        moves = self.board.legal_moves() if names is None else names
        verdicts = self.tablebase.judge(self.board, moves, until, self._out_of_time)
        self.verdicts = {self.board.parse(name): verdict for name, verdict in verdicts.items()}
        return tablebase.best(verdicts, options.multipv) if verdicts else names

    def probes(self) -> tuple[Tables | None, int, int, bool]:
        """What the core may probe: nothing if the tablebases hold the root and its moves are all alike."""
        known = self.verdicts and (self.tablebase.exact or max(v.value for v in self.verdicts.values()) <= 0)
        if known or self.handicap or self.limits.mate:
            return None, 0, 0, True
        return self.tablebase.for_search()

    def _out_of_time(self) -> bool:
        """Whether the search was stopped, or ran out of time, before it began."""
        deadline = self.clock.deadline
        return self.pool.stop_flag.is_set() or (deadline is not None and time.monotonic() >= deadline)

    # Deepening.

    def deepen(self) -> None:
        """Iteration after iteration, until a limit or a proven mate ends it."""
        worker = self.pool.main
        if worker.root_count == 0:
            if self.report:
                self.report(self._nothing())
            return
        wanted = max(self.options.multipv, self.handicap.lines if self.handicap else 1)
        self.count = min(wanted, worker.root_count)
        deepest = min(self.limits.depth or DEEPEST, DEEPEST)
        if self._unwatched:
            self._deepen_unwatched(worker, deepest)
            return
        for depth in range(1, deepest + 1):
            try:
                self._iterate(worker, depth)
            except Stopped:
                break
            self.iterations += 1
            worker.obey_limits()  # done before, unless lines count together
            if self._enough(worker, depth) or (self._solver and self._solved(self._solver, worker)):
                break
            # Not before: a spent clock leaves time for the first iteration alone.
            if depth == 1 and self.pool.helpers:
                self._get_help()
        if self.handicap and self.lines:
            self._choose(self.handicap)

    @property
    def _unwatched(self) -> bool:
        """Whether nobody looks at the iterations of one line, and no clock ends them."""
        watched = self.report or self.on_pass or self._solver or self.pool.helpers
        return self.count == 1 and self.clock.hard_ms is None and not (watched or self._together)

    def _deepen_unwatched(self, worker: Worker, deepest: int) -> None:
        """The same iterations in one call of the core: short searches spend their time between them."""
        stopped, self.iterations, moves, value, self.counts = deepen_unwatched(
            worker, self.options.driver, deepest, self.node_limit
        )
        self.lines = [RootLine(moves, value, self.iterations)] if self.iterations else []
        if stopped:
            self._older = self.lines
            self._rescue(worker, self.iterations + 1)

    def _get_help(self) -> None:
        """Let the helpers search too; without them the search is slower, and no more than that."""
        try:
            self.pool.start_helpers(None if self.options.nodestime else self.clock.deadline)
        except Exception as error:
            self.note(f"Threads: {error!r}; the search does without")

    def _iterate(self, worker: Worker, depth: int) -> None:
        """One depth, all its MultiPV lines. Raises Stopped; lines whose bracket had closed stay committed.

        Not so where lines must be of one depth to be compared: for a weaker player's random choice, and for
        the tablebases' order.
        """
        self._older = older = self.lines
        self._fresh = []
        worker.new_iteration(depth)
        together = self._together
        # The first iteration has no value to compare with.
        self._timed = self.clock.soft_ms is not None and depth > 1 and self.count == 1 and not together
        try:
            for index in range(self.count):
                worker.set_multipv(index)
                guess = older[index].value if index < len(older) else 0
                swing = SWING if index else self._swing
                bracket = Bracket(self.options.driver, self.pool.parameters, depth, guess, swing)
                self._close(bracket, worker)
                self._swing = self._swing if index else bracket.next_swing
                worker.promote(worker.best_root(), index)
                self._commit(worker, index, RootLine(worker.line(index), bracket.lower, depth))
                if depth == 1 and index == 0 and not together:
                    worker.obey_limits()
        except Stopped:
            if not together:
                self._rescue(worker, depth)
            if self._hanging or (self._fresh and not together):
                self._report_committed()  # clients take the last scores for the result
            raise
        worker.sort_roots(self.count)
        if together:
            self.lines = self._fresh
        if self.report:
            self._report_lines()

    def _close(self, bracket: Bracket, worker: Worker) -> None:
        """Make the passes of an iteration; without stopping at each, if nobody looks. Raises Stopped."""
        try:
            if self.report or self.on_pass or self._timed:
                close(bracket, worker, self._after_pass, self._is_last if self._timed else None)
            elif not bracket.search_all(worker):
                raise Stopped
        finally:
            self.counts = PassCounts(*map(add, self.counts, bracket.counts))

    def _rescue(self, worker: Worker, depth: int) -> None:
        """Before its bracket closed the iteration may have proved that another move beats the last one's."""
        if self._fresh or not self._older:
            return
        index = worker.best_root()
        best = worker.root(index)
        old = self._older[0].moves[0]
        if best.move == old:
            return
        roots = map(worker.root, range(worker.root_count))
        upper = next(root.upper for root in roots if root.move == old)
        if best.lower > max(upper, -TOP):
            worker.promote(index)
            self._commit(worker, 0, RootLine(best.line, best.lower, depth))

    @property
    def _together(self) -> bool:
        """Whether an iteration's lines count only when all are there."""
        return bool(self.handicap or self.verdicts)

    def _commit(self, worker: Worker, index: int, line: RootLine) -> None:
        """A bracket has closed: its move counts from now on. Later lines may turn out better than earlier."""
        self._finish(worker, line)
        fresh = self._fresh
        if self.count == 1:
            fresh.append(line)
            self.lines = self.lines if self._together else [line]
            return
        place = sum(self._order(other) >= self._order(line) for other in fresh) if fresh else 0
        fresh.insert(place, line)
        if index != place:
            worker.promote(index, place)
        if not self._together:
            taken = [other.moves[0] for other in fresh]
            self.lines = fresh + [other for other in self._older if other.moves[0] not in taken]

    def _order(self, line: RootLine) -> tuple[int, int]:
        """What lines are sorted by: the tablebases' order overrules the search's."""
        return self.verdicts[line.moves[0]].rank if self.verdicts else 0, line.value

    def _finish(self, worker: Worker, line: RootLine) -> None:
        """Make the line of a closed bracket as long as it should be, and its value what is known of it."""
        line.moves, line.value = pv.finish_line(worker, line.moves, line.value, line.depth)
        if self.verdicts:
            verdict = self.verdicts[line.moves[0]].value
            if abs(line.value) < MATE_RANGE or line.value * verdict <= 0:
                line.value = verdict

    def _enough(self, worker: Worker, depth: int) -> bool:
        """Whether deepening should end after this iteration."""
        if self.node_limit and self.pool.nodes >= self.node_limit:
            return True
        best = self.lines[0]
        if abs(best.value) >= MATE_RANGE and depth > MATE_CERTAIN * (MATE - abs(best.value)):
            timed = self.clock.soft_ms is not None or self.limits.movetime is not None
            if timed and not self.clock.pondering:
                return True
        move = best.moves[0]
        return not self.clock.another_iteration(move, best.value, worker.root_count, worker.effort(move))

    def _is_last(self, bracket: Bracket) -> bool:
        """Whether the clock would end the search, if the iteration closed now."""
        worker = self.pool.main
        move = worker.root(worker.best_root()).move
        return self.clock.is_last(move, bracket.lower, worker.root_count, worker.effort(move))

    def _solved(self, solver: MateSolver, worker: Worker) -> bool:
        """`go mate`: whether the problem is solved, one way or the other. Takes turns with the iterations."""
        found = (MATE - abs(self.lines[0].value) + 1) // 2  # moves; by an iteration, perhaps not the shortest
        asked = self.limits.mate or 0
        while self._no_mate_in < min(asked, found - 1, PROVED_SHORTEST - 1 if found <= asked else asked):
            moves = solver.solve(worker, self._no_mate_in + 1, max(MATE_BUDGET, self.pool.nodes))
            if moves is None:
                return False
            if moves:
                value = MATE - len(moves) if len(moves) % 2 else len(moves) - MATE
                solution = RootLine(moves, value, max(len(moves), self.lines[0].depth))
                others = [line for line in self.lines if line.moves[0] != moves[0]]
                self.lines, self._fresh = [solution, *others], [solution]
                self._report_committed()
                return True
            self._no_mate_in += 1
        return True

    # Reports.

    def _after_pass(self, bracket: Bracket, nodes: int) -> None:
        """Tell of a pass: always if someone watches, rarely otherwise."""
        if self.on_pass:
            line = self.pool.main.root_first + 1 if self.count > 1 else 0
            self.on_pass(Pass.last_of(bracket, nodes, line))
        if self.report and nodes and time.monotonic() - self._last_bound >= BOUND_AFTER:
            self._tell_bound(self.report, bracket)

    def _tell_bound(self, report: Callable[[Info], None], bracket: Bracket) -> None:
        """Report a bound of the line under way, if it tells something and the line is not done."""
        index = self.pool.main.root_first
        nothing = bracket.value <= -DECISIVE if bracket.failed_high else bracket.value >= DECISIVE
        value = max(-DECISIVE, min(bracket.value, DECISIVE))
        done = bracket.closed or (self._timed and bracket.suffices and self._is_last(bracket))
        if nothing or done or self.verdicts or not self._is_worth_telling(index, value):
            return
        if index < len(self.lines):
            self._last_bound = time.monotonic()
            self._hanging = True
            bound = "lowerbound" if bracket.failed_high else "upperbound"
            report(self._info(index, RootLine(self.lines[index].moves, value, bracket.depth), bound))

    def _is_worth_telling(self, index: int, bound: int) -> bool:
        """Whether a bound is near the value that was last reported of this line, or all are asked for."""
        if self.on_pass:
            return True
        return index < len(self._older) and abs(bound - shown(self._older[index].value)) <= BOUND_REACH

    def _report_lines(self) -> None:
        """The lines of this iteration, best first, as many as asked for: interfaces want them in order."""
        for index, line in enumerate(self._fresh[: self.options.multipv]):
            self._hanging = False
            self._report_line(index, line)

    def _report_committed(self) -> None:
        """All lines as they stand when an iteration is cut off, each with the depth that it was searched to.

        An older line is worth no more than the lines of this iteration, which were preferred to it. It claims
        no mate of theirs, as its moves do not show one.
        """
        self._hanging = False
        most = INFINITE
        for index, line in enumerate(self.lines[: self.options.multipv]):
            if not self._together and abs(most) < MATE_RANGE:
                line.value = min(line.value, most)
            most = line.value
            self._report_line(index, line)

    def _report_line(self, index: int, line: RootLine) -> None:
        """Report a line. Where nobody listens, `result` says it alone."""
        line.info = self._info(index, line, "") if self.report else None
        if self.report and line.info:
            self.report(line.info)

    def _info(self, index: int, line: RootLine, bound: str) -> Info:
        elapsed = time.monotonic() - self.since
        nodes = self.pool.nodes
        score = Score(shown(line.value))
        return Info(
            line.depth,
            max(self.pool.selective_depth, line.depth),
            index + 1,
            score,
            bound,
            nodes,
            int(nodes / max(elapsed, 1e-3)),
            self.pool.table.hashfull(),
            self.tablebase.hits + self.pool.tb_hits,
            int(elapsed * 1000),
            [self.board.uci(move) for move in line.moves],
            self.material,
        )

    def _nothing(self) -> Info:
        """What is said of a position without legal moves."""
        score = Score(-MATE if self.board.is_checkmate else 0)
        return Info(0, 0, 1, score, "", 0, 0, 0, 0, 0, [], self.material)

    # The answer.

    def _choose(self, handicap: skill.Handicap) -> None:
        """A handicapped player chooses among the lines at random; the chosen one becomes the first."""
        rng = skill.generator(self.options, self.board.key, self.board.fullmove_number)
        index = handicap.choose([line.value for line in self.lines], rng)
        if index:
            self.lines.insert(0, self.lines.pop(index))
            for number, line in enumerate(self.lines[: self.options.multipv]):
                self._report_line(number, line)

    def result(self) -> Result:
        """What stands committed; if no iteration was finished, the first legal move."""
        main = self.pool.main
        if main.root_count == 0:
            moves, lines = [], [self._nothing()]
        else:
            committed = self.lines or [RootLine([main.root(0).move])]
            moves = committed[0].moves
            if len(moves) == 1:
                moves = pv.extend_line(main, moves, pv.SHORTEST_LINE)
            infos = [self._last_info(*item) for item in enumerate(committed[: self.options.multipv])]
            lines = ordered(infos) if self.handicap else infos
        played = [self.board.to_move(move) for move in moves[:2]]
        return Result(
            played[0] if played else None,
            played[1] if len(played) > 1 else None,
            lines,
            self.material,
            self.pool.nodes,
            self.counts.passes,
            self.iterations,
            *self.counts[1:],
        )

    def _last_info(self, index: int, line: RootLine) -> Info:
        """The last report of a line, under the number that it has in the end."""
        if line.info is None:
            return self._info(index, line, "")
        return line.info if line.info.multipv == index + 1 else replace(line.info, multipv=index + 1)


def node_limit(limits: Limits, handicap: skill.Handicap | None) -> int:
    """Positions that may be visited, 0 for any number."""
    asked = (limits.nodes or 0, handicap.nodes if handicap else 0)
    return min(asked) or max(asked)


def ordered(lines: list[Info]) -> list[Info]:
    """The lines best first, numbered so: a weaker player may have chosen another one than the best."""
    best = sorted(lines, key=lambda line: -line.score)
    return [replace(line, multipv=number) for number, line in enumerate(best, 1)]


def shown(value: int) -> int:
    """What is reported for a value: tablebase wins in centipawns, as at the root."""
    if TB_RANGE <= abs(value) < MATE_RANGE:
        return value - (TB_WIN - tablebase.TB_WIN) * (1 if value > 0 else -1)
    return value
