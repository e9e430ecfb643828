"""The line on stderr that says how far a tool has come. Nobody is told but people at a terminal."""

import sys
from shutil import get_terminal_size
from typing import Self

CLEAR = "\r\x1b[K"  # back to the first column, and nothing right of it


class StatusLine:
    """One line, written over and over. A context manager, which takes the line away at the end."""

    def __init__(self) -> None:
        self.on = sys.stderr.isatty()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def show(self, text: str) -> None:
        """Say `text` in place of what stood there, as much of it as the line can hold."""
        self._write(CLEAR + text[: get_terminal_size().columns - 1])

    def clear(self) -> None:
        """Take the line away."""
        self._write(CLEAR)

    def _write(self, text: str) -> None:
        if self.on:
            print(text, end="", file=sys.stderr, flush=True)
