"""Win, draw and loss: per mille that add up and rise with the score; a fit that finds what made the games."""

import os
from pathlib import Path

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.commands import leave

from sssnake._fast.board.board import Board
from sssnake._fast.values import MATE
from sssnake.engine.common import files
from sssnake.engine.games.gamelog import Writer, encode_move
from sssnake.engine.player import wdl
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.options import Options
from sssnake.engine.player.result import Info, Score, score_text
from sssnake.engine.tuning import wdl_fit, wdl_model
from sssnake.engine.uci.output import info_line

scores = st.integers(-31743, 31743)
materials = st.integers(0, 100)


@given(scores, materials)
def test_parts_add_up_and_both_sides_agree(score: int, pieces: int) -> None:
    win, draw, loss = wdl.wdl(score, pieces)
    assert win + draw + loss == 1000 and min(win, draw, loss) >= 0
    assert wdl.wdl(-score, pieces) == (loss, draw, win)


@given(scores, scores, materials)
def test_more_is_never_worse(one: int, other: int, pieces: int) -> None:
    low, high = wdl.wdl(min(one, other), pieces), wdl.wdl(max(one, other), pieces)
    assert low[0] <= high[0] and low[2] >= high[2]


@pytest.mark.parametrize("plies", [0, 1, 2, 37, 255])
def test_mates_are_certain(plies: int) -> None:
    assert wdl.wdl(32000 - plies, 40) == (1000, 0, 0)
    assert wdl.wdl(plies - 32000, 40) == (0, 0, 1000)


def test_material() -> None:
    assert wdl.material(Board().pieces) == wdl.FULL
    assert wdl.material("4k3/8/8/8/8/8/4P3/4K2q") == 10


def test_an_advantage_counts_for_more_with_more_material_in_doubt() -> None:
    """A fitted model is no constant: a level game is drawn more often the less is left."""
    assert wdl.wdl(0, 10)[1] > wdl.wdl(0, 78)[1]


@pytest.mark.parametrize("multipv", [1, 3])
def test_shown_behind_the_score_where_asked_for(multipv: int) -> None:
    for show in (False, True):
        reports: list[Info] = []
        options = Options(hash_mb=1, show_wdl=show, multipv=multipv)
        Engine(options).play(Board(), Limits(depth=4), reports.append)
        assert reports
        for report in reports:
            words = info_line(report, show).split()
            at = words.index("score") + 3
            assert (words[at] == "wdl") is show
            assert not show or sum(map(int, words[at + 1 : at + 4])) == 1000
    bound = Info(3, 5, 1, Score(12), "upperbound", 100, 1000, 7, 0, 9, ["e2e4"], 40)
    win, draw, loss = wdl.wdl(12, 40)
    assert f" score cp 12 upperbound wdl {win} {draw} {loss} nodes " in info_line(bound, True)


def test_the_fit_finds_the_model_that_made_the_results() -> None:
    rng = np.random.default_rng(5)
    truth = np.array([150.0, 40.0, -60.0, 70.0, 30.0, 0.0])
    score, share = rng.normal(0, 200, 40_000), rng.uniform(0.1, 1, 40_000)
    chances = wdl_model.probabilities(truth, score, share)
    result = (rng.random(40_000)[:, None] > chances.cumsum(axis=1)[:, :2]).sum(axis=1).astype(float)
    found, loss = wdl_model.fit(score, share, result)
    told = wdl_model.probabilities(found, score, share)
    assert np.abs(told - chances).max() < 0.05 and np.abs(told - chances).mean() < 0.01
    assert loss < 1.0


def test_written_coefficients_are_those_of_the_model(tmp_path: Path) -> None:
    copy = tmp_path / "wdl.py"
    copy.write_text(Path(wdl.__file__).read_text())
    wdl_model.write(np.array([1.0, 2.0, 3.0, 40.0, 5.0, -6.04]), copy)
    room: dict[str, object] = {}
    exec(copy.read_text(), room)
    assert room["CENTRE"] == (1.0, 2.0, 3.0) and room["SPREAD"] == (40.0, 5.0, -6.0)
    copy.write_text("nothing here")
    with pytest.raises(ValueError, match="CENTRE"):
        wdl_model.write(np.zeros(6), copy)


def test_the_command_writes_where_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log, source, copy = (tmp_path / name for name in ("games", "adopted.py", "copy.py"))
    before = Path(wdl.__file__).read_text()
    source.write_text(before)
    copy.write_text(before)
    monkeypatch.setattr(wdl, "__file__", str(source))
    start = chess.Board()
    with Writer(log) as games:
        for result, score in ((2, 300), (1, 20), (0, -300), (1, 0), (2, 100), (0, 50)):
            games.write(start, result, [(encode_move(start, chess.Move.from_uci("e2e4")), score)])
    assert wdl_fit.main([str(log), "--every", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()[-2:]
    assert [line.split()[0] for line in lines] == ["CENTRE", "SPREAD"]
    assert source.read_text() == copy.read_text() == before, "told nothing, it writes nothing"
    assert wdl_fit.main([str(log), "--every", "1", "-o", str(copy)]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == str(copy)
    assert all(line in copy.read_text() for line in lines) and source.read_text() == before
    assert wdl_fit.main([str(log), "--every", "1", "--adopt"]) == 0
    assert source.read_text() == copy.read_text() != before
    assert capsys.readouterr().out.splitlines()[-1] == str(source)


def test_an_installed_copy_is_not_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is refused before the logs are read."""
    monkeypatch.setattr(files, "__file__", str(tmp_path / "sssnake" / "engine" / "common" / "files.py"))
    with pytest.raises(SystemExit) as left:
        leave(wdl_fit.main, ["none.games", "--adopt"])
    assert left.value.code == 2
    assert f"{wdl.__file__} is an installed copy" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
def test_a_pipe_is_no_copy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its lines would have to be read first."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(SystemExit):
        leave(wdl_fit.main, ["none.games", "-o", str(pipe)])
    assert capsys.readouterr().err == f"sssnake wdl: {pipe}: a pipe that no program writes to\n"


@pytest.mark.parametrize("words", [["no-such.games"], [], ["x", "--every", "0"]])
def test_bad_input_is_one_line(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        leave(wdl_fit.main, words)
    assert left.value.code == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_expected_score() -> None:
    assert wdl.expected((300, 500, 200)) == 0.55
    assert (wdl.expected((1000, 0, 0)), wdl.expected((0, 0, 1000))) == (1, 0)


def test_score_text() -> None:
    """What the report, the page and the demonstration show of one score is one text."""
    score = Score(MATE - 5)
    assert [score_text(*score.seen_by(mover)) for mover in (True, False)] == ["#3", "#-3"]
    assert [score_text(*Score(-35).seen_by(mover)) for mover in (True, False)] == ["-0.35", "+0.35"]
    assert score_text(0, None) == "+0.00" and score_text(None, 0) == "#" and score_text(None, None) == ""
    for mover in (True, False):
        assert score_text(*Score(-MATE).seen_by(mover)) == "#"
