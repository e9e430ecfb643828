"""Positions and workers for the tests of single search rules.

A search of one root move leads to the node under test, which is no PV node unless `driver_pv_nodes` is on.
Tests store entries in the transposition table for the rule to find. Workers use PARAMETERS.
"""

from sssnake._fast.board.board import Board
from sssnake._fast.evaluation.evaluate import Evaluator
from sssnake._fast.search.tt import TranspositionTable
from sssnake._fast.search.worker import StopFlag, Worker
from support.parameters import PARAMETERS

DEEP = 20  # plies: deeper than any search here
EVALUATOR = Evaluator()

ROOK_UP = "7k/8/8/8/8/8/r7/2K4R b - - 0 1"  # Kg7: White is to move
QUEEN_HANGS = "6k1/8/7p/3q4/8/7P/3R4/K7 b - - 0 1"  # Kg7: Rxd5 wins, all else loses
QUEEN_UP = "6k1/8/8/8/8/8/3Q4/K7 b - - 0 1"  # Kg7: White wins with nearly all moves
PAWNS_UP = "6k1/8/8/8/8/8/4PP2/K7 b - - 0 1"  # Kg7: White has pawns alone
THREE_KNIGHTS = "6k1/8/8/nn2n3/6b1/5N2/6P1/RR1Q2K1 b - - 0 1"  # Kg7: Nxe5 loses the queen
MOVE = "g8g7"


def worker_at(board: Board, moves: list[str], depth: int) -> Worker:
    """A new worker with an empty table, set to search some root moves of `board` to `depth`."""
    worker = Worker(TranspositionTable(1, exact=True), StopFlag(), PARAMETERS)
    worker.set_position(board, [board.parse(move) for move in moves])
    worker.new_iteration(depth)
    return worker


def after(board: Board, *moves: str) -> Board:
    """The board after moves in UCI notation."""
    board = board.copy()
    for move in moves:
        board.push(move)
    return board


def passed(board: Board) -> Board:
    """The position after a null move."""
    fields = board.fen().split()
    fields[1] = "b" if fields[1] == "w" else "w"
    fields[3] = "-"
    return Board(" ".join(fields))
