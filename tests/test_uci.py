"""The protocol loop: with a searcher that obeys the test, and as a process that really plays."""

import os
import queue
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO

import chess
import pytest

from _fast import netfile
from _fast.board import Board
from engine.game import STARTPOS, Game
from engine.limits import Limits
from engine.memory import available_mib
from engine.options import Options
from engine.output import BURST, InfoStream, Output, info_line, printable, score_text
from engine.searcher import Info, Result, Searcher
from engine.tools.evalspeed import material_net
from engine.uci import Uci

ROOT = Path(__file__).parents[1]
ENGINE = [sys.executable, "-m", "engine.cli"]
WAIT = 20.0  # seconds; generous, machines may be busy


def info(depth: int = 1, score: int = 0, bound: str = "", multipv: int = 1) -> Info:
    return Info(depth, depth, multipv, score, bound, 10, 1000, 0, 0, 5, ["e2e4"])


class Lines:
    """Collects what an engine prints; `until` waits for a line."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self._queue: queue.Queue[str] = queue.Queue()

    def put(self, text: str) -> None:
        for line in text.splitlines():
            self.seen.append(line)
            self._queue.put(line)

    def until(self, prefix: str) -> list[str]:
        got: list[str] = []
        while not got or not got[-1].startswith(prefix):
            try:
                got.append(self._queue.get(timeout=WAIT))
            except queue.Empty:
                raise AssertionError(f"no {prefix!r} after {got}") from None
        return got


class FakeSearcher:
    """Searches until told to stop, unless a depth is given; then it reports that depth and returns."""

    def __init__(self, options: Options):
        self.options = options
        self.network = None
        self.on_pass: Callable[[str], None] | None = None
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

    def arm(self) -> None:
        self.halt.clear()

    def new_game(self) -> None:
        self.calls.append("new_game")

    def clear_hash(self) -> None:
        self.calls.append("clear_hash")

    def stop(self) -> None:
        self.halt.set()

    def ponderhit(self) -> None:
        self.hit = True

    def search(self, board: Board, limits: Limits, report: Callable[[Info], None], start: float) -> Result:
        self.board, self.limits = board, limits
        if self.error:
            raise self.error
        report(info(limits.depth or 1))
        if limits.depth is None:
            self.halt.wait()
        moves = limits.searchmoves or board.legal_moves()
        return Result(moves[0], None)


class Stream:
    def __init__(self, lines: Lines):
        self.lines = lines

    def write(self, data: bytes) -> None:
        assert data.endswith(b"\n")
        self.lines.put(data.decode())

    def flush(self) -> None:
        pass


class InProcess:
    """A session in a thread, with the fake searcher."""

    def __init__(self) -> None:
        self.lines = Lines()
        self._input: queue.Queue[bytes] = queue.Queue()
        self.broken: list[bool] = []
        out = Output(Stream(self.lines), broken=lambda: self.broken.append(True))  # type: ignore[arg-type]
        self.uci = Uci(iter(self._input.get, b""), out, self._core)  # type: ignore[arg-type]
        self.thread = threading.Thread(target=self.uci.run, daemon=True)
        self.thread.start()

    def _core(self, options: Options) -> tuple[type[Board], FakeSearcher]:
        self.searcher = FakeSearcher(options)
        return Board, self.searcher

    def send(self, *lines: str) -> None:
        for line in lines:
            self._input.put(line.encode() + b"\n")

    def sync(self) -> list[str]:
        """All lines printed up to the answer to `isready`."""
        self.send("isready")
        return self.lines.until("readyok")[:-1]

    def close(self) -> None:
        self._input.put(b"")
        self.thread.join(WAIT)
        assert not self.thread.is_alive()


@pytest.fixture
def session() -> Iterator[InProcess]:
    session = InProcess()
    yield session
    session.close()


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


@pytest.fixture
def engine() -> Iterator[Process]:
    process = Process()
    yield process
    if process.process.poll() is None:
        assert process.end() == (0, "")


# Starting and answering


def test_uci_answers_without_the_heavy_imports() -> None:
    code = (
        "import sys; from engine.cli import main; main([])\n"
        "heavy = {'chess', 'argparse', 'logging', 'importlib.metadata', 'typing', 'dataclasses'}\n"
        "bad = [m for m in sys.modules if m in heavy or m.startswith('_fast')]\n"
        "print(bad)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        input="uci\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=WAIT,
    )
    lines = done.stdout.splitlines()
    assert lines[0].startswith("id name SSSnake ") and lines[1].startswith("id author ")
    assert lines[-2:] == ["uciok", "[]"]
    assert done.stderr == ""


def test_silence_before_being_addressed(engine: Process) -> None:
    time.sleep(0.3)
    assert engine.lines.seen == []


def test_uci_may_be_sent_again(session: InProcess) -> None:
    session.send("uci", "uci")
    assert session.lines.until("uciok") == session.lines.until("uciok")


# One bestmove a go, when it is due


def test_infinite_holds_the_bestmove_back(session: InProcess) -> None:
    session.send("go infinite depth 1")  # the fake is done at once
    assert not any(line.startswith("bestmove") for line in session.sync())
    session.send("ponderhit")  # not pondering: nothing
    assert session.sync() == []
    session.send("stop")
    assert session.lines.until("bestmove")[-1].startswith("bestmove ")
    session.send("stop", "stop")
    assert session.sync() == []


def test_ponder_holds_the_bestmove_until_ponderhit(session: InProcess) -> None:
    session.send("go ponder depth 3")
    assert not any(line.startswith("bestmove") for line in session.sync())
    session.send("ponderhit")
    session.lines.until("bestmove")
    session.send("ponderhit", "stop")
    assert session.sync() == []


def test_ponderhit_reaches_a_running_search(session: InProcess) -> None:
    session.send("go ponder wtime 1000 btime 1000")
    session.lines.until("info depth")
    session.send("ponderhit")
    assert session.sync() == []  # the fake goes on until stopped
    assert session.searcher.hit
    session.send("stop")
    session.lines.until("bestmove")


def test_isready_and_position_during_a_search(session: InProcess) -> None:
    session.send("go infinite")
    session.lines.until("info depth")
    prepared = len(session.searcher.calls)
    session.send("position startpos moves e2e4")
    assert session.sync() == []
    assert len(session.searcher.calls) == prepared  # nothing is allocated under a running search
    assert session.searcher.board.turn is True  # the search keeps its own board
    session.send("stop")
    session.lines.until("bestmove")
    session.send("go depth 1")
    session.lines.until("bestmove")
    assert session.searcher.board.turn is False


def test_go_during_a_search_ends_it_first(session: InProcess) -> None:
    session.send("go infinite", "go infinite", "go depth 2")
    for _ in range(3):
        session.lines.until("bestmove")
    assert session.sync() == []


def test_what_must_wait_for_the_end_of_the_search(session: InProcess) -> None:
    session.send("go infinite")
    session.lines.until("info depth")
    session.send("setoption name MultiPV value 3", "ucinewgame", "setoption name Clear Hash")
    assert session.sync() == []
    assert session.uci.options.multipv == 1
    session.send("stop")
    session.lines.until("bestmove")
    session.sync()
    assert session.uci.options.multipv == 3
    assert session.searcher.calls[-3:] == ["new_game", "clear_hash", "prepare"]


def test_end_of_input_and_quit_during_a_search() -> None:
    for last in ([], ["quit"]):
        engine = Process()
        engine.send("go infinite")
        engine.lines.until("info depth")
        engine.send(*last)
        start = time.monotonic()
        assert engine.end() == (0, "")
        assert time.monotonic() - start < 5
        assert sum(line.startswith("bestmove") for line in engine.lines.seen) == 1


def test_closed_stdout_ends_the_engine() -> None:
    process = subprocess.Popen(
        [*ENGINE], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin and process.stdout and process.stderr
    process.stdout.close()
    process.stdin.write(b"uci\n")
    process.stdin.flush()
    assert process.wait(WAIT) == 0
    assert process.stderr.read() == b""


def test_failing_search_still_moves(session: InProcess) -> None:
    session.sync()
    session.searcher.error = RuntimeError("broken")
    session.send("go depth 1")
    lines = session.lines.until("bestmove")
    assert lines[0].startswith("info string search failed") and lines[1].split()[1] in Board().legal_moves()


# Positions


def fen_of(session: InProcess) -> str:
    session.send("d")
    return next(line[5:] for line in session.sync() if line.startswith("Fen: "))


@pytest.mark.parametrize(
    ("command", "moves"),
    [
        ("position startpos", []),
        ("position startpos moves", []),
        ("position\tstartpos  moves  e2e4\te7e5\r", ["e2e4", "e7e5"]),
        (f"position fen {STARTPOS} moves ", []),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - moves g1f3", ["g1f3"]),
        ("position startpos moves E2E4", ["e2e4"]),
    ],
)
def test_positions(session: InProcess, command: str, moves: list[str]) -> None:
    session.send(command)
    board = chess.Board()
    for move in moves:
        board.push_uci(move)
    assert fen_of(session) == board.fen()


@pytest.mark.parametrize(
    "command",
    [
        "position",
        "position fen",
        "position nonsense",
        "position moves e2e4",
        "position fen this is not a position",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen 4k3/4R3/8/8/8/8/4r3/4K3 w - - 0 1 moves e1e8",
        "position fen 4k3/8/8/8/8/8/4r3/4K3 b - - 0 1",
        "position startpos moves e2e4 e7e5 e1e3",
        "position startpos moves e2e4 0000",
        "position startpos moves z9z9",
    ],
)
def test_bad_positions_keep_the_old_one(session: InProcess, command: str) -> None:
    session.send("position startpos moves d2d4")
    before = fen_of(session)
    session.send(command)
    complaint = session.sync()
    assert len(complaint) == 1 and complaint[0].startswith("info string position: ")
    assert fen_of(session) == before


def test_longer_lists_of_the_same_game_push_only_the_new_moves() -> None:
    pushed: list[str] = []

    class Counting:
        def __init__(self, fen: str, chess960: bool):
            self.played: list[str] = []

        def copy(self) -> "Counting":
            copy = Counting("", False)
            copy.played = self.played[:]
            return copy

        def push(self, move: str) -> None:
            if move == "bad":
                raise ValueError("bad")
            pushed.append(move)
            self.played.append(move)

    game = Game(Counting)  # type: ignore[arg-type]
    moves = [f"m{i}" for i in range(300)]
    for length in range(0, 301, 2):
        game.set(STARTPOS, moves[:length], False)
    assert pushed == moves
    with pytest.raises(ValueError, match="bad"):
        game.set(STARTPOS, [*moves, "bad"], False)
    assert game.board.played == moves  # type: ignore[attr-defined]
    game.set(STARTPOS, moves[:2], False)  # a take-back: from the start again
    assert game.board.played == moves[:2]  # type: ignore[attr-defined]


def test_a_long_game_is_set_up_fast() -> None:
    rng, board = random.Random(1), chess.Board()
    moves: list[str] = []
    while len(moves) < 400 and not board.is_game_over():
        move = rng.choice(list(board.legal_moves))
        moves.append(move.uci())
        board.push(move)
    game = Game(Board)
    start = time.perf_counter()
    game.set(STARTPOS, moves, False)
    assert game.board.fen() == board.fen()
    assert time.perf_counter() - start < 0.25


def test_chess960_castling_in_and_out(session: InProcess) -> None:
    fen = "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w HBhb - 0 1"
    session.send(
        "setoption name UCI_Chess960 value true", f"position fen {fen}", "go depth 1 searchmoves f1h1"
    )
    assert session.lines.until("bestmove")[-1] == "bestmove f1h1"
    session.send(f"position fen {fen} moves f1h1")
    assert session.sync() == []


def test_chess960_set_after_the_position(session: InProcess) -> None:
    session.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1", "setoption name UCI_Chess960 value true")
    session.send("go depth 1 searchmoves e1h1")
    assert session.lines.until("bestmove")[-1] == "bestmove e1h1"


# go


@pytest.mark.parametrize(
    ("fen", "score"),
    [("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0"), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0")],
)
def test_no_legal_move(session: InProcess, fen: str, score: str) -> None:
    session.send(f"position fen {fen}", "go depth 3")
    assert session.lines.until("bestmove") == [f"info depth 0 score {score}", "bestmove (none)"]
    session.send("go infinite")
    assert session.sync() == [f"info depth 0 score {score}"]
    session.send("stop")
    assert session.lines.until("bestmove") == ["bestmove (none)"]


def test_searchmoves(session: InProcess) -> None:
    session.send("go depth 1 searchmoves e2e5 g1f3 g1f3")
    session.lines.until("bestmove g1f3")
    assert session.searcher.limits.searchmoves == ["g1f3"]
    session.send("go depth 1 searchmoves 0000")
    assert session.lines.until("bestmove")[-1] == "bestmove (none)"


def test_memory_refused_keeps_the_old_table(session: InProcess) -> None:
    session.send("setoption name Hash value 33")
    session.sync()
    session.searcher.refuse_above = 100
    session.send("setoption name Hash value 4000")
    assert session.sync() == ["info string Hash 4000: too much; Hash 33 and Threads 1 stay in use"]
    assert session.uci.options.hash_mb == 33


def test_no_machine_has_so_much_memory(engine: Process) -> None:
    engine.send("setoption name Hash value 32", "isready")
    engine.lines.until("readyok")
    pool = "setoption name Hash value 65536"
    if (available_mib() or 0) < 66000:
        engine.send(pool)
        lines = engine.sync()
        assert len(lines) == 1 and lines[0].startswith("info string Hash 65536: this machine has ")
        assert lines[0].endswith("; Hash 32 and Threads 1 stay in use")
    engine.send("go depth 3")
    assert engine.lines.until("bestmove")[-1].split()[1] in Board().legal_moves()


def test_isready_is_answered_whatever_happens(session: InProcess) -> None:
    session.sync()

    def broken() -> None:
        raise RuntimeError("broken")

    session.searcher.prepare = broken  # type: ignore[method-assign]
    session.send("isready", "isready")
    assert session.lines.until("info string isready: broken")[0] == "readyok"
    assert session.lines.until("info string isready: broken")[0] == "readyok"


# Options and noise


def test_setoption_forms(session: InProcess) -> None:
    session.send(
        "setoption name hash value 32",
        "setoption NAME  move   overhead  VALUE 55",
        "setoption name MoveOverhead value 66",
        "setoption name Driver value mtd(F)",
        "setoption name Clear Hash",
        "setoption name UCI_AnalyseMode value true",
    )
    assert session.sync() == []
    values = session.uci.options
    assert (values.hash_mb, values.move_overhead, values.driver) == (32, 66, "MTD(f)")
    assert values.analyse_mode is True


@pytest.mark.parametrize(
    "command",
    [
        "setoption",
        "setoption name",
        "setoption value 3",
        "setoption name Nonsense value 1",
        "setoption name Hash",
        "setoption name Hash value x",
        "setoption name Hash value 0",
        "setoption name Driver value Best",
        "setoption name Ponder value perhaps",
        "setoption name Debug Log File value /nonexistent/dir/log",
        *("debug maybe", "perft", "perft x", "perft 99", "go perft", "bench x"),
        *("junk", "e2e4", "\x00\x01", "quit_"),
    ],
)
def test_nonsense_costs_one_info_string(session: InProcess, command: str) -> None:
    before = fen_of(session)
    session.send(command)
    complaint = session.sync()
    assert len(complaint) == 1 and complaint[0].startswith("info string ")
    assert fen_of(session) == before


def test_known_words_behind_unknown_ones(session: InProcess) -> None:
    session.send("joho debug on")
    assert session.sync() == [] and session.uci.debug
    session.send("please quit")
    assert len(session.sync()) == 1


def test_debug_log(session: InProcess, tmp_path: Path) -> None:
    path = tmp_path / "a  log.txt"
    session.send(f"setoption name Debug Log File value {path}")
    session.sync()
    session.send("setoption name Debug Log File value <empty>", "go depth 1")
    session.lines.until("bestmove")
    assert path.read_text() == ">> isready\n<< readyok\n>> setoption name Debug Log File value <empty>\n"


def test_perft_and_flip(session: InProcess) -> None:
    session.send("position startpos moves e2e4", "flip", "go perft 2")
    lines = session.sync()
    assert lines[-2:] == ["", "Nodes searched: 600"]
    assert len(lines) == 22 and "e2e4: 29" in lines
    session.send("help", "compiler", "eval", "register later")
    assert any(line.startswith("Evaluation: ") for line in session.sync())


def test_fuzz(session: InProcess) -> None:
    """Protocol words in any order: the session answers to the end, every line is of a known kind."""
    rng = random.Random(7)
    vocabulary = """
        uci isready setoption name value Hash MultiPV position startpos fen moves e2e4 e7e5 go depth 1 -1 0
        nodes wtime btime infinite ponder searchmoves movetime stop ponderhit debug on off
        ucinewgame d flip 0000 99999999999999999 w KQkq - 8/8/8/8/8/8/8/8 abc \xff \x00 é ; register mate winc
        """
    heads = ["position startpos moves", "go", "setoption name", "go depth 1", "stop", ""]
    for _ in range(3000):
        words = [rng.choice(heads), *rng.choices(vocabulary.split(), k=rng.randrange(6))]
        session.send(" ".join(words))
    session.send("stop")
    session.sync()
    known = {
        "info",
        "bestmove",
        "readyok",
        "uciok",
        "id",
        "option",
        "Fen:",
        "Key:",
        "Checkers:",
        *"12345678a",
    }
    assert {line.split()[0] for line in session.lines.seen if line} <= known
    assert sum(line.startswith("bestmove") for line in session.lines.seen) > 50


# What is printed


def test_score_text() -> None:
    assert score_text(-37) == "cp -37"
    assert score_text(31743) == "cp 31743"
    for moves in range(1, 100):
        assert score_text(32000 - (2 * moves - 1)) == f"mate {moves}"
        assert score_text(-32000 + 2 * moves) == f"mate -{moves}"
    assert score_text(-32000) == "mate 0"


def test_info_line_order() -> None:
    report = Info(3, 5, 2, 12, "upperbound", 100, 1000, 7, 0, 9, ["e2e4", "e7e5"])
    assert info_line(report) == (
        "info depth 3 seldepth 5 multipv 2 score cp 12 upperbound"
        " nodes 100 nps 1000 hashfull 7 tbhits 0 time 9 pv e2e4 e7e5"
    )


def test_printable() -> None:
    assert printable("a\nb\x00c\u2028") == "a?b?c?"
    assert len(printable("x" * 1000)) == 200


def test_a_flood_of_reports_is_bounded_and_ends_with_the_last_iteration() -> None:
    lines = Lines()
    stream = InfoStream(Output(Stream(lines), broken=lambda: None))  # type: ignore[arg-type]
    for depth in range(1, 5001):
        for multipv in (1, 2, 3):
            stream(info(depth, multipv=multipv))
        stream(info(depth + 1, bound="upperbound"))
    flood = len(lines.seen)
    assert BURST <= flood < 2 * BURST
    stream.finish()
    assert [line.split(" score")[0] for line in lines.seen[flood:]] == [
        f"info depth 5000 seldepth 5000 multipv {k}" for k in (1, 2, 3)
    ]
    assert not any("bound" in line for line in lines.seen)


def test_log_and_broken_pipe() -> None:
    class Closed:
        def write(self, data: bytes) -> None:
            raise BrokenPipeError

        def flush(self) -> None:
            raise AssertionError("not reached")

    broken: list[int] = []
    Output(Closed(), broken=lambda: broken.append(1)).line("x")  # type: ignore[arg-type]
    assert broken == [1]


# Real play, as a process


def test_real_searches(engine: Process) -> None:
    engine.send("uci", "setoption name Threads value 2", "ucinewgame", "isready")
    engine.lines.until("readyok")
    for limit in (
        "depth 4",
        "nodes 5000",
        "movetime 50",
        "wtime 100",
        "wtime -20 btime 0",
        "wtime 0 btime 0 winc 10",
    ):
        engine.send("position startpos moves e2e4", f"go {limit}")
        lines = engine.lines.until("bestmove")
        exact = [line for line in lines if " score " in line and "bound" not in line]
        assert exact
        words = lines[-1].split()
        board = chess.Board()
        board.push_uci("e2e4")
        board.push_uci(words[1])
        assert exact[-1].split(" pv ")[1].split()[0] == words[1]
        if len(words) > 2:
            assert words[2] == "ponder"
            board.push_uci(words[3])
    assert engine.sync() == []


def test_real_ponder(engine: Process) -> None:
    engine.send("position startpos moves e2e4 e7e5", "go ponder wtime 300 btime 300")
    engine.lines.until("info depth")
    time.sleep(0.5)  # longer than the budget
    assert not any(line.startswith("bestmove") for line in engine.sync())
    engine.send("ponderhit")
    start = time.monotonic()
    engine.lines.until("bestmove")
    assert time.monotonic() - start < 0.5


def test_ponderhit_before_the_search_has_begun() -> None:
    """The thread of a search may start late: the hit is not lost, nor given to the search before."""
    searcher = Searcher(Options())
    searcher.prepare()
    searcher.search(Board(), Limits(wtime=200, btime=200), lambda report: None)
    time.sleep(0.2)
    searcher.arm()
    searcher.ponderhit()
    reports: list[Info] = []
    start = time.monotonic()
    searcher.search(Board(), Limits(wtime=2000, btime=2000, ponder=True), reports.append)
    assert reports and 0.01 < time.monotonic() - start < 2


@pytest.mark.parametrize("movetime", [1, 100])
def test_movetime_is_kept(engine: Process, movetime: int) -> None:
    engine.sync()
    start = time.monotonic()
    engine.send(f"go movetime {movetime}")
    engine.lines.until("bestmove")
    assert time.monotonic() - start < movetime / 1000 + 0.2


def test_python_chess_client() -> None:
    import chess.engine

    with chess.engine.SimpleEngine.popen_uci(ENGINE, cwd=os.fspath(ROOT)) as client:
        board = chess.Board()
        assert client.play(board, chess.engine.Limit(time=0.05)).move in list(board.legal_moves)
        lines = client.analyse(board, chess.engine.Limit(depth=4), multipv=3)
        assert [line["multipv"] for line in lines] == [1, 2, 3]
        assert len({line["pv"][0] for line in lines}) == 3
        stalemate = chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
        assert client.play(stalemate, chess.engine.Limit(depth=3)).move is None
        mate = client.analyse(chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), chess.engine.Limit(depth=4))
        assert mate["score"].white() == chess.engine.Mate(1)
        shuffled = chess.Board.from_chess960_pos(100)
        played = client.play(shuffled, chess.engine.Limit(depth=3), ponder=True)
        assert played.move in list(shuffled.legal_moves)


def test_parameters_of_the_search_are_undeclared_options() -> None:
    names = ("driver_margin value 10", "driver_margin value 9999", "driver_margin value x", "no_such value 1")
    commands = "".join(f"setoption name {words}\n" for words in names)
    done = subprocess.run(
        ENGINE, input=commands, capture_output=True, text=True, cwd=ROOT, timeout=WAIT, check=True
    )
    assert done.stdout.splitlines() == [
        "info string setoption: driver_margin must lie in 0..200, not 9999",
        "info string setoption: driver_margin is a whole number",
        "info string setoption: no option 'no_such'",
    ]


def test_the_evaluation_is_named_and_changed(engine: Process, tmp_path: Path) -> None:
    """EvalFile: a network is told in a line; a bad file is refused, and the evaluation before it plays on."""
    path = tmp_path / "a net.sssn"
    netfile.write(path, material_net(32))
    evaluated = "Evaluated by: network (768 -> 32) x 2 -> 1: material and the centre"

    def said(*commands: str) -> list[str]:
        engine.send(*commands, "eval")
        return engine.sync()

    assert said()[0].startswith("Evaluated by: ")
    lines = said(f"setoption name EvalFile value {path}")
    assert lines[0] == f"info string EvalFile: {evaluated.removeprefix('Evaluated by: ')}"
    assert lines[1] == evaluated and lines[-1].startswith("Evaluation: ")
    path.write_bytes(path.read_bytes()[:-9])
    missing, text = tmp_path / "missing", ROOT / "setup.py"
    for name, reason in ((path, "a truncated network"), (missing, "no such file"), (text, "not a network")):
        lines = said(f"setoption name EvalFile value {name}")
        assert lines[0].startswith(f"info string setoption: {name}: {reason}") and lines[1] == evaluated
    engine.send("go depth 3")
    engine.lines.until("bestmove")
    assert said("position fen 8/8/4k3/8/1K6/8/8/1Q6 w - - 0 1")[1] == "an ending judged by rule"
    assert said("setoption name EvalFile value <internal>", "position startpos")[1] != evaluated
