"""What a search gives: an `Info` whenever there is something to report, and one `Result` in the end."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import chess

from sssnake._fast.values import MATE, MATE_RANGE
from sssnake.engine.player import wdl

if TYPE_CHECKING:
    import chess.engine

    from sssnake._fast.board.board import Board


class Score(int):
    """What a position is worth to the player to move: centipawns, or MATE minus the plies to mate.

    It is the core's number, so scores can be compared, negated and added up.

    >>> print(Score(35), Score(-120), Score(MATE - 5), Score(2 - MATE))
    +0.35 -1.20 #3 #-1
    >>> Score(MATE - 5).mate, Score(MATE - 5).cp, Score(35).cp
    (3, None, 35)
    """

    @property
    def value(self) -> int:
        """The plain number."""
        return int(self)

    @property
    def cp(self) -> int | None:
        """Centipawns; None for a mate."""
        return None if abs(self) >= MATE_RANGE else int(self)

    @property
    def mate(self) -> int | None:
        """Moves to mate, negative (0: it is done) if the player to move is mated; None: there is none."""
        if abs(self) < MATE_RANGE:
            return None
        return (MATE - self + 1) // 2 if self > 0 else -((MATE + self) // 2)

    def seen_by(self, mover: bool) -> tuple[int | None, int | None]:
        """(cp, mate) from the view of the player to move, or else of the other one."""
        cp, mate = self.cp, self.mate
        return (cp, mate) if mover else (None if cp is None else -cp, None if mate is None else -mate)

    def pov(self, turn: chess.Color) -> "chess.engine.PovScore":
        """The score as python-chess writes it. turn: the player to move, whose view this is.

        >>> Score(35).pov(chess.WHITE).black(), Score(MATE - 5).pov(chess.BLACK)
        (Cp(-35), PovScore(Mate(+3), BLACK))
        """
        import chess.engine

        mate = self.mate
        if mate is None:
            return chess.engine.PovScore(chess.engine.Cp(int(self)), turn)
        given = self == MATE
        return chess.engine.PovScore(chess.engine.MateGiven if given else chess.engine.Mate(mate), turn)

    @classmethod
    def from_pov(cls, score: "chess.engine.PovScore") -> "Score":
        """A score of python-chess from the view of the player to move: the way back from `pov`.

        Centipawns beyond all evaluations are the largest that are no mate; of a mate the plies are the most
        that its moves allow.

        >>> import chess.engine
        >>> Score.from_pov(chess.engine.PovScore(chess.engine.Mate(3), chess.BLACK))
        Score(31995)
        """
        cp, mate = score.relative.score(), score.relative.mate()
        if cp is not None:
            return cls(max(1 - MATE_RANGE, min(cp, MATE_RANGE - 1)))
        if mate is None or score.relative.score(mate_score=MATE) == MATE:
            return cls(MATE)  # given already
        plies = min(2 * mate - 1 if mate > 0 else -2 * mate, MATE - MATE_RANGE)
        return cls(MATE - plies if mate > 0 else plies - MATE)

    def __str__(self) -> str:
        return score_text(self.cp, self.mate) if self != -MATE else "#-0"

    def __repr__(self) -> str:
        return f"Score({int(self)})"


def score_text(cp: int | None, mate: int | None) -> str:
    """A score for people: +0.35; #3, #-3 for a mate in moves, # when it is on the board; "" for none."""
    if mate is not None:
        return f"#{mate}" if mate else "#"
    return "" if cp is None else f"{cp / 100:+.2f}"


@dataclass
class Info:
    """One line of play, reported while the search runs (or after it, in `Result.lines`)."""

    depth: int
    seldepth: int
    multipv: int  # number of the line, from 1
    score: Score
    bound: str  # "" for the value itself; "lowerbound" or "upperbound"
    nodes: int
    nps: int
    hashfull: int  # per mille
    tbhits: int
    time_ms: int
    names: list[str]  # the moves in UCI notation
    material: int = wdl.FULL  # on the board, in pawns

    @property
    def wdl(self) -> tuple[int, int, int]:
        """Win, draw and loss expected of such a score, in per mille. A game that is over has its result."""
        if not self.names and not self.score:
            return 0, 1000, 0
        return wdl.wdl(self.score, self.material)

    @property
    def pv(self) -> list[chess.Move]:
        """The moves of the line."""
        return [chess.Move.from_uci(name) for name in self.names]


@dataclass
class Result:
    """What a search has found. Scores are from the view of the player to move."""

    move: chess.Move | None  # None if none is legal
    ponder: chess.Move | None  # the reply expected
    lines: list[Info]  # best first: one, or as many as the option multipv asks for and the position has
    material: int  # on the board, in pawns
    nodes: int
    passes: int  # null-window tests at the root (with PVS and AlphaBeta: open windows too)
    iterations: int  # that were finished
    failed_high: int = 0  # passes that proved a move
    crossings: int = 0  # passes that contradicted an earlier one of the same iteration
    first_searched: int = 0  # first passes of an iteration that tried moves ...
    first_nodes: int = 0  # ... and the nodes that they took

    @property
    def line(self) -> Info:
        """The line that is played: the best one, unless the engine plays below its strength."""
        name = str(self.move)
        return next((line for line in self.lines if line.names[:1] == [name]), self.lines[0])

    @property
    def score(self) -> Score:
        """What that line is worth."""
        return self.line.score

    @property
    def wdl(self) -> tuple[int, int, int]:
        """Win, draw and loss expected of that line, in per mille."""
        return self.line.wdl

    @property
    def depth(self) -> int:
        """The iteration that it comes from; 0: none was finished."""
        return self.line.depth

    @property
    def pv(self) -> list[chess.Move]:
        """Its moves."""
        return self.line.pv


class Evaluated(NamedTuple):
    """A row of `Engine.evaluate_many`. Either `score` or `error` says what became of the position."""

    position: "chess.Board | Board | str"  # as it was given
    score: Score | None  # of the player to move
    error: str = ""  # why there is none
