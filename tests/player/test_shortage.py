"""A machine without memory: every `go` is answered with a move that was searched."""

import subprocess
import sys
import threading
from typing import Any

import chess
import pytest
from support.constants import ROOT

from sssnake._fast.drivers.helpers import STACK_BYTES
from sssnake._fast.search.worker import Worker
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.resources import pool as pool_module

resource = pytest.importorskip("resource")
HANGING = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"  # exd5 takes a queen; the first legal move is another one


def answers(kib: int, *commands: str) -> list[str]:
    """What the engine prints, given so much address space."""
    code = (
        f"import resource; resource.setrlimit(resource.RLIMIT_AS, 2 * ({kib} << 10,))\n"
        "from sssnake.engine.commands.cli import main; main([])"
    )
    text = (
        "\n".join([*commands, f"position fen {HANGING}", "go depth 6", "go infinite", "go nodes 3000"]) + "\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=text, capture_output=True, text=True, cwd=ROOT, timeout=120
    )
    assert done.returncode == 0 and done.stderr == ""
    return done.stdout.splitlines()


@pytest.mark.skipif(sys.platform != "linux", reason="address space is limited on Linux alone")
@pytest.mark.parametrize(
    ("kib", "threads", "megabytes"),
    [
        (900_000, 64, 16),
        (400_000, 64, 16),
        (400_000, 256, 64),
        (250_000, 8, 16),
        (200_000, 1, 300),
        (120_000, 1, 16),
    ],
)
def test_a_hanging_queen_is_taken_whatever_is_short(kib: int, threads: int, megabytes: int) -> None:
    options = [f"setoption name Threads value {threads}", f"setoption name Hash value {megabytes}", "isready"]
    lines = answers(kib, *options)
    moves = [line.split()[1] for line in lines if line.startswith("bestmove")]
    assert moves == 3 * ["e4d5"], lines
    assert not [line for line in lines if "failed" in line]
    if megabytes > kib >> 10:
        assert [line for line in lines if "stay in use" in line]


def test_without_any_thread_the_search_runs_where_it_is() -> None:
    code = (
        "import threading, chess\n"
        "from sssnake.engine.player.engine import Engine, Limits\n"
        'def refuse(self): raise RuntimeError("can\'t start new thread")\n'
        "threading.Thread.start = refuse\n"
        "notes = []\n"
        "with Engine(on_note=notes.append) as engine:\n"
        f"    print(engine.start(chess.Board({HANGING!r}), Limits(infinite=True)).wait().move)\n"
        f"    print(engine.start(chess.Board({HANGING!r}), Limits(depth=5)).wait().lines[0].depth)\n"
        "print(*notes, sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=60)
    assert done.stdout.splitlines() == [
        "e4d5",
        "5",
        *2 * ["Threads: none could be started; this search hears no stop"],
    ]


def test_a_quarter_of_the_stack_is_enough_for_the_deepest_search() -> None:
    """A bare ending, in which iterations and their lines get as deep as any."""
    code = (
        "import threading, chess\n"
        "from sssnake.engine.player.engine import Engine, Limits\n"
        "def deep():\n"
        "    with Engine() as engine:\n"
        f"        print(engine.play(chess.Board({HANGING!r}), Limits(depth=127)).lines[0].seldepth)\n"
        f"threading.stack_size({STACK_BYTES // 4})\n"
        "thread = threading.Thread(target=deep)\n"
        "thread.start()\n"
        "thread.join()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert done.returncode == 0 and int(done.stdout) >= 120, done


def test_helpers_make_room_for_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """No thread for the search at first: some helpers go, and the search runs beside the caller."""
    start, refused = threading.Thread.start, [True, True]

    def refuse(thread: threading.Thread) -> None:
        if refused:
            refused.pop()
            raise RuntimeError("can't start new thread")
        start(thread)

    notes: list[str] = []
    with Engine(hash_mb=1, threads=9, on_note=notes.append) as engine:
        pool = engine.prepare()
        monkeypatch.setattr(threading.Thread, "start", refuse)
        search = engine.start(chess.Board(HANGING), Limits(infinite=True))
        assert not search.done and len(pool.workers) == 5  # of 8 helpers 6, then 4 stay
        search.stop()
        assert str(search.wait().move) == "e4d5"
        assert notes == ["Threads: no more than 5 could be started"]
        assert len(engine.prepare().workers) == 5  # not asked for again until Threads changes
        engine.options.threads = 7
        assert len(engine.prepare().workers) == 7


def test_memory_for_some_workers_only(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Worker] = []

    def make(*args: Any) -> Worker:
        if len(made) == 9:
            raise MemoryError("no memory for a search thread")
        made.append(Worker(*args))
        return made[-1]

    monkeypatch.setattr(pool_module, "Worker", make)
    with Engine(hash_mb=1, threads=64) as engine:
        assert len(engine.prepare().workers) == 7  # a quarter of the eight helpers left room
        assert str(engine.play(chess.Board(HANGING), Limits(depth=5)).move) == "e4d5"


def test_too_much_hash_at_first_leaves_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    for free, right in ((100, 16), (12, 8), (0, 1)):
        monkeypatch.setattr(pool_module, "available_mib", lambda free=free: free)
        with Engine(hash_mb=4000, threads=3) as engine:
            with pytest.raises(MemoryError, match="Hash 4000: this machine has"):
                engine.prepare()
            assert engine.size == (right, 3)
