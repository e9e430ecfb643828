"""Opening lines out of TSV, PGN and EPD files, gathered into a graph of positions and the moves seen there.

TSV: a column `pgn`, as in lichess-org/chess-openings. PGN and EPD may lie in a .zip. An EPD line stands for
its position, with the moves of `bm` and the line of `pv` if it has them.
"""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import chess
import chess.polyglot

from engine.tools.match_openings import board_of_game, items_of, read_book

Line = tuple[chess.Board, list[chess.Move]]  # a start position and the moves from it


@dataclass
class Choice:
    """A move seen in a position: where it leads, in how many lines, whether a curated source names it."""

    child: int  # its key
    bits: int  # as Polyglot writes the move
    count: int = 0
    named: bool = False


@dataclass
class Node:
    """A position under its Polyglot key: the moves seen there, and what a search said."""

    epd: str
    choices: dict[chess.Move, Choice] = field(default_factory=dict)
    asked: bool = False  # an EPD asks for this position whether or not it names a move
    value: int = 0  # centipawns, side to move
    best: str = ""  # UCI; "" when the game is over


class Graph:
    """Positions by Polyglot key. Transpositions meet."""

    def __init__(self) -> None:
        self.nodes: dict[int, Node] = {}

    def add(self, line: Line, named: bool) -> None:
        """Count a line's moves."""
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
        """Forget moves seen in fewer than `least` lines, unless named, and positions without use then."""
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


def gather(paths: Iterable[Path], plies: int) -> Graph:
    """All lines of all files, each cut after `plies` moves. ValueError, one line, on a bad file."""
    graph = Graph()
    for path in paths:
        empty = True
        for line, named in read(path, plies):
            graph.add(line, named)
            empty = False
        if empty:
            raise ValueError(f"{path}: no opening in it")
    return graph


def read(path: Path, plies: int) -> Iterator[tuple[Line, bool]]:
    """(line, whether the source is curated: TSV and EPD are, games are not)."""
    try:
        if path.suffix.lower() == ".tsv":
            yield from ((_moves_of(board_of_game(text, plies)), True) for text in _tsv(path))
            return
        kind, text = read_book(path)
        for item in items_of(kind, text):
            if kind == "pgn":
                yield _moves_of(board_of_game(item, plies)), False
            else:
                yield from ((line, True) for line in _epd(item, plies))
    except ValueError as error:
        named = str(error).startswith(str(path))
        raise ValueError(str(error) if named else f"{path}: {error}") from None


def _tsv(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            rows = csv.DictReader(file, delimiter="\t")
            if "pgn" not in (rows.fieldnames or ()):
                raise ValueError("no column named pgn")
            yield from (row["pgn"] or "" for row in rows)
    except OSError as error:
        raise ValueError(error.strerror) from None
    except csv.Error as error:
        raise ValueError(f"not a table: {error}") from None


def _moves_of(board: chess.Board) -> Line:
    if board.chess960 or board.uci_variant != "chess":
        raise ValueError("only games of standard chess make a book")
    return board.root(), board.move_stack


def _epd(item: str, plies: int) -> Iterator[Line]:
    board = chess.Board()
    operations = board.set_epd(item)
    if not board.is_valid():
        raise ValueError(f"illegal position: {item.strip()[:80]}")
    line = operations.get("pv")
    best = operations.get("bm")
    lines = [[move] for move in best] if isinstance(best, list) else []
    if isinstance(line, list):
        lines.append(line[:plies])
    for moves in lines or [[]]:
        yield board.copy(), moves
