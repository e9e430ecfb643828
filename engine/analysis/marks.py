"""What a move lost, and what that is called: expected score, thresholds, accuracy.

The expected score of a position is the share of a point that the engine's own model of win, draw and loss
(`sssnake.engine.player.wdl`) expects of its score. A move's loss is the expected score before it less the one
after it, both by the model of the position before it: an exchange of pieces alone loses nothing.
"""

import math
from typing import NamedTuple

import chess
import chess.pgn

from sssnake._fast.board import see
from sssnake._fast.board.board import Board
from sssnake.engine.player import wdl


class Mark(NamedTuple):
    """What is said of a move, and from which loss of expected score on."""

    sign: str
    name: str
    nag: int
    least: float


# Thresholds. Half of a blunder's 0.2 is the least loss that may turn half a point; a tenth and a twentieth of
# a point are where lichess (0.1 and 0.2 of winning chances from -1 to 1) and chess.com (expected points)
# begin to speak of inaccuracies and mistakes. From 0.2 on, chess.com speaks of blunders (lichess: 0.15).
BLUNDER = Mark("??", "Blunder", chess.pgn.NAG_BLUNDER, 0.20)
MISTAKE = Mark("?", "Mistake", chess.pgn.NAG_MISTAKE, 0.10)
INACCURACY = Mark("?!", "Inaccuracy", chess.pgn.NAG_DUBIOUS_MOVE, 0.05)
# The best move, where every other one would have been a mistake, and the move was not obvious.
ONLY = Mark("!", "Only move", chess.pgn.NAG_GOOD_MOVE, MISTAKE.least)

ERRORS = BLUNDER, MISTAKE, INACCURACY

DECAY = 0.2  # accuracy falls to 1/e with the loss of a blunder


def material(board: chess.Board) -> int:
    """Pawn units on the board."""
    return wdl.material(board.board_fen())


def expected(score: int, pieces: int) -> float:
    """Share of the point, 0 to 1, expected of a score with so much material on the board."""
    return wdl.expected(wdl.wdl(score, pieces))


def error_of(loss: float) -> Mark | None:
    """The mark that a loss of expected score deserves."""
    return next((mark for mark in ERRORS if loss >= mark.least), None)


def accuracy(loss: float) -> float:
    """Accuracy of a move in per cent: 100 without loss, 78, 61, 37 at the three thresholds."""
    return 100 * math.exp(-loss / DECAY)


def is_obvious(board: chess.Board, move: chess.Move) -> bool:
    """Whether a good move is no feat: an evasion, a recapture, a promotion, a mate, a win of material."""
    if move.promotion or board.is_check() or _mates(board, move):
        return True
    if not board.is_capture(move):
        return False
    if board.move_stack and board.move_stack[-1].to_square == move.to_square:
        return True
    position = Board.from_chess(board)
    return see.wins_at_least(position, position.parse(board.uci(move)), 1)


def _mates(board: chess.Board, move: chess.Move) -> bool:
    after = board.copy(stack=False)
    after.push(move)
    return after.is_checkmate()
