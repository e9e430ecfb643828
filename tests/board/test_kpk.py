"""KPK bitbase: the compiled one against a slow analysis in Python, and against tablebases."""

import time

import chess
import chess.syzygy
import pytest
from support.tablebases import FOLDER, NO_FOLDER

from sssnake._fast.board import kpk

State = tuple[int, int, int, bool]  # king, pawn, lone king, whether the strong side (White) is to move


def board_of(state: State) -> chess.Board | None:
    """The position; None if it is not legal."""
    king, pawn, lone, turn = state
    if len({king, pawn, lone}) < 3 or chess.square_distance(king, lone) < 2:
        return None
    board = chess.Board.empty()
    board.set_piece_at(king, chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(lone, chess.Piece(chess.KING, chess.BLACK))
    board.set_piece_at(pawn, chess.Piece(chess.PAWN, chess.WHITE))
    board.turn = turn
    return board if board.is_valid() else None


def wins_at_once(board: chess.Board) -> bool:
    """Whether a promotion leaves a queen or rook that is neither taken nor stalemates."""
    for move in board.legal_moves:
        if move.promotion in (chess.QUEEN, chess.ROOK):
            board.push(move)
            taken = any(board.is_capture(reply) for reply in board.legal_moves)
            alive = not taken and not board.is_stalemate()
            board.pop()
            if alive:
                return True
    return False


def successors(board: chess.Board) -> list[State | None]:
    """Of all moves but promotions; None: the pawn is gone."""
    found: list[State | None] = []
    for move in board.legal_moves:
        if move.promotion is None:
            board.push(move)
            pawns, king, lone = board.pawns, board.king(chess.WHITE), board.king(chess.BLACK)
            assert king is not None and lone is not None
            found.append((king, pawns.bit_length() - 1, lone, board.turn) if pawns else None)
            board.pop()
    return found


def solve(pawns: list[int]) -> dict[State, bool]:
    """Won or not, for every legal position with the pawn on one of these squares (of one file, up to the
    seventh rank): wins are added until nothing changes."""
    states = [(k, p, lone, t) for k in range(64) for p in pawns for lone in range(64) for t in (True, False)]
    boards = {state: board for state in states if (board := board_of(state))}
    won = {state: board.turn and wins_at_once(board) for state, board in boards.items()}
    moves = {state: successors(board) for state, board in boards.items()}
    changed = True
    while changed:
        changed = False
        for state, replies in moves.items():
            if not won[state] and replies:
                results = [reply is not None and won[reply] for reply in replies]
                won[state] = any(results) if state[3] else all(results)
                changed |= won[state]
    return won


@pytest.mark.parametrize("pawns", [["a5", "a6", "a7"], ["d6", "d7"], ["g6", "g7"]])
def test_the_bitbase_equals_a_slow_analysis(pawns: list[str]) -> None:
    solved = solve([chess.parse_square(name) for name in pawns])
    assert 0.2 < sum(solved.values()) / len(solved) < 0.95
    wrong = [state for state, won in solved.items() if kpk.won(*state) != won]
    assert not wrong, wrong[:3]


@pytest.mark.skipif(FOLDER is None, reason=NO_FOLDER)
def test_the_bitbase_equals_tablebases() -> None:
    """Every seventh pair of kings, every pawn, either side to move."""
    count = 0
    with chess.syzygy.open_tablebase(str(FOLDER)) as tables:
        for index in range(0, 64 * 64, 7):
            king, lone = divmod(index, 64)
            for pawn in range(8, 56):
                for turn in (True, False):
                    board = board_of((king, pawn, lone, turn))
                    if board:
                        count += 1
                        assert kpk.won(king, pawn, lone, turn) == (tables.probe_wdl(board) != 0), board.fen()
    assert count > 40_000


def test_invalid_positions_are_refused() -> None:
    for squares in ((0, 7, 20), (0, 56, 20), (-1, 8, 20), (0, 8, 64)):
        with pytest.raises(ValueError, match="no king and pawn"):
            kpk.won(*squares, True)


def test_filling_the_bitbase_is_fast() -> None:
    """At import, and in processor time: the engine answers `uci` within a tenth of a second."""
    start = time.process_time()
    kpk.fill()
    assert time.process_time() - start < 0.005
