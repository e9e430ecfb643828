"""The page's other views in a real browser: GSEARCH, exercise, windows, deepening."""

# ruff: noqa: F811 (arguments are named as the fixtures are)

import pytest

pytest.importorskip("websockets", reason="the browser is driven over a websocket: pip install websockets")

from support.chromium import browser  # noqa: F401  # a fixture
from support.lab_page import SEED, Show, in_a_browser, logged, show  # noqa: F401  # a fixture

from sssnake.engine.lab.searches.classic import alpha_beta
from sssnake.engine.lab.trees.making import random_tree
from sssnake.engine.lab.trees.named import NAMED
from sssnake.engine.lab.trees.trees import NestedTree
from sssnake.engine.lab.views.show import page
from sssnake.engine.lab.views.solve import ALGORITHMS

pytestmark = in_a_browser


def test_the_named_trees_are_chosen_on_the_page(show: Show) -> None:
    log = logged(
        show(page(NestedTree(SEED))),
        """log.push(document.getElementById("named").value);
        choose("named", "homework-3"); log.push(document.getElementById("text").value, seen("named-about"));
        enter("text", "[1]"); click("apply"); log.push(document.getElementById("named").value);""",
    )
    assert log == [
        "stockman",
        "[[[[5, 8]]], [[[3, 9], [4, 6]], [[7, 2]]]]",
        NAMED["homework-3"].about,
        "",
    ]


def test_gsearch_is_stepped_through(show: Show) -> None:
    """The bounds beside the nodes, OPEN with its conditions in colour, for each choice of the next node."""
    shown = show(page(NestedTree(SEED)), "#gsearch-0")
    log = logged(
        shown,
        """const label = (name, kind) =>
          document.querySelector(`[data-node=${name}] .${kind}`)?.textContent ?? "";
        log.push(seen("g-open")); key("ArrowRight"); key("ArrowRight"); key("ArrowRight"); key("ArrowRight");
        key("ArrowRight");
        log.push(seen("g-open"), label("b", "bounds"), label("b", "above"), label("i", "above"));
        const kinds = ["eligible", "certified", "onopen"];
        for (const name of "fgij") {
          const { classList } = document.querySelector(`[data-node=${name}]`);
          log.push(kinds.filter((kind) => classList.contains(kind)).join(" "));
        }
        const met = (row) => [...row.querySelectorAll(".name, .yes")].map((part) => part.innerText).join("");
        log.push([...document.querySelectorAll("#g-open li")].map(met).join(" "));
        key("End"); log.push(seen("g-step"), seen("leaves"));
        for (const rule of ["alphabeta", "dual"]) {
          choose("g-rule", rule); key("End"); log.push(seen("leaves"));
        }""",
    )
    assert log[:2] == [
        "a A′ C B′ ✂ β_ +∞",
        "f A′ C B′ ✂ β_ 5 g A′ C B′ ✂ β_ −∞ i A′ C B′ ✂ β_ 1 j A′ C B′ ✂ β_ −∞ d A′ C B′ ✂ β_ +∞",
    ]
    assert log[2:5] == ["−∞ … 5", "−∞ … +∞", "−∞ … 1"]
    assert log[5:9] == ["eligible certified onopen", "eligible onopen", "certified onopen", "onopen"]
    assert log[9] == "fA′C gA′ iC j dA′CB′"
    assert log[10].endswith("U_b = L_b at the root: the value is 4.")
    assert log[11] == "leaves evaluated: e h k f l m"
    assert log[12] == "leaves evaluated: e f g h i k l m"
    tree = NestedTree(SEED)
    found = ALGORITHMS["gsearch-dual"](tree).leaves
    dual = [tree.names()[leaf] for leaf in found if isinstance(leaf, int)]
    assert log[13] == f"leaves evaluated: {' '.join(dual)}"


@pytest.mark.parametrize("rule", ["sss", "dual"])
def test_five_ways_to_depart_are_demonstrated(show: Show, rule: str) -> None:
    log = logged(
        show(page(NestedTree([1])), "#gsearch-0"),
        f"""choose("g-rule", "{rule}");
        for (const way of WAYS) {{
          document.querySelector(`[data-way=${{way}}]`).click();
          log.push(seen("g-verdict").includes("no chance") ? "no chance" : "a chance");
          document.querySelector("[data-act=demo]").click();
          log.push(seen("g-step").includes(`Way ${{way}}`) ? "departs" : "?");
          if (way !== "V") document.querySelector("[data-act=convict]").click();
          log.push(seen("g-verdict"), String(document.querySelectorAll("#nodes .outside").length));
          if (way !== "V") document.querySelector("[data-act=back]").click();
          enter("text", "[1]"); click("apply");
        }}""",
    )
    for number, way in enumerate(["I", "II", "III", "IV", "V"]):
        chance, departs, verdict, outside = log[4 * number : 4 * number + 4]
        assert (chance, departs) == ("no chance", "departs"), way
        assert ("α^" in verdict) is ((rule == "dual" and way in ("III", "V")) or way == "I")
        if way == "V":
            assert "both have explored the same" in verdict and outside == "0"
        else:
            name = "dual SSS*" if rule == "dual" else "SSS*"
            assert f"Explored here, and never by {name}: " in verdict and int(outside) > 0
            assert ("branches were added" in verdict) is (way == "II")


# What the searches never visit on the first seed's tree, and on the third homework: typed in.
EXERCISES = {
    ("stockman", "alphabeta"): "j",
    ("stockman", "sss"): "g i j",
    ("stockman", "dual"): "j",
    ("stockman", "scout"): "j",
    ("homework-3", "alphabeta"): "f j n p q r",
    ("homework-3", "sss"): "f j n p q r",
    ("homework-5", "alphabeta"): "",
}


@pytest.mark.parametrize(("name", "search"), EXERCISES)
def test_an_exercise_is_marked_checked_and_explained(show: Show, name: str, search: str) -> None:
    tree = NAMED[name].tree
    log = logged(
        show(page(tree), "#exercise-0"),
        f"""choose("e-search", "{search}"); click("e-check"); log.push(seen("e-score"));
        const pruned = [...exercise.pruned].map((n) => tree.names[n]).join(" "); log.push(pruned);
        log.push(String(document.querySelectorAll("#e-answers .missed").length));
        for (const top of tops(tree, exercise.pruned))
          send(drawing.parts.get(top).group, new MouseEvent("click", {{ bubbles: true }}));
        key("c"); log.push(seen("e-score"), seen("e-answers"));
        send(drawing.parts.get(1).group, new MouseEvent("click", {{ bubbles: true }})); click("e-check");
        log.push(seen("e-score"), seen("e-answers"));""",
    )
    pruned = EXERCISES[name, search].split()
    seen = {tree.names()[leaf] for leaf in ALGORITHMS[search](tree).leaves if isinstance(leaf, int)}
    leaves = {tree.names()[leaf] for leaf in tree.leaf_number}
    assert leaves - seen == leaves & set(pruned)
    assert sorted(log[1].split()) == pruned
    if pruned:
        assert log[0] == f"0 of {len(pruned)} found, 0 wrong, {len(pruned)} missed."
        assert log[3].startswith("All right: ") and f"prunes {len(pruned)} of {len(tree)} nodes" in log[3]
        assert log[4].startswith("✓") and "pruned" in log[4] and "✗" not in log[4]
    else:
        assert log[0] == log[3] == "Right: alpha-beta prunes nothing here."
    assert "wrong" in log[5] and "✗ b visited: " in log[6]


def test_an_exercise_is_done_by_keyboard_alone(show: Show) -> None:
    """From a down to b, two to the right to d, up again; then to j, which alpha-beta prunes."""
    shown = show(page(NestedTree(SEED)), "#exercise-0")
    visited = []
    for name in ("ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowDown", "ArrowDown"):
        shown.key(name)
        visited += logged(shown, 'log.push(seen("e-cursor"));')
    assert [words.split(":")[0] for words in visited] == ["at b", "at c", "at d", "at a", "at b", "at e"]
    for name in ("ArrowRight",) * 5 + ("Enter",):
        shown.key(name)
    log = logged(shown, 'log.push(seen("e-cursor")); key("c"); log.push(seen("e-score"), seen("e-answers"));')
    assert log == [
        "at j: marked as pruned",
        "All right: alpha-beta prunes 1 of 13 nodes.",
        "✓ j pruned: at c MIN has −3 by i, and MAX above has α = −2: −3 ≤ −2, MAX will not come here",
    ]


def test_keys_press_the_button_that_has_the_focus(show: Show) -> None:
    shown = show(page(NestedTree(SEED)), "#exercise-0")
    shown.evaluate("document.getElementById('e-check').focus()")
    shown.key("Enter")
    assert logged(shown, 'log.push(seen("e-score"));') == ["0 of 1 found, 0 wrong, 1 missed."]


def test_gsearch_refuses_a_large_tree_in_words(show: Show) -> None:
    log = logged(show(page(random_tree(4, 6, 1)), "#gsearch-0"), 'log.push(seen("g-step"), seen("g-open"));')
    assert log == ["a tree of 5461 nodes is too large for this view; 1200 is the limit", ""]


def test_another_tree_for_the_exercise(show: Show) -> None:
    log = logged(
        show(page(NestedTree(SEED)), "#exercise-0"),
        """for (let i = 0; i < 20; i++) {
          click("e-next");
          log.push(`${tree.size >= 9 && tree.size <= 30} ${exercise.search} ${exercise.pruned.size > 0}`);
        }""",
    )
    assert log == ["true alphabeta true"] * 20


def test_a_window_moves_and_the_laws_hold(show: Show) -> None:
    """The lecture: m <= alpha => m <= a <= alpha; alpha < m < beta => a = m; beta <= m => beta <= a <= m."""
    for width in (1, 3):
        log = logged(
            show(page(NestedTree(SEED)), "#window-0"),
            f"""moving.set({width}n); show(0);
            for (let f = 0; ; f++) {{
              const now = document.querySelector("#w-laws .now").cells[1].textContent;
              const {{ alpha, beta, result }} = moving;
              log.push([alpha, beta, result.value, result.leaves.length, now].join());
              if (f === moving.length) break; else key("ArrowRight");
            }}
            log.push(seen("w-now"), seen("w-law"));""",
        )
        assert len(log) > 10
        for line in log[:-2]:
            alpha, beta, a, leaves = map(int, line.split(",")[:4])
            found = alpha_beta(NestedTree(SEED), alpha, beta)
            assert (a, leaves) == (found.value, len(found.leaves)) and beta == alpha + width
            law = line.split(",")[4]
            assert law == ("m ≤ a ≤ α" if alpha >= 4 else "a = m" if beta > 4 else "β ≤ a ≤ m")
            assert 4 <= a <= alpha if alpha >= 4 else a == 4 if beta > 4 else beta <= a <= 4
        assert "m = 4" in log[-2] and "The window is too high" in log[-1]


def test_iterative_deepening_makes_the_lecture_s_swaps(show: Show) -> None:
    """The lecture: C is higher, B and C are swapped; then B is higher, swapped again, and E lower, with D."""
    log = logged(
        show(page(NestedTree(SEED)), "#deepening-0"),
        """const row = () => [...drawing.tree.names].join("");
        for (let f = 0; f <= deepening.length; f++) { show(f); log.push(seen("d-step"), row()); }
        log.push(seen("d-cost"));
        choose("named", "plaat"); click("last"); log.push(seen("d-step"), seen("d-cost"));""",
    )
    assert log[:9] == [
        "Search 1: 1 ply deep it finds 5.",
        "ABC",
        "Sorted: B and C are swapped (at A, the higher value first).",
        "ACB",
        "Search 2: 2 plies deep it finds 4.",
        "ACFGBDE",
        "Sorted: B and C are swapped (at A, the higher value first); "
        "D and E are swapped (at B, the lower value first).",
        "ABEDCFG",
        "Search 3: 3 plies deep it finds 5.",
    ]
    assert log[10] == "The last search evaluates 5 leaves; without the swaps it would evaluate 6."
    assert log[11:] == ["Search 4: 4 plies deep it finds 35.", log[12]] and "it would evaluate 12." in log[12]
