"""Chess positions as a game tree: rules by python-chess, leaf values and keys of the engine, depth fixed.

The tree that `_fast` searches in exact mode, built from the outside: every legal move, mate and stalemate and
dead positions as leaves, the static value at the horizon, children in the core's order of generation.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import chess

from sssnake._fast.board.board import Board
from sssnake._fast.board.playable import read_fen
from sssnake._fast.evaluation.evaluate import Evaluator
from sssnake._fast.search import root as search
from sssnake._fast.values import MATE
from sssnake.engine.lab.trees.trees import TreeError

EVALUATOR = Evaluator()


@dataclass(eq=False)
class Position:
    """An occurrence of a position in the tree; `depth` plies are still to be searched."""

    board: chess.Board
    fast: Board
    depth: int
    ply: int = 0
    move: chess.Move | None = None  # that led here
    moves: list["Position"] | None = field(default=None, repr=False)


class ChessTree:
    """The full-width tree of a position to a fixed depth; values are seen from the root's side to move.

    A node's key is that of the leaf log of `sssnake._fast.search.root`: position and remaining depth.
    """

    def __init__(self, fen: str, depth: int, chess960: bool = False) -> None:
        """Take a FEN; TreeError if it is not one, or if nothing can be played."""
        try:
            fast = Board.from_chess(read_fen(fen, chess960)[0])
        except ValueError as error:
            raise TreeError(str(error)) from None
        self.root = Position(fast.to_chess(), fast, depth)
        if not self.children(self.root):
            raise TreeError(f"no legal move in {fen}")

    def children(self, node: Position) -> Sequence[Position]:
        """Return the positions after every legal move; none at the horizon and where the game is drawn."""
        if node.moves is None:
            node.moves = []
            if node.depth > 0 and not (node.ply and node.board.is_insufficient_material()):
                node.moves = [self._after(node, word) for word in self._ordered(node)]
        return node.moves

    def _ordered(self, node: Position) -> list[chess.Move]:
        """Return the legal moves of python-chess in the order in which the core generates its own."""
        moves = [chess.Move.from_uci(word) for word in node.fast.legal_moves()]
        if set(moves) != set(node.board.legal_moves):
            raise TreeError(f"core and python-chess disagree on the legal moves of {node.board.fen()}")
        return moves

    def _after(self, node: Position, move: chess.Move) -> Position:
        board = node.board.copy(stack=False)
        board.push(move)
        board.clear_stack()
        return Position(board, Board.from_chess(board), node.depth - 1, node.ply + 1, move)

    def value(self, node: Position) -> int:
        """Return the value of a leaf: a draw, the engine's static value at the horizon, mate before it."""
        value = 0
        if node.board.is_insufficient_material():
            pass
        elif node.depth == 0:
            value = EVALUATOR.evaluate(node.fast)
        elif node.board.is_check():
            value = node.ply - MATE
        return -value if node.ply % 2 else value

    def key(self, node: Position) -> int:
        """Return the key under which the core logs the leaf."""
        return search.leaf_key(node.fast.key, node.depth)
