"""Interrupts of a program that has started other processes: they end with it."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class _Deferred:
    """Nesting depth of `defer_interrupts`, and whether an interrupt came meanwhile (main thread only)."""

    depth = 0
    pending = False


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Raise an interrupt only at the end of the block: a process started in it is registered by then."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    _Deferred.depth += 1
    try:
        yield
    finally:
        _Deferred.depth -= 1
        if _Deferred.pending and not _Deferred.depth:
            _Deferred.pending = False
            raise KeyboardInterrupt


@contextmanager
def interruptible() -> Iterator[None]:
    """Raise KeyboardInterrupt for the first SIGTERM, SIGINT or SIGHUP; more of them are ignored.

    A hangup that is ignored already (`nohup`) stays so.
    """
    numbers = [signal.SIGINT, signal.SIGTERM]
    hangup = getattr(signal, "SIGHUP", None)  # not on Windows
    if hangup is not None and signal.getsignal(hangup) is not signal.SIG_IGN:
        numbers.append(hangup)

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        for number in numbers:
            signal.signal(number, signal.SIG_IGN)
        if not _Deferred.depth:
            raise KeyboardInterrupt
        _Deferred.pending = True

    if threading.current_thread() is not threading.main_thread():  # only the main thread may set handlers
        yield
        return
    before = [signal.signal(number, interrupt) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)


@contextmanager
def safe_start() -> Iterator[None]:
    """Python processes started inside the block import nothing from the current folder."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before
