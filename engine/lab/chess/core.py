"""The engine's search for the laboratory: one position, one transposition table, any driver, all counts."""

from collections.abc import Callable

from sssnake._fast.board.board import Board
from sssnake._fast.board.playable import read_fen
from sssnake._fast.search import root
from sssnake._fast.search.parameters import GROUPS
from sssnake._fast.search.params import Parameters
from sssnake._fast.search.tt import TranspositionTable
from sssnake._fast.search.worker import StopFlag, Worker
from sssnake._fast.values import INFINITE
from sssnake.engine.lab.searches.mtd import around, drive, from_above, from_below
from sssnake.engine.lab.trees.trees import TreeError

TABLE_MEGABYTES = 64
ASPIRATION = 40  # centipawns: half width of the first window around the last value

EXACT = (
    "Exact mode: every legal move to the same depth, then the static value; the 50-move rule does not count, "
    "nor do repetitions below the root, so that a position has one value on every path."
)

SELECTIVE = ("Pruning of whole nodes", "Pruning of moves", "Extensions", "Late move reductions")
# All selective rules switched off, but not quiescence and move ordering.
FULL_WIDTH = {
    row.name: row.off
    for title, rows in GROUPS.items()
    for row in rows
    if row.off is not None
    and (title.startswith(SELECTIVE) or row.name in ("iir_depth", "correction_rate", "driver_pv_nodes"))
    and row.name != "mate_distance"
}


class Core:
    """The core on one position.

    exact: full width, static leaves, moves in generation order, TT entries of exact depth, and a log of the
    leaves; see EXACT. Else play mode, without the log. clusters: size of the TT (0: 64 MB). parameters: of
    the search.
    """

    def __init__(
        self,
        fen: str,
        depth: int = 0,
        exact: bool = True,
        clusters: int = 0,
        parameters: Parameters | None = None,
        chess960: bool = False,
    ) -> None:
        try:
            board = Board.from_chess(read_fen(fen, chess960)[0])
        except ValueError as error:
            raise TreeError(str(error)) from None
        self.exact = exact
        self.table = TranspositionTable(TABLE_MEGABYTES, exact=exact, clusters=clusters)
        self.worker = Worker(self.table, StopFlag(), parameters)
        self.worker.set_position(board)
        self.begin(depth)

    def begin(self, depth: int) -> None:
        """Begin an iteration: an empty leaf log; the transposition table is kept."""
        self.depth = depth
        self.worker.set_exact(self.exact, log_leaves=self.exact)
        self.worker.new_iteration(depth)
        self.passes = 0
        self.before = self.worker.nodes

    @property
    def nodes(self) -> int:
        """Nodes of this iteration."""
        return self.worker.nodes - self.before

    def test(self, gamma: int) -> int:
        """The null-window test at the root: a pass."""
        self.passes += 1
        return root.mt(self.worker, max(-INFINITE, min(gamma, INFINITE)), self.depth)

    def shuffled(self, gamma: int) -> int:
        """A pass, then sort the root moves by node count, so that their order changes."""
        g = self.test(gamma)
        self.worker.sort_roots()
        return g

    def window(self, alpha: int, beta: int, scouting: bool) -> int:
        """Search an open window: as PVS does, or as alpha-beta without scouting."""
        self.passes += 1
        self.worker.set_scouting(scouting)
        return root.window(self.worker, alpha, beta, self.depth)

    def aspire(self, guess: int) -> int:
        """PVS in a window around the guess, and with the failing side open where it fails."""
        alpha, beta = max(guess - ASPIRATION, -INFINITE), min(guess + ASPIRATION, INFINITE)
        value = self.window(alpha, beta, scouting=True)
        if value <= alpha:
            return self.window(-INFINITE, value + 1, scouting=True)
        return self.window(value - 1, INFINITE, scouting=True) if value >= beta else value

    def leaves(self) -> list[int]:
        """Return the keys of the distinct leaves evaluated, in order of first evaluation."""
        return list(dict.fromkeys(self.worker.leaves()))


Driver = Callable[[Core, int], int]  # runs one iteration, given a guess; returns the value

DRIVERS: dict[str, Driver] = {
    "alpha-beta": lambda core, guess: core.window(-INFINITE, INFINITE, scouting=False),
    "NegaScout": lambda core, guess: core.window(-INFINITE, INFINITE, scouting=True),
    "aspiration NegaScout": lambda core, guess: core.aspire(guess),
    "SSS*": lambda core, guess: drive(core.test, INFINITE, from_above)[0],
    "DUAL*": lambda core, guess: drive(core.test, 1 - INFINITE, from_below)[0],
    "MTD(f)": lambda core, guess: drive(core.test, guess, around)[0],
}
