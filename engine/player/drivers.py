"""One iteration of the main thread: the passes of a driver, until its bracket closes.

The drivers themselves stand in `_fast/drivers/bracket.pyx`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from sssnake._fast.drivers.bracket import Bracket
from sssnake._fast.search.worker import Worker
from sssnake._fast.values import INFINITE

# Factor of the soft time limit, so that all take about the same time: how far the last iteration runs past
# that limit depends on the driver, and how soon it may end (`Bracket.suffices`).
PATIENCE = {"SSS*": 1.45, "SSS*-literal": 0.9, "DUAL*": 1.5, "MTD(f)": 1.8, "MTD(bi)": 1.35, "PVS": 1.4}


class Stopped(Exception):  # noqa: N818  # not an error
    """The core gave up in the middle of a pass: the iteration is void."""


@dataclass(frozen=True, slots=True)
class Pass:
    """A null-window test at the root, or with PVS and AlphaBeta a search in the window (alpha, gamma).

    All values are centipawns for the player to move. value: what the pass returned: an upper bound if it is
    at most alpha, a lower bound if it is at least gamma, else exact. nodes: of this pass; 0: earlier bounds
    answered it. lower, upper: the bracket after it; None: not known. line: which of several lines (MultiPV)
    is searched, from 1; 0: there is one.
    """

    depth: int
    line: int
    number: int  # within the iteration, from 1
    alpha: int
    gamma: int
    value: int
    nodes: int
    lower: int | None
    upper: int | None
    crossed: bool  # it contradicts a bound of an earlier pass; the newer one counts

    @classmethod
    def last_of(cls, bracket: Bracket, nodes: int, line: int = 0) -> "Pass":
        """The last pass of a bracket."""
        lower = bracket.lower if bracket.lower > -INFINITE else None
        upper = bracket.upper if bracket.upper < INFINITE else None
        number, crossed = bracket.passes, bracket.crossed
        window = bracket.alpha, bracket.gamma
        return cls(bracket.depth, line, number, *window, bracket.value, nodes, lower, upper, crossed)

    @property
    def kind(self) -> str:
        """What it proved: "lower", "upper" or "exact"; "not searched" if nothing new."""
        if not self.nodes:
            return "not searched"
        return "lower" if self.value >= self.gamma else "upper" if self.value <= self.alpha else "exact"


def close(
    bracket: Bracket,
    worker: Worker,
    after_pass: Callable[[Bracket, int], None] | None = None,
    is_last: Callable[[Bracket], bool] | None = None,
) -> None:
    """Make passes until the bracket closes, or out of time until a move is proved. Raises Stopped.

    after_pass: gets the bracket and the nodes of each pass. is_last: whether the search would end with this
    iteration, if it closed now.
    """
    while bracket.next_window() and not (is_last and bracket.suffices and is_last(bracket)):
        before = worker.nodes
        if not bracket.search(worker):
            raise Stopped
        if after_pass:
            after_pass(bracket, worker.nodes - before)
