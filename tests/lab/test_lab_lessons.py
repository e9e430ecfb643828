"""The lessons: their claims, on their own positions and beside oracles."""

import chess
import pytest

from sssnake.engine.lab.cli import main
from sssnake.engine.lab.lessons import hashing, horizon
from sssnake.engine.lab.lessons.hashing import CROSS, EMPTY, NOUGHT, SIX_BITS, Keys
from sssnake.engine.lab.lessons.lessons import LESSONS, SUPPORTED, UNSUPPORTED
from sssnake.engine.lab.lessons.remedies import TRAPPED


@pytest.mark.parametrize("name", LESSONS)
def test_a_lesson_is_printed(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lesson", name]) == 0
    assert capsys.readouterr().out.splitlines() == list(LESSONS[name]())
    assert main(["lesson"]) == 0
    assert name in capsys.readouterr().out
    assert main(["lesson", name + "x"]) == 2


def test_the_keys_of_the_lecture_s_two_boards() -> None:
    """X on 1 and O on 5, O to move; then O on 9, X to move."""
    assert SIX_BITS.hash("X...O....", NOUGHT) == 0b001100
    assert SIX_BITS.hash("X...O...O", CROSS) == 0b000101
    assert SIX_BITS.after(0b001100, NOUGHT, 9) == 0b000101


def test_keys_are_updated_move_by_move_and_forget_the_order() -> None:
    keys = Keys.of_bits(64)
    for order in ((1, 5, 9, 3), (9, 3, 1, 5), (1, 3, 9, 5)):
        board, key, to_move = EMPTY * 9, keys.hash(EMPTY * 9, NOUGHT), NOUGHT
        for square in order:
            board = board[: square - 1] + to_move + board[square:]
            key = keys.after(key, to_move, square)
            to_move = CROSS if to_move == NOUGHT else NOUGHT
            assert key == keys.hash(board, to_move)
        assert (board, key) == ("O.X.X...O", keys.hash("O.X.X...O", NOUGHT))


def test_collisions_end_with_enough_bits() -> None:
    assert len(hashing.positions()) == 5478  # known: positions of tic-tac-toe
    assert hashing.collisions(Keys.of_bits(6)) >= 5478 - 64
    assert hashing.collisions(SIX_BITS) >= 5478 - 64
    assert 0 < hashing.collisions(Keys.of_bits(16)) < 600
    assert hashing.collisions(Keys.of_bits(64)) == 0


def test_occupancy_as_the_lecture_writes_it() -> None:
    rows = ["11011111", "11100101", "00010010", "00001000", "00101000", "00100000", "11111111", "10111001"]
    board = chess.Board(None)
    for rank, row in enumerate(rows):
        for file, bit in enumerate(row):
            if bit == "1":
                board.set_piece_at(chess.square(file, 7 - rank), chess.Piece(chess.PAWN, chess.WHITE))
    assert f"{hashing.occupancy(board):016X}" == "DFE512082820FFB9"  # it prints F7 for its row 11111111


def test_occupancy_confuses_positions_that_zobrist_keys_tell_apart() -> None:
    found = hashing.sharing(3)
    assert found.lines == 8902  # perft(3)
    assert found.by_zobrist == found.positions > found.by_occupancy
    one, other = found.pair
    assert hashing.occupancy(one) == hashing.occupancy(other)
    assert one.board_fen() != other.board_fen()
    assert hashing.zobrist(one) != hashing.zobrist(other)
    with pytest.raises(ValueError, match="differ"):
        hashing.sharing(1)


def first(fen: str, depth: int, *remedies: str) -> str:
    board = chess.Board(fen)
    return board.san(horizon.search(board, depth, remedies).line[0])


def test_an_exchange_that_the_horizon_cuts_in_two() -> None:
    assert first(UNSUPPORTED, 1) == first(SUPPORTED, 1) == "Rxd6"
    assert "x" not in first(UNSUPPORTED, 1, "captures")
    assert first(SUPPORTED, 1, "captures") == "exd6"


def test_the_horizon_effect_and_its_cures() -> None:
    assert [first(TRAPPED, depth) for depth in (2, 3, 4, 5)] == ["e3+", "e3+", "Bxb3", "Bxb3"]
    assert [first(TRAPPED, depth, "captures") for depth in (2, 3)] == ["e3+", "Bxb3"]
    assert first(TRAPPED, 2, "captures", "sacrifices") == "Bxb3"


def plain(board: chess.Board, depth: int) -> int:
    """Minimax on material, as the rule "none" has it."""
    if not any(board.legal_moves):
        return -horizon.MATE - depth if board.is_check() else 0
    if depth == 0:
        return horizon.material(board)
    values = []
    for move in board.legal_moves:
        board.push(move)
        values.append(-plain(board, depth - 1))
        board.pop()
    return max(values)


@pytest.mark.parametrize(
    "fen", [TRAPPED, SUPPORTED, "7k/5Q2/8/8/8/8/8/K7 w - - 0 1", "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"]
)
def test_its_search_is_minimax(fen: str) -> None:
    for depth in (1, 2, 3):
        board = chess.Board(fen)
        found = horizon.search(board, depth)
        assert found.value == plain(board, depth)
        for move in found.line:
            board.push(move)
        sign = 1 if len(found.line) % 2 == 0 else -1
        if len(found.line) == depth and any(board.legal_moves):
            assert sign * horizon.material(board) == found.value
