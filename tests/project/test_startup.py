"""Start-up time and memory, compared with a bare Python on this machine: the best of several tries counts."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from support.constants import ENGINE, ROOT

TRIES = 7
MIB = 1024  # kB


def best_of(tries: int, measure: Callable[[], float]) -> float:
    return min(measure() for _ in range(tries))


def answer(command: list[str], send: str, expect: str) -> float:
    """Processor seconds of a process that gives the expected answer and ends."""
    before = os.times()
    done = subprocess.run(
        command, input=send, capture_output=True, text=True, cwd=ROOT, timeout=60, check=True
    )
    after = os.times()
    assert expect in done.stdout
    return after.children_user + after.children_system - before.children_user - before.children_system


def test_uciok_within_three_bare_starts_of_python() -> None:
    """In processor time, which a busy machine does not stretch; ten runs at once, for its clock is coarse."""

    def ten(command: list[str], send: str, expect: str) -> float:
        return sum(answer(command, send, expect) for _ in range(10))

    bare = best_of(2, lambda: ten([sys.executable, "-c", "print('uciok')"], "", "uciok"))
    ours = best_of(2, lambda: ten(ENGINE, "uci\nquit\n", "uciok"))
    assert ours < 3 * bare + 0.05


@pytest.mark.clock
def test_ready_within_half_a_second() -> None:
    def ready() -> float:
        start = time.perf_counter()
        with subprocess.Popen(ENGINE, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            assert process.stdin and process.stdout
            process.stdin.write(b"isready\n")
            process.stdin.flush()
            assert process.stdout.readline() == b"readyok\n"
            taken = time.perf_counter() - start
            process.stdin.close()
        return taken

    load = os.getloadavg()[0] / (os.cpu_count() or 1)
    assert best_of(TRIES, ready) < 0.5 * max(1.0, load)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc to read the footprint from")
def test_resident_memory_with_a_full_table() -> None:
    with subprocess.Popen(ENGINE, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin and process.stdout
        process.stdin.write(b"setoption name Hash value 16\nposition startpos\ngo nodes 500000\n")
        process.stdin.flush()
        while not process.stdout.readline().startswith(b"bestmove"):
            pass
        status = Path(f"/proc/{process.pid}/status").read_text()
        process.stdin.close()
    peak = int(status.split("VmHWM:")[1].split()[0])
    assert peak < 80 * MIB
