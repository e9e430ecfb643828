"""Random openings: eight or nine plies, Chess960 by its share, one seed one opening."""

import random

import chess
import pytest

from sssnake.engine.games.openings import OpeningOptions, openings
from sssnake.engine.games.starts import random_opening, random_start


def test_games_begin_with_eight_or_nine_random_plies() -> None:
    starts = [random_start(random.Random(seed)) for seed in range(30)]
    assert {start.ply() for start in starts} == {8, 9}
    assert len({start.fen() for start in starts}) == 30
    assert not any(start.chess960 or start.move_stack for start in starts)


def test_chess960_starts() -> None:
    starts = [random_start(random.Random(seed), 1.0) for seed in range(20)]
    assert all(start.chess960 for start in starts)
    assert len({start.fen() for start in starts}) == 20


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_the_share_of_chess960_is_kept(share: float) -> None:
    rng = random.Random(1)
    found = sum(random_start(rng, share).chess960 for _ in range(200))
    assert abs(found - 200 * share) < 25 and (share % 1 or found == 200 * share)


def test_one_seed_has_one_opening() -> None:
    one, other = (random_start(random.Random("5/7"), 0.5) for _ in range(2))
    assert one == other and one.chess960 == other.chess960


def test_random_openings_keep_their_moves() -> None:
    for seed in range(10):
        board = random_opening(random.Random(seed), (3, 6), chess960=0.5)
        assert 3 <= len(board.move_stack) <= 6 and board.root().fullmove_number == 1
        assert random_opening(random.Random(seed), (3, 6), chess960=0.5) == board


def test_finished_games_are_no_openings() -> None:
    """Of 60 random plies many games are over before."""
    for seed in range(20):
        assert not random_opening(random.Random(seed), (60, 60)).is_game_over()


def test_a_match_without_a_book_plays_random_openings() -> None:
    for plies, chess960 in ((None, False), (2, True)):
        options = OpeningOptions(plies, seed=3, chess960=chess960)
        boards, rng = openings(None, options), random.Random(3)
        expected = [random_opening(rng, (plies or 6, plies or 6), float(chess960)) for _ in range(5)]
        assert [next(boards) for _ in range(5)] == expected
        assert all((board.root() == chess.Board()) != chess960 for board in expected)
