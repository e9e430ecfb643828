"""The three remedies of the horizon effect, switched on one by one and together."""

from itertools import combinations

import chess

from sssnake.engine.lab.lessons import horizon
from sssnake.engine.lab.lessons.frames import Frame
from sssnake.engine.lab.lessons.horizon import REMEDIES

# The bishop on a2 is lost; pawn checks put the loss off, a pawn each.
TRAPPED = "6k1/8/6p1/5p2/4p3/1P6/b1PK4/R7 b - - 0 1"
DEPTH = 2
TRUTH = 5  # plies, at which a search without remedies sees the loss


def remedies() -> list[Frame]:
    """The horizon effect with every choice of the three remedies."""
    board = chess.Board(TRAPPED)
    best = horizon.search(board, TRUTH).line[0]
    words = f"Black's bishop is lost. A search of {TRUTH} plies knows it, and plays {board.san(best)}."
    frames = [Frame(board, words)]
    for count in range(len(REMEDIES) + 1):
        for chosen in combinations(REMEDIES, count):
            found = horizon.search(board, DEPTH, chosen)
            name = " + ".join(chosen) or "no remedy"
            verdict = "right" if found.line[0] == best else "it only puts the loss off"
            words = f"{DEPTH} plies, {name}: {found.value:+d}  {board.variation_san(found.line)}  ({verdict})"
            frames.append(Frame(board, words, chosen))
    return frames
