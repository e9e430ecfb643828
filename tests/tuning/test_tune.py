"""tune: a small fit predicts better than before, and what it writes can be loaded."""

import re
import runpy
from pathlib import Path

import pytest
from support.commands import leave

np = pytest.importorskip("numpy", reason="numpy is missing: pip install '.[tune]'")
pytest.importorskip("scipy", reason="scipy is missing: pip install '.[tune]'")

from sssnake._fast.board.board import Board
from sssnake._fast.evaluation import pst
from sssnake._fast.evaluation.evaluate import Evaluator
from sssnake._fast.evaluation.pst import Weights
from sssnake._fast.evaluation.weights import WEIGHTS
from sssnake.engine.commands import cli
from sssnake.engine.selfplay import datagen
from sssnake.engine.tuning import texel, tune

ROUNDING = 1  # centipawns: the engine rounds the taper down


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few quick games."""
    folder = tmp_path_factory.mktemp("games")
    recipe = datagen.Recipe(seed=1, games=8, nodes=40)
    datagen.make_shard(folder, recipe)
    return datagen.shard_path(folder, recipe)


def test_positions_are_quiet_and_of_known_value(log: Path) -> None:
    boards = [(board.copy(), result, score) for board, result, score in texel.quiet_positions(log, 1)]
    assert not any(board.is_check for board, _, _ in boards)
    assert len(list(texel.quiet_positions(log, 3))) == len(boards) // 3
    evaluator = Evaluator()
    weights = texel.as_array(WEIGHTS)
    judged = [row for row in boards if evaluator.trace(row[0]) is not None]
    positions = texel.load([log])
    assert positions.result.tolist() == [result / 2 for _, result, _ in judged]
    assert positions.score.tolist() == [score for _, _, score in judged]
    for (board, _, _), value in zip(judged, positions.values(weights), strict=True):
        white = evaluator.evaluate(board) * (1 if board.turn else -1)
        assert abs(white - value) <= ROUNDING, board.fen()


def test_the_gradient_is_that_of_the_values(log: Path) -> None:
    positions = texel.load([log])
    weights = texel.as_array(WEIGHTS)
    rng = np.random.default_rng(1)
    slope = rng.normal(size=len(positions.result))
    direction = rng.normal(size=weights.shape)
    change = positions.values(weights + direction) - positions.values(weights)
    predicted = np.sum(positions.gradient(slope, weights) * direction)
    assert float(slope @ change) == pytest.approx(float(predicted), rel=1e-4)


def test_a_fit_predicts_better(log: Path) -> None:
    positions = texel.load([log])
    weights = texel.as_array(WEIGHTS)
    scale = texel.fit_scale(positions, weights)
    fitted = texel.fit(positions, weights, scale, blend=0.0, steps=30)
    assert texel.error(positions, fitted, scale) < 0.99 * texel.error(positions, weights, scale)


def test_what_is_written_is_what_is_read(tmp_path: Path) -> None:
    path = tmp_path / "weights.py"
    texel.write(texel.as_array(WEIGHTS), path)
    assert runpy.run_path(str(path))["WEIGHTS"] == WEIGHTS
    assert max(map(len, path.read_text(encoding="utf-8").splitlines())) <= 110


def test_command(log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "weights.py"
    assert tune.main([str(log), "-o", str(path), "--steps", "3", "--every", "2"]) == 0
    assert "held-out error" in capsys.readouterr().out
    groups = runpy.run_path(str(path))["WEIGHTS"]
    assert Evaluator(weights=Weights(groups)).evaluate(Board()) == abs(groups["tempo"][0][0])
    with pytest.raises(ValueError, match=r"weights\.tempo: 1 pairs expected, 0 found"):
        Weights({**WEIGHTS, "tempo": []})


def test_the_list_of_commands_names_every_method() -> None:
    line = next(line for line in cli.usage().splitlines() if line.split()[:1] == ["tune"])
    assert set(tune.METHODS) <= set(re.findall(r"\w+", line))


def test_the_engine_keeps_its_weights_unless_told_otherwise(
    log: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own, other = tmp_path / "weights.py", tmp_path / "other.py"
    assert Path(pst.__file__).with_name("weights.py") == texel.OWN
    monkeypatch.setattr(texel, "OWN", own)
    words = [str(log), "--steps", "3", "--every", "2"]
    assert tune.main(words) == 0
    printed = capsys.readouterr().out.partition('"""')
    assert tune.main([*words, "-o", str(other)]) == 0
    assert not own.exists()
    assert other.read_text(encoding="utf-8") == printed[1] + printed[2]
    assert tune.main([*words, "--adopt"]) == 0
    assert own.read_text(encoding="utf-8") == other.read_text(encoding="utf-8")
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.endswith(".py")] == [str(other), str(own)]
    with pytest.raises(SystemExit) as left:
        leave(tune.main, [*words, "-o", str(tmp_path / "missing" / "x.py")])
    assert left.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_file_that_is_no_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.games"
    path.write_bytes(b"no games here, whatever the name says, but long enough to look like some")
    for bad in (path, tmp_path / "missing"):
        with pytest.raises(SystemExit) as left:
            leave(tune.main, [str(bad)])
        assert left.value.code == 2
        assert capsys.readouterr().err.count("\n") == 1
