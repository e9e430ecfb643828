"""The horizon effect on chess positions, with a search that counts material only.

What lies behind the horizon of a search of fixed depth does not exist for it. There are three remedies, each
of which can be switched on alone:

    "deeper"        where the effect threatens, the search goes deeper: a check and its answer do not count as
                    plies, DEEPER times in a line
    "captures"      captures are followed until there is none that pays (quiescence)
    "sacrifices"    a sacrifice and its acceptance do not count as plies: whoever gives pieces away to push a
                    loss behind the horizon pushes the horizon along
"""

from collections.abc import Collection
from dataclasses import dataclass

import chess

REMEDIES = ("deeper", "captures", "sacrifices")
DEEPER = 2  # checks of a line that do not count

WORTH = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9, chess.KING: 0}
MATE = 1000
LOST = 10 * MATE


@dataclass
class Found:
    """A value in pawns, seen from the side to move, and the line that leads to it."""

    value: int
    line: list[chess.Move]


def material(board: chess.Board) -> int:
    """Return the material of the side to move minus that of the other."""
    own, other = board.turn, not board.turn
    return sum(
        worth * (len(board.pieces(piece, own)) - len(board.pieces(piece, other)))
        for piece, worth in WORTH.items()
    )


def search(board: chess.Board, depth: int, remedies: Collection[str] = ()) -> Found:
    """Search a position by alpha-beta to a fixed depth; of equal moves the first by its squares is best."""
    return _search(board, depth, -LOST, LOST, remedies, DEEPER if "deeper" in remedies else 0, False)


def _search(
    board: chess.Board, depth: int, alpha: int, beta: int, remedies: Collection[str], checks: int, free: bool
) -> Found:
    """free: the last move was a check that did not count; nor does its answer. checks: such that are left."""
    moves = sorted(board.legal_moves, key=chess.Move.uci)
    if not moves:
        return Found(-MATE - depth if board.is_check() else 0, [])
    if depth == 0:
        return _quiesce(board, alpha, beta) if "captures" in remedies else Found(material(board), [])
    best = Found(-LOST, [])
    for move in moves:
        longer = checks > 0 and board.gives_check(move)
        plies = 0 if free or longer else 1
        if "sacrifices" in remedies and accepts(board, move):
            plies = 0 if free else -1  # this ply and the one before are given back
        board.push(move)
        window = -beta, -max(alpha, best.value)
        below = _search(board, depth - plies, *window, remedies, checks - longer, longer)
        board.pop()
        if -below.value > best.value:
            best = Found(-below.value, [move, *below.line])
        if best.value >= beta:
            break
    return best


def accepts(board: chess.Board, move: chess.Move) -> bool:
    """Return whether the move takes the piece that was moved last, without having captured, to be taken."""
    if not board.move_stack or not board.is_capture(move):
        return False
    last = board.peek()
    if move.to_square != last.to_square:
        return False
    board.pop()
    offered = not board.is_capture(last)
    board.push(last)
    return offered


def _quiesce(board: chess.Board, alpha: int, beta: int) -> Found:
    """Follow captures; the side to move may also leave things as they are."""
    best = Found(material(board), [])
    for move in sorted(board.generate_legal_captures(), key=lambda move: -_prey(board, move)):
        if best.value >= beta:
            break
        board.push(move)
        below = _quiesce(board, -beta, -max(alpha, best.value))
        board.pop()
        if -below.value > best.value:
            best = Found(-below.value, [move, *below.line])
    return best


def _prey(board: chess.Board, move: chess.Move) -> int:
    """Return what a capture captures."""
    return WORTH[board.piece_type_at(move.to_square) or chess.PAWN]
