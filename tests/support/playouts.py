"""Random games in which rare moves are frequent: all kinds of moves that incremental updates must handle."""

import random
from collections.abc import Iterator

import chess

COMMON = ("quiet", "capture", "null move")


def special(board: chess.Board, move: chess.Move) -> str:
    """The kind of a move, by what incremental updates must handle."""
    if not move:
        return "null move"
    if board.is_castling(move):
        return "castling"
    if move.promotion:
        return "promotion"
    if board.is_en_passant(move):
        return "en passant"
    if board.piece_type_at(move.from_square) == chess.KING and (move.from_square ^ move.to_square) & 4:
        return "king crossing"
    return "capture" if board.is_capture(move) else "quiet"


def playout(seed: int, plies: int = 150, null_moves: bool = False) -> Iterator[tuple[chess.Board, str]]:
    """One game: yields (board after the move, kind of the move). Every third seed is Chess960."""
    rng = random.Random(seed)
    board = chess.Board.from_chess960_pos(rng.randrange(960)) if seed % 3 == 0 else chess.Board()
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            return
        if null_moves and not board.is_check():
            moves.append(chess.Move.null())
        rare = [move for move in moves if special(board, move) not in COMMON]
        move = rng.choice(rare if rare and rng.random() < 0.5 else moves)
        kind = special(board, move)
        board.push(move)
        yield board, kind
