"""The equivalence on chess positions, with the engine's own search."""

from pathlib import Path

import chess
import pytest
from support.suites import OWN, located

from sssnake._fast.search.parameters import OFF
from sssnake._fast.search.params import Parameters
from sssnake._fast.values import INFINITE
from sssnake.engine.jobs.executor import LocalExecutor
from sssnake.engine.lab.chess.core import DRIVERS, FULL_WIDTH, Core
from sssnake.engine.lab.chess.proof import POSITIONS, prove
from sssnake.engine.lab.chess.table import (
    BASE,
    Conditions,
    compare,
    markdown,
    opening_positions,
    read_positions,
)
from sssnake.engine.lab.cli import main
from sssnake.engine.lab.searches import mtd
from sssnake.engine.lab.trees.trees import TreeError
from sssnake.engine.player.options import DRIVERS as PLAYERS_DRIVERS

CREW = LocalExecutor(1, processes=False)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("fen", POSITIONS)
def test_our_positions(fen: str, depth: int) -> None:
    evidence = prove(fen, depth)
    assert evidence.violations == []
    assert evidence.oracle or depth == 3
    assert evidence.saved <= evidence.leaves // 100


KNOWN = ("wac300.epd", "eet100_endgame.epd", "bratko_kopec24.epd")


@pytest.mark.parametrize(
    "suite", [OWN / "mates.epd", OWN / "openings.epd", *located(*KNOWN)], ids=lambda path: path.stem
)
def test_suites(suite: Path) -> None:
    for fen in read_positions(str(suite))[:6]:
        assert prove(fen, 2).violations == []


def test_a_moving_order_and_a_small_table_break_what_they_should() -> None:
    evidence = prove(POSITIONS[1], 2)
    assert "another order" in evidence.moving
    assert "0 repeated" not in evidence.small
    core = Core(POSITIONS[1], 2)
    mtd.drive(core.test, INFINITE, mtd.from_above)
    assert len(core.worker.leaves()) == len(core.leaves())  # the whole table repeats nothing


def test_a_violation_is_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(DRIVERS, "MTD(f)", lambda core, guess: 17)
    assert main(["chess", "--depth", "1", "--positions", "1"]) == 1
    assert "VIOLATED: MTD(f): 17" in capsys.readouterr().out


def test_another_order_of_leaves_is_a_violation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Core, "leaves", lambda core: sorted(set(core.worker.leaves())))
    assert len(prove(POSITIONS[0], 2).violations) == 2


def test_the_command_prints_the_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chess", "--fen", POSITIONS[2], "--depth", "2"]) == 0
    out = capsys.readouterr().out
    assert out.count("in order") == 2
    assert "VIOLATED" not in out


@pytest.mark.parametrize(
    "arguments",
    [
        ["--depth", "1", "--fen", "x"],
        ["--depth", "1", "--fen", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"],
        ["--depth", "0"],
        ["--depth", "1", "--epd", "/no/such/file"],
        ["--depth", "1", "--epd", __file__],
        [],
    ],
)
def test_bad_arguments(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chess", *arguments]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_lines_of_a_suite_may_be_fens(tmp_path: Path) -> None:
    board = chess.Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 7 12")
    bare = board.epd()
    lines = ["\ufeff" + board.fen(), board.fen() + " bm e2a6;", f"{bare} 7", bare]
    lines += [f'{bare} bm e2a6; id "x";', "# x"]
    (tmp_path / "suite.epd").write_bytes("\r\n".join([*lines, ""]).encode())
    found = [chess.Board(fen) for fen in read_positions(str(tmp_path / "suite.epd"))]
    assert [other.epd() for other in found] == [bare] * 5
    assert [other.halfmove_clock for other in found] == [7, 7, 7, 0, 0]
    assert found[0].fullmove_number == 12


def test_the_openings_are_two_dozen_positions() -> None:
    assert len(set(opening_positions())) == 24


def test_the_comparison_on_chess_positions() -> None:
    rows = compare(opening_positions()[:3], Conditions(3, "exact"), CREW, lambda x: x)
    cell = {(row.driver, row.depth): row for row in rows}
    assert len(cell) == 3 * len(DRIVERS)
    for depth in (1, 2, 3):
        base = cell[BASE["exact"], depth]
        assert (base.leaves_relative, base.leaves_error) == (1.0, 0.0)
        assert cell["SSS*", depth].leaves_relative <= 1.0  # what alpha-beta cuts, SSS* does not visit
        assert cell["DUAL*", depth].leaves_relative <= 1.0
    assert cell["SSS*", 2].passes > cell["NegaScout", 2].passes == 1
    assert markdown(rows).count("\n") == 2 + len(rows)


def test_the_players_drivers_are_compared_as_they_play() -> None:
    rows = compare(opening_positions()[:2], Conditions(6, "play"), CREW, lambda x: x)
    cell = {row.driver: row for row in rows if row.depth == 6}
    assert list(cell) == list(PLAYERS_DRIVERS)
    assert cell[BASE["play"]].nodes_relative == 1.0
    assert cell["SSS*-literal"].passes > 8 * cell["SSS*"].passes > 10
    assert cell["AlphaBeta"].nodes > 3 * cell["PVS"].nodes > 0


def test_a_coarser_grain_needs_fewer_passes() -> None:
    fine, coarse = (
        {
            row.driver: row.passes
            for row in compare(
                opening_positions()[:2], Conditions(2, "exact", grain=grain), CREW, lambda x: x
            )
        }
        for grain in (1, 32)
    )
    assert coarse["SSS*"] < fine["SSS*"]


def test_a_core_has_parameters_of_its_own() -> None:
    """The value is a multiple of its grain, beside a core that has another."""
    coarse, fine = Core(POSITIONS[1], 2, parameters=Parameters(grain=32)), Core(POSITIONS[1], 2)
    for _ in range(2):
        values = [core.window(-INFINITE, INFINITE, scouting=False) for core in (coarse, fine)]
        assert values[0] % 32 == 0 != values[1] % 32


def test_full_width_is_the_search_without_selective_rules() -> None:
    """It has no leaves to count, and more nodes than play."""
    assert all(OFF.get(name, 0) == value for name, value in FULL_WIDTH.items())
    rows = compare(opening_positions()[:1], Conditions(5, "full-width"), CREW, lambda x: x)
    assert all(row.leaves == 0 < row.nodes for row in rows)
    play = Core(opening_positions()[0], exact=False)
    for depth in range(1, 6):
        play.begin(depth)
        DRIVERS["NegaScout"](play, 0)
    [full] = [row for row in rows if (row.driver, row.depth) == ("NegaScout", 5)]
    assert full.nodes > 2 * play.nodes


def test_a_bad_suite_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.epd"
    for text in ("", "nonsense\n", "8/8/8/8/8/8/8/8 w\n"):
        file.write_text(text)
        with pytest.raises(TreeError):
            read_positions(str(file))
