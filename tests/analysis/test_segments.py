"""Segments of games, and what the searches say of their positions."""

from dataclasses import replace
from itertools import pairwise

import chess
import pytest
from support.constants import ROOT
from support.studies import LEGAL, study

from sssnake.engine.analysis.segments import PLIES, Evaluation, Settings, _second, evaluate, segments
from sssnake.engine.player.engine import Engine, Limits
from sssnake.engine.player.result import Result

TABLES = ROOT.parent / "shared" / "data" / "free" / "syzygy"
QUICK = Settings(Limits(nodes=3000), hash_mb=1)


def evaluations(text: str, settings: Settings = QUICK) -> list[Evaluation]:
    game = study(text)
    jobs = list(segments(1, game.start, game.moves, settings))
    return [one for job in jobs for one in evaluate(job)]


@pytest.mark.parametrize("plies", [0, 1, PLIES - 1, PLIES, PLIES + 1, 3 * PLIES])
def test_stretches_hold_every_position_once(plies: int) -> None:
    board = chess.Board()
    shuffle = [chess.Move.from_uci(name) for name in ("g1f3", "g8f6", "f3g1", "f6g8")]
    jobs = list(segments(1, board, (shuffle * 9)[:plies], QUICK))
    assert [ply for job in jobs for ply in range(job.first, job.last + 1)] == list(range(plies + 1))
    assert all(job.last - job.first < PLIES for job in jobs)


def test_every_position_has_its_evaluation_and_the_mate_its_end() -> None:
    found = evaluations(LEGAL)
    assert len(found) == 14
    assert [one.ended for one in found] == [""] * 13 + ["checkmate"]
    assert [one.score.mate for one in found[-3:]] == [-1, 1, 0]
    assert all(one.best and one.best.score == one.score for one in found[:-1])
    assert found == evaluations(LEGAL)


def test_draws_by_rule_are_no_searches() -> None:
    shuffle = '[Event "x"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *'
    found = evaluations(shuffle)
    assert [ply for ply, one in enumerate(found) if one.ended] == [8]
    assert found[8] == Evaluation(found[8].score, ended="threefold repetition")
    assert found[8].score == 0
    stalemate = '[FEN "7k/4Q3/6K1/8/8/8/8/8 w - - 0 1"]\n[SetUp "1"]\n\n1. Qf7 *'
    assert evaluations(stalemate)[1] == Evaluation(found[8].score, ended="stalemate")


@pytest.mark.parametrize(
    ("limits", "shorter"),
    [
        (Limits(nodes=4000), Limits(nodes=1000)),
        (Limits(movetime=100), Limits(movetime=25)),
        (Limits(nodes=3), Limits(nodes=1)),
        (Limits(depth=7), Limits(depth=7)),
    ],
)
def test_the_second_best_move_is_searched_with_a_quarter_of_the_limit(
    limits: Limits, shorter: Limits, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = list[Limits]()

    def play(_engine: Engine, _board: chess.Board, limits: Limits) -> Result:
        asked.append(limits)
        return result

    board, played = chess.Board("k7/8/8/8/8/8/r7/1K6 w - - 0 1"), chess.Move.from_uci("b1a2")
    with Engine(hash_mb=1) as engine:
        result = engine.play(board, Limits(depth=1))
        monkeypatch.setattr(Engine, "play", play)
        assert _second(engine, limits, board, played) == result.score
    assert asked == [replace(shorter, searchmoves=["b1c1"])]


def test_the_second_best_move_is_searched_where_it_matters() -> None:
    found = evaluations("1. f3 e5 2. g4 Qh4# 0-1")
    assert found[3].best and found[3].best.moves == ("d8h4",)
    assert found[3].second is None  # mate is obvious
    fork = '[FEN "r3k3/8/8/3N4/8/8/4P3/4K3 w - - 0 1"]\n[SetUp "1"]\n\n1. Nc7+ *'
    first = evaluations(fork)[0]
    assert first.best and first.best.moves[0] == "d5c7"
    assert first.second is not None and first.second < first.score - 200
    other = evaluations(fork.replace("Nc7+", "Kd2"))[0]
    assert other.best and other.best.moves[0] == "d5c7" and other.second is None  # it was not played
    lines = evaluations(LEGAL, Settings(Limits(depth=3), multipv=3, hash_mb=1))[0]
    assert len(lines.lines) == 3 and lines.second == lines.lines[1].score


@pytest.mark.skipif(not TABLES.is_dir(), reason="no tablebases beside the checkout")
def test_tablebases() -> None:
    text = '[FEN "8/8/8/8/8/2k5/8/K1R5 b - - 0 1"]\n[SetUp "1"]\n\n1... Kd2 2. Rh1 Kc2 3. Rh2+ *'
    found = evaluations(text, Settings(Limits(nodes=500), hash_mb=1, syzygy=str(TABLES)))
    views = [score if turn % 2 else -score for turn, score in enumerate(one.score for one in found)]
    assert all(score > 15_000 for score in views)


def test_depth_and_time_are_limits_too() -> None:
    text = "1. e4 *"
    assert {
        one.best.depth for one in evaluations(text, Settings(Limits(depth=3), hash_mb=1)) if one.best
    } == {3}
    assert all(one.best for one in evaluations(text, Settings(Limits(movetime=5), hash_mb=1)))


def test_jobs_are_cut_at_the_same_places_whatever_the_limits() -> None:
    game = study(LEGAL)
    for one, other in pairwise(
        [(job.first, job.last) for job in segments(1, game.start, game.moves, settings)]
        for settings in (QUICK, Settings(Limits(depth=1)))
    ):
        assert one == other
