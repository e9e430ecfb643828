"""Threads that share one table: Lazy SMP. The main worker drives, helpers search the same root beside it."""

import threading

from _fast.board import Board
from _fast.nnue import Network
from _fast.syzygy import Tables
from _fast.tt import TranspositionTable
from _fast.worker import StopFlag, Worker
from engine.drivers import DRIVERS, SWING, Habits, Iteration, Stopped
from engine.memory import available_mib

DEEPEST = 120  # plies; the helpers' last iteration


class Pool:
    """A table, a stop flag, one worker a thread, and the network that evaluates (None: tables).

    Raises MemoryError when the machine gives no memory.
    """

    def __init__(self, megabytes: int, threads: int, network: Network | None = None):
        self.table = TranspositionTable(0)
        self.stop_flag = StopFlag()
        self.network = network
        self.workers: list[Worker] = []
        self._running: list[threading.Thread] = []
        self._written = False  # an untouched table is empty: clearing a large one takes seconds
        self._ending = False  # a search is over, but its helpers may not know it yet
        self.resize(megabytes)
        self.set_threads(threads)

    @property
    def main(self) -> Worker:
        """The worker whose moves count."""
        return self.workers[0]

    @property
    def nodes(self) -> int:
        """Positions visited by all workers in this search."""
        return sum(worker.nodes for worker in self.workers)

    @property
    def selective_depth(self) -> int:
        """Deepest ply reached by any worker."""
        return max(worker.selective_depth for worker in self.workers)

    @property
    def tb_hits(self) -> int:
        """Positions found in endgame tablebases by all workers in this search."""
        return sum(worker.tb_hits for worker in self.workers)

    @property
    def helpers(self) -> int:
        """Threads beside the main one that this search has started."""
        return len(self._running)

    def resize(self, megabytes: int) -> None:
        """Another table size. MemoryError: the machine has not that much, the old table is kept."""
        old = self.table.megabytes
        if megabytes == old:
            return
        spare = available_mib()
        if spare is not None and megabytes > spare + old:
            raise MemoryError(f"Hash {megabytes}: this machine has {spare + old} MB for it")
        self._use(TranspositionTable(0))  # gives the old one back: both together may be too much
        try:
            self._use(TranspositionTable(megabytes))
        except MemoryError:
            self._use(TranspositionTable(old))
            raise

    def _use(self, table: TranspositionTable) -> None:
        self.table, self._written = table, False
        for worker in self.workers:
            worker.use_table(table)

    def set_threads(self, threads: int) -> None:
        """As many workers as threads. MemoryError: as many as the machine gives."""
        while len(self.workers) < threads:
            worker = Worker(self.table, self.stop_flag)
            worker.use_network(self.network)
            self.workers.append(worker)
        del self.workers[threads:]

    def set_network(self, network: Network | None) -> None:
        """Another evaluation: what was learnt with the old one is forgotten."""
        for worker in self.workers:
            worker.use_network(network)
        self.network = network
        self.new_game()

    def use_tablebases(self, tables: Tables | None, pieces: int, depth: int, fifty: bool) -> None:
        """What the next search may probe: see `Worker.use_tablebases`."""
        for worker in self.workers:
            worker.use_tablebases(tables, pieces, depth, fifty)

    def new_game(self) -> None:
        """Forget everything earlier games taught."""
        self.clear()
        for worker in self.workers:
            worker.new_game()

    def clear(self) -> None:
        """Empty the table."""
        if self._written:
            self.table.clear()
            self._written = False

    def start(
        self, board: Board, searchmoves: list[int] | None, driver: str, helpers: int = 0, nodes: int = 0
    ) -> None:
        """Put all workers at `board` and start so many helpers; `nodes`: shared out, 0 for any number.

        Fewer where the machine gives no more threads: see `helpers`.
        """
        self._written = True
        self.table.new_search()
        for worker in self.workers:
            worker.set_position(board, searchmoves)
        for number, worker in enumerate(self.workers[1 : helpers + 1], 1):
            worker.set_limits(max(1, nodes // (1 + helpers)) if nodes else 0, 0)
            thread = threading.Thread(target=help_out, args=(worker, driver, number), daemon=True)
            try:
                thread.start()
            except RuntimeError:
                break
            self._running.append(thread)

    def set_limits(self, nodes: int, deadline: float | None) -> None:
        """The main worker stops at `deadline` (seconds of `time.monotonic`), or after its share of `nodes`.

        Helpers got theirs at the start: they are searching, nobody may write into their state any more.
        """
        share = max(1, nodes // (1 + len(self._running))) if nodes else 0
        self.main.set_limits(share, 0 if deadline is None else max(1, int(deadline * 1e9)))

    def finish(self) -> None:
        """The search is over. Helpers see it a moment later; the answer need not wait for them."""
        self.stop_flag.set()
        self._ending = True
        if not self._running:
            self.settle()

    def settle(self) -> None:
        """Wait until the helpers of a finished search are done; call before anything of theirs is touched."""
        if self._ending:
            for thread in self._running:
                thread.join()
            self._running.clear()
            self.stop_flag.clear()
            self._ending = False


def help_out(worker: Worker, driver: str, number: int) -> None:
    """A helper's iterative deepening: odd ones run a ply ahead, so that not all do the same work."""
    guess, swing, habits = 0, SWING, Habits.read()
    for depth in range(1 + number % 2, DEEPEST):
        worker.new_iteration(depth)
        iteration = Iteration(worker, depth, guess, swing=swing, habits=habits)
        try:
            DRIVERS[driver](iteration)
        except Stopped:
            return
        guess, swing = iteration.value, iteration.next_swing()
        worker.sort_roots(1)
