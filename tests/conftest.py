"""Fixtures: default parameters for every test, a shard of quick games, UCI sessions, packages."""

import os
import platform
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from support.packages import build_once
from support.parameters import PARAMETERS
from support.released import is_due
from support.sessions import InProcess, Process

from sssnake._fast.search.parameters import OFF
from sssnake.engine.selfplay.datagen import Recipe, make_shard, shard_path

if TYPE_CHECKING:
    from sssnake.engine.training.dataset import Samples


LONG = ("project", "serve", "uci", "match", "training", "jobs")  # folders


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of the packages are marked so; the first one may have to make them.

    Folders that take long come first, so that no worker is left alone with one at the end.
    """
    items.sort(key=lambda item: item.path.parent.name not in LONG)
    for item in items:
        if "packages" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.packages)
            item.add_marker(pytest.mark.timeout(1800))


USUAL = {
    "mate_distance",
    "table_cutoffs",
    "killers",
    "counter_moves",
    "continuation_history",
    "capture_history",
}


@pytest.fixture(autouse=True)
def parameters() -> Iterator[None]:
    """Every test begins with the default parameters."""
    PARAMETERS.reset()
    yield
    PARAMETERS.reset()


@pytest.fixture
def released() -> None:
    """The test compares documents with the engine, which may differ between releases."""
    if not is_due():
        pytest.skip("the search has changed since the release that the documents' figures are of")


@pytest.fixture
def rules_off() -> None:
    """All selective rules are off, but for those that the test switches on; not those in USUAL."""
    for name, value in OFF.items():
        if name not in USUAL:
            PARAMETERS[name] = value


@pytest.fixture(scope="session")
def shard(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hundred games at 20 nodes a move, some of them Chess960."""
    folder, recipe = tmp_path_factory.mktemp("shard"), Recipe(seed=3, games=100, nodes=20, chess960=0.2)
    make_shard(folder, recipe)
    return shard_path(folder, recipe)


@pytest.fixture(scope="session")
def samples(shard: Path) -> "Samples":
    """The positions of the quick shard."""
    from sssnake.engine.training import dataset

    return dataset.load(shard, dataset.Filter())[1]


@pytest.fixture
def session() -> Iterator[InProcess]:
    session = InProcess()
    yield session
    session.close()


@pytest.fixture
def engine() -> Iterator[Process]:
    process = Process()
    yield process
    if process.process.poll() is None:
        assert process.end() == (0, "")


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `make wheels` fills. SSSNAKE_DIST names one that is filled already."""
    if (sys.platform, platform.machine()) != ("linux", "x86_64"):
        pytest.skip("packages are made on x86-64 Linux")
    made = os.environ.get("SSSNAKE_DIST")
    if made:
        return Path(made)
    folder = tmp_path_factory.getbasetemp()
    return build_once((folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "packages")


@pytest.fixture
def short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Engines of a match are waited for a moment only."""
    monkeypatch.setattr("sssnake.engine.match.game.GRACE_SECONDS", 0.3)
    monkeypatch.setattr("sssnake.engine.match.client.QUIT_SECONDS", 0.3)


@pytest.fixture
def slow_null_move(rules_off: None) -> None:
    """Null moves with a reduction of one ply."""
    PARAMETERS["null_move_depth"] = 3
    PARAMETERS["null_move_margin"] = 0
    PARAMETERS["null_move_base"] = 1
    PARAMETERS["null_move_divisor"] = 12
    PARAMETERS["null_move_eval_max"] = 0
