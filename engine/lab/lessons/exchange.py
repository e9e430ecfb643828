"""An exchange on one square, ply by ply: what is won and lost after each capture, and whether it pays."""

from collections.abc import Iterator

import chess

from sssnake.engine.lab.lessons.frames import Frame
from sssnake.engine.lab.lessons.horizon import WORTH

# The pawn goes to e5, where it is taken. In the first position the rook is lost in the end, in the second the
# bishop on b2 looks at e5 as well.
LOST = "6k1/6b1/2np4/8/4P3/5N2/8/4R1K1 w - - 0 1"
HELD = "6k1/6b1/2np4/8/4P3/5N2/1B6/4R1K1 w - - 0 1"
PUSH = "e5"
NAMES = {piece: chess.piece_name(piece) for piece in WORTH}


def captures(board: chess.Board, square: chess.Square) -> list[chess.Move]:
    """Return the legal captures on a square, by the cheapest piece first."""
    found = [move for move in board.generate_legal_captures() if move.to_square == square]
    return sorted(found, key=lambda move: (WORTH[board.piece_type_at(move.from_square) or 0], move.uci()))


def worth(board: chess.Board, square: chess.Square) -> int:
    """Return what the side to move wins by capturing on a square, each side by its cheapest piece.

    Either side may stop: then nothing more is won or lost. 0 if it does not pay to begin.
    """
    moves = captures(board, square)
    if not moves:
        return 0
    won = WORTH[board.piece_type_at(square) or chess.PAWN]
    board.push(moves[0])
    value = won - worth(board, square)
    board.pop()
    return max(0, value)


def followed(fen: str, push: str) -> Iterator[Frame]:
    """Play a move, then capture on its square until nobody can; tell the balance after each ply."""
    board = chess.Board(fen)
    mover = board.turn
    yield Frame(board.copy(), f"does {board.san(board.parse_san(push))} pay?")
    square = board.parse_san(push).to_square
    move: chess.Move | None = board.parse_san(push)
    balance, plies, line = 0, 0, []
    while move is not None:
        taken = board.piece_type_at(square)
        if taken is not None:
            balance += WORTH[taken] * (1 if board.turn == mover else -1)
        line.append(board.san(move))
        board.push(move)
        plies += 1
        what = f", a {NAMES[taken]} is taken" if taken else ""
        words = (
            f"{plies} {'plies' if plies > 1 else 'ply'}: {' '.join(line)}{what}. Balance {signed(balance)}"
        )
        yield Frame(board.copy(), words)
        move = next(iter(captures(board, square)), None)
    yield Frame(board.copy(), f"The exchange is over. Balance {signed(balance)}: {judged(fen, push)}")


def signed(balance: int) -> str:
    """Write a balance with its sign."""
    return f"{balance:+d}" if balance else "0"


def judged(fen: str, push: str) -> str:
    """Say whether the move pays, if both sides may stop whenever they like."""
    board = chess.Board(fen)
    move = board.parse_san(push)
    board.push(move)
    loss = worth(board, move.to_square)
    return f"it loses {loss}, and must not be played." if loss else "it loses nothing."


def exchange() -> list[Frame]:
    """An exchange searched ply by ply, with the balance after each capture."""
    return [*followed(LOST, PUSH), *followed(HELD, PUSH)]
