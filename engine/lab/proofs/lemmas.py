"""The lemmas that lead Katoh & Ibaraki (1987) to their theorem, each as a check on a tree.

A lemma that says "there is a game tree T_0, an extension of T, on which ..." is checked by constructing T_0.
The names and conditions are those of notation.py.
"""

from collections.abc import Iterator

from sssnake.engine.lab.proofs.notation import (
    MAX,
    Side,
    choices,
    extended,
    is_certified,
    is_eligible,
    is_passed_over,
    lower_beta,
    open_spots,
    resists_rivals,
    wandering,
)
from sssnake.engine.lab.searches.gsearch import GSearch, Spot, leftmost
from sssnake.engine.lab.searches.stockman import Stockman
from sssnake.engine.lab.trees.trees import INF, NestedTree

WALKS = 2  # random searches a tree


def explored_by_alpha_beta(tree: NestedTree) -> set[object]:
    """Return the nodes that alpha-beta explores."""
    search = GSearch(tree, leftmost)
    search.run()
    return set(search.explored)


def explored_by_stockman(tree: NestedTree, side: Side = MAX) -> set[object]:
    """Return the nodes that Stockman's SSS* (DUAL*) explores; at ties no fewer than GSEARCH's."""
    search = Stockman(tree, dual=not side.maximizing)
    visited: set[object] = set()
    while search.value is None:
        step = search.step()
        if not step.solved:
            visited.add(step.key)
    return visited


def best_first(tree: NestedTree, side: Side = MAX) -> Iterator[tuple[GSearch[int], Spot[int]]]:
    """Run SSS* or dual SSS*; yield the search and the chosen OPEN node before every step."""
    search = side.search(tree)
    while not search.solved:
        spot = search.select()
        assert spot is not None, "OPEN is empty, and the game is not solved"
        yield search, spot
        search.explore(spot)


def eligible_only(_search: GSearch[int], found: list[Spot[int]]) -> list[Spot[int]]:
    """Leave the eligible nodes: what is searched by this rule is an eligible search."""
    return [spot for spot in found if is_eligible(spot)]


def anything(_search: GSearch[int], found: list[Spot[int]]) -> list[Spot[int]]:
    """Leave every node: any search at all."""
    return found


def lemma_3_1(tree: NestedTree) -> bool:
    """Every eligible search surpasses alpha-beta: here, any eligible node is taken at random."""
    allowed = explored_by_alpha_beta(tree)
    for seed in range(WALKS):
        explored = {spot.node for _search, spot in wandering(tree, seed, eligible_only)}
        if not explored <= allowed:
            return False
    return True


def lemma_3_1_converse(tree: NestedTree) -> bool:
    """A search that explores a node P that is not eligible does not surpass alpha-beta.

    T_0: f = L_b on AMIN-LS(P) and f = U_b on AMAX-LS(P). Alpha-beta cuts P there.
    """
    for seed in range(WALKS):
        for search, spot in wandering(tree, seed, anything):
            if not is_eligible(spot):
                built = extended(search, tree, spot.left_of_path(False), spot.left_of_path(True))
                if spot.node in explored_by_alpha_beta(built):
                    return False
                break
    return True


def lemma_3_2(tree: NestedTree, side: Side = MAX) -> bool:
    """The OPEN node that SSS* chooses is eligible and certified, unless the preliminary test cuts it."""
    return all(
        is_passed_over(search, spot) or (is_eligible(spot, side) and is_certified(search, spot, side))
        for search, spot in best_first(tree, side)
    )


def satisfies_3_1(tree: NestedTree, spot: Spot[int]) -> bool:
    """Return whether P satisfies the conditions (A) and (B) of theorem 3.1, word for word."""
    f = tree.minimax_values()
    path = [spot, *spot.ancestors()][::-1]
    beta = min((f[q.node] for q in spot.left_of_path(False)), default=INF)
    alpha = max((f[q.node] for q in spot.left_of_path(True)), default=-INF)
    for step in path[1:]:
        above = step.parent
        assert above is not None
        if (
            not above.maximizing
            and min((f[q.node] for q in above.children[: step.index]), default=INF) == beta
        ):
            rival = max((f[q.node] for q in step.right_of_path(True)), default=-INF)
            return beta > alpha and beta >= rival
    return beta > alpha  # no node of AMIN-LS: beta is infinite


def lemma_3_3(tree: NestedTree) -> bool:
    """In a search tree of SSS*, (A') and (B') imply the conditions (A) and (B) of theorem 3.1."""
    return all(
        satisfies_3_1(tree, spot)
        for search, _chosen in best_first(tree)
        for spot in open_spots(search)
        if is_eligible(spot) and resists_rivals(spot)
    )


def lemma_3_4(tree: NestedTree, side: Side = MAX) -> bool:
    """Exactly one OPEN node is certified and satisfies (A') and (B'), once no beta_ is infinite.

    It is the node that SSS* explores next. Nodes that the preliminary test cuts do not count: where values
    tie, one of them may satisfy everything.
    """
    for search, spot in best_first(tree, side):
        if search.root.priority == INF or is_passed_over(search, spot):
            continue
        found = [
            one
            for one in choices(search)
            if is_certified(search, one, side) and is_eligible(one, side) and resists_rivals(one, side)
        ]
        if found != [spot]:
            return False
    return True


def lemma_3_5(tree: NestedTree) -> bool:
    """If an OPEN node P of any search violates (B'), there is a tree on which SSS* does not explore P.

    T_0: f = L_b on AMIN-LS(P) and f = U_b on AMAX-RS(P_k*).
    """
    for seed in range(WALKS):
        for search, _next in wandering(tree, seed, anything):
            for spot in choices(search):
                if not resists_rivals(spot):
                    built = extended(search, tree, spot.left_of_path(False), spot.right_of_path(True))
                    if spot.node in explored_by_stockman(built):
                        return False
    return True


def lemma_4_5(tree: NestedTree, side: Side = MAX) -> bool:
    """Way V: a search that takes nodes of infinite beta_ in another order explores the nodes of SSS*.

    Afterwards it takes the one node that lemma 3.4 leaves.
    """

    def way_five(search: GSearch[int], found: list[Spot[int]]) -> list[Spot[int]]:
        first = [spot for spot in found if lower_beta(spot, side) == INF]
        return first or [
            spot
            for spot in found
            if is_certified(search, spot, side) and is_eligible(spot, side) and resists_rivals(spot, side)
        ]

    sss = side.search(tree)
    sss.run()
    return all(
        {spot.node for _search, spot in wandering(tree, seed, way_five)} == sss.explored
        for seed in range(WALKS)
    )
