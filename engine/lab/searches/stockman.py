"""Stockman's SSS* (1979) and its mirror DUAL*: a list OPEN of states, and six cases.

A state <n, LIVE or SOLVED, h> says: the best solution tree that runs through n is worth at most h. The state
of highest merit is developed first, among equals the textually leftmost one. That rule is not a detail:
without it SSS* may evaluate leaves that alpha-beta cuts.

DUAL* (Marsland, Reinefeld & Schaeffer 1987; Ibaraki's dual SSS*) exchanges MIN and MAX: it climbs from -INF
and takes the smallest h first.
"""

from collections.abc import Hashable, Sequence
from heapq import heappop, heappush
from typing import Generic, NamedTuple

from sssnake.engine.lab.searches.log import Log, Result
from sssnake.engine.lab.trees.trees import INF, GameTree, Node

Path = tuple[int, ...]  # Dewey's notation: which child at each ply


class Place(Generic[Node]):
    """An occurrence of a node in the unfolded tree, and the children through which OPEN lies below it."""

    __slots__ = ("active", "entry", "node", "parent")

    def __init__(self, node: Node, parent: "Place[Node] | None") -> None:
        self.node = node
        self.parent = parent
        self.active: list[Place[Node]] = []
        self.entry: State[Node] | None = None


class State(Generic[Node]):
    """One entry of OPEN."""

    __slots__ = ("merit", "on_open", "path", "place", "solved")

    def __init__(self, place: Place[Node], path: Path, solved: bool, merit: int) -> None:
        self.place = place
        self.path = path
        self.solved = solved
        self.merit = merit
        self.on_open = True

    def __lt__(self, other: "State[Node]") -> bool:
        return self.path < other.path


class Step(NamedTuple):
    """One step of SSS*, for traces: the state taken from OPEN and its case (0: the end)."""

    key: Hashable
    path: Path
    solved: bool
    merit: int
    case: int


class Stockman(Generic[Node]):
    """SSS* over a tree, one step at a time; `dual` makes it DUAL*.

    Wrong implementations differ in `rank`, `offspring` or `purge`; mutants.py overrides them.
    """

    def __init__(self, tree: GameTree[Node], dual: bool = False) -> None:
        self.tree = tree
        self.dual = dual
        self.log = Log(tree)
        self.heap: list[tuple[tuple[int, ...], State[Node]]] = []
        self.length = 0
        self.open_max = 0
        self.pushed = 0
        self.value: int | None = None
        self.push(Place(tree.root, None), (), False, -INF if dual else INF)

    # OPEN

    def rank(self, merit: int, path: Path) -> tuple[int, ...]:
        """Return the sort key of a state: merit first, then from left to right."""
        return (merit if self.dual else -merit, *path)

    def push(self, place: Place[Node], path: Path, solved: bool, merit: int) -> None:
        """Put a state on OPEN."""
        self.pushed += 1
        self.length += 1
        self.open_max = max(self.open_max, self.length)
        place.entry = State(place, path, solved, merit)
        heappush(self.heap, (self.rank(merit, path), place.entry))

    def pop(self) -> State[Node]:
        """Take the first state from OPEN that a purge has not removed."""
        while True:
            state = heappop(self.heap)[1]
            if state.on_open:
                self.length -= 1
                state.on_open = False
                state.place.entry = None
                return state

    def open_list(self) -> list[State[Node]]:
        """Return OPEN in its order, for traces."""
        return [state for _, state in sorted(self.heap) if state.on_open]

    def purge(self, place: Place[Node]) -> None:
        """Remove every descendant of `place` from OPEN."""
        below = list(place.active)
        place.active = []
        while below:
            inner = below.pop()
            if inner.entry is not None:
                inner.entry.on_open = False
                inner.entry = None
                self.length -= 1
            below.extend(inner.active)

    # Gamma

    def offspring(self, node: Node) -> Sequence[Node]:
        """Return the children in the order of search."""
        return self.tree.children(node)

    def step(self) -> Step:
        """Develop the first state of OPEN; after case 0 `value` is the result."""
        state = self.pop()
        place, path, merit = state.place, state.path, state.merit
        # Root and even plies are MAX; for DUAL* the roles are exchanged.
        our_move = (len(path) % 2 == 0) is not self.dual
        if state.solved:
            case = self.rise(place, path, merit, our_move)
        else:
            self.log.nodes += 1
            case = self.descend(place, path, merit, our_move)
        return Step(self.tree.key(place.node), path, state.solved, merit, case)

    def descend(self, place: Place[Node], path: Path, merit: int, our_move: bool) -> int:
        """Develop a LIVE state: cases 4 (leaf), 6 (our move: all children), 5 (theirs: the first)."""
        children = self.offspring(place.node)
        if not children:
            value = self.log.evaluate(place.node)
            self.push(place, path, True, max(merit, value) if self.dual else min(merit, value))
            return 4
        if our_move:
            place.active = [Place(child, place) for child in children]
            for i, child in enumerate(place.active):
                self.push(child, (*path, i), False, merit)
            return 6
        place.active = [Place(children[0], place)]
        self.push(place.active[0], (*path, 0), False, merit)
        return 5

    def rise(self, place: Place[Node], path: Path, merit: int, our_move: bool) -> int:
        """Develop a SOLVED state: cases 1 (a choice of ours is made), 2 (next brother), 3 (all answered)."""
        parent = place.parent
        if parent is None:
            self.value = merit
            return 0
        if not our_move:
            self.purge(parent)
            self.push(parent, path[:-1], True, merit)
            return 1
        brothers = self.offspring(parent.node)
        following = path[-1] + 1
        if following < len(brothers):
            brother = Place(brothers[following], parent)
            parent.active = [brother]
            self.push(brother, (*path[:-1], following), False, merit)
            return 2
        parent.active = []
        self.push(parent, path[:-1], True, merit)
        return 3

    def run(self) -> Result:
        """Make steps until the root is SOLVED."""
        while self.value is None:
            self.step()
        result = self.log.result(self.value)
        result.open_max = self.open_max
        return result


def sss(tree: GameTree[Node]) -> Result:
    """SSS* (Stockman 1979)."""
    return Stockman(tree).run()


def dual(tree: GameTree[Node]) -> Result:
    """DUAL*: SSS* with MIN and MAX exchanged."""
    return Stockman(tree, dual=True).run()
