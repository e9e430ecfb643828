"""Reads opening lines from TSV, PGN and EPD files into a graph of positions and moves.

TSV: the column `pgn`, as in lichess-org/chess-openings. PGN and EPD may be in a .zip. An EPD line gives its
position, the moves of `bm` and the line of `pv`.
"""

import csv
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import chess
import chess.polyglot

from sssnake.engine.common.inputs import open_input
from sssnake.engine.games.epd_reader import read_epd
from sssnake.engine.games.movetext import ENGLISH
from sssnake.engine.games.opening_files import BadOpeningError, items, lines_of
from sssnake.engine.games.pgn_cutter import GameText
from sssnake.engine.games.pgn_reader import board_of_game, one_game

MOST_POSITIONS = 4_000_000  # of a graph, and lines left out; they take about 1 kB each
Line = tuple[chess.Board, list[chess.Move]]  # a start position and the moves from it


@dataclass
class Choice:
    """A move of a position: the position after it, how many lines have it, whether a curated source does."""

    child: int  # its key
    bits: int  # as Polyglot writes the move
    count: int = 0
    named: bool = False


@dataclass
class Node:
    """A position: its moves in the lines, and the result of its search."""

    epd: str
    choices: dict[chess.Move, Choice] = field(default_factory=dict)
    asked: bool = False  # an EPD line without moves names this position
    value: int = 0  # centipawns, side to move
    best: str = ""  # UCI; "" when the game is over


class Graph:
    """Positions by Polyglot key; transpositions are one position."""

    def __init__(self) -> None:
        self.nodes: dict[int, Node] = {}

    def add(self, line: Line, named: bool) -> None:
        """Count the moves of a line."""
        board, moves = line
        key, node = self._visit(board)
        node.asked |= named and not moves
        for move in moves:
            choice = node.choices.get(move)
            bits = encode(board, move)
            board.push(move)
            key, child = self._visit(board)
            if choice is None:
                choice = node.choices[move] = Choice(key, bits)
            choice.count += 1
            choice.named |= named
            node = child

    def _visit(self, board: chess.Board) -> tuple[int, Node]:
        key = chess.polyglot.zobrist_hash(board)
        if key not in self.nodes:
            self.nodes[key] = Node(board.epd())
        return key, self.nodes[key]

    def trim(self, least: int) -> None:
        """Remove moves that fewer than `least` lines have, unless named, and positions no longer needed."""
        for node in self.nodes.values():
            node.choices = {m: c for m, c in node.choices.items() if c.named or c.count >= least}
        used = {c.child for node in self.nodes.values() for c in node.choices.values()}
        self.nodes = {k: n for k, n in self.nodes.items() if k in used or n.choices or n.asked}


def encode(board: chess.Board, move: chess.Move) -> int:
    """A legal move as Polyglot writes it: castling is king takes rook, promotions count from the knight."""
    to_square = move.to_square
    if board.is_castling(move):
        corner = chess.BB_FILE_H if board.is_kingside_castling(move) else chess.BB_FILE_A
        to_square = chess.msb(corner & chess.BB_RANKS[chess.square_rank(move.from_square)])
    promotion = move.promotion - 1 if move.promotion else 0
    return promotion << 12 | move.from_square << 6 | to_square


def gather(
    paths: Iterable[Path], plies: int, skip_bad: bool = False, language: str = ENGLISH
) -> tuple[Graph, list[str], list[str]]:
    """(graph of all lines, each cut after `plies` moves; errors of lines left out; what was dropped).

    ValueError, one line, if a file cannot be read. BadOpeningError, with file and number, on a bad line,
    unless `skip_bad` is set.
    """
    graph, left_out, dropped = Graph(), list[str](), list[str]()
    for path in paths:
        empty = True
        for source in read(path):
            notes: list[str] = []
            try:
                lines = list(source.lines(plies, language, notes))
            except ValueError as error:
                if not skip_bad:
                    raise BadOpeningError(f"{source.where}: {error}") from None
                left_out.append(f"{source.where}: {error}")
                lines = []
            dropped += (f"{source.where}: {note}" for note in notes)
            for line in lines:
                graph.add(line, source.curated)
                empty = False
            if len(graph.nodes) + len(left_out) + len(dropped) > MOST_POSITIONS:
                raise ValueError(f"{source.where}: too large: over {MOST_POSITIONS} positions so far")
        if empty:
            raise ValueError(f"{path}: no opening in it")
    return graph, left_out, dropped


@dataclass(frozen=True)
class Source:
    """An entry of a file, and its place."""

    kind: str  # "tsv", "pgn" or "epd"
    where: str
    text: str  # of a line
    game: GameText | None = None

    @property
    def curated(self) -> bool:
        """Whether it was chosen for a book: TSV and EPD lines are, games are not."""
        return self.kind != "pgn"

    def lines(self, plies: int, language: str, notes: list[str]) -> Iterator[Line]:
        """Its lines of moves. notes: gets what was dropped of a FEN. ValueError, without the place."""
        if self.kind == "epd":
            yield from _epd(self.text, plies, notes)
            return
        start = board_of_game(self.game or one_game(self.text), plies, language=language)
        notes += filter(None, [start.remark])
        yield _moves_of(start.board)


def read(path: Path) -> Iterator[Source]:
    """The entries of a file, read lazily. ValueError, one line, if that fails."""
    if path.suffix.lower() == ".tsv":
        yield from _tsv(path)
        return
    for item in items(path):
        yield Source(item.kind, item.where, item.text, item.game)


def _tsv(path: Path) -> Iterator[Source]:
    try:
        with open_input(path) as file, closing(lines_of(file, str(path))) as text:
            rows = csv.DictReader(text, delimiter="\t")
            if "pgn" not in (rows.fieldnames or ()):
                raise ValueError(f"{path}: no column named pgn")
            for row in rows:
                yield Source("tsv", f"{path}, line {rows.line_num}", row["pgn"] or "")
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror}") from None
    except csv.Error as error:
        raise ValueError(f"{path}: not a table: {error}") from None


def _moves_of(board: chess.Board) -> Line:
    if board.chess960:
        raise ValueError("only games of standard chess make a book")
    return board.root(), board.move_stack


def _epd(item: str, plies: int, notes: list[str]) -> Iterator[Line]:
    board, operations = read_epd(item, notes=notes)
    if board.chess960:
        raise ValueError("only positions of standard chess make a book")
    line = operations.get("pv")
    best = operations.get("bm")
    lines = [[move] for move in best] if isinstance(best, list) else []
    if isinstance(line, list):
        lines.append(line[:plies])
    for moves in lines or [[]]:
        yield board.copy(), moves
