"""What a move lost: the loss of expected score, with all the cases that are no mistakes."""

import chess
import chess.polyglot
import pytest
from support.studies import LEGAL, found, study

from sssnake._fast.values import MATE
from sssnake.engine.analysis import judge as judge_module
from sssnake.engine.analysis import marks
from sssnake.engine.analysis.judge import (
    JudgedMove,
    View,
    hundredths,
    judge,
    plural,
    san_line,
    summary,
    views,
)
from sssnake.engine.analysis.marks import expected, material
from sssnake.engine.analysis.segments import Evaluation
from sssnake.engine.player.result import Score
from sssnake.openings import BOOK


def judged(before: Evaluation, after: Evaluation, fen: str, san: str) -> JudgedMove:
    board = chess.Board(fen)
    return JudgedMove(0, board, board.parse_san(san), before, after)


def start(
    score: int, then: int, best: str = "e2e4", second: int | None = None, san: str = "d4"
) -> JudgedMove:
    """A first move: White's score before it, Black's after it."""
    return judged(found(score, best, second), found(then, "g8f6"), chess.STARTING_FEN, san)


def sign(move: JudgedMove) -> str:
    return move.mark.sign if move.mark else ""


@pytest.mark.parametrize(
    ("score", "then", "expected"),
    [
        (30, -30, ""),
        (30, -10, ""),  # a fifth of a pawn
        (30, 20, "?!"),
        (30, 60, "?"),
        (30, 200, "??"),
        (30, -90, ""),  # better than was thought
        (MATE - 3, 5 - MATE, ""),  # mate in three in place of mate in two
        (MATE - 3, -1500, ""),  # no mate any more, but still a win
        (MATE - 3, 0, "??"),
        (-1500, MATE - 5, ""),  # lost anyhow
        (0, MATE - 5, "??"),  # walks into a mate
        (19_950, 0, "??"),  # a won ending of the tablebases
        (19_950, -19_900, ""),
    ],
)
def test_marks_by_loss_of_expected_score(score: int, then: int, expected: str) -> None:
    assert sign(start(score, then)) == expected


def test_the_best_move_loses_nothing_whatever_comes_out_later() -> None:
    move = start(30, 400, best="d2d4")
    assert move.is_best and move.loss == 0.0 and not move.mark


def test_a_forced_move_is_no_mistake() -> None:
    move = judged(found(0, "h1g1"), found(900, "a1a2"), "7k/8/8/8/8/8/6q1/r6K w - - 0 1", "Kxg2")
    assert move.forced and move.loss == 0.0 and not move.mark
    assert summary([move], chess.WHITE).accuracy is None


def test_an_exchange_alone_loses_nothing() -> None:
    """Both scores are compared with the same material: the model has other curves for less of it."""
    fen = "3qk3/ppp1pppp/8/8/8/8/PPP1PPPP/3QK3 w - - 0 1"
    move = judged(found(120, "e1f1"), found(-120, "e8d8"), fen, "Qxd8+")
    assert move.loss == 0.0


def test_the_same_centipawns_weigh_less_with_little_material() -> None:
    ending = "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1"
    few = judged(found(30, "e1d2"), found(60, "e8d7"), ending, "Kf1").loss
    many = start(30, 60).loss
    assert few is not None and many is not None and 0 < few < many / 2


def test_an_only_move_is_as_far_ahead_as_a_mistake_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    margin = start(30, -30, best="d2d4", second=-60).margin
    for least, shown in ((margin, "!"), (margin + 0.0001, "")):
        monkeypatch.setattr(judge_module, "ONLY", marks.ONLY._replace(least=least))
        assert sign(start(30, -30, best="d2d4", second=-60)) == shown


@pytest.mark.parametrize(
    ("second", "expected"), [(None, ""), (30, ""), (0, ""), (-60, "!"), (-500, "!"), (1 - MATE, "!")]
)
def test_only_moves(second: int | None, expected: str) -> None:
    assert sign(start(30, -30, best="d2d4", second=second)) == expected
    assert sign(start(30, -30, best="e2e4", second=second)) == ""  # it was not played


def test_no_praise_for_a_move_that_the_next_search_refutes() -> None:
    assert sign(start(300, -280, best="d2d4", second=0)) == "!"
    assert sign(start(300, 100, best="d2d4", second=0)) == ""


def test_no_praise_for_recaptures_and_mates() -> None:
    fen = "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR w KQkq - 0 1"
    assert not judged(found(900, "c3d5", 0), found(-900, "g8f6"), fen, "Nxd5").mark
    mate = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
    assert not judged(found(MATE - 1, "a1a8", 0), found(-MATE), mate, "Ra8#").mark


def test_draws_by_rule_are_worth_half_a_point() -> None:
    stalemate = "7k/4Q3/6K1/8/8/8/8/8 w - - 0 1"
    assert sign(judged(found(MATE - 1, "e7e8"), found(0), stalemate, "Qf7")) == "??"
    after_a_draw = judged(found(0), found(500, "e7e5"), chess.STARTING_FEN, "a3")
    assert after_a_draw.loss is None and not after_a_draw.mark


def test_what_is_not_searched_is_not_judged() -> None:
    game = study(LEGAL)
    game.evaluations[0] = found(30, "e2e4")
    moves = judge(game)
    assert [move.loss for move in moves] == [None] * 13
    assert summary(moves, chess.WHITE).accuracy is None


def test_book_moves_are_not_judged() -> None:
    game = study("1. e4 e5 2. Ke2 Nf6 *")
    game.evaluations = [
        found(0, "a2a3"),
        found(300, "a7a6"),
        found(0, "g1f3"),
        found(300, "a7a6"),
        found(0, "a2a3"),
    ]
    with chess.polyglot.open_reader(BOOK) as book:
        moves = judge(game, book)
    assert [move.book for move in moves] == [True, True, False, False]
    assert [sign(move) for move in moves] == ["", "", "??", "??"]
    assert [sign(move) for move in judge(game)] == ["??", "??", "??", "??"]


@pytest.mark.parametrize(
    ("score", "fen", "text"),
    [
        (35, "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "+0.35"),
        (35, "4k3/8/8/8/8/8/8/4K2R b - - 0 1", "-0.35"),
        (0, "4k3/8/8/8/8/8/8/4K2R b - - 0 1", "+0.00"),
        (MATE - 5, "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "#3"),
        (MATE - 5, "4k3/8/8/8/8/8/8/4K2R b - - 0 1", "#-3"),
        (6 - MATE, "4k3/8/8/8/8/8/8/4K2R b - - 0 1", "#3"),
        (-MATE, "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "#"),
    ],
)
def test_scores_are_shown_from_whites_view(score: int, fen: str, text: str) -> None:
    view = View(chess.Board(fen), Evaluation(Score(score)))
    assert str(view) == text
    assert sum(view.wdl) == 1000
    if text != "+0.00":
        assert (view.expected > 0.5) == ("-" not in text)


ROOK = "4k3/8/8/8/8/8/8/4K2R {} - - 0 1"


@pytest.mark.parametrize(
    ("score", "to_move", "cp", "mate"),
    [
        (35, "w", 35, None),
        (35, "b", -35, None),
        (MATE - 5, "w", None, 3),
        (MATE - 5, "b", None, -3),
        (6 - MATE, "b", None, 3),
        (-MATE, "b", None, 0),
    ],
)
def test_numbers_are_whites(score: int, to_move: str, cp: int | None, mate: int | None) -> None:
    view = View(chess.Board(ROOK.format(to_move)), Evaluation(Score(score)))
    assert (view.cp, view.mate) == (cp, mate)


def test_expectations_are_whites_and_a_draw_is_one() -> None:
    white, black = (View(chess.Board(ROOK.format(color)), Evaluation(Score(300))) for color in "wb")
    assert white.wdl == black.wdl[::-1] and white.wdl[0] > white.wdl[2]
    win, draw, _ = white.wdl
    assert white.expected == (win + draw / 2) / 1000 and white.expected + black.expected == pytest.approx(1)
    drawn = Evaluation(Score(0), ended="stalemate")
    assert View(chess.Board(), drawn).wdl == (0, 1000, 0) and View(chess.Board(), drawn).expected == 0.5
    level = View(chess.Board(), Evaluation(Score(0)))
    assert level.wdl[1] < 1000, "level, and not yet drawn"
    mated = chess.Board("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")
    assert View(mated, Evaluation(Score(-MATE), ended="checkmate")).wdl == (1000, 0, 0)


@pytest.mark.parametrize(
    ("share", "text"),
    [
        (0.0, "0.00"),
        (0.0999, "0.09"),
        (0.1, "0.10"),
        (0.29, "0.29"),
        (0.5799, "0.57"),
        (0.58, "0.58"),
        (1.0, "1.00"),
    ],
)
def test_shares_of_a_point_are_cut(share: float, text: str) -> None:
    """0.29 and 0.58 are a little less in binary."""
    assert hundredths(share) == text


def test_losses_and_margins_are_differences_of_expectation() -> None:
    pieces = material(chess.Board())
    move = start(30, 60)
    assert (
        move.loss
        == move.drop
        == pytest.approx(expected(Score(30), pieces) - expected(Score(-60), pieces), abs=5e-5)
    )
    best = start(30, 60, best="d2d4", second=-40)
    assert best.loss == 0.0 and best.drop == move.drop
    assert best.margin == pytest.approx(expected(Score(30), pieces) - expected(Score(-40), pieces), abs=5e-5)
    assert start(30, 60, second=-40).margin == 0.0
    assert start(30, -90).drop == 0.0, "never negative"


def test_how_moves_and_lines_are_written() -> None:
    board = chess.Board()
    assert judged(found(0, "e2e4"), found(0, "e7e5"), chess.STARTING_FEN, "d4").number == "1."
    black = "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 12"
    assert judged(found(0, "e7e5"), found(0, "e2e4"), black, "d5").number == "12..."
    moves = ["e2e4", "e7e5", "g1f3", "b8c6"]
    assert san_line(board, moves, 3) == "1. e4 e5 2. Nf3" and san_line(board, moves, 9).endswith("2. Nf3 Nc6")
    assert [plural(count, "mistake") for count in range(3)] == ["0 mistakes", "1 mistake", "2 mistakes"]
    assert [plural(count, "inaccuracy") for count in (1, 2)] == ["1 inaccuracy", "2 inaccuracies"]


def test_positions_with_an_evaluation_are_found_by_their_ply() -> None:
    game = study("1. e4 e5 2. Nf3 *")
    game.evaluations = [None, found(-30, "c7c5"), None, found(-500, "g8f6")]
    seen = views(game)
    assert {ply: view.board.fen().split()[0] for ply, view in seen.items()} == {
        1: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
        3: "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R",
    }
    assert [str(view) for view in seen.values()] == ["+0.30", "+5.00"]


def test_summary() -> None:
    game = study("1. e4 e5 2. Nf3 *")
    game.evaluations = [found(30, "e2e4"), found(-30, "c7c5"), found(500, "g1f3"), found(-500, "g8f6")]
    white, black = (summary(judge(game), color) for color in (chess.WHITE, chess.BLACK))
    assert str(white) == "accuracy 100.0 %, 0 inaccuracies, 0 mistakes, 0 blunders"
    assert black.marks == {"??": 1} and black.accuracy is not None and 0 < black.accuracy < 30
    assert str(black).endswith("0 inaccuracies, 0 mistakes, 1 blunder")
