"""Studies with invented evaluations, and the command in this process."""

import io
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from typing import Any

import chess
import chess.pgn
import pytest

from sssnake.engine.analysis import analyse
from sssnake.engine.analysis.segments import Evaluation, Line
from sssnake.engine.analysis.study import Study
from sssnake.engine.player.result import Score

LEGAL = "1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0"


def study(text: str) -> Study:
    """A game from its PGN."""
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    return Study(1, "test, game 1 (line 1)", game)


def found(score: int, best: str = "", second: int | None = None) -> Evaluation:
    """An evaluation with one line of one move; without a move, of a game that is over."""
    lines = (Line(Score(score), 9, (best,)),) if best else ()
    return Evaluation(Score(score), lines, None if second is None else Score(second), "" if best else "over")


class Inline:
    """An executor that runs the jobs one after the other, here; after `most` of them comes Ctrl-C."""

    def __init__(self, most: int | None = None) -> None:
        self.most = most

    def in_order(self, function: Callable[[Any], Any], jobs: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
        """(job, result) of each."""
        for number, job in enumerate(jobs):
            if number == self.most:
                raise KeyboardInterrupt
            yield job, function(job)


def run_here(monkeypatch: pytest.MonkeyPatch, most: int | None = None) -> None:
    """Let the command search in this process."""
    monkeypatch.setattr(analyse, "open_executor", lambda *_, **__: nullcontext(Inline(most)))
