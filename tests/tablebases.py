"""Endgame tablebases in tests, and three long checks of the prober:

    python tests/tablebases.py oracle FOLDER    against chess.syzygy: all positions of three pieces, and
                                                --positions N random ones of each larger table
    python tests/tablebases.py damage FOLDER    --files N broken copies of its small tables: nothing may hang
                                                or crash (by `make sanitize` too)
    python tests/tablebases.py speed FOLDER     results a second, of random positions and warm files

Tests take tables from the folder that the environment variable SSSNAKE_SYZYGY names.
"""

import argparse
import faulthandler
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import chess
import chess.syzygy

from sssnake._fast.board.board import Board
from sssnake._fast.board.syzygy import Tables

ROOT = Path(__file__).parents[1]
NAMED = os.environ.get("SSSNAKE_SYZYGY")
PLACES = ([Path(NAMED)] if NAMED else []) + [ROOT.parent / "shared" / "data" / "free" / "syzygy"]
# A folder that has (at least) all tables of three pieces, if there is one.
FOLDER = next((place for place in PLACES if (place / "KRvK.rtbz").is_file()), None)
NO_FOLDER = "no three-piece tables: see Suites in docs/develop/contributing.md, and set SSSNAKE_SYZYGY"


EP_SHARE = 0.3  # of the random positions with pawns on both sides: one can be taken en passant
SMALL = 20_000  # bytes: tables that are broken
HANG = 20  # seconds
POOL = 1000  # positions of a table, of which each broken copy is asked some
SHOWN = 5  # mismatches a table
TIMED, TURNS = 20_000, 15  # positions of a table; turns, of which the fastest counts


def typed_in(piece: str, white: int, black: int) -> bytes:
    """A table of results, king and `piece` against king: one with White to move, one with Black to move."""
    code = 0x11 * "_PNBRQ".index(piece)
    streams = bytes((0x80, white + 2, 0x80, black + 2))
    head = b"\x71\xe8\x23\x5d\x01" + bytes((0, 0x66, 0xEE, code, 0))  # order, pieces, padding
    return (head + streams).ljust(64, b"\0") + bytes(16)


def typed_in_with_pawns(name: str, white: int, black: int) -> bytes:
    """The like for a table with pawns, of which neither side has two: its pawns come first."""
    pieces = sorted(pieces_of(name), key=lambda piece: (piece.piece_type > 1, piece.color == chess.BLACK))
    both = pieces[1].piece_type == chess.PAWN
    codes = [piece.piece_type + (8 if piece.color == chess.BLACK else 0) for piece in pieces]
    layout = bytes((0, *([0x11] if both else []), *(0x11 * code for code in codes)))
    head = b"\x71\xe8\x23\x5d\x03" + 4 * layout  # one layout for each of the leading pawn's files
    streams = 4 * bytes((0x80, white + 2, 0x80, black + 2))
    data = head + bytes(len(head) % 2) + streams
    return data + bytes(-len(data) % 64) + bytes(16)


def typed_in_distances(piece: str) -> bytes:
    """The like of distances: all at once, White to move."""
    head = b"\xd7\x66\x0c\xa5\x00" + bytes((0, 0x66, 0xEE, 0x11 * "_PNBRQ".index(piece), 0))
    return (head + bytes((0x80, 0))).ljust(64, b"\0") + bytes(16)


def coded(piece: str) -> bytes:
    """A table of results whose values are coded, the head in order, but whose blocks are not there.

    Two symbols of one bit each, one span over all indices. Any probe finds the damage.
    """
    head = typed_in(piece, 0, 0)[:10]
    spans = bytes((0, 0, 0, 0, 0, 0))
    stream = bytes((0, 6, 15, 0, 0, 0, 0, 0, 1, 1, 0, 0, 2, 0)) + bytes((4, 0xF0, 0xFF, 0, 0xF0, 0xFF))
    return (head + 2 * stream + 2 * spans).ljust(64, b"\0") + bytes(16)


BLOCKS_MISSING = coded("Q")
ALL_DRAWN, ALL_AT_ONCE = typed_in("N", 0, 0), typed_in_distances("N")


def open_tables(folder: Path) -> Tables:
    """All tables of a folder."""
    tables = Tables()
    for path in sorted(folder.glob("K*.rtb[wz]")):
        tables.add(str(path), path.stem, path.suffix == ".rtbz")
    return tables


# Positions


def pieces_of(name: str) -> list[chess.Piece]:
    """The pieces of a table."""
    white, black = name.split("v")
    return [chess.Piece.from_symbol(letter) for letter in white + black.lower()]


def set_up(pieces: list[chess.Piece], squares: list[int], turn: bool) -> chess.Board | None:
    """The position, if the rules allow it."""
    board = chess.Board(None)
    for piece, square in zip(pieces, squares, strict=True):
        if piece.piece_type == chess.PAWN and not 8 <= square < 56:
            return None
        board.set_piece_at(square, piece)
    board.turn = turn
    return None if board.was_into_check() else board


def every_position(name: str) -> Iterator[chess.Board]:
    """All positions of a table of three pieces, the white side the stronger one."""
    pieces = pieces_of(name)
    for number in range(2 * 64**3):
        squares = [number >> 13 & 63, number >> 7 & 63, number >> 1 & 63]
        if len(set(squares)) == 3:
            board = set_up(pieces, squares, bool(number & 1))
            if board:
                yield board


def random_positions(name: str, rng: random.Random) -> Iterator[chess.Board]:
    """Positions of a table without end, either side the stronger one; some with a capture en passant."""
    pieces = pieces_of(name)
    pawns = {
        color: [i for i, piece in enumerate(pieces) if piece == chess.Piece(chess.PAWN, color)]
        for color in (chess.WHITE, chess.BLACK)
    }
    while True:
        squares = rng.sample(range(64), len(pieces))
        turn = rng.random() < 0.5
        ep = None
        if all(pawns.values()) and rng.random() < EP_SHARE:
            file, step = rng.randrange(8), rng.choice((-1, 1))
            if not 0 <= file + step < 8:
                continue
            rank = 4 if turn else 3
            squares[pawns[turn][0]] = chess.square(file + step, rank)
            squares[pawns[not turn][0]] = chess.square(file, rank)
            ep = chess.square(file, 5 if turn else 2)
            if len(set(squares)) < len(squares):
                continue
        board = set_up(pieces, squares, turn)
        if board is None:
            continue
        if ep is not None:
            board.ep_square = ep
            if not board.is_valid():
                continue
        if rng.random() < 0.5:
            board = board.mirror()
        try:
            Board.from_chess(board)
        except ValueError:  # checks that cannot come about
            continue
        yield board


# Against chess.syzygy


def asked(probe: object, board: chess.Board) -> int | None:
    """What chess.syzygy says; None: a table is missing."""
    try:
        return int(probe(board))  # type: ignore[operator]
    except KeyError:
        return None


def mismatch(tables: Tables, oracle: chess.syzygy.Tablebase, board: chess.Board) -> str:
    """What the two say differently, "" if they agree."""
    ours = Board.from_chess(board)
    wdl, dtz = tables.wdl(ours), tables.dtz(ours)
    other = asked(oracle.probe_wdl, board), asked(oracle.probe_dtz, board)
    return "" if (wdl, dtz) == other else f"{board.fen()}: {wdl}, {dtz}; chess.syzygy: {other[0]}, {other[1]}"


def against_oracle(folder: Path, names: list[str], count: int, seed: int) -> int:
    """Compare table by table; the number of mismatches."""
    tables, total = open_tables(folder), 0
    for name in names or sorted((path.stem for path in folder.glob("K*.rtbw")), key=lambda s: (len(s), s)):
        began, seen, wrong, ep = time.monotonic(), 0, 0, 0
        with chess.syzygy.open_tablebase(str(folder), max_fds=None) as oracle:
            boards = every_position(name) if len(name) == 4 else random_positions(name, random.Random(seed))
            for board in boards:
                text = mismatch(tables, oracle, board)
                if not text and len(name) == 4:  # the same with colours exchanged
                    one, two = Board.from_chess(board), Board.from_chess(board.mirror())
                    if (tables.wdl(one), tables.dtz(one)) != (tables.wdl(two), tables.dtz(two)):
                        text = f"{board.fen()}: not the same with colours exchanged"
                seen, wrong, ep = seen + 1, wrong + bool(text), ep + (board.ep_square is not None)
                if text and wrong <= SHOWN:
                    print(text)
                if len(name) > 4 and seen == count:
                    break
        print(
            f"{name}: {seen} positions ({ep} with en passant), {wrong} mismatches,"
            f" {time.monotonic() - began:.0f} s",
            flush=True,
        )
        total += wrong
    return total


# Broken files


def broken(rng: random.Random, data: bytes, others: list[bytes]) -> bytes:
    """A copy with one thing wrong, or several."""
    at = rng.randrange(len(data))
    kind = rng.randrange(12)
    if kind == 0:
        return data[:at]
    if kind == 1:
        return rng.choice(others)
    if kind == 2:
        return data[:5] + rng.randbytes(rng.choice((59, len(data) - 5))) + data[64:]
    if kind == 3:  # whole blocks exchanged or gone: the size stays one that tables have
        at -= at % 64
        return data[: at % len(data)] + data[at + 64 :]
    copy = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 8, 64))):
        if kind < 8:  # in the head, most of it dictionaries
            at = rng.randrange(min(len(copy), rng.choice((16, 64, 512))))
        else:  # behind it: indices, lengths, blocks
            at = rng.randrange(len(copy) // 8, len(copy))
        copy[at] = rng.randrange(256) if kind & 1 else copy[at] ^ 1 << rng.randrange(8)
    return bytes(copy)


def against_damage(folder: Path, count: int, seed: int, probes: int = 60) -> tuple[int, int, int]:
    """Break small tables: how many were refused, found damaged while probed, and not noticed."""
    rng = random.Random(seed)
    files = {path: path.read_bytes() for path in sorted(folder.glob("K*.rtb[wz]"))}
    files = {path: data for path, data in files.items() if len(data) <= SMALL}
    boards: dict[str, list[Board]] = {}
    refused = found = 0
    with tempfile.TemporaryDirectory() as place:
        for number in range(count):
            path = rng.choice(list(files))
            copy = Path(place, path.name)
            copy.write_bytes(broken(rng, files[path], list(files.values())))
            tables = Tables()
            faulthandler.dump_traceback_later(HANG, exit=True)
            try:
                tables.add(str(copy), path.stem, path.suffix == ".rtbz")
            except ValueError:
                refused += 1
            for other in files:  # captures and promotions lead to them
                if other.name != path.name:
                    tables.add(str(other), other.stem, other.suffix == ".rtbz")
            if path.stem not in boards:
                some = islice(random_positions(path.stem, rng), POOL)
                boards[path.stem] = [Board.from_chess(board) for board in some]
            for ours in rng.sample(boards[path.stem], probes):
                wdl, dtz = tables.wdl(ours), tables.dtz(ours)
                assert wdl in (None, -2, -1, 0, 1, 2), (number, wdl)
                assert dtz is None or abs(dtz) < 1 << 18, (number, dtz)
            found += bool(tables.damaged())
            faulthandler.cancel_dump_traceback_later()
    return refused, found, count - refused - found


# Speed


def against_time(folder: Path, names: list[str], seed: int) -> None:
    """Print how many results a second the prober finds, the call from Python included."""
    tables = open_tables(folder)
    for name in names or sorted((path.stem for path in folder.glob("K*.rtbw")), key=lambda s: (len(s), s)):
        found = islice(random_positions(name, random.Random(seed)), TIMED)
        boards = [Board.from_chess(board) for board in found]

        def seconds(boards: list[Board] = boards) -> float:
            began = time.perf_counter()
            for board in boards:
                tables.wdl(board)
            return time.perf_counter() - began

        best = min(seconds() for _ in range(TURNS))
        print(f"{name}: {TIMED / best / 1e6:.2f} million results a second", flush=True)


def main() -> int:
    """The checks."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("check", choices=("oracle", "damage", "speed"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("--positions", type=int, default=1_000_000, help="of each larger table")
    parser.add_argument("--tables", nargs="*", default=[], help="names such as KRPvKR (default: all)")
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    if chosen.check == "oracle":
        return min(1, against_oracle(chosen.folder, chosen.tables, chosen.positions, chosen.seed))
    if chosen.check == "speed":
        against_time(chosen.folder, chosen.tables, chosen.seed)
        return 0
    refused, found, unnoticed = against_damage(chosen.folder, chosen.files, chosen.seed)
    print(f"{chosen.files} broken files: {refused} refused, {found} found damaged, {unnoticed} not noticed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
