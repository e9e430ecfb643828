"""The protocol loop: the main thread always reads, searches run beside it, each `go` gets one `bestmove`.

The session reads, dispatches and prints; `sssnake.engine.player.engine` does the rest.

Until a GUI asks for more than `uci`, nothing heavy is imported: neither chess nor the core.
"""

import os
import sys
import time

from sssnake.engine.common import build, process
from sssnake.engine.common.messages import reason
from sssnake.engine.common.suggest import did_you_mean
from sssnake.engine.player import options
from sssnake.engine.uci.game import STARTPOS, CurrentGame
from sssnake.engine.uci.output import InfoStream, Output, pass_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sssnake._fast.board.board import Board
    from sssnake.engine.player.drivers import Pass
    from sssnake.engine.player.engine import Engine, Search
    from sssnake.engine.player.limits import Limits

    Core = tuple[Callable[[str, bool], Board], Engine]

PATIENCE = 5.0  # seconds that a stopped search may take to end before the loop reads on
LAST_WORDS = 1.0  # seconds that a reader has, at the end, for every line that it has not read yet
LATER = {"setoption", "ucinewgame", "perft", "bench", "eval", "genfens"}  # wait for the end of a search
LONGEST_QUOTE = 120  # characters of an unknown command that are repeated
ANYWHERE = {"uci", "isready", "debug", "stop", "ponderhit"}  # found even behind unknown words, as UCI asks


def load_core(values: options.Options) -> "Core":
    """The board type and an engine; the first call imports chess and the compiled core."""
    from sssnake._fast.board.board import Board
    from sssnake.engine.player.engine import Engine

    return Board, Engine(values)


class BestMove:
    """The bestmove that a `go` owes: printed once, when it is known and the GUI may have it."""

    def __init__(self, out: Output, held: bool):
        import threading

        self._out = out
        self._held = held  # `go infinite` and `go ponder`: not before `stop` or `ponderhit`
        self._text: str | None = None
        self._lock = threading.Lock()
        self._printed = threading.Event()

    def give(self, text: str) -> None:
        """The lines to print, once they may be. What is given after the first is dropped."""
        with self._lock:
            self._text = self._text or text
            self._print()

    def release(self) -> None:
        """From now on it may be printed."""
        with self._lock:
            self._held = False
            self._print()

    def _print(self) -> None:
        if self._text and not self._held and not self._printed.is_set():
            self._out.line(self._text)
            self._printed.set()

    @property
    def is_out(self) -> bool:
        """Whether it is printed. One that is being printed is waited for, as the GUI may have it already."""
        with self._lock:
            return self._printed.is_set()

    def wait(self, timeout: float) -> None:
        """Until it is printed."""
        self._printed.wait(timeout)


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
        self._core: tuple[CurrentGame, Engine] | None = None
        self._search: Search | None = None  # of the last `go`
        self._answer: BestMove | None = None  # to the last `go`
        self._infinite = False  # the last `go`
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
            self.engine.settle()
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
                advice = did_you_mean(name, [*COMMANDS, "quit"])
                self.out.note(f"unknown command: {line[:LONGEST_QUOTE]}{advice} (try help)")
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
            self.out.note(f"{name}: {reason(error)}")
        return True

    def _searching(self) -> bool:
        """Whether a bestmove is still to come."""
        return self._answer is not None and not self._answer.is_out

    def _catch_up(self) -> None:
        """Carry out what had to wait for the end of a search."""
        while self._later:
            self.obey(self._later.pop(0))

    # The game and the engine, loaded when first needed.

    @property
    def game(self) -> CurrentGame:
        """The position in force."""
        return self._loaded()[0]

    @property
    def engine(self) -> "Engine":
        """The one engine of the session."""
        return self._loaded()[1]

    def _loaded(self) -> "tuple[CurrentGame, Engine]":
        if self._core is None:
            make_board, engine = self._load(self.options)
            self._core = CurrentGame(make_board), engine
            engine.on_note = self.out.note
            self._core[0].set_chess960(self.options.chess960)
        return self._core

    def _prepare(self) -> None:
        """Allocate what the options ask for; what the machine refuses stays as it was."""
        try:
            self.engine.prepare()
        except MemoryError as error:
            self.options.hash_mb, self.options.threads = self.engine.size
            kept = f"Hash {self.options.hash_mb} and Threads {self.options.threads} stay in use"
            self.out.note(f"{error}; {kept}")
            self.engine.prepare()

    # Commands. Each gets the words after its name and the whole line.

    def uci(self, words: list[str], line: str) -> None:
        """Who we are and what can be set."""
        head = f"id name {build.name()}\nid author the SSSnake authors"
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
            advice = did_you_mean(name, [option.name for option in options.LIVE.values()])
            raise ValueError(f"no option '{name}'{advice}")

    def _set_parameter(self, name: str, value: str) -> bool:
        """The search's parameters are undeclared options, for tuning. False: there is none of that name."""
        if not name.islower() or " " in name:  # as GUIs write theirs: the core need not be loaded for it
            return False
        from sssnake._fast.search.parameters import find

        try:
            find(name)
        except KeyError:
            return False
        if not value.lstrip("-").isdecimal():
            raise ValueError(f"{name} is a whole number")
        self.engine.parameters[name] = int(value)
        return True

    def _apply(self, option: options.Option, value: str) -> None:
        """Set one option, and do what goes with it."""
        if option.name == "EvalFile":  # refused or loaded at once
            self.out.note(f"EvalFile: {self.engine.load_network(value)}")
        elif option.name == "Debug Log File":
            from sssnake.engine.common.files import check_apart

            check_apart([value], [self.options.eval_file, self.options.book_file])
        remark = self.options.set(option, value)
        if remark:
            self.out.note(remark)
        if option.name == "Clear Hash" and self._core:
            self.engine.clear_hash()
        elif option.name == "UCI_Chess960" and self._core:
            self.game.set_chess960(self.options.chess960)
        elif option.name == "Debug Log File":
            self.out.log_to(self.options.log_file)

    def ucinewgame(self, words: list[str], line: str) -> None:
        """Forget the games before."""
        self.engine.new_game()

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
        self.game.remark = ""
        self.game.set(fen, moves, self.options.chess960)
        if self.game.remark:
            self.out.note(self.game.remark)
        self._refused = False

    def _board(self) -> "Board | None":
        """The position to search; None after a refused one, until one is accepted."""
        return None if self._refused else self.game.board

    def _accepted(self) -> CurrentGame:
        """The position that a developer command is about. ValueError after a refused one."""
        if self._refused:
            raise ValueError("the last position was refused")
        return self.game

    def go(self, words: list[str], line: str) -> None:
        """Start a search; one still under way is stopped first, with its bestmove."""
        since = time.monotonic()
        self.stop()
        self._catch_up()
        if words and words[0].lower() == "perft":
            self.perft(words[1:], line)
            return
        from sssnake.engine.player.limits import Limits

        limits = Limits.parse(words, self.out.note)
        answer = BestMove(self.out, limits.infinite or limits.ponder)
        self._search, self._answer, self._infinite = None, answer, limits.infinite
        board = None
        try:
            board = self._board()
            if not self._without_search(board, limits, answer) and board is not None:
                self._begin(board, limits, answer, since)
        except Exception as error:
            self._answer_anyhow(error, board, answer)

    def _begin(self, board: "Board", limits: "Limits", answer: BestMove, since: float) -> None:
        """Start the search."""
        reports = InfoStream(self.out, self.options.show_wdl)

        def over(search: "Search") -> None:
            try:
                result = search.wait()
                reports.finish()
                ponder = f" ponder {result.ponder}" if result.move and result.ponder else ""
                answer.give(f"bestmove {result.move or '(none)'}{ponder}")
            except Exception as error:
                self._answer_anyhow(error, board, answer)

        self._prepare()

        def passed(done: "Pass") -> None:
            self.out.note(pass_text(done))

        on_pass = passed if self.debug else None
        self._search = self.engine.start(board, limits, reports, on_pass, over, since)

    def _without_search(self, board: "Board | None", limits: "Limits", answer: BestMove) -> bool:
        """Answer where no move is legal or allowed, or no position was accepted. Whether that is so."""
        score = "cp 0"
        if board is None:
            self.out.note("go: the last position was refused")
        elif not board.legal_moves():
            score = "mate 0" if board.is_check else "cp 0"
        elif limits.searchmoves is not None and not any(map(board.parse, limits.searchmoves)):
            self.out.note("go: no legal move among searchmoves")
        else:
            return False
        self.out.line(f"info depth 0 score {score}")
        answer.give("bestmove (none)")
        return True

    def _answer_anyhow(self, error: Exception, board: "Board | None", answer: BestMove) -> None:
        """A GUI left without a bestmove hangs: any legal move is better."""
        self.out.note(f"search failed: {error!r}")
        moves = board.legal_moves() if board else []
        answer.give(f"info depth 0 score cp 0\nbestmove {next(iter(moves), '(none)')}")

    def stop(self, words: object = None, line: str = "") -> None:
        """End the search under way, if any, and wait until its bestmove is out."""
        if self._search is not None:
            self._search.stop()
        if self._answer is not None:
            self._answer.release()
            self._answer.wait(PATIENCE)

    def ponderhit(self, words: list[str], line: str) -> None:
        """The expected move was played: the search goes on with the clock running."""
        if self._answer is None or not self._searching():
            return
        if self._search is not None:
            self._search.ponderhit()
        if not self._infinite:
            self._answer.release()

    # Developer commands live in a module of their own.

    def perft(self, words: list[str], line: str) -> None:
        """Count the legal move sequences."""
        from sssnake.engine.uci import console

        self.out.line(console.perft(self._accepted(), self.options, words))

    def evaluate(self, words: list[str], line: str) -> None:
        """The static evaluation of the position."""
        from sssnake.engine.uci import console

        self.out.line(console.evaluate(self._accepted().board, self.engine.network))

    def develop(self, words: list[str], line: str) -> None:
        """The other developer commands, by name."""
        from sssnake.engine.uci import console

        name = line.split()[0].lower()
        game = self._accepted() if name in console.OF_POSITION else self.game
        text = console.COMMANDS[name](game, self.options, words)
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
    status = 0
    try:
        if isinstance(error, OSError) and not process.reader_gone(error):
            status = 2
            print(f"sssnake: standard output: {reason(error)}", file=sys.stderr, flush=True)
    finally:  # standard error may be full too
        os._exit(status)


def main() -> int:
    """UCI on stdin and stdout, until `quit` or the end of input; Ctrl-C is as deadly as SIGTERM.

    Taken as Python's exception it would strike anywhere, in the midst of starting a thread or taking a lock.
    """
    import _signal  # type: ignore[import-not-found]  # signal imports enum, which takes longer than all else

    _signal.signal(_signal.SIGINT, _signal.SIG_DFL)
    out = Output(sys.stdout.buffer, broken=leave)
    if sys.stdin.isatty() and sys.stdout.isatty():
        from sssnake.engine.uci import console

        out.line(console.greeting())
    status = Uci(iter(sys.stdin.buffer.readline, b""), out).run()
    if not out.finish(LAST_WORDS):
        os._exit(status)
    return status
