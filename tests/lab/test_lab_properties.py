"""The theorems about SSS* and its relatives, on trees made by hypothesis."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.game_trees import trees

from sssnake.engine.lab.proofs.lemmas import explored_by_stockman
from sssnake.engine.lab.proofs.mutants import mutants
from sssnake.engine.lab.proofs.notation import MAX, MIN, Side, lower_beta, open_spots
from sssnake.engine.lab.proofs.unsurpassed import WAYS, Way, explored_by, has_chance, witness
from sssnake.engine.lab.proofs.verify import PROPERTIES, differences, fresh_trees, unfolding
from sssnake.engine.lab.searches.classic import alpha_beta
from sssnake.engine.lab.searches.family import Family
from sssnake.engine.lab.searches.gsearch import GSearch, Spot
from sssnake.engine.lab.searches.mtd import MT, from_above, mtd, mtd_minus_inf
from sssnake.engine.lab.searches.stockman import dual, sss
from sssnake.engine.lab.trees.making import random_tree
from sssnake.engine.lab.trees.trees import INF, LayeredDag, Nested, NestedTree


@pytest.mark.parametrize("name", PROPERTIES)
@settings(max_examples=150, deadline=None)
@given(tree=trees())
def test_property(name: str, tree: NestedTree) -> None:
    assert PROPERTIES[name](tree)


@pytest.mark.parametrize("name", PROPERTIES)
def test_property_on_uniform_and_random_trees(name: str) -> None:
    for tree in fresh_trees(60, seed=20):
        assert PROPERTIES[name](tree)


@settings(max_examples=200, deadline=None)
@given(
    size=st.integers(2, 5),
    width=st.integers(2, 3),
    depth=st.integers(2, 5),
    seed=st.integers(0, 2**32),
    values=st.sampled_from([3, 1 << 30]),
)
def test_layered_graphs(size: int, width: int, depth: int, seed: int, values: int) -> None:
    assert unfolding(LayeredDag(size, width, depth, seed, values))


def test_a_table_can_save_leaves_where_paths_meet() -> None:
    """DUAL* on the unfolded graph evaluates a leaf that MTD(-inf) saves by a transposition."""
    dag = LayeredDag(size=5, width=4, depth=4, seed=458, values=3)
    assert mtd_minus_inf(dag).leaves == dual(dag).leaves[:-1]


@pytest.mark.parametrize("name", mutants())
def test_mutants_are_caught_by_order_never_by_value(name: str) -> None:
    small = [tree for tree in fresh_trees(400, seed=5) if len(tree) <= 120]
    verdicts = [differences(mutants()[name], tree) for tree in small]
    assert not any(wrong_value for wrong_value, _, _ in verdicts)
    assert any(other_order for _, other_order, _ in verdicts)
    if name != "8-entry table":  # forgetting costs repetition; here it stays inside alpha-beta's leaves
        assert any(not_dominated for _, _, not_dominated in verdicts)


def test_the_true_search_passes_the_check_that_catches_mutants() -> None:
    for tree in fresh_trees(100, seed=5):
        assert differences(lambda t: mtd(MT(t), INF, from_above), tree) == (False, False, False)


def by_definition(search: GSearch[int], side: Side | None) -> Spot[int] | None:
    """The node that a rule selects, from the definition: no side, the leftmost; a side, the largest beta_."""
    spots = list(open_spots(search))
    if side is None or not spots:
        return spots[0] if spots else None
    return max(spots, key=lambda spot: lower_beta(spot, side))


@pytest.mark.parametrize("side", [None, MAX, MIN])
def test_gsearch_selects_by_definition_after_any_explorations(side: Side | None) -> None:
    """Its path and its families are as good as looking at everything, whatever was explored in between."""
    for seed, tree in enumerate(tree for tree in fresh_trees(150, seed=9) if len(tree) <= 80):
        search: GSearch[int] = GSearch(tree) if side is None else side.search(tree)
        rng = random.Random(seed)
        while (spots := list(open_spots(search))) and not search.solved:
            chosen = search.select()
            assert chosen is by_definition(search, side)
            assert chosen is not None
            above = chosen.ancestors
            lower = max((spot.lower for spot in above() if spot.maximizing), default=-INF)
            upper = min((spot.upper for spot in above() if not spot.maximizing), default=INF)
            assert search.above[-1] == (lower, upper)
            search.explore(chosen if rng.random() < 0.6 else rng.choice(spots))


def levels_an_exploration(tree: NestedTree, search: GSearch[int], monkeypatch: pytest.MonkeyPatch) -> float:
    """Levels of families that are gone through, on the way up and down, in an exploration."""
    levels = 0

    def counted(method: Callable[..., Any]) -> Callable[..., Any]:
        def call(family: Family, *values: Any) -> Any:
            nonlocal levels
            levels += family.places.bit_length()
            return method(family, *values)

        return call

    with monkeypatch.context() as patch:
        for name in ("change", "leftmost"):
            patch.setattr(Family, name, counted(getattr(Family, name)))
        search.run()
    return levels / search.log.nodes


def test_the_time_of_gsearch(monkeypatch: pytest.MonkeyPatch) -> None:
    """n log n on complete trees; on a path with a leaf beside each node it may be n^2 for SSS*."""
    for width, depth in ((2, 12), (4, 6), (30, 2)):
        tree = random_tree(width, depth, 1)
        for search in (GSearch(tree), MAX.search(tree), MIN.search(tree)):
            most = 2 * depth * ((width - 1).bit_length() + 1)
            assert levels_an_exploration(tree, search, monkeypatch) <= most
    found = {}
    for depth in (100, 400):
        path: Nested = 1000
        for ply in range(1, depth + 1):
            path = [path, (1000 - ply) * (-1) ** ply]
        tree = NestedTree(path)
        found[depth] = [
            levels_an_exploration(tree, s, monkeypatch) for s in (GSearch(tree), MAX.search(tree))
        ]
    assert found[400][0] < 10 > found[100][0] and found[400][1] > 3.5 * found[100][1]


@pytest.mark.parametrize(
    "tree",
    [
        [[[[13]]], [[[18, 0], 17], [[18], [15, 10]]]],
        [[[281110539]], 269398910, [[103123608, 936479418, 350478430], [984904807]]],
    ],
)
def test_rare_trees_are_found_in_way_two(tree: Nested) -> None:
    """What convicts lies between 17 and 18, or between some of the values: new leaves must be there."""
    built = witness("II", NestedTree(tree))
    assert built is not None
    assert explored_by("II", built) - explored_by_stockman(built)


@pytest.mark.parametrize("way", WAYS)
def test_a_deviating_search_visits_a_node_that_sss_does_not(way: Way) -> None:
    chances = [tree for tree in fresh_trees(250, seed=3) if len(tree) <= 60 and has_chance(way, tree)][:12]
    built = [tree for tree in (witness(way, chance) for chance in chances) if tree is not None]
    assert len(built) > 5
    assert len(built) == len(chances)
    for tree in built:
        assert explored_by(way, tree) - explored_by_stockman(tree)
        assert set(sss(tree).leaves) <= set(alpha_beta(tree).leaves)
