"""genfens: openings of training games in OpenBench's form, `genfens N seed S book None|FILE [...]`.

Prints N positions, one `info string genfens FEN` each; a seed always gives the same ones. They come from
random plies, after an opening of the book if there is one. A position is rejected if a short search sees a
side far ahead. With `--skip-bad` among the words that follow, bad openings of the book are left out.
"""

import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import chess

from sssnake._fast.board.board import Board
from sssnake.engine.games.openings import OpeningOptions, openings
from sssnake.engine.games.outcome import outcome_with_history
from sssnake.engine.games.starts import push_random_plies, random_start
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits

BOOK_PLIES = (4, 5)  # random plies after an opening of a book: one of these numbers
NODES = 1000  # of that search
FAIR = 300  # centipawns: positions with a larger score are rejected
MOST = 1_000_000


def read(words: Sequence[str]) -> tuple[int, int, Path | None]:
    """(N, seed, book) from the words after `genfens`. More words may follow. ValueError on a bad form."""
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


def level(engine: Engine, board: chess.Board) -> bool:
    """Whether a short search of `board`, without earlier memory, returns a small score."""
    engine.new_game()
    start = Board(board.fen(), board.chess960)
    return abs(engine.play(start, Limits(nodes=NODES)).score) <= FAIR


def starts(rng: random.Random, book: Path | None, options: OpeningOptions) -> Iterator[chess.Board]:
    """Endless boards, after random plies from the start position or from openings of a book."""
    if book is None:
        while True:
            yield random_start(rng)
    for board in openings(book, options):
        push_random_plies(board, rng, rng.randint(*BOOK_PLIES))
        yield board


def positions(seed: int, book: Path | None, skip_bad: bool = False) -> Iterator[str]:
    """Endless FENs. ValueError: a bad book, or a bad opening in it."""
    rng = random.Random(seed)
    engine = Engine(hash_mb=1)
    seen: set[str] = set()
    for board in starts(rng, book, OpeningOptions(seed=seed, skip_bad=skip_bad)):
        fen = board.fen()
        if fen not in seen and outcome_with_history(board) is None and level(engine, board):
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
