"""Deep recursion: the textbook searches recurse once a ply, and trees may be very deep."""

import sys
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

DEPTH_LIMIT = 5_000
STACK_BYTES = 255 << 20  # the most that Windows takes; used only as far as the recursion goes
FRAMES_A_PLY = 3

_lock = threading.Lock()


def deeply(work: Callable[[], T]) -> T:
    """Run `work` where it may recurse DEPTH_LIMIT plies deep; its result or exception is passed on."""
    results: list[T] = []
    errors: list[BaseException] = []

    def run() -> None:
        try:
            results.append(work())
        except BaseException as error:
            errors.append(error)

    with _lock:
        limit, stack = sys.getrecursionlimit(), threading.stack_size(STACK_BYTES)
        sys.setrecursionlimit(max(limit, FRAMES_A_PLY * DEPTH_LIMIT))
        try:
            thread = threading.Thread(target=run, daemon=True)
            thread.start()
            thread.join()
        finally:
            threading.stack_size(stack)
            sys.setrecursionlimit(limit)
    if errors:
        raise errors[0]
    return results[0]
