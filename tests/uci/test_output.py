"""What is printed: the form of every line, and no flood of them."""

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.constants import ENGINE, ROOT
from support.sessions import Lines, Stream, info

from sssnake.engine.common.messages import one_line
from sssnake.engine.player.drivers import Pass
from sssnake.engine.player.result import Info, Score
from sssnake.engine.uci.output import (
    BURST,
    InfoStream,
    Output,
    harmless,
    info_line,
    pass_text,
)

FULL = Path("/dev/full")


def test_score_text() -> None:
    assert " score cp -37 " in info_line(info(score=-37))
    assert " score cp 31743 " in info_line(info(score=31743))
    for moves in range(1, 100):
        assert f" score mate {moves} " in info_line(info(score=32000 - (2 * moves - 1)))
        assert f" score mate -{moves} " in info_line(info(score=-32000 + 2 * moves))
    assert " score mate 0 " in info_line(info(score=-32000))


@pytest.mark.parametrize(
    ("done", "text"),
    [
        (Pass(9, 0, 3, 40, 41, 38, 2810, -5, 38, False), "depth 9 pass 3 gamma 41 -> 38 upper nodes 2810"),
        (
            Pass(2, 2, 1, 40, 41, 44, 7, 44, None, True),
            "depth 2 line 2 pass 1 gamma 41 -> 44 lower nodes 7 crossed",
        ),
        (Pass(1, 0, 1, -9, 9, 0, 21, 0, 0, False), "depth 1 pass 1 gamma 9 -> 0 exact nodes 21"),
        (Pass(5, 0, 2, 7, 8, 3, 0, None, 3, False), "depth 5 pass 2 gamma 8 -> not searched"),
        (
            Pass(9, 0, 1, 30742, 30743, 38, 2810, None, 38, False),
            "depth 9 pass 1 gamma 30743 -> 38 upper nodes 2810 (30743 is +infinity minus the wins)",
        ),
    ],
)
def test_passes_as_debug_on_shows_them(done: Pass, text: str) -> None:
    assert pass_text(done) == text


def test_info_line_order() -> None:
    report = Info(3, 5, 2, Score(12), "upperbound", 100, 1000, 7, 0, 9, ["e2e4", "e7e5"])
    assert info_line(report) == (
        "info depth 3 seldepth 5 multipv 2 score cp 12 upperbound"
        " nodes 100 nps 1000 hashfull 7 tbhits 0 time 9 pv e2e4 e7e5"
    )


def test_a_note_is_one_line() -> None:
    assert one_line("a\nb\x00c\u2028") == "a b?c"
    assert len(one_line("x" * 1000, 200)) == 200


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


def test_the_log_holds_whole_lines(tmp_path: Path) -> None:
    path, text = tmp_path / "log", "position startpos moves " + "g1f3 g8f6 f3g1 f6g8 " * 100
    out = Output(Stream(Lines()), broken=lambda: None)  # type: ignore[arg-type]
    out.log_to(str(path))
    out.heard(text)
    out.line("readyok")
    assert path.read_text() == f">> {text}\n<< readyok\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_ends_the_log_and_not_the_session() -> None:
    lines = Lines()
    out = Output(Stream(lines), broken=lambda: None)  # type: ignore[arg-type]
    out.log_to("/dev/full")
    out.heard("isready")
    out.line("readyok")
    assert len(lines.seen) == 2 and lines.seen[1] == "readyok"
    assert lines.seen[0].startswith("info string Debug Log File given up: ")


def test_no_remark_holds_words_that_xboard_takes_for_a_failed_start() -> None:
    """xboard looks for them, in this spelling, in whatever an engine says before it has answered."""
    for number in errno.errorcode:
        text = harmless(f"EvalFile /a/b: {os.strerror(number)}")
        assert text.startswith("EvalFile /a/b: ") and len(text) > 17
        assert not [words for words in ("No such file", "not found", "Permission denied") if words in text]
    assert harmless("SyzygyPath /EGT: No such file or directory") == "SyzygyPath /EGT: it does not exist"
    assert harmless("book.bin: PERMISSION DENIED, Not Found") == "book.bin: access refused, missing"
    assert harmless("7 tables, 3 pieces") == "7 tables, 3 pieces"


@pytest.mark.skipif(sys.platform != "linux", reason="the pipe is made small")
@pytest.mark.parametrize("last", [b"quit\n", b""])
@pytest.mark.parametrize(
    "commands", ["isready\n" * 9000, "setoption name MultiPV value 90\ngo infinite\n", "uci\n" * 90]
)
def test_quit_is_obeyed_though_nobody_reads(commands: str, last: bytes) -> None:
    process = subprocess.Popen(ENGINE, cwd=ROOT, stdin=-1, stdout=-1, stderr=-1)
    assert process.stdin and process.stdout and process.stderr
    fcntl = pytest.importorskip("fcntl")
    fcntl.fcntl(process.stdout, fcntl.F_SETPIPE_SZ, 4096)
    process.stdin.write(commands.encode())
    process.stdin.flush()
    time.sleep(1.5)
    process.stdin.write(last)
    process.stdin.close()
    assert process.wait(10) == 0
    assert process.stderr.read() == b""


def test_a_slow_reader_gets_every_line_in_order() -> None:
    process = subprocess.Popen(ENGINE, cwd=ROOT, stdin=-1, stdout=-1)
    assert process.stdin and process.stdout
    process.stdin.write(b"uci\nisready\n" * 200)
    process.stdin.write(b"go depth 1\n")
    process.stdin.close()
    text = b""
    while part := os.read(process.stdout.fileno(), 1 << 14):  # longer than it waits for a line
        text += part
        time.sleep(0.1)
    lines = text.splitlines()
    assert [line for line in lines if line in (b"uciok", b"readyok")] == 200 * [b"uciok", b"readyok"]
    assert lines[-1].startswith(b"bestmove ") and process.wait(10) == 0


@pytest.mark.skipif(os.name == "nt", reason="only sockets tell whether they are full")
def test_a_reader_far_behind_misses_info_lines_alone() -> None:
    reader, writer = os.pipe()
    with os.fdopen(writer, "wb") as stream, os.fdopen(reader, "rb") as text:
        out = Output(stream, broken=lambda: None)
        for number in range(40_000):
            out.line(f"info depth {number} " + 100 * "x")
        out.line("info depth 0 score cp 0\nbestmove e2e4")
        out.line("readyok")
        assert not out.finish(0.05)
        lines = [text.readline().split()]
        while lines[-1] != [b"readyok"]:
            lines.append(text.readline().split())
        assert out.finish(5.0)
    numbers = [int(words[2]) for words in lines[:-3]]
    assert numbers == sorted(set(numbers)) and 1 << 20 < 115 * len(numbers) < 2 << 20
    assert lines[-3][2] == b"0" and lines[-2] == [b"bestmove", b"e2e4"]


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full")
def test_full_output_ends_the_engine_with_one_line_or_none() -> None:
    with FULL.open("wb") as full:
        for errors in (subprocess.PIPE, full):
            done = subprocess.run(
                ENGINE, input=b"go infinite\n", stdout=full, stderr=errors, cwd=ROOT, timeout=20
            )
            assert done.returncode == 2
            assert done.stderr in (None, b"sssnake: standard output: No space left on device\n")
