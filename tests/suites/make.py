"""Makes the suites of this folder, with python-chess alone: `python tests/suites/make.py [FOLDER]`.

perft.epd        counts of legal move sequences, the second half Chess960
positions.jsonl  legal moves, state and Polyglot key of positions
mates.epd        shortest mates of small endings, proved by trying every move
openings.epd     openings for quick matches: eight random plies that leave the material level
openings.pgn     the same as games
"""

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn
import chess.polyglot

HERE = Path(__file__).parent
PERFT, POSITIONS, MATES, OPENINGS = 40, 120, 60, 60  # how many of each
DEEPEST = 3  # plies of perft
LARGEST = 20_000  # moves that python-chess counts for a position
PIECES = ("Q", "R", "QR", "RR", "BB", "QP", "Qr", "RRn")  # beside the kings: White's and Black's


def playout(rng: random.Random, board: chess.Board, plies: int) -> chess.Board:
    """The board after so many random moves, or at the end of the game."""
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(rng.choice(moves))
    return board


def boards(seed: int, count: int) -> Iterator[chess.Board]:
    """Boards out of random games, the second half of them Chess960."""
    rng = random.Random(seed)
    for number in range(count):
        usual = number < count // 2
        start = chess.Board() if usual else chess.Board.from_chess960_pos(rng.randrange(960))
        yield playout(rng, start, rng.randint(0, 80))


def count(board: chess.Board, depth: int) -> int:
    """Legal move sequences."""
    moves = list(board.legal_moves)
    if depth == 1:
        return len(moves)
    total = 0
    for move in moves:
        board.push(move)
        total += count(board, depth - 1)
        board.pop()
    return total


def perft() -> str:
    """perft.epd."""
    lines = []
    for board in boards(1, PERFT):
        counts, depth = [count(board, 1)], 1
        while depth < DEEPEST and counts[-1] * counts[0] <= LARGEST:
            depth += 1
            counts.append(count(board, depth))
        fen = board.fen(shredder=board.chess960)
        lines.append(" ".join([fen, *(f";D{ply} {number}" for ply, number in enumerate(counts, 1))]))
    return "\n".join(lines) + "\n"


def positions() -> str:
    """positions.jsonl."""
    records = []
    for board in boards(2, POSITIONS):
        record = {
            "fen": board.fen(shredder=board.chess960),
            "chess960": board.chess960,
            "legal": sorted(board.uci(move) for move in board.legal_moves),
            "check": board.is_check(),
            "checkmate": board.is_checkmate(),
            "stalemate": board.is_stalemate(),
            "insufficient": board.is_insufficient_material(),
            "zobrist_polyglot": f"{chess.polyglot.zobrist_hash(board):016x}",
        }
        records.append(json.dumps(record))
    return "\n".join(records) + "\n"


def winners(board: chess.Board, moves: int) -> list[chess.Move]:
    """The moves after which the opponent is mated in fewer than `moves` moves, whatever is played."""
    found = []
    for move in list(board.legal_moves):
        board.push(move)
        replies = list(board.legal_moves)
        lost = board.is_check() if not replies else moves > 1 and not board.can_claim_draw()
        for reply in replies if lost else ():
            board.push(reply)
            lost = lost and bool(winners(board, moves - 1))
            board.pop()
            if not lost:
                break
        board.pop()
        if lost:
            found.append(move)
    return found


def mates() -> str:
    """mates.epd."""
    rng = random.Random(3)
    lines: list[str] = []
    while len(lines) < MATES:
        board = chess.Board.empty()
        for symbol in "Kk" + rng.choice(PIECES):
            squares = [
                s for s in chess.SQUARES if (not board.piece_at(s) and 0 < s // 8 < 7) or symbol != "P"
            ]
            square = rng.choice([s for s in squares if not board.piece_at(s)])
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        if not board.is_valid() or chess.square_distance(board.king(True) or 0, board.king(False) or 0) > 4:
            continue
        wanted = 1 + (len(lines) % 2)
        if wanted == 2 and winners(board, 1):
            continue
        if best := winners(board, wanted):
            named = " ".join(sorted(map(board.san, best)))
            lines.append(f'{board.epd()} bm {named}; dm {wanted}; id "mate {len(lines) + 1}";')
    return "\n".join(lines) + "\n"


def openings() -> tuple[str, str]:
    """openings.epd and openings.pgn."""
    rng = random.Random(4)
    found: dict[str, chess.Board] = {}
    while len(found) < OPENINGS:
        board = playout(rng, chess.Board(), 8)
        if len(board.piece_map()) == 32 and not board.is_check():
            found.setdefault(board.epd(), board)
    games = []
    for number, board in enumerate(found.values(), 1):
        game = chess.pgn.Game.from_board(board)
        game.headers["Event"], game.headers["Round"] = "opening", str(number)
        games.append(f"{game}\n")
    return "\n".join(found) + "\n", "\n".join(games)


def main(folder: Path = HERE) -> None:
    """Write all of them."""
    epd, pgn = openings()
    texts = {"perft.epd": perft(), "positions.jsonl": positions(), "mates.epd": mates()}
    for name, text in {**texts, "openings.epd": epd, "openings.pgn": pgn}.items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
