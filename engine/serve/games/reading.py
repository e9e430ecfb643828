"""Reads what is pasted or opened: a FEN, or a text with games. ValueError, in one line: what it is not."""

import re
from dataclasses import dataclass
from itertools import islice

import chess

from sssnake._fast.board.playable import read_fen
from sssnake.engine.analysis.study import unescaped
from sssnake.engine.games.pgn_cutter import TAG, GameText, cut
from sssnake.engine.games.pgn_reader import readable_part
from sssnake.engine.serve.games.record import LARGEST_TREE, Record
from sssnake.engine.serve.rules import LARGEST_TEXT, LONGEST_FEN, LONGEST_GAME

MOST_GAMES = 20_000  # of a text
FEN = re.compile(r"\s*(?:[1-8pnbrqkPNBRQK]+/){7}[1-8pnbrqkPNBRQK]+(?:\s|$)")
LINE_END = re.compile(r"\r*\n|\r")


@dataclass
class Text:
    """What was opened: its games, or a position."""

    games: list[GameText]
    start: chess.Board | None = None
    remark: str = ""

    def titles(self) -> list[str]:
        """A line for each game, to choose from."""
        return [title(game) for game in self.games]

    def record(self, number: int = 1, own: bool = False) -> Record:
        """One of the games, from 1. own: it was begun here."""
        if self.start is not None:
            record = Record.new(self.start)
            record.remark = self.remark
            return record
        if not 1 <= number <= len(self.games):
            raise ValueError(f"there is no game {number}" if self.games else "no game found")
        text = self.games[number - 1]
        game, remarks = readable_part(text, LARGEST_TREE)
        remarks += [self.remark] if self.remark else []
        if not game.variations and not any(line.startswith("[") for line in text.tags):
            raise ValueError("no moves found")
        if game.end().ply() - game.ply() > LONGEST_GAME:
            raise ValueError(f"a game has at most {LONGEST_GAME} plies")
        return Record(game, text, "; ".join(remarks), own)


def read_text(text: str) -> Text:
    """Cut a text into games."""
    if len(text) > LARGEST_TEXT:
        raise ValueError(f"refused: {len(text)} characters, and at most {LARGEST_TEXT} are read")
    text = text.encode("utf-8", "replace").decode("utf-8")  # halves of surrogate pairs
    if not text.strip():
        raise ValueError("nothing to read: paste a FEN or a PGN")
    if FEN.match(text) and len(text.strip()) <= LONGEST_FEN:
        board, remark = read_fen(" ".join(text.split()))
        return Text([], board, remark)
    games = list(islice(cut(LINE_END.split(text)), MOST_GAMES + 1))
    more = f"only the first {MOST_GAMES} games were read" if len(games) > MOST_GAMES else ""
    return Text(games[:MOST_GAMES], remark=more)


def title(game: GameText) -> str:
    """Players, result, event and date of a game."""
    tags: dict[str, str] = {}
    for line in game.tags:
        found = TAG.match(line)
        if found:
            tags.setdefault(found[1], unescaped(found[2]))
    players = f"{tags.get('White', '?')} – {tags.get('Black', '?')}"
    more = [tags.get(name, "") for name in ("Result", "Event", "Date")]
    return ", ".join([players, *(text for text in more if text.strip(" ?.*"))])[:200]
