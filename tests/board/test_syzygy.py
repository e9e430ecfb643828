"""Probing Syzygy tablebases: compared with chess.syzygy, and with damaged files."""

import random
from itertools import islice
from pathlib import Path

import chess
import chess.syzygy
import pytest
from soak.tablebases import against_damage
from support.tablebases import (
    ALL_AT_ONCE,
    ALL_DRAWN,
    FOLDER,
    NO_FOLDER,
    every_position,
    mismatch,
    open_tables,
    random_positions,
    typed_in,
    typed_in_distances,
    typed_in_with_pawns,
)

from sssnake._fast.board.board import Board
from sssnake._fast.board.syzygy import Tables

NAMES = sorted(path.stem for path in FOLDER.glob("K*.rtbw")) if FOLDER else []
SAMPLE = {3: 400, 4: 120, 5: 40}  # positions a table, by its pieces

with_tables = pytest.mark.skipif(FOLDER is None, reason=NO_FOLDER)


def opened(folder: Path, name: str, wdl: bytes | None, dtz: bytes | None = None) -> Tables:
    """A set of the two files of one table. ValueError: damaged."""
    tables = Tables()
    for data, end in ((wdl, "rtbw"), (dtz, "rtbz")):
        if data is not None:
            (folder / f"{name}.{end}").write_bytes(data)
            tables.add(str(folder / f"{name}.{end}"), name, end == "rtbz")
    return tables


# Without tables: one that is typed in


def test_a_table_that_is_typed_in(tmp_path: Path) -> None:
    tables = opened(tmp_path, "KNvK", ALL_DRAWN, ALL_AT_ONCE)
    assert (tables.largest, len(tables)) == (3, 2)
    for board in islice(random_positions("KNvK", random.Random(1)), 300):
        ours = Board.from_chess(board)
        assert (tables.wdl(ours), tables.dtz(ours)) == (0, 0)


def test_what_is_not_held(tmp_path: Path) -> None:
    tables = opened(tmp_path, "KNvK", ALL_DRAWN)
    assert tables.wdl(Board("8/8/8/3k4/8/8/1B6/K7 w - - 0 1")) is None
    assert tables.wdl(Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")) is None
    assert tables.wdl(Board()) is None
    assert tables.wdl(Board("8/8/8/3k4/8/8/8/K7 w - - 0 1")) == 0, "two kings"
    assert tables.wdl(Board("8/8/8/3k4/8/8/8/KN6 w - - 0 1")) == 0
    assert tables.wdl(Board("8/8/8/8/8/6k1/8/K1N4n w - - 0 1")) is None


def test_wins_where_distances_are_missing(tmp_path: Path) -> None:
    tables = opened(tmp_path, "KQvK", typed_in("Q", 2, -2))
    board = Board("8/8/8/3k4/8/8/8/KQ6 w - - 0 1")
    assert (tables.wdl(board), tables.dtz(board)) == (2, None)
    tables = opened(tmp_path, "KQvK", typed_in("Q", 2, -2), typed_in_distances("Q"))
    assert (tables.wdl(board), tables.dtz(board)) == (2, 1)


def test_the_knight_may_be_taken(tmp_path: Path) -> None:
    """The result of a capture counts, not the table's value."""
    tables = opened(tmp_path, "KNvK", typed_in("N", -2, -2))
    assert tables.wdl(Board("8/8/8/8/8/8/1k6/2N1K3 b - - 0 1")) == 0
    assert tables.wdl(Board("8/8/8/8/8/8/8/1kN1K3 w - - 0 1")) == -2


ONLY_MOVE = "8/8/2Q5/5K1k/6Pp/8/8/8 b - g3 0 1"  # hxg3
ONE_OF_SOME = "8/8/8/2Q5/6Pp/2K5/8/7k b - g3 0 1"


@pytest.mark.parametrize(
    ("fen", "table", "taken", "wdl", "dtz"),
    [
        (ONLY_MOVE, 0, -2, -2, -1),  # without the capture it would be stalemate
        (ONLY_MOVE, 0, -1, -1, -101),
        (ONLY_MOVE, 0, 0, 0, 0),
        (ONLY_MOVE, -2, 0, 0, None),  # the distance would be another file's
        (ONLY_MOVE, 0, 2, 2, 1),
        (ONE_OF_SOME, 0, -2, 0, 0),
        (ONE_OF_SOME, 0, 1, 1, 101),
        (ONE_OF_SOME, 0, 2, 2, 1),
    ],
)
@pytest.mark.parametrize("mirrored", [False, True])
def test_a_capture_en_passant(
    fen: str, table: int, taken: int, wdl: int, dtz: int | None, mirrored: bool, tmp_path: Path
) -> None:
    """Tables know none. Its result counts if it is the only move, or the better one."""
    for name, white, black in (("KQPvKP", 0, table), ("KQvKP", -taken, 0)):
        (tmp_path / f"{name}.rtbw").write_bytes(typed_in_with_pawns(name, white, black))
    tables = open_tables(tmp_path)
    board = chess.Board(fen)
    board = board.mirror() if mirrored else board
    assert (tables.wdl(Board.from_chess(board)), tables.dtz(Board.from_chess(board))) == (wdl, dtz)
    with chess.syzygy.open_tablebase(str(tmp_path)) as oracle:
        assert (oracle.probe_wdl(board), oracle.get_dtz(board)) == (wdl, dtz)


@pytest.mark.parametrize("data", [ALL_DRAWN, ALL_AT_ONCE], ids=["wdl", "dtz"])
def test_every_cut_and_every_bit_of_the_head(tmp_path: Path, data: bytes) -> None:
    dtz = data is ALL_AT_ONCE
    boards = [Board.from_chess(board) for board in islice(random_positions("KNvK", random.Random(1)), 20)]

    def opens(changed: bytes) -> bool:
        try:
            files = (ALL_DRAWN, changed) if dtz else (changed, ALL_AT_ONCE)
            tables = opened(tmp_path, "KNvK", *files)
        except ValueError:
            return False
        for board in boards:
            assert tables.wdl(board) in (-2, -1, 0, 1, 2)
            tables.dtz(board)
        return True

    assert opens(data)
    assert not any(opens(data[:length]) for length in range(len(data)))
    assert not opens(data + bytes(64))
    opening = set()
    for bit in range(8 * 14):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        if opens(bytes(changed)):
            opening.add(bit // 8)
    assert opening <= {4, *range(5 if dtz else 9, 14)}, "spare bits, halves that DTZ does not use, values"


@pytest.mark.parametrize("name", ["KRvKQ", "KQvK", "KNvKN", "KNNvK", "KPvK", "KvKN"])
def test_under_another_name(tmp_path: Path, name: str) -> None:
    """Only the sides may be exchanged."""
    if name == "KvKN":
        assert len(opened(tmp_path, name, ALL_DRAWN)) == 1
        return
    with pytest.raises(ValueError, match="damaged"):
        opened(tmp_path, name, ALL_DRAWN)


def test_the_pieces_of_both_sides_to_move_agree(tmp_path: Path) -> None:
    """Otherwise probing would search for a missing knight in an endless loop."""
    with pytest.raises(ValueError, match="damaged"):
        opened(tmp_path, "KNvK", ALL_DRAWN.replace(b"\x22", b"\xa2", 1))


# Against chess.syzygy


@pytest.fixture(scope="module")
def tables() -> Tables:
    assert FOLDER
    return open_tables(FOLDER)


@with_tables
@pytest.mark.parametrize("name", NAMES)
def test_results_and_distances(tables: Tables, name: str) -> None:
    assert FOLDER
    rng = random.Random(1)
    with chess.syzygy.open_tablebase(str(FOLDER)) as oracle:
        for board in islice(random_positions(name, rng), SAMPLE.get(len(name) - 1, 20)):
            assert mismatch(tables, oracle, board) == ""


@with_tables
def test_positions_in_a_row(tables: Tables) -> None:
    """A part of all positions of KPK, whose indices are all over the table."""
    assert FOLDER
    with chess.syzygy.open_tablebase(str(FOLDER)) as oracle:
        for board in islice(every_position("KPvK"), 0, None, 499):
            assert mismatch(tables, oracle, board) == ""


@with_tables
def test_a_damaged_byte_causes_no_endless_loop(tmp_path: Path) -> None:
    """One bit of the head: in chess.syzygy it causes an endless loop."""
    assert FOLDER
    data = bytearray((FOLDER / "KBvK.rtbw").read_bytes())
    assert data[8] == 0x33
    data[8] = 0xB3
    with pytest.raises(ValueError, match="damaged"):
        opened(tmp_path, "KBvK", bytes(data))


@with_tables
def test_broken_files(tmp_path: Path) -> None:
    """The long form: `python tests/soak/tablebases.py damage FOLDER`."""
    assert FOLDER
    refused, found, unnoticed = against_damage(FOLDER, 150, 1)
    assert refused > 50 and refused + found + unnoticed == 150
