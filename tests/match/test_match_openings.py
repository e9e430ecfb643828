"""The openings of a match: books, Chess960, random plies, and what cannot be played."""

import zipfile
from pathlib import Path

import chess
import chess.pgn
import pytest
from support.constants import FAKE
from support.matches import result, run
from support.suites import OWN, located

from sssnake.engine.games.openings import OpeningOptions, openings

pytestmark = pytest.mark.usefixtures("short_patience")

BOOKS = ("8moves_v3.pgn.zip", "2moves_v2.pgn.zip", "UHO_4060_v2.epd.zip")


FISCHER = """[Event "a"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB w KQkq - 0 1"]

1. b3 c5 2. Nf3 d5 3. d4 b6 4. O-O Nf6 *
[Event "b"]

1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 *
"""
LIMITS = ("--games", "8", "--depth", "1", "--max-moves", "20")


def test_chess960_by_the_tags_of_an_opening(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, pgn = tmp_path / "a.pgn", tmp_path / "games.pgn"
    path.write_text(FISCHER)
    found = result(capsys, FAKE, *LIMITS, "--openings", str(path), "--pgn", str(pgn))
    pairing = found["pairings"][0]
    assert pairing["games"] == 8 and not any(sum(faults.values()) for faults in pairing["faults"])
    with pgn.open() as file:
        games = [chess.pgn.read_game(file) for _ in range(8)]
    variants = sorted(game.headers.get("Variant", "") for game in games if game)
    assert variants == [""] * 4 + ["fischerandom"] * 4 and not any(game.errors for game in games if game)


@pytest.mark.parametrize("option", [(), ("--chess960",)])
def test_an_engine_without_chess960_is_refused_before_the_first_game(
    option: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, pgn = tmp_path / "a.pgn", tmp_path / "games.pgn"
    path.write_text("1. e4 *" if option else FISCHER)
    assert run(FAKE, f"{FAKE} no-960", *LIMITS, *option, "--openings", str(path), "--pgn", str(pgn)) == 2
    output = capsys.readouterr()
    assert output.out == "" and output.err.count("\n") == 1 and "no option 'UCI_Chess960'" in output.err
    assert not pgn.exists() or not pgn.read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1. e4 -- 2. d4 *", "a null move"),
        ("1. e4 e5 2. Nf7 *", "illegal move 'Nf7'"),
        ("1. f3 e5 2. g4 Qh4# *", "checkmate"),
        ('[FEN "4k3/8/8/8/8/8/8/R3K3 w Q - 100 90"]\n\n*', "fifty moves"),
    ],
)
def test_bad_openings_are_refused_or_left_out(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, pgn = tmp_path / "a.pgn", tmp_path / "games.pgn"
    path.write_text(f"1. d4 d5 *\n\n{text}\n\n1. c4 *\n")
    arguments = (FAKE, *LIMITS, "--openings", str(path), "--order", "sequential", "--pgn", str(pgn))
    assert run(*arguments) == 2
    output = capsys.readouterr()
    assert output.out == "" and output.err.count("\n") == 1
    assert "a.pgn, game 2 (line 3): " in output.err and said in output.err and "--skip-bad" in output.err
    assert not pgn.exists() or not pgn.read_text()
    assert run(*arguments, "--skip-bad") == 0
    output = capsys.readouterr()
    assert output.err.startswith("sssnake match: 1 of 3 openings left out, the first: ")
    assert "8 games" in output.out and "no faults" in output.out


def test_openings(tmp_path: Path) -> None:
    epd, pgn, packed = tmp_path / "a.epd", tmp_path / "a.pgn", tmp_path / "a.pgn.zip"
    epd.write_text("4k3/8/8/8/8/8/4P3/4K3 w - -\n\n8/8/8/8/8/8/6k1/4K2R w K - 0 1 bm O-O; \n")
    pgn.write_text('[Event "?"]\n[A "1"]\n\n1. e4 e5 2. Nf3 {[%clk 1]}\nNc6 *\n\n\n[Event "?"]\n\n1. d4 *\n')
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(pgn, "a.pgn")
    boards = openings(epd, OpeningOptions(shuffle=False))
    assert [next(boards).fen()[:8] for _ in range(3)] == ["4k3/8/8/", "8/8/8/8/", "4k3/8/8/"]
    for path in (pgn, packed):
        boards = openings(path, OpeningOptions(shuffle=False))
        assert [len(next(boards).move_stack) for _ in range(3)] == [4, 1, 4]
        assert len(next(openings(path, OpeningOptions(plies=2, shuffle=False))).move_stack) == 2


def test_a_book_is_found_among_other_files(tmp_path: Path) -> None:
    epd, packed, notes = tmp_path / "a.epd", tmp_path / "a.zip", tmp_path / "notes.zip"
    text = "\ufeff4k3/8/8/8/8/8/4P3/4K3 w - -\n"  # some editors write that mark
    epd.write_text(text, encoding="utf-8")
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("README.txt", "not a book")
        archive.write(epd, "books/A.EPD")
    with zipfile.ZipFile(notes, "w") as archive:
        archive.writestr("a.txt", text)
    for path in (epd, packed, notes):
        assert next(openings(path)).fen().startswith("4k3/")


def test_random_openings_depend_on_the_seed_alone() -> None:
    def fens(seed: int) -> list[str]:
        boards = openings(None, OpeningOptions(plies=8, seed=seed))
        return [next(boards).fen() for _ in range(5)]

    assert fens(1) == fens(1) != fens(2)
    assert len(set(fens(1))) == 5


@pytest.mark.parametrize("text", ["not a position\n", "k7/8/8/8/8/8/8/8 w - -\n", "", "\n\n"])
def test_bad_book_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "book.epd"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"book\.epd"):
        next(openings(path))


@pytest.mark.parametrize(
    "path", [OWN / "openings.epd", OWN / "openings.pgn", *located(*BOOKS)], ids=lambda path: path.name
)
def test_books(path: Path) -> None:
    boards = openings(path, OpeningOptions(seed=3))
    assert len({next(boards).fen() for _ in range(50)}) == 50
