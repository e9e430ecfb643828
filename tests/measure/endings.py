"""Endings of three and four pieces without tablebases: how often the search is wrong, by material.

    python tests/measure/endings.py SYZYGY_FOLDER [--positions N] [--nodes N] [--seed N]
                                    [--material KPvK,KBPvK]

The judge is chess.syzygy; wins that the 50-move rule takes away count as draws. Prints a Markdown table:
draws that the search scores beyond 100 cp, wins and losses that it scores within 100 cp or the other way
round, and best moves that give away half a point or more.
"""

import argparse
import random
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.syzygy

from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits

NEAR = 100  # centipawns: a score within that claims no win


def materials(folder: Path) -> list[str]:
    """Names of the tables with both files, as "KPvK"; fewest pieces first."""
    names = [path.stem for path in folder.glob("*.rtbw") if path.with_suffix(".rtbz").exists()]
    names = [name for name in names if len(name) <= 5 and name not in ("KBvK", "KNvK")]  # no game is left
    return sorted(names, key=lambda name: (len(name), name))


def positions(material: str, rng: random.Random) -> Iterator[chess.Board]:
    """Random legal positions of that material, either colour strong, either side to move."""
    strong, weak = material.split("v")
    while True:
        board = chess.Board.empty()
        colour = rng.random() < 0.5
        pieces = [(piece, colour) for piece in strong] + [(piece, not colour) for piece in weak]
        for (piece, owner), square in zip(pieces, rng.sample(chess.SQUARES, len(pieces)), strict=True):
            board.set_piece_at(square, chess.Piece(chess.Piece.from_symbol(piece).piece_type, owner))
        board.turn = rng.random() < 0.5
        if board.is_valid() and not board.is_game_over():
            yield board


def result(tables: chess.syzygy.Tablebase, board: chess.Board) -> int:
    """1, 0, -1 for the side to move."""
    if board.is_checkmate():
        return -1
    return 0 if board.is_game_over() else (wdl := tables.probe_wdl(board)) // 2 + (wdl == -1)


def errors(engine: Engine, tables: chess.syzygy.Tablebase, board: chess.Board, nodes: int) -> list[int]:
    """[draw, won as drawn, won as lost, move] wrong, 0 or 1 each, after [draws, decided] it belongs to."""
    engine.new_game()
    found = engine.play(board, Limits(nodes=nodes))
    right = result(tables, board)
    board.push_uci(str(found.move))
    given = -result(tables, board) < right
    side = 0 if abs(found.score) <= NEAR else 1 if found.score > 0 else -1
    return [right == 0, right != 0, right == 0 and side != 0, right != 0 and side != right, given]


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description="errors in small endings, by material")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--material", default="")
    asked = parser.parse_args()
    engine = Engine(hash_mb=1)
    total = [0] * 5
    print("| material | draws | scored as decided | decided | scored otherwise | moves that give away |")
    print("|---|---:|---:|---:|---:|---:|")
    with chess.syzygy.open_tablebase(asked.folder) as tables:
        for material in asked.material.split(",") if asked.material else materials(asked.folder):
            rng = random.Random(f"{asked.seed} {material}")
            found = positions(material, rng)
            rows = [errors(engine, tables, next(found), asked.nodes) for _ in range(asked.positions)]
            sums = [sum(column) for column in zip(*rows, strict=True)]
            total = [a + b for a, b in zip(total, sums, strict=True)]
            print(row(material, sums), flush=True)
    print(row("all", total))


def row(name: str, sums: list[int]) -> str:
    """A line of the table."""
    draws, decided, wrong_draws, wrong_decided, given = sums
    return f"| {name} | {draws} | {wrong_draws} | {decided} | {wrong_decided} | {given} |"


if __name__ == "__main__":
    main()
