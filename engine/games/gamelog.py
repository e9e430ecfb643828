"""Game logs, four bytes a ply: `match --log` and `datagen` write them, `train` and `tune` read them.

A file consists of games and nothing else, so files may be concatenated. Numbers are little endian. A game has
32 bytes of start board and result, then four bytes for each ply:

    0   u64      occupied squares, bit 0 = a1, bit 1 = b1, ... bit 63 = h8
    8   16 x u8  their pieces in that order, four bits each, the low half first: 2 * type + colour; pawn 0,
                 knight 1, bishop 2, rook 3, queen 4, king 5, rook that may castle 6; white 0, black 1
    24  u8       en passant square, 64 if there is none; + 128 if black is to move
    25  u8       halfmove clock (at most 255)
    26  u16      fullmove number
    28  u8       result: 0 black won, 1 drawn, 2 white won
    29  u8       1: Chess960
    30  u16      number of plies that follow

    0   u16      move as in the core: to (bits 0-5), from (6-11), kind (12-15): 0 quiet, 1 double push,
                 2 castling towards h, 3 towards a (king takes own rook), 4 capture, 5 en passant,
                 8-11 promotion to knight, bishop, rook, queen, 12-15 the same with capture
    2   i16      score before the move, **from White's view**, in centipawns; mate in n plies is 32000 - n,
                 being mated n - 32000; NO_SCORE if there is none

Score and result are White's, never the mover's: after a sign error they are negatively correlated.
"""

import mmap
import os
import struct
import sys
from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import chess

from sssnake._fast.values import MATE, MATE_RANGE, NO_VALUE
from sssnake.engine.common.files import append, lock
from sssnake.engine.common.inputs import open_input
from sssnake.engine.games.outcome import WHITE_WON

NO_SCORE = NO_VALUE
MAX_SCORE = MATE_RANGE - 1  # the largest that is not a mate
START = struct.Struct("<Q16sBBHBBH")
PLY = struct.Struct("<Hh")
MAX_PLIES = 0xFFFF
CASTLING_ROOK = 6
WHITE_KING, BLACK_KING = 10, 11  # as the pieces are coded

_TYPE_CODES = {piece: piece - 1 for piece in chess.PIECE_TYPES}
_QUIET, _DOUBLE_PUSH, _CASTLE_SHORT, _CASTLE_LONG, _CAPTURE, _EN_PASSANT, _PROMOTION = 0, 1, 2, 3, 4, 5, 8


@dataclass(frozen=True)
class LoggedGame:
    """One logged game: start position, result for White (0, 1, 2), and (move, score) for every ply."""

    start: chess.Board
    result: int
    plies: list[tuple[int, int]]

    def positions(self) -> Iterator[tuple[chess.Board, int, int]]:
        """(board, move, White's score) before every ply; the board is always the same object."""
        board = self.start.copy(stack=False)
        for move, score in self.plies:
            yield board, move, score
            board.push(decode_move(move))


# -- packing ---------------------------------------------------------------------------------------


def pack_start(board: chess.Board, result: int, plies: int) -> bytes:
    """The 32 bytes before the plies of a game."""
    castling = board.clean_castling_rights()
    codes = [
        2 * (CASTLING_ROOK if castling >> square & 1 else _TYPE_CODES[piece.piece_type]) + (not piece.color)
        for square, piece in sorted(board.piece_map().items())
    ]
    codes += [0] * (32 - len(codes))
    nibbles = bytes(low | high << 4 for low, high in zip(codes[::2], codes[1::2], strict=True))
    flags = (64 if board.ep_square is None else board.ep_square) | (0 if board.turn else 128)
    clock, number = min(board.halfmove_clock, 255), min(board.fullmove_number, 0xFFFF)
    return START.pack(board.occupied, nibbles, flags, clock, number, result, board.chess960, plies)


def unpack_start(data: bytes) -> tuple[chess.Board, int, int]:
    """Board, result and number of plies from 32 bytes; ValueError if they are no start."""
    occupied, nibbles, flags, clock, number, result, chess960, plies = _fields(data)
    board = chess.Board.empty(chess960=bool(chess960))
    for index, square in enumerate(chess.scan_forward(occupied)):
        code = nibbles[index >> 1] >> 4 * (index & 1) & 15
        castling = code >> 1 == CASTLING_ROOK
        board.set_piece_at(square, chess.Piece(chess.ROOK if castling else (code >> 1) + 1, not code & 1))
        if castling:
            board.castling_rights |= chess.BB_SQUARES[square]
    board.turn = not flags & 128
    board.ep_square = None if flags & 127 == 64 else flags & 127
    board.halfmove_clock, board.fullmove_number = clock, number
    return board, result, plies


def encode_move(board: chess.Board, move: chess.Move) -> int:
    """The 16 bits of a legal move."""
    to, kind = move.to_square, _QUIET
    if board.is_castling(move):
        short = chess.square_file(to) > chess.square_file(move.from_square)
        kind = _CASTLE_SHORT if short else _CASTLE_LONG
        rooks = board.clean_castling_rights() & chess.BB_RANKS[chess.square_rank(move.from_square)]
        to = chess.msb(rooks) if short else chess.lsb(rooks)
    elif board.is_en_passant(move):
        kind = _EN_PASSANT
    else:
        if board.piece_type_at(to) is not None:
            kind = _CAPTURE
        elif board.piece_type_at(move.from_square) == chess.PAWN and abs(to - move.from_square) == 16:
            kind = _DOUBLE_PUSH
        if move.promotion is not None:
            kind |= _PROMOTION + move.promotion - chess.KNIGHT
    return to | move.from_square << 6 | kind << 12


def decode_move(code: int) -> chess.Move:
    """The move of 16 bits; castling is king takes rook, which `chess.Board.push` understands."""
    promotion = (code >> 12 & 3) + chess.KNIGHT if code >> 15 else None
    return chess.Move(code >> 6 & 63, code & 63, promotion)


def is_quiet(code: int) -> bool:
    """Neither a capture nor a promotion."""
    return not code >> 14


def white_score(turn: chess.Color, cp: int | None, mate: int | None) -> int:
    """The score to log, from an engine's `cp` or `mate` (moves) with `turn` to move."""
    if mate is not None:
        plies = 2 * abs(mate) - (mate > 0)
        score = MATE - min(plies, MATE - MAX_SCORE - 1)
        score = score if mate > 0 else -score
    elif cp is not None:
        score = max(-MAX_SCORE, min(MAX_SCORE, cp))
    else:
        return NO_SCORE
    return score if turn else -score


def pack_game(start: chess.Board, result: int, plies: Sequence[tuple[int, int]]) -> bytes:
    """A whole game; `plies` are (encoded move, White's score). Plies beyond 65535 are dropped."""
    plies = plies[:MAX_PLIES]
    return pack_start(start, result, len(plies)) + b"".join(PLY.pack(move, score) for move, score in plies)


# -- files -----------------------------------------------------------------------------------------


class Writer:
    """Appends games to a file, each completely or (OSError) not at all.

    A killed process may leave an incomplete game; it is cut off when the file is opened again. `games` counts
    the complete games. The file is locked: InUseError, a ValueError, if another process writes it.
    """

    def __init__(self, path: Path) -> None:
        self.games = 0
        self._file = path.open("ab", buffering=0)
        try:
            if path.is_file():
                lock(self._file)
            if path.is_file() and path.stat().st_size:
                self.games, end = _count(path)
                os.truncate(path, end)
        except BaseException:
            self._file.close()
            raise

    def write(self, start: chess.Board, result: int, plies: Sequence[tuple[int, int]]) -> None:
        """Add a game."""
        self.append(pack_game(start, result, plies))

    def append(self, game: bytes) -> None:
        """Add a packed game."""
        append(self._file, game)
        self.games += 1

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> "Writer":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def count(path: Path) -> int:
    """How many complete games a file has. ValueError if it is no game log."""
    if not path.exists():
        return 0
    return _count(path)[0]


def _count(path: Path) -> tuple[int, int]:
    """(complete games, the byte after the last one). ValueError: no game log, nor a torn one."""
    games = end = 0
    with _mapped(path) as data:
        for games, (_, end) in enumerate(_extents(path, data), 1):  # noqa: B007 (the last ones are returned)
            pass
        if not games and not _may_be_torn(data[: START.size]):
            raise ValueError(f"{path}: not a game log")
    return games, end


def _may_be_torn(data: bytes) -> bool:
    """Whether a game may begin with these bytes: a file of somebody's must not be cut off.

    No game begins with text. Of 8 bytes and more a board can be seen.
    """
    if data and all(32 <= byte < 127 or byte in b"\t\n\r" for byte in data):
        return False
    pieces = int.from_bytes(data[:8], "little").bit_count()
    codes = [code for byte in data[8:24] for code in (byte & 15, byte >> 4)]
    return len(data) < 8 or (2 <= pieces <= 32 and max(codes, default=0) <= 13)


@contextmanager
def _mapped(path: Path) -> Iterator[bytes | mmap.mmap]:
    """The bytes of a file, not read at once: logs may be larger than the memory."""
    with open_input(path, regular=True) as file:
        if not os.fstat(file.fileno()).st_size:
            yield b""
            return
        try:
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            raise OSError(error.errno, error.strerror, str(path)) from None
        with data:
            yield data


def raw_games(path: Path) -> Iterator[tuple[bytes, "array[int]", "array[int]"]]:
    """(32 start bytes, moves, scores) of every complete game, not decoded; a cut-off end is ignored."""
    with _mapped(path) as data:
        for start, end in _extents(path, data):
            words = array("H")
            words.frombytes(data[start + START.size : end])
            if sys.byteorder == "big":
                words.byteswap()
            scores = array("h")
            scores.frombytes(words[1::2].tobytes())
            yield data[start : start + START.size], words[::2], scores


def read_games(path: Path) -> Iterator[LoggedGame]:
    """Every complete game of a file, decoded."""
    for start, moves, scores in raw_games(path):
        board, result, _plies = unpack_start(start)
        yield LoggedGame(board, result, list(zip(moves, scores, strict=True)))


def _fields(data: bytes) -> tuple[int, bytes, int, int, int, int, int, int]:
    """The fields of a start. ValueError if they are impossible."""
    fields: tuple[int, bytes, int, int, int, int, int, int] = START.unpack(data)
    occupied, nibbles, flags, _clock, _number, result, chess960, _plies = fields
    codes = [code for byte in nibbles for code in (byte & 15, byte >> 4)]
    small = occupied.bit_count() <= 32 and max(codes) <= 13 and flags & 127 <= 64
    kings = codes.count(WHITE_KING) == codes.count(BLACK_KING) == 1
    if not (small and kings and result <= WHITE_WON and chess960 <= 1):
        raise ValueError("not a game log")
    return fields


def _extents(path: Path, data: bytes | mmap.mmap) -> Iterator[tuple[int, int]]:
    """First byte and end of every complete game in `data`. ValueError, with `path`, if it is no game log."""
    start = 0
    while start + START.size <= len(data):
        try:
            plies = _fields(data[start : start + START.size])[-1]
        except ValueError as problem:
            raise ValueError(f"{path}: {problem} (byte {start})") from None
        end = start + START.size + PLY.size * plies
        if end > len(data):
            return
        yield start, end
        start = end
