"""`lab trace` and `lab show`: the seed's OPEN lists, word for word, and the page in a real browser."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from support.suites import needed

from engine.lab.cli import main
from engine.lab.proofs.shadow import side_by_side
from engine.lab.trees.trees import Nested, NestedTree
from engine.lab.views.show import page

SEED: Nested = [[5, -2, 0], [1, -3, 7], [5, 5, 4]]

# The OPEN lists printed in the first seed document: 16 of them, the states in their order.
OPEN_LISTS = [
    "a+", "b+c+d+", "e+c+d+", "c+d+e5", "h+d+e5", "d+e5h1", "k+e5h1", "e5k5h1", "f=5k5h1", "k5h1f-2",
    "l=5h1f-2", "l5h1f-2", "m=5h1f-2", "m4h1f-2", "d4h1f-2", "a4",
]  # fmt: skip


def written_out(short: str) -> str:
    """`a+` is LIVE at infinity, `f=5` LIVE at 5, `e5` SOLVED at 5."""
    states = []
    for name, live, merit in re.findall(r"([a-m])([+=]?)(-?\d*)", short):
        states.append(f"<{name}, {'LIVE' if live else 'SOLVED'}, {merit or '+∞'}>")
    return ", ".join(states)


def test_trace_prints_the_seed_s_open_lists(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "seed.json"
    file.write_text(json.dumps(SEED))
    assert main(["trace", str(file)]) == 0
    out = capsys.readouterr().out
    printed = [
        line[line.index("<") :] for line in out.splitlines() if ", LIVE, " in line or ", SOLVED, " in line
    ]
    assert printed == [written_out(short) for short in OPEN_LISTS]
    assert [line for line in out.splitlines() if line.startswith("pass")] == [
        "pass 1: MT(a, +∞)",
        "pass 2: MT(a, 5)",
        "pass 3: MT(a, 4)",
    ]
    assert out.splitlines()[-1] == "value 4, 3 passes, leaves evaluated: e h k f l m"


def test_the_lists_typed_here_are_the_shared_ones() -> None:
    record = json.loads(needed("published.json").read_text(encoding="utf-8"))[0]
    known = [", ".join(states) for states in record["known_from_text"]["open_lists"]]
    assert known == [
        re.sub(r"<(\w+), (\w+), (\S+)>", r"\1 \2 \3", written_out(s)).replace("+∞", "inf") for s in OPEN_LISTS
    ]


def test_moves_carry_every_turn_of_sss() -> None:
    told, played = side_by_side(NestedTree(SEED))
    assert len(told) == 16
    assert [move.turn for move in played if move.turn is not None] == list(range(16))


def test_show_writes_a_page_that_needs_no_network(tmp_path: Path) -> None:
    file, target = tmp_path / "seed.json", tmp_path / "out.html"
    file.write_text(json.dumps(SEED))
    assert main(["show", str(file), "-o", str(target)]) == 0
    text = target.read_text(encoding="utf-8")
    assert not re.search(r"https?://|src=|@import|url\(", text)
    assert "/*DATA*/" not in text


def test_integers_that_a_double_cannot_hold_are_shown_exactly() -> None:
    text = page(NestedTree([[2**60 + 1, -(2**60) - 3], [9007199254740993, 7]]))
    for number in (2**60 + 1, -(2**60) - 3, 9007199254740993):
        assert f"{number}n" in text and not re.search(rf"{number}(?!n)", text)
    assert re.search(r"[\[,]7[,\]]", text)


def test_show_refuses_what_it_cannot_draw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "large.json"
    file.write_text(json.dumps([[1] * 30] * 30))
    assert main(["show", str(file), "-o", str(tmp_path / "x.html")]) == 2
    file.write_text("[[1],[2]]")
    assert main(["show", str(file), "-o", str(tmp_path / "no" / "x.html")]) == 2
    assert main(["trace", str(tmp_path / "absent.json")]) == 2
    assert capsys.readouterr().err.count("\n") == 3


BROWSER = next(
    (path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None
)
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--window-size=1400,900",
]  # fmt: skip


def browse(folder: Path, html: str, fragment: str, *flags: str) -> str:
    """Load a page in a headless browser; the DOM after its scripts have run."""
    if BROWSER is None:
        pytest.skip("chromium is missing: apt install chromium")
    (folder / "page.html").write_text(html, encoding="utf-8")
    url = (folder / "page.html").as_uri() + fragment
    command = [BROWSER, *FLAGS, f"--user-data-dir={folder / 'profile'}", *(flags or ("--dump-dom",)), url]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def text_of(dom: str, element: str) -> str:
    found = re.search(rf'<(\w+) id="{element}"[^>]*>(.*?)</\1>', dom, re.DOTALL)
    assert found
    return " ".join(re.sub(r"<[^>]+>", " ", found[2]).split())


def test_a_browser_steps_with_keys_and_buttons(tmp_path: Path) -> None:
    steps = """<script>
      const key = (name) => document.dispatchEvent(new KeyboardEvent("keydown", { key: name }));
      const seen = () => document.getElementById("open").innerText.replace(/\\s+/g, " ").trim();
      const log = [seen()];
      for (let i = 0; i < 3; i++) { key("ArrowRight"); log.push(seen()); }
      document.getElementById("back").click(); log.push(seen());
      document.getElementById("forward").click(); log.push(seen());
      key("End"); log.push(seen());
      key("Home"); log.push(seen());
      document.body.dataset.log = log.join(" | ");
    </script></body>"""
    dom = browse(tmp_path, page(NestedTree(SEED)).replace("</body>", steps), "")
    log = re.search(r'data-log="([^"]*)"', dom)
    assert log
    assert log[1].split(" | ") == [
        "a LIVE +∞",
        "b LIVE +∞ c LIVE +∞ d LIVE +∞",
        "e LIVE +∞ c LIVE +∞ d LIVE +∞",
        "c LIVE +∞ d LIVE +∞ e SOLVED 5",
        "e LIVE +∞ c LIVE +∞ d LIVE +∞",
        "c LIVE +∞ d LIVE +∞ e SOLVED 5",
        "the value is 4",
        "a LIVE +∞",
    ]


def test_a_browser_shows_the_end(tmp_path: Path) -> None:
    dom = browse(tmp_path, page(NestedTree(SEED)), "#999")
    assert text_of(dom, "bracket") == "4 ≤ value ≤ 4"
    assert text_of(dom, "leaves") == "leaves evaluated: e h k f l m"
    assert (
        text_of(dom, "passes")
        == "1. MT(a, +∞) → 5 fails low 2. MT(a, 5) → 4 fails low 3. MT(a, 4) → 4 fails high"
    )
    assert len(re.findall(r'data-node="[a-m]"', dom)) == 13


def test_a_browser_draws_it(tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    browse(tmp_path, page(NestedTree(SEED)), "#12", f"--screenshot={picture}")
    assert len(picture.read_bytes()) > 20_000  # a blank page compresses to far less
