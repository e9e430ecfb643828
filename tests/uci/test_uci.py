"""The protocol loop, with an engine that obeys the test, and as a process: starting, searching, ending."""

import subprocess
import sys
import time

import pytest
from support.constants import ENGINE, ROOT
from support.sessions import WAIT, InProcess, Process

from sssnake._fast.board.board import Board
from sssnake.engine.player.resources.memory import available_mib

# Starting and answering


def test_uci_answers_without_the_heavy_imports() -> None:
    code = (
        "import sys; from sssnake.engine.commands.cli import main; main([])\n"
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
    assert session.engine.hit
    session.send("stop")
    session.lines.until("bestmove")


def test_isready_and_position_during_a_search(session: InProcess) -> None:
    session.send("go infinite")
    session.lines.until("info depth")
    prepared = len(session.engine.calls)
    session.send("position startpos moves e2e4")
    assert session.sync() == []
    assert len(session.engine.calls) == prepared  # nothing is allocated under a running search
    assert session.engine.board.turn is True  # the search keeps its own board
    session.send("stop")
    session.lines.until("bestmove")
    session.send("go depth 1")
    session.lines.until("bestmove")
    assert session.engine.board.turn is False


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
    assert session.engine.calls[-3:] == ["new_game", "clear_hash", "prepare"]


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
    session.engine.error = RuntimeError("broken")
    session.send("go depth 1")
    lines = session.lines.until("bestmove")
    assert lines[0].startswith("info string search failed") and lines[-1].split()[1] in Board().legal_moves()


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


@pytest.mark.parametrize(
    "command", ["go depht 5", "go foo", "go depth x", "go 5", "go searchmoves", "go movetime nan"]
)
def test_a_go_that_nobody_understands_is_answered_at_once(session: InProcess, command: str) -> None:
    session.send(command)
    lines = session.lines.until("bestmove")
    assert len([line for line in lines if line.startswith("info string")]) == 1
    assert lines[-1].split()[1] in Board().legal_moves()


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xef\xbb\xbf  ", b""])
@pytest.mark.parametrize("command", [b"isready", b"IsReady\r", b"\t isready \t", b"foo isready"])
def test_a_byte_order_mark_before_the_first_command(session: InProcess, mark: bytes, command: bytes) -> None:
    session.send_raw(mark + command + b"\n")
    assert session.lines.until("readyok") == ["readyok"]


@pytest.mark.parametrize("order", ["le", "be"])
def test_utf_16_is_read_with_a_remark(session: InProcess, order: str) -> None:
    for raw in ("\ufeffisready\r\ngo depth 1\n").encode(f"utf-16-{order}").splitlines(keepends=True):
        session.send_raw(raw)
    lines = session.lines.until("bestmove")
    assert [line for line in lines if line.startswith("info string")] == [
        "info string the input is UTF-16: only its ASCII characters are read"
    ]
    assert lines[1] == "readyok"


def test_capital_letters(session: InProcess) -> None:
    session.send("UCINEWGAME", "Position StartPos Moves E2E4", "Debug On", "GO Depth 1")
    assert session.lines.until("bestmove")[-1].split()[1] in session.engine.board.legal_moves()
    assert session.engine.board.turn is False and session.uci.debug
    session.send("D", "GO PERFT 1", "SetOption Name Hash Value 64.0")
    assert "Nodes searched: 20" in session.sync()
    assert session.uci.options.hash_mb == 64


def test_searchmoves(session: InProcess) -> None:
    session.send("go depth 1 searchmoves e2e5 g1f3 g1f3")
    session.lines.until("bestmove g1f3")
    assert session.engine.limits.searchmoves == ["g1f3"]
    session.send("go searchmoves g1f3 depth 1 searchmoves b1c3 e9 depth 2")
    session.lines.until("bestmove")
    assert session.engine.limits.searchmoves == ["g1f3", "b1c3"] and session.engine.limits.depth == 2
    session.send("go depth 1 searchmoves 0000")
    assert session.lines.until("bestmove")[-1] == "bestmove (none)"


def test_memory_refused_keeps_the_old_table(session: InProcess) -> None:
    session.send("setoption name Hash value 33")
    session.sync()
    session.engine.refuse_above = 100
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

    session.engine.prepare = broken  # type: ignore[method-assign]
    session.send("isready", "isready")
    assert session.lines.until("info string isready: RuntimeError: broken")[0] == "readyok"
    assert session.lines.until("info string isready: RuntimeError: broken")[0] == "readyok"
