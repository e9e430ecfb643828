"""Random openings: the only place where they are made, for self-play, matches without a book, and genfens."""

import random

import chess

from sssnake.engine.games.outcome import outcome_with_history

RANDOM_PLIES = (8, 9)  # of a self-play game: one of them at random
CHESS960_STARTS = 960


def random_start(rng: random.Random, chess960: float = 0.0) -> chess.Board:
    """A position after 8 or 9 random plies, without its moves. chess960: share of Chess960 starts, 0 to 1."""
    board = random_opening(rng, RANDOM_PLIES, chess960)
    return chess.Board(board.fen(), chess960=board.chess960)


def random_opening(rng: random.Random, plies: tuple[int, int], chess960: float = 0.0) -> chess.Board:
    """A board whose move stack holds random plies, from the first number to the second; no finished game."""
    while True:
        board = chess.Board()
        if rng.random() < chess960:
            board = chess.Board.from_chess960_pos(rng.randrange(CHESS960_STARTS))
        push_random_plies(board, rng, rng.randint(*plies))
        if outcome_with_history(board) is None:
            return board


def push_random_plies(board: chess.Board, rng: random.Random, plies: int) -> None:
    """Play random legal moves until the game is over, at most `plies`. A seed gives one game."""
    for _ in range(plies):
        moves = sorted(board.legal_moves, key=chess.Move.uci)
        if not moves:
            return
        board.push(rng.choice(moves))
