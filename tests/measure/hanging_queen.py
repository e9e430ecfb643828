"""How often is an attacked queen lost below full strength? One position of the middle game, many tries.

    python tests/measure/hanging_queen.py [--elo 850 1200 1600] [--times 100]

Seeds of the engine's choices are 1, 2, 3 ... The queen counts as lost if it can be taken after the move.
"""

import argparse
import sys
from pathlib import Path

import chess

sys.path.insert(0, str(Path(__file__).parents[1]))

from sssnake import Engine, Limits

MOVES = "e4 c5 Nf3 d6 Bb5+ Nd7 O-O a6 Be2 g6 d3 b5 a4 Qa5 Bd2 b4 c3 bxc3 Bxc3"


def attacked() -> chess.Board:
    """Black's queen on a5 is attacked by a bishop, and may go to safe squares."""
    board = chess.Board()
    for move in MOVES.split():
        board.push_san(move)
    return board


def is_lost(board: chess.Board, move: chess.Move) -> bool:
    """Whether the queen can be taken after the move."""
    after = board.copy(stack=False)
    after.push(move)
    return any(after.piece_type_at(reply.to_square) == chess.QUEEN for reply in after.legal_moves)


def losses(elo: int, times: int) -> int:
    """In how many of the tries it is lost."""
    board, lost = attacked(), 0
    with Engine(hash_mb=1, limit_strength=True, elo=elo) as engine:
        for seed in range(1, times + 1):
            engine.configure(skill_seed=seed)
            engine.clear_hash()
            move = engine.play(board, Limits(movetime=10_000)).move
            assert move
            lost += is_lost(board, move)
    return lost


def main() -> None:
    """Try, and print a line for each level."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--elo", type=int, nargs="+", default=[850, 1200, 1600])
    parser.add_argument("--times", type=int, default=100)
    asked = parser.parse_args()
    for elo in asked.elo:
        print(f"{elo}: lost in {losses(elo, asked.times)} of {asked.times}", flush=True)


if __name__ == "__main__":
    main()
