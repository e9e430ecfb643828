"""The evaluation: the same for both colours, a sum of its trace, the same however a position was reached."""

import random
from collections.abc import Iterator

import chess
import pytest
from support.playouts import playout

from sssnake._fast.board.board import Board
from sssnake._fast.evaluation import pst
from sssnake._fast.evaluation.evaluate import Evaluator
from sssnake._fast.evaluation.weights import WEIGHTS

FULL_PHASE, FULL_SCALE = 24, 64
EVALUATOR = Evaluator()
PAIRS = [pair for name in pst.group_sizes() for pair in WEIGHTS[name]]
TEMPO = pst.group_sizes()["tempo"][0]


def positions() -> Iterator[chess.Board]:
    """Many positions of all phases, and endings with few pieces."""
    for seed in range(12):
        for board, _ in playout(seed):
            yield board
    rng = random.Random(1)
    for pieces in ("KQk", "KRk", "KBNk", "KNNk", "KPk", "KBPkb", "KRPkr", "KQkr", "KRkb", "KBPPkb", "KNNkp"):
        for _ in range(20):
            board = chess.Board.empty()
            for piece, square in zip(pieces, rng.sample(range(8, 56), len(pieces)), strict=True):
                board.set_piece_at(square, chess.Piece.from_symbol(piece))
            board.turn = rng.random() < 0.5
            if board.is_valid():
                yield board


def value_of(fen: str) -> int:
    return EVALUATOR.evaluate(Board(fen))


def scale_of(fen: str) -> int:
    trace = EVALUATOR.trace(Board(fen))
    assert trace is not None
    return trace[2]


def test_colours_are_equal() -> None:
    for board in positions():
        mirror = board.mirror()
        assert EVALUATOR.evaluate(Board.from_chess(board)) == EVALUATOR.evaluate(Board.from_chess(mirror)), (
            board.fen()
        )


def test_trace_times_weights_is_the_value() -> None:
    used = set()
    for board in positions():
        core = Board.from_chess(board)
        trace = EVALUATOR.trace(core)
        if trace is None:
            continue
        counts, phase, scale = trace
        used |= {index for index, _ in counts}
        middle = sum(PAIRS[index][0] * count for index, count in counts if index != TEMPO)
        ending = sum(PAIRS[index][1] * count for index, count in counts if index != TEMPO)
        total = middle * phase * FULL_SCALE + ending * (FULL_PHASE - phase) * scale
        white = abs(total) // (FULL_PHASE * FULL_SCALE) * (1 if total > 0 else -1)
        value = (white if board.turn else -white) + abs(PAIRS[TEMPO][0])
        assert EVALUATOR.evaluate(core) == value, board.fen()
    for name, (offset, size) in pst.group_sizes().items():
        assert used & set(range(offset, offset + size)), f"no position knows {name}"


def test_the_way_to_a_position_does_not_matter() -> None:
    kinds = set()
    for seed in range(12):
        core = None
        for board, kind in playout(seed):
            core = core or Board(board.root().fen(), board.chess960)
            core.push(board.peek().uci())
            kinds.add(kind)
            fresh = Evaluator().evaluate(Board(board.fen(), board.chess960))
            assert EVALUATOR.evaluate(core) == fresh, board.fen()
    assert kinds == {"quiet", "capture", "castling", "en passant", "promotion", "king crossing"}


@pytest.mark.parametrize("piece", ["Q", "R"])
def test_a_lone_king_is_driven_to_the_edge(piece: str) -> None:
    centre, edge, corner = (
        value_of(f"{rows}/8/1K6/8/8/1{piece}6 w - - 0 1") for rows in ("8/8/4k3", "4k3/8/8", "7k/8/8")
    )
    assert 1500 < centre < edge < corner


def test_bishop_and_knight_drive_to_the_bishops_corner() -> None:
    right, wrong = value_of("7k/8/8/8/3K4/8/8/B1N5 w - - 0 1"), value_of("k7/8/8/8/3K4/8/8/B1N5 w - - 0 1")
    assert right > wrong > 1500
    assert value_of("7k/8/8/8/3K4/8/8/B1N5 b - - 0 1") == -right


def test_a_confined_lone_king_is_worse() -> None:
    small, large = value_of("8/8/8/1k6/8/2R5/8/3K4 w - - 0 1"), value_of("8/8/8/1k6/8/4R3/8/3K4 w - - 0 1")
    assert small - large == 10 * 10  # squares of the files c and d, above the rook's rank
    assert value_of("8/8/8/1k6/8/2R5/8/3K4 b - - 0 1") == -small


def test_the_winning_king_comes_near() -> None:
    near, far = value_of("k7/8/1K6/8/8/8/8/7R w - - 0 1"), value_of("k7/8/8/8/8/8/6K1/7R w - - 0 1")
    assert near > far


@pytest.mark.parametrize(
    ("fen", "scale"),
    [
        ("k7/8/8/8/8/2K5/P7/2B5 w - - 0 1", 0),  # wrong bishop: a8 is light, the bishop is not
        ("8/8/8/5p2/3k4/8/8/1NN1K3 w - - 0 1", 0),  # two knights do not win
        ("4k3/4b3/8/8/8/8/4R3/4K3 w - - 0 1", 6),  # rook against bishop
        ("4k3/4b3/8/8/8/8/P4B2/4K3 w - - 0 1", 64),  # bishops of one colour
        ("4k3/4b3/8/8/8/8/P3B3/4K3 w - - 0 1", 28),  # bishops of opposite colours
        ("4k3/4b3/7r/8/8/8/P3B3/R3K3 w - - 0 1", 64),  # ... and rooks
        ("4k3/4r3/8/8/8/8/8/1R2KB2 w - - 0 1", 6),  # rook and bishop against rook
        ("4k3/4r3/8/8/8/8/8/1RN1KN2 w - - 0 1", 64),  # rook and two knights against rook
        ("6Q1/8/8/7K/8/8/1kp5/8 w - - 0 1", 8),  # the queen comes too late
        ("6Q1/8/8/7K/8/8/2kp4/8 w - - 0 1", 64),  # ... but not for a centre pawn
        (chess.STARTING_FEN, 64),
    ],
)
def test_endings_that_are_hard_to_win(fen: str, scale: int) -> None:
    assert scale_of(fen) == scale
    assert scale_of(chess.Board(fen).mirror().fen()) == scale


def test_the_right_bishop_wins() -> None:
    assert scale_of("k7/8/8/8/8/2K5/P7/5B2 w - - 0 1") == 64
