"""Protocol sessions for the tests: in this process with an engine that obeys, or the engine as a process."""

import queue
import subprocess
import threading
from collections.abc import Callable
from typing import IO

import chess

from sssnake._fast.board.board import Board
from sssnake._fast.search.params import Parameters
from sssnake.engine.player.drivers import Pass
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import Options
from sssnake.engine.player.resources.parts import Callbacks, Resources
from sssnake.engine.player.result import Info, Result, Score
from sssnake.engine.player.search import Search
from sssnake.engine.uci.output import Output
from sssnake.engine.uci.protocol import Uci
from support.constants import ENGINE, ROOT

WAIT = 20.0  # seconds; generous, machines may be busy


def new_search(
    engine: Engine,
    board: Board,
    limits: Limits,
    on_info: Callable[[Info], None] | None = None,
    on_pass: Callable[[Pass], None] | None = None,
) -> Search:
    """A search that has not begun: `run` or `start` it."""
    resources = Resources(engine.options, engine.prepare(), engine.book, engine.tablebase)
    return Search(resources, board, limits, Callbacks(on_info, on_pass))


def info(depth: int = 1, score: int = 0, bound: str = "", multipv: int = 1) -> Info:
    return Info(depth, depth, multipv, Score(score), bound, 10, 1000, 0, 0, 5, ["e2e4"])


class Lines:
    """Collects what an engine prints; `until` waits for a line."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self._queue: queue.Queue[str] = queue.Queue()

    def put(self, text: str) -> None:
        for line in text.splitlines():
            self.seen.append(line)
            self._queue.put(line)

    def until(self, prefix: str, seconds: float = WAIT) -> list[str]:
        """All lines up to the next one that begins with `prefix`; fails after `seconds` without a line."""
        got: list[str] = []
        while not got or not got[-1].startswith(prefix):
            try:
                got.append(self._queue.get(timeout=seconds))
            except queue.Empty:
                raise AssertionError(f"no {prefix!r} after {got}") from None
        return got


class FakeEngine:
    """Searches until told to stop, unless a depth is given; then it reports that depth and returns."""

    def __init__(self, options: Options):
        self.options = options
        self.parameters = Parameters()
        self.network = None
        self.on_note: Callable[[str], None] | None = None
        self.halt = threading.Event()
        self.hit = False
        self.calls: list[str] = []
        self.limits = Limits()
        self.board = Board()
        self.error: Exception | None = None
        self.refuse_above = 1 << 20
        self.size = (options.hash_mb, options.threads)

    def prepare(self) -> None:
        self.calls.append("prepare")
        if self.options.hash_mb > self.refuse_above:
            raise MemoryError(f"Hash {self.options.hash_mb}: too much")
        self.size = (self.options.hash_mb, self.options.threads)

    def settle(self) -> None:
        self.calls.append("settle")

    def new_game(self) -> None:
        self.calls.append("new_game")

    def clear_hash(self) -> None:
        self.calls.append("clear_hash")

    def start(
        self,
        board: Board,
        limits: Limits,
        on_info: Callable[[Info], None],
        on_pass: Callable[[Pass], None] | None,
        on_done: Callable[["FakeSearch"], None],
        since: float,
    ) -> "FakeSearch":
        self.board, self.limits = board.copy(), limits.of(board)
        self.halt.clear()
        return FakeSearch(self, on_info, on_done)


class FakeSearch:
    """What `FakeEngine.start` returns."""

    def __init__(
        self,
        engine: FakeEngine,
        on_info: Callable[[Info], None],
        on_done: Callable[["FakeSearch"], None],
    ):
        self.engine, self.board, self.limits, self.error = engine, engine.board, engine.limits, engine.error
        self.on_info, self.on_done = on_info, on_done
        threading.Thread(target=self.run, daemon=True).start()

    def stop(self) -> None:
        self.engine.halt.set()

    def ponderhit(self) -> None:
        self.engine.hit = True

    def run(self) -> None:
        if not self.error:
            self.on_info(info(self.limits.depth or 1))
            if self.limits.depth is None:
                self.engine.halt.wait()
        self.on_done(self)

    def wait(self) -> Result:
        if self.error:
            raise self.error
        name = (self.limits.searchmoves or self.board.legal_moves())[0]
        return Result(chess.Move.from_uci(name), None, [info(self.limits.depth or 1)], 78, 10, 1, 1)


class Stream:
    def __init__(self, lines: Lines):
        self.lines = lines

    def write(self, data: bytes) -> None:
        assert data.endswith(b"\n")
        self.lines.put(data.decode())

    def flush(self) -> None:
        pass


class InProcess:
    """A session in a thread, with the fake engine."""

    def __init__(self) -> None:
        self.lines = Lines()
        self._input: queue.Queue[bytes] = queue.Queue()
        self.broken: list[bool] = []
        out = Output(Stream(self.lines), broken=lambda: self.broken.append(True))  # type: ignore[arg-type]
        self.uci = Uci(iter(self._input.get, b""), out, self._core)  # type: ignore[arg-type]
        self.thread = threading.Thread(target=self.uci.run, daemon=True)
        self.thread.start()

    def _core(self, options: Options) -> tuple[type[Board], FakeEngine]:
        self.engine = FakeEngine(options)
        return Board, self.engine

    def send(self, *lines: str) -> None:
        """Send lines of the protocol."""
        for line in lines:
            self.send_raw(line.encode() + b"\n")

    def send_raw(self, line: bytes) -> None:
        self._input.put(line)

    def sync(self) -> list[str]:
        """All lines printed up to the `readyok` of an `isready`."""
        self.send("isready")
        return self.lines.until("readyok")[:-1]

    def close(self) -> None:
        self._input.put(b"")
        self.thread.join(WAIT)
        assert not self.thread.is_alive()


class Process:
    """The engine as GUIs start it."""

    def __init__(self, *arguments: str):
        self.lines = Lines()
        self.process = subprocess.Popen(
            [*ENGINE, *arguments],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def stdin(self) -> IO[bytes]:
        assert self.process.stdin
        return self.process.stdin

    def _read(self) -> None:
        assert self.process.stdout
        for raw in self.process.stdout:
            self.lines.put(raw.decode())

    def send(self, *lines: str) -> None:
        self.stdin.write("".join(line + "\n" for line in lines).encode())
        self.stdin.flush()

    def sync(self) -> list[str]:
        self.send("isready")
        return self.lines.until("readyok")[:-1]

    def end(self) -> tuple[int, str]:
        """Close the pipe; exit status and stderr."""
        self.stdin.close()
        status = self.process.wait(WAIT)
        assert self.process.stderr
        return status, self.process.stderr.read().decode()


def fen_of(session: InProcess) -> str:
    session.send("d")
    return next(line[5:] for line in session.sync() if line.startswith("Fen: "))
