"""A UCI engine in a child process, timed from outside: what `match` and `epd` talk to.

`chess.engine` would do it too, but costs the runner 0.35-1.6 ms of processor time a move (measured at
depths 1 to 10 of Stockfish 15.1; it parses every info line, on an event loop), on the cores that the
engines think on. This client costs 0.04-0.11 ms: a reader thread keeps the last exact info line as it
stands, and wakes the game only for answers. The thread stamps each answer with the monotonic clock as it
leaves the pipe.
"""

import contextlib
import os
import queue
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

HIDDEN = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)+")  # the shape of an undeclared parameter's name
START_SECONDS = 35.0        # for `uciok`, and for `readyok` (tables are allocated there)
QUIT_SECONDS = 2.0          # between `quit` and the kill
LONGEST_LINE = 1 << 20      # an engine that sends more without a line end is broken


class EngineError(Exception):
    """The engine cannot be used: not started, gone, or not speaking UCI."""


class EngineTimeoutError(EngineError):
    """The engine did not answer in time; it may still be alive."""


class PrematureMoveError(EngineError):
    """The engine sent a `bestmove` while it was to ponder."""


@dataclass(frozen=True)
class Option:
    """One declared option: its name as declared, type, and default (None where there is none)."""

    name: str
    type: str
    default: str | None


@dataclass(frozen=True)
class Info:
    """The figures of one info line, None where it lacks them. Scores are the mover's, in cp or moves."""

    depth: int | None = None
    cp: int | None = None
    mate: int | None = None
    nodes: int | None = None
    time_ms: int | None = None

    @classmethod
    def parse(cls, line: bytes) -> "Info":
        """Read a raw info line; tolerant, for engines write what they like."""
        words = line.split(b" pv ", 1)[0].split()
        found: dict[str, int | None] = {}
        for key, value in pairwise(words):
            name = _INFO_WORDS.get(key)
            if name is not None and name not in found:
                with contextlib.suppress(ValueError):
                    found[name] = int(value)
        return cls(**found)


_INFO_WORDS = {b"depth": "depth", b"cp": "cp", b"mate": "mate", b"nodes": "nodes", b"time": "time_ms"}


@dataclass(frozen=True)
class Reply:
    """Answer to `go`: the move as sent, seconds from writing `go` (or `ponderhit`) to reading `bestmove`,
    last info, the answer expected ("" for none)."""

    move: str
    seconds: float
    info: Info
    ponder: str = ""


class UciEngine:
    """One engine process. Methods raise EngineError; after any but a timeout only `close` is of use."""

    ponders = False     # whether it is to think on the opponent's time; the client's business alone

    def __init__(self, command: Sequence[str]) -> None:
        self.command = list(command)
        self.name = os.path.basename(command[0])    # noqa: PTH119 (a command is not always a path)
        self.options: dict[str, Option] = {}        # by lower-case name
        self.on_info: Callable[[bytes], None] | None = None     # gets exact scores, in the reader thread
        self._exact = self._bound = b""              # the last scored info lines of this search
        self._answers: queue.SimpleQueue[tuple[float, bytes | None]] = queue.SimpleQueue()
        self._gone = self._pondering = self._chess960 = False
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                **_own_group(),
            )
        except (OSError, ValueError) as error:
            raise EngineError(f"cannot start {self.command[0]!r}: {error}") from None
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    # -- conversation ------------------------------------------------------------------------------

    def handshake(self, seconds: float = START_SECONDS) -> None:
        """Say `uci`; learn the engine's name and options."""
        self.send("uci")
        deadline = time.monotonic() + seconds
        while (line := self._next(deadline)[1]) != b"uciok":
            words = line.decode(errors="replace").split()
            if words[:2] == ["id", "name"]:
                self.name = " ".join(words[2:]) or self.name
            elif words[:2] == ["option", "name"] and "type" in words:
                option = _parse_option(words[2:])
                self.options[option.name.lower()] = option

    def set_options(self, values: Mapping[str, str | None]) -> list[str]:
        """Send the options that are declared (None: a button); return the names of those that are not.

        Names like `null_move_base` are sent all the same: parameters for tuning are seldom declared.
        """
        unknown = []
        for name, value in values.items():
            option = self.options.get(name.lower())
            if option is not None and name.lower() == "uci_chess960":
                self._chess960 = value == "true"
            if option is None and value is not None and HIDDEN.fullmatch(name):
                self.send(f"setoption name {name} value {value}")
            elif option is None:
                unknown.append(name)
            elif value is None:
                self.send(f"setoption name {option.name}")
            else:
                self.send(f"setoption name {option.name} value {value}")
        return unknown

    def set_chess960(self, on: bool) -> None:
        """Tell it whether the next game is one of Chess960, where it does not know already."""
        if on != self._chess960 and "uci_chess960" not in self.options:
            raise EngineError(f"{self.name} has no option 'UCI_Chess960'")
        if on != self._chess960:
            self.set_options({"UCI_Chess960": "true" if on else "false"})

    def wait_ready(self, seconds: float = START_SECONDS) -> None:
        """Wait until everything sent so far has been worked off."""
        self.send("isready")
        deadline = time.monotonic() + seconds
        while self._next(deadline)[1] != b"readyok":
            pass

    def new_game(self) -> None:
        """Forget earlier games."""
        self.send("ucinewgame")
        self.wait_ready()

    def go(self, position: str, go: str, seconds: float | None = None) -> Reply:
        """Send a `position` and a `go` command; wait at most `seconds` for `bestmove`."""
        self._exact = self._bound = b""
        return self._reply(f"{position}\n{go}", seconds)

    def ponder(self, position: str, go: str) -> None:
        """Let it think on the opponent's time, until `ponderhit` or `stop`."""
        self._exact = self._bound = b""
        self.send(f"{position}\n{go}")
        self._pondering = True

    def ponderhit(self, seconds: float | None = None) -> Reply:
        """The expected move was played; wait at most `seconds` for `bestmove`."""
        return self._reply("ponderhit", seconds)

    def stop(self, seconds: float) -> Reply:
        """End a search, or pondering: `stop`, and wait for its `bestmove`."""
        return self._reply("stop", seconds)

    def _reply(self, text: str, seconds: float | None) -> Reply:
        """Send `text` and wait for the `bestmove`; one that came earlier, while pondering, is an error."""
        pondering, self._pondering = self._pondering, False
        start = time.monotonic()
        self.send(text)
        deadline = None if seconds is None else start + seconds
        while not (found := self._next(deadline))[1].startswith(b"bestmove"):
            pass
        stamp, words = found[0], found[1].decode(errors="replace").split()
        if pondering and stamp < start:
            raise PrematureMoveError("bestmove while pondering")
        move = words[1] if len(words) > 1 else ""
        expected = words[3] if words[2:3] == ["ponder"] and len(words) > 3 else ""
        return Reply(move, stamp - start, Info.parse(self._exact or self._bound), expected)

    def send(self, text: str) -> None:
        """Write one or more command lines."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(text.encode() + b"\n")
        except (OSError, ValueError):
            raise EngineError("the engine has gone") from None

    def close(self) -> None:
        """Ask it to quit, kill it (and its children) if it does not, and free everything. Never raises."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(EngineError):
            self.send("quit")
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(QUIT_SECONDS)
        except subprocess.TimeoutExpired:
            self.kill()
        self._reader.join(QUIT_SECONDS)
        if not self._reader.is_alive():
            self._process.stdout.close()

    def kill(self) -> None:
        """End the process and its children at once."""
        if self._process.poll() is not None:
            return
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()

    # -- reading -----------------------------------------------------------------------------------

    def _next(self, deadline: float | None) -> tuple[float, bytes]:
        """The next answer line and the time at which it came."""
        if self._gone:
            raise EngineError("the engine has gone")
        try:
            wait = None if deadline is None else max(0.0, deadline - time.monotonic())
            stamp, line = self._answers.get(timeout=wait)
        except queue.Empty:
            raise EngineTimeoutError("no answer in time") from None
        if line is None:
            self._gone = True
            raise EngineError("the engine has gone")
        return stamp, line

    def _read(self) -> None:
        assert self._process.stdout is not None
        descriptor, tail = self._process.stdout.fileno(), b""
        with contextlib.suppress(OSError):
            while len(tail) < LONGEST_LINE and (chunk := os.read(descriptor, 1 << 16)):
                stamp = time.monotonic()
                *lines, tail = (tail + chunk).split(b"\n")
                for raw in lines:
                    line = raw.strip()
                    if line.startswith(b"info"):
                        self._note(line)
                    elif line:
                        self._answers.put((stamp, line))
        self._answers.put((time.monotonic(), None))

    def _note(self, line: bytes) -> None:
        """Keep an info line if it scores the best line; some engines never send more than bounds."""
        if b" score " not in line or line.startswith(b"info string"):
            return
        if b" multipv " in line and b" multipv 1 " not in line:
            return
        if b"bound" in line:
            self._bound = line
        else:
            self._exact = line
            if self.on_info is not None:
                self.on_info(line)


def _parse_option(words: list[str]) -> Option:
    at = words.index("type")
    kind = words[at + 1] if at + 1 < len(words) else ""
    rest = words[at + 2 :]
    default = None
    if "default" in rest:
        value = rest[rest.index("default") + 1 :]
        ends = [i for i, word in enumerate(value) if word in ("min", "max", "var")]
        default = " ".join(value[: ends[0]] if ends else value)
    return Option(" ".join(words[:at]), kind, default)


def _own_group() -> dict[str, Any]:
    """Keep a Ctrl-C on the terminal from reaching the engine, and let its children be killed with it."""
    if os.name == "posix":
        return {"process_group": 0}
    return {"creationflags": getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)}
