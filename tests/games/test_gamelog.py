"""The four-byte game format: exact layout, round trips through random games, cut-off files."""

import errno
import os
import random
from pathlib import Path

import chess
import pytest

from sssnake.engine.games import gamelog
from sssnake.engine.games.outcome import BLACK_WON, DRAWN, WHITE_WON


def random_game(rng: random.Random, board: chess.Board, plies: int) -> list[tuple[int, int]]:
    """Random moves from `board` on (which is moved along), encoded, with random scores."""
    found: list[tuple[int, int]] = []
    while len(found) < plies and (moves := list(board.legal_moves)):
        move = rng.choice(moves)
        found.append((gamelog.encode_move(board, move), rng.randrange(-32000, 32001)))
        board.push(move)
    return found


def test_layout_of_the_start_position() -> None:
    data = gamelog.pack_start(chess.Board(), WHITE_WON, 0x0203)
    assert data == bytes.fromhex(
        "ffff00000000ffff"  # ranks 1, 2, 7, 8 are occupied
        "2c844ac2 00000000"  # White: castling rook 12, knight 2, bishop 4, queen 8, king 10; pawns 0
        "11111111 3d955bd3"  # Black: the same + 1
        "40 00 0100 02 00 0302"  # no en passant, White moves; clock; move; result; no Chess960; plies
    )


@pytest.mark.parametrize(
    ("fen", "uci", "code"),
    [
        (chess.STARTING_FEN, "g1f3", 6 << 6 | 21),
        (chess.STARTING_FEN, "e2e4", 12 << 6 | 28 | 1 << 12),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", 4 << 6 | 7 | 2 << 12),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", 4 << 6 | 0 | 3 << 12),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1f1", 4 << 6 | 5),
        ("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "e4d5", 28 << 6 | 35 | 4 << 12),
        ("4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1", "d5e6", 35 << 6 | 44 | 5 << 12),
        ("3r4/4P3/8/8/8/8/8/K6k w - - 0 1", "e7e8n", 52 << 6 | 60 | 8 << 12),
        ("3r4/4P3/8/8/8/8/8/K6k w - - 0 1", "e7d8q", 52 << 6 | 59 | 15 << 12),
    ],
)
def test_move_codes(fen: str, uci: str, code: int) -> None:
    board = chess.Board(fen)
    move = board.parse_uci(uci)
    assert gamelog.encode_move(board, move) == code
    assert gamelog.is_quiet(code) == (not board.is_capture(move) and move.promotion is None)
    after, decoded = board.copy(), board.copy()
    after.push(move)
    decoded.push(gamelog.decode_move(code))
    assert after.fen() == decoded.fen()


def test_random_games_come_back(tmp_path: Path) -> None:
    rng, games = random.Random(5), []
    path = tmp_path / "games"
    with gamelog.Writer(path) as writer:
        for number in range(24):
            board = chess.Board() if number % 2 else chess.Board.from_chess960_pos(rng.randrange(960))
            random_game(rng, board, rng.randrange(60))
            start = board.copy()
            plies = random_game(rng, board, 120)
            games.append((start, number % 3, plies, board))
            writer.write(start, number % 3, plies)
    assert path.stat().st_size == sum(32 + 4 * len(plies) for _, _, plies, _ in games)
    found = list(gamelog.read_games(path))
    assert len(found) == len(games)
    for game, (start, result, plies, end) in zip(found, games, strict=True):
        assert (game.result, game.plies) == (result, plies)
        assert game.start.fen(en_passant="fen") == start.fen(en_passant="fen")
        assert game.start.chess960 == start.chess960
        board = game.start.copy()
        for (before, move, score), ply in zip(game.positions(), plies, strict=True):
            assert before.fen() == board.fen()
            assert (move, score) == ply
            board.push(gamelog.decode_move(move))
        assert board.fen() == end.fen()
    raw = list(gamelog.raw_games(path))
    assert [list(zip(moves, scores, strict=True)) for _, moves, scores in raw] == [g.plies for g in found]


def test_castling_in_chess960_is_told_from_king_moves() -> None:
    board = chess.Board("1k6/8/8/8/8/8/8/1R3KR1 w GB - 0 1", chess960=True)
    for uci, kind in (("f1g1", 2), ("f1b1", 3), ("f1e1", 0)):
        code = gamelog.encode_move(board, board.parse_uci(uci))
        assert code >> 12 == kind
        after, decoded = board.copy(), board.copy()
        after.push_uci(uci)
        decoded.push(gamelog.decode_move(code))
        assert after.fen() == decoded.fen()


@pytest.mark.parametrize(
    ("turn", "cp", "mate", "score"),
    [
        (chess.WHITE, 31, None, 31),
        (chess.BLACK, 31, None, -31),
        (chess.WHITE, 99999, None, 31743),
        (chess.BLACK, 99999, None, -31743),
        (chess.WHITE, None, 1, 31999),
        (chess.BLACK, None, 2, -31997),
        (chess.WHITE, None, -2, -31996),
        (chess.BLACK, None, -900, 31744),
        (chess.BLACK, None, None, gamelog.NO_SCORE),
    ],
)
def test_scores_are_whites(turn: bool, cp: int | None, mate: int | None, score: int) -> None:
    assert gamelog.white_score(turn, cp, mate) == score


def test_a_cut_off_game_is_taken_off_and_written_again(tmp_path: Path) -> None:
    path, plies = tmp_path / "games", [(gamelog.encode_move(chess.Board(), chess.Move.from_uci("e2e4")), 20)]
    with gamelog.Writer(path) as writer:
        writer.write(chess.Board(), DRAWN, plies)
        writer.write(chess.Board(), BLACK_WON, plies)
    whole = path.read_bytes()
    for cut in (1, 5, 35):
        path.write_bytes(whole[:-cut])
        assert len(list(gamelog.read_games(path))) == 1
        with gamelog.Writer(path) as writer:
            assert writer.games == 1
            writer.write(chess.Board(), BLACK_WON, plies)
            assert writer.games == 2
        assert path.read_bytes() == whole


def full_disk(monkeypatch: pytest.MonkeyPatch, room: int) -> None:
    """From now on `room` bytes can be written."""
    write, left = os.write, [room]

    def limited(descriptor: int, data: bytes) -> int:
        if not left[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = write(descriptor, data[: left[0]])
        left[0] -= written
        return written

    monkeypatch.setattr(os, "write", limited)


@pytest.mark.parametrize("room", [0, 1, 35])
def test_a_full_disk_leaves_whole_games(room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, plies = tmp_path / "games", [(gamelog.encode_move(chess.Board(), chess.Move.from_uci("e2e4")), 20)]
    with gamelog.Writer(path) as writer:
        writer.write(chess.Board(), DRAWN, plies)
        whole = path.read_bytes()
        full_disk(monkeypatch, room)
        with pytest.raises(OSError, match="No space left") as error:
            writer.write(chess.Board(), DRAWN, plies)
        assert writer.games == 1 and error.value.filename == str(path)
    assert path.read_bytes() == whole


def test_a_log_has_one_writer(tmp_path: Path) -> None:
    path, plies = tmp_path / "games", [(gamelog.encode_move(chess.Board(), chess.Move.from_uci("e2e4")), 20)]
    with gamelog.Writer(path) as writer:
        writer.write(chess.Board(), DRAWN, plies)
        with path.open("ab") as file:
            file.write(b"torn")
        before = path.read_bytes()
        with pytest.raises(ValueError, match="games: another process is writing it"):
            gamelog.Writer(path)
        assert gamelog.count(path) == 1 and path.read_bytes() == before, "who counts cuts nothing"
    with gamelog.Writer(path) as writer:
        assert writer.games == 1


def test_another_file_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    for text in ("short", "a longer text that is no game log at all, " * 3):
        path.write_text(text)
        with pytest.raises(ValueError, match="not a game log"):
            gamelog.Writer(path)
        assert path.read_text() == text


def test_a_torn_first_game_is_written_again(tmp_path: Path) -> None:
    """A run that was killed at any byte of its first game goes on; so does one that wrote nothing."""
    path, plies = tmp_path / "games", [(gamelog.encode_move(chess.Board(), chess.Move.from_uci("e2e4")), 20)]
    with gamelog.Writer(path) as writer:
        writer.write(chess.Board(), DRAWN, plies)
    whole = path.read_bytes()
    for kept in range(len(whole)):
        path.write_bytes(whole[:kept])
        assert gamelog.count(path) == 0
        with gamelog.Writer(path) as writer:
            assert writer.games == 0
            writer.write(chess.Board(), DRAWN, plies)
        assert path.read_bytes() == whole


@pytest.mark.parametrize("text", ["1. e4\n", "x", "a note of thirty-one characters"])
def test_a_short_text_is_no_torn_game(text: str, tmp_path: Path) -> None:
    path = tmp_path / "notes.games"
    path.write_text(text)
    with pytest.raises(ValueError, match="not a game log"):
        gamelog.Writer(path)
    with pytest.raises(ValueError, match="not a game log"):
        gamelog.count(path)
    assert path.read_text() == text


@pytest.mark.parametrize("data", [b"\xff" * 20, bytes(9), b"\x03" + bytes(7) + b"\xff"])
def test_a_few_bytes_that_are_no_board_are_no_torn_game(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "x.games"
    path.write_bytes(data)
    with pytest.raises(ValueError, match="not a game log"):
        gamelog.Writer(path)
    assert path.read_bytes() == data


def test_a_long_halfmove_clock_is_kept_as_far_as_a_byte_goes(tmp_path: Path) -> None:
    path = tmp_path / "games"
    with gamelog.Writer(path) as writer:
        writer.write(chess.Board("4k3/8/8/8/8/8/8/R3K3 w Q - 300 200"), DRAWN, [])
    assert next(gamelog.read_games(path)).start.halfmove_clock == 255
