"""Writes an analysed game as PGN, and keeps what its comments say."""

from sssnake.engine.games.movetext import BRACE, RESULTS
from sssnake.engine.games.pgn_writer import COLUMNS, WORD, PgnWriter, without_braces


class Exporter(PgnWriter):
    """A writer of closing braces too, as comments have them that were written behind a semicolon: `BRACE`."""

    def __init__(self, said: str = "") -> None:
        """`said`: the result that stood behind the moves, if there was one."""
        super().__init__()
        self.said = said

    def visit_result(self, result: str) -> None:
        """Write the result behind the moves; the tag Result may hold other words."""
        super().visit_result(self.said or (result if result in RESULTS else "*"))

    def visit_comment(self, comment: str) -> None:
        """Write a comment; its words up to the last closing brace after semicolons."""
        words = WORD.findall(without_braces(comment))
        if not words:
            return
        count = max((at for at, word in enumerate(words, 1) if BRACE in word), default=0)
        if count:
            self._rest_of_line([word.replace(BRACE, "}") for word in words[:count]])
        if words[count:]:
            self.write_comment(words[count:])
        self.force_movenumber = True

    def _rest_of_line(self, words: list[str]) -> None:
        self.flush_current_line()
        self.current_line = ";"
        for word in words:
            if self.current_line != ";" and len(self.current_line) + 1 + len(word) > COLUMNS:
                self.flush_current_line()
                self.current_line = ";"
            self.current_line += f" {word}"
        self.flush_current_line()
