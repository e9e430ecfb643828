"""Free memory is read where the system tells it, and the smallest answer counts."""

import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import chess
import pytest

from sssnake._fast.board.board import Board
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.resources.memory import available_mib
from sssnake.engine.player.resources.pool import Pool
from sssnake.engine.selfplay.players import SearchPlayer, Side

ENGINES = 4
STATUS = Path("/proc/self/status")


def test_the_smaller_of_machine_and_container_counts(tmp_path: Path) -> None:
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal: 9000000 kB\nMemAvailable:    4096000 kB\n")
    assert available_mib(meminfo, tmp_path) == 4000
    (tmp_path / "memory.max").write_text("max\n")
    (tmp_path / "memory.current").write_text(f"{400 << 20}\n")
    (tmp_path / "memory.stat").write_text(f"anon 1\nactive_file {100 << 20}\ninactive_file {200 << 20}\n")
    assert available_mib(meminfo, tmp_path) == 4000
    (tmp_path / "memory.max").write_text(f"{612 << 20}\n")
    assert available_mib(meminfo, tmp_path) == 512
    assert available_mib(tmp_path / "none", tmp_path) == 512
    (tmp_path / "memory.max").write_text(f"{99 << 20}\n")
    assert available_mib(meminfo, tmp_path) == 0, "more is used than the limit, which was lowered"
    assert available_mib(tmp_path / "none", tmp_path / "none") is None
    meminfo.write_text("garbage\nMemAvailable: lots\n")
    assert available_mib(meminfo, tmp_path / "none") is None


def test_a_refused_table_leaves_the_old_one() -> None:
    pool = Pool(2, 1)
    table = pool.table
    free = available_mib()
    if free is not None:
        try:
            pool.resize(free + 1000)
        except MemoryError as error:
            assert f"Hash {free + 1000}" in str(error)
        else:
            raise AssertionError("more than there is")
        assert pool.table is table
    pool.resize(3)
    assert pool.table.megabytes == 3 and all(worker.table is pool.table for worker in pool.workers)


def test_an_engines_memory_is_given_back_with_its_last_reference() -> None:
    """At once, not when Python looks for cycles: tools make two engines for every pair of games."""
    gc.disable()
    try:
        player = SearchPlayer(Side(), Limits(depth=2))
        player.move(Board())
        pool = weakref.ref(player.engine.prepare())
        del player
        assert pool() is None
    finally:
        gc.enable()


@pytest.mark.skipif(not STATUS.exists(), reason="only Linux says how much memory is in use")
def test_closed_engines_give_their_memory_back() -> None:
    together = threading.Barrier(ENGINES)

    def use(_: int) -> None:
        with Engine(hash_mb=16) as engine:
            engine.play(chess.Board(), Limits(nodes=5_000))
            engine.clear_hash()  # every page is touched
            together.wait(60)

    with ThreadPoolExecutor(ENGINES) as pool:  # each thread has a heap of its own
        left = []
        for _ in range(4):
            list(pool.map(use, range(ENGINES)))
            left.append(resident())
    assert left[-1] - left[0] < 8_000, left  # kB


def resident() -> int:
    """Kilobytes of this process in memory."""
    return int(STATUS.read_text().partition("VmRSS:")[2].split()[0])
