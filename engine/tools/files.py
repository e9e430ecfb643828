"""Files that are there whole or not at all, whatever ends the program that writes them."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of `path` when the context is left without an error.

    Others see the old file until then. Two processes may write the same file: the last one's counts.
    """
    partial = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        with partial.open("wb") as file:
            yield file
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


def save(path: Path, data: bytes) -> None:
    """Write all of `data`, or leave the file as it was."""
    with whole(path) as file:
        file.write(data)


def save_text(path: Path, text: str) -> None:
    """The same for text."""
    save(path, text.encode())
