"""What goes out: one locked writer, the text of info lines, and the bound on how many of them there are."""

import errno
import os
import time

from sssnake.engine.common.messages import one_line, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import BinaryIO

    from sssnake.engine.player.drivers import Pass
    from sssnake.engine.player.result import Info

BACKLOG = 1 << 20  # bytes that a slow reader may be behind; further info lines are dropped
LONGEST_NOTE = 200  # characters of an info string
# Lower-case words, and what is said instead: xboard takes them for a shell that cannot start the engine.
MISTAKEN = (
    ("no such file or directory", "it does not exist"),
    ("no such file", "missing file"),
    ("not found", "missing"),
    ("permission denied", "access refused"),
)
BURST = 256  # info lines a search may print at once ...
RATE = 100.0  # ... and per second afterwards
BOUND_AFTER = 1.0  # seconds of search before a mere bound is worth a line
BOUND_EVERY = 0.5  # seconds between such lines


class Output:
    """Whole lines to a byte stream, from any thread, each in one write. A closed pipe ends the engine."""

    def __init__(self, stream: "BinaryIO", broken: "Callable[[], object]"):
        import _thread

        self._stream = stream
        self._broken = broken  # called when nobody reads any more
        self._lock = _thread.allocate_lock()
        self._log: BinaryIO | None = None
        self._queue: list[bytes] = []  # what a slow reader has not taken yet
        self._queued = 0  # its bytes
        self._draining = False  # a thread writes the queue

    def line(self, text: str) -> None:
        """Print one line (or several, kept together)."""
        with self._lock:
            self._put(text)
            self._keep(f"<< {text}")

    def _put(self, text: str) -> None:
        """Write, or leave it to a thread where that might wait: the session must hear `quit` meanwhile."""
        data = text.encode("utf-8", "backslashreplace") + b"\n"
        if not self._draining and self._takes(len(data)):
            self._write(data)
        elif not text.startswith("info") or "\n" in text or self._queued < BACKLOG:
            self._queue.append(data)
            self._queued += len(data)
            self._start_draining()

    def _write(self, data: bytes) -> None:
        try:
            self._stream.write(data)
            self._stream.flush()
        except (OSError, ValueError):
            self._broken()

    def _takes(self, size: int) -> bool:
        """Whether a write of so many bytes surely does not wait, so far as the system tells."""
        import select

        try:
            ready = select.select([], [self._stream.fileno()], [], 0)[1]
        except (OSError, ValueError, AttributeError):  # no pipe, or Windows, where only sockets tell
            return True
        return bool(ready) and size <= select.PIPE_BUF

    def _start_draining(self) -> None:
        import _thread

        if self._draining:
            return
        try:
            _thread.start_new_thread(self._drain, ())
            self._draining = True
        except (RuntimeError, MemoryError):  # no room for it
            while self._queue:
                self._write(self._next())

    def _next(self) -> bytes:
        """The oldest line of the queue."""
        data = self._queue.pop(0)
        self._queued -= len(data)
        return data

    def _drain(self) -> None:
        """Write what has been queued, in a thread of its own."""
        while True:
            with self._lock:
                if not self._queue:
                    self._draining = False
                    return
                data = self._next()
            self._write(data)

    def finish(self, patience: float) -> bool:
        """Wait until all is written. False: for `patience` seconds the reader has not taken a line."""
        queued, end = -1, 0.0
        while self._draining:
            now = time.monotonic()
            if self._queued != queued:
                queued, end = self._queued, now + patience
            elif now > end:
                return False
            time.sleep(0.005)
        return True

    def note(self, text: str) -> None:
        """An `info string`: printable characters, one line."""
        self.line("info string " + one_line(harmless(text), LONGEST_NOTE))

    def heard(self, text: str) -> None:
        """Copy a line of input to the log."""
        with self._lock:
            self._keep(f">> {printable(text)}")

    def _keep(self, text: str) -> None:
        """Append to the log; one that cannot be written any more is given up, and the session goes on."""
        if self._log is None:
            return
        data = text.encode("utf-8", "backslashreplace") + b"\n"
        try:
            fault = "" if self._log.write(data) == len(data) else "no room for more"
        except OSError as error:
            fault = error.strerror or str(error)
        if fault:
            self._log.close()
            self._log = None
            self._put(f"info string Debug Log File given up: {fault}")

    def log_to(self, path: str) -> None:
        """Append all traffic to a file from now on; "" ends that. OSError: the file cannot be written.

        No write waits: a pipe that nobody reads is given up when it is full.
        """
        log = open(path, "ab", 0, opener=_without_waiting) if path else None  # noqa: SIM115 (stays open)
        with self._lock:
            self._log, old = log, self._log
        if old:
            old.close()


def _without_waiting(path: str, flags: int) -> int:
    """Open a file to write to; a pipe that nobody reads is an error."""
    try:
        return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0), 0o666)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise OSError(errno.ENXIO, "no program reads from it", path) from None
        raise


def harmless(text: str) -> str:
    """`text` without words that a GUI takes for something else than a remark."""
    for words, others in MISTAKEN:
        at = text.lower().find(words)
        while at >= 0:
            text = text[:at] + others + text[at + len(words) :]
            at = text.lower().find(words)
    return text


def info_line(info: "Info", show_wdl: bool = False) -> str:
    """The info line of a scored report; fields in the order that all clients parse, pv last."""
    words = [f"info depth {info.depth} seldepth {info.seldepth} multipv {info.multipv}"]
    mate = info.score.mate
    words.append(f"score cp {info.score.value}" if mate is None else f"score mate {mate}")
    if info.bound:
        words.append(info.bound)
    if show_wdl and info.depth:
        words.append("wdl {} {} {}".format(*info.wdl))
    words.append(f"nodes {info.nodes} nps {info.nps} hashfull {info.hashfull}")
    words.append(f"tbhits {info.tbhits} time {info.time_ms}")
    if info.names:
        words.append("pv " + " ".join(info.names))
    return " ".join(words)


def pass_text(done: "Pass") -> str:
    """What `debug on` shows of a pass. One that visited nothing has proved nothing new."""
    from sssnake._fast.drivers.bracket import TOP

    line = f" line {done.line}" if done.line else ""
    name = f"depth {done.depth}{line} pass {done.number} gamma {done.gamma} ->"
    if not done.nodes:
        return f"{name} {done.kind}"
    top = f" ({TOP} is +infinity minus the wins)" * (done.gamma == TOP)
    return f"{name} {done.value} {done.kind} nodes {done.nodes}{' crossed' * done.crossed}{top}"


class InfoStream:
    """Prints a search's reports, at a bounded rate: of a flood, the last iteration is printed at the end.

    An iteration is passed on or held back as a whole, all its MultiPV lines; bounds are passed on rarely.
    """

    def __init__(self, out: Output, show_wdl: bool = False):
        self._out = out
        self._show_wdl = show_wdl
        self._start = self._last = time.monotonic()
        self._budget = float(BURST)
        self._depth = -1
        self._open = True  # whether the current iteration is passed on
        self._held: dict[int, Info] = {}
        self._last_bound = 0.0

    def __call__(self, info: "Info") -> None:
        """Take one report of the search."""
        now = time.monotonic()
        self._budget = min(self._budget + (now - self._last) * RATE, BURST)
        self._last = now
        if info.bound:
            if now - self._start >= BOUND_AFTER and now - self._last_bound >= BOUND_EVERY:
                self._last_bound = now
                self._out.line(info_line(info, self._show_wdl))
            return
        if info.depth > self._depth:  # lines of the iteration before may follow, when one was cut off
            self._depth = info.depth
            self._open = self._budget > 0
            self._held.clear()
        if self._open:
            self._budget -= 1
            self._out.line(info_line(info, self._show_wdl))
        else:
            self._held[info.multipv] = info

    def finish(self) -> None:
        """Print what was held back; call before `bestmove`."""
        for _, info in sorted(self._held.items()):
            self._out.line(info_line(info, self._show_wdl))
        self._held.clear()
