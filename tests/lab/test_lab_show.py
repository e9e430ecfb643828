"""`lab trace` and `lab show`: the seed's OPEN lists, word for word, and the page in a real browser."""

import json
import re
from pathlib import Path

import pytest
from bundle import DATA
from support.constants import KIWIPETE, ROOT

from sssnake.engine.lab.cli import main
from sssnake.engine.lab.proofs.shadow import side_by_side
from sssnake.engine.lab.trees.trees import Nested, NestedTree
from sssnake.engine.lab.views import show

SEED: Nested = [[5, -2, 0], [1, -3, 7], [5, 5, 4]]
SHARED = ROOT.parent / "shared" / "data" / "free" / "trees" / "published.json"

# The OPEN lists printed in the first seed document: 16 of them, the states in their order.
OPEN_LISTS = [
    "a+",
    "b+c+d+",
    "e+c+d+",
    "c+d+e5",
    "h+d+e5",
    "d+e5h1",
    "k+e5h1",
    "e5k5h1",
    "f=5k5h1",
    "k5h1f-2",
    "l=5h1f-2",
    "l5h1f-2",
    "m=5h1f-2",
    "m4h1f-2",
    "d4h1f-2",
    "a4",
]


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
    if not SHARED.exists():
        pytest.skip("the shared tree collections are not here")
    record = json.loads(SHARED.read_text(encoding="utf-8"))[0]
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


def test_the_page_shows_the_example_if_no_tree_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "out.html"
    assert main(["show", "-o", str(target)]) == 0
    assert json.dumps(SEED) in target.read_text(encoding="utf-8")
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert main(["show"]) == 0
    assert [address] == opened if (address := capsys.readouterr().out.strip()) else False
    assert json.dumps(SEED) in Path(address.removeprefix("file://")).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "arguments",
    [
        ["large.json", "-o", "x.html"],
        ["deep.json", "-o", "x.html"],
        ["small.json", "-o", "no/x.html"],
        ["small.json", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1", "-o", "x.html"],
        ["--fen", "x", "-o", "x.html"],
        ["--fen", KIWIPETE, "--depth", "3", "-o", "x.html"],
        ["--fen", KIWIPETE, "--depth", "99999999999", "-o", "x.html"],
    ],
)
def test_show_refuses_what_it_cannot_draw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("large.json").write_text(json.dumps([[1] * 200] * 200))
    Path("deep.json").write_text("[" * 1500 + "1" + "]" * 1500)
    Path("small.json").write_text("[[1],[2]]")
    assert main(["show", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "Error" not in error
    assert not Path("x.html").exists()


def test_outputs_are_written_whole_and_devices_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    device = Path("/dev/null").stat()
    for command in (["show"], ["tree"], ["tree", "--shape", "2x2"]):
        assert main([*command, "-o", "/dev/null"]) == 0
    assert Path("/dev/null").stat().st_rdev == device.st_rdev
    target, link = tmp_path / "page.html", tmp_path / "link.html"
    target.write_text("old")
    link.symlink_to(target)
    assert main(["show", str(tmp_path / "absent.json"), "-o", str(link)]) == 2
    assert target.read_text() == "old"
    assert main(["show", "-o", str(link)]) == 0
    assert link.is_symlink() and "<!doctype html>" in target.read_text(encoding="utf-8")
    assert main(["show", "-o", "/dev/full"]) == 2
    assert "/dev/full" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.html", "page.html"]


def test_the_page_s_sources_are_in_the_executable_and_used() -> None:
    folder = Path(show.__file__).parent / "page"
    found = {path.name for path in folder.iterdir()}
    assert found == {"index.html", "style.css", *show.SCRIPTS}
    assert {path.suffix for path in folder.iterdir()} <= set(DATA)
