"""The protocol loop: the main thread always reads, searches run beside it, each `go` gets one `bestmove`.

Until a GUI asks for more than `uci`, nothing heavy is imported: neither chess nor the core.
"""

import os
import sys
import time

from engine import __version__
from engine.common import process
from engine.player import options
from engine.uci.game import STARTPOS, Game
from engine.uci.output import InfoStream, Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    import threading
    from collections.abc import Callable, Iterable

    from _fast.board.board import Board
    from engine.player.limits import Limits
    from engine.player.searcher import Info, Result, Searcher

    Core = tuple[Callable[[str, bool], Board], Searcher]

SEARCH_STACK = 64 << 20  # bytes: threads other than the main one get little on some systems
PATIENCE = 5.0  # seconds that a stopped search may take to end before the loop reads on
LATER = {"setoption", "ucinewgame", "perft", "bench", "eval", "genfens"}  # wait for the end of a search
ANYWHERE = {"uci", "isready", "debug", "stop", "ponderhit"}  # found even behind unknown words, as UCI asks


def load_core(values: options.Options) -> "Core":
    """The board type and a searcher; the first call imports chess and the compiled core."""
    from _fast.board.board import Board
    from engine.player.searcher import Searcher

    return Board, Searcher(values)


class Uci:
    """One session with a GUI."""

    def __init__(
        self, lines: "Iterable[bytes]", out: Output, core: "Callable[[options.Options], Core]" = load_core
    ):
        self.out = out
        self.options = options.Options()
        self.debug = False
        self._lines = lines
        self._load = core
        self._core: tuple[Game, Searcher] | None = None
        self._thread: threading.Thread | None = None  # of the search under way
        self._release: threading.Event | None = None  # set when its bestmove may be printed
        self._answered = False  # its bestmove is on the way out
        self._infinite = False
        self._later: list[str] = []
        self._refused = False  # the last `position`: whatever the engine played now, nobody asked for it

    def run(self) -> int:
        """Read and obey until `quit` or the end of input; returns the exit status."""
        for raw in self._lines:
            line = self._decode(raw)
            self.out.heard(line)
            if not self._searching():
                self._catch_up()
            if not self.obey(line):
                break
        self.stop()
        if self._core:
            self.searcher.settle()
        return 0

    def _decode(self, raw: bytes) -> str:
        """A line as text, without what some shells and pipes put before the first one or between bytes."""
        if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            self.out.note("the input is UTF-16: only its ASCII characters are read")
            raw = raw[2:]
        return raw.replace(b"\0", b"").removeprefix(b"\xef\xbb\xbf").decode("utf-8", "replace").strip()

    def obey(self, line: str) -> bool:
        """Carry out one line; False after `quit`. Whatever is wrong with it costs one `info string`."""
        words = line.split()
        if not words:
            return True
        name = words[0].lower()
        if name == "quit":
            return False
        handler = COMMANDS.get(name)
        if handler is None:
            words = words[next((i for i, word in enumerate(words) if word in ANYWHERE), len(words)) :]
            if not words:
                self.out.note(f"unknown command: {line} (try help)")
                return True
            name = words[0]
            handler = COMMANDS[name]
        if (name in LATER or (self._later and name == "position")) and self._searching():
            self._later.append(line)
            return True
        try:
            handler(self, words[1:], line)
        except MemoryError as error:
            self.out.note(f"{name}: out of memory: {error}")
        except Exception as error:  # whatever a line does, the session goes on
            self.out.note(f"{name}: {error}")
        return True

    def _searching(self) -> bool:
        """Whether a bestmove is still to come; a thread that has only to write it is waited for."""
        if self._thread is not None and self._answered:
            self._thread.join(PATIENCE)
        return self._thread is not None and self._thread.is_alive()

    def _catch_up(self) -> None:
        """Carry out what had to wait for the end of a search."""
        while self._later:
            self.obey(self._later.pop(0))

    # The game and the searcher, loaded when first needed.

    @property
    def game(self) -> Game:
        """The position in force."""
        return self._loaded()[0]

    @property
    def searcher(self) -> "Searcher":
        """The one searcher of the session."""
        return self._loaded()[1]

    def _loaded(self) -> "tuple[Game, Searcher]":
        if self._core is None:
            make_board, searcher = self._load(self.options)
            self._core = Game(make_board), searcher
            searcher.on_note = self.out.note
            self._core[0].set_chess960(self.options.chess960)
        return self._core

    def _prepare(self) -> None:
        """Allocate what the options ask for; what the machine refuses stays as it was."""
        try:
            self.searcher.prepare()
        except MemoryError as error:
            self.options.hash_mb, self.options.threads = self.searcher.size
            kept = f"Hash {self.options.hash_mb} and Threads {self.options.threads} stay in use"
            self.out.note(f"{error}; {kept}")
            self.searcher.prepare()

    # Commands. Each gets the words after its name and the whole line.

    def uci(self, words: list[str], line: str) -> None:
        """Who we are and what can be set."""
        head = f"id name SSSnake {__version__}\nid author the SSSnake authors"
        self.out.line("\n".join([head, *options.declarations(), "uciok"]))

    def isready(self, words: list[str], line: str) -> None:
        """Answer when all is allocated; at once during a search."""
        try:
            if not self._searching():
                self._prepare()
        finally:  # a GUI left without its answer hangs, whatever went wrong
            self.out.line("readyok")

    def set_debug(self, words: list[str], line: str) -> None:
        """`debug on`: every pass of the driver is reported."""
        wish = " ".join(words).lower()
        if wish not in ("on", "off"):
            raise ValueError("on or off?")
        self.debug = wish == "on"

    def setoption(self, words: list[str], line: str) -> None:
        """`setoption name N [value V]`; strings keep the blanks inside them."""
        lower = [word.lower() for word in words]
        if not words or lower[0] != "name":
            raise ValueError("expected: name N [value V]")
        at = lower.index("value") if "value" in lower else len(words)
        name = " ".join(words[1:at])
        value = line.split(None, at + 2)[at + 2] if at + 1 < len(words) else ""
        option = options.find(name)
        if option is not None:
            self._apply(option, value)
        elif not self._set_parameter(name, value):
            raise ValueError(f"no option '{name}'")

    def _set_parameter(self, name: str, value: str) -> bool:
        """The search's parameters are undeclared options, for tuning. False: there is none of that name."""
        if not name.islower() or " " in name:  # as GUIs write theirs: the core need not be loaded for it
            return False
        from _fast.search.parameters import find

        try:
            find(name)
        except KeyError:
            return False
        if not value.lstrip("-").isdecimal():
            raise ValueError(f"{name} is a whole number")
        self.searcher.parameters[name] = int(value)
        return True

    def _apply(self, option: options.Option, value: str) -> None:
        """Set one option, and do what goes with it."""
        if option.name == "EvalFile":  # refused or loaded at once
            self.out.note(f"EvalFile: {self.searcher.load_network(value)}")
        remark = self.options.set(option, value)
        if remark:
            self.out.note(remark)
        if option.name == "Clear Hash" and self._core:
            self.searcher.clear_hash()
        elif option.name == "UCI_Chess960" and self._core:
            self.game.set_chess960(self.options.chess960)
        elif option.name == "Debug Log File":
            self.out.log_to(self.options.log_file)

    def ucinewgame(self, words: list[str], line: str) -> None:
        """Forget the games before."""
        self.searcher.new_game()

    def position(self, words: list[str], line: str) -> None:
        """`position startpos|fen F [moves M...]`. Of a refused one no move is played: see `_board`."""
        self._refused = True
        lower = [word.lower() for word in words]
        at = lower.index("moves") if "moves" in lower else len(words)
        setup, moves = words[:at], lower[at + 1 :]
        if lower[:at] == ["startpos"]:
            fen = STARTPOS
        elif lower[:1] == ["fen"] and len(setup) > 1:
            fen = " ".join(setup[1:])
        else:
            raise ValueError("expected: startpos or fen F, then moves M...")
        self.game.set(fen, moves, self.options.chess960)
        self._refused = False

    def _board(self) -> "Board | None":
        """The position to search; None after a refused one, until one is accepted."""
        return None if self._refused else self.game.board

    def go(self, words: list[str], line: str) -> None:
        """Start a search; one still under way is stopped first, with its bestmove."""
        start = time.monotonic()
        self.stop()
        self._catch_up()
        if words and words[0].lower() == "perft":
            self.perft(words[1:], line)
            return
        try:
            self._begin(words, start)
        except Exception as error:
            self._thread = None
            self._answer_anyhow(error, self._board())

    def _begin(self, words: list[str], start: float) -> None:
        """Allocate what is missing and start the search's thread."""
        import threading

        from engine.player.limits import Limits

        limits = Limits.parse(words, self.out.note)
        self._prepare()
        self.searcher.arm()
        self.searcher.on_pass = self.out.note if self.debug else None
        self._infinite, self._answered = limits.infinite, False
        self._release = threading.Event()
        if not (limits.infinite or limits.ponder):
            self._release.set()
        board = self._board()
        board = board and board.copy()
        threading.stack_size(SEARCH_STACK)
        self._thread = threading.Thread(
            target=self._search, args=(board, limits, start, self._release), daemon=True
        )
        self._thread.start()

    def stop(self, words: object = None, line: str = "") -> None:
        """End the search under way, if any, and wait until its bestmove is out."""
        if self._thread is None or self._release is None:
            return
        self._release.set()
        self.searcher.stop()
        self._thread.join(PATIENCE)
        self._thread = None

    def ponderhit(self, words: list[str], line: str) -> None:
        """The expected move was played: the search goes on with the clock running."""
        if self._searching() and self._release is not None:
            self.searcher.ponderhit()
            if not self._infinite:
                self._release.set()

    # The search thread.

    def _search(
        self, board: "Board | None", limits: "Limits", start: float, release: "threading.Event"
    ) -> None:
        """Search, wait until the answer is wanted, answer."""
        reports = InfoStream(self.out)
        try:
            best, reply = self._think(board, limits, reports, start)
        except Exception as error:
            release.wait()
            self._answer_anyhow(error, board)
            return
        release.wait()
        reports.finish()
        self._answered = True
        self.out.line(f"bestmove {best or '(none)'}" + (f" ponder {reply}" if best and reply else ""))

    def _answer_anyhow(self, error: Exception, board: "Board | None") -> None:
        """A GUI left without a bestmove hangs: any legal move is better."""
        self.out.note(f"search failed: {error!r}")
        self._answered = True
        moves = board.legal_moves() if board else []
        self.out.line(f"info depth 0 score cp 0\nbestmove {next(iter(moves), '(none)')}")

    def _think(
        self, board: "Board | None", limits: "Limits", report: "Callable[[Info], None]", start: float
    ) -> tuple[str | None, str | None]:
        """(move, expected reply); no move where none is legal or allowed, or no position was accepted."""
        if board is None:
            self.out.note("go: the last position was refused")
            self.out.line("info depth 0 score cp 0")
            return None, None
        if not board.legal_moves():
            self.out.line(f"info depth 0 score {'mate' if board.is_check else 'cp'} 0")
            return None, None
        if limits.searchmoves is not None:
            allowed = [board.uci(move) for move in map(board.parse, limits.searchmoves) if move]
            if not allowed:
                self.out.note("go: no legal move among searchmoves")
                self.out.line("info depth 0 score cp 0")
                return None, None
            limits.searchmoves = list(dict.fromkeys(allowed))
        result: Result = self.searcher.search(board, limits, report, start)
        return result.bestmove, result.ponder

    # Developer commands live in a room of their own.

    def perft(self, words: list[str], line: str) -> None:
        """Count the legal move sequences."""
        from engine.uci import console

        if self._refused:
            raise ValueError("the last position was refused")
        self.out.line(console.perft(self.game, self.options, words))

    def evaluate(self, words: list[str], line: str) -> None:
        """The static evaluation of the position."""
        from engine.uci import console

        self.out.line(console.evaluate(self.game.board, self.searcher.network))

    def develop(self, words: list[str], line: str) -> None:
        """The other developer commands, by name."""
        from engine.uci import console

        text = console.COMMANDS[line.split()[0].lower()](self.game, self.options, words)
        if text:
            self.out.line(text)


COMMANDS: "dict[str, Callable[[Uci, list[str], str], None]]" = {
    "uci": Uci.uci,
    "isready": Uci.isready,
    "debug": Uci.set_debug,
    "setoption": Uci.setoption,
    "ucinewgame": Uci.ucinewgame,
    "position": Uci.position,
    "go": Uci.go,
    "stop": Uci.stop,
    "ponderhit": Uci.ponderhit,
    "register": lambda session, words, line: None,  # no registration needed
    "perft": Uci.perft,
    "eval": Uci.evaluate,
    **dict.fromkeys(("help", "d", "flip", "bench", "compiler", "genfens"), Uci.develop),
}


def leave() -> None:
    """End at once, whatever is under way: the GUI has gone, or what we say cannot be written."""
    error = sys.exc_info()[1]
    if isinstance(error, OSError) and not isinstance(error, BrokenPipeError):
        print(f"sssnake: standard output: {process.reason(error)}", file=sys.stderr, flush=True)
        os._exit(2)
    os._exit(0)


def main() -> int:
    """UCI on stdin and stdout, until `quit` or the end of input; Ctrl-C is as deadly as SIGTERM.

    Taken as Python's exception it would strike anywhere, in the midst of starting a thread or taking a lock.
    """
    import _signal  # type: ignore[import-not-found]  # signal imports enum, which takes longer than all else

    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    out = Output(sys.stdout.buffer, broken=leave)
    return Uci(iter(sys.stdin.buffer.readline, b""), out).run()
