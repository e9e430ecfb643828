"""Does it mate a lone king? Games from random positions without tablebases, by material.

    python tests/measure/lone_kings.py [--material KBNvK] [--games N] [--nodes N] [--seed N] [--one] [--show]

Two engines play, each with its own transposition table; with --one a single engine plays both sides. The
strong side moves first, and the lone king attacks nothing. A win counts if it comes before fifty moves and a
third repetition. Prints a Markdown table: games that were not won, mean and greatest number of moves of the
others.
"""

import argparse
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import chess

sys.path.insert(0, str(Path(__file__).parents[1]))

from measure.endings import positions
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits

MATERIALS = "KQvK,KRvK,KBBvK,KBNvK"


def starts(material: str, seed: int) -> Iterator[chess.Board]:
    """Random positions that are won; two bishops stand on both colours."""
    for board in positions(material, random.Random(f"{seed} {material}")):
        lone = board.king(not board.turn)
        assert lone is not None
        own = board.occupied_co[board.turn]
        colours = {(square + square // 8) % 2 for square in chess.SquareSet(board.bishops)}
        pairs = chess.popcount(board.bishops) == len(colours)
        if chess.popcount(own) > 1 and pairs and not board.attacks_mask(lone) & own:
            yield board


def play(engines: list[Engine], board: chess.Board, limits: Limits) -> int | None:
    """Play to the end. The strong side's number of moves; None: it did not win."""
    for engine in engines:
        engine.new_game()
    start = board.ply()
    while not (board.is_game_over() or board.is_fifty_moves() or board.is_repetition(3)):
        move = engines[(board.ply() - start) % len(engines)].play(board, limits).move
        assert move
        board.push(move)
    return (board.ply() - start + 1) // 2 if board.is_checkmate() else None


def main() -> None:
    """Play, and print the table."""
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=raw)
    parser.add_argument("--material", default=MATERIALS)
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--nodes", type=int, default=10_000, help="a move")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--one", action="store_true", help="one engine for both sides")
    parser.add_argument("--show", action="store_true", help="print the games that are not won")
    asked = parser.parse_args()
    engines = [Engine(hash_mb=16) for _ in range(1 if asked.one else 2)]
    print("| material | nodes a move | not won | moves | most |\n|---|---:|---:|---:|---:|")
    for material in asked.material.split(","):
        source, won = starts(material, asked.seed), list[int]()
        for _ in range(asked.games):
            board = next(source)
            moves = play(engines, board, Limits(nodes=asked.nodes))
            if moves is not None:
                won.append(moves)
            elif asked.show:
                print(board.root().fen(), *(move.uci() for move in board.move_stack), flush=True)
        mean, most = sum(won) / max(1, len(won)), max(won, default=0)
        lost = asked.games - len(won)
        print(f"| {material} | {asked.nodes} | {lost} of {asked.games} | {mean:.0f} | {most} |", flush=True)


if __name__ == "__main__":
    main()
