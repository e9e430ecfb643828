"""Annotated PGN: what others read in it, what is kept of the game, what a second analysis does."""

import io
import re

import chess.pgn
import pytest
from support.studies import LEGAL, found, study

from sssnake._fast.values import MATE
from sssnake.engine.analysis import annotate
from sssnake.engine.analysis.judge import judge
from sssnake.engine.analysis.segments import Evaluation, Line
from sssnake.engine.analysis.study import Study
from sssnake.engine.player.result import Score

LICHESS = re.compile(
    r"\[%eval (?:#-?[1-9]\d*|-?\d+\.\d\d)\]"
)  # White's view; no more than this is read by all

PLAYED = '[White "A"]\n[Black "B \\"x\\""]\n[Opening "My \\\\ own"]\n\n'
COMMENTED = f"{PLAYED}{{Before.}} 1. e4 {{[%clk 0:01:00] good}} e5 $3 (1... c5 {{Sicilian}} 2. Nf3) 2. Nf3 *"


def written(one: Study, all_lines: bool = False) -> str:
    return annotate.pgn(one, judge(one), "1000 nodes a position", all_lines)


def read_back(text: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None and not game.errors
    for node in (game, *game.mainline()):
        node.comment = " ".join(node.comment.split())  # the end of a line is a blank
    return game


def with_errors(text: str = COMMENTED) -> Study:
    """White's first move is a mistake, Black's a blunder, White's second as good as the best."""
    one = study(text)
    one.evaluations = [found(90, "d2d4"), found(30, "c7c5"), found(500, "d2d4"), found(-500, "g8f6")]
    return one


def test_evaluations_are_whites_and_in_the_form_of_lichess() -> None:
    one = study(LEGAL)
    plain = [found(30 if ply % 2 == 0 else -30, move.uci()) for ply, move in enumerate(one.moves)]
    one.evaluations = [*plain[:11], found(-MATE + 2, "e8e7"), found(MATE - 1, "c3d5"), found(-MATE)]
    one.evaluations[11] = found(2 - MATE, "e8e7")
    text = written(one)
    assert len(re.findall(r"\[%eval", text)) == len(LICHESS.findall(text)) == 12  # the mate has none
    nodes = list(read_back(text).mainline())
    scores = [score.white() for node in nodes if (score := node.eval())]
    assert [score.score() for score in scores[:10]] == [30] * 10
    assert [score.mate() for score in scores[10:]] == [1, 1]
    assert nodes[-1].eval() is None


def test_errors_have_mark_remark_and_best_line() -> None:
    game = read_back(written(with_errors(f"{PLAYED}1. e4 e5 2. Nf3 *")))
    first, second, third = game.mainline()
    assert (first.nags, second.nags, third.nags) == ({2}, {4}, set())
    assert first.comment == "[%eval -0.30] Mistake. Better: d4."
    assert second.comment == "[%eval 5.00] Blunder. Better: c5."
    assert third.comment == "[%eval 5.00]"
    assert [node.san() for node in game.variations] == ["e4", "d4"]
    assert [node.san() for node in first.variations] == ["e5", "c5"]
    assert (score := first.variations[1].eval()) and score.white().score() == -30
    assert len(second.variations) == 1


def test_the_game_is_kept() -> None:
    game = read_back(written(with_errors()))
    first, second, _ = game.mainline()
    assert game.headers["Black"] == 'B \\"x\\"' and game.headers["Opening"] == "My \\\\ own"
    assert game.comment.startswith("Before. Analysed by SSSnake")
    assert first.comment.startswith("[%clk 0:01:00] good [%eval -0.30]")
    assert second.nags == {3}  # somebody found it brilliant
    assert [node.san() for node in first.variations] == ["e5", "c5"]  # one c5, with its comment
    assert first.variations[1].comment == "Sicilian" and first.variations[1].variations[0].san() == "Nf3"


def test_accuracy_in_tags_and_comment() -> None:
    game = read_back(written(with_errors()))
    white, black = (float(game.headers[f"{side}Accuracy"]) for side in ("White", "Black"))
    assert white > black
    assert f"White: accuracy {white} %, 0 inaccuracies, 1 mistake, 0 blunders" in game.comment
    assert f"Black: accuracy {black} %, 0 inaccuracies, 0 mistakes, 1 blunder" in game.comment
    assert game.headers["Annotator"].startswith("SSSnake ")
    named = with_errors(f'[Annotator "Me"]\n{COMMENTED}')
    assert read_back(written(named)).headers["Annotator"] == "Me"


def test_a_second_analysis_replaces_the_first() -> None:
    once = written(with_errors())
    assert written(with_errors(once)) == once
    better = study(once)
    better.evaluations = [found(30, "e2e4"), found(-30, "e7e5"), found(30, "g1f3"), found(-30, "g8f6")]
    game = read_back(written(better))
    first, second, _ = game.mainline()
    assert first.nags == set() and first.comment == "[%clk 0:01:00] good [%eval 0.30]"
    assert second.nags == {3}
    assert game.comment.count("Analysed by") == 1


def test_remarks_of_people_are_kept() -> None:
    game = read_back(written(with_errors(f"{PLAYED}1. e4 $1 {{Mistake. Better: d4.}} e5 2. Nf3 *")))
    first = game.variations[0]
    assert first.nags == {1} and first.comment.startswith("Mistake. Better: d4. [%eval -0.30]")


def test_an_interrupted_analysis_says_so() -> None:
    one = with_errors()
    one.evaluations[2:] = [None, None]
    game = read_back(written(one))
    assert "interrupted" in game.comment and "WhiteAccuracy" not in game.headers
    assert [bool(node.eval()) for node in game.mainline()] == [True, False, False]


def test_all_lines_and_their_length() -> None:
    one = study("1. e4 *")
    names = ("d2d4", "d7d5", "c2c4", "e7e6", "b1c3", "g8f6", "c1g5", "f8e7", "e2e3", "e8g8", "g1f3", "h7h6")
    one.evaluations = [Evaluation(Score(20), (Line(Score(20), 12, names),)), found(-20, "e7e5")]
    assert "d4" not in written(one)
    line = read_back(written(one, all_lines=True)).variations[1]
    assert len(list(line.mainline())) == annotate.LINE_PLIES - 1


def test_a_game_without_moves_gets_none() -> None:
    one = study('[White "A"]\n\n*')
    one.evaluations = [found(30, "e2e4")]
    game = read_back(written(one))
    assert not game.variations and (score := game.eval()) and score.white().score() == 30


def test_chess960() -> None:
    start = "nrk5/8/8/8/8/8/8/1RK2R2 w FBb - 0 1"
    one = study(f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{start}"]\n\n1. Kd1 *')
    one.evaluations = [found(900, "c1f1"), found(0, "a8b6")]
    game = read_back(written(one))
    assert game.variations[1].san() == "O-O" and game.variations[1].move.uci() == "c1f1"
    assert game.headers["FEN"] == start


@pytest.mark.parametrize(
    "text", ["1. e4 e5 *", '[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 9"]\n[SetUp "1"]\n\n9... Kd7 *']
)
def test_unfinished_games_and_games_from_positions(text: str) -> None:
    one = study(text)
    board = one.start.copy()
    for ply in range(len(one.moves) + 1):
        one.evaluations[ply] = found(10, next(iter(board.legal_moves)).uci())
        if ply < len(one.moves):
            board.push(one.moves[ply])
    game = read_back(written(one))
    assert game.headers["Result"] == "*" and all(node.eval() for node in game.mainline())


@pytest.mark.parametrize("done", [True, False])
def test_the_accuracy_of_an_earlier_analysis_does_not_stay(done: bool) -> None:
    """Neither after an interrupted analysis nor of a side that has no move."""
    game = chess.pgn.read_game(io.StringIO('[WhiteAccuracy "71.2"]\n[BlackAccuracy "33.3"]\n\n*'))
    assert game is not None
    annotate.add_summary(game, [], "1000 nodes a position", done)
    assert "WhiteAccuracy" not in game.headers and "BlackAccuracy" not in game.headers
