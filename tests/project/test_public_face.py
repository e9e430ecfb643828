"""`import sssnake`: what it offers, what it costs, and that files called as its folders do it no harm."""

import doctest
import subprocess
import sys
from pathlib import Path

import pytest
from support.constants import ROOT

import sssnake
from sssnake.engine.analysis.api import batch, games
from sssnake.engine.player import engine


def test_the_public_names_are_those_of_engine_games_and_batches() -> None:
    modules = (engine, games, batch)
    names = [*engine.__all__, "GameAnalysis", "analyse", "Analysed", "analyse_many"]
    assert sorted(sssnake.__all__) == sorted(names) and set(names) <= set(dir(sssnake))
    for name in names:
        home = next(module for module in modules if hasattr(module, name))
        assert getattr(sssnake, name) is getattr(home, name)
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = sssnake.nonsense


def test_the_example_is_right() -> None:
    assert doctest.testmod(sssnake) == (0, 3)


def test_importing_it_imports_nothing_else() -> None:
    code = "import sys; before = {*sys.modules}; import sssnake; print({*sys.modules} - before)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "{'sssnake'}\n", done.stderr


def test_own_files_of_the_folders_names_do_no_harm(tmp_path: Path) -> None:
    for name in ("engine", "_fast", "openings", "networks"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(f'{__name__} was imported')\n")
    code = (
        "import chess\nfrom sssnake import Engine, Limits\nfrom sssnake.openings import BOOK\nBOOK.stat()\n"
    )
    code += "print(Engine(hash_mb=1).play(chess.Board(), Limits(nodes=100)).move is not None)\n"
    (tmp_path / "own.py").write_text(f"import sys\nsys.path.append({str(ROOT)!r})\n{code}")
    done = subprocess.run([sys.executable, "own.py"], cwd=tmp_path, capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_the_old_command_says_what_to_type() -> None:
    done = subprocess.run([sys.executable, "-mengine"], cwd=ROOT, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "python -m sssnake" in done.stderr
