"""samples: positions kept of a game, their view, and their features, compared with python-chess."""

import random
import struct
from array import array
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest

from sssnake._fast.board.board import Board
from sssnake._fast.training.samples import SAMPLE_SIZE, Collector, features, validate
from sssnake.engine.games import gamelog

SKIP, LIMIT = 4, 500
LAYOUT = struct.Struct("<Q16shBBI")


def feature(board: chess.Board, view: chess.Color, square: chess.Square) -> int:
    """The index of the piece on `square` as `view` sees it, by the definition."""
    piece, king = board.piece_at(square), board.king(view)
    assert piece and king is not None
    flip = 0 if view else 56
    mirror = 7 if chess.square_file(king) >= 4 else 0
    return (0 if piece.color == view else 384) + 64 * (piece.piece_type - 1) + (square ^ flip ^ mirror)


def expected(game: gamelog.LoggedGame) -> Iterator[tuple[chess.Board, int, int]]:
    """(board, score, result) of the positions to keep, mover's view."""
    for ply, (board, move, score) in enumerate(game.positions()):
        if ply < SKIP or board.is_check() or not gamelog.is_quiet(move) or abs(score) > LIMIT:
            continue
        yield board, score if board.turn else -score, game.result if board.turn else 2 - game.result


def add(collector: Collector, game: gamelog.LoggedGame, number: int) -> None:
    """Hand a game to the collector."""
    moves, scores = zip(*game.plies, strict=True)
    start = Board.from_chess(game.start)
    collector.add(start, array("H", moves), array("h", scores), game.result, number)


def test_samples_are_the_quiet_positions(shard: Path) -> None:
    collector = Collector(SKIP, LIMIT)
    wanted = []
    plies = 0
    for number, game in enumerate(gamelog.read_games(shard)):
        add(collector, game, number)
        plies += len(game.plies)
        for board, score, result in expected(game):
            flags = (not board.turn) + 2 * board.chess960
            views = [
                sorted(feature(board, view, square) for square in board.piece_map())
                for view in (board.turn, not board.turn)
            ]
            wanted.append((views, score, result, flags, number))
    data = collector.samples_so_far()
    validate(data)
    assert len(data) == SAMPLE_SIZE * len(collector) == LAYOUT.size * len(wanted)
    for i, row in enumerate(wanted):
        sample = data[i * SAMPLE_SIZE : (i + 1) * SAMPLE_SIZE]
        views = [sorted(view) for view in features(sample)]
        assert (views, *LAYOUT.unpack(sample)[2:]) == row
    left_out = collector.opening + collector.in_check + collector.tactical + collector.unscored
    assert collector.plies == plies == left_out + len(collector)
    assert min(collector.opening, collector.in_check, collector.tactical, collector.unscored) > 0


def test_a_position_and_its_mirror_image_are_one_sample() -> None:
    """Colours exchanged, board upside down: the same but for the flag."""
    rng = random.Random(1)
    board = chess.Board()
    for _ in range(30):
        board.push(rng.choice(list(board.legal_moves)))
        mirrored = board.mirror()
        found = []
        for position in (board, mirrored):
            collector = Collector()
            moves = [m for m in position.legal_moves if not position.is_capture(m) and not m.promotion]
            if not moves or position.is_check():
                continue
            move = moves[0]
            code = gamelog.encode_move(position, move)
            score, result = (30, 2) if position.turn else (-30, 0)
            start = Board.from_chess(position.copy(stack=False))
            collector.add(start, array("H", [code]), array("h", [score]), result, 7)
            found.append(LAYOUT.unpack(collector.samples_so_far()))
        if found:
            assert found[0][:4] == found[1][:4]
            assert {found[0][4], found[1][4]} == {0, 1}


def test_mates_and_missing_scores_are_never_kept() -> None:
    code = gamelog.encode_move(chess.Board(), chess.Move.from_uci("g1f3"))
    for score, kept in ((31743, 1), (31744, 0), (-31744, 0), (gamelog.NO_SCORE, 0)):
        collector = Collector()
        collector.add(Board(), array("H", [code]), array("h", [score]), 1, 0)
        assert len(collector) == kept
        assert collector.unscored == 1 - kept


def test_an_illegal_move_undoes_its_game(shard: Path) -> None:
    games = list(gamelog.read_games(shard))
    collector = Collector()
    add(collector, games[0], 0)
    before = collector.samples_so_far()
    games[1].plies[20] = games[1].plies[21]
    with pytest.raises(ValueError, match="an illegal move at ply 21"):
        add(collector, games[1], 1)
    assert collector.samples_so_far() == before
    with pytest.raises(ValueError, match="2 moves and 1 scores"):
        collector.add(Board(), array("H", [1, 2]), array("h", [0]), 1, 0)


def test_what_is_no_sample_is_refused(shard: Path) -> None:
    collector = Collector()
    add(collector, next(gamelog.read_games(shard)), 0)
    good = collector.samples_so_far()[:SAMPLE_SIZE]
    validate(good * 3)
    validate(b"")
    crowded = b"\xff" * 8 + good[8:]
    kingless = good[:8] + bytes(16) + good[24:]
    result = good[:26] + b"\3" + good[27:]
    unknown = good[:8] + b"\xcc" + good[9:]
    for bad in (crowded, kingless, result, unknown):
        with pytest.raises(ValueError, match="sample 1 is no chess position"):
            validate(good + bad)
    with pytest.raises(ValueError, match="no whole number"):
        validate(good[:-1])
    with pytest.raises(ValueError, match="32 bytes, not 64"):
        features(good + good)
