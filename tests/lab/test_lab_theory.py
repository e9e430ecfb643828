"""Proved counts and expectations, compared with the searches."""

from fractions import Fraction

import pytest

from sssnake.engine.lab.proofs.theory import branching_factor, expected_leaves, minimal_leaves
from sssnake.engine.lab.searches.classic import alpha_beta
from sssnake.engine.lab.searches.stockman import dual, sss
from sssnake.engine.lab.trees.trees import OrderedTree, RandomTree


@pytest.mark.parametrize(
    ("width", "depth"), [(1, 5), (2, 2), (2, 7), (3, 3), (3, 4), (4, 4), (5, 3), (20, 3)]
)
def test_a_perfectly_ordered_tree_costs_the_least(width: int, depth: int) -> None:
    tree = OrderedTree(width, depth, seed=width * depth)
    for search in (alpha_beta, sss, dual):
        assert len(search(tree).leaves) == minimal_leaves(width, depth)


def test_exact_expectations() -> None:
    assert expected_leaves(alpha_beta, 2, 2) == Fraction(11, 3)
    assert expected_leaves(sss, 2, 2) == Fraction(10, 3)


def test_branching_factors() -> None:
    assert branching_factor(2) == pytest.approx(1.618, abs=5e-4)
    assert branching_factor(3) == pytest.approx(2.148, abs=5e-4)


def test_alpha_beta_grows_by_its_branching_factor() -> None:
    """Over two plies, away from the smallest depths, the count grows by about the square of the factor."""
    mean = {
        d: sum(len(alpha_beta(RandomTree(2, d, seed)).leaves) for seed in range(60)) / 60 for d in (9, 11)
    }
    assert mean[11] / mean[9] == pytest.approx(branching_factor(2) ** 2, rel=0.12)


def test_a_million_states_are_within_reach() -> None:
    result = sss(RandomTree(2, 18, seed=1))
    assert result.nodes > 5000
