"""The lemmas of Katoh & Ibaraki, and that each of their conditions is needed."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from support.game_trees import trees

from sssnake.engine.lab.proofs import informed, lemmas, notation
from sssnake.engine.lab.proofs.mutants import dual_as_printed
from sssnake.engine.lab.proofs.notation import MAX, MIN, Side
from sssnake.engine.lab.proofs.unsurpassed import WAYS, Way, explored_by, has_chance, witness
from sssnake.engine.lab.proofs.verify import LEMMAS, differences, fresh_trees
from sssnake.engine.lab.searches.gsearch import GSearch, Spot
from sssnake.engine.lab.searches.informed import InformedSearch
from sssnake.engine.lab.searches.stockman import dual
from sssnake.engine.lab.trees.trees import INF, NestedTree

SMALL = [tree for tree in fresh_trees(120, seed=33) if len(tree) <= 80]


@pytest.mark.parametrize("name", LEMMAS)
def test_lemma(name: str) -> None:
    assert all(LEMMAS[name](tree) for tree in SMALL)


@pytest.mark.parametrize("name", LEMMAS)
@settings(max_examples=40, deadline=None)
@given(tree=trees(16))
def test_lemma_on_trees_of_hypothesis(name: str, tree: NestedTree) -> None:
    assert LEMMAS[name](tree)


@pytest.mark.parametrize("side", [MAX, MIN])
def test_lemma_3_4_needs_each_of_its_conditions(side: Side) -> None:
    """With two of the three conditions there are more such nodes on some trees."""
    unique = dict.fromkeys(combinations(("certified", "eligible", "resists"), 2), True)
    for tree in SMALL:
        for search, spot in lemmas.best_first(tree, side):
            if search.root.priority == INF or notation.is_passed_over(search, spot):
                continue
            found = [
                {
                    "certified": notation.is_certified(search, one, side),
                    "eligible": notation.is_eligible(one, side),
                    "resists": notation.resists_rivals(one, side),
                }
                for one in notation.choices(search)
            ]
            for pair in unique:
                unique[pair] &= sum(all(one[name] for name in pair) for one in found) == 1
    assert not any(unique.values())


def test_lemma_3_3_needs_its_second_condition() -> None:
    assert not all(
        lemmas.satisfies_3_1(tree, spot)
        for tree in SMALL
        for search, _ in lemmas.best_first(tree)
        for spot in notation.choices(search)
        if notation.is_eligible(spot)
    )


def test_the_conditions_of_theorem_3_1_word_for_word() -> None:
    """On the whole search tree of SSS* without cuts they name what Stockman's search visits."""
    for tree in SMALL:
        visited = lemmas.explored_by_stockman(tree)
        search = MAX.search(tree)
        while (spots := list(notation.open_spots(search))) != []:
            for spot in spots:
                assert lemmas.satisfies_3_1(tree, spot) is (spot.node in visited)
                grow(search, spot)


def grow(search: GSearch[int], spot: Spot[int]) -> None:
    """Generate the children of a node, whether it is cut or not."""
    spot.is_open = False
    spot.children = [Spot(child, spot, i) for i, child in enumerate(search.tree.children(spot.node))]


def test_a_random_search_is_not_eligible_and_leaves_what_alpha_beta_visits() -> None:
    for tree in SMALL:
        explored = {spot.node for _, spot in notation.wandering(tree, 1, lemmas.anything)}
        if not explored <= lemmas.explored_by_alpha_beta(tree):
            return
    pytest.fail("a random search never left alpha-beta's nodes")


def test_way_five_is_another_order() -> None:
    """The order of nodes of infinite beta_ differs, or there would be nothing to prove."""
    orders = 0
    for tree in SMALL:
        rule = lambda search, found: [s for s in found if notation.lower_beta(s) == INF] or found[:1]  # noqa: E731
        walked = [spot.node for _, spot in notation.wandering(tree, 5, rule)]
        usual = [
            spot.node for search, spot in lemmas.best_first(tree) if not notation.is_passed_over(search, spot)
        ]
        orders += walked[: len(usual)] != usual
    assert orders > 10


def test_only_the_built_trees_keep_hstar_away() -> None:
    """On the tree as it is H* explores many of the nodes that a deviating search explores first."""
    kept = drawn = 0
    for tree in SMALL[:40]:
        bounded = informed.narrowing(tree, seed=len(tree), spread=1 + len(tree) % 40)
        search = InformedSearch(bounded)
        while not search.root.solved:
            y = search.root.tip()
            for x in informed.tips(search):
                if x is not y:
                    kept += x.node not in informed.explored_by_hstar(informed.against(search, x, y, bounded))
                    drawn += x.node in informed.explored_by_hstar(bounded)
            search.explore(y)
    assert kept > drawn > 20


def test_narrowing_bounds_hold_and_narrow() -> None:
    for tree in SMALL:
        bounded = informed.narrowing(tree, seed=3, spread=9)
        for node, children in enumerate(tree.kids):
            if children:
                best = min if tree.ply[node] % 2 else max
                assert best(bounded.pairs[child][0] for child in children) >= bounded.pairs[node][0]
                assert best(bounded.pairs[child][1] for child in children) <= bounded.pairs[node][1]


def test_dual_sss_is_misprinted() -> None:
    """The largest alpha^ finds the value, but not as DUAL* does: it leaves alpha-beta's nodes."""
    found = [differences(dual_as_printed, tree, dual) for tree in SMALL]
    assert not any(wrong for wrong, _, _ in found)
    assert sum(outside for _, _, outside in found) > 5


@pytest.mark.parametrize("way", WAYS)
def test_dual_sss_is_not_surpassed(way: Way) -> None:
    chances = [tree for tree in fresh_trees(400, seed=3) if len(tree) <= 60 and has_chance(way, tree, MIN)][
        :80
    ]
    built = [tree for tree in (witness(way, chance, MIN) for chance in chances) if tree is not None]
    assert len(built) == len(chances) > 10
    for tree in built:
        assert explored_by(way, tree, MIN) - lemmas.explored_by_stockman(tree, MIN)
