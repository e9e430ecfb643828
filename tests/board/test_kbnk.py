"""Bishop and knight against a lone king, solved: python-chess moves, a step of minimax checks."""

import random
import threading

import chess
import pytest

from sssnake._fast.board import kbnk
from sssnake._fast.board.board import Board

LONGEST = 33  # moves to mate, the strong side to move; known since the first computer analyses


@pytest.fixture(scope="module", autouse=True)
def solved() -> None:
    while not kbnk.advance():
        pass


def placed(rng: random.Random) -> chess.Board:
    """A random legal position, the lone king to move; it may be stalemate, or take a piece."""
    while True:
        board, strong = chess.Board(None), rng.random() < 0.5
        squares = rng.sample(range(64), 4)
        for square, kind in zip(squares, (chess.KING, chess.BISHOP, chess.KNIGHT), strict=False):
            board.set_piece_at(square, chess.Piece(kind, strong))
        board.set_piece_at(squares[3], chess.Piece(chess.KING, not strong))
        board.turn = not strong
        if board.is_valid():
            return board


def mated_in(board: chess.Board) -> int | None:
    """The same by a step of minimax: a mate, or all replies lead to shorter ones."""
    if not any(board.legal_moves):
        return 0 if board.is_checkmate() else None
    longest = 0
    for move in board.legal_moves:
        after = board.copy()
        after.push(move)
        found = [] if chess.popcount(after.occupied) < 4 else [mates_in(after)]
        if not found or found[0] is None:
            return None
        longest = max(longest, found[0])
    return longest


def mates_in(board: chess.Board) -> int | None:
    """Moves to mate of the strong side, to move, by the table."""
    found = []
    for move in board.legal_moves:
        board.push(move)
        moves = kbnk.mated_in(Board(board.fen()))
        board.pop()
        if moves is not None:
            found.append(1 + moves)
    return min(found, default=None)


def test_every_distance_follows_from_the_next_ones() -> None:
    rng, found = random.Random(4), list[int]()
    for _ in range(150):
        board = placed(rng)
        moves = kbnk.mated_in(Board(board.fen()))
        assert moves == mated_in(board), board.fen()
        found += [] if moves is None else [moves]
    assert len(found) > 100 and max(found) > 28


def test_the_same_position_turned_and_mirrored_is_as_far_from_mate() -> None:
    rng = random.Random(5)
    for _ in range(300):
        board = placed(rng)
        turned = [
            board,
            board.transform(chess.flip_horizontal),
            board.transform(chess.flip_diagonal),
            board.mirror(),
        ]
        assert len({kbnk.mated_in(Board(each.fen())) for each in turned}) == 1


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        ("k7/8/NK6/8/4B3/8/8/8 b - - 0 1", 0),
        ("8/8/8/8/8/2k5/8/KBN5 b - - 0 1", 30),
        ("k7/2K5/8/8/8/8/8/6BN b - - 0 1", None),  # stalemate
        ("8/8/8/8/8/1k6/2B5/K6N b - - 0 1", None),  # the bishop falls
    ],
)
def test_known_distances(fen: str, moves: int | None) -> None:
    assert kbnk.mated_in(Board(fen)) == moves == mated_in(chess.Board(fen))


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/8/8/2k5/8/KBB5 b - - 0 1",
        "8/8/8/8/8/2k5/7p/KBN5 b - - 0 1",
        "8/8/8/8/8/2k5/7P/KBN5 b - - 0 1",
        "8/8/8/8/8/2k5/7N/KBN5 b - - 0 1",
        "8/8/8/8/8/2k4b/8/KBN5 b - - 0 1",
        "8/8/8/8/8/2k5/8/K1N5 b - - 0 1",
    ],
)
def test_other_material_is_not_held(fen: str) -> None:
    assert not kbnk.holds(Board(fen))
    with pytest.raises(ValueError, match="no lone king"):
        kbnk.mated_in(Board(fen))


def test_the_strong_side_to_move_is_refused() -> None:
    board = Board("8/8/8/8/8/2k5/8/KBN5 w - - 0 1")
    assert kbnk.holds(board)
    with pytest.raises(ValueError, match="no lone king to move"):
        kbnk.mated_in(board)


def test_another_thread_does_not_wait_long() -> None:
    with kbnk.STEPPING:
        heard: list[bool] = []
        thread = threading.Thread(target=lambda: heard.append(kbnk.advance()))
        thread.start()
        thread.join(10)
    assert heard == [False] and kbnk.advance()
