"""What `sssnake.engine.lab` offers to notebooks: the one list of its names."""

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
