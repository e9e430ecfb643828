"""genfens: openings for training games, as OpenBench asks for them: `genfens N seed S book None|FILE [...]`.

N positions, one `info string genfens FEN` each; the same seed gives the same ones. They come from random
plies, after a line of the book if there is one, and are level: a short search sees no side far ahead. With
`--skip-bad` among the words that follow, bad openings of the book are passed by.
"""

import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import chess

from _fast.board.board import Board
from engine.games.openings import openings
from engine.games.outcome import standing
from engine.player.limits import Limits
from engine.player.options import Options
from engine.player.searcher import Info, Searcher

PLIES = 8  # random ones from the start position, or one more
BOOK_PLIES = 4  # after a line of a book, or one more
NODES = 1000  # of the search that looks for an advantage
FAIR = 300  # centipawns: a larger one is thrown away
MOST = 1_000_000


def read(words: Sequence[str]) -> tuple[int, int, Path | None]:
    """(N, seed, book) of the words after `genfens`; ValueError: not understood. More words may follow."""
    form = "expected: genfens N seed S book None|FILE"
    if len(words) < 3 or words[1] != "seed":
        raise ValueError(form)
    try:
        count, seed = int(words[0]), int(words[2])
    except ValueError:
        raise ValueError(form) from None
    if not 1 <= count <= MOST:
        raise ValueError(f"from 1 to {MOST} positions, not {count}")
    book = words[4] if len(words) > 4 and words[3] == "book" else "None"
    return count, seed, None if book == "None" else Path(book)


def level(searcher: Searcher, board: chess.Board) -> bool:
    """Whether a short search of `board`, with empty memory, sees a fair start."""
    searcher.new_game()
    scores: list[int] = []

    def note(info: Info) -> None:
        if not info.bound:
            scores.append(info.score)

    searcher.search(Board(board.fen(), board.chess960), Limits(nodes=NODES), note)
    return abs(scores[-1]) <= FAIR


def positions(seed: int, book: Path | None, skip_bad: bool = False) -> Iterator[str]:
    """Endless FENs. ValueError: a bad book, or a bad opening in it."""
    rng = random.Random(seed)
    searcher = Searcher(Options(hash_mb=1))
    seen: set[str] = set()
    for board in openings(book, PLIES if book is None else None, seed, skip_bad=skip_bad):
        for _ in range(rng.randrange(2) + (BOOK_PLIES if book else 0)):
            moves = list(board.legal_moves)
            if moves:
                board.push(rng.choice(moves))
        fen = board.fen()
        if fen not in seen and standing(board) is None and level(searcher, board):
            seen.add(fen)
            yield fen


def main(argv: list[str]) -> int:
    """`sssnake "genfens N seed S book B" quit`."""
    if {"-h", "--help"} & {*argv}:
        print(f"usage: {main.__doc__}\n\n{__doc__}")
        return 0
    try:
        count, seed, book = read(argv)
        for _, fen in zip(range(count), positions(seed, book, "--skip-bad" in argv), strict=False):
            print(f"info string genfens {fen}", flush=True)
    except ValueError as error:
        print(f"sssnake genfens: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
