"""What a worker counts while it searches."""

import time
from pathlib import Path

import pytest
from support.tablebases import typed_in

from sssnake._fast.board.board import Board
from sssnake._fast.board.syzygy import Tables
from sssnake._fast.search.root import window
from sssnake._fast.search.tt import TranspositionTable
from sssnake._fast.search.worker import StopFlag, Worker
from sssnake._fast.values import INFINITE


def searched(worker: Worker, fen: str, depth: int) -> Worker:
    """The worker, after iterations with an open window."""
    worker.set_position(Board(fen))
    worker.obey_limits()
    for now in range(1, depth + 1):
        worker.new_iteration(now)
        window(worker, -INFINITE, INFINITE, now)
    return worker


@pytest.mark.parametrize(("pieces", "probed"), [(2, False), (3, True), (7, True)])
def test_positions_of_few_pieces_are_looked_up(pieces: int, probed: bool, tmp_path: Path) -> None:
    """A queen's capture leads to a table that is typed in."""
    (tmp_path / "KQvK.rtbw").write_bytes(typed_in("Q", 2, -2))
    tables, worker = Tables(), Worker(TranspositionTable(1), StopFlag())
    tables.add(str(tmp_path / "KQvK.rtbw"), "KQvK", False)
    worker.use_tablebases(tables, pieces)
    searched(worker, "8/8/8/3k4/8/8/1p5Q/K7 w - - 0 1", 4)
    assert 0 < worker.tb_hits < worker.nodes if probed else worker.tb_hits == 0


def test_the_longest_time_between_two_looks_at_the_clock() -> None:
    flag = StopFlag()
    worker = Worker(TranspositionTable(1), flag)
    assert searched(worker, Board().fen(), 8).longest_gap == 0, "there is no deadline"
    began = time.monotonic()
    flag.set_limits(0, time.monotonic_ns() + 10**12)
    gap = searched(worker, Board().fen(), 10).longest_gap
    assert 0 < gap < time.monotonic() - began
