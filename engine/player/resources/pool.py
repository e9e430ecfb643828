"""Threads that share one transposition table. The main worker drives, helpers search beside it (Lazy SMP).

Helpers are threads of the core (`_fast/drivers/helpers.pyx`): they never take Python's lock, start when the
main worker's first iteration is done, and where there are more of them than processors they take turns.
"""

import time

from sssnake._fast.board.board import Board
from sssnake._fast.board.syzygy import Tables
from sssnake._fast.drivers.helpers import Helpers
from sssnake._fast.evaluation.nnue import Network
from sssnake._fast.evaluation.pst import Weights
from sssnake._fast.search.params import Parameters
from sssnake._fast.search.tt import TranspositionTable
from sssnake._fast.search.worker import StopFlag, Worker
from sssnake.engine.player.resources.memory import available_mib, processors

LEAST_HASH = 1  # MiB, tried however little the machine says it has
KEPT = 3  # quarters of the helpers that stay when memory is short
TURN = 0.02  # seconds that a helper keeps a processor while others wait, as in _fast/drivers/helpers.pyx


class Pool:
    """A transposition table, a stop flag, parameters, one worker a thread, and the network (None: PSTs).

    Raises MemoryError when the machine gives no memory.
    """

    def __init__(
        self,
        megabytes: int,
        threads: int,
        network: Network | None = None,
        parameters: Parameters | None = None,
    ):
        self.table = TranspositionTable(0)
        self.stop_flag = StopFlag()
        self.network = network
        self.weights: Weights | None = None  # of the evaluation without a network; None: those shipped
        self.parameters = Parameters() if parameters is None else parameters
        self.workers: list[Worker] = []
        self.helpers = 0  # threads that may search beside the main one in this search
        self._helpers = Helpers(self.stop_flag)
        self._helping = 0  # those that do
        self._root: tuple[Board, list[int] | None, str]  # what they are to search, and how
        self._refused = 0  # threads that the machine did not give
        self._written = False  # an untouched table is empty: clearing a large one takes seconds
        self._ending = False  # a search is over, but its helpers may not know it yet
        self.resize(megabytes)
        self.set_threads(threads)

    def __del__(self) -> None:
        """End the threads first: in a cycle the collector may free a worker before its helper."""
        if hasattr(self, "_helpers"):  # unless there was no memory for them
            self._helpers.close()

    @property
    def main(self) -> Worker:
        """The worker whose moves count."""
        return self.workers[0]

    @property
    def nodes(self) -> int:
        """Positions visited by all workers in this search."""
        if not self._helping:
            return self.workers[0].nodes
        return sum(worker.nodes for worker in self.workers[: 1 + self._helping])

    @property
    def selective_depth(self) -> int:
        """Deepest ply reached by any worker."""
        if not self._helping:
            return self.workers[0].selective_depth
        return max(worker.selective_depth for worker in self.workers[: 1 + self._helping])

    @property
    def tb_hits(self) -> int:
        """Positions found in the tablebases by all workers in this search."""
        if not self._helping:
            return self.workers[0].tb_hits
        return sum(worker.tb_hits for worker in self.workers[: 1 + self._helping])

    def resize(self, megabytes: int) -> None:
        """Another table size. MemoryError: the machine has not that much, the old table is kept."""
        old = self.table.megabytes
        if megabytes == old:
            return
        spare = available_mib()
        if spare is not None and megabytes > max(spare + old, LEAST_HASH):
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
        """As many workers as threads, or as the machine gives; some memory is left to the search then.

        MemoryError: there is not even one.
        """
        if threads == (self._refused or len(self.workers)):
            return
        self._refused = 0
        self._keep(threads)
        try:
            enough = all(self._add_worker() for _ in range(threads - len(self.workers)))
        except MemoryError:
            if not self.workers:
                raise
            enough = False
            self.shrink()
        self._refused = 0 if enough else threads

    def _add_worker(self) -> bool:
        """One more worker, with a thread unless it is the main one. False: the system starts no thread."""
        worker = Worker(self.table, self.stop_flag, self.parameters)
        worker.use_network(self.network, weights=self.weights, later=bool(self.workers))
        if self.workers and not self._helpers.add(worker):
            return False
        self.workers.append(worker)
        return True

    def _keep(self, threads: int) -> None:
        self._helpers.keep(threads - 1)
        del self.workers[threads:]

    def shrink(self) -> bool:
        """Give the memory of some helpers back, between searches. False: there are none."""
        helpers = len(self.workers) - 1
        if helpers > 0:
            self._refused = self._refused or 1 + helpers  # not tried again at every move
            self._keep(1 + KEPT * helpers // 4)
        return helpers > 0

    def set_network(self, network: Network | None, weights: Weights | None = None) -> None:
        """Another evaluation (see `Worker.use_network`): what was learnt with the old one is forgotten."""
        for worker in self.workers:
            worker.use_network(network, weights=weights, later=worker is not self.main)
        self.network, self.weights = network, weights
        self.new_game()

    def use_tablebases(self, tables: Tables | None, pieces: int, depth: int, fifty: bool) -> None:
        """What the next search may probe: see `Worker.use_tablebases`."""
        for worker in self.workers:
            worker.use_tablebases(tables, pieces, depth, fifty)

    def new_game(self) -> None:
        """Forget earlier games: the transposition table and the histories."""
        self.clear()
        for worker in self.workers:
            worker.new_game()

    def clear(self) -> None:
        """Empty the transposition table."""
        if self._written:
            self.table.clear()
            self._written = False

    def start(
        self, board: Board, searchmoves: list[int] | None, driver: str, helpers: int = 0, nodes: int = 0
    ) -> None:
        """Put the main worker at `board`; `start_helpers` will start so many helpers, if there are.

        nodes: shared out, 0 for any number.
        """
        self._written = True
        self.table.new_search()
        self.helpers = min(helpers, len(self._helpers))
        self._helping = 0
        self._root = board, searchmoves, driver
        shared = 0 < self.parameters["shared_history"] <= 1 + self.helpers
        lender = self.main if shared else None
        for worker in self.workers[1 : 1 + self.helpers]:
            worker.share_history(lender)
        self.main.set_position(board, searchmoves)
        self.set_limits(nodes, None)

    def start_helpers(self, deadline: float | None = None) -> None:
        """Let helpers search beside the main worker: as many as get a turn before the deadline.

        deadline: seconds of `time.monotonic`.
        """
        if not self.helpers:
            return
        board, searchmoves, driver = self._root
        cores = processors()
        count = self.helpers
        if deadline is not None:
            turns = int((deadline - time.monotonic()) / TURN) + 1
            count = min(count, max(0, turns) * max(1, cores - 1))
        for number, worker in enumerate(self.workers[1 : count + 1]):
            try:
                worker.set_position(board, searchmoves)
            except MemoryError:  # for the game's history: the main worker has its own
                count = number
                break
        self._helpers.start(count, driver, cores)
        self._helping = count

    def set_limits(self, nodes: int, deadline: float | None) -> None:
        """All workers stop at `deadline` (seconds of `time.monotonic`), or each after its share of `nodes`.

        From any thread, at any time.
        """
        share = max(1, nodes // (1 + self.helpers)) if nodes else 0
        self.stop_flag.set_limits(share, 0 if deadline is None else max(1, int(deadline * 1e9)))

    def forget_threads(self) -> None:
        """In a forked process, which has none of them: this pool is for nothing but to be deleted."""
        self._helpers.forget()
        self._ending = False

    def finish(self) -> None:
        """The search is over. Helpers see it a moment later; the answer need not wait for them."""
        self.stop_flag.set()
        self._ending = True
        self._helpers.finish()
        if not self._helping:
            self.settle()

    def settle(self) -> None:
        """Wait until the helpers of a finished search are done; call before anything of theirs is touched."""
        if self._ending:
            self._helpers.settle()
            self.stop_flag.clear()
            self._ending = False
