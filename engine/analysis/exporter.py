"""Writes a game as PGN whose lines have less than 80 columns, unless one word is longer.

Nothing stands between the parenthesis of a variation and its first word: chess.js 1.4 refuses a game in which
a blank stands between the parenthesis and a comment.
"""

import re

import chess.pgn

from sssnake.engine.games.movetext import BRACE

COLUMNS = 79  # the standard prohibits lines of 80 characters and more
BLANKS = re.compile(r"[ \t\r\n\f\v]+")
# A command such as [%eval 0.3] is one. A line that begins with % is no part of a game, for many readers.
WORD = re.compile(r"(?:\[%[^\] ]+ [^\]]*\]|[^ ])+(?: %[^ ]*)*")


def single_spaced(comment: str) -> str:
    """A comment with one blank between its words."""
    return BLANKS.sub(" ", comment).strip(" ")


class Exporter(chess.pgn.StringExporter):
    """python-chess's exporter, which also breaks comments, and keeps what they say."""

    def __init__(self) -> None:
        super().__init__(columns=COLUMNS)
        self._prefix = ""  # of the next word

    def visit_comment(self, comment: str) -> None:
        """Write a comment; its words up to the last closing brace after semicolons."""
        words = WORD.findall(single_spaced(comment))
        if not words:
            return
        count = max((at for at, word in enumerate(words, 1) if BRACE in word), default=0)
        if count:
            self._rest_of_line([word.replace(BRACE, "}") for word in words[:count]])
        if words[count:]:
            self._in_braces(words[count:])
        self.force_movenumber = True

    def _in_braces(self, words: list[str]) -> None:
        words[0] = f"{{ {words[0]}"
        words[-1] += " }"
        for word in words:
            self._word(f"{word} ")

    def _word(self, word: str) -> None:
        """Write a word and a blank, which need not fit."""
        word, self._prefix = self._prefix + word, ""
        if self.current_line and len(self.current_line) + len(word.rstrip()) > COLUMNS:
            self.flush_current_line()
        self.current_line += word

    def _rest_of_line(self, words: list[str]) -> None:
        if self._prefix:
            self._word("")
        self.flush_current_line()
        self.current_line = ";"
        for word in words:
            if self.current_line != ";" and len(self.current_line) + 1 + len(word) > COLUMNS:
                self.flush_current_line()
                self.current_line = ";"
            self.current_line += f" {word}"
        self.flush_current_line()

    def write_token(self, token: str) -> None:
        """Write a token of the movetext."""
        if token == "( ":
            self._prefix += "("
        else:
            self._word(token)
