"""The same position again: by other moves (a transposition), or on one's own path (a repetition)."""

from dataclasses import dataclass, field

import chess
import chess.polyglot

from sssnake.engine.lab.lessons.frames import Frame
from sssnake.engine.lab.lessons.horizon import material

# Two orders of the same moves; two kings and a pawn, who meet the same positions often; a queen that
# gives check for ever, against a queen and a rook.
ORDERS = ("d4 Nf6 c4", "c4 Nf6 d4")
ENDING = "8/8/8/3k4/8/3K4/3P4/8 w - - 0 1"
PERPETUAL = "6k1/6p1/8/7Q/8/8/qr6/6K1 w - - 0 1"
DEPTHS = (2, 4, 5)


@dataclass
class Visits:
    """What a minimax search has done: nodes, and positions whose value it used again."""

    nodes: int = 0
    reused: int = 0
    values: dict[tuple[int, int], int] = field(default_factory=dict)


def minimax(board: chess.Board, depth: int, visits: Visits, remembers: bool) -> int:
    """Return the value by material for the side to move; `remembers`: with a table of (position, depth)."""
    key = chess.polyglot.zobrist_hash(board), depth
    if remembers and key in visits.values:
        visits.reused += 1
        return visits.values[key]
    visits.nodes += 1
    moves = list(board.legal_moves)
    value = material(board) if depth == 0 or not moves else -1000
    for move in moves if depth else []:
        board.push(move)
        value = max(value, -minimax(board, depth - 1, visits, remembers))
        board.pop()
    visits.values[key] = value
    return value


def with_repetitions(
    board: chess.Board, depth: int, alpha: int, beta: int, draws: bool, path: tuple[int, ...] = ()
) -> tuple[int, list[chess.Move]]:
    """Return value and line by alpha-beta; draws: a position that is on the path already is worth 0."""
    key = chess.polyglot.zobrist_hash(board)
    if draws and key in path:
        return 0, []
    moves = sorted(board.legal_moves, key=lambda move: (not board.gives_check(move), move.uci()))
    if depth == 0 or not moves:
        return material(board), []
    best, line = -1000, []
    for move in moves:
        board.push(move)
        value, below = with_repetitions(board, depth - 1, -beta, -alpha, draws, (*path, key))
        board.pop()
        if -value > best:
            best, line = -value, [move, *below]
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best, line


def played(words: str) -> chess.Board:
    """Return the position after moves from the initial one."""
    board = chess.Board()
    for word in words.split():
        board.push_san(word)
    return board


def repetition() -> list[Frame]:
    """Transpositions save work; repetitions on the path are draws, or the search would go round for ever."""
    frames = []
    for words in ORDERS:
        board = played(words)
        frames.append(Frame(board, f"{words}: key {chess.polyglot.zobrist_hash(board):016X}"))
    frames.append(Frame(played(ORDERS[0]), "the same key: the value of the one is that of the other"))
    board = chess.Board(ENDING)
    for depth in DEPTHS:
        plain, table = Visits(), Visits()
        assert minimax(board, depth, plain, False) == minimax(board, depth, table, True)
        words = f"{depth} plies: {plain.nodes} nodes; with a table of positions {table.nodes}"
        frames.append(Frame(board, f"{words}, and {table.reused} values used again"))
    board = chess.Board(PERPETUAL)
    for draws in (False, True):
        rule = "a repetition is a draw" if draws else "repetitions are not seen"
        for depth in DEPTHS:
            value, line = with_repetitions(board, depth, -1000, 1000, draws)
            frames.append(Frame(board, f"{rule}, {depth} plies: {value:+d}  {board.variation_san(line)}"))
    last = "The 0 came from the path: such a value must not go into the table, another path may not draw."
    frames.append(Frame(board, last))
    return frames
