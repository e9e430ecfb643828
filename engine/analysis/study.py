"""Studies: games and positions as they are read, with what is found out about them."""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import chess
import chess.pgn

from sssnake._fast.board.board import Board
from sssnake.engine.analysis.segments import Evaluation
from sssnake.engine.common.messages import printable
from sssnake.engine.games.epd_reader import Operations, read_epd
from sssnake.engine.games.movetext import ENGLISH
from sssnake.engine.games.opening_files import Item, items, stream_items
from sssnake.engine.games.pgn_cutter import GameText
from sssnake.engine.games.pgn_reader import FISCHER_RANDOM, game_of

STDIN = "-"
STARTPOS = "startpos"
MOST_BAD = 10_000  # in a row; they are kept until the game before them is done
ESCAPED = re.compile(r"\\(.)")  # in the value of a tag
FIELDS = 4  # of a position, without its counters
BOARD = re.compile(r"[1-8pnbrqkPNBRQK~]+(/[1-8pnbrqkPNBRQK~]+){7}")


@dataclass(frozen=True)
class Bad:
    """A game or a position that cannot be read: the message, and the text of the game as it was read."""

    message: str
    text: str = ""


@dataclass
class Study:
    """A game, or a position: a game without moves. `evaluations` has one place for each position."""

    number: int  # from 1, of all that was read
    where: str
    game: chess.pgn.Game
    operations: Operations = field(default_factory=dict)  # of an EPD line
    from_game: bool = True
    remark: str = ""  # on what was left out of it
    text: GameText | None = None  # as it was read
    evaluations: list[Evaluation | None] = field(init=False)
    start: chess.Board = field(init=False)
    moves: list[chess.Move] = field(init=False)
    names: list[str] = field(init=False)  # the moves in UCI notation
    forced: list[bool] = field(init=False)  # whether there was no choice

    def __post_init__(self) -> None:
        self.start = self.game.board()
        self.moves = list(self.game.mainline_moves())
        self.evaluations = [None] * (len(self.moves) + 1)
        self.names, self.forced = [], []
        board = self.start.copy(stack=False)
        for move in self.moves:
            self.names.append(board.uci(move))
            self.forced.append(board.legal_moves.count() == 1)
            board.push(move)

    @property
    def done(self) -> bool:
        """Whether every position has its evaluation."""
        return None not in self.evaluations

    @property
    def title(self) -> str:
        """Players, or the name of the position; one printable line."""
        if not self.from_game:
            name = self.operations.get("id")
            return printable(str(name)) if name else f"position {self.number}"
        players = [self.tag(side) or "?" for side in ("White", "Black")]
        return f"game {self.number}" if players == ["?", "?"] else " - ".join(players)

    @property
    def facts(self) -> str:
        """Event, site, date, result; "" if nothing is known."""
        tags = [self.tag(name) for name in ("Event", "Site", "Date", "Result")] if self.from_game else []
        return ", ".join(filter(None, tags))

    def tag(self, name: str) -> str:
        """The value of a tag as a person reads it; "" if it is unknown."""
        value = printable(unescaped(self.game.headers.get(name, "?")))
        return "" if value.strip(" ?.*-") == "" else value.removesuffix(".??").removesuffix(".??")


def unescaped(value: str) -> str:
    """The value of a tag without the backslashes of the file."""
    return ESCAPED.sub(r"\1", value)


def studies(
    inputs: Sequence[str], chess960: bool = False, wanted: int | None = None, language: str = ENGLISH
) -> Iterator[Study | Bad]:
    """Everything in the inputs (files, "-", a FEN), or the one with this number. ValueError: a bad file."""
    number = bad = 0
    for number, item in enumerate(_all_items(inputs), 1):
        if wanted is None or number == wanted:
            study = _study(number, item, chess960, language)
            bad = bad + 1 if isinstance(study, Bad) else 0
            if bad > MOST_BAD:
                raise ValueError(f"{item.where}: given up, the last {MOST_BAD} cannot be read either")
            yield study
        if number == wanted:
            return
    if wanted is not None:
        raise ValueError(f"no game {wanted}: there are {number}")
    if not number:
        raise ValueError(f"{', '.join(inputs)}: no game or position in it")


def position_of(inputs: Sequence[str]) -> str:
    """The position that the inputs are, FEN or EPD in one word or more; "" if they are files.

    ValueError: a word follows that would not be read.
    """
    if inputs[0] == STARTPOS:
        used, text = 1, chess.STARTING_FEN
    elif BOARD.fullmatch(inputs[0].partition(" ")[0]):
        used, text = 1, inputs[0]
        while used < len(inputs) and _continues(text.split(), inputs[used].split()):
            text += f" {inputs[used]}"
            used += 1
    else:
        return ""
    if inputs[used:]:
        raise ValueError(f"{inputs[used]}: a position stands alone (an EPD line is one word, in quotes)")
    return text


def _continues(begun: Sequence[str], more: Sequence[str]) -> bool:
    """Whether a position that has begun goes on with these words: its four fields, and two counters."""
    counters = [*begun[FIELDS:], *more]
    return len(begun) < FIELDS or (len(counters) <= 2 and all(map(str.isdecimal, counters)))


def _all_items(inputs: Sequence[str]) -> Iterator[Item]:
    if position := position_of(inputs):
        yield Item("FEN", "epd", 1, 1, position)
        return
    for word in inputs:
        yield from (
            stream_items("stdin", sys.stdin.buffer, raw=True)
            if word == STDIN
            else items(Path(word), raw=True)
        )


def _study(number: int, item: Item, chess960: bool, language: str) -> Study | Bad:
    try:
        study = _game(number, item, chess960, language) if item.game else _position(number, item, chess960)
        Board.from_chess(study.start)  # may refuse what python-chess takes
        return study
    except (ValueError, AssertionError) as error:
        return Bad(f"{item.where}: {error}", item.game.raw if item.game else "")


def _game(number: int, item: Item, chess960: bool, language: str) -> Study:
    """A game with its comments and variations. ValueError: something in its main line is wrong."""
    assert item.game is not None
    game, remark = game_of(item.game, chess960, language)
    said = f"{item.where}: {remark}" if remark else ""
    return Study(number, item.where, game, remark=said, text=item.game)


def _position(number: int, item: Item, chess960: bool) -> Study:
    """A position as a game without moves."""
    notes: list[str] = []
    board, operations = read_epd(item.text, chess960, notes=notes)
    game = chess.pgn.Game()
    game.setup(board)
    if board.chess960:
        game.headers["Variant"] = FISCHER_RANDOM
    if operations.get("id"):
        game.headers["Event"] = printable(str(operations["id"])).replace("\\", "\\\\").replace('"', '\\"')
    remark = f"{item.where}: {notes[0]}" if notes else ""
    return Study(number, item.where, game, operations, from_game=False, remark=remark)
