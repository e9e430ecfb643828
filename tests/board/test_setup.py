"""Setting up: a chess.Board and a FEN give the position that python-chess sees, or one line of error."""

import random
from collections.abc import Iterator
from typing import Any

import chess
import chess.polyglot
import pytest
from support.constants import KIWIPETE

from sssnake._fast.board.board import Board
from sssnake._fast.board.playable import read_fen

FENS = [
    chess.STARTING_FEN,
    KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "4k2r/8/8/8/8/8/8/R3K3 b Qk - 99 9999",
    "8/8/8/8/8/5k2/5q2/7K b - - 0 0",
]


def positions(games: int) -> Iterator[chess.Board]:
    rng = random.Random(7)
    for number in range(games):
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if number % 3 == 2 else chess.Board()
        while not board.is_game_over() and len(board.move_stack) < 80:
            board.push(rng.choice(list(board.legal_moves)))
            yield board


def same(ours: Board, theirs: chess.Board) -> bool:
    return (
        ours.key == chess.polyglot.zobrist_hash(theirs)
        and set(ours.legal_moves()) == {theirs.uci(move) for move in theirs.legal_moves}
        and ours.is_check == theirs.is_check()
        and ours.fen() == theirs.fen()
    )


def test_positions_of_games_with_and_without_their_moves() -> None:
    for number, board in enumerate(positions(12)):
        ours = Board.from_chess(board)
        assert same(ours, board) and ours.to_chess() == board
        assert ours.to_chess().move_stack == board.move_stack and ours.to_chess().root() == board.root()
        bare = board.copy(stack=False)
        assert same(Board.from_chess(bare), bare)
        if number % 4 == 0 and not board.chess960:
            for fen in (board.fen(), board.fen(en_passant="fen")):
                read = Board.from_fen(fen)
                assert same(read, chess.Board(fen)) and read.snapshot() == Board(fen).snapshot()


def test_a_null_move_is_kept_and_one_in_check_refused() -> None:
    board = chess.Board()
    for move in ("e2e4", "0000", "d2d4"):
        board.push_uci(move)
    assert same(Board.from_chess(board), board)
    board = chess.Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
    board.push(chess.Move.null())
    with pytest.raises(ValueError, match="null move in check"):
        Board.from_chess(board)


def outcome(read: Any, text: str) -> tuple[bytes, str] | str:
    try:
        board = read(text)
    except ValueError as error:
        return str(error)
    return board.snapshot(), board.fen()


def test_a_fen_broken_at_random_is_read_as_the_reader_of_all_files_reads_it() -> None:
    rng, read, refused = random.Random(11), 0, 0
    letters = "pnbrqkPNBRQK12345678/ -wbKQkq36aeh0x~\té\0\ud800"
    for _ in range(6000):
        text = rng.choice(FENS)
        for _ in range(rng.choice((1, 1, 2, 3))):
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice((rng.choice(letters), "")) + text[at + rng.choice((0, 1)) :]
        found = outcome(Board.from_fen, text)
        assert found == outcome(lambda fen: Board.from_chess(read_fen(fen)[0]), text), text
        read, refused = read + (not isinstance(found, str)), refused + isinstance(found, str)
        assert not isinstance(found, str) or "\n" not in found
    assert read > 500 and refused > 500


@pytest.mark.parametrize("fen", FENS)
def test_fens_as_they_are_written(fen: str) -> None:
    assert same(Board.from_fen(fen), chess.Board(fen)) and same(Board.from_fen(fen + " "), chess.Board(fen))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("pawns", -1),
        ("pawns", 1 << 64),
        ("knights", chess.BB_E1),
        ("kings", chess.BB_E1),
        ("kings", 0),
        ("rooks", chess.BB_EMPTY),
        ("fullmove_number", -1),
        ("halfmove_clock", 1 << 40),
        ("ep_square", 1 << 40),
        ("castling_rights", -1),
        ("occupied_co", [0, 0]),
        ("occupied_co", [chess.BB_ALL, chess.BB_ALL]),
    ],
)
def test_boards_that_contradict_themselves_are_refused(name: str, value: Any) -> None:
    board = chess.Board()
    setattr(board, name, value)
    with pytest.raises(ValueError, match=r"^illegal position: .+$"):
        Board.from_chess(board)


def test_rights_and_en_passant_squares_that_do_not_exist_are_dropped() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    board.castling_rights = chess.BB_A1 | chess.BB_H1 | chess.BB_A8 | chess.BB_D4 | chess.BB_B1
    board.ep_square = chess.E6
    assert same(Board.from_chess(board), chess.Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"))
    board.ep_square = 200
    assert Board.from_chess(board).fen() == "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
