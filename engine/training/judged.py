"""Positions of own games judged by long searches: how they are chosen, searched, written and read.

A file holds a position a line, as EPD: `ce` is the score of the long search in centipawns, for the side to
move, `acd` its depth, `acn` the nodes it was given.
"""

import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import chess

from sssnake.engine.games.epd_reader import read_epd
from sssnake.engine.games.gamelog import decode_move, is_quiet, read_games
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits

DECIDED = 500  # centipawns: positions beyond it are not used
OPENING = 12  # plies of a game that are left out
HASH_MB = 64


@dataclass(frozen=True)
class JudgedPosition:
    """A position and what a long search says of it: centipawns for the side to move."""

    board: chess.Board
    score: int

    @property
    def pieces(self) -> int:
        """Kings and pawns included."""
        return chess.popcount(self.board.occupied)


def candidates(files: Sequence[Path], seed: int) -> Iterator[chess.Board]:
    """Undecided positions, the mover not in check and about to play a quiet move; one of a game.

    The games of a file are shuffled; those of the next file come after them. OSError; ValueError if a file is
    no game log.
    """
    rng = random.Random(seed)
    for file in files:
        found = []
        for game in read_games(file):
            plies = [
                ply
                for ply, (move, score) in enumerate(game.plies)
                if ply >= OPENING and abs(score) <= DECIDED and is_quiet(move)
            ]
            if plies and not game.start.chess960:
                found.append((game, rng.choice(plies)))
        rng.shuffle(found)
        for game, ply in found:
            board = game.start.copy(stack=False)
            for move, _ in game.plies[:ply]:
                board.push(decode_move(move))
            if not board.is_check():
                board.clear_stack()
                board.halfmove_clock = 0  # the file keeps no clock
                yield board


def judge(task: tuple[chess.Board, int]) -> str | None:
    """The job: search a position and return its line; None if it is decided or its best move tactical."""
    board, nodes = task
    result = Engine(hash_mb=HASH_MB).play(board, Limits(nodes=nodes))
    score, move = result.score.cp, result.move
    if score is None or abs(score) > DECIDED or move is None or board.is_capture(move) or move.promotion:
        return None
    return str(board.epd(ce=score, acd=result.depth, acn=nodes))


def resume(path: Path, boards: Iterator[chess.Board], nodes: int) -> int:
    """How many positions a file has. `boards`, the candidates it is made of, go on behind its last one.

    Half a line at its end is cut off. OSError; ValueError if the last position is none of the candidates, or
    was judged with other nodes.
    """
    data = path.read_bytes()
    whole = data.rfind(b"\n") + 1
    lines = data[:whole].decode("utf-8", "replace").splitlines()
    last = f"{lines[-1]} " if lines else ""
    if data and not (last and any(last.startswith(f"{board.epd()} ") for board in boards)):
        raise ValueError(f"{path}: its last position is none of these games, chosen by this seed")
    if last and (had := read_epd(lines[-1])[1].get("acn")) != nodes:
        raise ValueError(f"{path}: its positions were judged with {had or 'an unknown number of'} nodes")
    os.truncate(path, whole)
    return len(lines)


def read(path: Path) -> list[JudgedPosition]:
    """The positions of a file. OSError; ValueError if a line is no judged position."""
    positions = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            board, operations = read_epd(line)
        except ValueError as problem:
            raise ValueError(f"{path}, line {number}: {problem}") from None
        score = operations.get("ce")
        if not isinstance(score, int):
            raise ValueError(f"{path}, line {number}: no score (ce) in centipawns")
        positions.append(JudgedPosition(board, score))
    if not positions:
        raise ValueError(f"{path}: no positions")
    return positions
