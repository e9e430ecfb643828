"""The rules of chess for the page, all from python-chess: positions, legal moves, results.

ValueError, in one line: what cannot be read or played.
"""

import chess

from sssnake._fast.board.playable import read_fen
from sssnake.engine.games.outcome import outcome_with_history
from sssnake.engine.serve import opening_names

LONGEST_GAME = 1200  # plies
LARGEST_TEXT = 4_000_000  # characters of a text with games, or of the comments of one
LONGEST_FEN = 120  # characters
SIDES = {"white": chess.WHITE, "black": chess.BLACK}
CLAIMED = ("threefold repetition", "fifty moves")  # after these draws the game could go on


def read_start(start: str | None) -> chess.Board:
    """The board at the start of a game; of Chess960, if only that knows the castling rights."""
    if start is None:
        return chess.Board()
    if len(start) > LONGEST_FEN:
        raise ValueError(f"a FEN has at most {LONGEST_FEN} characters")
    return read_fen(start)[0]


def play_moves(board: chess.Board, moves: list[str]) -> chess.Board:
    """Make the moves of a game on a board, and return it."""
    if len(moves) > LONGEST_GAME:
        raise ValueError(f"a game has at most {LONGEST_GAME} plies")
    for name in moves:
        board.push(read_move(board, name))
    return board


def read_move(board: chess.Board, text: str) -> chess.Move:
    """A legal move in UCI notation or in SAN."""
    text = text.strip()[:12]
    for read in (board.parse_uci, board.parse_san):
        try:
            move = read(text)
        except ValueError:
            continue
        if move and move in board.legal_moves:
            return move
    raise ValueError(f"{text!a} is not a legal move here")


def describe(board: chess.Board) -> dict[str, object]:
    """A position with all that the page shows of it."""
    ended = outcome_with_history(board)
    return {
        "fen": board.fen(),
        "turn": "white" if board.turn else "black",
        "check": board.is_check(),
        "legal": {board.uci(move): board.san(move) for move in board.legal_moves},
        "last": board.uci(board.peek()) if board.move_stack and board.peek() else None,
        "opening": opening_of(board),
        "result": ended and {"score": ended[0], "reason": ended[1], "final": ended[1] not in CLAIMED},
        "searchable": not board.was_into_check() and (not ended or ended[1] in CLAIMED),
        "bare": {name: board.has_insufficient_material(side) for name, side in SIDES.items()},
    }


def opening_of(board: chess.Board) -> str:
    """Code and name of the last named position of the game."""
    replay, opening = board.root(), ""
    for move in board.move_stack[: opening_names.LONGEST]:
        replay.push(move)
        opening = opening_names.name_of(replay) or opening
    return opening
