"""Threads that share one table: Lazy SMP. The main worker drives, helpers search the same root beside it."""

import threading

from _fast.board import Board
from _fast.nnue import Network
from _fast.tt import TranspositionTable
from _fast.worker import StopFlag, Worker
from engine.drivers import DRIVERS, Iteration, Stopped

DEEPEST = 120  # plies; the helpers' last iteration


class Pool:
    """A table, a stop flag, one worker a thread, and the network that evaluates (None: the hand-made terms).

    Raises MemoryError when the machine gives no memory.
    """

    def __init__(self, megabytes: int, threads: int, network: Network | None = None):
        self.table = TranspositionTable(megabytes)
        self.stop_flag = StopFlag()
        self.network = network
        self.workers: list[Worker] = []
        self.set_threads(threads)
        self._running: list[threading.Thread] = []

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

    def resize(self, megabytes: int) -> None:
        """Another table size; the old table is kept when the machine refuses (MemoryError)."""
        if megabytes != self.table.megabytes:
            self.table = TranspositionTable(megabytes)
            for worker in self.workers:
                worker.use_table(self.table)

    def set_threads(self, threads: int) -> None:
        """As many workers as threads."""
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

    def new_game(self) -> None:
        """Forget everything earlier games taught."""
        self.table.clear()
        for worker in self.workers:
            worker.new_game()

    def start(self, board: Board, searchmoves: list[int] | None, driver: str) -> None:
        """Put all workers at `board` and start the helpers."""
        self.table.new_search()
        for worker in self.workers:
            worker.set_position(board, searchmoves)
        for number, worker in enumerate(self.workers[1:], 1):
            thread = threading.Thread(target=help_out, args=(worker, driver, number), daemon=True)
            self._running.append(thread)
            thread.start()

    def finish(self) -> None:
        """Stop the helpers and wait for them."""
        self.stop_flag.set()
        for thread in self._running:
            thread.join()
        self._running.clear()
        self.stop_flag.clear()


def help_out(worker: Worker, driver: str, number: int) -> None:
    """A helper's iterative deepening: odd ones run a ply ahead, so that not all do the same work."""
    guess = 0
    worker.set_limits(0, 0)
    for depth in range(1 + number % 2, DEEPEST):
        worker.new_iteration(depth)
        iteration = Iteration(worker, depth, guess)
        try:
            DRIVERS[driver](iteration)
        except Stopped:
            return
        guess = iteration.value
        worker.sort_roots(1)
