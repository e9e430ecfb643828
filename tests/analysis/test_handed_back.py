"""What `analyse -o` gives back of a file: comments of every kind, escape lines, games that it cannot read."""

import os
import subprocess
import sys
from pathlib import Path

import chess.pgn
import pytest
from support.constants import ENGINE

from sssnake.engine.analysis.analyse import main

REMARKS = """; exported by a tool
{ two
lines }
% for another program
[Event "Remarks"]
[White "a"]
[Black "b"]
[Result "*"]

; the opening went quickly
1. e4 e5 ; the open game
% escaped
2. Nf3 Nc6 ; [%clk 0:10:00] both developed
3. Bb5 (3. Bc4 ; the Italian
Bc5) a6 *
"""
BAD = (
    b'[Event "bad"]\n[ White "M\xfcller" ] [Black "Else"]\r\n[Result "*"]\n\n{ One.\n\nTwo. }\n% a line\n'
    b"  1. e4 e5 2. Nf3 Nc6\r\n\n    3. Bb5 a6 4. Ba5 ; it cannot go there\n*\n\n"
)
GOOD = b'[Event "good"]\n[Result "*"]\n\n1. d4 *\n\n'


def analysed(tmp_path: Path, data: bytes) -> bytes:
    (tmp_path / "in.pgn").write_bytes(data)
    assert main([str(tmp_path / "in.pgn"), "-o", str(tmp_path / "out.pgn"), "--depth", "1", "--json"]) == 0
    return (tmp_path / "out.pgn").read_bytes()


def test_comments_and_escape_lines_survive(tmp_path: Path) -> None:
    text = analysed(tmp_path, REMARKS.encode()).decode()
    assert text.startswith('; exported by a tool\n; two\n; lines\n[Event "Remarks"]\n')
    assert "\n\n% for another program\n% escaped\n" in text
    said = " ".join(text.split())
    for words in (
        "the opening went quickly",
        "the open game",
        "[%clk 0:10:00]",
        "both developed",
        "the Italian",
    ):
        assert words in said
    with (tmp_path / "out.pgn").open() as file:
        game = chess.pgn.read_game(file)
    assert game is not None and not game.errors
    assert [node.san() for node in game.mainline()] == ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"]


def test_comments_between_games_stay_before_the_second(tmp_path: Path) -> None:
    """Behind the last game they are the last game's."""
    between = b"; {of} the\n; second\n% escaped\n"
    text = analysed(
        tmp_path, GOOD + between + GOOD.replace(b"good", b"two") + b"{ the end }\n% last\n"
    ).decode()
    assert '*\n\n; {of} the\n; second\n[Event "two"]' in text and "\n\n% escaped\n% last\n{ Analysed" in text
    assert text.count("{ the end [%eval") == 1 and text.index("the end") > text.index("two")
    bad = BAD.replace(b"\n\n", b"\n", 1)
    assert analysed(tmp_path, GOOD + between + bad + GOOD).count(between + bad) == 1


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_game_that_cannot_be_read_is_copied_to_the_byte(end: bytes, tmp_path: Path) -> None:
    assert BAD in analysed(tmp_path, GOOD + BAD + end + GOOD)
    assert analysed(tmp_path, BAD + GOOD).startswith(BAD)
    assert analysed(tmp_path, GOOD + BAD).endswith(BAD)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
@pytest.mark.parametrize("full", ["standard output", "html"])
def test_the_old_file_is_kept_when_another_output_is_full(full: str, tmp_path: Path) -> None:
    path, out = tmp_path / "in.pgn", tmp_path / "out.pgn"
    path.write_bytes(GOOD)
    out.write_text("old")
    words = ["--html", "/dev/full"] if full == "html" else []
    command = [*ENGINE, "analyse", str(path), "-o", str(out), "--depth", "1", *words]
    with open("/dev/full" if full == "standard output" else os.devnull, "w") as stream:  # noqa: PTH123
        done = subprocess.run(command, stdout=stream, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "No space left" in done.stderr
    assert out.read_text() == "old" and not list(tmp_path.glob("*.part"))
