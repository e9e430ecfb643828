"""Legal moves, move legality and checks against python-chess, on random games and on recorded positions."""

import json
import random
from pathlib import Path

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.constants import KIWIPETE
from support.suites import OWN, located

from sssnake._fast.board.board import Board

RECORDED = [OWN / "positions.jsonl", *located("legal_moves.jsonl")]

STARTS = [
    chess.STARTING_FEN,
    KIWIPETE,
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",  # promotions
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",  # en passant
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",  # castling
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",  # pins
    "7k/QQQQQ3/8/8/8/8/qqqqq3/7K w - - 0 1",  # checks
    "4k3/8/2N5/1B6/4N3/6p1/3r2KR/4R3 w - - 0 1",  # discovered checks
    "4k3/8/8/8/4N3/6p1/6KR/4R3 w - - 0 1",  # ... from a file
    "5k2/8/3N4/2B5/8/8/8/4K2R w K - 0 1",  # ... from a diagonal; castling gives check
]


@st.composite
def games(draw: st.DrawFn) -> chess.Board:
    """A random game, standard or Chess960, that prefers the rarer kinds of move."""
    chess960 = draw(st.booleans())
    if chess960:
        board = chess.Board.from_chess960_pos(draw(st.integers(0, 959)))
    else:
        board = chess.Board(draw(st.sampled_from(STARTS)))
    rng = random.Random(draw(st.integers(0, 1 << 32)))
    for _ in range(draw(st.integers(0, 80))):
        moves = list(board.legal_moves)
        if not moves:
            break
        rare = [m for m in moves if m.promotion or board.is_castling(m) or board.is_en_passant(m)]
        board.push(rng.choice(rare if rare and rng.random() < 0.5 else moves))
    return board


def agree(board: Board, oracle: chess.Board) -> None:
    """Moves, their kinds and their checks are python-chess's."""
    moves = {board.uci(move): move for move in board.moves()}
    assert sorted(moves) == sorted(move.uci() for move in oracle.legal_moves)
    assert len(moves) == len(board.moves())
    tactical = {move.uci() for move in oracle.legal_moves if move.promotion or oracle.is_capture(move)}
    assert {board.uci(move) for move in board.moves("tactical")} == tactical
    assert sorted(board.moves("tactical") + board.moves("quiet")) == sorted(board.moves())
    if not oracle.is_check():
        quiet = [move for move in oracle.legal_moves if move.uci() not in tactical]
        checks = [move for move in quiet if oracle.gives_check(move) and not oracle.is_castling(move)]
        assert sorted(map(board.uci, board.moves("checks"))) == sorted(move.uci() for move in checks)
    for uci, move in moves.items():
        assert board.is_legal(move)
        assert board.parse(uci) == move
        assert board.gives_check(move) == oracle.gives_check(chess.Move.from_uci(uci)), uci


@pytest.mark.parametrize("fen", STARTS)
def test_where_games_start(fen: str) -> None:
    agree(Board(fen), chess.Board(fen))


@settings(max_examples=150, deadline=None)
@given(games())
def test_random_games(oracle: chess.Board) -> None:
    agree(Board.from_chess(oracle), oracle)


@settings(max_examples=15, deadline=None)
@given(games())
def test_only_legal_moves_are_legal(oracle: chess.Board) -> None:
    board = Board.from_chess(oracle)
    assert [move for move in range(1 << 16) if board.is_legal(move)] == sorted(board.moves())


@settings(max_examples=15, deadline=None)
@given(games(), games())
def test_moves_of_another_game_are_judged(one: chess.Board, other: chess.Board) -> None:
    board, stranger = Board.from_chess(one), Board.from_chess(other)
    legal = set(board.moves())
    for move in stranger.moves():
        assert board.is_legal(move) == (move in legal)
        if move not in legal:
            for ask in (board.gives_check, board.key_after):
                with pytest.raises(ValueError, match="illegal move"):
                    ask(move)


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_recorded_positions(path: Path) -> None:
    for line in path.read_text().splitlines():
        record = json.loads(line)
        board = Board(record["fen"], chess960=record["chess960"])
        assert sorted(board.legal_moves()) == sorted(record["legal"])
        assert board.is_check == record["check"]
        assert board.is_checkmate == record["checkmate"]
        assert board.is_stalemate == record["stalemate"]
        assert board.is_insufficient_material == record["insufficient"]
        assert board.key == int(record["zobrist_polyglot"], 16)
        agree(board, chess.Board(record["fen"], chess960=record["chess960"]))


def test_the_longest_move_list() -> None:
    fen = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"  # Petrovic, 1964
    assert len(Board(fen).moves()) == 218


def test_bad_arguments() -> None:
    board = Board()
    with pytest.raises(ValueError, match="no such kind"):
        board.moves("noisy")
    for move in (-1, 1 << 16):
        with pytest.raises(ValueError, match="sixteen bits"):
            board.is_legal(move)
        with pytest.raises(ValueError, match="sixteen bits"):
            board.gives_check(move)
        with pytest.raises(ValueError, match="sixteen bits"):
            board.uci(move)
