"""Games judged as objects, and many positions at once: what the commands say, in order, row by row."""

import doctest
import io
import json
import threading
from pathlib import Path
from typing import Any

import chess
import chess.engine
import chess.pgn
import pytest

import sssnake
from sssnake.engine.analysis.analyse import main as analyse_command
from sssnake.engine.analysis.api import batch, games
from sssnake.engine.analysis.marks import ERRORS
from sssnake.engine.player.engine import Engine, Limits

GAME = """[White "A"]
[Black "B"]

1. e4 e5 2. Qh5 Nc6 (2... Nf6 {better}) 3. Bc4 Nf6?? {oh} 4. Qxf7# 1-0
"""
FENS = [chess.STARTING_FEN, "8/8/8/8/8/5k2/5q2/7K b - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"]
LIMITS = Limits(nodes=300)


def game(text: str = GAME) -> chess.pgn.Game:
    found = chess.pgn.read_game(io.StringIO(text))
    assert found
    return found


@pytest.mark.parametrize("module", [batch, games])
def test_the_examples_are_true(module: Any) -> None:
    failed, tried = doctest.testmod(module)
    assert tried and not failed


# Games


def test_a_comment_with_braces_comes_back_without_what_would_end_it() -> None:
    given = game("1. e4 e5 *")
    given.comment = given[0].comment = "a } b { c"
    given.add_variation(chess.Move.from_uci("d2d4"), comment="}", starting_comment="x}y")
    written = sssnake.analyse(given, Limits(nodes=100), hash_mb=1).pgn()
    read = game(written)
    assert not read.errors and [move.uci() for move in read.mainline_moves()] == ["e2e4", "e7e5"]
    assert "a b { c" in read.comment and "a b { c" in read[0].comment
    variation = read.variation(chess.Move.from_uci("d2d4"))
    assert (variation.starting_comment, variation.comment) == ("xy", "")


@pytest.mark.parametrize("workers", [1, 3])
def test_a_game_is_judged_as_by_the_command(
    workers: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, annotated = tmp_path / "g.pgn", tmp_path / "a.pgn"
    path.write_text(GAME, encoding="utf-8")
    words = [str(path), "--nodes", "3000", "--hash", "2", "--multipv", "2"]
    assert analyse_command([*words, "--json"]) == 0
    command = json.loads(capsys.readouterr().out)
    given = game()
    found = sssnake.analyse(given, Limits(nodes=3000), workers=workers, hash_mb=2, multipv=2)
    rows = [(move.san, move.loss, move.mark.sign if move.mark else None, move.forced) for move in found.moves]
    assert rows == [(row["san"], row["lost"], row["mark"], row["forced"]) for row in command["moves"]]
    assert [str(move.view) for move in found.moves][-1] == "#" and "??" in [row[2] for row in rows]
    assert round(found.black.accuracy or 0, 1) == command["black"]["accuracy"]
    assert dict(found.white.marks) == command["white"]["marks"]
    assert len(found.evaluations) == len(found.moves) + 1 == 8 and found.evaluations[-1].ended == "checkmate"
    assert analyse_command([*words, "-o", str(annotated)]) == 0
    assert found.pgn() == annotated.read_text(encoding="utf-8") and str(given) == str(game())


def test_all_lines_has_variations_at_every_move_that_is_not_the_best() -> None:
    found = sssnake.analyse(game("1. e3 e6 2. f4 a6 3. d3 d5 *"), LIMITS, hash_mb=2)
    errors = sum(move.mark in ERRORS for move in found.moves)
    better = sum(not move.is_best for move in found.moves)
    assert errors < better
    assert (found.pgn().count("("), found.pgn(all_lines=True).count("(")) == (errors, better)


def test_a_board_is_a_game_too() -> None:
    board = chess.Board()
    for name in ("f2f3", "e7e5", "g2g4", "d8h4"):
        board.push_uci(name)
    found = sssnake.analyse(board, LIMITS, hash_mb=1)
    assert [move.move for move in found.moves] == board.move_stack and found.moves[2].mark
    alone = sssnake.analyse(chess.Board(FENS[1]), chess.engine.Limit(depth=3), hash_mb=1)
    assert alone.moves == [] and alone.evaluations[0].score.mate == 1 and alone.white.accuracy is None


def test_chess960_games() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/RK5R w KQ - 0 1", chess960=True)
    board.push_san("O-O")
    found = sssnake.analyse(board, LIMITS, hash_mb=1)
    assert found.moves[0].san == "O-O" and "O-O" in found.pgn()


@pytest.mark.parametrize(
    ("given", "values", "error", "message"),
    [
        ("1. e4", {}, TypeError, "^a game is a chess.pgn.Game or a chess.Board, not of type str$"),
        (None, {}, TypeError, "^a game is"),
        (game("1. e4 e5 2. Ke3"), {}, ValueError, "^the game was not read"),
        (game('[Variant "Atomic"]\n\n1. e4'), {}, ValueError, "^atomic is not played"),
        (chess.Board(None), {}, ValueError, "^illegal position"),
        (game(), {"limits": Limits(infinite=True)}, ValueError, "^infinite"),
        (game(), {"limits": 5}, TypeError, "^limits are"),
        (game(), {"workers": 0}, ValueError, "^workers is"),
        (game(), {"workers": 1.5}, ValueError, "^workers is"),
        (game(), {"hash_mb": 0}, ValueError, "^hash_mb"),
        (game(), {"multipv": "1"}, ValueError, "^multipv"),
    ],
)
def test_what_is_no_game(given: Any, values: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message) as caught:
        sssnake.analyse(given, **values)
    assert "\n" not in str(caught.value)


# Many positions


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_rows_come_in_order_and_do_not_depend_on_each_other(workers: int) -> None:
    positions = [*FENS, "rubbish", chess.Board(None), 5, *map(chess.Board, FENS)] * 3
    rows = list(sssnake.analyse_many(positions, LIMITS, workers=workers, hash_mb=1))  # type: ignore[arg-type]
    assert [row.position for row in rows] == positions
    for row in rows:
        assert (row.result is None) == bool(row.error) and "\n" not in row.error
    assert [not row.result for row in rows[:9]] == 3 * [False] + 3 * [True] + 3 * [False]
    alone = [Engine(hash_mb=1).play(chess.Board(fen), LIMITS) for fen in FENS]
    for number, row in enumerate(rows):
        if row.result and number % 3 != 9:
            same = alone[number % 9 % 6 % 3]
            assert (row.result.pv, row.result.score, row.result.nodes) == (same.pv, same.score, same.nodes)


def test_rows_are_given_as_they_are_found_and_positions_drawn_as_needed() -> None:
    drawn = []

    def endless() -> Any:
        while True:
            drawn.append(1)
            yield chess.STARTING_FEN

    for workers in (1, 3):
        drawn.clear()
        rows = sssnake.analyse_many(endless(), Limits(nodes=50), workers=workers, hash_mb=1)
        assert next(rows).result and next(rows).result
        assert len(drawn) <= 2 + 2 * workers
        rows.close()  # type: ignore[attr-defined]


def test_leaving_early_stops_the_searches() -> None:
    before = threading.active_count()
    rows = sssnake.analyse_many([FENS[1], *FENS * 5], Limits(depth=100), workers=3, hash_mb=1)
    first = next(rows)
    assert first.result and first.result.score.mate == 1
    rows.close()  # type: ignore[attr-defined]
    assert threading.active_count() <= before


def test_wrong_arguments_are_refused_before_the_first_row() -> None:
    for values in (
        {"workers": 0},
        {"workers": True},
        {"workers": 257},
        {"limits": Limits(infinite=True)},
        {"hash_mb": 0},
        {"hash_size": 4},
    ):
        with pytest.raises(ValueError, match=r"^\w+ .*\S$"):
            sssnake.analyse_many([], **values)
    assert list(sssnake.analyse_many([])) == []
    assert list(sssnake.analyse_many([], workers=256)) == []


def test_an_error_of_the_positions_is_the_callers() -> None:
    def broken() -> Any:
        yield chess.STARTING_FEN
        raise ZeroDivisionError

    for workers in (1, 2):
        with pytest.raises(ZeroDivisionError):
            list(sssnake.analyse_many(broken(), LIMITS, workers=workers, hash_mb=1))


# Evaluations


def test_many_evaluations_are_those_of_one() -> None:
    engine = Engine(hash_mb=1)
    boards = list(map(chess.Board, FENS))
    scores = [engine.evaluate(board) for board in boards]
    assert len(set(scores)) == 3 and scores[2] > 300
    given = [*FENS, *boards, "rubbish", chess.Board(None), 4, chess.STARTING_FEN]
    rows = engine.evaluate_many(given)  # type: ignore[arg-type]
    assert [row.position for row in rows] == given
    assert [row.score for row in rows] == [*scores, *scores, None, None, None, scores[0]]
    assert [bool(row.error) for row in rows] == 6 * [False] + 3 * [
        True,
    ] + [False]
    assert engine.evaluate_many([]) == [] and engine.evaluate_many(iter(FENS))[1].score == scores[1]


def test_the_evaluation_is_for_the_side_to_move() -> None:
    """A position and its mirror image are worth the same to their players."""
    engine = Engine()
    for fen in FENS:
        board = chess.Board(fen)
        assert engine.evaluate(board) == engine.evaluate(board.mirror())
    assert engine.evaluate("4k3/8/8/8/8/8/8/R3K3 b Q - 0 1") < -300


def test_evaluations_beside_a_search_and_after_another_network() -> None:
    engine = Engine(hash_mb=1)
    alone = engine.evaluate(FENS[0])
    search = engine.start(chess.Board())
    assert engine.evaluate(FENS[0]) == alone
    engine.close()
    assert search.done
    engine.network = None  # piece-square tables
    assert engine.evaluate("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1") > 300
    with pytest.raises(ValueError, match=r"^not a FEN: 'rubbish' \(.+\)$"):
        engine.evaluate("rubbish")
    with pytest.raises(TypeError, match=r"^a position is a chess\.Board or a FEN, not of type int$"):
        engine.evaluate(4)  # type: ignore[arg-type]
