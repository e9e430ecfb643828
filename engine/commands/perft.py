"""`sssnake perft`: count legal move sequences, by first move if asked; check the counts of a suite."""

import io
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import chess

from sssnake._fast.board.board import Board
from sssnake._fast.board.perft import divide, perft
from sssnake._fast.board.playable import read_fen
from sssnake.engine.common.arguments import Parser, natural, positive
from sssnake.engine.common.inputs import lines, open_input

COUNT = re.compile(r"D(\d+)\s+(\d+)$")


def read_suite(path: Path) -> Iterator[tuple[str, list[tuple[int, int]]]]:
    """FEN and (depth, count) pairs of each line `FEN ;D1 n ;D2 n ...`. ValueError on any other line."""
    with io.TextIOWrapper(open_input(path), encoding="utf-8") as file:
        for number, line in enumerate(lines(file, path), 1):
            fen, *fields = (part.strip() for part in line.split("#")[0].split(";"))
            if not fen:
                continue
            matches = [COUNT.match(field) for field in fields if field]
            if not matches or None in matches:
                raise ValueError(f"{path}:{number}: expected FEN ;D1 n ;D2 n ...")
            yield fen, [(int(match[1]), int(match[2])) for match in matches if match]


def read_board(fen: str, chess960: bool) -> Board:
    """A position; what was dropped of it is said. ValueError: it is none."""
    board, remark = read_fen(fen, chess960)
    if remark:
        print(f"sssnake perft: {remark}", file=sys.stderr)
    return Board.from_chess(board)


def check_suite(path: Path, deepest: int | None, chess960: bool, threads: int) -> int:
    """Compare all counts up to `deepest` plies; print mismatches and a summary; 1 on a mismatch."""
    right = wrong = positions = nodes = 0
    start = time.perf_counter()
    for fen, counts in read_suite(path):
        board = read_board(fen, chess960)
        positions += 1
        for depth, expected in counts:
            if deepest is not None and depth > deepest:
                continue
            found = perft(board, depth, threads)
            nodes += found
            right += found == expected
            wrong += found != expected
            if found != expected:
                print(f"{fen}: depth {depth}: {found}, expected {expected}")
    if not positions:
        raise ValueError(f"{path}: no position in it")
    seconds = time.perf_counter() - start
    print(f"{positions} positions, {right} counts right, {wrong} wrong; {speed(nodes, seconds)}")
    return 1 if wrong else 0


def speed(nodes: int, seconds: float) -> str:
    """Nodes, seconds and speed as text."""
    return f"{nodes} nodes in {seconds:.3f} s, {nodes / max(seconds, 1e-9) / 1e6:.1f} Mn/s"


def count(board: Board, depth: int, by_move: bool, threads: int) -> int:
    """Count and print one position; 0."""
    start = time.perf_counter()
    if by_move and depth > 0:
        counts = divide(board, depth, threads)
        total = sum(counts.values())
        for move, nodes in counts.items():
            print(f"{move}: {nodes}")
        print()
    else:
        total = perft(board, depth, threads)
    print(f"Nodes searched: {total}")
    print(speed(total, time.perf_counter() - start))
    return 0


def parser() -> Parser:
    """The arguments."""
    args = Parser("sssnake perft", description="Count the legal move sequences of DEPTH plies.")
    args.add_argument(
        "depth", type=natural, nargs="?", metavar="DEPTH", help="plies; with --suite: of the deepest count"
    )
    args.add_argument("--fen", default=chess.STARTING_FEN, help="position (default: the start)")
    args.add_argument("--chess960", action="store_true", help="Chess960; castling rights can imply it")
    args.add_argument("--divide", action="store_true", help="a line for each first move")
    args.add_argument("--threads", type=positive, default=1, metavar="N")
    args.add_argument(
        "--suite", type=Path, metavar="FILE", help="check lines FEN ;D1 n ;D2 n; exit 1 on a mismatch"
    )
    return args


def main(argv: list[str]) -> int:
    """Run the command; return the exit status."""
    known = parser()
    args = known.parse_args(argv)
    if args.suite:
        known.refuse_idle(args, ("fen", "divide"), "with --suite")
    try:
        if args.suite:
            return check_suite(args.suite, args.depth, args.chess960, args.threads)
        if args.depth is None:
            raise ValueError("DEPTH is missing")
        board = read_board(args.fen, args.chess960)
        return count(board, args.depth, args.divide, args.threads)
    except BrokenPipeError:
        raise
    except (ValueError, OverflowError, OSError) as error:
        print(f"sssnake perft: {error}", file=sys.stderr)
        return 2
