"""Writes a game as PGN that every program reads to its end.

Lines have less than 80 columns, unless one word is longer. No line begins with a comment, a mark or a
variation of a move: fastchess 1.8.2 reads no further there. Nothing stands between the parenthesis of a
variation and its first word: chess.js 1.4 refuses a game in which a blank stands between it and a comment.
"""

import re

import chess.pgn

COLUMNS = 79  # the standard prohibits lines of 80 characters and more
BLANKS = re.compile(r"[ \t\r\n\f\v]+")
# A command such as [%eval 0.3] is one. A line that begins with % is no part of a game, for many readers.
WORD = re.compile(r"(?:\[%[^\] ]+ [^\]]*\]|[^ ])+(?: %[^ ]*)*")
SHORT = 50  # characters of a comment that is not broken


def single_spaced(comment: str) -> str:
    """A comment with one blank between its words."""
    return BLANKS.sub(" ", comment).strip(" ")


def without_braces(comment: str) -> str:
    """A comment that may stand in braces: a closing one would end it."""
    return single_spaced(comment.replace("}", ""))


class PgnWriter(chess.pgn.StringExporter):
    """python-chess's exporter, with other ends of lines."""

    def __init__(self) -> None:
        super().__init__(columns=COLUMNS)
        self._held = ""  # words that stand in one line, and may get more

    def visit_comment(self, comment: str) -> None:
        """Write a comment; a long one may have several lines."""
        text = without_braces(comment)
        if text:
            self.write_comment([text] if len(text) <= SHORT else WORD.findall(text))

    def write_comment(self, words: list[str]) -> None:
        """Write a comment in braces, which may be broken between its words."""
        words = [f"{{ {words[0]}", *words[1:]]
        words[-1] += " }"
        for number, word in enumerate(words):
            self._word(f"{word} ", joined=number == 0)
        self.force_movenumber = True

    def write_token(self, token: str) -> None:
        """Write a token of the movetext."""
        self._word("(" if token == "( " else token, joined=token[0] in "$(")

    def flush_current_line(self) -> None:
        """End the line, with what was held back for it."""
        self._place()
        super().flush_current_line()

    def result(self) -> str:
        """The game."""
        self._place()
        return super().result()

    def _word(self, word: str, joined: bool = False) -> None:
        """Hold a word and a blank back, which need not fit. joined: in one line with the word before."""
        joined |= self._held.endswith(("(", ". "))  # a move number stands beside its move, too
        if joined and len(self._held) + len(word.rstrip()) > COLUMNS:  # too much for one line
            joined, opened = False, self._held.endswith("(")
            self._held, word = self._held.removesuffix("("), "(" * opened + word
        if not joined:
            self._place()
        self._held += word

    def _place(self) -> None:
        """Write the words that were held back, in this line or the next one."""
        words, self._held = self._held, ""
        if self.current_line and len(self.current_line) + len(words.rstrip()) > COLUMNS:
            super().flush_current_line()
        self.current_line += words
