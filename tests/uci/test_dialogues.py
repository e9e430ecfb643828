"""What graphical interfaces are known to say, line by line, and what they need to hear.

Learnt from the sources of cutechess, En Croissant, Nibbler, Lucas Chess and c-chess-cli, and from Arena's and
Banksia's logs. A dialogue is a list of steps:
    "> LINE"    is sent; {moves} stands for those of the game
    "< START"   wait for a line that begins so
    "silent"    nothing but info lines was printed since, and none comes before the answer to `isready`
    "play"      the last bestmove joins the game, and the reply it expects, or any if it names none
"""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest
from support.constants import ROOT
from support.sessions import Process

WAIT = 20.0  # seconds; machines may be busy
CUTECHESS_QUIT = 5.0  # seconds it waits after `quit`

CLOCK = "wtime 400 btime 400 winc 10 binc 10"
DIALOGUES = {
    "cutechess": f"""
        > uci
        < uciok
        > setoption name Hash value 8
        > isready
        < readyok
        > debug on
        > ucinewgame
        > setoption name Ponder value true
        > setoption name UCI_Opponent value none none computer Some Engine 1.0
        > position startpos
        > isready
        < readyok
        > go {CLOCK}
        < bestmove
        play
        > position startpos moves {{moves}}
        > isready
        < readyok
        > go ponder {CLOCK}
        silent
        > ponderhit
        < bestmove
        play
        > position startpos moves {{moves}}
        > isready
        < readyok
        > go ponder {CLOCK}
        silent
        > stop
        < bestmove
        > position startpos moves {{moves}}
        > isready
        < readyok
        > go {CLOCK} movestogo 3
        > stop
        < bestmove
        > isready
        < readyok
        """,
    "Arena": """
        > uci\r
        < uciok
        > setoption name Hash value 32\r
        > setoption name NalimovPath value C:\\Tables\\Nalimov\r
        > setoption name Ponder value false\r
        > isready\r
        < readyok
        > ucinewgame\r
        > isready\r
        < readyok
        > position startpos moves e2e4 \r
        > go wtime 300 btime 300 winc 0 binc 0 \r
        < bestmove
        > setoption name UCI_AnalyseMode value true\r
        > position fen r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\r
        > go infinite\r
        < info depth 5
        silent
        > stop\r
        < bestmove
        > setoption name UCI_AnalyseMode value false\r
        > stop\r
        silent
        """,
    "Banksia": """
        > uci
        < uciok
        > setoption name Threads value 2
        > isready
        < readyok
        > ucinewgame
        > position startpos
        > isready
        < readyok
        > go wtime 300 btime 300 winc 10 binc 10
        < bestmove
        > stop
        > isready
        < readyok
        > position startpos moves e2e4 e7e5
        > isready
        < readyok
        > go movetime 50
        < bestmove
        > stop
        silent
        """,
    "En Croissant": """
        > uci
        < uciok
        > isready
        < readyok
        > setoption name UCI_Chess960 value false
        > setoption name MultiPV value 3
        > setoption name Threads value 1
        > setoption name Hash value 16
        > position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
        > go infinite
        < info depth 6
        > stop
        > position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4
        > go depth 6
        < bestmove
        < bestmove
        > setoption name UCI_Chess960 value true
        > position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9
        > go nodes 3000
        < bestmove
        > setoption name UCI_Chess960 value false
        > position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
        > go wtime 200 btime 200 winc 0 binc 0
        < bestmove
        """,
    "Nibbler": """
        > uci
        > setoption name UCI_Chess960 value true
        < uciok
        > setoption name MultiPV value 500
        > setoption name UCI_ShowWDL value true
        > isready
        < readyok
        > ucinewgame
        > position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1
        > go infinite
        < info depth 3
        > stop
        < bestmove
        > setoption name MultiPV value 3
        > position fen rnbqk2r/pppp1ppp/5n2/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w HAha - 4 4 moves e1h1 e8h8
        > go nodes 5000 searchmoves d2d3 c2c3
        < bestmove
        > position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1 moves e2e4
        > go movetime 50
        < bestmove
        """,
    "Lucas Chess": """
        > uci
        < uciok
        > setoption name BookFile
        > setoption name SyzygyPath
        > setoption name Ponder value false
        > setoption name MultiPV value 2
        > isready
        < readyok
        > isready
        < readyok
        > ucinewgame
        > isready
        < readyok
        > position startpos moves e2e4 e7e5
        > isready
        < readyok
        > go depth 5
        < bestmove
        > position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1
        > isready
        < readyok
        > go movetime 100
        < bestmove (none)
        > position startpos
        > go infinite
        < info depth 5
        > stop
        < bestmove
        """,
    "c-chess-cli": """
        > uci
        < uciok
        > setoption name Hash value 1
        > ucinewgame
        > isready
        < readyok
        > position startpos moves g1f3
        > isready
        < readyok
        > go wtime 100 winc 10 btime 100 binc 10
        < bestmove
        > position startpos moves g1f3 g8f6
        > isready
        < readyok
        > go depth 4
        < bestmove
        > isready
        < readyok
        """,
}
REMARKED = ("NalimovPath", "BookFile", "SyzygyPath", "playing against")  # may be told


class Engine(Process):
    """The engine behind pipes, and the game as a graphical interface keeps it."""

    def __init__(self) -> None:
        super().__init__()
        self.board = chess.Board()
        self.heard: list[str] = []
        self.last: list[str] = []  # words of the last bestmove

    def until(self, start: str) -> list[str]:
        """All lines up to the one that begins with `start`."""
        got = self.lines.until(start)
        self.heard += got
        if start == "bestmove":
            self.last = got[-1].split()
        return got

    def perform(self, step: str) -> None:
        """One step of a dialogue."""
        kind, _, rest = step.partition(" ")
        if kind == ">":
            self.send(rest.replace("{moves}", " ".join(move.uci() for move in self.board.move_stack)))
        elif kind == "<":
            self.until(rest)
        elif kind == "play":
            self.board.push_uci(self.last[1])
            self.board.push_uci(self.last[3] if self.last[2:3] == ["ponder"] else self.any_reply())
        else:
            assert kind == "silent"
            self.send("isready")
            heard = [line for line in self.until("readyok")[:-1] if " pass " not in line]
            assert all(line.startswith("info depth") for line in heard)

    def any_reply(self) -> str:
        """A legal move, always the same."""
        return min(move.uci() for move in self.board.legal_moves)

    def check(self) -> None:
        """What every interface relies on, in all lines heard."""
        for line in self.heard:
            if line.startswith("info string"):
                assert "error" not in line.lower()
                words = line.split()
                assert "score" not in words and "pv" not in words  # some clients read on
                if " pass " not in line:  # of `debug on`
                    assert any(name in line for name in REMARKED), line
            elif line.startswith("info depth") and not line.startswith("info depth 0"):
                assert " pv " in line and " nodes " in line and " nps " in line and " score " in line


@pytest.fixture
def engine() -> Iterator[Engine]:
    engine = Engine()
    yield engine
    if engine.process.poll() is None:
        engine.process.kill()
    engine.process.wait(WAIT)


def steps(text: str) -> list[str]:
    """The steps of a dialogue, without their indentation; a carriage return at the end stays."""
    return [line.lstrip(" ") for line in text.split("\n") if line.strip(" ")]


@pytest.mark.parametrize("name", DIALOGUES)
def test_dialogue(name: str, engine: Engine) -> None:
    for step in steps(DIALOGUES[name]):
        engine.perform(step)
    engine.send("quit")
    start = time.monotonic()
    assert engine.process.wait(WAIT) == 0
    assert time.monotonic() - start < CUTECHESS_QUIT
    assert engine.process.stderr and engine.process.stderr.read() == b""
    engine.check()
    asked = sum(step.startswith("> go") for step in steps(DIALOGUES[name]))
    answers = sum(line.startswith("bestmove") for line in engine.heard)
    assert answers == asked


def test_multipv_lines_come_depth_by_depth(engine: Engine) -> None:
    """En Croissant shows lines only when all of one depth are there, in order."""
    engine.send("setoption name MultiPV value 3")
    engine.send("go depth 7")
    words = [line.split() for line in engine.until("bestmove") if line.startswith("info depth")]
    exact = [line for line in words if not line[10].endswith("bound")]
    depths = [int(line[2]) for line in exact]
    assert depths == sorted(depths)
    for depth in range(1, 8):  # a better line that comes later moves those behind it, which are sent again
        last = {int(line[6]): int(line[9]) for line in exact if int(line[2]) == depth}
        assert sorted(last) == [1, 2, 3]
        assert last[1] >= last[2] >= last[3]


def test_a_stalled_reader_is_no_deadlock(engine: Engine) -> None:
    """An interface that reads late: the engine may wait for it, but answers in the end."""
    engine.send("setoption name MultiPV value 500")
    for _ in range(30):
        engine.send("go depth 5")
        time.sleep(0.02)
    for _ in range(30):
        engine.until("bestmove")


@pytest.mark.parametrize("end", ["terminate", "kill"])
def test_an_interface_that_ends_the_process(end: str, engine: Engine) -> None:
    """Lucas Chess sends `quit` and SIGTERM at once, Nibbler and En Croissant kill."""
    engine.send("go infinite")
    engine.until("info depth")
    engine.send("quit")
    engine.process.send_signal(signal.SIGTERM if end == "terminate" else signal.SIGKILL)
    engine.process.wait(WAIT)
    assert engine.process.stderr and engine.process.stderr.read() == b""


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="no /proc")
def test_nothing_is_left_when_the_interface_is_killed() -> None:
    """`kill -9` of the interface closes the pipes: an engine in the middle of a search goes too."""
    code = (
        "import subprocess, sys, time\n"
        "pipe, command = subprocess.PIPE, [sys.executable, '-m', 'sssnake.engine.commands.cli']\n"
        "p = subprocess.Popen(command, stdin=pipe, stdout=pipe)\n"
        "p.stdin.write(b'setoption name Threads value 2\\ngo infinite\\n'); p.stdin.flush()\n"
        "p.stdout.readline(); print(p.pid, flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE) as interface:
        assert interface.stdout
        pid = int(interface.stdout.readline())
        interface.kill()
    end = time.monotonic() + WAIT
    while Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text().split()[2]:
        assert time.monotonic() < end, "the engine lives on"
        time.sleep(0.05)
