"""What UCI_Elo means: the levels' strength is fitted to games, and typed into the engine."""

import importlib
from types import ModuleType

import pytest

pytest.importorskip("numpy", reason="numpy is missing: pip install '.[tune]'")

from support.constants import ROOT

from sssnake.engine.games.elo import expected_score
from sssnake.engine.player.skill import CALIBRATION

FOLDER = ROOT / "docs" / "measurements"


@pytest.fixture
def levels(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """docs/measurements/levels.py, a script of no package."""
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("levels")


def match(level: int, opponent: str, difference: float, games: int = 1000) -> dict[str, str]:
    """A row of levels.csv: as many points as expected."""
    points = games * expected_score(difference)
    return {"level": str(level), "opponent": opponent, "games": str(games), "points": str(points)}


def test_the_fit_finds_strengths_and_the_stretch(levels: ModuleType) -> None:
    games = [
        match(4, "1350", 1.5 * (1200 - 1350)),
        match(8, "1350", 1.5 * (1400 - 1350)),
        match(8, "1600", 1.5 * (1400 - 1600)),
        match(0, "level 4", 1.5 * (1000 - 1200)),
    ]
    fitted = levels.fit(games)
    assert fitted.stretch[0] == pytest.approx(1.5)
    assert {level: elo for level, (elo, _) in fitted.elo.items()} == pytest.approx(
        {0: 1000, 4: 1200, 8: 1400}
    )
    tenfold = levels.fit([match(4, "1350", -75, 10_000), match(4, "1200", 75, 10_000)]).elo[4]
    single = levels.fit([match(4, "1350", -75), match(4, "1200", 75)]).elo[4]
    assert tenfold[0] == pytest.approx(single[0]) == pytest.approx(1275)
    assert single[1] == pytest.approx(10**0.5 * tenfold[1])


def test_the_engine_has_the_strengths_that_were_fitted(levels: ModuleType) -> None:
    games = [row for row in levels.tables.measurements("levels") if "level_games" in row["table"].split()]
    fitted = levels.fit(games).elo
    assert {level: round(elo, -1) for level, (elo, _) in fitted.items()} == dict(CALIBRATION)
