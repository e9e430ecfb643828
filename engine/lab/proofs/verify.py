"""`lab verify`: every theorem about these searches, checked on new random trees.

A property takes a tree and returns whether it holds. The tests check the same properties with hypothesis.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from itertools import pairwise

from sssnake.engine.lab.proofs import lemmas
from sssnake.engine.lab.proofs.informed import theorem_2_2
from sssnake.engine.lab.proofs.mutants import dual_as_printed, mutants
from sssnake.engine.lab.proofs.notation import MAX, MIN
from sssnake.engine.lab.proofs.shadow import equivalent
from sssnake.engine.lab.proofs.theory import visited_by_sss
from sssnake.engine.lab.proofs.unsurpassed import WAYS, has_chance, witness
from sssnake.engine.lab.searches import best, classic, gsearch, informed, mtd, scout, stockman
from sssnake.engine.lab.searches.log import Result
from sssnake.engine.lab.searches.memory import Bounded, OneBound
from sssnake.engine.lab.trees.bounded import BoundedTree
from sssnake.engine.lab.trees.trees import GameTree, LayeredDag, NestedTree, Node, RandomTree, mix, nested

Property = Callable[[NestedTree], bool]


def same_value(tree: GameTree[Node]) -> bool:
    """Every search returns the minimax value."""
    value = classic.minimax(tree).value
    searches = (
        classic.negamax,
        classic.alpha_beta,
        classic.alpha_beta_hard,
        classic.alpha_beta_pv,
        scout.scout,
        scout.negascout,
        stockman.sss,
        stockman.dual,
        gsearch.gsearch_alpha_beta,
        gsearch.gsearch_sss,
        gsearch.gsearch_dual,
        mtd.mtd_plus_inf,
        mtd.mtd_minus_inf,
        mtd.mtd_f,
        mtd.mtd_bi,
        mtd.mtd_step,
        best.mtd_best,
    )
    return all(search(tree).value == value for search in searches)


def any_memory(tree: GameTree[Node]) -> bool:
    """Entries that a table loses never make the value wrong."""
    value = classic.minimax(tree).value
    tables = (OneBound, lambda: Bounded(1), lambda: Bounded(8), lambda: Bounded(64))
    searches = (mtd.mtd_plus_inf, mtd.mtd_minus_inf, best.mtd_best)
    return all(search(tree, table()).value == value for table in tables for search in searches)


def sss_is_mtd(tree: GameTree[Node]) -> bool:
    """SSS* and MTD(+inf) evaluate the same leaves in the same order, each once in an explicit tree."""
    stockmans, passes = stockman.sss(tree), mtd.mtd_plus_inf(tree)
    return stockmans.leaves == passes.leaves and passes.evaluations == len(passes.leaves)


def dual_is_mtd(tree: GameTree[Node]) -> bool:
    """DUAL* and MTD(-inf) evaluate the same leaves in the same order."""
    stockmans, passes = stockman.dual(tree), mtd.mtd_minus_inf(tree)
    return stockmans.leaves == passes.leaves and passes.evaluations == len(passes.leaves)


def descending_passes(tree: GameTree[Node]) -> bool:
    """MTD(+inf) descends with every pass but the last, which fails high; MTD(-inf) climbs likewise."""
    down, up = mtd.mtd_plus_inf(tree).passes, mtd.mtd_minus_inf(tree).passes
    falls = all(a > b for a, b in pairwise(down[:-1])) and down[-2:] == [down[-1]] * 2
    climbs = all(a < b for a, b in pairwise(up[:-1])) and up[-2:] == [up[-1]] * 2
    return falls and climbs


def gsearch_agrees(tree: NestedTree) -> bool:
    """GSEARCH is alpha-beta; it is SSS* and DUAL* on distinct values, and a part of them where values tie."""
    leaves = [tree.values[leaf] for leaf in tree.leaf_number]
    distinct = len(set(leaves)) == len(leaves)
    if gsearch.gsearch_alpha_beta(tree).leaves != classic.alpha_beta(tree).leaves:
        return False
    pairs = (
        (gsearch.gsearch_sss(tree), stockman.sss(tree)),
        (gsearch.gsearch_dual(tree), stockman.dual(tree)),
    )
    return all(g.leaves == s.leaves if distinct else set(g.leaves) <= set(s.leaves) for g, s in pairs)


def dominates(tree: GameTree[Node]) -> bool:
    """SSS* and DUAL* evaluate no leaf that alpha-beta cuts."""
    everything = set(classic.alpha_beta(tree).leaves)
    return everything.issuperset(stockman.sss(tree).leaves) and everything.issuperset(
        stockman.dual(tree).leaves
    )


def theorem_3_1(tree: NestedTree) -> bool:
    """SSS* visits exactly the nodes that Theorem 3.1 names."""
    return lemmas.explored_by_stockman(tree) == visited_by_sss(tree)


def contract(tree: GameTree[Node]) -> bool:
    """Alpha-beta in a window and MT obey their contracts: fail-soft, fail-hard, windows around the value."""
    m = classic.minimax(tree).value
    for alpha, beta in ((m - 2, m - 1), (m - 1, m), (m - 1, m + 1), (m, m + 1), (m + 1, m + 3)):
        soft = classic.alpha_beta(tree, alpha, beta).value
        if not (m <= soft <= alpha if m <= alpha else beta <= soft <= m if m >= beta else soft == m):
            return False
        if classic.alpha_beta_hard(tree, alpha, beta).value != min(max(m, alpha), beta):
            return False
        g = mtd.MT(tree).test(beta)
        if not (m <= g if g < beta else m >= g):
            return False
    return True


def line_is_principal(tree: NestedTree) -> bool:
    """The line leads to a leaf of the root's value, by the leftmost of the best moves."""
    values = tree.minimax_values()
    node, line = 0, [0]
    while tree.kids[node]:
        node = next(child for child in tree.kids[node] if values[child] == values[0])
        line.append(node)
    return classic.alpha_beta_pv(tree).line == line


def best_move(tree: NestedTree) -> bool:
    """MTD(best) and B* choose a best root move; H* and B* find the value."""
    values = tree.minimax_values()
    choice = best.prove_best(mtd.MT(tree)).move
    bounded = BoundedTree.around(nested(tree), seed=len(tree), spread=1 + abs(values[0]) % 20)
    proof = informed.prove_best(informed.InformedSearch(bounded)).move
    best_moves = {i for i, child in enumerate(tree.kids[0]) if values[child] == values[0]}
    solved: list[Result] = [informed.bstar(bounded), informed.hstar(bounded)]
    return {choice, proof} <= best_moves and all(result.value == values[0] for result in solved)


PROPERTIES: dict[str, Property] = {
    "every search returns the minimax value": same_value,
    "a table that forgets never makes MTD wrong": any_memory,
    "leaf order of SSS* = leaf order of MTD(+inf)": sss_is_mtd,
    "leaf order of DUAL* = leaf order of MTD(-inf)": dual_is_mtd,
    "every step of SSS* is a move of MT, in order": equivalent,
    "only the last pass from infinity turns": descending_passes,
    "GSEARCH is alpha-beta, SSS* and DUAL*": gsearch_agrees,
    "SSS* and DUAL* dominate alpha-beta": dominates,
    "Theorem 3.1 names the nodes SSS* visits": theorem_3_1,
    "windows: fail-soft, fail-hard and MT contracts": contract,
    "the copied-up line is principal, leftmost first": line_is_principal,
    "MTD(best), B* and H* find the best move": best_move,
}

# The paper's lemmas about search trees, on small trees: each looks at all OPEN nodes at every step.
LEMMAS: dict[str, Property] = {
    "Lemma 3.1: every eligible search surpasses alpha-beta": lemmas.lemma_3_1,
    "Lemma 3.1: no other search does": lemmas.lemma_3_1_converse,
    "Lemma 3.2: SSS* explores eligible, certified nodes": lemmas.lemma_3_2,
    "Lemma 3.2 for dual SSS*": lambda tree: lemmas.lemma_3_2(tree, MIN),
    "Lemma 3.3: (A') and (B') imply (A) and (B)": lemmas.lemma_3_3,
    "Lemma 3.4: one node satisfies (A') and (B')": lemmas.lemma_3_4,
    "Lemma 3.4 for dual SSS*": lambda tree: lemmas.lemma_3_4(tree, MIN),
    "Lemma 3.5: SSS* avoids a node that violates (B')": lemmas.lemma_3_5,
    "Lemma 4.5: SSS* is not surpassed, way V": lemmas.lemma_4_5,
    "Lemma 4.5 for dual SSS*": lambda tree: lemmas.lemma_4_5(tree, MIN),
    "Theorem 2.2: H* is not surpassed": theorem_2_2,
}


def unfolding(dag: LayeredDag) -> bool:
    """With transpositions, MTD's leaves are among those of SSS* on the unfolded tree, in order.

    Nearly always they are all of them. But if a node is proved >= 3 along one path, a later pass with gamma 2
    finds the bound on another path, where SSS* has to prove >= 2 again.
    """
    pairs = (
        (mtd.mtd_plus_inf(dag), stockman.sss(dag)),
        (mtd.mtd_minus_inf(dag), stockman.dual(dag)),
    )
    return same_value(dag) and all(is_subsequence(passes.leaves, tree.leaves) for passes, tree in pairs)


def is_subsequence(part: Sequence[Hashable], whole: Sequence[Hashable]) -> bool:
    """Return whether `part` is `whole` with some items left out."""
    rest = iter(whole)
    return all(item in rest for item in part)


FEWEST_DEVIATING, MOST_DEVIATING = 30, 150  # trees on which searches deviate from SSS*: each takes many
MUTANTS = (
    "mutants: SSS* with an error put in on purpose. Its values are right all the same, so a check that looks "
    "at values alone passes it; each mutant must be caught by the order of its leaves"
)
MUTANT_TREES = 300  # mutants differ on some trees only: at least so many are tried


def fresh_trees(count: int, seed: int) -> Iterator[NestedTree]:
    """Yield random trees of every kind: uniform, irregular, single children; ties none, some, almost only."""
    for number in range(count):
        draw = mix(mix(seed) + number)
        width, depth = 1 + draw % 4, 1 + (draw >> 8) % 5
        values = (2, 4, 20, 1 << 30)[(draw >> 16) % 4]
        tree = RandomTree(width, depth, draw, values, irregular=(draw >> 24) % 2 == 1)
        yield NestedTree(nested(tree))


def fresh_dags(count: int, seed: int) -> Iterator[LayeredDag]:
    """Yield random layered graphs, with and without ties."""
    for number in range(count):
        draw = mix(mix(~seed) + number)
        size, width, depth = 2 + draw % 4, 2 + (draw >> 8) % 2, 2 + (draw >> 16) % 4
        yield LayeredDag(size, width, depth, draw, values=(4, 1 << 30)[(draw >> 24) % 2])


def differences(
    search: Callable[[NestedTree], Result],
    tree: NestedTree,
    original: Callable[[NestedTree], Result] = stockman.sss,
) -> tuple[bool, bool, bool]:
    """Compare with an original: (wrong value, other leaves or order, leaves that alpha-beta cuts)."""
    found, true = search(tree), original(tree)
    outside = not set(found.leaves) <= set(classic.alpha_beta(tree).leaves)
    return found.value != true.value, found.leaves != true.leaves, outside


Progress = Callable[[Sequence[int]], Iterable[int]]
Line = tuple[bool | None, str]  # whether it holds, and what; None: a remark

SMALL = 120  # nodes of a tree on which every OPEN node is looked at


def report(count: int, seed: int, progress: Progress) -> Iterator[Line]:
    """Yield a line for every property, for the graphs, for every mutant, lemma and way to deviate."""
    trees = list(fresh_trees(count, seed))
    yield from report_properties(PROPERTIES, trees, progress)
    yield report_graphs(count, seed, progress)
    more = list(fresh_trees(max(count, MUTANT_TREES), seed))
    small = [tree for tree in more if len(tree) <= SMALL]
    yield None, MUTANTS
    for name, mutant in mutants().items():
        # Without a purge the number of states of SSS* explodes, except on small trees.
        tried = small if name == "no purge" else more
        yield report_mutant(name, [differences(mutant, tried[i]) for i in progress(range(len(tried)))])
    printed = [differences(dual_as_printed, small[i], stockman.dual) for i in progress(range(len(small)))]
    yield report_mutant("dual SSS* as misprinted", printed)
    yield from report_properties(LEMMAS, [tree for tree in trees if len(tree) <= SMALL], progress)
    yield from report_ways(small[: max(FEWEST_DEVIATING, min(count, MOST_DEVIATING))], progress)


def report_properties(
    properties: dict[str, Property], trees: Sequence[NestedTree], progress: Progress
) -> Iterator[Line]:
    """Check every property on every tree."""
    for name, holds in properties.items():
        broken = [i for i in progress(range(len(trees))) if not holds(trees[i])]
        culprit = f"; first broken by {nested(trees[broken[0]])}" if broken else ""
        yield not broken, f"{name}: {len(trees) - len(broken)} of {len(trees)}{culprit}"


def report_graphs(count: int, seed: int, progress: Progress) -> Line:
    """Check MTD on graphs."""
    dags = list(fresh_dags(count, seed))
    sound = sum(unfolding(dags[i]) for i in progress(range(count)))
    same = sum(stockman.sss(dag).leaves == mtd.mtd_plus_inf(dag).leaves for dag in dags)
    text = f"MTD's leaves on layered graphs are SSS*'s, in order: {sound} of {count} ({same} all of them)"
    return sound == count, text


def report_mutant(name: str, found: Sequence[tuple[bool, bool, bool]]) -> Line:
    """Count what a mutant does otherwise; it must be found out, and not by its value."""
    wrong, order, outside = (sum(column) for column in zip(*found, strict=True))
    caught = f"caught by the order of its leaves on {order} of {len(found)} trees" if order else "NOT caught"
    counts = f"wrong values: {wrong}; evaluates what alpha-beta cuts: {outside}"
    return wrong == 0 and order > 0, f"mutant that must be caught, {name}: {caught} ({counts})"


def report_ways(trees: Sequence[NestedTree], progress: Progress) -> Iterator[Line]:
    """Build trees against every deviation from SSS* and dual SSS*."""
    for name, side in (("SSS*", MAX), ("dual SSS*", MIN)):
        for way in WAYS:
            chances = [tree for tree in trees if has_chance(way, tree, side)]
            convicted = sum(witness(way, chances[i], side) is not None for i in progress(range(len(chances))))
            # In way II the tree is looked for at random, not constructed: a rare one may not be found.
            missing = len(chances) - convicted
            yield (
                missing <= (max(1, len(chances) // 50) if way == "II" else 0),
                f"{name} is not surpassed, way {way}: "
                f"trees that convict {convicted} of {len(chances)} deviations",
            )
