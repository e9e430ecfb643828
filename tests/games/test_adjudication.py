"""Results: those of the rules, and those that both sides' scores agree on."""

import chess
import pytest

from sssnake._fast.board.board import Board
from sssnake.engine.games.adjudication import Adjudication, agreed
from sssnake.engine.games.outcome import BLACK_WON, DRAWN, WHITE_WON, result_by_rules

RULES = Adjudication(win_score=500, win_plies=3, draw_score=10, draw_plies=4, draw_from=20, longest=100)


@pytest.mark.parametrize(
    ("fen", "result"),
    [
        (chess.STARTING_FEN, None),
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", WHITE_WON),
        ("6k1/8/8/8/8/8/5PPP/r5K1 w - - 0 1", BLACK_WON),
        ("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", DRAWN),
        ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", DRAWN),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", None),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 100 80", DRAWN),
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 80", WHITE_WON),
    ],
)
def test_the_rules(fen: str, result: int | None) -> None:
    assert result_by_rules(Board(fen)) == result


def test_the_third_occurrence_is_a_draw() -> None:
    board, found = Board(), []
    for _ in range(2):
        for move in ("g1f3", "g8f6", "f3g1", "f6g8"):
            board.push(move)
            found.append(result_by_rules(board))
    assert found == [None] * 7 + [DRAWN]


def test_a_win_takes_so_many_plies_in_a_row() -> None:
    assert RULES.result([500, 600, 500], 3) == WHITE_WON
    assert RULES.result([-500, -600, -500], 3) == BLACK_WON
    assert RULES.result([900, 900], 2) is None
    assert RULES.result([900, 499, 900], 3) is None
    assert RULES.result([900, -900, 900], 3) is None
    assert RULES.result([0, 500, 600, 500], 4) == WHITE_WON


def test_a_draw_waits_for_its_ply() -> None:
    level = [10, -10, 0, 3]
    assert RULES.result(level, 20) == DRAWN
    assert RULES.result(level, 19) is None
    assert RULES.result([*level, 11], 21) is None
    assert RULES.result([11, *level], 21) == DRAWN
    assert RULES.result(level[1:], 50) is None


def test_a_side_that_tells_no_score_agrees_with_nothing() -> None:
    assert RULES.result([900, None, 900], 3) is None
    assert RULES.result([None, 900, 900, 900], 4) == WHITE_WON
    assert RULES.result([0, 0, None, 0], 40) is None
    assert agreed([7, None, 9], 1) == [9] and agreed([7, None, 9], 2) == []


def test_the_longest_game_is_drawn() -> None:
    assert RULES.result([300] * 99, 99) is None
    assert RULES.result([300] * 100, 100) == DRAWN
    assert RULES.result([900] * 100, 100) == WHITE_WON


def test_a_rule_of_no_plies_never_acts() -> None:
    nothing = Adjudication()
    assert [nothing.result(scores, 1000) for scores in ([], [0] * 900, [9999] * 900)] == [None] * 3


def test_what_is_not_told_is_no_condition() -> None:
    assert Adjudication(draw_plies=1).result([0], 0) == DRAWN
    assert Adjudication(draw_plies=1).result([1], 1) is None
    assert Adjudication(win_plies=1).result([0], 1) == WHITE_WON
