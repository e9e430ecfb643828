"""The laboratory's page in a real browser: keys, buttons, edited leaves, large trees, chess, race, sizes."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("websockets", reason="the browser is driven over a websocket: pip install websockets")

from support import chromium
from support.chromium import Chromium, Page

from sssnake._fast.values import INFINITE
from sssnake.engine.lab.chess import explicit
from sssnake.engine.lab.chess.core import Core
from sssnake.engine.lab.proofs.shadow import side_by_side
from sssnake.engine.lab.searches.mtd import drive, from_above
from sssnake.engine.lab.trees.making import example, random_tree, text
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
        ("MTD(f)", "mtdf"),
    ):
        result = ALGORITHMS[algorithm](tree)
        passes = "–" if algorithm == "sss" else str(len(result.passes) or 1)
        counts = f"{len(result.leaves)} {result.evaluations} {result.nodes} {passes} {result.value}"
        assert f"{name} {counts}" in log[0]


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
    """No sideways scrolling, the whole tree on its stage, buttons within the window."""
    log = logged(
        show(page(random_tree(*shape, 1)), size=size),
        """const width = document.documentElement.clientWidth, box = drawing.svg.getBoundingClientRect();
        log.push(String(document.documentElement.scrollWidth <= width));
        const rights = [...document.querySelectorAll("button")].map((b) => b.getBoundingClientRect().right);
        log.push(String(rights.every((right) => right <= width)));
        const { x, k } = drawing.at;
        log.push(String(box.height > 100 && x >= -1 && x + k * drawing.width <= box.width + 1));""",
    )
    assert log == ["true", "true", "true"]


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
