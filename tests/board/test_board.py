"""Board: positions and keys after moves, draw rules, conversion from and to python-chess, invalid input."""

import itertools
import json
import random
import time
from typing import Any

import chess
import chess.polyglot
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.suites import needed

from sssnake._fast.board.board import Board
from sssnake._fast.board.perft import perft
from sssnake._fast.board.playable import read_fen
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.result import Info


def records(name: str) -> list[dict[str, Any]]:
    data: list[dict[str, Any]] = json.loads(needed(name).read_text())
    return data


@st.composite
def games(draw: st.DrawFn) -> chess.Board:
    """A random game, standard or Chess960; with few pieces left repetitions and dead positions are common."""
    starts = [
        chess.Board(),
        chess.Board.from_chess960_pos(draw(st.integers(0, 959))),
        chess.Board("r3k2r/pPp2ppp/8/3Pp3/3pP3/8/PpP2PPP/R3K2R w KQkq e6 0 1"),
        chess.Board("4k3/8/8/8/8/8/4p3/R3K3 w Q - 96 70"),
        chess.Board("8/8/2k5/3n4/4B3/3K4/8/8 b - - 0 1"),
        chess.Board("8/5k2/8/2Pp4/2B5/1K6/8/8 w - d6 0 1"),
    ]
    board = draw(st.sampled_from(starts))
    rng = random.Random(draw(st.integers(0, 1 << 32)))
    for _ in range(draw(st.integers(0, 60))):
        moves = list(board.legal_moves)
        if not moves:
            break
        back = [m for m in moves if board.ply() > 1 and len(board.move_stack) > 1 and undoes(board, m)]
        board.push(rng.choice(back if back and rng.random() < 0.5 else moves))
    return board


def undoes(board: chess.Board, move: chess.Move) -> bool:
    last = board.move_stack[-2]
    return (move.from_square, move.to_square) == (last.to_square, last.from_square)


@settings(max_examples=150, deadline=None)
@given(games())
def test_every_position_of_a_game(game: chess.Board) -> None:
    oracle = game.root()
    board = Board.from_chess(oracle)
    for move in game.move_stack:
        before = board.copy()
        oracle.push(move)
        board.push(move.uci())
        assert before.fen() != board.fen()
        assert board.key == chess.polyglot.zobrist_hash(oracle) == before.key_after(before.parse(move.uci()))
        assert board.turn == oracle.turn
        assert board.pieces == "".join(piece.symbol() for _, piece in sorted(oracle.piece_map().items()))
        assert board.halfmove_clock == oracle.halfmove_clock
        assert board.fullmove_number == oracle.fullmove_number
        assert board.is_check == oracle.is_check()
        assert board.is_checkmate == oracle.is_checkmate()
        assert board.is_stalemate == oracle.is_stalemate()
        assert board.is_insufficient_material == oracle.is_insufficient_material()
        assert board.is_fifty_moves == oracle.is_fifty_moves()
        for count in (1, 2, 3, 5):
            assert board.is_repetition(count) == oracle.is_repetition(count)
        # Moves update all bitboards and keys to those of the position set up from scratch.
        assert board.snapshot() == Board(oracle.fen(en_passant="fen"), oracle.chess960).snapshot()


@settings(max_examples=60, deadline=None)
@given(games())
def test_conversion_to_python_chess_and_back(oracle: chess.Board) -> None:
    board = Board.from_chess(oracle)
    back = board.to_chess()
    assert back == oracle
    assert back.move_stack == oracle.move_stack
    assert back.root() == oracle.root()
    assert board.fen() == oracle.fen()
    assert board.chess960 == oracle.chess960
    other = board.copy()
    assert (other.fen(), other.snapshot(), other.to_chess()) == (board.fen(), board.snapshot(), back)


@settings(max_examples=40, deadline=None)
@given(games())
def test_perft_does_not_change_the_board(oracle: chess.Board) -> None:
    board = Board.from_chess(oracle)
    before = board.snapshot()
    perft(board, 3)  # makes every move from the board's own position
    for move in board.moves():
        board.gives_check(move)
        child = board.copy()
        child.push(board.uci(move))
        assert child.snapshot() != before
    with pytest.raises(ValueError, match="illegal move"):
        board.push("a1a1")
    assert board.snapshot() == before


@pytest.mark.parametrize(
    ("move", "parts"),
    [
        ("e2e4", [0]),
        ("g1f3", [1, 3]),
        ("f1e2", [1, 3]),
        ("h1g1", [1, 4]),
        ("d1e2", [1, 4]),
        ("e1e2", [1, 4]),
        ("e1g1", [1, 4]),
        ("e5d6", [0]),
        ("b7b8q", [0, 1, 4]),
        ("b7b8n", [0, 1, 3]),
        ("b7a8r", [0, 1, 2, 4]),
        ("b7c8b", [0, 1, 2, 3]),
    ],
)
def test_each_part_has_a_key_that_follows_it_alone(move: str, parts: list[int]) -> None:
    """Pawns, White's pieces, Black's pieces, minor pieces, major pieces and kings."""
    fen = "r1b1k3/1P3p2/8/3pP3/8/8/4PP2/R2QKBNR w KQq d6 0 1"
    if move in ("f1e2", "d1e2", "e1e2"):
        fen = fen.replace("4PP2", "5P2")
    if move in ("h1g1", "e1g1"):
        fen = fen.replace("KBNR", "K2R")
    board = Board(fen)
    before = board.part_keys
    board.push(move)
    assert [part for part in range(5) if board.part_keys[part] != before[part]] == parts


def test_keys_of_the_parts_are_those_of_their_pieces() -> None:
    board = Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
    pawns, white, black, minors, majors = board.part_keys
    assert pawns == minors == 0 and majors == white ^ black != white
    for letter, part in zip("PNBRQ", (0, 3, 3, 4, 4), strict=True):
        more = Board(f"4k3/8/8/8/8/8/3{letter}4/4K3 w - - 0 1")
        changed = more.key ^ board.key & 0xFFFFFFFF
        assert more.part_keys[part] == (board.part_keys[part] ^ changed) & 0xFFFFFFFF


def test_null_moves_are_converted() -> None:
    oracle = chess.Board()
    oracle.push_uci("e2e4")
    oracle.push(chess.Move.null())
    oracle.push_uci("d2d4")
    board = Board.from_chess(oracle)
    assert board.to_chess() == oracle
    assert board.key == chess.polyglot.zobrist_hash(oracle)


def test_move_stacks_that_break_the_rules_are_refused() -> None:
    oracle = chess.Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
    oracle.push(chess.Move.null())
    with pytest.raises(ValueError, match="null move in check"):
        Board.from_chess(oracle)
    oracle = chess.Board()
    oracle.push(chess.Move.from_uci("e2e5"))
    with pytest.raises(ValueError, match="illegal move"):
        Board.from_chess(oracle)


@pytest.mark.parametrize("name", ["draw_edge_cases.json", "end_playouts.json"])
def test_recorded_ends(name: str) -> None:
    for record in records(name):
        board = Board(record["start"])
        for move in record["moves"]:
            board.push(move)
        assert board.fen() == record["end_fen"]
        assert board.halfmove_clock == record["halfmove_clock"]
        assert board.is_fifty_moves == record["fifty_moves"]
        assert board.is_checkmate == record["checkmate"]
        assert board.is_stalemate == record["stalemate"]
        assert board.is_insufficient_material == record["insufficient"]
        assert len(board.legal_moves()) == record["n_legal"]
        for count in (2, 3, 5):
            assert board.is_repetition(count) == record[f"is_repetition_{count}"], record["note"]


def test_recorded_histories() -> None:
    for record in records("draw_histories.json"):
        board = Board(record["start"])
        threefold = fifty = None
        for ply, move in enumerate(record["moves"], 1):
            board.push(move)
            if threefold is None and board.is_repetition():
                threefold = ply
            if fifty is None and board.is_fifty_moves:
                fifty = ply
        assert threefold == record["first_threefold_ply"]
        assert fifty == record["first_50move_ply"]


def test_recorded_keys() -> None:
    for record in records("polyglot_keys.json"):
        assert Board(record["fen"]).key == int(record["key"], 16)


@pytest.mark.parametrize(
    ("fen", "moves"),
    [
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
            {"e1g1": "e1g1", "e1h1": "e1g1", "e1c1": "e1c1", "e1a1": "e1c1"},
        ),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", {"e1g1": "", "e1h1": "", "e1a1": "e1c1"}),
        (
            "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
            {"a7a8q": "a7a8q", "a7a8n": "a7a8n", "a7a8": "", "a7a8k": "", "a7a8Q": ""},
        ),
    ],
)
def test_parsing(fen: str, moves: dict[str, str]) -> None:
    board = Board(fen)
    for text, uci in moves.items():
        move = board.parse(text)
        assert (board.uci(move) if move else "") == uci, text


@pytest.mark.parametrize(
    ("fen", "chess960"),
    [
        (chess.STARTING_FEN, False),
        ("rnbqkbnr/pp2pppp/8/2ppP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3", False),
        ("8/8/8/KPpr4/8/8/8/7k w - c6 0 1", False),  # the capture in passing uncovers the king
        ("1n1r2k1/P1P5/8/8/8/8/1p1p4/2R3KR b - - 0 1", False),
        ("r3k2r/8/8/8/1b6/8/3P4/R3K2R w KQkq - 0 1", False),
        ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1", True),
    ],
)
def test_only_legal_moves_are_read(fen: str, chess960: bool) -> None:
    """Of all words that two squares and a piece make; python-chess' move is the one that it writes."""
    board = Board(fen, chess960=chess960)
    oracle = chess.Board(fen, chess960=chess960)
    legal = {move.uci(): move for move in oracle.legal_moves}
    for start, end, piece in itertools.product(chess.SQUARE_NAMES, chess.SQUARE_NAMES, ("", *"nbrqkp")):
        move = board.parse(start + end + piece)
        if start + end + piece in legal:
            assert board.to_move(move) == legal[start + end + piece]
        else:  # castling, in its other notation
            assert not move or oracle.is_castling(board.to_move(move))
    assert board.to_move(0) == chess.Move.null()


def test_parsing_chess960() -> None:
    board = Board("4k3/8/8/8/8/8/8/1R2KR2 w BF - 0 1", chess960=True)
    assert board.uci(board.parse("e1f1")) == "e1f1"  # king takes rook: short
    assert board.uci(board.parse("e1g1")) == "e1f1"  # the king's target: no other move goes there
    assert board.uci(board.parse("e1c1")) == "e1b1"
    board = Board("4k3/8/8/8/8/8/8/1R3K1R w BH - 0 1", chess960=True)
    assert board.uci(board.parse("f1g1")) == "f1g1"  # a step of the king, not castling
    assert board.uci(board.parse("f1h1")) == "f1h1"


@pytest.mark.parametrize(
    "text",
    ["", "e2", "e2e5", "e2e4q", "e2e4e4", "0000", "E2E4", "e9e4", "é2e4", "e2e4\n", "++++", "\ud800" * 4],
)
def test_bad_moves_change_nothing(text: str) -> None:
    board = Board()
    before = board.snapshot()
    assert board.parse(text) == 0
    with pytest.raises(ValueError, match="illegal move") as complaint:
        board.push(text)
    assert "\n" not in str(complaint.value)
    assert board.snapshot() == before
    assert board.to_chess() == chess.Board()


@pytest.mark.parametrize(
    "fen",
    [
        "",
        "nonsense",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR x KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 extra words",
        "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 99999999999999999999 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 99999999999999999999",
        "8/8/8/8/8/8/8/8 w - - 0 1",  # no pieces
        "4k3/8/8/8/8/8/8/8 w - - 0 1",  # no white king
        "8/8/8/8/8/8/8/4K3 w - - 0 1",  # no black king
        "4k3/8/8/8/8/8/8/3KK3 w - - 0 1",  # two white kings
        "K3k3/8/8/8/8/8/8/K7 w - - 0 1",
        "4k3/8/8/8/8/8/8/3PK3 w - - 0 1",  # pawns where none can be
        "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/NNNNNNNN/NNNNNNNN/NNNNNNNN/NNNNNNNN/4K3 w - - 0 1",  # thirty-four pieces
        "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",  # the king can be taken
        "4k~3/8/8/8/8/8/4R3/4K3 w - - 0 1",
    ],
)
@pytest.mark.parametrize("chess960", [False, True])
def test_refused_positions(fen: str, chess960: bool) -> None:
    with pytest.raises(ValueError) as complaint:
        Board(fen, chess960=chess960)
    assert "\n" not in str(complaint.value)


@pytest.mark.parametrize(
    "fen",
    [
        "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1",  # nine pawns
        "4k3/8/8/8/8/BBBBBBBB/BB6/4K3 w - - 0 1",  # ten bishops
        "8/8/8/1k6/8/QQQQQQQQ/QQQQQQQQ/K7 b - - 0 1",  # sixteen queens
        "8/8/8/1Q6/QQQQQQQQ/QQQQQQQQ/KQQQQQQQ/2QQQQQk b - - 0 1",
        "qqqqkqqq/8/8/8/8/8/8/QQQQKQQQ w - - 0 1",
    ],
)
def test_impossible_material_is_played(fen: str) -> None:
    oracle, board = chess.Board(fen), Board(fen)
    assert sorted(board.legal_moves()) == sorted(move.uci() for move in oracle.legal_moves)
    for by_tables in (False, True):
        engine = Engine(hash_mb=1)
        engine.network = None if by_tables else engine.network
        reports: list[Info] = []
        best = engine.play(board, Limits(nodes=3000), reports.append).move
        assert str(best) in board.legal_moves() or (best is None and not board.legal_moves())
        assert all(abs(report.score) <= 32000 for report in reports)


def most_moves(rng: random.Random, queens: int) -> chess.Board:
    """White queens placed so that there are many moves, by hill climbing."""
    board = chess.Board(None)
    squares = rng.sample(chess.SQUARES, queens + 2)
    for square, piece in zip(squares, "Kk" + "Q" * queens, strict=True):
        board.set_piece_at(square, chess.Piece.from_symbol(piece))
    for _ in range(150):
        other = board.copy()
        old, new = rng.choice(list(board.piece_map())), rng.choice(chess.SQUARES)
        if not board.piece_at(new):
            other.set_piece_at(new, other.remove_piece_at(old))
            if other.pseudo_legal_moves.count() > board.pseudo_legal_moves.count():
                board = other
    return board


def test_lists_of_far_more_moves_than_games_have() -> None:
    rng = random.Random(1)
    counts = []
    for queens in (9, 12, 16, 20, 24, 30):
        oracle = most_moves(rng, queens)
        counts.append(oracle.legal_moves.count())
        if not oracle.was_into_check():
            board = Board(oracle.fen())
            assert sorted(board.legal_moves()) == sorted(move.uci() for move in oracle.legal_moves)
    assert max(counts) > 218


def test_wrong_types() -> None:
    with pytest.raises(TypeError):
        Board(None)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Board().push(None)  # type: ignore[arg-type]


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="pnbrqkPNBRQK12345678/ w-e3KQ0~", max_size=70))
def test_garbled_fens_never_crash(fen: str) -> None:
    try:
        board = Board(fen)
    except ValueError as complaint:
        assert "\n" not in str(complaint)
    else:
        assert sorted(board.legal_moves()) == sorted(move.uci() for move in chess.Board(fen).legal_moves)


@settings(max_examples=300, deadline=None)
@given(st.randoms(use_true_random=False), st.booleans())
def test_crowded_boards_are_played_or_refused(rng: random.Random, turn: bool) -> None:
    oracle = chess.Board(None)
    for square in rng.sample(chess.SQUARES, rng.randint(2, 40)):
        oracle.set_piece_at(square, chess.Piece(rng.randint(1, 5), rng.random() < 0.5))
    for color, square in zip(chess.COLORS, rng.sample(chess.SQUARES, 2), strict=True):
        oracle.set_piece_at(square, chess.Piece(chess.KING, color))
    oracle.turn = turn
    try:
        board = Board.from_chess(oracle)
    except ValueError:
        return
    assert sorted(board.legal_moves()) == sorted(move.uci() for move in oracle.legal_moves)
    assert perft(board, 2) == sum(perft(after(board, move), 1) for move in board.legal_moves())


def after(board: Board, move: str) -> Board:
    child = board.copy()
    child.push(move)
    return child


def test_odd_fields_are_corrected() -> None:
    board = Board("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -")  # four-field EPD
    assert board.fen() == chess.STARTING_FEN
    board = Board("4k3/8/8/8/8/8/8/R3K2R w KQkq e6 0 1")  # no such castling rights and en-passant square
    assert board.fen() == "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    board = Board("4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1")
    assert board.fen() == "4k3/8/8/8/8/8/8/R2K3R w - - 0 1"


def test_which_fens_mean_chess960() -> None:
    assert not read_fen(chess.STARTING_FEN)[0].chess960
    assert not read_fen("4k3/8/8/8/8/8/8/R2K3R w - - 0 1")[0].chess960
    assert read_fen("4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1")[0].chess960
    assert read_fen("4k3/8/8/8/8/8/8/1R2K2R w HB - 0 1")[0].chess960


@pytest.mark.clock
def test_a_long_game_is_set_up_quickly() -> None:
    rng = random.Random(7)
    oracle = chess.Board()
    while len(oracle.move_stack) < 300 and not oracle.is_game_over():
        oracle.push(rng.choice(list(oracle.legal_moves)))
    moves = [move.uci() for move in oracle.move_stack]
    best = min(timed(moves) for _ in range(5))
    assert best < 0.003 * max(len(moves) / 300, 1)


def timed(moves: list[str]) -> float:
    start = time.perf_counter()
    board = Board()
    for move in moves:
        board.push(move)
    return time.perf_counter() - start
