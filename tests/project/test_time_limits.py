"""Every test has a time limit: one that hangs is ended and named, with the line where it stands."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from support.constants import ROOT

HANGS = {
    "compiled": "perft(Board(), 15)",  # in the main thread
    "threads": "Engine(hash_mb=1).start(chess.Board()).wait()",
    "python": "while True: pass",
    "holds the GIL": "re.fullmatch('(a+)+', 'a' * 100 + 'b')",
}
MODULE = """
import re
import chess
from sssnake._fast.board.board import Board
from sssnake._fast.board.perft import perft
from sssnake.engine.player.engine import Engine

def test_before(): pass
def test_hangs():
    {line}
def test_after(): pass
"""


def run(folder: Path, hang: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Tests of which one hangs, under the project's settings with shorter limits."""
    path = folder / "test_some.py"
    path.write_text(MODULE.format(line=HANGS[hang]), encoding="utf-8")
    limits = ["-o", "timeout=2", "-o", "faulthandler_timeout=4"]
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-c",
        str(ROOT / "pyproject.toml"),
        "--rootdir",
        str(folder),
        "-p",
        "no:cacheprovider",
    ]
    return subprocess.run(
        [*command, *limits, *words, str(path)], cwd=ROOT, capture_output=True, text=True, timeout=120
    )


@pytest.mark.parametrize("hang", HANGS)
def test_a_test_that_hangs_is_ended_and_shown(hang: str, tmp_path: Path) -> None:
    done = run(tmp_path, hang)
    assert done.returncode == 1 and "passed" not in done.stdout
    assert "in test_hangs" in done.stdout + done.stderr


def test_the_tests_beside_it_go_on(tmp_path: Path) -> None:
    done = run(tmp_path, "compiled", "-n", "1")
    assert done.returncode == 1 and "1 failed, 2 passed" in done.stdout
    assert "crashed while running 'test_some.py::test_hangs'" in done.stdout


def test_the_limits() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    options = project["tool"]["pytest"]["ini_options"]
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")]
    longest = max(
        int(number) for source in sources for number in re.findall(r"mark\.timeout\((\d+)\)", source)
    )
    assert 60 <= options["timeout"] <= 600 < longest < options["faulthandler_timeout"]
    assert any(
        name.startswith("pytest-timeout") for name in project["project"]["optional-dependencies"]["test"]
    )
