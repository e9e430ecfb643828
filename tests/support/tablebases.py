"""Endgame tablebases: where there are some, tables that are typed in, positions, and chess.syzygy as judge.

They lie in the folder that the environment variable SSSNAKE_SYZYGY names.
"""

import os
import random
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.syzygy

from sssnake._fast.board.board import Board
from sssnake._fast.board.syzygy import Tables
from support.constants import ROOT

NAMED = os.environ.get("SSSNAKE_SYZYGY")
PLACES = ([Path(NAMED)] if NAMED else []) + [ROOT.parent / "shared" / "data" / "free" / "syzygy"]
# A folder that has (at least) all tables of three pieces, if there is one.
FOLDER = next((place for place in PLACES if (place / "KRvK.rtbz").is_file()), None)
NO_FOLDER = "no three-piece tables: see Suites in docs/develop/contributing.md, and set SSSNAKE_SYZYGY"


EP_SHARE = 0.3  # of the random positions with pawns on both sides: one can be taken en passant


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
