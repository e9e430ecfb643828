"""Cuts a PGN text into games, as people and programs write them.

python-chess ends a game at a blank line. But files have games without blank lines between them, blank lines
between tags or inside a game, and games without tags. So the text is cut here, line by line, by a scanner
that knows comments, variations, tags and results. Large files are never in memory as a whole.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

TAG = re.compile(r'\[\s*([A-Za-z0-9][\w+#=:-]*)\s*"((?:[^"\\]|\\.)*)"\s*\]\s*')
DASH = "[-‐‑‒–—−]"
SIGN = re.compile(
    rf"[{{;()]|\*|(?<![\w/½-])(?:1{DASH}0|0{DASH}1|1/2(?:{DASH}1/2)?|½(?:{DASH}½)?)(?![\w/½]|{DASH}\w)"
)
FIRST_MOVE = re.compile(r"1\s*\.(?!\s*\.)")  # "1." but not "1..."
GOES_ON = re.compile(
    rf"[({{$;]|\d+\s*\.|1{DASH}0|0{DASH}1|1/2|½|\*|[!?]"
)  # what may follow a blank line in a game
ROSTER = {"Event", "Site", "Date", "Round", "White", "Black", "Result"}  # tags that every game has
ESCAPED = re.compile("[\udc80-\udcff]")  # bytes that are not UTF-8
UNDEFINED = b"\x81\x8d\x8f\x90\x9d"  # of the bytes of Windows-1252
LONGEST_GAME = 1 << 24  # characters; what goes on longer is not PGN


@dataclass(frozen=True)
class GameText:
    """One game, not yet parsed."""

    line: int  # the number of its first line
    tags: list[str]  # one a line
    body: str  # the rest, without blank lines
    numbers: list[int] = field(default_factory=list)  # of the body's lines
    before: list[str] = field(default_factory=list)  # lines before the first tag: comments
    escapes: list[str] = field(default_factory=list)  # lines that begin with %: for other programs
    raw: str = ""  # all of it as it was read, if that was asked for

    @property
    def text(self) -> str:
        """The game in one piece, for those who count characters or show it."""
        return "\n".join([*self.tags, "", self.body])


def latin(data: bytes) -> str:
    """Bytes that are not UTF-8, as Windows-1252: Latin-1 with quotation marks and dashes."""
    return "".join(bytes([byte]).decode("cp1252" if byte not in UNDEFINED else "latin-1") for byte in data)


def _latin(found: "re.Match[str]") -> str:
    return latin(bytes([ord(found[0]) - 0xDC00]))


class _Cutter:
    """Cuts lines into games."""

    def __init__(self, raw: bool) -> None:
        self.ready: list[GameText] = []
        self.keeps_raw = raw
        self.line, self.cut_at = "", 0  # under way, as it was read, and how far an earlier game goes in it
        self._start(1)

    def _start(self, number: int) -> None:
        self.first, self.size = number, 0
        self.head: list[str] = []
        self.body: list[str] = []
        self.numbers: list[int] = []
        self.before: list[str] = []
        self.escapes: list[str] = []
        self.raw: list[str] = []
        self.names: set[str] = set()
        self.depth = 0  # of variations
        self.comment = self.moves = self.done = self.gap = False
        self.behind: tuple[int, int, int] | None = None  # where body, escapes and raw go on behind the game

    def end(self, number: int, last: bool = False) -> None:
        """End the current game, if it is not empty; the next one begins on line `number`.

        Comments and escapes between two games go to the second one; behind the last game, to that.
        """
        whole = len(self.body), len(self.escapes), len(self.raw)
        body_end, escapes_end, raw_end = (None if last else self.behind) or whole
        kept = self.before, self.body[body_end:], self.numbers[body_end:], self.escapes, self.raw
        if self.head or self.moves:
            self.ready.append(
                GameText(
                    self.first,
                    self.head,
                    "\n".join([*self.body[:body_end], ""]),
                    self.numbers[:body_end],
                    self.before,
                    self.escapes[:escapes_end],
                    "".join(self.raw[:raw_end]),
                )
            )
            kept = [], *kept[1:3], self.escapes[escapes_end:], self.raw[raw_end:]
        self._start(number)
        self.before, self.body, self.numbers, self.escapes, self.raw = kept

    def feed(self, number: int, line: str) -> None:
        """Process a line."""
        between = line == "\r\n" and self.line.endswith("\r")  # \r\r\n ends one line: no blank one follows
        self.line, self.cut_at = line, 0
        text = line.rstrip("\r\n")
        if not between:
            self._feed(number, ESCAPED.sub(_latin, text) if self.keeps_raw and not text.isascii() else text)
        if self.keeps_raw:
            self.raw.append(self.line[self.cut_at :])

    def _feed(self, number: int, line: str) -> None:
        if self.comment:
            self._scan(number, line)
            return
        text = line.strip().lstrip("\ufeff")
        if self.done and self.gap and not self.behind and text[:1] in ("%", "{", ";"):
            self.behind = len(self.body), len(self.escapes), len(self.raw)
        if line.startswith("%"):
            self.escapes.append(line)
            return
        if not text:
            self.gap = True
            return
        if text[0] == "[" and text[1:].lstrip()[:1].isalnum():
            text = self._tags(number, text)
        if not text:
            return
        if self.moves and self._begins(text):
            self.end(number)
        self.gap = False
        self._scan(number, text)

    def _begins(self, text: str) -> bool:
        """Whether a line of moves belongs to a new game, also if a variation of this one has no end."""
        if self.depth:
            return self.gap and FIRST_MOVE.match(text) is not None
        return FIRST_MOVE.match(text) is not None or (self.gap and GOES_ON.match(text) is None)

    def _tags(self, number: int, text: str) -> str:
        """Process the tags at the beginning of a line; return the rest of the line."""
        if self.moves or (self.head and self.body and self.gap):
            self.end(number)
        if self.body and not self.head:  # comments before the first tag
            self.before += self.body
            self.body, self.numbers = [], []
        found, at = TAG.match(text), 0
        if found is None:  # python-chess may understand it
            self._tag(number, text.partition(" ")[0], text)
            return ""
        while found is not None:
            self._tag(number, found[1], f'[{found[1]} "{found[2]}"]')
            at = found.end()
            found = TAG.match(text, at)
        text = text[at:]
        if text.startswith("["):
            self._tag(number, text, text)
            return ""
        return text

    def _tag(self, number: int, name: str, text: str) -> None:
        whole = "FEN" in self.names or ("Result" in self.names and name in ROSTER)
        if self.gap and name in self.names and whole:  # a position without moves, a game that was not played
            self.end(number)
        self.gap = False
        if not self.head:
            self.first = number
        self.names.add(name)
        self.head.append(text)

    def _scan(self, number: int, line: str) -> None:
        """Process comments, variations and results in a line of moves."""
        at = begin = 0
        before = len(self.line.rstrip()) - len(line.rstrip())  # what stands before it
        while True:
            if self.comment:
                end = line.find("}", at)
                if end < 0:
                    break
                self.comment, at = False, end + 1
            sign = SIGN.search(line, at)
            if self._text(line[at : sign.start() if sign else len(line)]) and self.done and not self.depth:
                self._put(number, line[begin:at])
                if self.keeps_raw:
                    self.raw.append(self.line[self.cut_at : before + at])
                self.cut_at, begin = before + at, at
                self.end(number)
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
        self.numbers.append(number)


def cut(lines: Iterable[str], source: str = "PGN", *, raw: bool = False) -> Iterator[GameText]:
    """The games of a text, in their order. ValueError, with `source`, if one is longer than any game.

    raw: keep each game as it was read, too.
    """
    cutter, number = _Cutter(raw), 0
    for number, line in enumerate(lines, 1):
        cutter.size += len(line)
        cutter.feed(number, line)
        if cutter.ready:
            yield from cutter.ready
            cutter.ready.clear()
        elif cutter.size > LONGEST_GAME:
            raise ValueError(f"{source}: the game of line {cutter.first} has over {LONGEST_GAME} characters")
    cutter.end(number + 1, last=True)
    yield from cutter.ready
