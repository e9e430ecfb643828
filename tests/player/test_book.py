"""The opening book: what is played from it, when, and what becomes of books that are not whole."""

import mmap
import os
import random
import struct
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Unpack

import chess
import chess.polyglot
import pytest

from sssnake._fast.board.board import Board
from sssnake.engine.commands.book_sources import encode
from sssnake.engine.player.engine import Engine, OptionValues
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import Options
from sssnake.engine.player.resources.book import CHUNK, CHUNKS, Book, open_book
from sssnake.engine.player.result import Result

START = chess.Board()
BOTH_CASTLE = "r3k2r/pppq1ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPPQ1PPP/R3K2R w KQkq - 0 8"


def entry(board: chess.Board, move: str, weight: int) -> bytes:
    bits = encode(board, chess.Move.from_uci(move))
    return struct.pack(">QHHI", chess.polyglot.zobrist_hash(board), bits, weight, 0)


def after(*moves: str) -> chess.Board:
    board = chess.Board()
    for move in moves:
        board.push_uci(move)
    return board


ROWS = [
    entry(START, "e2e4", 30),
    entry(START, "d2d4", 10),
    entry(START, "a2a3", 0),
    entry(after("e2e4"), "c7c5", 5),
    entry(after("e2e4"), "e7e5", 9),
    entry(after("g1f3", "g8f6", "f3g1"), "f6g8", 1),
    entry(chess.Board(BOTH_CASTLE), "e1g1", 1),
]


def write(path: Path, rows: Iterable[bytes]) -> Path:
    path.write_bytes(b"".join(sorted(rows)))
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path / "small.bin", ROWS)


def open_as(path: Path | str, **options: Unpack[OptionValues]) -> tuple[Book, list[str]]:
    notes: list[str] = []
    wanted = Options(own_book=True, book_file=str(path))
    wanted.update(**options)
    return Book(wanted, notes.append), notes


def board_after(*moves: str) -> Board:
    return Board.from_chess(after(*moves))


# Choosing


def test_moves_are_chosen_in_proportion_to_their_weights(path: Path) -> None:
    book, notes = open_as(path, book_seed=7)
    chosen = [book.choose(Board()) for _ in range(2000)]
    counts = Counter(move.move for move in chosen if move)
    assert counts.keys() == {"e2e4", "d2d4"}, "weight 0 means: do not play"
    assert 1400 < counts["e2e4"] < 1600
    assert not notes


def test_the_seed_fixes_the_choices(path: Path) -> None:
    def draws(seed: int) -> list[str]:
        book, _ = open_as(path, book_seed=seed)
        return [str(book.choose(Board()).move) for _ in range(40)]  # type: ignore[union-attr]

    assert draws(1) == draws(1) != draws(2)
    assert draws(0) != draws(0)


def test_the_reply_is_the_heaviest(path: Path) -> None:
    move = open_as(path)[0].choose(Board(), ["e2e4"])
    assert move and (move.move, move.reply) == ("e2e4", "e7e5")
    assert str(move) == "book e2e4 100 %"
    move = open_as(path)[0].choose(Board(), ["d2d4"])
    assert move and move.reply is None


def test_what_is_allowed(path: Path) -> None:
    assert open_as(path)[0].choose(Board(), ["a2a3", "h2h4"]) is None
    assert open_as(path)[0].choose(board_after("d2d4")) is None
    shallow, _ = open_as(path, book_depth=1)
    assert shallow.choose(board_after("e2e4"))
    assert shallow.choose(Board(BOTH_CASTLE)) is None, "move 8"
    assert open_as(path, book_depth=8)[0].choose(Board(BOTH_CASTLE))


def test_a_book_leads_no_game_in_circles(path: Path) -> None:
    assert open_as(path)[0].choose(board_after("g1f3", "g8f6", "f3g1")) is None
    same = Board(after("g1f3", "g8f6", "f3g1").fen())
    assert open_as(path)[0].choose(same), "without the history it is no repetition"


@pytest.mark.parametrize(("chess960", "name"), [(False, "e1g1"), (True, "e1h1")])
def test_castling_is_written_as_the_client_writes_it(path: Path, chess960: bool, name: str) -> None:
    move = open_as(path)[0].choose(Board(BOTH_CASTLE, chess960))
    assert move and move.move == name


def test_castling_from_a_chess960_position(tmp_path: Path) -> None:
    fen = "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1"
    key = chess.polyglot.zobrist_hash(chess.Board(fen, chess960=True))
    path = write(tmp_path / "960.bin", [struct.pack(">QHHI", key, chess.E1 << 6 | chess.B1, 1, 0)])
    move = open_as(path)[0].choose(Board(fen, chess960=True))
    assert move and move.move == "e1b1"


def test_promotion_and_capture_in_passing(tmp_path: Path) -> None:
    promoting = chess.Board("8/P6k/8/8/8/8/7K/8 w - - 0 1")
    passing = after("e2e4", "g7g6", "e4e5", "d7d5")
    path = write(tmp_path / "p.bin", [entry(promoting, "a7a8n", 1), entry(passing, "e5d6", 1)])
    book, _ = open_as(path)
    for position, name in ((promoting, "a7a8n"), (passing, "e5d6")):
        move = book.choose(Board.from_chess(position))
        assert move and move.move == name
    assert book.choose(Board(passing.fen().replace("d6", "-"))) is None, "another position, another key"


# Books that are not whole


def check_fault(path: Path | str, fault: str) -> Book:
    book, notes = open_as(path)
    for _ in range(3):
        book.choose(Board())
    assert len(notes) == 1 and fault in notes[0] and "\n" not in notes[0]
    return book


def test_a_missing_book(tmp_path: Path) -> None:
    assert check_fault(tmp_path / "none.bin", "No such file").choose(Board()) is None
    assert check_fault(tmp_path, "not a file").choose(Board()) is None
    assert check_fault("/dev/null", "not a file").choose(Board()) is None
    assert check_fault("a\0b", "null").choose(Board()) is None
    assert check_fault("~nobody-by-that-name/book.bin", "No such file").choose(Board()) is None


@pytest.mark.parametrize("data", [b"", b"short"])
def test_an_empty_book(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "empty.bin"
    path.write_bytes(data)
    assert check_fault(path, "no entry").choose(Board()) is None


def test_a_truncated_book_is_read_as_far_as_it_goes(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-3])
    whole = check_fault(path, "truncated")
    rows = sorted(ROWS)[:-1]
    for moves in ((), ("e2e4",)):
        wanted = {entry(after(*moves), name, 0)[:10] for name in ("e2e4", "d2d4", "c7c5", "e7e5")}
        readable = any(row[:10] in wanted for row in rows)
        assert bool(whole.choose(board_after(*moves))) is readable


@pytest.mark.parametrize("tail", [b"", b"half an entry"[:7]])
def test_an_unsorted_book_is_read_all_the_same(path: Path, tail: bytes) -> None:
    path.write_bytes(b"".join(sorted(ROWS, reverse=True)) + tail)
    book = check_fault(path, "truncated and not sorted" if tail else "not sorted")
    assert book.choose(Board())
    assert book.choose(board_after("e2e4"))


def test_sortedness_is_seen_across_chunks(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sssnake.engine.player.resources.book.CHUNK", 32)
    assert open_book(path)[1] == ""
    rows = sorted(ROWS)
    path.write_bytes(b"".join([*rows[2:], *rows[:2]]))
    assert "not sorted" in open_book(path)[1]


def test_files_that_are_no_books(tmp_path: Path) -> None:
    path = tmp_path / "noise.bin"
    rng = random.Random(5)
    positions = [START, after("e2e4"), chess.Board(BOTH_CASTLE)]
    for _ in range(300):
        rows = [rng.randbytes(16) for _ in range(rng.randrange(20))]
        for board in positions:  # right keys, any move
            key = struct.pack(">Q", chess.polyglot.zobrist_hash(board))
            rows += [key + rng.randbytes(8) for _ in range(8)]
        rng.shuffle(rows)
        path.write_bytes(b"".join(rows) + rng.randbytes(rng.randrange(16)))
        for board in positions:
            move = open_as(path)[0].choose(Board.from_chess(board))
            assert move is None or chess.Move.from_uci(move.move) in board.legal_moves


def test_another_file_is_opened_and_told_of(path: Path, tmp_path: Path) -> None:
    notes: list[str] = []
    options = Options(own_book=True, book_file=str(tmp_path / "none.bin"))
    book = Book(options, notes.append)
    assert book.choose(Board()) is None
    options.book_file = str(path)
    assert book.choose(Board()) and len(notes) == 1
    options.own_book = False
    assert book.choose(Board()) is None


# In a search


def think(path: Path, limits: Limits, analyse_mode: bool = False) -> tuple[Result, list[str]]:
    options = Options(own_book=True, book_file=str(path), book_seed=1, analyse_mode=analyse_mode)
    engine = Engine(options)
    notes: list[str] = []
    engine.on_note = notes.append
    return engine.play(Board(), limits), notes


def test_a_search_asks_the_book_first(path: Path) -> None:
    result, notes = think(path, Limits(nodes=100))
    assert str(result.move) in ("e2e4", "d2d4")
    assert notes == ["book e2e4 75 %, d2d4 25 %"]
    result, _ = think(path, Limits(nodes=100, searchmoves=["d2d4", "c2c4"]))
    assert str(result.move) == "d2d4"
    result, notes = think(path, Limits(nodes=100, searchmoves=["c2c4"]))
    assert str(result.move) == "c2c4" and not notes


def test_no_book_in_analysis(path: Path) -> None:
    assert think(path, Limits(infinite=True, depth=1))[1] == []
    assert think(path, Limits(mate=1, depth=1))[1] == []
    assert think(path, Limits(depth=1), analyse_mode=True)[1] == []


def count_bytes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The lengths of all parts of mapped files that are read from now on."""
    lengths: list[int] = []

    class Counting(mmap.mmap):
        def __getitem__(self, key: Any) -> Any:
            found = super().__getitem__(key)
            lengths.append(len(found) if isinstance(found, bytes) else 1)
            return found

    monkeypatch.setattr(mmap, "mmap", Counting)
    return lengths


def test_a_large_book_is_mapped(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 100 GB only parts are looked at; if they are not in order, the book is refused."""
    large = tmp_path / "large.bin"
    large.write_bytes(path.read_bytes())
    os.truncate(large, 100 << 30)  # zeros: keys that fall
    looked_at = count_bytes(monkeypatch)
    check_fault(large, "not sorted, and too large to be sorted")
    with large.open("r+b") as file:
        file.write(bytes(path.stat().st_size))
        file.seek((100 << 30) - path.stat().st_size)
        file.write(path.read_bytes())
    book, told = open_as(large)
    assert book.choose(Board()) and not told
    assert CHUNK * CHUNKS <= sum(looked_at) < 2 * CHUNK * CHUNKS


def test_a_book_of_one_position_is_no_book(tmp_path: Path) -> None:
    path = write(tmp_path / "same.bin", [entry(chess.Board(), "e2e4", 0)] * 100_000)
    book, _ = open_as(path)
    assert book.choose(Board()) is None


def test_entries_of_one_move_add_up(tmp_path: Path) -> None:
    path = tmp_path / "twice.bin"
    path.write_bytes(entry(START, "e2e4", 2) + entry(START, "e2e4", 5) + entry(START, "d2d4", 3))
    book = Book(Options(own_book=True, book_file=str(path)), print)
    found = book.choose(Board())
    assert found is not None and found.weights == {"e2e4": 7, "d2d4": 3}


@pytest.mark.parametrize(("count", "plays"), [(1024, True), (1025, False)])
def test_a_position_has_so_many_entries_at_most(count: int, plays: bool, tmp_path: Path) -> None:
    path = write(tmp_path / "many.bin", [entry(START, "e2e4", 1)] * count + [entry(after("e2e4"), "e7e5", 1)])
    assert (open_as(path)[0].choose(Board()) is not None) == plays
