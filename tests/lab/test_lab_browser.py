"""The laboratory's page in a real browser: keys, buttons, edited leaves, large trees, chess, race, sizes."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("websockets", reason="the browser is driven over a websocket: pip install websockets")

import chess as python_chess
from support import chromium
from support.chromium import Chromium, Page

from sssnake._fast.values import INFINITE
from sssnake.engine.lab.chess import explicit
from sssnake.engine.lab.chess.core import Core
from sssnake.engine.lab.cli import main
from sssnake.engine.lab.proofs.shadow import side_by_side
from sssnake.engine.lab.searches.classic import alpha_beta
from sssnake.engine.lab.searches.memory import Memory
from sssnake.engine.lab.searches.mtd import drive, from_above, mtd_f, mtd_plus_inf
from sssnake.engine.lab.trees.making import example, random_tree, text
from sssnake.engine.lab.trees.named import NAMED
from sssnake.engine.lab.trees.trees import Nested, NestedTree
from sssnake.engine.lab.views.show import page
from sssnake.engine.lab.views.solve import ALGORITHMS

pytestmark = pytest.mark.skipif(
    chromium.executable() is None, reason="chromium is missing: apt install chromium"
)
Show = Callable[..., Page]
SEED: Nested = [[5, -2, 0], [1, -3, 7], [5, 5, 4]]


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    with Chromium() as started:
        yield started


@pytest.fixture
def show(browser: Chromium, tmp_path: Path) -> Iterator[Show]:
    """Opens a text as a page, and closes it at the end; it must cause no errors."""
    shown: list[Page] = []

    def opened(html: str, fragment: str = "", size: tuple[int, int] = (1400, 900)) -> Page:
        file = tmp_path / f"page{len(shown)}.html"
        file.write_text(html, encoding="utf-8")
        shown.append(browser.page(file.as_uri() + fragment, *size))
        return shown[-1]

    yield opened
    for each in shown:
        assert each.complaints() == []
        each.close()


def logged(shown: Page, script: str) -> list[str]:
    """Run a script on a page; what it puts into `log`, as text."""
    log: list[str] = shown.evaluate(f"""(() => {{
      const log = [], seen = (id) => document.getElementById(id).innerText.replace(/\\s+/g, " ").trim();
      const click = (id) => document.getElementById(id).click();
      const send = (to, event) => to.dispatchEvent(event);
      const choose = (id, value) => {{ enter(id, value); document.getElementById(id).onchange(); }};
      const key = (name) => send(document.body, new KeyboardEvent("keydown", {{ key: name, bubbles: true }}));
      const enter = (id, value) => {{ document.getElementById(id).value = value; }};
      {script}
      return log;
    }})()""")
    return log


def test_a_browser_steps_with_keys_and_buttons(show: Show) -> None:
    shown = show(page(NestedTree(SEED)))
    log = [*logged(shown, 'log.push(seen("open"));')]
    for name in ("ArrowRight", "ArrowRight", "ArrowRight", "#back", "#forward", "End", "Home"):
        if name.startswith("#"):
            shown.click(name)
        else:
            shown.key(name)
        log += logged(shown, 'log.push(seen("open"));')
    assert log == [
        "a LIVE +∞",
        "b LIVE +∞ c LIVE +∞ d LIVE +∞",
        "e LIVE +∞ c LIVE +∞ d LIVE +∞",
        "c LIVE +∞ d LIVE +∞ e SOLVED 5",
        "e LIVE +∞ c LIVE +∞ d LIVE +∞",
        "c LIVE +∞ d LIVE +∞ e SOLVED 5",
        "the value is 4",
        "a LIVE +∞",
    ]


def test_a_browser_shows_the_end(show: Show) -> None:
    log = logged(
        show(page(NestedTree(SEED)), "#999"),
        """log.push(seen("bracket"), seen("leaves"), seen("passes"));
        log.push(String(document.querySelectorAll("[data-node]").length));""",
    )
    assert log == [
        "4 ≤ value ≤ 4",
        "leaves evaluated: e h k f l m",
        "1. MT(a, +∞) → 5 fails low 2. MT(a, 5) → 4 fails low 3. MT(a, 4) → 4 fails high",
        "13",
    ]


def test_a_browser_draws_it(show: Show) -> None:
    picture = show(page(NestedTree(SEED)), "#12").screenshot()
    assert len(picture) > 20_000  # a blank page compresses to far less


def test_a_leaf_is_edited_and_the_searches_follow(show: Show) -> None:
    log = logged(
        show(page(NestedTree(SEED))),
        """click("last"); log.push(seen("bracket"));
        const leaf = drawing.parts.get(tree.leaves[8]).group;
        leaf.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        enter("value", "9007199254740993"); click("change"); click("last"); log.push(seen("bracket"));
        enter("value", "x"); click("change"); log.push(seen("wrong"), seen("bracket"));
        log.push(document.getElementById("text").value);""",
    )
    assert log == [
        "4 ≤ value ≤ 4", "5 ≤ value ≤ 5", "an integer within 63 bits is wanted", "5 ≤ value ≤ 5",
        "[[5, -2, 0], [1, -3, 7], [5, 5, 9007199254740993]]",
    ]  # fmt: skip


def test_trees_are_made_on_the_page(show: Show) -> None:
    log = logged(
        show(page(NestedTree(SEED))),
        f"""enter("text", "[[{2**60 + 1}, 3], [{2**60}, {2**60 + 3}]]"); click("apply");
        click("last"); log.push(seen("bracket"));
        enter("text", "[[1], []]"); click("apply"); log.push(seen("complaint"), String(tree.size));
        const form = document.getElementById("random"), fields = form.elements;
        fields.width.value = "3"; fields.depth.value = "4"; fields.seed.value = "17"; form.requestSubmit();
        log.push(document.getElementById("text").value);
        fields.width.value = "300"; form.requestSubmit(); log.push(seen("complaint"));""",
    )
    assert log == [
        f"{2**60} ≤ value ≤ {2**60}", "every inner node needs at least one child", "7",
        text(random_tree(3, 4, 17)).strip(), "a tree of more than 16384 leaves is too large",
    ]  # fmt: skip


def test_the_race_counts_as_the_laboratory_does(show: Show) -> None:
    tree = random_tree(4, 4, 3)
    log = logged(show(page(tree)), 'tab("race"); click("finish"); log.push(seen("lanes"));')
    for name, algorithm in (
        ("alpha-beta", "alphabeta"),
        ("Scout", "scout"),
        ("SSS*", "sss"),
        ("DUAL*", "dual"),
        ("MTD(+∞)", "mtd+inf"),
        ("MTD(f)", "mtdf"),
    ):
        result = ALGORITHMS[algorithm](tree)
        passes = "–" if result.open_max else str(len(result.passes) or 1)
        memory = f"OPEN {result.open_max}" if result.open_max else "path 5"
        if result.passes:
            memory = f"table {stored(tree, algorithm)}"
        counts = f"{len(result.leaves)} {result.evaluations} {result.nodes} {passes} {memory} {result.value}"
        assert f"{name} {counts}" in log[0]


def stored(tree: NestedTree, algorithm: str) -> int:
    """The inner nodes that MTD leaves in its table."""
    table = Memory()
    search = mtd_plus_inf(tree, table) if algorithm == "mtd+inf" else mtd_f(tree, 0, table)
    assert search.passes
    return sum(key not in tree.leaf_number for key in table.bounds)


def test_large_trees_are_folded_zoomed_and_surveyed(show: Show) -> None:
    tree = random_tree(4, 6, 1)
    log = logged(
        show(page(tree)),
        """const shown = () => document.querySelectorAll("#nodes > g").length;
        const state = () => [shown(), drawing.overview.hidden, drawing.svg.classList.contains("far")].join();
        log.push(state());
        choose("fold", "2"); log.push(state());
        click("last"); log.push(seen("bracket"));
        const first = () => drawing.parts.get(1).group;
        const twice = () => send(first(), new MouseEvent("dblclick", { bubbles: true }));
        twice(); log.push(state()); twice(); log.push(state());
        choose("fold", ""); log.push(state());
        for (let i = 0; i < 30; i++) key("+"); log.push(state());
        const at = drawing.at.x;
        drawing.reveal(tree.size - 1); log.push(String(drawing.at.x < at));
        key("0"); log.push(state());""",
    )
    visited = len({move.node for move in side_by_side(tree)[1]})
    shown, hidden, far = log[0].split(",")
    assert visited < int(shown) < len(tree)
    assert (hidden, far) == ("false", "true")
    value = tree.minimax_values()[0]
    assert log[1:] == [
        "21,true,false", f"{value} ≤ value ≤ {value}", "17,true,false", "21,true,false",
        f"{len(tree)},false,true", f"{len(tree)},false,false", "true", f"{len(tree)},false,true",
    ]  # fmt: skip


def test_proofs_purges_and_alpha_beta_are_marked(show: Show) -> None:
    log = logged(
        show(page(example())),
        """click("last");
        const all = (mark) => [...document.querySelectorAll(mark)];
        const named = (mark) => all(mark).map((g) => g.dataset.node).sort().join(" ");
        log.push(named(".node.purged")); click("purged"); log.push(named(".node.purged"));
        click("visits"); log.push(String(all(".node.visits").length)); click("proof");
        log.push([".lower", ".upper", ".lower.upper"].map((mark) => all(".edge" + mark).length).join());""",
    )
    assert log == ["o q r x", "", "25", "9,12,4"]


def test_a_chess_search_shows_moves_boards_and_the_engine_s_log(show: Show) -> None:
    fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
    data = explicit.written_out(fen, 2)
    core = Core(fen, 2)
    value, passes = drive(core.test, INFINITE, from_above)
    assert data.tree.minimax_values()[0] == value
    script = """click("last"); log.push(seen("bracket"), seen("about"));
        log.push(String(document.querySelectorAll("#board span").length));
        picked = 1; showNode(); log.push(seen("about"), seen("board").replace(/ /g, ""));"""
    log = logged(show(page(data.tree, data)), script)
    assert log[0] == f"{value} ≤ value ≤ {value}".replace("-", "−")
    assert (
        f"logged {len(core.leaves())} leaves in {len(passes)} passes: those of SSS*, in this order." in log[1]
    )
    assert log[2] == "64"
    assert f"path: {data.moves[1]}" in log[3]
    assert len(log[4]) == sum(sign.isalpha() for sign in data.boards[1])
    data.log.reverse()
    assert "OTHER leaves" in logged(show(page(data.tree, data)), 'log.push(seen("about"));')[0]


@pytest.mark.parametrize("size", [(360, 640), (800, 1200), (1920, 1080)])
@pytest.mark.parametrize("shape", [(1, 1), (2, 4), (30, 2), (2, 11)])
def test_nothing_overflows(show: Show, size: tuple[int, int], shape: tuple[int, int]) -> None:
    """No sideways scrolling, buttons within the window; the whole tree, or names that can be read."""
    log = logged(
        show(page(random_tree(*shape, 1)), size=size),
        """const width = document.documentElement.clientWidth, box = drawing.svg.getBoundingClientRect();
        log.push(String(document.documentElement.scrollWidth <= width));
        const rights = [...document.querySelectorAll("button")].map((b) => b.getBoundingClientRect().right);
        log.push(String(rights.every((right) => right <= width)));
        const { x, k } = drawing.at, whole = x >= -1 && x + k * drawing.width <= box.width + 1;
        const survey = drawing.overview.getBoundingClientRect();
        log.push(String(box.height > 100 && (whole || 13 * k >= 11)));
        log.push(String(whole && 13 * k >= 11 ? drawing.overview.hidden : survey.top >= box.bottom));
        const root = drawing.parts.get(0).group.getBoundingClientRect();
        log.push(String(root.left >= box.left && root.right <= box.right && root.top >= box.top));""",
    )
    assert log == ["true"] * 5


@pytest.mark.parametrize("size", [(390, 844), (1400, 900)])
@pytest.mark.parametrize("shape", [(3, 3), (6, 2), (2, 4)])
def test_names_can_be_read(show: Show, size: tuple[int, int], shape: tuple[int, int]) -> None:
    """At about 40 nodes, on a phone as well: 11 pixels, and no two leaves touch."""
    log = logged(
        show(page(random_tree(*shape, 1)), size=size),
        """const sizes = [...document.querySelectorAll("#nodes > g > text")].map((label) =>
          parseFloat(getComputedStyle(label).fontSize) * drawing.at.k);
        log.push(String(sizes.length > 40 && Math.min(...sizes) >= 11));
        const nameOf = (leaf) => drawing.parts.get(leaf).group.children[1];
        const boxes = tree.leaves.map((leaf) => nameOf(leaf).getBoundingClientRect());
        log.push(String(boxes.every((box, i) => !i || box.left > boxes[i - 1].right)));""",
    )
    assert log == ["true", "true"]


def test_the_mouse_zooms_drags_selects_and_goes_to_a_place(show: Show) -> None:
    log = logged(
        show(page(random_tree(4, 5, 2))),
        """const svg = drawing.svg, box = svg.getBoundingClientRect();
        const near = (a, b) => Math.abs(a - b) < 1e-6;
        const at = (x, y) =>
          ({ clientX: box.left + x, clientY: box.top + y, pointerId: 1, buttons: 1, bubbles: true });
        const pointer = (type, x, y, to = svg) => send(to, new PointerEvent(type, at(x, y)));
        svg.setPointerCapture = () => {};
        const before = { ...drawing.at }, place = (at) => (300 - at.x) / at.k;
        for (let i = 0; i < 9; i++) send(svg, new WheelEvent("wheel", { ...at(300, 50), deltaY: -200 }));
        const still = Math.abs(place(before) - place(drawing.at)) * before.k < 1;  // less than a pixel
        log.push(String(drawing.at.k > 5 * before.k && still));
        const start = drawing.at.x;
        pointer("pointerdown", 100, 100); pointer("pointermove", 160, 100); pointer("pointerup", 160, 100);
        log.push(String(near(drawing.at.x, start + 60)));
        const over = drawing.overview.getBoundingClientRect();
        send(drawing.overview, new PointerEvent("pointerdown", at(over.right - 3 - box.left, 40)));
        log.push(String((svg.clientWidth / 2 - drawing.at.x) / drawing.at.k > 0.9 * drawing.width));
        const part = drawing.parts.get(1).group;
        pointer("pointerdown", 5, 5, part); send(part, new MouseEvent("click", { bubbles: true }));
        log.push(seen("about").split(",")[0], String(part.classList.contains("picked")));""",
    )
    assert log == ["true", "true", "true", "b", "true"]


def test_the_named_trees_are_chosen_on_the_page(show: Show) -> None:
    log = logged(
        show(page(NestedTree(SEED))),
        """log.push(document.getElementById("named").value);
        choose("named", "homework-3"); log.push(document.getElementById("text").value, seen("named-about"));
        enter("text", "[1]"); click("apply"); log.push(document.getElementById("named").value);""",
    )
    assert log == [
        "stockman", "[[[[5, 8]]], [[[3, 9], [4, 6]], [[7, 2]]]]", NAMED["homework-3"].about, "",
    ]  # fmt: skip


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
        log.push([...document.querySelector("[data-node=f]").classList].join(" "));
        log.push([...document.querySelector("[data-node=j]").classList].join(" "));
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
    assert "eligible" in log[5] and "certified" in log[5] and "onopen" in log[5]
    assert "eligible" not in log[6] and "certified" not in log[6]
    assert log[7].endswith("U_b = L_b at the root: the value is 4.")
    assert log[8] == "leaves evaluated: e h k f l m"
    assert log[9] == "leaves evaluated: e f g h i k l m"
    names = NestedTree(SEED).names()
    dual = [
        names[leaf] for leaf in ALGORITHMS["gsearch-dual"](NestedTree(SEED)).leaves if isinstance(leaf, int)
    ]
    assert log[10] == f"leaves evaluated: {' '.join(dual)}"


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
        if way == "V":
            assert "both have explored the same" in verdict and outside == "0"
        else:
            assert "Explored here, and never by SSS*" in verdict and int(outside) > 0
            assert ("branches were added" in verdict) is (way == "II")


# What the searches never visit on the tree of source 000, and on the third homework: typed in.
EXERCISES = {
    ("stockman", "alphabeta"): "j", ("stockman", "sss"): "g i j", ("stockman", "dual"): "j",
    ("stockman", "scout"): "j", ("homework-3", "alphabeta"): "f j n p q r",
    ("homework-3", "sss"): "f j n p q r", ("homework-5", "alphabeta"): "",
}  # fmt: skip


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
        "at j: marked as pruned", "All right: alpha-beta prunes 1 of 13 nodes.",
        "✓ j pruned: at c MIN has −3 by i, and MAX above has α = −2: −3 ≤ −2, MAX will not come here",
    ]  # fmt: skip


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
    """Source 002: C is higher, B and C are swapped; then B is higher, swapped again, and E lower, with D."""
    log = logged(
        show(page(NestedTree(SEED)), "#deepening-0"),
        """const row = () => [...drawing.tree.names].join("");
        for (let f = 0; f <= deepening.length; f++) { show(f); log.push(seen("d-step"), row()); }
        log.push(seen("d-cost"));
        choose("named", "plaat"); click("last"); log.push(seen("d-step"), seen("d-cost"));""",
    )
    assert log[:9] == [
        "Search 1: 1 ply deep it finds 5.", "ABC",
        "Sorted: B and C are swapped (at A, the higher value first).", "ACB",
        "Search 2: 2 plies deep it finds 4.", "ACFGBDE",
        "Sorted: B and C are swapped (at A, the higher value first); "
        "D and E are swapped (at B, the lower value first).",
        "ABEDCFG", "Search 3: 3 plies deep it finds 5.",
    ]  # fmt: skip
    assert log[10] == "The last search evaluates 5 leaves; without the swaps it would evaluate 6."
    assert log[11:] == ["Search 4: 4 plies deep it finds 35.", log[12]] and "it would evaluate 12." in log[12]


# The king on b1 castles with the rook on a1 or with that on f1: in Chess960 alone.
CHESS960 = "rk3r2/pppp1p2/8/8/8/8/PPPP1P2/RK3R2 w FAfa - 0 1"


def test_a_chess960_position_stays_one(show: Show, tmp_path: Path) -> None:
    target = tmp_path / "page.html"
    words = ["show", "--fen", CHESS960, "--chess960", "--depth", "1", "-o", str(target)]
    assert main(words) == 0
    log = logged(
        show(target.read_text(encoding="utf-8")),
        """log.push(chess.fen, chess.moves.filter((move) => move.startsWith("O-O")).join(" "), seen("about"));
        picked = chess.moves.indexOf("O-O"); showNode(); log.push(chess.boards[picked]);""",
    )
    board = python_chess.Board(CHESS960, chess960=True)
    castling = [board.san(move) for move in board.legal_moves if board.is_castling(move)]
    assert castling and log[0] == board.shredder_fen() and sorted(log[1].split()) == sorted(castling)
    assert "the 50-move rule does not count, nor do repetitions below the root" in log[2]
    board.push_san("O-O")
    assert log[3] == board.board_fen()


def test_a_file_says_what_to_type_for_a_position(show: Show) -> None:
    log = logged(
        show(page(NestedTree(SEED))),
        """const form = document.getElementById("chess"), fields = form.elements;
        form.requestSubmit(); log.push(seen("complaint"));
        fields.fen.value = "8/8/8/8/8/8/8/8 w - - 0 1"; fields.chess960.checked = true; form.requestSubmit();
        log.push(seen("complaint"));""",
    )
    assert log == [
        "a FEN and a depth are wanted",
        'in a terminal: sssnake lab show --fen "8/8/8/8/8/8/8/8 w - - 0 1" --depth 2 --chess960',
    ]


def test_the_page_of_a_lesson(show: Show, tmp_path: Path) -> None:
    """Steps with boards; the three remedies are switches."""
    target = tmp_path / "lesson.html"
    assert main(["lesson", "exchange", "-o", str(target)]) == 0
    shown = show(target.read_text(encoding="utf-8"), size=(390, 844))
    for _ in range(6):
        shown.key("ArrowRight")
    log = logged(
        shown,
        """log.push(seen("count"), document.querySelector("li.now").innerText);
        log.push(seen("board").replace(/ /g, "").length + "");
        log.push(String(document.documentElement.scrollWidth <= 390));""",
    )
    assert log == [
        "7 of 17", "6 plies: e5 dxe5 Nxe5 Nxe5 Rxe5 Bxe5, a rook is taken. Balance -5", "3", "true",
    ]  # fmt: skip
    assert main(["lesson", "remedies", "-o", str(target)]) == 0
    log = logged(
        show(target.read_text(encoding="utf-8")),
        """const answer = () => log.push(seen("answer").replace(/:.*\\(/, ": ("));
        answer();
        for (const name of ["captures", "deeper", "sacrifices"]) {
          document.querySelector(`[name=${name}]`).click(); answer();
        }""",
    )
    assert log == [
        "2 plies, no remedy: (it only puts the loss off)", "2 plies, captures: (it only puts the loss off)",
        "2 plies, deeper + captures: (right)", "2 plies, deeper + captures + sacrifices: (right)",
    ]  # fmt: skip
