"""Reads files of openings, EPD and PGN, also in a .zip, item by item with the line of each.

`match`, `book build` and `genfens` use this reader. Text is UTF-8, or UTF-16 with a byte order mark; bytes
that are not UTF-8 are read as Windows-1252. All files of openings in a .zip are read, in their order.
"""

import codecs
import io
import lzma
import re
import struct
import zipfile
import zlib
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path, PurePosixPath
from typing import BinaryIO, NamedTuple, cast

import chess

from sssnake.engine.common.inputs import lines, open_input
from sssnake.engine.games.epd_reader import read_position
from sssnake.engine.games.movetext import ENGLISH, tokens
from sssnake.engine.games.pgn_cutter import LONGEST_GAME, GameText, cut, latin
from sssnake.engine.games.pgn_reader import board_of_game

BOOKS = (".epd", ".fen", ".pgn", ".txt")  # suffixes of members of a .zip; a .txt may also be something else
BOARD = re.compile(r"[1-8pnbrqkPNBRQK~]+(?:/[1-8pnbrqkPNBRQK~]+){3,}")  # with which EPD and FEN begin
LARGEST = 1 << 30  # bytes of memory for the openings of a file, where all are kept
ITEM_BYTES = 250  # that an opening takes besides its text
BROKEN = (
    OSError,
    EOFError,
    RuntimeError,
    NotImplementedError,
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    UnicodeError,
)


def _latin(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return latin(error.object[error.start : error.end]), error.end


codecs.register_error("latin", _latin)


class BadOpeningError(ValueError):
    """One opening cannot be used; the message names file and number. The others may be good."""


class Item(NamedTuple):
    """One opening, not yet parsed, and where it stands."""

    source: str  # the file, and its member where that is a .zip with several
    kind: str  # "epd" or "pgn"
    number: int  # of the line in EPD, of the game in PGN
    line: int
    text: str  # of an EPD line
    game: GameText | None = None  # of PGN

    @property
    def where(self) -> str:
        """File and line, as text."""
        place = f"line {self.number}" if self.kind == "epd" else f"game {self.number} (line {self.line})"
        return f"{self.source}, {place}"

    def board(
        self,
        plies: int | None = None,
        chess960: bool = False,
        language: str = ENGLISH,
        notes: list[str] | None = None,
    ) -> chess.Board:
        """The position after the first `plies` moves of a game (None: all), or of the EPD line.

        notes: gets a line if a part of the FEN was dropped. BadOpeningError, one line with the place, if it
        is no opening.
        """
        try:
            if self.game is not None:
                start = board_of_game(self.game, plies, chess960, language)
                board, remark = start.board, start.remark
            else:
                board, remark = read_position(self.text, chess960)
        except (ValueError, AssertionError) as error:
            raise BadOpeningError(f"{self.where}: {error}") from None
        if remark and notes is not None:
            notes.append(f"{self.where}: {remark}")
        return board


def items(path: Path, *, raw: bool = False) -> Iterator[Item]:
    """The openings of a file, read lazily. ValueError, one line, if the file cannot be read.

    raw: keep games as they were read, too; bytes that are not UTF-8 are in it as surrogates.
    """
    try:
        with open_input(path) as file:
            if path.suffix.lower() == ".zip":
                yield from _members(path, file, raw)
            else:
                yield from _text_items(str(path), path.name, file, raw)
    except BROKEN as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise ValueError(f"{path}: {said or type(error).__name__}") from None


def kept(path: Path, item_bytes: int = ITEM_BYTES) -> Iterator[Item]:
    """The openings of a file, for those who keep them. ValueError, one line, if they need too much memory."""
    size = 0
    for count, item in enumerate(items(path), 1):
        size += len(item.game.text if item.game else item.text) + item_bytes
        if size > LARGEST:
            raise ValueError(f"{path}: too large: its first {count} lines or games fill {LARGEST >> 20} MB")
        yield item


def stream_items(source: str, file: BinaryIO, *, raw: bool = False) -> Iterator[Item]:
    """The openings of an open stream, by the name of `source`. ValueError, one line, if it cannot be read."""
    try:
        yield from _text_items(source, source, file, raw)
    except BROKEN as error:
        raise ValueError(f"{source}: {error}") from None


def _members(path: Path, whole: BinaryIO, raw: bool) -> Iterator[Item]:
    with zipfile.ZipFile(whole) as archive:
        names = [name for name in archive.namelist() if _is_book(name)]
        names = [name for name in names if not name.lower().endswith(".txt")] or names
        if not names:
            raise ValueError(f"{path}: no EPD or PGN file inside")
        for name in names:
            with archive.open(name) as file:
                source = f"{path}, {name}" if len(names) > 1 else str(path)
                yield from _text_items(source, name, cast("BinaryIO", file), raw)


def _is_book(name: str) -> bool:
    hidden = name.startswith("__MACOSX/") or PurePosixPath(name).name.startswith(".")
    return name.lower().endswith(BOOKS) and not hidden


def _text_items(source: str, name: str, file: BinaryIO, raw: bool) -> Iterator[Item]:
    with closing(lines_of(file, source, raw=raw)) as rest:
        begin, size = list[str](), 0  # up to the first line that says what it is
        for line in rest:
            begin.append(line)
            size += len(line)
            if size > LONGEST_GAME:
                raise ValueError(f"{source}: no game or position in its first {LONGEST_GAME} characters")
            if any(character < " " and not character.isspace() for character in line):
                raise ValueError(f"{source}: no text, so neither EPD nor PGN (of archives, .zip is read)")
            if not line.isspace() and line.lstrip("\ufeff \t")[0] not in "#%":
                break
        text = chain(begin, rest)
        if not _is_pgn(name, begin[-1] if begin else ""):
            yield from _epd_items(source, text)
            return
        for number, game in enumerate(cut(text, source, raw=raw), 1):
            yield Item(source, "pgn", number, game.line, "", game)


def _epd_items(source: str, text: Iterable[str]) -> Iterator[Item]:
    for number, line in enumerate(text, 1):
        item = line.strip().lstrip("\ufeff")
        if item and item[0] not in "#%":
            yield Item(source, "epd", number, number, item)


def lines_of(file: BinaryIO, source: str, *, raw: bool = False) -> Generator[str, None, None]:
    """The lines of a file or a pipe, in any of these encodings. ValueError: one is too long.

    raw: with the ends that they have, and bytes that are not UTF-8 as surrogates. The file stays open: its
    owner closes it, and this generator before it.
    """
    mark: bytes = file.peek(2)[:2]  # type: ignore[attr-defined]
    encoding = "utf-16" if mark in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"
    errors = "surrogateescape" if raw else "latin"
    text = io.TextIOWrapper(file, encoding=encoding, errors=errors, newline="")
    try:
        yield from lines(text, source)
    finally:
        text.detach()


def _is_pgn(name: str, first: str) -> bool:
    """Whether it is PGN: by the name of the file, or else by its first line, a tag, a comment or moves."""
    name = name.lower()
    if name.endswith((".pgn", ".epd", ".fen")):
        return name.endswith(".pgn")
    first = first.lstrip("\ufeff \t")
    if BOARD.match(first):
        return False
    try:
        return first.startswith(("[", "{", ";", "(", "1.", "1 .")) or any(True for _ in tokens(first))
    except ValueError:
        return False
