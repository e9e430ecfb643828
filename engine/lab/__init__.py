"""The laboratory: trees and search algorithms in their textbook form.

For notebooks everything of use is here: `from sssnake.engine.lab import NestedTree, sss, mtd_f`. A tree shows
itself as a picture. Modules are imported when one of their names is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sssnake.engine.lab.chess.tree import ChessTree
    from sssnake.engine.lab.lessons.lessons import LESSONS
    from sssnake.engine.lab.proofs.shadow import equivalent, side_by_side
    from sssnake.engine.lab.proofs.theory import (
        branching_factor,
        expected_leaves,
        minimal_leaves,
        visited_by_sss,
    )
    from sssnake.engine.lab.proofs.verify import LEMMAS, PROPERTIES, fresh_trees
    from sssnake.engine.lab.searches.best import mtd_best
    from sssnake.engine.lab.searches.classic import (
        alpha_beta,
        alpha_beta_hard,
        alpha_beta_pv,
        minimax,
        negamax,
    )
    from sssnake.engine.lab.searches.gsearch import GSearch, gsearch_alpha_beta, gsearch_dual, gsearch_sss
    from sssnake.engine.lab.searches.informed import bstar, hstar
    from sssnake.engine.lab.searches.log import Result
    from sssnake.engine.lab.searches.memory import Bounded, Memory, OneBound
    from sssnake.engine.lab.searches.mtd import MT, mtd_bi, mtd_f, mtd_minus_inf, mtd_plus_inf, mtd_step
    from sssnake.engine.lab.searches.printed import alpha_beta_printed, scout_printed
    from sssnake.engine.lab.searches.scout import negascout, scout
    from sssnake.engine.lab.searches.stockman import Stockman, dual, sss
    from sssnake.engine.lab.trees.bounded import BoundedTree
    from sssnake.engine.lab.trees.making import example, random_tree
    from sssnake.engine.lab.trees.named import NAMED
    from sssnake.engine.lab.trees.reading import read_tree
    from sssnake.engine.lab.trees.trees import INF, LayeredDag, NestedTree, OrderedTree, RandomTree, nested
    from sssnake.engine.lab.views.show import page
    from sssnake.engine.lab.views.solve import ALGORITHMS

MODULES = {
    "chess.tree": "ChessTree",
    "lessons.lessons": "LESSONS",
    "proofs.shadow": "equivalent side_by_side",
    "proofs.theory": "branching_factor expected_leaves minimal_leaves visited_by_sss",
    "proofs.verify": "LEMMAS PROPERTIES fresh_trees",
    "searches.best": "mtd_best",
    "searches.classic": "alpha_beta alpha_beta_hard alpha_beta_pv minimax negamax",
    "searches.gsearch": "GSearch gsearch_alpha_beta gsearch_dual gsearch_sss",
    "searches.informed": "bstar hstar",
    "searches.log": "Result",
    "searches.memory": "Bounded Memory OneBound",
    "searches.mtd": "MT mtd_bi mtd_f mtd_minus_inf mtd_plus_inf mtd_step",
    "searches.printed": "alpha_beta_printed scout_printed",
    "searches.scout": "negascout scout",
    "searches.stockman": "Stockman dual sss",
    "trees.bounded": "BoundedTree",
    "trees.making": "example random_tree",
    "trees.named": "NAMED",
    "trees.reading": "read_tree",
    "trees.trees": "INF LayeredDag NestedTree OrderedTree RandomTree nested",
    "views.show": "page",
    "views.solve": "ALGORITHMS",
}
HOME = {name: module for module, names in MODULES.items() for name in names.split()}

__all__ = [
    "ALGORITHMS", "INF", "LEMMAS", "LESSONS", "MT", "NAMED", "PROPERTIES", "Bounded", "BoundedTree",
    "ChessTree", "GSearch", "LayeredDag", "Memory", "NestedTree", "OneBound", "OrderedTree", "RandomTree",
    "Result", "Stockman", "alpha_beta", "alpha_beta_hard", "alpha_beta_printed", "alpha_beta_pv",
    "branching_factor", "bstar", "dual", "equivalent", "example", "expected_leaves", "fresh_trees",
    "gsearch_alpha_beta", "gsearch_dual", "gsearch_sss", "hstar", "minimal_leaves", "minimax", "mtd_best",
    "mtd_bi", "mtd_f", "mtd_minus_inf", "mtd_plus_inf", "mtd_step", "negamax", "negascout", "nested",
    "page", "random_tree", "read_tree", "scout", "scout_printed", "side_by_side", "sss", "visited_by_sss",
]  # fmt: skip


def __getattr__(name: str) -> object:
    """Import the module that a name is from."""
    if name not in HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *HOME])
