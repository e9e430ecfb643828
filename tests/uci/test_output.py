"""What is printed: the form of every line, and no flood of them."""

import errno
import os
from pathlib import Path

import pytest
from support.sessions import Lines, Stream, info

from engine.player.result import Info, Score
from engine.uci.output import BURST, InfoStream, Output, harmless, info_line, printable, score_text


def test_score_text() -> None:
    assert score_text(-37) == "cp -37"
    assert score_text(31743) == "cp 31743"
    for moves in range(1, 100):
        assert score_text(32000 - (2 * moves - 1)) == f"mate {moves}"
        assert score_text(-32000 + 2 * moves) == f"mate -{moves}"
    assert score_text(-32000) == "mate 0"


def test_info_line_order() -> None:
    report = Info(3, 5, 2, Score(12), "upperbound", 100, 1000, 7, 0, 9, ["e2e4", "e7e5"])
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
