"""Attack tables against python-chess's."""

import random

import chess
import pytest

from sssnake._fast.board.attacks import attacks, between, line

PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
WHITE, BLACK = 0, 1


@pytest.mark.parametrize("square", chess.SQUARES)
def test_leapers(square: int) -> None:
    assert attacks(KNIGHT, WHITE, square, 0) == chess.BB_KNIGHT_ATTACKS[square]
    assert attacks(KING, WHITE, square, 0) == chess.BB_KING_ATTACKS[square]
    assert attacks(PAWN, WHITE, square, 0) == chess.BB_PAWN_ATTACKS[chess.WHITE][square]
    assert attacks(PAWN, BLACK, square, 0) == chess.BB_PAWN_ATTACKS[chess.BLACK][square]


@pytest.mark.parametrize("square", chess.SQUARES)
def test_sliders_at_every_relevant_occupancy(square: int) -> None:
    noise = random.Random(square).getrandbits(64)  # squares that must not matter
    mask = chess.BB_DIAG_MASKS[square]
    for occupied, expected in chess.BB_DIAG_ATTACKS[square].items():
        assert attacks(BISHOP, WHITE, square, occupied | (noise & ~mask)) == expected
    mask = chess.BB_RANK_MASKS[square] | chess.BB_FILE_MASKS[square]
    for on_rank, along_rank in chess.BB_RANK_ATTACKS[square].items():
        for on_file, along_file in chess.BB_FILE_ATTACKS[square].items():
            occupied = on_rank | on_file | (noise & ~mask)
            assert attacks(ROOK, WHITE, square, occupied) == along_rank | along_file


def test_queen_is_rook_and_bishop() -> None:
    rng = random.Random(1)
    for _ in range(1000):
        square, occupied = rng.randrange(64), rng.getrandbits(64) & rng.getrandbits(64)
        both = attacks(ROOK, WHITE, square, occupied) | attacks(BISHOP, WHITE, square, occupied)
        assert attacks(QUEEN, BLACK, square, occupied) == both


def test_between_and_line() -> None:
    for a in chess.SQUARES:
        for b in chess.SQUARES:
            assert between(a, b) == chess.between(a, b)
            assert line(a, b) == chess.ray(a, b)


@pytest.mark.parametrize(
    "arguments", [(6, 0, 0, 0), (-1, 0, 0, 0), (0, 2, 0, 0), (0, 0, 64, 0), (0, 0, 0, 1 << 64)]
)
def test_out_of_range(arguments: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="out of range"):
        attacks(*arguments)
    with pytest.raises(ValueError, match="out of range"):
        between(arguments[0] - 64, 64)
    with pytest.raises(ValueError, match="out of range"):
        line(64, 0)
