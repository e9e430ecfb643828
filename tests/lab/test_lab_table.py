"""The compiled searches against the readable ones, and the comparison against the known figures."""

import csv
import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sssnake._fast.lab.treelab import TreeLab
from sssnake.engine.jobs.executor import LocalExecutor
from sssnake.engine.lab.cli import main
from sssnake.engine.lab.proofs.theory import minimal_leaves
from sssnake.engine.lab.searches import classic, mtd, scout, stockman
from sssnake.engine.lab.searches.log import Result
from sssnake.engine.lab.searches.memory import Memory
from sssnake.engine.lab.trees.trees import RandomTree, TreeError
from sssnake.engine.lab.views import plot
from sssnake.engine.lab.views.table import (
    MIDDLE,
    SEARCHES,
    Row,
    Setting,
    comma_separated,
    compare,
    cost,
    markdown,
)

CREW = LocalExecutor(2, processes=False)

READABLE: dict[str, Callable[[RandomTree], Result]] = {
    "alphabeta": classic.alpha_beta,
    "scout": scout.scout,
    "negascout": scout.negascout,
    "sss": stockman.sss,
    "dual": stockman.dual,
    "mtd+inf": mtd.mtd_plus_inf,
    "mtd-inf": mtd.mtd_minus_inf,
    "mtdf": lambda tree: mtd.mtd_f(tree, MIDDLE),
}


@pytest.mark.parametrize("name", READABLE)
@pytest.mark.parametrize(("width", "depth"), [(1, 6), (2, 7), (3, 5), (4, 4), (7, 2), (5, 1)])
def test_compiled_and_readable_searches_agree(name: str, width: int, depth: int) -> None:
    for seed in range(12):
        found = READABLE[name](RandomTree(width, depth, seed))
        counts = cost(Setting(width, depth, 0, 0), seed, name, found.value)
        assert (counts.leaves, counts.evaluations, counts.nodes) == (
            len(found.leaves),
            found.evaluations,
            found.nodes,
        )
        assert counts.passes == max(1, len(found.passes))
        assert counts.open_max == found.open_max


def test_negascout_with_memory_agrees() -> None:
    for seed in range(20):
        tree = RandomTree(3, 5, seed)
        lab = TreeLab(3, 5, seed)
        found = scout.negascout(tree, Memory())
        assert lab.negascout(memory=True) == found.value
        assert lab.leaves == len(found.leaves)


# Measured elsewhere on trees of the same kind: leaves of alpha-beta, SSS*, DUAL*, MTD from the true value.
KNOWN = {
    (2, 8): (109.7, 80.9, 87.9, 67.1),
    (4, 4): (112.2, 81.5, 95.7, 71.4),
    (5, 4): (227, 160, 189, 138),
    (5, 5): (804, 613, 558, 439),
    (8, 4): (999, 682, 796, 568),
    (20, 3): (2118, 1733, 1499, 1226),
    (20, 4): (17620, 11849, 13234, 9377),
}
PASSES = {(2, 8): (15.7, 9.6), (4, 4): (19.7, 7.1), (5, 5): (33, 38), (8, 4): (100, 16), (20, 4): (865, 50)}


@pytest.mark.parametrize("shape", KNOWN)
def test_the_known_figures(shape: tuple[int, int]) -> None:
    names = ["alphabeta", "sss", "dual", "mtdf-true", "mtd+inf", "mtd-inf"]
    rows = {row.algorithm: row for row in compare(Setting(*shape, 0, 0), names, 40, 3, CREW, lambda x: x)}
    for name, known in zip(names, KNOWN[shape], strict=False):
        # Both sides are samples; the other one's error is unknown and taken to be as large as ours.
        assert abs(rows[name].leaves - known) < 4 * 2**0.5 * rows[name].error, name
    for name, known in zip(("mtd+inf", "mtd-inf"), PASSES.get(shape, ()), strict=False):
        assert rows[name].passes == pytest.approx(known, rel=0.2)
    assert rows["sss"].leaves == rows["mtd+inf"].leaves
    assert rows["dual"].leaves == rows["mtd-inf"].leaves
    # Even depth favours SSS*, odd depth DUAL*.
    assert (rows["sss"].leaves < rows["dual"].leaves) == (shape[1] % 2 == 0)


def test_sorted_trees_cost_the_least() -> None:
    for name in SEARCHES:
        if name not in ("mtd-bi", "mtd-step", "mtdf"):  # these ask about other values as well
            row = compare(Setting(4, 5, 1.0, 0), [name], 3, 1, CREW, lambda x: x)[0]
            assert row.leaves == minimal_leaves(4, 5)
            assert row.error == 0


def test_a_small_table_costs_repetition() -> None:
    full, small = (
        compare(Setting(8, 4, 0, slots), ["mtd+inf"], 10, 1, CREW, lambda x: x)[0] for slots in (0, 64)
    )
    assert full.evaluations == full.leaves == pytest.approx(small.leaves, rel=0.05)
    assert small.evaluations > 2 * full.evaluations


def test_formats() -> None:
    rows = compare(Setting(2, 4, 0, 0), ["alphabeta", "sss"], 3, 1, CREW, lambda x: x)
    assert [row["algorithm"] for row in csv.DictReader(io.StringIO(comma_separated(rows, Row)))] == [
        "alphabeta",
        "sss",
    ]
    lines = markdown(rows).splitlines()
    assert len(lines) == 4
    assert len({line.count("|") for line in lines}) == 1
    assert isinstance(rows[0], Row)


@pytest.mark.parametrize(
    "arguments",
    [
        ["--shape", "0x3"],
        ["--shape", "3"],
        ["--shape", "300x3"],
        ["--shape", "20x20"],
        ["--order", "2"],
        ["--order", "nan"],
        ["--slots", "3"],
        ["--slots", "-4"],
        ["--slots", "99999999999999999999"],
        ["--algorithms", "x"],
        ["--trees", "-1"],
        ["--shape", "20x8", "--order", "0.5"],
        ["--csv", "/no/such/folder/x"],
        ["--chess", "--grain", "65"],
        ["--chess", "--clusters", "-1"],
        ["--chess", "--epd", "/no/such/file"],
        ["--chess", "--mode", "x"],
    ],
)
def test_bad_arguments(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    if "--chess" not in arguments:
        shape = [] if "--shape" in arguments else ["--shape", "2x2"]
        arguments = ["--trees", "2", *shape, *arguments]
    assert main(["table", *arguments]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "does nothing" not in error


@pytest.mark.parametrize(
    ("words", "idle"),
    [
        ("--shape 2x2 --trees 1 --epd nofile", "--epd does nothing without --chess"),
        ("--shape 2x2 --trees 1 --mode play", "--mode does nothing without --chess"),
        ("--chess --depth 1 --shape 2x2", "--shape does nothing with --chess"),
        ("--chess --depth 1 --algorithms sss", "--algorithms does nothing with --chess"),
    ],
)
@pytest.mark.parametrize("command", ["table", "plot -o x.png"])
def test_what_is_not_about_these_trees_is_refused(
    command: str, words: str, idle: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command.split(), *words.split()]) == 2
    name = command.split()[0]
    assert capsys.readouterr().err == f"sssnake lab {name}: {idle}\n"


def test_plot(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="matplotlib is missing: pip install '.[lab]'")
    target = tmp_path / "a.png"
    words = ["plot", "--shape", "2x3", "3x3", "--trees", "3", "--png", str(target)]
    assert main(words) == 0
    assert target.read_bytes()[:4] == b"\x89PNG"
    assert main([*words, "--measure", "passes"]) == 0
    assert main(["plot", "--chess", "--depth", "2", "--positions", "2", "--png", str(target)]) == 0
    assert main(["plot", "--chess", "--measure", "evaluations", "--depth", "1", "--png", str(target)]) == 2
    assert main([*words[:-1], str(tmp_path / "no" / "a.png")]) == 2


def row(**changes: object) -> Row:
    """A row of a table."""
    plain = Row(4, 4, 0.0, 0, "alphabeta", 40, 100.0, 2.0, 1.0, 110.0, 200.0, 1.0, 50.0, 0.0)
    return replace(plain, **changes)  # type: ignore[arg-type]


def drawn(rows: list[Row], measure: str = "leaves") -> Any:
    """The axes of a plot of these rows."""
    pytest.importorskip("matplotlib")
    kept: list[Any] = []
    figure_of = plot.figure_of

    def keep(*arguments: Any) -> Any:
        kept.append(figure_of(*arguments))
        return kept[0]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plot, "figure_of", keep)
        plot.draw(rows, Path("/dev/null"), measure)
    return kept[0].axes[0]


def test_memory_is_a_picture_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Roizen & Pearl (1983): evaluations on the left, what is kept for them on the right."""
    pytest.importorskip("matplotlib")
    figures: list[Any] = []
    monkeypatch.setattr(plot, "write", lambda figure, target: figures.append(figure))
    rows = [
        one
        for width, leaves, entries in ((4, 100.0, 48.0), (40, 2000.0, 10000.0))
        for one in (
            row(width=width, leaves=leaves, evaluations=leaves, entries=0.0),
            row(width=width, algorithm="sss", evaluations=0.7 * leaves, entries=0.0, open_max=width**2),
            row(width=width, algorithm="mtd+inf", evaluations=0.7 * leaves, entries=entries),
        )
    ]
    plot.draw(rows, Path("/dev/null"), "memory")
    left, right = figures[0].axes
    heights = {c.get_label(): [float(y) for y in c.lines[0].get_ydata()] for c in left.containers}
    assert heights["alphabeta"] == [100, 100] and [round(y) for y in heights["sss"]] == [70, 70]
    kept = {c.get_label(): [float(y) for y in c.lines[0].get_ydata()] for c in right.containers}
    assert kept == {"sss": [16, 1600], "mtd+inf": [48, 10000]}
    assert (right.get_yscale(), right.get_xlabel()) == ("log", "width, at depth 4")
    for wrong in (rows[:3], rows[1:3] + rows[4:], [*rows, row(depth=5)], [*rows, row(slots=64)]):
        with pytest.raises(TreeError, match="the picture of memory wants"):
            plot.draw(wrong, Path("/dev/null"), "memory")


@pytest.mark.parametrize("width", [4, 8, 16, 24, 32, 40])
def test_the_longest_open_is_that_of_a_solution_tree(width: int) -> None:
    """At depth 4 MAX has w**2 answers to keep; the readable search counts the same on smaller trees."""
    for dual in (False, True):
        lab = TreeLab(width, 4, 7)
        lab.stockman(dual=dual)
        assert lab.open_max == width**2


def test_shapes_are_not_joined_by_lines() -> None:
    rows = [
        row(width=w, depth=d, algorithm=name, leaves=leaves)
        for w, d in ((2, 8), (4, 4), (5, 5))
        for name, leaves in (("alphabeta", 100.0), ("sss", 70.0))
    ]
    axes = drawn(rows)
    assert all(line.get_linestyle() == "None" for line in axes.lines)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["2×8", "4×4", "5×5"]
    assert axes.get_title() == "uniform random trees, 40 each"
    starts = {round(float(container.lines[0].get_xdata()[0]), 3) for container in axes.containers}
    assert len(starts) == 2  # side by side


def test_table_sizes_have_a_logarithmic_axis() -> None:
    rows = [row(slots=slots, evaluations=10.0 + slots % 7) for slots in (64, 0, 1024, 16384)]
    axes = drawn(rows, "evaluations")
    assert axes.get_xscale() == "log"
    assert [label.get_text() for label in axes.get_xticklabels()] == ["∞", "64", "1,024", "16,384"]
    xs = [float(x) for x in axes.containers[0].lines[0].get_xdata()]
    assert xs == [64, 1024, 16384, 65536]
    assert "4×4" in axes.get_title()
    assert axes.get_yscale() == "linear"
    assert (
        drawn([row(slots=64, evaluations=9000.0), row(evaluations=90.0)], "evaluations").get_yscale() == "log"
    )


def test_orders_stand_at_their_places_and_shapes_in_the_title_or_the_legend() -> None:
    axes = drawn([row(order=order) for order in (0.0, 0.5, 0.8, 1.0)])
    assert [float(x) for x in axes.containers[0].lines[0].get_xdata()] == [0.0, 0.5, 0.8, 1.0]
    assert axes.get_title() == "uniform random trees 4×4, 40 each"
    both = drawn([row(order=order, width=width) for order in (0.0, 0.5) for width in (4, 5)])
    assert [container.get_label() for container in both.containers] == ["alphabeta, 4×4", "alphabeta, 5×4"]


def test_pictures_are_written_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    words = ["plot", "--shape", "2x3", "--trees", "2", "--algorithms", "alphabeta,sss"]
    for name, begin in (
        ("a.png", b"\x89PNG"),
        ("a.svg", b"<?xml"),
        ("a.pdf", b"%PDF"),
        ("plain", b"\x89PNG"),
    ):
        assert main([*words, "-o", str(tmp_path / name)]) == 0
        assert (tmp_path / name).read_bytes().startswith(begin)
    assert main([*words, "-o", "/dev/null"]) == 0
    assert Path("/dev/null").is_char_device()
    assert main([*words, "-o", "/dev/full"]) == 2
    assert "/dev/full" in capsys.readouterr().err


def test_outputs_are_tried_before_the_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name that cannot be written is refused before anything is searched."""
    monkeypatch.setattr("sssnake.engine.lab.cli.compared", lambda arguments: pytest.fail("it searched"))
    for words in (["table", "--csv"], ["table", "--markdown"], ["plot", "-o"]):
        assert main([*words, str(tmp_path / "no" / "file")]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert main(["plot", "-o", str(tmp_path / "x.txt")]) == 2
    assert "a picture is .png, .svg, .pdf" in capsys.readouterr().err
