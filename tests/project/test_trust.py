"""Robustness: random input, signals, a killed GUI, memory over a long time.

These are short runs; docs/develop/testing.md has the long ones.
"""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.constants import ENGINE, ROOT

SOAK = ROOT / "tests" / "soak"
SOON = 30.0  # seconds, on a busy machine

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="signals and /proc of Linux"),
    pytest.mark.timeout(1500),
]

# A GUI that starts an engine, prints its process id, lets it search and waits to be killed.
GUI = """
import subprocess, sys, time
engine = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
engine.stdin.write("setoption name Threads value 3\\nisready\\ngo infinite\\n")
engine.stdin.flush()
while not engine.stdout.readline().startswith("info depth"):
    pass
print(engine.pid, flush=True)
time.sleep(600)
"""


def script(name: str, *words: str) -> str:
    """Run a script in tests/soak/, which must succeed; return its output."""
    command = [sys.executable, str(SOAK / name), *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def gone(pid: int) -> bool:
    """Whether a process ends within SOON; a zombie counts as ended."""
    deadline = time.monotonic() + SOON
    while time.monotonic() < deadline:
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return True
        if state == "Z":
            return True
        time.sleep(0.05)
    return False


def test_nonsense_finds_nothing() -> None:
    assert "nothing found" in script("fuzz.py", "--lines", "10000", "--seed", "1")


def test_memory_stays_flat() -> None:
    assert "grown by" in script("endurance.py", "memory", "--times", "1200")


def test_stop_is_obeyed() -> None:
    """Only that the measurement works: the time until a stop is measured on an idle machine."""
    command = [sys.executable, str(SOAK / "endurance.py"), "stop", "--times", "20"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    assert "20 stops" in done.stdout, done.stderr


def test_a_killed_gui_leaves_no_engine_behind() -> None:
    command = [sys.executable, "-c", GUI, *ENGINE]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as gui:
        assert gui.stdout
        engine = int(gui.stdout.readline())
        assert Path(f"/proc/{engine}").exists()
        gui.kill()
    assert gone(engine)


def datagen(folder: Path) -> list[str]:
    """A command that writes three shards into a folder, by two workers."""
    command = [*ENGINE, "datagen", str(folder), "--seeds", "1", "3", "--games", "8", "--nodes", "150"]
    return [*command, "--concurrency", "2"]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What it writes when nobody kills it."""
    folder = tmp_path_factory.mktemp("whole")
    subprocess.run(datagen(folder), cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_killed_datagen_leaves_no_worker_behind_and_goes_on(
    number: signal.Signals, tmp_path: Path, whole: Path
) -> None:
    command = datagen(tmp_path)
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    shard = tmp_path / "seed000001-150n.games"
    deadline = time.monotonic() + SOON
    while not (shard.exists() and shard.stat().st_size > 2000) and time.monotonic() < deadline:
        time.sleep(0.02)
    workers = children(process.pid)
    assert workers
    process.send_signal(number)
    process.wait(SOON)
    assert all(gone(worker) for worker in workers)
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    for path in whole.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    threads = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for thread in threads for child in (thread / "children").read_text().split()]


def test_a_killed_match_keeps_its_games_and_leaves_no_engine_behind(tmp_path: Path) -> None:
    pgn = tmp_path / "games.pgn"
    engine = " ".join(ENGINE)
    command = [*ENGINE, "match", engine, engine, "--nodes", "200", "--games", "400", "--pgn", str(pgn)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 2 * SOON
    while not (pgn.exists() and pgn.read_text().count("[Result") >= 2) and time.monotonic() < deadline:
        time.sleep(0.05)
    engines = children(process.pid)
    assert len(engines) == 2
    process.kill()
    process.wait(SOON)
    assert all(gone(engine) for engine in engines)
    games = pgn.read_text().split("[Event ")[1:]
    assert len(games) >= 2
    assert all(game.rstrip().endswith(("1-0", "0-1", "1/2-1/2")) for game in games[:-1])


def test_kills_lose_nothing_and_count_nothing_twice() -> None:
    found = script("kills.py", "--times", "3")
    assert found.count("killed 3 times") == 3


def test_a_full_disk_costs_a_line() -> None:
    command = [sys.executable, str(SOAK / "full_disk.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1200)
    if done.returncode == 77:
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0, done.stdout + done.stderr


def test_hostile_opponents_forfeit() -> None:
    kinds = ["100 MB", "garbage", "late", "a child that holds the pipe", "hangs at uci", "hangs at isready"]
    found = script("opponents.py", "--games", "2", *kinds)
    assert found.count("all won") == 4
