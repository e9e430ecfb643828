"""The page's own searches, in JavaScript, against those in Python."""

import json

import pytest
from support.javascript import run

from sssnake.engine.lab.proofs.lemmas import explored_by_alpha_beta
from sssnake.engine.lab.proofs.shadow import follow
from sssnake.engine.lab.proofs.verify import fresh_trees
from sssnake.engine.lab.searches.mtd import mtd_f
from sssnake.engine.lab.trees.making import example, random_tree, text
from sssnake.engine.lab.trees.trees import INF, NestedTree
from sssnake.engine.lab.views.solve import ALGORITHMS

LARGE = 2**62
TREES = [
    *(tree for tree in fresh_trees(150, seed=8)),
    example(),
    NestedTree(7),
    NestedTree([[[[-3]]]]),
    NestedTree([[3, 2, 1], 3]),
    NestedTree([[LARGE + 1, LARGE - 1], [-LARGE, LARGE]]),
    NestedTree([[2**53 + 1, 2**53], [2**53 + 2, 1]]),
    random_tree(40, 2, 3),
    random_tree(2, 10, 3, values=1 << 30),
    random_tree(7, 3, 5, values=2),
]
TEXTS = [text(tree) for tree in TREES]


def test_every_search_of_the_page_is_that_of_the_laboratory() -> None:
    found = run(
        """return DATA.map((text) => {
          const tree = parseTree(text);
          return Object.fromEntries(Object.entries(SEARCHES).map(([name, search]) => {
            const { value, leaves, evaluations, nodes, passes, openMax = 0 } = search(tree);
            return [name, [value, leaves, evaluations, nodes, passes, openMax]];
          }));
        });""",
        TEXTS,
    )
    assert isinstance(found, list)
    for tree, results in zip(TREES, found, strict=True):
        assert set(results) >= {"alphabeta", "scout", "sss", "dual", "mtdf"}
        for name, result in results.items():
            true = ALGORITHMS[name](tree)
            numbers = [true.evaluations, true.nodes, [str(g) for g in true.passes], true.open_max]
            assert result == [str(true.value), true.leaves, *numbers], name


def test_the_guess_of_mtdf() -> None:
    guesses = [-5, 0, 35, 36, 2**40]
    code = "return DATA.guesses.map((guess) => SEARCHES.mtdf(parseTree(DATA.tree), BigInt(guess)).passes);"
    assert run(code, {"tree": text(example()), "guesses": guesses}) == [
        [str(g) for g in mtd_f(example(), guess).passes] for guess in guesses
    ]


def test_both_searches_step_by_step() -> None:
    """Every move of MT with its step of SSS*, and OPEN before and after each of them."""
    found = run(
        """return DATA.map((text) => {
          const tree = parseTree(text), trace = follow(tree), view = new View(tree, trace), opens = [];
          for (let f = 1; f <= trace.moves.length; f++) {
            const open = () => view.openList().map(({ node, solved, merit }) => [node, solved, merit]);
            if (trace.moves[f - 1].turn !== null) opens.push(open());
            view.goTo(f);
          }
          const moves = trace.moves.map(
            (m) => [m.kind, m.node, m.gamma, m.pass, m.turn, m.g ?? 0n, m.lower ?? -INF, m.upper ?? INF]);
          return { moves, opens, complete: trace.complete, cases: trace.turns.map((turn) => turn.step) };
        });""",
        TEXTS,
    )
    assert isinstance(found, list)
    for tree, traced in zip(TREES, found, strict=True):
        moves, opens, cases = [], [], []

        def tell(move, turn) -> None:  # type: ignore[no-untyped-def]
            lower, upper = move.bounds
            numbers = [str(move.gamma), move.number, move.turn, str(move.g), str(lower), str(upper)]
            moves.append([move.kind, move.node, *numbers])  # noqa: B023
            if turn is not None:
                opens.append([[node, solved, str(merit)] for node, solved, merit in turn.open_list])  # noqa: B023
                cases.append(turn.step.case)  # noqa: B023

        assert follow(tree, tell) == 0
        assert traced == {"moves": moves, "opens": opens, "complete": True, "cases": cases}


def test_the_proofs_prove_the_value() -> None:
    """One tree proves >=, the other <=; MTD(+inf) has evaluated all their leaves, and they meet."""
    found = run(
        """return DATA.map((text) => {
          const tree = parseTree(text), trace = follow(tree);
          const { lower, upper } = proofs(tree, trace.table, trace.value);
          return [[...lower], [...upper], trace.leaves, [...alphaBeta(tree).visited]];
        });""",
        TEXTS,
    )
    assert isinstance(found, list)
    for tree, (lower, upper, evaluated, visits) in zip(TREES, found, strict=True):
        value = tree.minimax_values()[0]
        for nodes, maximizing in ((set(lower), True), (set(upper), False)):
            for node in nodes:
                kids = tree.kids[node]
                chooses = (tree.ply[node] % 2 == 0) is maximizing
                assert len(nodes & set(kids)) == (min(1, len(kids)) if chooses else len(kids))
                if not kids:
                    assert node in evaluated
                    assert tree.values[node] >= value if maximizing else tree.values[node] <= value
        assert set(lower) & set(upper) & set(tree.leaf_number)
        assert set(visits) == explored_by_alpha_beta(tree)


@pytest.mark.parametrize("seed", [0, 1, -7, 2**63 + 5, 10**30])
def test_random_trees_are_those_of_lab_tree(seed: int) -> None:
    shapes = [(1, 1), (2, 5), (4, 3), (9, 2)]
    settings: list[dict[str, object]] = [
        {"width": width, "depth": depth, **more}
        for width, depth in shapes
        for more in (
            {},
            {"irregular": True},
            {"order": 0.5},
            {"order": 1.0},
            {"values": 3},
            {"values": 1 << 30},
        )
    ]
    code = """return DATA.settings.map(({ values = 100, ...rest }) =>
      textOf(randomTree({ ...rest, seed: BigInt(DATA.seed), values: BigInt(values) })));"""
    texts = run(code, {"seed": str(seed), "settings": settings})
    assert texts == [text(random_tree(seed=seed, **setting)).strip() for setting in settings]  # type: ignore[arg-type]


def test_names_and_minimax_values() -> None:
    found = run(
        "return DATA.map((t) => parseTree(t)).map((tree) => [tree.names, minimaxValues(tree)]);", TEXTS
    )
    assert found == [[tree.names(), [str(value) for value in tree.minimax_values()]] for tree in TREES]


@pytest.mark.parametrize(
    "words",
    [
        "",
        "[",
        "[]",
        "[[1],[]]",
        "[1.5]",
        '["1"]',
        '["=1"]',
        "[null]",
        "{}",
        "[1e3]",
        f"[{2**63}]",
        "true",
        '[{"id": 1}]',
    ],
)
def test_what_is_no_tree_is_refused_in_words(words: str) -> None:
    code = "try { parseTree(DATA); } catch (error) { return error instanceof TreeError && error.message; }"
    message = run(code, words)
    assert isinstance(message, str) and message


def test_trees_are_read_as_files_are() -> None:
    words = ["5", " -7 ", '{"tree": 5}', '[{"id": "x", "tree": [1, [2, 3]]}]', json.dumps([[2**61]])]
    code = "return DATA.map((words) => textOf(parseTree(words)));"
    assert run(code, words) == ["5", "-7", "5", "[1, [2, 3]]", f"[[{2**61}]]"]


def test_what_is_said_at_every_step() -> None:
    """MT answers at the end of a pass, and what is said of SSS* fits its step, or that it has none."""
    found = run(
        """const tree = parseTree(DATA), trace = follow(tree), view = new View(tree, trace);
        const plain = (html) => html.replace(/<[^>]+>/g, "");
        return trace.moves.map((move, i) => {
          view.goTo(i + 1);
          return [move, plain(deed(tree, view)), plain(told(tree, view))];
        });""",
        text(example()),
    )
    assert isinstance(found, list)
    passes = 0
    for move, deed, told in found:
        root = move["node"] == 0
        if move["kind"] == "answer":
            sign = "≥" if int(move["g"]) >= int(move["gamma"]) else "≤"
            assert f"answers {'a' if root else ''}" in deed and f"{sign} {move['g']}" in deed
        if root and move["kind"] == "answer":
            passes += 1
            assert f"pass {passes} is over" in deed or (passes == 4 and "the value is 35" in deed)
            assert "next γ" in told or told == "a is the root, and SOLVED: the search ends."
        if root and move["kind"] in ("enter", "walk"):
            assert deed.startswith(f"Pass {passes + 1} begins")
        assert told.startswith("Case ") is (move["turn"] is not None and move["turn"] != 29)
    assert passes == 4
    assert "+∞" in found[0][1] and str(INF) not in json.dumps([texts[1:] for texts in found])
