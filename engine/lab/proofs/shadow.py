"""SSS* and MTD(+inf) side by side: which call of MT does the work of which step of Stockman's list.

Plaat, Schaeffer, Pijls & de Bruin (1996, appendix A) prove the equivalence by letting every call of MT act
on a shadow OPEN list. Here both searches run independently, step by step. Each step of SSS* corresponds to
a move of MT, in the same order: a LIVE state to MT's first visit of a node, a SOLVED one to a result >=
gamma.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sssnake.engine.lab.searches.mtd import MT, Bracket
from sssnake.engine.lab.searches.stockman import Step, Stockman
from sssnake.engine.lab.trees.trees import INF, NestedTree

Entry = tuple[int, bool, int]  # node, solved, merit


@dataclass
class Turn:
    """One step of SSS*, with OPEN as it stands before the step."""

    open_list: list[Entry]
    step: Step
    node: int


@dataclass
class Move:
    """One move of MT.

    kind    "enter": first visit of a node, "walk": another visit, "know": a table cutoff, "answer": a return
    g       the result (of "know" and "answer")
    bounds  the node's entry in the transposition table after the move
    turn    the number of the corresponding step of SSS*, from 0; None if there is none
    """

    kind: str
    node: int
    gamma: int
    number: int  # of the pass, from 1
    g: int = 0
    bounds: tuple[int, int] = (-INF, INF)
    turn: int | None = None


def turns(tree: NestedTree) -> Iterator[Turn]:
    """Run SSS*, and yield every step."""
    search = Stockman(tree)
    while search.value is None:
        entries = [(state.place.node, state.solved, state.merit) for state in search.open_list()]
        step = search.step()
        yield Turn(entries, step, entries[0][0])


class RecordingMT(MT[int]):
    """MT that tells its moves."""

    def __init__(self, tree: NestedTree, tell: Callable[[Move], None]) -> None:
        super().__init__(tree)
        self.tell = tell
        self.entered: set[int] = set()
        self.number = 0

    def search(self, node: int, gamma: int, maximizing: bool) -> int:
        """Search as MT does, and tell when the node is entered and left."""
        lower, upper = self.table.get(node)
        known = lower >= gamma or upper < gamma
        if not known:
            kind = "walk" if node in self.entered else "enter"
            self.tell(Move(kind, node, gamma, self.number))
            self.entered.add(node)
        g = super().search(node, gamma, maximizing)
        kind = "know" if known else "answer"
        self.tell(Move(kind, node, gamma, self.number, g, self.table.get(node)))
        return g


def perform(tree: NestedTree, tell: Callable[[Move], None]) -> None:
    """Run MTD(+inf), and tell every move of MT."""
    mt = RecordingMT(tree, tell)
    bracket = Bracket()
    gamma = INF
    while not bracket.closed:
        mt.number += 1
        bracket.narrow(gamma, mt.test(gamma))
        gamma = bracket.g


def corresponds(move: Move, turn: Turn) -> bool:
    """Return whether this move of MT does the work of this step of SSS*."""
    solves = move.kind in ("know", "answer") and move.g >= move.gamma
    happens = solves if turn.step.solved else move.kind == "enter"
    return happens and (move.node, move.gamma) == (turn.node, turn.step.merit)


def follow(tree: NestedTree, tell: Callable[[Move, Turn | None], None]) -> int:
    """Run both searches together; tell every move of MT with its step of SSS*, if it has one.

    Returns the number of steps that have no move. The searches are equivalent iff that is 0.
    """
    steps = turns(tree)
    awaited = next(steps, None)
    following = 0

    def told(move: Move) -> None:
        nonlocal awaited, following
        if awaited is None or not corresponds(move, awaited):
            tell(move, None)
            return
        turn, awaited = awaited, next(steps, None)
        move.turn = following
        following += 1
        tell(move, turn)

    perform(tree, told)
    return 0 if awaited is None else 1 + sum(1 for _ in steps)


def side_by_side(tree: NestedTree) -> tuple[list[Turn], list[Move]]:
    """Return the steps of SSS* that have a move, and all moves of MT."""
    told: list[Turn] = []
    played: list[Move] = []

    def tell(move: Move, turn: Turn | None) -> None:
        played.append(move)
        if turn is not None:
            told.append(turn)

    follow(tree, tell)
    return told, played


def equivalent(tree: NestedTree) -> bool:
    """Return whether every step of SSS* corresponds to a move of MT, in the same order."""
    return follow(tree, lambda _move, _turn: None) == 0
