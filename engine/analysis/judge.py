"""Judgement: the moves of a studied game, what each of them lost, and the accuracy of both sides."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean

import chess
from chess.polyglot import MemoryMappedReader

from sssnake.engine.analysis.marks import (
    ERRORS,
    ONLY,
    Mark,
    accuracy,
    error_of,
    expected,
    is_obvious,
    material,
)
from sssnake.engine.analysis.segments import Evaluation, Line
from sssnake.engine.analysis.study import Study
from sssnake.engine.player import wdl
from sssnake.engine.player.result import score_text


@dataclass(frozen=True)
class View:
    """An evaluation from White's view, as people and files write it."""

    board: chess.Board
    evaluation: Evaluation

    @property
    def mate(self) -> int | None:
        """Moves to mate, negative if Black mates; None: there is none. 0: it is done."""
        return self.evaluation.score.seen_by(self.board.turn)[1]

    @property
    def cp(self) -> int | None:
        """Centipawns; None for a mate."""
        return self.evaluation.score.seen_by(self.board.turn)[0]

    def __str__(self) -> str:
        return score_text(self.cp, self.mate)

    @property
    def wdl(self) -> tuple[int, int, int]:
        """White's wins, draws and losses expected, per mille. A game that is over has its result."""
        if self.evaluation.ended and not self.evaluation.score:
            return 0, 1000, 0
        win, draw, loss = wdl.wdl(self.evaluation.score, material(self.board))
        return (win, draw, loss) if self.board.turn else (loss, draw, win)

    @property
    def expected(self) -> float:
        """White's expected score, 0 to 1."""
        return wdl.expected(self.wdl)


def hundredths(share: float) -> str:
    """A share of a point, cut and not rounded: what is shown as 0.10 has reached the mark of 0.10."""
    return f"{math.floor(share * 100 + 1e-6) / 100:.2f}"


@dataclass(frozen=True)
class JudgedMove:
    """A move of a game, with the searches of the positions before and after it, as far as there are any."""

    ply: int  # from 0
    board: chess.Board  # before the move
    move: chess.Move
    before: Evaluation | None
    after: Evaluation | None
    book: bool = False

    @cached_property
    def san(self) -> str:
        """The move in SAN."""
        return self.board.san(self.move)

    @cached_property
    def number(self) -> str:
        """The move's number: 12. or 12..."""
        return f"{self.board.fullmove_number}{'.' if self.board.turn else '...'}"

    @property
    def forced(self) -> bool:
        """Whether there was no choice."""
        return self.board.legal_moves.count() == 1

    @property
    def best(self) -> Line | None:
        """The best line from the position before."""
        return self.before.best if self.before else None

    @property
    def is_best(self) -> bool:
        """Whether the search would have played it."""
        return self.best is not None and self.best.moves[0] == self.board.uci(self.move)

    @cached_property
    def loss(self) -> float | None:
        """Expected score lost; None if unknown. The move's score is that of the position after it."""
        return 0.0 if self.drop is not None and (self.is_best or self.forced) else self.drop

    @cached_property
    def drop(self) -> float | None:
        """By how much the expected score is lower after the move than before it, whoever is to blame."""
        if self.best is None or self.after is None:
            return None
        pieces = material(self.board)
        return round(max(0.0, expected(self.best.score, pieces) - expected(-self.after.score, pieces)), 4)

    @cached_property
    def mark(self) -> Mark | None:
        """What the move deserves; nothing for book moves and forced ones."""
        if self.loss is None or self.drop is None or self.book or self.forced:
            return None
        if self.margin >= ONLY.least and error_of(self.drop) is None:
            return ONLY
        return error_of(self.loss)

    @cached_property
    def margin(self) -> float:
        """Expected score that the second-best move loses; 0 if the best was not played, or was obvious."""
        if self.before is None or self.before.second is None or not self.is_best:
            return 0.0
        if is_obvious(self.board, self.move):
            return 0.0
        pieces = material(self.board)
        return round(expected(self.before.score, pieces) - expected(self.before.second, pieces), 4)

    @property
    def view(self) -> View | None:
        """The position after the move from White's view."""
        if self.after is None:
            return None
        board = self.board.copy(stack=False)
        board.push(self.move)
        return View(board, self.after)


@dataclass(frozen=True)
class Summary:
    """One side of a game. `accuracy`: mean of its moves with a choice, in per cent; None without any."""

    accuracy: float | None
    marks: Counter[str]  # by sign

    def __str__(self) -> str:
        share = "accuracy unknown" if self.accuracy is None else f"accuracy {self.accuracy:.1f} %"
        counts = [plural(self.marks[mark.sign], mark.name.lower()) for mark in reversed(ERRORS)]
        return ", ".join([share, *counts])


def plural(count: int, noun: str) -> str:
    """1 mistake, 2 mistakes; inaccuracies."""
    many = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{count} {noun if count == 1 else many}"


def summary(moves: Sequence[JudgedMove], white: bool) -> Summary:
    """What one side did. Book moves and forced ones say nothing about a player."""
    own = [move for move in moves if move.board.turn == white and not move.book and not move.forced]
    values = [accuracy(move.loss) for move in own if move.loss is not None]
    marks = Counter(move.mark.sign for move in own if move.mark)
    return Summary(fmean(values) if values else None, marks)


def judge(study: Study, book: MemoryMappedReader | None = None) -> list[JudgedMove]:
    """The moves of a game."""
    board, judged, in_book = study.start.copy(), [], book is not None
    for ply, move in enumerate(study.moves):
        in_book = in_book and book is not None and move in _book_moves(book, board)
        before, after = study.evaluations[ply : ply + 2]
        judged.append(JudgedMove(ply, board.copy(stack=1), move, before, after, in_book))
        board.push(move)
    return judged


def _book_moves(book: MemoryMappedReader, board: chess.Board) -> Iterator[chess.Move]:
    return (entry.move for entry in book.find_all(board))


def views(study: Study) -> dict[int, View]:
    """The positions with an evaluation, by the number of moves before them."""
    board, found = study.start.copy(), {}
    for ply, evaluation in enumerate(study.evaluations):
        if evaluation is not None:
            found[ply] = View(board.copy(stack=False), evaluation)
        if ply < len(study.moves):
            board.push(study.moves[ply])
    return found


def san_line(board: chess.Board, moves: Sequence[str], longest: int) -> str:
    """The first moves of a line as text: 12. Nf3 Nc6 13. Bb5."""
    kept = [chess.Move.from_uci(name) for name in moves[:longest]]
    return board.variation_san(kept)
