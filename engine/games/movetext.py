"""Reads the moves of a PGN game, word by word, and never skips one.

python-chess takes what it knows out of a text and passes over the rest: of `2. Sf3` it reads f3. So every
word is looked at here first. Each is a move, a move number, a mark, a result, a comment or part of a
variation, or the game is refused with the word and its line. What is read is written again as python-chess
reads it.

Pieces are the letters of one language (English, unless another is asked for), or figurines in any. Dashes of
every kind are dashes.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

LONGEST_WORD = 255  # characters
BRACE = "\ufdd0"  # stands for the } of a comment after ;, which a comment in braces cannot have
ENGLISH = "en"
# Pawn, knight, bishop, rook, queen, king: the table of the PGN standard (Edwards 1994, 8.2.3.2), and Russian.
LETTERS = {
    "en": "P N B R Q K",
    "de": "B S L T D K",
    "fr": "P C F T D R",
    "es": "P C A T D R",
    "it": "P C A T D R",
    "nl": "O P L T D K",
    "pl": "P S G W H K",
    "hu": "G H F B V K",
    "ru": "п К С Л Ф Кр",
    "cs": "P J S V D K",
    "da": "B S L T D K",
    "et": "P R O V L K",
    "fi": "P R L T D K",
    "is": "P R B H D K",
    "no": "B S L T D K",
    "pt": "P C B T D R",
    "ro": "P C N T D R",
    "sv": "B S L T D K",
}
LANGUAGES = tuple(LETTERS)
LANGUAGE_HELP = "of the letters of the pieces in PGN: de, fr, es, it, nl, pl, hu, ru ... (default en)"
FIGURINES = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNPKQRBNP", "\ufe0e\ufe0f")
DASHES = str.maketrans(dict.fromkeys("‐‑‒–—―−﹘﹣－", "-") | {"×": "x", "…": "...", "\ufeff": " "})
DASH = "[-‐‑‒–—―−﹘﹣－]"

LEXEME = re.compile(
    rf"""(?P<comment>\{{[^}}]*\}})
    |(?P<remark>;[^\n]*)
    |(?P<nag>\$\d+)
    |(?P<castling>[0O](?:[ \t]*{DASH}[ \t]*[0O]){{1,2}}(?![\w/]|{DASH}\w))
    |(?P<promotion>[^\s{{}};()$*]{{0,40}}[18]\(\w\)[^\s{{}};()$*]*)
    |(?P<open>\()
    |(?P<close>\))
    |(?P<word>\*|[^\s{{}};()$*]+)
    |(?P<other>\S)""",
    re.VERBOSE,
)
NUMBER = re.compile(r"\d+\.+|\d+(?=[^\d./-])|\.+")
DRAW = "1/2-1/2"
RESULTS = {"1-0": "1-0", "0-1": "0-1", "*": "*", **dict.fromkeys((DRAW, "1/2", "½-½", "½"), DRAW)}
NULL_MOVES = ("--", "Z0", "0000", "@@@@")
CASTLING = re.compile(r"[Oo0]-[Oo0](-[Oo0])?")
TAIL = re.compile(r"\+\+|[+#†‡]|/?\(?(?P<ep>e\.?p\.?)\)?|(?P<mark>[!?]{1,2})")
# Signs for the standard's numeric annotation glyphs.
GLYPHS = {
    "=": 10,
    "∞": 13,
    "+=": 14,
    "+/=": 14,
    "⩲": 14,
    "=+": 15,
    "=/+": 15,
    "⩱": 15,
    "+/-": 16,
    "±": 16,
    "-/+": 17,
    "∓": 17,
    "+-": 18,
    "-+": 19,
    "□": 7,
    "⨀": 22,
    "↑": 36,
    "→": 40,
    "⇆": 132,
    "⊕": 138,
    "TN": 146,
}
LETTER_GLYPHS = {"N": 146, "D": 220}  # a novelty, a diagram: or a piece that has lost its square
SUFFIXES = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
WITHOUT_MOVE = re.compile(r"(?:[+#†‡]{1,2}|\+?e\.?p\.?\+?)?([!?]*)")  # what may stand apart from its move


class Token(NamedTuple):
    """One word of a game, and its line."""

    kind: str  # "move", "nag", "result", "comment", "open", "close"; inside this module "number", "letter"
    text: str  # as python-chess reads it
    line: int
    word: str  # as it was written


class UnknownWordError(ValueError):
    """A word that is no part of a game, or not where it stands. The message names it and its line."""


@dataclass
class _Line:
    """The main line, or a variation, of which nothing is given out before its first move."""

    opened: Token | None = None
    moves: bool = False
    ended: str = ""  # the result behind it
    held: list[Token] = field(
        default_factory=list
    )  # before its first move: comments, and marks without a move


def tokens(
    body: str, lines: Sequence[int] = (), language: str = ENGLISH, *, begins: int = 0
) -> Iterator[Token]:
    """The tokens of a game's moves. UnknownWordError: at a word that is none, or that has no place here.

    lines: the number of each line of `body`, for messages; without them they count from 1. begins: the number
    that the first move has, if it has one; 0: any.

    Marks come behind a move: those that stand before it, as in ChessBase's `($142 2. f4)`, too. A
    variation without a move is what it holds, said of the move before: `Qh5 (?!)`, `Nc6 ({a comment})`.
    """
    open_lines = [_Line()]
    for token in _spelled(body, lines, language):
        line, outermost = open_lines[-1], len(open_lines) == 1
        if token.kind == "number":
            if outermost and not line.moves and begins and token.text.rstrip(".") not in ("", str(begins)):
                raise _misplaced(token, f"the moves begin with number {token.text.rstrip('.')}, and no FEN")
        elif token.kind == "open":
            if not line.moves or line.ended:
                raise _misplaced(token, f"a variation {'behind the result' if line.ended else 'of no move'}")
            open_lines.append(_Line(token))
        elif token.kind == "close":
            if outermost:
                raise _misplaced(token, "a stray ')'")
            yield from [token] if open_lines.pop().moves else map(_said, line.held)
        elif token.kind == "move":
            if line.ended:
                raise _misplaced(token, f"{token.word[:20]!a} stands behind the result {line.ended}")
            yield from _first(line, token) if not line.moves else [token]
            line.moves = True
        elif not line.moves and (token.kind == "nag" or not outermost):
            line.held.append(token)
        else:
            if token.kind == "result" and outermost:
                if line.ended not in ("", token.text):
                    raise _misplaced(token, f"two results, {line.ended} and {token.text}")
                line.ended = token.text
            yield token
    if len(open_lines) > 1 and (opened := open_lines[-1].opened):
        raise _misplaced(opened, "a variation without an end")
    yield from open_lines[0].held if not open_lines[0].moves else []


def _first(line: _Line, move: Token) -> Iterator[Token]:
    """What stands before the first move of a line, and the move, with its marks behind it."""
    marks = [token for token in line.held if token.kind == "nag"]
    if line.opened:
        yield line.opened
        yield from (token for token in line.held if token.kind != "nag")
    yield move
    yield from marks


def _said(token: Token) -> Token:
    """What stood alone in parentheses, of the move before them. (=) is no judgement: draws are offered so."""
    if token.kind == "comment" or (token.kind == "nag" and token.word != "="):
        return token
    return token._replace(kind="comment", text=f"{{ ({token.word}) }}")


def _spelled(body: str, lines: Sequence[int], language: str) -> Iterator[Token]:
    """The tokens as they stand there, move numbers among them. UnknownWordError: at a word that is none."""
    at = number = 0
    marked = False  # the word before is a move, or a mark of it: only there a letter may be a mark
    letter: Token | None = None  # which is one, if no move follows before the next number
    for found in LEXEME.finditer(body):
        number += body.count("\n", at, found.start())
        at = found.start()
        line = lines[number] if number < len(lines) else number + 1
        for token in _read(found, line, language):
            if token.kind == "letter" and not marked:
                raise _unknown(token.word, line)
            if token.kind == "move" and letter is not None:
                raise _unknown(letter.word, letter.line)
            if token.kind == "letter":
                letter = token._replace(kind="nag")
            elif token.kind != "comment":
                letter = letter if token.kind == "nag" else None
            marked = token.kind in ("move", "nag", "letter")
            yield letter if token.kind == "letter" and letter else token


def _misplaced(token: Token, what: str) -> UnknownWordError:
    return UnknownWordError(f"line {token.line}: {what}")


def _unknown(word: str, line: int) -> UnknownWordError:
    return UnknownWordError(f"line {line}: {word[:20]!a} is not a move, a number, a mark or a result")


def _read(found: "re.Match[str]", line: int, language: str) -> Iterator[Token]:
    """The tokens of a lexeme; among them move numbers, and letters that may be marks."""
    kind, word = str(found.lastgroup), found[0]
    if kind in ("word", "castling", "promotion"):
        word = "".join(word.split())
        for what, text in _word(word, line, language):
            yield Token(what, text, line, word)
    elif kind == "remark":
        text = word[1:].strip().replace("}", BRACE)  # it becomes a comment in braces
        yield Token("comment", f"{{ {text} }}", line, word)
    elif kind == "other":
        raise UnknownWordError(
            f"line {line}: " + ("a comment without an end" if word == "{" else f"a stray {word!a}")
        )
    else:
        yield Token(kind, word, line, word)


def _word(word: str, line: int, language: str) -> Iterator[tuple[str, str]]:
    """Kind and text of what a word holds: `1.e4!` has a number, a move and a mark."""
    if len(word) > LONGEST_WORD:
        raise _unknown(word, line)
    text = word.translate(DASHES)
    if text in RESULTS:
        yield "result", RESULTS[text]
        return
    while text not in NULL_MOVES and (number := NUMBER.match(text + " ")):
        text = text[number.end() :].strip()
        yield "number", number[0]
    if not text:
        return
    if text in NULL_MOVES:
        yield "move", text
    elif text in GLYPHS:
        yield "nag", f"${GLYPHS[text]}"
    elif text in LETTER_GLYPHS:
        yield "letter", f"${LETTER_GLYPHS[text]}"
    elif marks := WITHOUT_MOVE.fullmatch(text):
        for sign in re.findall("[!?]{1,2}", marks[1]):
            yield "nag", f"${SUFFIXES[sign]}"
    else:
        yield from _move(text, word, line, language)


def _move(text: str, word: str, line: int, language: str) -> Iterator[tuple[str, str]]:
    """A move, and the marks that are written to it without a blank."""
    castling = CASTLING.match(text)
    found = castling or _pattern(language).match(text)
    if found is None or (not castling and _is_twofold(found)):
        raise _unknown(word, line)
    marks, rest = [], text[found.end() :]
    while rest and (rest not in GLYPHS and rest != "N"):
        tail = TAIL.match(rest)
        if tail is None or (tail["ep"] and (castling or found["letter"])):
            raise _unknown(word, line)
        marks += [SUFFIXES[tail[0]]] if tail["mark"] else []
        rest = rest[tail.end() :]
    marks += [GLYPHS.get(rest) or LETTER_GLYPHS[rest]] if rest else []
    yield "move", ("O-O-O" if castling[1] else "O-O") if castling else _english(found, language)
    yield from (("nag", f"${mark}") for mark in marks)


def _is_twofold(found: "re.Match[str]") -> bool:
    """Whether a pawn's file is told twice, as nobody does: bb5 is a bishop's move in small letters."""
    return not found["letter"] and found["origin"] == found["target"][0]


def names_pawn(move: Token, language: str) -> bool:
    """Whether a move has the letter of a pawn, which another language may have for a piece."""
    written = NUMBER.sub("", move.word).lstrip(".")
    return written.startswith(LETTERS[language].split()[0]) and move.text[0] in "abcdefgh"


@cache
def _pattern(language: str) -> "re.Pattern[str]":
    """Moves in the letters of a language, or with figurines."""
    any_piece = "|".join([*LETTERS[language].split(), "[♔♕♖♗♘♙♚♛♜♝♞♟][\ufe0e\ufe0f]?"])
    small = "|[qrbn]" if language == ENGLISH else ""
    return re.compile(
        rf"(?P<letter>{any_piece})?(?P<origin>[a-h]?[1-8]?)(?P<by>[-x:]?)(?P<target>[a-h][1-8])"
        rf"(?:(?<=[18])[=/]?\(?(?P<promoted>{any_piece}{small})\)?)?"
    )


@cache
def _names(language: str) -> dict[str, str]:
    """English letters by those of a language."""
    return dict(zip(LETTERS[language].split(), LETTERS[ENGLISH].split(), strict=True))


def _english(found: "re.Match[str]", language: str) -> str:
    """The move in English letters, with what python-chess can do without left out."""

    def letter(written: str | None) -> str:
        if not written:
            return ""
        return _names(language).get(written) or written.translate(FIGURINES).upper()

    piece, promoted = letter(found["letter"]).replace("P", ""), letter(found["promoted"])
    capture = "x" if found["by"] in ("x", ":") else ""
    return f"{piece}{found['origin']}{capture}{found['target']}{'=' * bool(promoted)}{promoted}"
