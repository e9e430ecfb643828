"""Random openings: where games of the engine against itself begin."""

import random

import chess

RANDOM_PLIES = 8  # or one more
CHESS960_STARTS = 960


def random_start(rng: random.Random, chess960: float = 0.0) -> chess.Board:
    """A position with a legal move, after 8 or 9 random plies. chess960: share of Chess960 starts, 0 to 1."""
    while True:
        board = chess.Board()
        if rng.random() < chess960:
            board = chess.Board.from_chess960_pos(rng.randrange(CHESS960_STARTS))
        for _ in range(RANDOM_PLIES + rng.randrange(2)):
            moves = sorted(board.legal_moves, key=chess.Move.uci)
            if not moves:
                break
            board.push(rng.choice(moves))
        if any(board.legal_moves):
            return chess.Board(board.fen(), chess960=board.chess960)
