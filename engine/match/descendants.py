"""Processes that an engine has started, however far they went from it: found by a mark in their environment.

A daemon leaves the engine's process group and session and has no parent left (double fork, setsid), but keeps
the environment that it began with, which Linux shows in /proc. Not found: processes of another user, and
those that were started without the engine's environment by one that has ended itself.
"""

import contextlib
import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

MARK = "SSSNAKE_MATCH_ENGINE"  # the marks of an engine, after those of the engines that started it
ROUNDS = 50  # looks for processes that were started meanwhile
PAUSE = 0.002  # seconds between them, for killed processes to vanish


@dataclass(frozen=True)
class _Process:
    """A living process. Its number may be given to another one; that has another start."""

    pid: int
    parent: int
    start: int  # clock ticks since the machine's


def marked(mark: str) -> dict[str, str]:
    """Our environment with one mark more."""
    return {**os.environ, MARK: f"{os.environ.get(MARK, '')}:{mark}"}


def end(mark: str) -> None:
    """Kill all processes with a mark, and their descendants. Linux only; elsewhere nothing happens."""
    if sys.platform != "linux":
        return
    for _ in range(ROUNDS):
        family = _family(mark)
        if not family:
            return
        for process in family:
            _kill(process)
        time.sleep(PAUSE)


def _family(mark: str) -> set[_Process]:
    """Living processes that have the mark, and their descendants."""
    living = _living()
    found = {process for process in living if _has(process.pid, mark)}
    grown = bool(found)
    while grown:
        pids = {process.pid for process in found}
        children = {process for process in living if process.parent in pids} - found
        found |= children
        grown = bool(children)
    return found


def _living() -> list[_Process]:
    """All living processes; none where there is no /proc."""
    try:
        pids = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]
    except OSError:
        return []
    return [process for process in map(_process, pids) if process is not None]


def _process(pid: int) -> _Process | None:
    """What /proc says of a process; None if it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in "ZX" else _Process(pid, int(fields[1]), int(fields[19]))


def _has(pid: int, mark: str) -> bool:
    try:
        return mark.encode() in Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False


def _kill(process: _Process) -> None:
    """Kill it, and no other that has got its number meanwhile."""
    with contextlib.suppress(OSError):  # it has ended
        handle = os.pidfd_open(process.pid)
        try:
            found = _process(process.pid)
            if found is not None and found.start == process.start:
                signal.pidfd_send_signal(handle, signal.SIGKILL)
        finally:
            os.close(handle)
