"""`lab solve` and the command line: the fields, the numbering, and bad input in one line."""

import io
import json
import random
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from sssnake.engine.lab.cli import main
from sssnake.engine.lab.proofs.verify import report_mutant
from sssnake.engine.lab.searches.family import Family, Summary
from sssnake.engine.lab.searches.log import Result
from sssnake.engine.lab.trees.deep import DEPTH_LIMIT
from sssnake.engine.lab.trees.trees import NestedTree
from sssnake.engine.lab.views.solve import ALGORITHMS

SEED = "[[5,-2,0],[1,-3,7],[5,5,4]]"
FIELDS = ["id", "algorithm", "value", "leaves", "evaluations", "passes", "open_max", "nodes"]


class Input(io.StringIO):
    """Text on stdin that can be read as bytes."""

    @property
    def buffer(self) -> io.BytesIO:
        return io.BytesIO(self.getvalue().encode())


def lab(monkeypatch: pytest.MonkeyPatch, text: str, *arguments: str) -> int:
    monkeypatch.setattr(sys, "stdin", Input(text))
    return main(list(arguments))


def test_fields(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert lab(monkeypatch, SEED, "solve", "--algorithm", "sss,mtd+inf") == 0
    first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert list(first) == FIELDS
    assert first["leaves"] == second["leaves"] == [0, 3, 6, 1, 7, 8]
    assert (first["value"], first["open_max"], second["passes"]) == (4, 3, [5, 4, 4])


def test_records_and_all(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    bounds = [[0, 9], [1, 1], [0, 2]]
    text = json.dumps([{"id": "x", "tree": [1, 2]}, {"id": 7, "tree": [[3], 1]}])
    assert lab(monkeypatch, text, "solve", "--algorithm", "all", "-") == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["algorithm"] for line in found] == [*ALGORITHMS] * 2
    assert {(line["id"], line["value"]) for line in found} == {("x", 2), (7, 3)}
    text = json.dumps([{"id": "x", "tree": [1, 2], "bounds": bounds}])
    assert lab(monkeypatch, text, "solve", "--algorithm", "all") == 0
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["algorithm"] for line in found] == [*ALGORITHMS, "bstar", "hstar"]
    assert {line["value"] for line in found} == {2}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[",
        "]",
        "[1,]",
        "[1 2]",
        "x",
        "[1,2",
        '"tree"',
        "null",
        "5.5",
        "true",
        "[]",
        "[[1],[]]",
        "[true]",
        '["\\ud800"]',
        '{"id": "\\ud800", "tree": []}',
        '{"tree": true}',
        "[1.0]",
        "[1e3]",
        "[NaN]",
        "[Infinity]",
        "[null]",
        '["1"]',
        "[[1],{}]",
        "{}",
        '{"tree": "5"}',
        '[{"id": 1}]',
        "[99999999999999999999]",
        "[" + "9" * 5000 + "]",
        '[{"tree": [1], "root": "MIN"}]',
        '[{"tree": [1]}, 4]',
        '[{"tree": [1, 2], "bounds": [[0, 9], [1, 1]]}]',
        '[{"tree": [1, 2], "bounds": [[3, 9], [1, 1], [2, 2]]}]',
        '[{"tree": [1, 2], "bounds": 7}]',
        "[" * 200000 + "1" + "]" * 200000,
        "[" * 200000,
    ],
)
def test_bad_input_is_one_line_and_status_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    assert lab(monkeypatch, text, "solve", "--algorithm", "sss") == 2
    caught = capsys.readouterr()
    assert caught.out == ""
    assert caught.err.count("\n") == 1
    assert len(caught.err) < 200


@pytest.mark.parametrize(
    "arguments",
    [
        ["solve"],
        [],
        ["nonsense"],
        ["solve", "--algorithm", "nonsense"],
        ["solve", "--algorithm", ""],
        ["solve", "--algorithm", "sss,"],
        ["solve", "--algorithm", "bstar"],
        ["verify", "--trees", "0"],
        ["solve", "--algorithm", "sss", "/no/such/file"],
        ["solve", "--algorithm", "sss", "/"],
    ],
)
def test_bad_arguments_are_one_line_and_status_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert lab(monkeypatch, SEED, *arguments) == 2
    caught = capsys.readouterr()
    assert caught.out == ""
    assert caught.err.count("\n") == 1


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_deep_trees(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], algorithm: str
) -> None:
    # OPEN holds whole paths: its cost is quadratic here.
    depth = 1200 if algorithm in ("sss", "dual") else DEPTH_LIMIT - 1
    text = "[" * depth + "1" + ",2]" * depth
    assert lab(monkeypatch, text, "solve", "--algorithm", algorithm) == 0
    assert json.loads(capsys.readouterr().out)["value"] == 2


@pytest.mark.parametrize(
    "text", ["5", " -7\n", '{"tree": 5}', '[{"tree": 5, "bounds": [[5, 5]]}]', "\ufeff[5]"]
)
def test_a_bare_leaf_is_a_tree(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    assert lab(monkeypatch, text, "solve", "--algorithm", "all") == 0
    assert {json.loads(line)["value"] for line in capsys.readouterr().out.splitlines()} <= {5, -7}
    assert lab(monkeypatch, text, "trace", "-") == 0


def test_integers_are_exact(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    large = 2**62 - 1
    text = json.dumps([[large, large - 1], [large - 2, large]])
    assert lab(monkeypatch, text, "solve", "--algorithm", "all") == 0
    assert {json.loads(line)["value"] for line in capsys.readouterr().out.splitlines()} == {large - 1}


def test_half_a_surrogate_pair_in_a_name() -> None:
    command = [sys.executable, "-m", "sssnake.engine.lab", "solve", "--algorithm", "sss"]
    text = '{"id": "\\ud800", "tree": [1]}'
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["id"] == "\ud800"


def seconds_of_wide_families(search: Callable[[NestedTree], Result], width: int) -> float:
    """Processor time of a search of two trees with families of that width, the best of three."""
    taken = []
    for _ in range(3):
        start = time.process_time()
        assert search(NestedTree(list(range(width)))).value == width - 1
        assert search(NestedTree([list(range(width)), list(range(width, 0, -1))])).value == 1
        taken.append(time.process_time() - start)
    return min(taken)


# A pass of these finds one value of the family, so they take n passes.
PASS_BY_PASS = {"mtd+inf", "mtd-inf", "mtdf", "mtd-best"}


@pytest.mark.clock
@pytest.mark.parametrize("algorithm", sorted(set(ALGORITHMS) - PASS_BY_PASS))
def test_a_family_of_thousands_is_fast(algorithm: str) -> None:
    """Each change of a child takes log n steps: of eight times the children eleven times as many, not 64."""
    search = ALGORITHMS[algorithm]
    assert seconds_of_wide_families(search, 2048) < 28 * seconds_of_wide_families(search, 256)


@pytest.mark.parametrize("size", [1, 2, 3, 7, 16, 100])
def test_a_family_changes_in_few_steps(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = 0
    together = Family._together

    def counted(self: Family, i: int) -> Summary:
        nonlocal steps
        steps += 1
        return together(self, i)

    monkeypatch.setattr(Family, "_together", counted)
    rng = random.Random(size)
    children = [Summary(*(rng.randrange(50) for _ in range(4))) for _ in range(size)]
    family = Family(True, children)
    for _ in range(50):
        steps, index = 0, rng.randrange(size)
        children[index] = Summary(*(rng.randrange(50) for _ in range(4)))
        family.change(index, children[index])
        assert steps <= (size - 1).bit_length()
        priorities = [
            min([child.priority, *(brother.limit for brother in children[:i])])
            for i, child in enumerate(children)
        ]
        assert family.whole.priority == max(priorities)
        assert family.leftmost(max(priorities)) == priorities.index(max(priorities))
        assert family.whole.lower == max(child.lower for child in children)


def test_as_a_program() -> None:
    command = [sys.executable, "-m", "sssnake.engine.lab", "solve", "--algorithm", "minimax"]
    done = subprocess.run(command, input=SEED, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, json.loads(done.stdout)["value"]) == (0, 4)
    done = subprocess.run(command, input="[", capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_verify(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--trees", "30", "--seed", "11"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) > 20
    assert all(line.startswith("ok") for line in lines if not line.startswith("      mutants: "))
    [remark] = [line for line in lines if line.startswith(" ")]
    assert "an error put in on purpose" in remark and "must be caught by the order of its leaves" in remark
    caught = [line for line in lines if "mutant that must be caught, " in line]
    assert len(caught) == 7 and lines.index(caught[0]) == lines.index(remark) + 1
    assert all(": caught by the order of its leaves on " in line for line in caught)
    assert report_mutant("none at all", [(False, False, False)]) == (
        False,
        "mutant that must be caught, none at all: NOT caught (wrong values: 0; evaluates what alpha-beta "
        "cuts: 0)",
    )
