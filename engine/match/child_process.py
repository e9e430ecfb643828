"""A child process with line input and output, which is ended with all its descendants.

Nothing here waits for ever. Writing to a process that does not read ends at a deadline. Reading ends with the
process, even if a descendant of it keeps the pipe open.
"""

import contextlib
import os
import queue
import select
import signal
import subprocess
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from typing import Any

from sssnake.engine.match import descendants
from sssnake.engine.match.windows_job import WindowsJob

LONGEST_LINE = 1 << 20  # a process that sends more without a line end is broken
POLL_SECONDS = 0.5  # after so long without output the reader looks whether it should end
POSIX = os.name == "posix"


class Process:
    """Starts at once. Another thread calls `take` with (monotonic time, line), at the end with None."""

    def __init__(self, command: Sequence[str], take: Callable[[float, bytes | None], None]) -> None:
        self._take = take
        self._mark = uuid.uuid4().hex
        self._popen = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env=descendants.marked(self._mark),
            **_own_group(),
        )
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        self._in, self._out = self._popen.stdin, self._popen.stdout
        self._closing, self._lock = False, threading.Lock()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._job: WindowsJob | None = None
        self._unwritten: queue.SimpleQueue[tuple[memoryview, _Written] | None] = queue.SimpleQueue()
        try:
            if POSIX:
                os.set_blocking(self._in.fileno(), False)
            else:
                self._job = WindowsJob(self._popen)
                threading.Thread(target=self._write_all, daemon=True).start()
            self._reader.start()
        except BaseException:
            self.end()
            raise

    def write(self, data: bytes, deadline: float) -> None:
        """Write all of `data`. OSError if the process has gone, TimeoutError if it does not read in time."""
        rest = memoryview(data)
        if not POSIX:
            order = _Written()
            self._unwritten.put((rest, order))
            order.wait(deadline)
            return
        while rest:
            try:
                written = self._in.write(rest)
            except ValueError as error:  # closed
                raise OSError(str(error)) from None
            if written is None:  # the pipe is full
                self._wait_for_space(deadline)
            else:
                rest = rest[written:]

    def _wait_for_space(self, deadline: float) -> None:
        poll = select.poll()
        poll.register(self._in, select.POLLOUT)
        if not poll.poll(max(0.0, 1000 * (deadline - time.monotonic()))):
            raise TimeoutError("the engine does not read")

    def _write_all(self) -> None:
        """Windows' pipes make a writer wait: this thread, and not the one with the deadline."""
        while (item := self._unwritten.get()) is not None:
            rest, written = item
            try:
                while rest:
                    rest = rest[self._in.write(rest) :]
                written.done(None)
            except (OSError, ValueError) as error:
                written.done(error)
        with contextlib.suppress(OSError):
            self._in.close()

    def close(self, seconds: float) -> None:
        """Close its input, wait at most `seconds` for its end, kill what is left, and free everything."""
        try:
            if POSIX:
                with contextlib.suppress(OSError):
                    self._in.close()
            else:
                self._unwritten.put(None)
            self._wait(seconds)
        finally:
            self.end()
            self._closing = True
            self._reader.join(2 * POLL_SECONDS)
            if not self._reader.is_alive():
                self._out.close()

    def end(self) -> None:
        """Kill the process, if it still runs, and its descendants."""
        with self._lock:
            if self._job is not None:
                self._job.end()
            if self._popen.returncode is not None:
                return
            with contextlib.suppress(OSError):
                if POSIX:  # not yet waited for, so its group number is still valid
                    os.killpg(self._popen.pid, signal.SIGKILL)
                else:
                    self._popen.kill()
            self._popen.wait()
            descendants.end(self._mark)

    def _wait(self, seconds: float) -> None:
        """Wait for the end of the process, but do not reap it: its process group may still exist."""
        if not hasattr(os, "waitid"):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._popen.wait(seconds)
            return
        deadline, pause = time.monotonic() + seconds, 0.0005
        how = os.WEXITED | os.WNOHANG | os.WNOWAIT
        while self._popen.returncode is None and os.waitid(os.P_PID, self._popen.pid, how) is None:
            left = deadline - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(pause, left))
            pause = min(2 * pause, 0.02)

    def _read(self) -> None:
        descriptor, tail = self._out.fileno(), b""
        poll = select.poll() if POSIX else None
        if poll is not None:
            poll.register(descriptor, select.POLLIN)
        with contextlib.suppress(OSError):
            while not self._closing:
                if poll is not None and not poll.poll(1000 * POLL_SECONDS):
                    continue
                chunk = os.read(descriptor, 1 << 16)
                stamp = time.monotonic()
                if not chunk or len(tail) > LONGEST_LINE:
                    break
                *lines, tail = (tail + chunk).split(b"\n")
                for raw in lines:
                    if line := raw.strip():
                        self._take(stamp, line)
        self._take(time.monotonic(), None)


class _Written:
    """Whether the writing thread has written something."""

    def __init__(self) -> None:
        self._done, self._error = threading.Event(), ""

    def done(self, error: Exception | None) -> None:
        """It has, or could not."""
        self._error = "" if error is None else str(error) or type(error).__name__
        self._done.set()

    def wait(self, deadline: float) -> None:
        """Until then. OSError if the process has gone, TimeoutError if it does not read in time."""
        if not self._done.wait(max(0.0, deadline - time.monotonic())):
            raise TimeoutError("the engine does not read")
        if self._error:
            raise OSError(self._error)


def _own_group() -> dict[str, Any]:
    """A process group of its own: a Ctrl-C does not reach it, and its children can be killed with it."""
    if POSIX:
        return {"process_group": 0}
    return {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
