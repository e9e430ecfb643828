"""The book that is shipped: whole, legal throughout, as its README describes it, and played over UCI."""

import hashlib
import shutil
import subprocess
from pathlib import Path

import chess
import chess.polyglot
import pytest
from support.constants import ENGINE, ROOT

from sssnake._fast.board.board import Board
from sssnake.engine.player.options import Options
from sssnake.engine.player.resources.book import Book, open_book
from sssnake.openings import BOOK


@pytest.fixture(scope="module")
def own() -> chess.polyglot.MemoryMappedReader:
    return chess.polyglot.open_reader(BOOK)


def test_own_book_is_small_sorted_and_as_described(own: chess.polyglot.MemoryMappedReader) -> None:
    data = BOOK.read_bytes()
    assert 100_000 < len(data) < 1_000_000
    assert open_book(BOOK)[1] == ""
    assert hashlib.sha256(data).hexdigest() in BOOK.with_name("README.md").read_text(encoding="utf-8")
    assert all(row.weight for row in own)


def test_own_book_holds_legal_moves_alone(own: chess.polyglot.MemoryMappedReader) -> None:
    """Every position that a game by the book can reach, transpositions once."""
    seen, todo = set(), [chess.Board()]
    while todo:
        board = todo.pop()
        key = chess.polyglot.zobrist_hash(board)
        if key in seen:
            continue
        seen.add(key)
        rows = list(own.find_all(board))
        assert len(rows) == len(list(own.find_all(key))), board.fen()
        for row in rows:
            child = board.copy(stack=False)
            child.push(row.move)
            todo.append(child)
    assert len(seen) > 2000


def after(moves: str) -> Board:
    board = Board()
    for move in moves.split():
        board.push(move)
    return board


def test_own_book_knows_the_main_roads() -> None:
    notes: list[str] = []
    book = Book(Options(own_book=True), notes.append)
    for moves in ("", "e2e4", "d2d4", "e2e4 e7e5", "d2d4 d7d5 c2c4", "e2e4 c7c5 g1f3"):
        assert book.choose(after(moves)), moves
    blunder = book.choose(after("f2f3 e7e5"), ["g2g4"])
    assert blunder is None, "2. g4 is a named line, and mate"
    assert not notes


def test_engines_share_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """300 tabs of the page have 300 engines: a mapping and an open file for each would be 100 MB."""
    copied = Path(shutil.copy(BOOK, tmp_path))
    monkeypatch.setattr("sssnake.openings.BOOK", copied)
    books = [Book(Options(own_book=True), print) for _ in range(5)]
    chosen = [book.choose(Board()) for book in books]
    assert all(chosen)
    assert mappings(copied) == 1
    named = Book(Options(own_book=True, book_file=str(copied)), print)  # the user's may change
    assert named.choose(Board())
    assert mappings(copied) == 2


def mappings(path: Path) -> int:
    """How often this process has mapped a file; skips the test where the system does not say."""
    listed = Path("/proc/self/maps")
    if not listed.exists():
        pytest.skip("no list of mappings")
    return sum(str(path) in line for line in listed.read_text(encoding="utf-8").splitlines())


def test_own_book_is_played_over_uci() -> None:
    commands = (
        "setoption name OwnBook value true",
        "setoption name BookSeed value 5",
        "go wtime 100",
        "setoption name UCI_Chess960 value true",
        "position startpos moves e2e4",
        "go movetime 10",
        "setoption name BookFile value /no/such/book.bin",
        "go depth 1",
        "go depth 1",
    )
    text = "\n".join(commands) + "\n"
    lines = subprocess.check_output(ENGINE, input=text, text=True, cwd=ROOT, timeout=60).splitlines()
    book = [line for line in lines if line.startswith("info string book ")]
    moves = [line.split() for line in lines if line.startswith("bestmove ")]
    assert len(book) == 2 and len(moves) == 4
    assert all(words[1] in line and words[2] == "ponder" for line, words in zip(book, moves, strict=False))
    faults = [line for line in lines if line.startswith("info string BookFile")]
    assert faults == ["info string BookFile /no/such/book.bin: it does not exist"]
