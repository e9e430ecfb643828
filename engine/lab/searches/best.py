"""MTD(best): search for the best move rather than for its value (Plaat et al. 1996)."""

from dataclasses import dataclass
from heapq import heappop, heappushpop

from sssnake.engine.lab.searches.log import Result
from sssnake.engine.lab.searches.memory import Table
from sssnake.engine.lab.searches.mtd import MT, Bracket
from sssnake.engine.lab.trees.trees import INF, GameTree, Node


@dataclass
class Choice:
    """The root move proved best, the bounds of every root move, and the results of the passes."""

    move: int
    brackets: list[Bracket]
    passes: list[int]


def prove_best(mt: MT[Node]) -> Choice:
    """Find a move whose lower bound no other move's upper bound exceeds, and stop there.

    From above, as SSS*: the move with the highest upper bound is tested against the next upper bound. It
    reaches it and is the best, or its upper bound falls below it.
    """
    moves = mt.tree.children(mt.tree.root)
    brackets = [Bracket() for _ in moves]
    passes: list[int] = []
    rivals = [(-bracket.upper, i) for i, bracket in enumerate(brackets)]  # a heap
    leader = heappop(rivals)[1]
    while brackets[leader].lower < (bar := -rivals[0][0] if rivals else -INF):
        passes.append(mt.search(moves[leader], bar, False))
        brackets[leader].narrow(bar, passes[-1])
        if brackets[leader].lower < bar:
            leader = heappushpop(rivals, (-brackets[leader].upper, leader))[1]
    return Choice(leader, brackets, passes)


def mtd_best(tree: GameTree[Node], table: Table | None = None) -> Result:
    """Prove the best move, then find the value of that move alone: it is the root's."""
    mt = MT(tree, table)
    moves = mt.tree.children(tree.root)
    if not moves:
        return mt.log.result(mt.test(INF))
    choice = prove_best(mt)
    bracket = choice.brackets[choice.move]
    while not bracket.closed:
        gamma = bracket.upper
        choice.passes.append(mt.search(moves[choice.move], gamma, False))
        bracket.narrow(gamma, choice.passes[-1])
    result = mt.log.result(bracket.lower)
    result.passes = choice.passes
    return result
