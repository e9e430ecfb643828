"""A UCI engine that plays moves from a list, and writes down what it is told.

    python scripted.py LOG PLY [MOVE ...]

The list has the moves of both sides from the PLY-th ply on; behind it python-chess's first legal
move is played.
"""

import sys
from pathlib import Path


def main() -> None:
    """Speak UCI."""
    log, opening, moves = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    chess960 = False
    for line in sys.stdin:
        with log.open("a", encoding="utf-8") as file:
            file.write(line)
        match line.split():
            case ["uci"]:
                print("id name Scripted\noption name UCI_Chess960 type check default false\nuciok")
                sys.stdout.flush()
                import chess  # only now: match runners wait for `uciok`, not long

                board = chess.Board()
            case ["isready"]:
                print("readyok")
            case ["setoption", "name", "UCI_Chess960", "value", value]:
                chess960 = value == "true"
            case ["position", *words]:
                start, _, played = " ".join(words).partition(" moves ")
                fen = chess.STARTING_FEN if start.startswith("startpos") else start.removeprefix("fen ")
                board = chess.Board(fen, chess960=chess960)
                for move in played.split():
                    board.push_uci(move)
            case ["go", *_]:
                made = len(board.move_stack) - opening
                move = moves[made] if made < len(moves) else board.uci(next(iter(board.legal_moves)))
                print(f"info depth 1 score cp 0\nbestmove {move}")
            case ["quit"]:
                return
        sys.stdout.flush()


if __name__ == "__main__":
    main()
