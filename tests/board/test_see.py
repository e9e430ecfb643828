"""Static exchange evaluation against a slow exchange played out on python-chess's boards."""

import random

import chess
import pytest

from sssnake._fast.board.board import Board
from sssnake._fast.board.see import wins_at_least

VALUES = {
    chess.PAWN: 100,
    chess.KNIGHT: 300,
    chess.BISHOP: 300,
    chess.ROOK: 500,
    chess.QUEEN: 900,
    chess.KING: 0,
}


def retake(board: chess.Board, square: int, side: bool) -> int:
    """Best gain of `side` by capturing on `square`: cheapest piece first, no pinned ones."""
    attackers = [s for s in board.attackers(side, square) if square in board.pin(side, s)]
    if not attackers:
        return 0
    attacker = min(attackers, key=lambda s: (board.piece_type_at(s), s))
    piece = board.piece_at(attacker)
    victim = board.piece_type_at(square)
    assert piece and victim
    if piece.piece_type == chess.KING and board.attackers(not side, square):
        return 0
    after = board.copy(stack=False)
    after.remove_piece_at(attacker)
    after.set_piece_at(square, piece)
    return max(0, VALUES[victim] - retake(after, square, not side))


def exchange(board: chess.Board, move: chess.Move) -> int:
    """Gain of `move` in centipawns, with the best captures of both sides on its square."""
    if board.is_castling(move):
        return 0
    piece = board.piece_at(move.from_square)
    assert piece
    after = board.copy(stack=False)
    target = move.to_square ^ 8 if board.is_en_passant(move) else move.to_square
    victim = after.remove_piece_at(target)
    after.remove_piece_at(move.from_square)
    gain = VALUES[victim.piece_type] if victim else 0
    if move.promotion:
        gain += VALUES[move.promotion] - VALUES[chess.PAWN]
        piece = chess.Piece(move.promotion, piece.color)
    after.set_piece_at(move.to_square, piece)
    return gain - retake(after, move.to_square, not piece.color)


def value_of(board: Board, move: int) -> int:
    """The exchange value: the highest threshold that see_ge accepts."""
    low, high = -2000, 2000
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if wins_at_least(board, move, middle) else (low, middle - 1)
    return low


@pytest.mark.parametrize("seed", range(30))
def test_random_positions(seed: int) -> None:
    rng = random.Random(seed)
    oracle = chess.Board.from_chess960_pos(rng.randrange(960)) if seed % 3 == 0 else chess.Board()
    for _ in range(rng.randrange(20, 120)):
        moves = list(oracle.legal_moves)
        if not moves:
            break
        board = Board.from_chess(oracle)
        for move in rng.sample(moves, min(4, len(moves))):
            assert value_of(board, board.parse(move.uci())) == exchange(oracle, move), (oracle.fen(), move)
        oracle.push(rng.choice(moves))


@pytest.mark.parametrize(
    ("fen", "move", "value"),
    [
        ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100),  # a free pawn
        ("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -200),  # defended too often
        ("4k3/8/8/2pP4/8/8/8/4K3 w - c6 0 1", "d5c6", 100),  # en passant
        ("3rk3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7d8q", 400),  # is retaken
        ("4k3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8q", 800),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", 0),
        ("4k3/8/8/3p4/4K3/8/8/8 w - - 0 1", "e4d5", 100),  # the king takes
        ("4r1k1/8/5n2/3p4/4P3/4N3/8/4K3 w - - 0 1", "e3d5", -200),  # e4 is then pinned
    ],
)
def test_known_exchanges(fen: str, move: str, value: int) -> None:
    board = Board(fen)
    assert value_of(board, board.parse(move)) == value


def test_illegal_moves_are_refused() -> None:
    with pytest.raises(ValueError, match="illegal move"):
        wins_at_least(Board(), 0, 0)
