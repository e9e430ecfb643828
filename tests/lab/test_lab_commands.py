"""Making trees, traces as JSON and as they come, node names, the face for notebooks."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

import sssnake.engine.lab
from sssnake.engine.lab import NestedTree, example, sss
from sssnake.engine.lab.cli import main
from sssnake.engine.lab.proofs.shadow import Move, Turn, follow, side_by_side
from sssnake.engine.lab.proofs.verify import fresh_trees
from sssnake.engine.lab.trees.trees import Nested
from sssnake.engine.lab.views import trace

SEED: Nested = [[5, -2, 0], [1, -3, 7], [5, 5, 4]]


def written(tree: Nested, folder: Path) -> str:
    file = folder / "tree.json"
    file.write_text(json.dumps(tree))
    return str(file)


def output(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main(list(words)) == 0
    return capsys.readouterr().out.splitlines()


def test_the_example_and_random_trees(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [line] = output(capsys, "tree")
    assert NestedTree(json.loads(line)).minimax_values()[0] == 35
    [line] = output(capsys, "tree", "--shape", "4x3", "--seed", "1")
    tree = NestedTree(json.loads(line))
    assert (len(tree.leaf_number), tree.depth, {len(kids) for kids in tree.kids}) == (64, 3, {0, 4})
    assert all(0 <= tree.values[leaf] < 100 for leaf in tree.leaf_number)
    assert output(capsys, "tree", "--shape", "4x3", "--seed", "1") == [line]
    assert output(capsys, "tree", "--shape", "4x3", "--seed", "2") != [line]
    target = tmp_path / "t.json"
    assert output(capsys, "tree", "--shape", "4x3", "--seed", "1", "-o", str(target)) == []
    assert target.read_text() == line + "\n"
    [line] = output(capsys, "tree", "--shape", "3x4", "--order", "1", "--values", "7")
    ordered = NestedTree(json.loads(line))
    assert all(ordered.minimax_values()[kids[0]] == 0 for kids in ordered.kids[:1])
    [line] = output(capsys, "tree", "--shape", "3x5", "--irregular", "--values", "2")
    irregular = NestedTree(json.loads(line))
    assert {len(kids) for kids in irregular.kids} == {0, 1, 2, 3}
    assert {irregular.values[leaf] for leaf in irregular.leaf_number} == {0, 1}


def test_a_deep_tree(capsys: pytest.CaptureFixture[str]) -> None:
    [line] = output(capsys, "tree", "--shape", "1x4999")
    assert line.startswith("[" * 4999) and line.endswith("]" * 4999)


@pytest.mark.parametrize(
    "words",
    [
        ["--shape", "4"],
        ["--shape", "4x0"],
        ["--shape", "40x9"],
        ["--shape", "3x3", "--order", "2"],
        ["--shape", "3x3", "--order", "nan"],
        ["--shape", "3x3", "--order", "0.5", "--irregular"],
        ["--shape", "3x3", "--values", "9999999999"],
        ["--shape", "3x3", "-o", "/no/such/folder/t.json"],
        ["--shape", "1x99999"],
        ["--seed", "x"],
    ],
)
def test_bad_shapes_are_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tree", *words]) == 2
    caught = capsys.readouterr()
    assert (caught.out, caught.err.count("\n")) == ("", 1)


@pytest.mark.parametrize(
    ("words", "idle"),
    [
        ("tree --irregular --seed 7 --values 5", "--seed does nothing without --shape"),
        ("tree plaat --order 0.5", "--order does nothing without --shape"),
        ("tree --list --irregular", "--irregular does nothing without --shape"),
        ("show plaat --depth 3 --chess960", "--chess960 does nothing without --fen"),
        ("show --depth 3", "--depth does nothing without --fen"),
        ("lesson -o x.html", "-o does nothing without a name"),
    ],
)
def test_an_option_that_does_nothing_is_refused(
    words: str, idle: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words.split()) == 2
    assert capsys.readouterr() == ("", f"sssnake lab {words.split()[0]}: {idle}\n")


def test_leaves_have_the_names_of_traces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(SEED, tmp_path)
    [line] = output(capsys, "solve", "--algorithm", "sss", "--names", file)
    assert json.loads(line)["names"] == ["e", "h", "k", "f", "l", "m"]
    assert output(capsys, "trace", file)[-1].endswith("e h k f l m")
    [line] = output(capsys, "solve", "--algorithm", "sss", file)
    assert "names" not in json.loads(line)


def test_a_json_trace_tells_what_the_text_tells(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = written(SEED, tmp_path)
    found = [json.loads(line) for line in output(capsys, "trace", "--json", file)]
    steps = [one for one in found if "step" in one]
    assert [one["step"] for one in steps] == list(range(1, 17))
    assert steps[0]["open"] == [["a", "LIVE", "+inf"]]
    assert steps[3]["open"] == [["c", "LIVE", "+inf"], ["d", "LIVE", "+inf"], ["e", "SOLVED", 5]]
    assert [one["node"] for one in steps if one["case"] == 4] == ["e", "h", "k", "f", "l", "m"]
    assert [one["leaf"] for one in steps if one["case"] == 4] == [0, 3, 6, 1, 7, 8]
    passes = [(one["gamma"], one["returns"], one["bound"]) for one in found if "returns" in one]
    assert passes == [("+inf", 5, "upper"), (5, 4, "upper"), (4, 4, "lower")]
    assert found[-1] == {"value": 4, "passes": [5, 4, 4], "leaves": ["e", "h", "k", "f", "l", "m"]}
    text = [line for line in output(capsys, "trace", file) if "  case " in line]
    assert len(text) == len(steps)
    for line, step in zip(text, steps, strict=True):
        states = ", ".join(
            f"<{name}, {state}, {str(merit).replace('+inf', '+∞')}>" for name, state, merit in step["open"]
        )
        assert line.endswith(states)
        assert f"case {step['case'] or '-'}" in line


def test_columns_of_a_trace_line_up() -> None:
    for tree in fresh_trees(40, seed=2):
        steps = [line for line in trace.lines(tree) if "  case " in line]
        assert len({line.index("<") for line in steps}) == 1


def test_a_trace_streams() -> None:
    """The first lines of a trace that would take minutes are there at once."""
    tree = subprocess.run(
        [sys.executable, "-m", "sssnake.engine.lab", "tree", "--shape", "2x16", "--values", "1000000"],
        capture_output=True,
        check=True,
        timeout=60,
    ).stdout
    command = [sys.executable, "-m", "sssnake.engine.lab", "trace", "-"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as run:
        assert run.stdin and run.stdout and run.stderr
        run.stdin.write(tree)
        run.stdin.close()
        begun = time.monotonic()
        assert run.stdout.readline().startswith(b"pass 1")
        assert time.monotonic() - begun < 30
        assert run.poll() is None
        run.stdout.close()  # the reader goes
        assert run.wait(60) == 0
        assert run.stderr.read() == b""


def test_moves_are_told_as_they_happen() -> None:
    """A consumer that stops early has not waited for the end."""
    told: list[tuple[Move, Turn | None]] = []

    def tell(move: Move, turn: Turn | None) -> None:
        told.append((move, turn))
        if len(told) == 10:
            raise StopAsyncIteration

    with pytest.raises(StopAsyncIteration):
        follow(example(), tell)
    assert [move.kind for move, _ in told] == [move.kind for move in side_by_side(example())[1][:10]]


def test_steps_without_a_move_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = example()
    assert follow(tree, lambda move, turn: None) == 0
    monkeypatch.setattr(
        "sssnake.engine.lab.proofs.shadow.corresponds", lambda move, turn: turn.step.case != 3
    )
    assert follow(tree, lambda move, turn: None) > 0


def test_the_face_for_notebooks() -> None:
    everything: dict[str, object] = {}
    exec("from sssnake.engine.lab import *", everything)
    assert {"LESSONS", "NestedTree", "Stockman", "alpha_beta", "bstar", "page"} <= set(everything)
    assert set(everything) - {"__builtins__"} == set(sssnake.engine.lab.names())
    assert sss(NestedTree(SEED)).value == 4
    assert "mtd_f" in dir(sssnake.engine.lab)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = sssnake.engine.lab.nonsense
    loaded = "import sys, sssnake.engine.lab as lab\n"
    loaded += "assert not [m for m in sys.modules if m.startswith(lab.__name__ + '.')]"
    subprocess.run([sys.executable, "-c", loaded], check=True, timeout=60)


def test_trees_show_themselves() -> None:
    picture = NestedTree(SEED)._repr_html_()
    assert picture.startswith("<svg") and picture.endswith("</svg>")
    assert (picture.count("<circle"), picture.count("<rect"), picture.count("<path")) == (3, 10, 12)
    for name in "abcdefghijklm":
        assert f">{name}</text>" in picture
    assert ">-2</text>" in picture
    assert NestedTree([[1] * 30] * 30)._repr_html_().startswith("<p>a tree of 931 nodes")
