"""The laboratory on known trees: the trees of the seed documents, typed in, and the shared collections."""

import json

import pytest
from support.suites import needed

from sssnake.engine.lab.searches.classic import alpha_beta
from sssnake.engine.lab.searches.gsearch import gsearch_sss
from sssnake.engine.lab.searches.log import Result
from sssnake.engine.lab.searches.mtd import mtd_minus_inf, mtd_plus_inf
from sssnake.engine.lab.searches.stockman import dual, sss
from sssnake.engine.lab.trees.trees import NestedTree, OrderedTree, nested
from sssnake.engine.lab.views.solve import ALGORITHMS

SEED_TREE = NestedTree([[5, -2, 0], [1, -3, 7], [5, 5, 4]])
PLAAT_TREE = NestedTree(
    [[[[41, 5], [12, 90]], [[101, 80], [20, 30]]], [[[34, 80], [36, 35]], [[50, 36], [25, 3]]]]
)
TIES = NestedTree([[3, 2, 1], 3])


def values(tree: NestedTree, result: Result) -> list[int]:
    return [tree.values[leaf] for leaf in result.leaves if isinstance(leaf, int)]


def numbers(tree: NestedTree, result: Result) -> list[int]:
    return [tree.leaf_number[leaf] for leaf in result.leaves if isinstance(leaf, int)]


def test_the_first_seed_s_example() -> None:
    result = sss(SEED_TREE)
    names = SEED_TREE.names()
    assert result.value == 4
    assert [names[leaf] for leaf in result.leaves if isinstance(leaf, int)] == ["e", "h", "k", "f", "l", "m"]
    assert result.open_max == 3
    passes = mtd_plus_inf(SEED_TREE)
    assert passes.passes == [5, 4, 4]
    assert passes.leaves == result.leaves


def test_the_tree_of_plaat_and_others() -> None:
    assert values(PLAAT_TREE, sss(PLAAT_TREE)) == [41, 12, 34, 36, 5, 35, 50, 36]
    assert mtd_plus_inf(PLAAT_TREE).passes == [41, 36, 35, 35]
    assert len(alpha_beta(PLAAT_TREE).leaves) == len(dual(PLAAT_TREE).leaves) == 12
    assert len(mtd_minus_inf(PLAAT_TREE).passes) == 5


def test_ties_stop_gsearch_earlier_than_stockman() -> None:
    assert numbers(TIES, sss(TIES)) == [0, 3, 1]
    assert numbers(TIES, gsearch_sss(TIES)) == [0, 3]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_values_a_single_leaf_and_a_chain(algorithm: str) -> None:
    for tree, value in ((NestedTree(7), 7), (NestedTree([[[[-3]]]]), -3)):
        result = ALGORITHMS[algorithm](tree)
        assert (result.value, len(result.leaves)) == (value, 1)


def shared_records() -> list[dict[str, object]]:
    return [
        record
        for name in ("published.json", "generated.json")
        for record in json.loads(needed(name).read_text(encoding="utf-8"))
    ]


COLLECTED = {
    "alphabeta": "alphabeta",
    "sss": "sss",
    "dual": "dual",
    "mtd_plus_inf": "mtd+inf",
    "mtd_minus_inf": "mtd-inf",
    "scout": "scout",
}


@pytest.mark.parametrize("name", COLLECTED)
def test_every_record_of_the_shared_collections(name: str) -> None:
    records = shared_records()
    assert len(records) > 80
    for record in records:
        tree = NestedTree(record["tree"])  # type: ignore[arg-type]
        computed: dict[str, dict[str, object]] = record["computed"]  # type: ignore[assignment]
        wanted = computed[name]
        found = ALGORITHMS[COLLECTED[name]](tree)
        assert found.value == wanted["value"] == computed["minimax"], record["id"]
        assert numbers(tree, found) == wanted["order"], record["id"]
        assert found.passes == wanted.get("pass_values", []), record["id"]
        assert found.evaluations == wanted.get("leaf_evaluations", found.evaluations), record["id"]


def test_an_ordered_tree_has_the_value_it_was_grown_from() -> None:
    for seed in range(20):
        tree = NestedTree(nested(OrderedTree(3, 4, seed, order=0.5)))
        assert alpha_beta(tree).value == 0
