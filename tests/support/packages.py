"""Packages, built once for all tests; sessions with their engines under wine or qemu, and node counts."""

import contextlib
import importlib.util
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import chess
import pytest

from support.constants import ROOT
from support.sessions import Lines

WAIT = 120  # seconds, for a start


def build(folder: Path) -> Path:
    """What `make wheels` makes, compiled sooner, below a folder; without zig only what this system runs."""
    command = [sys.executable, str(ROOT / ".ci" / "packages" / "build.py"), str(folder / "dist")]
    command += ["--work", str(folder / "work")]
    if importlib.util.find_spec("ziglang") is None:
        command += ["--only", "linux-x86_64"]
    environment = {**os.environ, "SSSNAKE_OPTIMIZE": "1"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-3000:]
    return folder / "dist"


def build_once(folder: Path) -> Path:
    """The packages in a folder below; of several processes one builds them, and the others wait."""
    import fcntl  # packages are built on Linux alone

    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder / "done"
        if not done.exists():
            build(folder)
            done.touch()
    return folder / "dist"


def one(folder: Path, pattern: str) -> Path:
    """The file of that name; the test is skipped where zig has not built it."""
    found = sorted(folder.glob(pattern))
    if not found and importlib.util.find_spec("ziglang") is None:
        pytest.skip("ziglang is not installed: pip install -r .ci/packages/zig.txt")
    [path] = found
    return path


class Foreign:
    """A UCI session with the engine that a command starts."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.lines = Lines()
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=pipe, env={**os.environ, **environment}
        )
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._drain, daemon=True).start()
        self.errors = b""

    def _read(self) -> None:
        assert self.process.stdout
        for raw in self.process.stdout:
            self.lines.put(raw.decode())

    def _drain(self) -> None:
        assert self.process.stderr
        self.errors = self.process.stderr.read()

    def send(self, *lines: str) -> None:
        """Send lines."""
        assert self.process.stdin
        self.process.stdin.write("".join(line + "\n" for line in lines).encode())
        self.process.stdin.flush()

    def ask(self, *lines: str, until: str) -> list[str]:
        """Send lines; all that comes up to a line that begins with `until`."""
        self.send(*lines)
        return self.hear(until)

    def hear(self, prefix: str) -> list[str]:
        """All that comes up to a line that begins with `prefix`."""
        return self.lines.until(prefix, WAIT)

    def end(self) -> int:
        """Close its input; the exit status."""
        assert self.process.stdin
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        return self.process.wait(WAIT)


def talk(engine: Foreign) -> None:
    """A dialogue with an engine that has just started: options, stop, ponder, the end of input."""
    assert any(line.startswith("id name SSSnake") for line in engine.ask("uci", until="uciok"))
    engine.ask("setoption name Hash value 1", "setoption name Threads value 2", "isready", until="readyok")
    engine.send("position startpos moves e2e4", "go infinite")
    engine.hear("info depth 5")
    board = chess.Board()
    board.push_uci("e2e4")
    assert chess.Move.from_uci(engine.ask("stop", until="bestmove")[-1].split()[1]) in board.legal_moves
    engine.send("position startpos moves e2e4 e7e5", "go ponder wtime 3000 btime 3000")
    engine.hear("info depth 3")
    assert not [line for line in engine.ask("isready", until="readyok") if line.startswith("bestmove")]
    engine.ask("ponderhit", until="bestmove")
    engine.send("position startpos", "go movetime 300")
    engine.hear("bestmove")
    engine.send("go infinite")
    engine.hear("info depth 2")
    assert (engine.end(), engine.errors) == (0, b"")


def nodes(command: Sequence[str], environment: Mapping[str, str], depth: int, folder: Path) -> int:
    """The node count that `bench` prints."""
    done = subprocess.run(
        [*command, "bench", str(depth)],
        env={**os.environ, **environment},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    return int(done.stdout.splitlines()[-1].split()[0])
