"""What the machine can give: memory, asked before a transposition table is made, and processors.

Linux and macOS say yes to any request, hand out pages when they are first touched, and kill or stall who
touches one too many. So Hash is compared with what is free, in our container and on the machine.
"""

import os
from pathlib import Path

from sssnake._fast.pages import available

MIB = 1 << 20
MEMINFO = Path("/proc/meminfo")
CONTAINER = Path("/sys/fs/cgroup")


def available_mib(meminfo: Path = MEMINFO, container: Path = CONTAINER) -> int | None:
    """MiB that may still be used; None if the system does not say."""
    found = [free for free in (_machine(meminfo), _container(container), _system()) if free is not None]
    return min(found, default=None)


def processors(container: Path = CONTAINER) -> int:
    """How many processors this process may keep busy: those it is bound to, or fewer by its control group."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = (container / "cpu.max").read_text().split()
        count = min(count, -(-int(quota) // int(period)))
    except (OSError, ValueError, ZeroDivisionError):  # none, or "max"
        pass
    return max(1, count)


def _machine(meminfo: Path) -> int | None:
    """What the kernel thinks new programs can get without swapping."""
    try:
        for line in meminfo.read_text().splitlines():
            name, _, value = line.partition(":")
            if name == "MemAvailable":
                return int(value.split()[0]) * 1024 // MIB
    except (OSError, ValueError, IndexError):
        pass
    return None


def _system() -> int | None:
    """What Windows or macOS says."""
    free = available()
    return None if free < 0 else free // MIB


def _container(folder: Path) -> int | None:
    """What the limit of our control group (version 2) leaves; cached files count as free, as they are."""
    try:
        limit = (folder / "memory.max").read_text().strip()
        used = int((folder / "memory.current").read_text())
        stat = dict(line.split() for line in (folder / "memory.stat").read_text().splitlines())
        used -= int(stat["inactive_file"]) + int(stat["active_file"])
        return None if limit == "max" else max(0, int(limit) - used) // MIB
    except (OSError, ValueError, KeyError):
        return None
