"""Opening input files: no hang at a pipe that nobody writes to, no file read that is too large for memory."""

import os
import select
import stat
from collections.abc import Iterator
from functools import partial
from io import BufferedReader
from pathlib import Path
from typing import TextIO

WRITER_SECONDS = 2.0  # that a named pipe is given until a program opens it for writing
LARGEST = 1 << 28  # bytes of a file that is read whole
LONGEST_LINE = 1 << 20  # characters
NONBLOCK = getattr(os, "O_NONBLOCK", 0)
FLAGS = os.O_RDONLY | NONBLOCK | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0)


def open_input(path: str | Path, *, regular: bool = False) -> BufferedReader:
    """A file opened for reading, buffered. OSError, with the path, if that cannot be done at once.

    regular: a pipe or a device is refused.
    """
    file = open(path, "rb", opener=lambda name, _: os.open(name, FLAGS))  # noqa: SIM115 (the caller closes it)
    try:
        mode = os.fstat(file.fileno()).st_mode
        if regular and not stat.S_ISREG(mode):
            raise OSError(22, "not a regular file", str(path))
        if stat.S_ISFIFO(mode) and not select.select([file], [], [], WRITER_SECONDS)[0]:
            raise OSError(11, "a pipe that no program writes to", str(path))
        if NONBLOCK:
            os.set_blocking(file.fileno(), True)
    except BaseException:
        file.close()
        raise
    return file


def read_bytes(path: str | Path, most: int = LARGEST) -> bytes:
    """A whole file. OSError; ValueError if it has more than `most` bytes."""
    with open_input(path) as file:
        size = os.fstat(file.fileno()).st_size
        data = b"" if size > most else file.read(most + 1)
    if max(size, len(data)) > most:
        raise ValueError(f"{path}: too large: more than {most / 1e6:.0f} MB")
    return data


def read_text(path: str | Path, encoding: str = "utf-8") -> str:
    """A whole text file, with universal newlines. OSError; ValueError: no such text, or too large."""
    return read_bytes(path).decode(encoding).replace("\r\n", "\n").replace("\r", "\n")


def lines(file: TextIO, name: str | Path) -> Iterator[str]:
    """The lines of a text. ValueError, with `name`, if one is longer than any line of text."""
    for number, line in enumerate(iter(partial(file.readline, LONGEST_LINE), ""), 1):
        if len(line) == LONGEST_LINE and not line.endswith("\n"):
            raise ValueError(f"{name}: line {number} is longer than {LONGEST_LINE} characters")
        yield line
