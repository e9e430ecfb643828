"""Reads PGN as people and programs write it: cuts a text into games, and reads the moves of a game.

python-chess ends a game at a blank line. But files have games without blank lines between them, blank lines
between tags or inside a game, and games without tags. So the text is cut here first, line by line, by a
scanner that knows comments, variations, tags and results. Large files are never in memory as a whole.
"""

import io
import logging
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import chess
import chess.pgn

logging.getLogger("chess.pgn").addHandler(logging.NullHandler())  # errors are raised here, not printed

TAG = re.compile(r'\[\s*([A-Za-z0-9][\w+#=:-]*)\s*"((?:[^"\\]|\\.)*)"\s*\]\s*')
SIGN = re.compile(r"[{;()]|\*|(?<![\w/-])(?:1-0|0-1|1/2-1/2)(?![\w/-])")
FIRST_MOVE = re.compile(r"1\s*\.(?!\s*\.)")  # "1." but not "1..."
GOES_ON = re.compile(r"[({$;]|\d+\s*\.|1-0|0-1|1/2-1/2|\*|[!?]")  # what may follow a blank line in a game
COMMENTS = re.compile(r"\{[^}]*(?:\}|\Z)|;[^\n]*")
NO_MOVES = ("ep", "e.p.", "TN")
LONGEST_GAME = 1 << 24  # characters; what goes on longer is not PGN


class GameText(NamedTuple):
    """One game, not yet parsed, and the number of its first line."""

    line: int
    text: str


class _Cutter:
    """Cuts lines into games."""

    def __init__(self) -> None:
        self.ready: list[GameText] = []
        self._start(1)

    def _start(self, number: int) -> None:
        self.first, self.size = number, 0
        self.head: list[str] = []
        self.body: list[str] = []
        self.names: set[str] = set()
        self.depth = 0  # of variations
        self.comment = self.moves = self.done = self.gap = False

    def end(self, number: int) -> None:
        """End the current game, if it is not empty; the next one begins on line `number`."""
        if self.head or self.moves:
            self.ready.append(GameText(self.first, "\n".join([*self.head, "", *self.body, ""])))
        self._start(number)

    def feed(self, number: int, line: str) -> None:
        """Process a line, without its end."""
        if self.comment:
            self._scan(number, line)
            return
        text = line.strip().lstrip("\ufeff")
        if not text or line.startswith("%"):
            self.gap |= not text
            return
        if text[0] == "[" and text[1:].lstrip()[:1].isalnum():
            text = self._tags(number, text)
        if not text:
            return
        if self.moves and not self.depth and self._begins(text):
            self.end(number)
        self.gap = False
        self._scan(number, text)

    def _begins(self, text: str) -> bool:
        """Whether a line of moves belongs to a new game."""
        return FIRST_MOVE.match(text) is not None or (self.gap and GOES_ON.match(text) is None)

    def _tags(self, number: int, text: str) -> str:
        """Process the tags at the beginning of a line; return the rest of the line."""
        if self.body:
            self.end(number)
        found = TAG.match(text)
        if found is None:  # python-chess may understand it
            self._tag(number, text.partition(" ")[0], text)
            return ""
        while found is not None:
            self._tag(number, found[1], f'[{found[1]} "{found[2]}"]')
            text = text[found.end() :]
            found = TAG.match(text)
        if text.startswith("["):
            self._tag(number, text, text)
            return ""
        return text

    def _tag(self, number: int, name: str, text: str) -> None:
        if self.gap and name in self.names and "FEN" in self.names:  # a position without moves
            self.end(number)
        self.gap = False
        if not self.head:
            self.first = number
        self.names.add(name)
        self.head.append(text)

    def _scan(self, number: int, line: str) -> None:
        """Process comments, variations and results in a line of moves."""
        at = begin = 0
        while True:
            if self.comment:
                end = line.find("}", at)
                if end < 0:
                    break
                self.comment, at = False, end + 1
            sign = SIGN.search(line, at)
            if self._text(line[at : sign.start() if sign else len(line)]) and self.done:
                self._put(number, line[begin:at])
                self.end(number)
                begin = at
                self.moves = True
            if sign is None or sign[0] == ";":
                break
            at = sign.end()
            if sign[0] == "{":
                self.comment = True
            elif sign[0] in "()":
                self.depth = max(0, self.depth + (1 if sign[0] == "(" else -1))
            elif not self.depth:
                self.moves |= bool(self.head)
                self.done = True
        self._put(number, line[begin:])

    def _text(self, text: str) -> bool:
        """Whether the text has moves."""
        if not text or text.isspace():
            return False
        if not self.done:
            self.moves = True
        return text.strip()[0] not in "$!?"

    def _put(self, number: int, text: str) -> None:
        if not self.head and not self.body:
            self.first = number
        self.body.append(text)


def cut(lines: Iterable[str], source: str = "PGN") -> Iterator[GameText]:
    """The games of a text, in their order. ValueError, with `source`, if one is longer than any game."""
    cutter, number = _Cutter(), 0
    for number, line in enumerate(lines, 1):
        cutter.size += len(line)
        cutter.feed(number, line.rstrip("\r\n"))
        if cutter.ready:
            yield from cutter.ready
            cutter.ready.clear()
        elif cutter.size > LONGEST_GAME:
            raise ValueError(f"{source}: the game of line {cutter.first} has over {LONGEST_GAME} characters")
    cutter.end(number + 1)
    yield from cutter.ready


class _Mainline(chess.pgn.BaseVisitor[chess.Board]):
    """The board after the first moves of a game. ValueError if one of them is wrong."""

    def __init__(self, plies: int | None, chess960: bool) -> None:
        self.plies, self.chess960 = plies, chess960
        self.headers = chess.pgn.Headers({})
        self.board: chess.Board | None = None  # the reader's own: it makes the moves

    def begin_headers(self) -> chess.pgn.Headers:
        """Give the reader a place for the tags."""
        return self.headers

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        """One tag."""
        self.headers[tagname] = tagvalue

    def end_headers(self) -> None:
        """Refuse variants of chess."""
        if self.headers.variant() is not chess.Board:
            raise ValueError(f"variant {self.headers['Variant'][:30]!a}")

    def visit_board(self, board: chess.Board) -> None:
        """The start, and the position after each move."""
        if self.board is None:
            board.chess960 = board.chess960 or self.chess960
            if not board.is_valid():
                raise ValueError(f"illegal position {board.fen()!a}")
            self.board = board

    def begin_variation(self) -> chess.pgn.SkipType:
        """Skip variations."""
        return chess.pgn.SKIP

    def begin_parse_san(self, board: chess.Board, _san: str) -> chess.pgn.SkipType | None:
        """Skip the moves after the opening."""
        enough = self.plies is not None and len(board.move_stack) >= self.plies
        return chess.pgn.SKIP if enough else None

    def visit_move(self, _board: chess.Board, move: chess.Move) -> None:
        """A move of the game."""
        if not move:
            raise ValueError("a null move")

    def handle_error(self, error: Exception) -> None:
        """Raise the first error."""
        raise error

    def result(self) -> chess.Board:
        """The opening."""
        assert self.board is not None
        return self.board


def board_of_game(text: str, plies: int | None = None, chess960: bool = False) -> chess.Board:
    """A game's board after `plies` moves (None: all), move stack included; ValueError if it is no game."""
    _check_words(text)
    board = chess.pgn.read_game(io.StringIO(text), Visitor=lambda: _Mainline(plies, chess960))
    if board is None:
        raise ValueError(f"not a game: {' '.join(text.split())[:60]!a}")
    return board


class _Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Builds a game. A variation ends before its first wrong move, and the game goes on behind it.

    (After a wrong move in a variation, python-chess would take the next move of the game for one of it.)
    """

    def __init__(self) -> None:
        super().__init__(Game=chess.pgn.Game)
        self.broken = [False]  # for the main line and each variation around the present place

    def begin_variation(self) -> chess.pgn.SkipType | None:  # type: ignore[override]  # as in BaseVisitor
        """Skip what branches off behind a wrong move."""
        self.broken.append(self.broken[-1])
        if self.broken[-1]:
            return chess.pgn.SKIP
        super().begin_variation()
        return None

    def end_variation(self) -> None:
        """Back to the outer line."""
        self.broken.pop()
        if not self.broken[-1]:
            super().end_variation()
            self.in_variation = True  # comments belong to the outer line, also after an empty variation

    def begin_parse_san(self, board: chess.Board, san: str) -> chess.pgn.SkipType | None:
        """Skip a wrong move and those behind it."""
        if not self.broken[-1]:
            try:
                board.parse_san(san)
            except ValueError as error:
                self.broken[-1] = True
                self.game.errors.append(error)
        return chess.pgn.SKIP if self.broken[-1] else None

    def visit_nag(self, nag: int) -> None:
        """A mark of the last move."""
        if not self.broken[-1]:
            super().visit_nag(nag)

    def visit_comment(self, comment: str) -> None:
        """A comment on the last move."""
        if not self.broken[-1]:
            super().visit_comment(comment)


def game_of(text: str) -> chess.pgn.Game:
    """A game with its comments and variations; ValueError if its main line is wrong."""
    board_of_game(text)  # stricter than python-chess
    game = chess.pgn.read_game(io.StringIO(text), Visitor=_Builder)
    assert game is not None
    return game


def _check_words(text: str) -> None:
    """Refuse what the reader would ignore: bad tags, bad moves, a comment without an end."""
    head, _, body = text.partition("\n\n") if text.startswith("[") else ("", "", text)
    if not body.strip() and "[FEN " not in head:
        raise ValueError("tags without a game")
    for line in head.splitlines():
        if line[1:4].upper() in ("FEN", "VAR", "SET") and chess.pgn.TAG_REGEX.match(line) is None:
            raise ValueError(f"not a tag: {line[:60]!a}")
    moves = COMMENTS.sub(" ", body)
    if body.rstrip() and body.count("{") and COMMENTS.sub("", body + "}") != COMMENTS.sub("", body) + "}":
        raise ValueError("a comment without an end")
    for word in chess.pgn.MOVETEXT_REGEX.sub(" ", moves).split():
        letters, digits = (sum(map(is_one, word)) for is_one in (str.isalpha, str.isdigit))
        if letters and letters + digits > 1 and word not in NO_MOVES:
            raise ValueError(f"not a move: {word[:20]!a}")
