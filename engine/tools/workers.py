"""Worker processes, for the tools that keep several cores busy. They leave nothing behind.

The standard library's workers outlive a killed parent: they finish what they are doing, then wait for ever.
These end with it. After Ctrl-C, or any other error in the parent, they end at once, in the middle of their
task.
"""

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager


@contextmanager
def pool(processes: int) -> Iterator[ProcessPoolExecutor]:
    """That many workers, waited for at the end; an error in the body ends them."""
    executor = ProcessPoolExecutor(processes, initializer=_start)
    try:
        yield executor
    except BaseException:
        for worker in multiprocessing.active_children():
            worker.terminate()
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _start() -> None:
    """A worker begins: Ctrl-C ends it without a traceback of its own."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os._exit(1)
