"""Expected scores, thresholds, accuracy, obvious moves."""

import chess
import pytest

from sssnake._fast.values import MATE
from sssnake.engine.analysis import marks


def test_expected_score_of_both_sides_is_one_point() -> None:
    for score in (0, 30, 250, 900, 20_000, MATE - 5):
        for pieces in (5, 40, 78):
            assert marks.expected(score, pieces) + marks.expected(-score, pieces) == pytest.approx(1)
    assert marks.expected(0, 40) == 0.5
    assert marks.expected(MATE - 5, 40) == marks.expected(MATE - 3, 40) == 1


@pytest.mark.parametrize(
    ("loss", "sign"),
    [(0, ""), (0.0499, ""), (0.05, "?!"), (0.0999, "?!"), (0.1, "?"), (0.1999, "?"), (0.2, "??"), (1, "??")],
)
def test_thresholds(loss: float, sign: str) -> None:
    mark = marks.error_of(loss)
    assert (mark.sign if mark else "") == sign


def test_accuracy_falls_with_the_loss() -> None:
    assert marks.accuracy(0) == 100
    assert [round(marks.accuracy(mark.least)) for mark in reversed(marks.ERRORS)] == [78, 61, 37]
    assert 0 < marks.accuracy(1) < 1


@pytest.mark.parametrize(
    ("fen", "moves", "move", "obvious"),
    [
        (chess.STARTING_FEN, "e4", "e5", False),
        ("4k3/3p4/2n5/8/3N4/2P5/8/4K3 w - - 0 1", "", "Nxc6", False),  # a knight for a knight
        (chess.STARTING_FEN, "e4 d5", "exd5", True),  # a pawn for nothing
        (chess.STARTING_FEN, "e4 d5 exd5", "Qxd5", True),  # a recapture
        (chess.STARTING_FEN, "e4 e5 Nf3 Nc6", "Nxe5", False),  # a sacrifice
        (chess.STARTING_FEN, "e4 f5 d4 g5", "Qh5#", True),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "a8=Q+", True),
        ("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "", "Kf1", True),  # an evasion
    ],
)
def test_obvious_moves(fen: str, moves: str, move: str, obvious: bool) -> None:
    board = chess.Board(fen)
    for san in moves.split():
        board.push_san(san)
    assert marks.is_obvious(board, board.parse_san(move)) == obvious
