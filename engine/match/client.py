"""The UCI client of `match` and `epd`: an engine in a child process, timed from outside.

`chess.engine` would do, but costs 0.35-1.6 ms of processor time a move (measured at depths 1 to 10 of
Stockfish 15.1), on the cores that the engines use: it parses every info line, on an event loop. This client
costs 0.04-0.11 ms. A reader thread keeps the last exact info line unparsed, and wakes the game only for
answers. It stamps each answer with the monotonic clock as it leaves the pipe, and drops lines that are not
awaited.
"""

import contextlib
import os
import queue
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sssnake._fast.search.parameters import TABLE
from sssnake.engine.common.messages import ToolError, printable
from sssnake.engine.common.suggest import did_you_mean
from sssnake.engine.match import xboard
from sssnake.engine.match.child_process import Process

HIDDEN = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)+")  # names of parameters that may be undeclared ...
OURS = frozenset(row.name for row in TABLE)  # ... as this engine's are, also those of one word
START_SECONDS = 35.0  # for `uciok`, and for `readyok` (tables are allocated there)
SILENCE_SECONDS = 3.0  # after `uci`; then it is tried whether the engine speaks xboard's protocol
QUIT_SECONDS = 2.0  # between `quit` and the kill
WRITE_SECONDS = 10.0  # for a command to be read, where the clock does not say otherwise
MOST_WAITING = 4000  # unread lines; more are dropped
LONGEST_ANSWER = 1 << 14  # bytes of a line; the rest is dropped
MOST_NOISE = 10_000  # lines before `uciok` that are not UCI
REFUSAL = re.compile(
    r"\b(no (such )?option|unknown|unrecogni[sz]ed|invalid|illegal|error|fail(ed|ure)?|cannot|could not|"
    r"unable|no such file|not (found|supported|available|valid|allowed)|out of range|must (be|lie)|"
    r"stays? in use|0 (files|tablebases)|setoption:)",
    re.IGNORECASE,
)  # how engines refuse an option; the line must also name an option that was sent
NETWORK = re.compile(r"\bEvalFile: network \(.*")  # what this engine says of one; it describes itself


class EngineError(ToolError):
    """The engine cannot be used: it did not start, has ended, or does not speak UCI."""


class EngineTimeoutError(EngineError):
    """The engine did not answer in time; it may still be alive."""


class PrematureMoveError(EngineError):
    """The engine sent a `bestmove` while it should ponder."""


@dataclass(frozen=True)
class EngineOption:
    """A declared option: name, type, default (None if there is none), and its range."""

    name: str
    type: str
    default: str | None
    minimum: int | None = None
    maximum: int | None = None
    choices: tuple[str, ...] = ()

    def check(self, value: str | None) -> None:
        """ValueError if the value is not in the declared range. None stands for no value (a button)."""
        kind = self.type
        if (value is None) != (kind == "button"):
            raise ValueError(f"option {self.name} takes {'no' if kind == 'button' else 'a'} value")
        if value is None:
            return
        if kind == "check" and value.lower() not in ("true", "false"):
            raise ValueError(f"option {self.name} is true or false, not {value!r}")
        if kind == "spin":
            low, high = self.minimum, self.maximum
            if not re.fullmatch(r"[+-]?\d{1,20}", value, re.ASCII):
                raise ValueError(f"option {self.name} is a number, not {value!r}")
            if (low is not None and int(value) < low) or (high is not None and int(value) > high):
                raise ValueError(f"option {self.name} lies in {low}..{high}, {value} does not")
        if kind == "combo" and self.choices and value.lower() not in map(str.lower, self.choices):
            advice = did_you_mean(value, self.choices)
            raise ValueError(f"option {self.name} is one of {', '.join(self.choices)}, not {value!r}{advice}")


@dataclass(frozen=True)
class InfoLine:
    """The numbers of an info line, None if absent. Scores are the mover's, in centipawns or moves."""

    depth: int | None = None
    cp: int | None = None
    mate: int | None = None
    nodes: int | None = None

    @classmethod
    def parse(cls, line: bytes) -> "InfoLine":
        """Parse an info line. Whatever cannot be parsed is ignored."""
        words = line.split(b" pv ", 1)[0].split()
        found: dict[str, int | None] = {}
        for key, value in pairwise(words):
            name = _INFO_WORDS.get(key)
            if name is not None and name not in found:
                with contextlib.suppress(ValueError):
                    found[name] = int(value)
        return cls(**found)


ANSWERS = (b"uciok", b"readyok", b"bestmove")
_INFO_WORDS = {b"depth": "depth", b"cp": "cp", b"mate": "mate", b"nodes": "nodes"}


@dataclass(frozen=True)
class Reply:
    """Answer to `go`: the move as sent, seconds from writing `go` (or `ponderhit`) to reading `bestmove`,
    last info, the answer expected ("" for none)."""

    move: str
    seconds: float
    info: InfoLine
    ponder: str = ""


def not_started(program: str, error: Exception) -> str:
    """Why a program did not start. A file of the current folder is found only by its path."""
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    bare = os.path.dirname(program) == "" and os.path.isfile(program)  # noqa: PTH113, PTH120
    return f"{reason}; did you mean {os.path.join('.', program)}?" if bare else reason  # noqa: PTH118


class UciEngine:
    """One engine process. Methods raise EngineError; after any but a timeout only `close` is of use."""

    ponders = False  # whether it ponders; used by the game only

    def __init__(self, command: Sequence[str]) -> None:
        self.command = list(command)
        self.name = os.path.basename(command[0])  # noqa: PTH119 (a command is not always a path)
        self.options: dict[str, EngineOption] = {}  # by lower-case name
        self.on_info: Callable[[bytes], None] | None = None  # gets exact scores, in the reader thread
        self._exact = self._bound = b""  # the last scored info lines of this search
        self._answers: queue.SimpleQueue[tuple[float, bytes | None]] = queue.SimpleQueue()
        self._held: tuple[float, bytes | None] | None = None  # an answer that came after its deadline
        self._listening = True  # to all lines, not only to answers
        self._sent: dict[str, str | None] = {}  # options, by their names
        self.refusal = ""  # the line by which it refused an option
        self._gone = self._pondering = self._chess960 = False
        try:
            self._process = Process(self.command, self._take)
        except (OSError, ValueError) as error:
            raise EngineError(f"cannot start {self.command[0]!r}: {not_started(command[0], error)}") from None

    # -- conversation ------------------------------------------------------------------------------

    def handshake(self, seconds: float | None = None) -> None:
        """Say `uci`; learn the engine's name and options."""
        self._listening = True
        patience = START_SECONDS if seconds is None else seconds
        self.send("uci")
        for deadline in self._deadlines(patience):
            with contextlib.suppress(EngineTimeoutError):
                return self._introduction(deadline)
        raise EngineTimeoutError(f"it does not answer `uci` in {patience:g} s")

    def _deadlines(self, patience: float) -> Iterator[float]:
        """Until when to wait for `uciok`. Between them it is tried whether the engine is one of xboard's.

        It may also speak both protocols, and be slow in one: then it is given as long again.
        """
        last = time.monotonic() + patience
        yield min(last, time.monotonic() + SILENCE_SECONDS)
        if time.monotonic() < last and not self.options and xboard.answers(self.command):
            yield min(last, time.monotonic() + SILENCE_SECONDS)
            if not self.options:
                raise EngineError(xboard.NOT_UCI)
        yield last

    def _introduction(self, deadline: float) -> None:
        """Read the engine's name and options, until `uciok`."""
        noise = 0
        while (line := self._next(deadline)[1]) != b"uciok":
            noise += not self._learn(line)
            if noise > MOST_NOISE:
                raise EngineError("it talks, but not UCI")

    def _learn(self, line: bytes) -> bool:
        """Take the name or an option from a line before `uciok`. False: it is no line of UCI."""
        words = line.decode(errors="replace").split()
        if words[:2] == ["id", "name"]:
            self.name = printable(" ".join(words[2:])) or self.name
        elif words[:2] == ["option", "name"] and "type" in words:
            option = _parse_option(words[2:])
            self.options[option.name.lower()] = option
        elif xboard.refuses_uci(line):
            raise EngineError(xboard.NOT_UCI)
        return words[:1] in (["id"], ["info"], ["option"])

    def set_options(self, values: Mapping[str, str | None]) -> list[str]:
        """Send the declared options (None: a button); return the names of the others.

        Names like `null_move_base` and those of this engine's parameters are always sent: parameters for
        tuning are often undeclared. EngineError if a value is not in the declared range. If the engine
        refuses an option, `refusal` holds its line after `wait_ready`.
        """
        unknown = []
        for name, value in values.items():
            option = self.options.get(name.lower())
            if option is None and (value is None or not (HIDDEN.fullmatch(name) or name in OURS)):
                unknown.append(name)
                continue
            if option is not None:
                try:
                    option.check(value)
                except ValueError as error:
                    raise EngineError(f"{self.name}: {error}") from None
                if name.lower() == "uci_chess960":
                    self._chess960 = str(value).lower() == "true"
            self._sent[name] = value
            text = f"setoption name {option.name if option else name}"
            self.send(text if value is None else f"{text} value {value}")
        return unknown

    def set_chess960(self, on: bool) -> None:
        """Set UCI_Chess960 for the next game, if it has changed."""
        if on != self._chess960 and "uci_chess960" not in self.options:
            raise EngineError(f"{self.name} has no option 'UCI_Chess960'")
        if on != self._chess960:
            self.set_options({"UCI_Chess960": "true" if on else "false"})

    def wait_ready(self, seconds: float | None = None) -> None:
        """Wait until the engine has processed everything sent so far."""
        deadline = time.monotonic() + (START_SECONDS if seconds is None else seconds)
        self.send("isready", deadline)
        while (line := self._next(deadline)[1]) != b"readyok":
            self._check_refusal(line)
        self._listening = False

    def _check_refusal(self, line: bytes) -> None:
        """Note a line that refuses an option."""
        text = line.decode(errors="replace")
        named = [text for pair in self._sent.items() for text in pair if text and len(text) > 1]
        said = NETWORK.sub("", text)
        for path in filter(re.compile(r"[/\\]").search, named):  # /games/error/net.sssn is no error
            said = said.replace(path, "")
        if REFUSAL.search(said) and any(name.lower() in text.lower() for name in named):
            self.refusal = self.refusal or printable(text.removeprefix("info string "))

    def new_game(self) -> None:
        """Start a new game."""
        self.send("ucinewgame")
        self.wait_ready()

    def go(self, position: str, go: str, seconds: float | None = None) -> Reply:
        """Send a `position` and a `go` command; wait at most `seconds` for `bestmove`."""
        self._forget()
        return self._reply(f"{position}\n{go}", seconds)

    def ponder(self, position: str, go: str) -> None:
        """Let it ponder, until `ponderhit` or `stop`."""
        self._forget()
        self.send(f"{position}\n{go}")
        self._pondering = True

    def ponderhit(self, seconds: float | None = None) -> Reply:
        """The expected move was played; wait at most `seconds` for `bestmove`."""
        return self._reply("ponderhit", seconds)

    def stop(self, seconds: float) -> Reply:
        """Send `stop`, and wait for `bestmove`."""
        return self._reply("stop", seconds)

    def _reply(self, text: str, seconds: float | None) -> Reply:
        """Send `text` and wait for the `bestmove`; one that came earlier, while pondering, is an error."""
        pondering, self._pondering = self._pondering, False
        start = time.monotonic()
        deadline = None if seconds is None else start + seconds
        self.send(text, deadline)
        while not (found := self._next(deadline))[1].startswith(b"bestmove"):
            pass
        stamp, words = found[0], found[1].decode(errors="replace").split()
        if pondering and stamp < start:
            raise PrematureMoveError("bestmove while pondering")
        move = words[1] if len(words) > 1 else ""
        expected = words[3] if words[2:3] == ["ponder"] and len(words) > 3 else ""
        return Reply(move, stamp - start, InfoLine.parse(self._exact or self._bound), expected)

    def send(self, text: str, deadline: float | None = None) -> None:
        """Write one or more command lines. EngineTimeoutError if they are not read in time."""
        if deadline is None:
            deadline = time.monotonic() + WRITE_SECONDS
        try:
            self._process.write(text.encode(errors="surrogateescape") + b"\n", deadline)
        except TimeoutError as error:
            raise EngineTimeoutError(str(error)) from None
        except OSError:
            raise EngineError("the engine has gone") from None

    def close(self) -> None:
        """Ask it to quit, kill it if it does not, end its descendants, and free everything. Never raises."""
        try:
            with contextlib.suppress(EngineError):
                self.send("quit", 0.0)
        finally:
            self._process.close(QUIT_SECONDS)

    def kill(self) -> None:
        """End the process and its descendants at once."""
        self._process.end()

    # -- reading -----------------------------------------------------------------------------------

    def _next(self, deadline: float | None) -> tuple[float, bytes]:
        """(time, line) of the next answer. One that came after the deadline is kept for the next call."""
        if self._gone:
            raise EngineError("the engine has gone")
        found, self._held = self._held, None
        try:
            if found is None:
                wait = None if deadline is None else max(0.0, deadline - time.monotonic())
                found = self._answers.get(timeout=wait)
        except queue.Empty:
            raise EngineTimeoutError("no answer in time") from None
        stamp, line = found
        if line is None:
            self._gone = True
            raise EngineError("the engine has gone")
        if deadline is not None and stamp > deadline:
            self._held = found
            raise EngineTimeoutError("no answer in time")
        return stamp, line

    def _forget(self) -> None:
        """Before a search: drop the info of the last one, and answers that were not awaited."""
        self._exact = self._bound = b""
        self._listening = False
        found, self._held = self._held, None
        while found is None or found[1] is not None:
            try:
                found = self._answers.get_nowait()
            except queue.Empty:
                return
        self._held = found  # the engine has gone

    def _take(self, stamp: float, line: bytes | None) -> None:
        """Process a line; called in the reader thread."""
        if line is None:
            self._answers.put((stamp, None))
            return
        if line.startswith(b"info"):
            self._note(line)
        if (self._listening or line.startswith(ANSWERS)) and self._answers.qsize() < MOST_WAITING:
            self._answers.put((stamp, line[:LONGEST_ANSWER]))

    def _note(self, line: bytes) -> None:
        """Keep an info line with a score of the best line. Some engines send only bounds."""
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


def _parse_option(words: list[str]) -> EngineOption:
    at = words.index("type")
    kind = words[at + 1] if at + 1 < len(words) else ""
    found: dict[str, list[str]] = {}
    key, texts = "", list[str]()
    for word in [*words[at + 2 :], ""]:
        if word in ("default", "min", "max", "var", ""):
            found.setdefault(key, []).append(" ".join(texts))
            key, texts = word, []
        else:
            texts.append(word)
    minimum, maximum = (_number(found.get(bound, [""])[0]) for bound in ("min", "max"))
    default = found.get("default", [None])[0]
    return EngineOption(" ".join(words[:at]), kind, default, minimum, maximum, tuple(found.get("var", ())))


def _number(text: str) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None
