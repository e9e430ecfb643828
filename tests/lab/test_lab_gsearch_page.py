"""The page's GSEARCH, in JavaScript, against that of the laboratory; the ways to deviate from SSS*."""

import json

import pytest
from support.javascript import run

from sssnake.engine.lab.proofs.lemmas import explored_by_stockman
from sssnake.engine.lab.proofs.notation import (
    MAX,
    MIN,
    is_certified,
    is_eligible,
    lower_beta,
    open_spots,
    resists_rivals,
    strongest_rival,
    upper_alpha,
)
from sssnake.engine.lab.proofs.unsurpassed import WAYS, explored_by, has_chance
from sssnake.engine.lab.proofs.verify import fresh_trees
from sssnake.engine.lab.searches.gsearch import GSearch, leftmost
from sssnake.engine.lab.trees.making import text
from sssnake.engine.lab.trees.named import NAMED
from sssnake.engine.lab.trees.trees import NestedTree
from sssnake.engine.lab.views.solve import ALGORITHMS

TREES = [tree for tree in fresh_trees(90, seed=31) if len(tree) <= 80]
TREES += [named.tree for named in NAMED.values()]
TEXTS = [text(tree) for tree in TREES]


@pytest.mark.parametrize("rule", ["alphabeta", "sss", "dual"])
def test_every_bound_and_condition_at_every_step(rule: str) -> None:
    """U_b, L_b, U_t, L_t of all nodes of T; beta_, alpha^, eligible, certified, (B') of all OPEN nodes."""
    found = run(
        """return DATA.texts.map((text) => {
          const tree = parseTree(text), search = new GSearch(tree, DATA.rule), steps = [];
          for (let node; !search.solved && (node = search.select()) !== undefined;) {
            steps.push([node,
              [...search.there].sort((a, b) => a - b).map((n) => [n, search.lower[n], search.upper[n],
                search.lowerAbove(n), search.upperAbove(n), search.isCut(n)]),
              search.openList().map((n) => [n, search.lowerBeta(n), search.upperAlpha(n),
                search.strongestRival(n), search.isEligible(n), search.isCertified(n),
                search.resistsRivals(n), search.isPassedOver(n)])]);
            search.explore(node);
          }
          return [steps, search.leaves, search.lower[0]];
        });""",
        {"texts": TEXTS, "rule": rule},
    )
    assert isinstance(found, list)
    side = MIN if rule == "dual" else MAX
    for tree, (steps, leaves, value) in zip(TREES, found, strict=True):
        search = GSearch(tree, leftmost) if rule == "alphabeta" else side.search(tree)
        for node, bounds, opened in steps:
            spot = search.select()
            assert spot is not None and spot.node == node
            spots = {spot.node: spot for spot in all_spots(search)}
            assert bounds == [
                [
                    n,
                    str(s.lower),
                    str(s.upper),
                    str(search.lower_above(s)),
                    str(search.upper_above(s)),
                    search.is_cut(s),
                ]
                for n, s in sorted(spots.items())
            ]
            assert opened == [
                [
                    s.node,
                    str(lower_beta(s, side)),
                    str(upper_alpha(s, side)),
                    str(strongest_rival(s, side)),
                    is_eligible(s, side),
                    is_certified(search, s, side),
                    resists_rivals(s, side),
                    search.lower_above(s) >= search.upper_above(s),
                ]
                for s in open_spots(search)
            ]
            search.explore(spot)
        assert search.solved
        assert (leaves, value) == (ALGORITHMS[f"gsearch-{rule}"](tree).leaves, str(tree.minimax_values()[0]))


def all_spots(search: GSearch[int]) -> list:  # type: ignore[type-arg]
    stack, found = [search.root], []
    while stack:
        spot = stack.pop()
        found.append(spot)
        stack.extend(spot.children)
    return found


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("rule", ["sss", "dual"])
def test_a_tree_convicts_who_deviates(rule: str, way: str) -> None:
    """Witnesses convict by the laboratory's own searches; one is found wherever there is a chance."""
    side = MIN if rule == "dual" else MAX
    chances = [tree for tree in TREES if has_chance(way, tree, side)]  # type: ignore[arg-type]
    assert len(chances) > 5
    found = run(
        """return DATA.texts.map((text) => {
          const tree = parseTree(text), built = witness(tree, DATA.rule, DATA.way);
          return built && [textOf(built.tree), built.branched,
            [...new GSearch(built.tree, DATA.rule).run(DATA.way).explored]];
        });""",
        {"texts": [text(tree) for tree in chances], "rule": rule, "way": way},
    )
    assert isinstance(found, list)
    grown = 0
    for each in found:
        assert each is not None
        words, branched, explored = each
        built = NestedTree(json.loads(words))
        assert set(explored) == explored_by(way, built, side)  # type: ignore[arg-type]
        assert not set(explored) <= explored_by_stockman(built, side)
        grown += branched
    assert (grown > 0) is (way == "II")


def test_way_v_explores_what_sss_explores() -> None:
    """Lemma 4.5: another order of the nodes of infinite beta, the same nodes."""
    found = run(
        """return DATA.map((text) => {
          const tree = parseTree(text), departing = untilDeparture(tree, "sss", "V");
          if (!departing) return null;
          const explored = (way) => [...new GSearch(tree, "sss").run(way).explored].sort((a, b) => a - b);
          return [explored("V"), explored(null), witness(tree, "sss", "V")];
        });""",
        TEXTS,
    )
    assert isinstance(found, list)
    departures = [each for each in found if each]
    assert len(departures) > 20
    assert all(other == own and tree is None for other, own, tree in departures)
