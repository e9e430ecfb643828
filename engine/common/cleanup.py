"""Files that must not outlive the process: a signal that ends it removes them first."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

DEADLY = ("SIGINT", "SIGTERM", "SIGHUP", "SIGXCPU")  # Windows lacks some
_files: list[Path] = []


@contextmanager
def removed_by_signals(path: Path) -> Iterator[None]:
    """Remove a file, if it exists, at the end of the block, and also if a signal ends the process in it.

    Signals that are ignored or have a handler keep what they have. Only the main thread can set handlers.
    """
    _files.append(path)
    before = {}
    if threading.current_thread() is threading.main_thread():
        for name in DEADLY:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is signal.SIG_DFL:
                before[number] = signal.signal(number, _die)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        _files.remove(path)
        for number, handler in before.items():
            if signal.getsignal(number) is _die:
                signal.signal(number, handler)


def _die(number: int, _frame: FrameType | None) -> None:
    """Remove the files, and end as if there were no handler."""
    for path in _files:
        path.unlink(missing_ok=True)
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
