"""SSS* and MTD(+inf) side by side: which call of MT does the work of which step of Stockman's list.

Plaat, Schaeffer, Pijls & de Bruin (1996, appendix A) prove the equivalence by letting every call of MT act
on a shadow OPEN list. Here both searches run independently and are recorded. Each step of SSS* corresponds to
a move of MT, in the same order: a LIVE state to MT's first visit of a node, a SOLVED one to a result >=
gamma.
"""

from dataclasses import dataclass

from engine.lab.searches.mtd import MT, Bracket
from engine.lab.searches.stockman import Step, Stockman
from engine.lab.trees.trees import INF, NestedTree

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

    kind    "enter": first visit of a node, "walk": another visit, "know": a table cutoff, "answer": the
    return g       the result (of "know" and "answer") bounds  the node's entry in the transposition table
    after the move turn    the corresponding step of SSS*, counted from 0; None if there is none
    """

    kind: str
    node: int
    gamma: int
    number: int  # of the pass, from 1
    g: int = 0
    bounds: tuple[int, int] = (-INF, INF)
    turn: int | None = None


def turns(tree: NestedTree) -> list[Turn]:
    """Run SSS* and keep every OPEN list."""
    search = Stockman(tree)
    found = []
    while search.value is None:
        entries = [(state.place.node, state.solved, state.merit) for state in search.open_list()]
        step = search.step()
        found.append(Turn(entries, step, entries[0][0]))
    return found


class RecordingMT(MT[int]):
    """MT that records its moves."""

    def __init__(self, tree: NestedTree) -> None:
        super().__init__(tree)
        self.moves: list[Move] = []
        self.entered: set[int] = set()
        self.number = 0

    def search(self, node: int, gamma: int, maximizing: bool) -> int:
        """Search as MT does, and record entering and leaving the node."""
        lower, upper = self.table.get(node)
        known = lower >= gamma or upper < gamma
        if not known:
            kind = "walk" if node in self.entered else "enter"
            self.moves.append(Move(kind, node, gamma, self.number))
            self.entered.add(node)
        g = super().search(node, gamma, maximizing)
        kind = "know" if known else "answer"
        self.moves.append(Move(kind, node, gamma, self.number, g, self.table.get(node)))
        return g


def moves(tree: NestedTree) -> list[Move]:
    """Run MTD(+inf) and keep every move of MT."""
    mt = RecordingMT(tree)
    bracket = Bracket()
    gamma = INF
    while not bracket.closed:
        mt.number += 1
        bracket.narrow(gamma, mt.test(gamma))
        gamma = bracket.g
    return mt.moves


def side_by_side(tree: NestedTree) -> tuple[list[Turn], list[Move]]:
    """Run both, and set the corresponding turn of SSS* in the moves of MT.

    The searches are equivalent iff every turn has a move, in order and with gamma = the state's merit.
    """
    told, played = turns(tree), moves(tree)
    following = 0
    for move in played:
        if following == len(told):
            break
        turn = told[following]
        solves = move.kind in ("know", "answer") and move.g >= move.gamma
        happens = solves if turn.step.solved else move.kind == "enter"
        if happens and (move.node, move.gamma) == (turn.node, turn.step.merit):
            move.turn = following
            following += 1
    return told, played


def equivalent(tree: NestedTree) -> bool:
    """Return whether every step of SSS* corresponds to a move of MT, in the same order."""
    told, played = side_by_side(tree)
    return [move.turn for move in played if move.turn is not None] == list(range(len(told)))
