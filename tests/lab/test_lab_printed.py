"""What the sources print: their trees by name, and their code with its errors."""

import json
from pathlib import Path

import pytest

from sssnake.engine.lab.cli import main
from sssnake.engine.lab.lessons.lessons import LESSONS
from sssnake.engine.lab.proofs.verify import fresh_trees
from sssnake.engine.lab.searches.classic import alpha_beta, alpha_beta_pv
from sssnake.engine.lab.searches.printed import PrintedScout, alpha_beta_printed, scout_printed
from sssnake.engine.lab.trees.named import FIRST, NAMED
from sssnake.engine.lab.trees.trees import NestedTree
from sssnake.engine.lab.views.solve import ALGORITHMS, PRINTED

# What alpha-beta never evaluates, by name and value, counted by hand.
PRUNED = {
    "stockman": "j7",
    "homework-1": "i9 j8 l4 m7",
    "homework-2": "i4 j8 m3",
    "homework-3": "n9 p6 q7 r2",
    "homework-4": "s7 v2 w9 y18 aa4 ab11 ac17 ad1 ae19",
    "homework-5": "",
    "homework-6": "q9 r5 s7 t5 u4",
    "scout": "",
}


def solved(capsys: pytest.CaptureFixture[str], name: str, algorithms: str) -> list[dict[str, object]]:
    assert main(["solve", "--algorithm", algorithms, name]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize("name", PRUNED)
def test_what_alpha_beta_prunes_on_the_named_trees(name: str) -> None:
    tree = NAMED[name].tree
    names, seen = tree.names(), set(alpha_beta(tree).leaves)
    never = [f"{names[leaf]}{tree.values[leaf]}" for leaf in tree.leaf_number if leaf not in seen]
    assert never == PRUNED[name].split()


def test_the_source_s_tree_and_what_it_never_evaluates(capsys: pytest.CaptureFixture[str]) -> None:
    """Negikatsugi's page: value 4, e h k f l m evaluated, g i j not; alpha-beta leaves out j alone."""
    assert FIRST == "stockman"
    [sss] = solved(capsys, "stockman", "sss")
    assert (sss["id"], sss["value"], sss["leaves"], sss["open_max"]) == ("stockman", 4, [0, 3, 6, 1, 7, 8], 3)
    tree = NAMED["stockman"].tree
    assert {name: tree.values[tree.names().index(name)] for name in "ehkflm"} == {
        "e": 5,
        "h": 1,
        "k": 5,
        "f": -2,
        "l": 5,
        "m": 4,
    }


def test_figure_1_has_its_value() -> None:
    tree = NAMED["katoh-ibaraki"].tree
    assert tree.minimax_values()[0] == 45
    leaves = {name: set(ALGORITHMS[name](tree).leaves) for name in ("alphabeta", "sss", "dual")}
    assert leaves["sss"] < leaves["alphabeta"] > leaves["dual"] != leaves["sss"]


def test_the_homework_holds_what_it_says() -> None:
    best, worst = NAMED["homework-4"].tree, NAMED["homework-5"].tree
    values = [sorted(tree.values[leaf] for leaf in tree.leaf_number) for tree in (best, worst)]
    assert values[0] == values[1]
    assert len(alpha_beta(best).leaves) == 2**2 + 2**2 - 1  # Knuth & Moore
    assert len(alpha_beta(worst).leaves) == 16
    assert {best.minimax_values()[0], worst.minimax_values()[0]} == {8}
    uneven = NAMED["homework-6"].tree
    assert len({uneven.ply[leaf] for leaf in uneven.leaf_number}) > 1


@pytest.mark.parametrize("name", NAMED)
def test_every_command_takes_a_name(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["tree", name]) == 0
    assert json.loads(capsys.readouterr().out) == NAMED[name].nested
    assert main(["trace", name]) == 0
    assert f"value {NAMED[name].tree.minimax_values()[0]}," in capsys.readouterr().out
    assert main(["show", name, "-o", "page.html"]) == 0
    assert json.dumps(NAMED[name].nested) in Path("page.html").read_text(encoding="utf-8")
    assert main(["tree", "--list"]) == 0
    assert f"{name} " in capsys.readouterr().out
    Path(name).write_text("[[7]]")  # a file that is called so is meant
    assert solved(capsys, name, "minimax")[0]["value"] == 7


@pytest.mark.parametrize(
    "words", [["tree", "nope"], ["trace", "nope"], ["show", "nope"], ["tree", "ties", "--shape", "2x2"]]
)
def test_an_unknown_name_is_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    caught = capsys.readouterr()
    assert (caught.out, caught.err.count("\n")) == ("", 1)
    assert "homework-1" in caught.err or "not both" in caught.err


def test_scout_as_printed_on_small_trees(capsys: pytest.CaptureFixture[str]) -> None:
    """By hand: the test of the second move proves >= 4, and nothing searches it again."""
    assert [line["value"] for line in solved(capsys, "scout", "scout-printed,scout,minimax")] == [4, 8, 8]
    search = PrintedScout(NestedTree([[[3]], [[8]]]))
    assert (search.run().value, search.lost) == (4, [(0, 4)])
    for tree, value in (([[3], [8]], 8), ([3, [[8]]], 4), ([[[8]], [[3]]], 8), ([[[[8]], [[3]]]], 7)):
        assert scout_printed(NestedTree(tree)).value == value  # type: ignore[arg-type]
    assert not set(PRINTED) & set(ALGORITHMS)
    assert "scout-printed" not in {line["algorithm"] for line in solved(capsys, "scout", "all")}


def test_where_scout_as_printed_is_right() -> None:
    """On two plies always; on more wherever it skips no search; with none skipped it is NegaScout."""
    wrong = {True: 0, False: 0}
    for tree in fresh_trees(800, seed=57):
        value = tree.minimax_values()[0]
        search = PrintedScout(tree)
        if search.run().value != value:
            assert search.lost and tree.depth > 2
            wrong[scout_printed(tree).value > value] += 1
        assert PrintedScout(tree, tree.depth).run().value == value
    assert min(wrong.values()) > 10  # too high where MIN's value was lost, too low where MAX's was


def test_alpha_beta_as_printed_sees_more_and_takes_the_last_of_equals() -> None:
    later = more = 0
    for tree in fresh_trees(400, seed=4):
        found = alpha_beta_printed(tree)
        assert found.value == tree.minimax_values()[0]
        assert set(found.leaves) >= set(alpha_beta(tree).leaves)
        more += len(found.leaves) > len(alpha_beta(tree).leaves)
        later += found.line != alpha_beta_pv(tree).line
    assert more > 20 and later > 20
    tree = NestedTree([[6, 9], [6, 4]])  # at the second node 6 does not cut, the slide's "smaller than alpha"
    assert alpha_beta_printed(tree).leaves == [2, 3, 5, 6]
    assert alpha_beta(tree).leaves == [2, 3, 5]
    assert alpha_beta_printed(NestedTree([[3], [3]])).line == [0, 3, 4]
    assert alpha_beta_pv(NestedTree([[3], [3]])).line == [0, 1, 2]


def test_the_lesson_tells_the_loss() -> None:
    text = "\n".join(LESSONS["scout"]())
    assert "as printed: 4    with the re-search at every depth: 8    minimax: 8" in text
    assert "at a, 3 plies above the leaves, c is not searched again" in text
    assert "2 plies: wrong on   0, none skipped in 300" in text
