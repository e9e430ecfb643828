"""Start positions for matches: EPD and PGN files, also inside .zip, or random plies.

Large books (240,000 lines, 34,000 games) are only split, shuffled with a seed and parsed one opening at a
time.
"""

import io
import logging
import random
import re
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
import chess.pgn

RANDOM_PLIES = 6
BOOKS = (".epd", ".fen", ".pgn", ".txt")     # names of members of a .zip; a .txt may also be something else
logging.getLogger("chess.pgn").addHandler(logging.NullHandler())    # errors are raised here, not printed


def read_book(path: Path) -> tuple[str, str]:
    """Kind ("epd" or "pgn") and text of a book file; of a .zip, the first member that is one by its name."""
    try:
        name = path.name
        if path.suffix.lower() == ".zip":
            with zipfile.ZipFile(path) as archive:
                members = [n for n in archive.namelist() if n.lower().endswith(BOOKS)]
                if not members:
                    raise ValueError(f"{path}: no EPD or PGN file inside")
                name = min(members, key=lambda n: n.lower().endswith(".txt"))
                data = archive.read(name)
        else:
            data = path.read_bytes()
    except (OSError, zipfile.BadZipFile) as error:
        raise ValueError(f"{path}: {error.strerror if isinstance(error, OSError) else error}") from None
    return ("pgn" if name.lower().endswith(".pgn") else "epd"), data.decode("utf-8-sig", errors="replace")


def openings(
    path: Path | None, plies: int | None = None, seed: int = 0, shuffle: bool = True, chess960: bool = False
) -> Iterator[chess.Board]:
    """Endless start boards, move stack included: the book over and over, or random games of `plies` plies.

    `plies` cuts PGN lines. Openings in which the game is over are passed by. ValueError on a bad book.
    """
    rng = random.Random(seed)
    if path is None:
        return _random_openings(rng, RANDOM_PLIES if plies is None else plies, chess960)
    kind, text = read_book(path)
    parse = board_of_game if kind == "pgn" else _board_of_epd
    return _from_book(str(path), items_of(kind, text), parse, plies, rng if shuffle else None, chess960)


def items_of(kind: str, text: str) -> list[str]:
    """The openings of a book's text, one a string, not yet parsed."""
    # A PGN game starts with a tag after a blank line; movetext never starts with "[".
    items = re.split(r"\n\s*\n(?=\[)", text) if kind == "pgn" else text.splitlines()
    return [item for item in items if item.strip() and not item.startswith("#")]


def _from_book(
    name: str,
    items: list[str],
    parse: Callable[[str, int | None, bool], chess.Board],
    plies: int | None,
    rng: random.Random | None,
    chess960: bool,
) -> Iterator[chess.Board]:
    while True:
        if rng is not None:
            rng.shuffle(items)
        useful = 0
        for item in items:
            try:
                board = parse(item, plies, chess960)
            except ValueError as error:
                raise ValueError(f"{name}: {error}") from None
            if not board.is_game_over():
                useful += 1
                yield board
        if not useful:
            raise ValueError(f"{name}: no opening in it")


def _board_of_epd(line: str, _plies: int | None, chess960: bool) -> chess.Board:
    words = line.replace(";", " ").split()
    clocks = words[4:6] if len(words) >= 6 and all(word.isdigit() for word in words[4:6]) else []
    board = chess.Board(" ".join(words[:4] + clocks), chess960=chess960)
    if not board.is_valid():
        raise ValueError(f"illegal position: {line.strip()[:80]}")
    return board


def board_of_game(text: str, plies: int | None, chess960: bool = False) -> chess.Board:
    """A game's board after `plies` moves (None: all), move stack included; ValueError if it is none."""
    game = chess.pgn.read_game(io.StringIO(text))
    if game is None or game.errors:
        raise ValueError(f"not a game: {text.strip()[:60]!r}")
    board = game.board()
    board.chess960 = board.chess960 or chess960
    for ply, move in enumerate(game.mainline_moves()):
        if plies is not None and ply >= plies:
            break
        board.push(move)
    return board


def _random_openings(rng: random.Random, plies: int, chess960: bool) -> Iterator[chess.Board]:
    while True:
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
        while board.ply() < plies and (moves := list(board.legal_moves)):
            board.push(rng.choice(moves))
        if not board.is_game_over():
            yield board
