"""genfens: as many legal, level, different positions as asked for, the same for the same seed."""

import subprocess
from pathlib import Path

import chess
import pytest
from support.constants import ENGINE, ROOT

from sssnake.engine.commands.cli import main
from sssnake.engine.selfplay import genfens


def made(capsys: pytest.CaptureFixture[str], words: str) -> list[str]:
    assert main([f"genfens {words}", "quit"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("info string genfens ") for line in lines)
    return [line.removeprefix("info string genfens ") for line in lines]


def test_positions_are_playable_different_and_seeded(capsys: pytest.CaptureFixture[str]) -> None:
    fens = made(capsys, "12 seed 7 book None")
    assert len(set(fens)) == 12 == len(fens)
    for fen in fens:
        board = chess.Board(fen)
        assert board.is_valid() and not board.is_game_over()
    assert {chess.Board(fen).turn for fen in fens} == {True, False}
    assert made(capsys, "5 seed 7 book None extra words") == fens[:5]
    assert made(capsys, "5 seed 8 book None") != fens[:5]


def test_a_book_is_where_they_start(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    book = tmp_path / "book.epd"
    book.write_text("4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -\n")
    for fen in made(capsys, f"4 seed 1 book {book}"):
        assert not any(piece in fen.split()[0] for piece in "QqRrBbNn")


def test_bad_openings_of_a_book(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    book = tmp_path / "book.pgn"
    book.write_text("1. e4 -- 2. d4 *\n1. d4 *\n1. f3 e5 2. g4 Qh4# *\n")
    assert main([f"genfens 2 seed 1 book {book}", "quit"]) == 2
    errors = capsys.readouterr().err
    assert errors.count("\n") == 1 and "book.pgn, game 1 (line 1): line 1: a null move" in errors
    for fen in made(capsys, f"2 seed 1 book {book} --skip-bad"):
        assert chess.Board(fen).piece_at(chess.D2) != chess.Piece.from_symbol("P"), "after 1. d4"


def test_a_book_of_chess960(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    book = tmp_path / "book.epd"
    book.write_text("bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB w GDgd -\n")
    assert len(made(capsys, f"2 seed 1 book {book}")) == 2


def test_as_a_process_it_ends_by_itself() -> None:
    command = [*ENGINE, "genfens 2 seed 1 book None", "quit"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=True)
    assert len(done.stdout.splitlines()) == 2 and not done.stderr


@pytest.mark.parametrize(
    "words",
    ["", "x", "5", "0 seed 1 book None", "5 seed x book None", "5 seed 1 book /no/such.epd", "5 book None"],
)
def test_bad_input_is_one_line(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert genfens.main(words.split()) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
