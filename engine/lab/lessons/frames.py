"""Lessons on chess positions as frames, a position and what is said of it: printed, or a page with boards."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from importlib.resources import files

import chess


@dataclass(frozen=True)
class Frame:
    """A position, what is said of it, and for which remedies it is the answer (None: it always stands)."""

    board: chess.Board
    words: str
    remedies: tuple[str, ...] | None = None

    def data(self) -> dict[str, object]:
        """Return it for the page."""
        return {"board": self.board.board_fen(), "words": self.words, "remedies": self.remedies}


def printed(frames: Iterable[Frame]) -> Iterator[str]:
    """Yield the lines of the frames; a board where the position is another than the one before."""
    last = ""
    for frame in frames:
        if frame.board.board_fen() != last:
            last = frame.board.board_fen()
            yield ""
            yield from str(frame.board).splitlines()
        yield f"  {frame.words}"


def page(name: str, title: str, frames: Iterable[Frame]) -> str:
    """Return an HTML page that steps through the frames; remedies are switches on it."""
    html = files(__package__).joinpath("page.html").read_text(encoding="utf-8")
    data = json.dumps([frame.data() for frame in frames]).replace("<", "\\u003c")
    html = html.replace("/*NAME*/", escape(name), 1).replace("/*TITLE*/", escape(title), 1)
    return html.replace("/*FRAMES*/[]", data, 1)
