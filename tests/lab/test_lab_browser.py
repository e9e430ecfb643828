"""The laboratory's page in a real browser: keys, buttons, edited leaves, large trees, chess, race, sizes."""

# ruff: noqa: F811 (arguments are named as the fixtures are)

from pathlib import Path

import pytest

pytest.importorskip("websockets", reason="the browser is driven over a websocket: pip install websockets")

import chess as python_chess
from support.chromium import browser  # noqa: F401  # a fixture
from support.lab_page import SEED, Show, in_a_browser, logged, show  # noqa: F401  # a fixture

from sssnake._fast.values import INFINITE
from sssnake.engine.lab.chess import explicit
from sssnake.engine.lab.chess.core import Core
from sssnake.engine.lab.cli import main
from sssnake.engine.lab.proofs.shadow import side_by_side
from sssnake.engine.lab.searches.memory import Memory
from sssnake.engine.lab.searches.mtd import drive, from_above, mtd_f, mtd_plus_inf
from sssnake.engine.lab.trees.making import example, random_tree, text
from sssnake.engine.lab.trees.trees import NestedTree
from sssnake.engine.lab.views.show import page
from sssnake.engine.lab.views.solve import ALGORITHMS

pytestmark = in_a_browser


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
        "4 ≤ value ≤ 4",
        "5 ≤ value ≤ 5",
        "an integer within 63 bits is wanted",
        "5 ≤ value ≤ 5",
        "[[5, -2, 0], [1, -3, 7], [5, 5, 9007199254740993]]",
    ]


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
        f"{2**60} ≤ value ≤ {2**60}",
        "every inner node needs at least one child",
        "7",
        text(random_tree(3, 4, 17)).strip(),
        "a tree of more than 16384 leaves is too large",
    ]


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


def test_the_race_shows_memory_on_a_phone(show: Show) -> None:
    log = logged(
        show(page(random_tree(4, 4, 3)), size=(390, 844)),
        """tab("race"); click("finish"); const row = document.querySelector("[data-runner='SSS*']");
        const shown = [...row.cells].filter((cell) => cell.offsetParent);
        log.push(shown.map((cell) => cell.innerText).join("|"));
        log.push(String(shown.at(-1).getBoundingClientRect().right <= 390));""",
    )
    assert log == ["SSS*||69|69|OPEN 16|32", "true"]


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
        "21,true,false",
        f"{value} ≤ value ≤ {value}",
        "17,true,false",
        "21,true,false",
        f"{len(tree)},false,true",
        f"{len(tree)},false,false",
        "true",
        f"{len(tree)},false,true",
    ]


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
        "7 of 17",
        "6 plies: e5 dxe5 Nxe5 Nxe5 Rxe5 Bxe5, a rook is taken. Balance -5",
        "3",
        "true",
    ]
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
        "2 plies, no remedy: (it only puts the loss off)",
        "2 plies, captures: (it only puts the loss off)",
        "2 plies, deeper + captures: (right)",
        "2 plies, deeper + captures + sacrifices: (right)",
    ]
