"""The measurement of memory (tests/measure): the engine's own searches, counts of entries, runs cut off."""

import math
import random
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest
from measure import memory
from measure.memory import DRIVERS, MEGABYTES, Row

from sssnake._fast.board.board import Board
from sssnake._fast.search.tt import Bound, TranspositionTable
from sssnake.engine.player.bench import POSITIONS
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import Options


def row(megabytes: int, depth: int, nodes: int, finished: bool = True, used: int = 1000) -> Row:
    """A row of SSS*'s search of position 0."""
    return Row(0, "FEN", "SSS*", megabytes, depth, nodes, 0, finished, used, megabytes << 16)


def rows(factor: float, finished: bool = True) -> list[Row]:
    """Searches of 1.2 million nodes, and with 1 MB so many times as many, in the last iteration."""
    large = [row(mb, depth, depth * 200_000) for mb in MEGABYTES[:-1] for depth in range(1, 7)]
    small = [row(1, depth, depth * 200_000) for depth in range(1, 6)]
    return [*large, *small, row(1, 6, int(factor * 1_200_000), finished)]


@pytest.mark.parametrize("driver", DRIVERS)
def test_its_searches_are_those_of_the_engine(driver: str) -> None:
    fen, depth = POSITIONS[9], 11
    for found in memory.iterations(0, fen, driver, 4):
        if found.depth == depth:
            break
    result = Engine(Options(driver=driver, hash_mb=4)).play(Board(fen), Limits(depth=depth))
    assert (found.nodes, found.value) == (result.nodes, result.score)


@pytest.mark.parametrize("keys", [1000, 20_000, 25_000])
def test_how_many_keys_a_table_was_given(keys: int) -> None:
    """However many of them were overwritten: a third of them, at the last."""
    rng, table, clusters = random.Random(1), TranspositionTable(0, clusters=4096), 4096
    for _ in range(keys):
        table.put(rng.getrandbits(64), 0, 1, Bound.LOWER)
    found = memory.stored(table.entries_used(), clusters * memory.CLUSTER)
    assert found == pytest.approx(keys, rel=0.03)


def test_a_full_table_does_not_say_what_it_was_given() -> None:
    assert memory.stored(4096, 4096) == math.inf


def test_searches_are_compared_to_the_depth_of_the_largest_table() -> None:
    """A mean over four iterations."""
    found = memory.compared([*rows(16), row(16, 7, 9_000_000)], 10**6)["SSS*"]
    assert [last.depth for ends in found[0].values() for last in ends] == [2, 3, 4, 5] * len(MEGABYTES)
    found = memory.compared(rows(16), 1_200_000)["SSS*"]
    assert [last.depth for ends in found[0].values() for last in ends] == [3, 4, 5, 6] * len(MEGABYTES)
    at = memory.point(found.values(), 1)
    assert at.factor == pytest.approx(2)
    assert at.overwritten == pytest.approx(0, abs=1e-3) and not at.given_up
    assert memory.compared(rows(1.5)[:-1], 1_200_000)["SSS*"] == {}, "not finished yet"
    assert memory.compared(rows(1.5), 10**7)["SSS*"] == {}, "too small"
    assert {row.depth for row in memory.kept(rows(1.5))} == {2, 3, 4, 5}


def test_a_search_given_up_needs_more() -> None:
    [ends] = memory.compared(rows(4, finished=False), 1_200_000)["SSS*"].values()
    assert memory.shown(memory.point([ends, ends], 1)) == "> 4.00"
    assert memory.compared(rows(2, finished=False), 1_200_000)["SSS*"] == {}, "given up too soon"


def test_a_factor_has_its_standard_error() -> None:
    searches = [memory.compared(rows(factor), 1_200_000)["SSS*"][0] for factor in (1, 16, 256)]
    assert memory.shown(memory.point(searches, 1)) == "2.00 ± 0.80"
    assert memory.shown(memory.point(searches[:2], 1)) == "1.41", "two do not say how much they vary"


def test_the_share_overwritten_is_of_what_was_stored() -> None:
    """By the search itself, unless its table is full; then by that in the largest table."""
    large = row(1024, 3, 1, used=100_000)
    assert memory.overwritten(row(1, 3, 1, used=65_536), large) == pytest.approx(0.3446, abs=0.001)
    half = memory.overwritten(row(1, 3, 1, used=32_768), large)
    assert half == pytest.approx(1 - 32_768 / memory.stored(32_768, 65_536)) and 0.02 < half < 0.05
    assert memory.overwritten(large, large) == pytest.approx(0, abs=0.001)


def test_positions_are_middle_games() -> None:
    boards = list(map(chess.Board, memory.POSITIONS))
    assert len({board.epd() for board in boards}) == len(boards) == 12
    for board in boards:
        assert board.is_valid() and not board.is_check() and chess.popcount(board.occupied) >= 16


def test_searches_are_of_the_positions_that_were_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def searched(number: int, fen: str, driver: str, megabytes: int, limit: int = 0) -> Iterator[Row]:
        yield Row(number, fen, driver, megabytes, 1, 10, 0, True, 1, megabytes << 16)

    monkeypatch.setattr(memory, "iterations", searched)
    memory.search(Namespace(rows=tmp_path / "rows", positions=(4, 3), nodes=10, drivers=["PVS"]))
    found = {(row.position, row.fen) for row in memory.read([tmp_path / "rows"])}
    assert found == {(number, memory.POSITIONS[number]) for number in (4, 5, 6)}


def test_a_run_that_was_cut_off_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "MEGABYTES", (4, 1))
    monkeypatch.setattr(memory, "LARGEST", 4)

    def run(name: str, nodes: int) -> list[str]:
        path = tmp_path / name
        memory.search(Namespace(rows=path, positions=(0, 1), nodes=nodes, drivers=["SSS*", "PVS"]))
        return path.read_text(encoding="utf-8").splitlines()

    whole = run("whole", 20_000)
    for length in (1, 10, len(whole) // 2, len(whole) - 1, len(whole)):
        (tmp_path / "cut").write_text("\n".join(whole[:length]) + "\n", encoding="utf-8")
        assert run("cut", 20_000) == whole
    assert sorted(run("cut", 40_000)) == sorted(run("deep", 40_000)), "deeper: nothing twice, nothing lost"


def test_a_search_given_up_is_tried_again_with_more_nodes(tmp_path: Path) -> None:
    log = memory.Log(tmp_path / "rows")
    for nodes in (1000, 2000):
        log.add(row(1, 3, nodes, finished=False))
    log.add(row(1, 3, 1500))
    assert memory.Log(tmp_path / "rows").last(0, "SSS*", 1) == row(1, 3, 1500)
    assert len(memory.read([tmp_path / "rows"])) == 3
