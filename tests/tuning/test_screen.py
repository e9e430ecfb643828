"""screen: known effects are found, a seed gives one run, a run can be resumed."""

import random
from pathlib import Path

import numpy as np
import pytest
from support.commands import leave

from sssnake.engine.games.openings import OpeningOptions, openings
from sssnake.engine.tuning import screening
from sssnake.engine.tuning.screening import ELO_PER_SCORE, Experiment, Factor

FACTORS = [Factor(f"made up {number}", 0, 10) for number in range(12)]
TRUTH = np.array([40.0, -25.0, 10.0] + [0.0] * 9)  # Elo of high over low
NOISE = 0.13  # of a pair's score, as games to a ply have it


def made_up(pairs: int, seed: int) -> Experiment:
    """An experiment whose every pair is the sum of true effects and noise."""
    experiment = Experiment(FACTORS, seed, 1, 1, "SSS*")
    rng = random.Random(seed)
    for pair in range(pairs):
        score = 0.5 + np.dot(experiment.signs(pair), TRUTH) / ELO_PER_SCORE + rng.gauss(0, NOISE)
        experiment.points[pair] = 4 * float(score)
    return experiment


def test_known_effects_are_found() -> None:
    found, errors = made_up(800, seed=1).effects()
    assert errors == pytest.approx(1.96 * NOISE * ELO_PER_SCORE / 800**0.5, rel=0.15)
    assert np.all(np.abs(found - TRUTH) < 1.7 * errors)


def test_errors_are_honest() -> None:
    """In 95 of 100 experiments an effect lies within them."""
    experiments = (made_up(60, seed).effects() for seed in range(100))
    inside = [np.abs(found - TRUTH) < errors for found, errors in experiments]
    assert 0.92 < np.mean(inside) < 0.98


def test_the_surest_stands_first() -> None:
    lines = screening.report(made_up(800, seed=2))
    assert lines[0].endswith("800 pairs") and len(lines) == 1 + len(FACTORS)
    assert lines[1].startswith("made up 0 0 -> 10 ") and lines[2].startswith("made up 1 0 -> 10 ")


def test_surest_is_not_largest() -> None:
    """With few pairs errors differ."""
    rows = [line.split() for line in screening.report(made_up(18, seed=3))[1:]]
    sizes = [abs(float(row[-2])) for row in rows]
    sureness = [size / float(row[-1]) for size, row in zip(sizes, rows, strict=True)]
    assert sureness == pytest.approx(sorted(sureness, reverse=True), abs=0.02)
    assert sizes != sorted(sizes, reverse=True)


def test_sides_are_opposite_and_both_values_come() -> None:
    start = next(openings(None, OpeningOptions(seed=1)))
    experiment = Experiment([Factor("grain", 1, 8), Factor("aspiration", 10, 20)], 3, 77, 40, "PVS")
    seen = set()
    for pair in range(20):
        games = experiment.games(pair, start)
        one, other = games.sides
        assert (games.limits.nodes, games.plies, one.driver, other.driver) == (77, 40, "PVS", "PVS")
        high = [sign > 0 for sign in experiment.signs(pair)]
        assert one.values == {"grain": 8 if high[0] else 1, "aspiration": 20 if high[1] else 10}
        assert other.values == {"grain": 1 if high[0] else 8, "aspiration": 10 if high[1] else 20}
        seen.add(tuple(one.values.values()))
    assert len(seen) == 4


WORDS = ["reverse_futility_margin=30:200", "lmr_depth=0:2", "--nodes", "120", "--plies", "36", "--seed", "4"]


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same table at once, in two halves, and by two workers."""
    assert screening.main([*WORDS, "--games", "16"]) == 0
    whole = capsys.readouterr().out
    assert len(whole.splitlines()) == 3 and "8 pairs" in whole and "lmr_depth 0 -> 2" in whole
    state = ["--state", str(tmp_path / "state.json")]
    assert screening.main([*WORDS, *state, "--games", "8"]) == 0
    assert capsys.readouterr().out != whole
    assert screening.main([*WORDS, *state, "--games", "16", "--concurrency", "2"]) == 0
    assert capsys.readouterr().out == whole
    with pytest.raises(SystemExit):
        leave(screening.main, [*WORDS[:-1], "5", *state, "--games", "16"])
    assert "is the state of a run with other parameters" in capsys.readouterr().err


def test_too_few_pairs_are_refused_before_the_first_game(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screening, "run", lambda *_: pytest.fail("it played"))
    with pytest.raises(SystemExit) as left:
        leave(screening.main, ["lmr_depth=2:4", "--games", "2"])
    printed = capsys.readouterr().err
    assert left.value.code == 2 and printed.endswith("1 pairs say too little about 1 parameters\n")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["no_such=1:2"], "no parameter 'no_such'"),
        (["grain"], "is not NAME=LOW:HIGH"),
        (["grain=1"], "is not NAME=LOW:HIGH"),
        (["grain=4:2"], "LOW below HIGH, both in 1..64"),
        (["grain=0:2"], "LOW below HIGH, both in 1..64"),
        (["grain=1:2", "grain=1:4"], "a parameter is given twice"),
        (["grain=1:2", "--games", "2", "--nodes", "20", "--plies", "20"], "1 pairs say too little about 1"),
        (
            ["null_move_verify=60:64", "--games", "4", "--nodes", "20", "--plies", "20"],
            "2 pairs have no variance",
        ),
        (["grain=1:2", "--openings", "missing.epd"], "missing.epd"),
        (["grain=1:2", "--state", "README.md"], "README.md: no state of screen"),
    ],
)
def test_bad_input_is_one_line(words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        leave(screening.main, words)
    printed = capsys.readouterr().err
    assert left.value.code == 2 and complaint in printed and printed.count("\n") == 1
