"""Compiling with profile-guided optimization: twice, the second time with the counts of a run; else once."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.constants import ROOT

MODULE = "def total(int n):\n    cdef int i, s = 0\n    for i in range(n):\n        s += i\n    return s\n"
TRAINING = "from sssnake._fast import toy\ntoy.total(9)\nopen('trained', 'w').write(toy.__file__)\n"

pytestmark = [
    pytest.mark.packages,
    pytest.mark.skipif(
        sys.platform != "linux" or not shutil.which("gcc"), reason="only with gcc the core is compiled twice"
    ),
]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """This project's setup.py, with one small module and a command that runs it."""
    for folder in ("_fast", "sssnake"):
        (tmp_path / folder).mkdir()
    (tmp_path / "sssnake/_fast").symlink_to("../_fast")
    for name in ("setup.py", "_fast/__init__.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "_fast/toy.pyx").write_text(MODULE)
    (tmp_path / "sssnake/__init__.py").touch()
    (tmp_path / "sssnake/__main__.py").write_text(TRAINING)
    return tmp_path


def build(project: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Build the module beside its source, and run it; return the finished process."""
    settings = {"CC": "gcc", "SSSNAKE_PROFILE": "1", "SSSNAKE_CORE": "", "PYTHONPATH": "", **environment}
    command = [sys.executable, "setup.py", "build_ext", "--inplace"]
    done = subprocess.run(
        command, cwd=project, env={**os.environ, **settings}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    [built] = (project / "_fast").glob("toy.*.so")
    spec = importlib.util.spec_from_file_location("sssnake._fast.toy", built)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.total(5) == 10
    assert b"gcov" not in built.read_bytes()  # not instrumented
    return done


def counts(project: Path) -> list[Path]:
    """The files of counts that gcc has written."""
    return sorted(project.rglob("*.gcda"))


def test_the_core_is_compiled_twice(project: Path) -> None:
    done = build(project)
    assert "-fprofile-generate" in done.stdout and "-fprofile-use" in done.stdout
    assert [path.name for path in counts(project)] == ["toy.gcda"]
    assert "counting" in (project / "trained").read_text()
    (project / "trained").unlink()
    done = build(project)
    assert "gcc" not in done.stdout and not (project / "trained").exists()  # nothing has changed
    (project / "_fast/toy.pyx").write_text(MODULE.replace("s += i", "s += 1 * i"))
    done = build(project)
    assert "-fprofile-generate" in done.stdout and "-fprofile-use" in done.stdout
    assert (project / "trained").exists()  # the old counts do not fit the edited module


def test_compiled_once_where_that_is_asked_for(project: Path) -> None:
    done = build(project, SSSNAKE_PROFILE="0")
    assert "-fprofile" not in done.stdout
    assert not counts(project) and not (project / "trained").exists()


def test_compiled_once_where_the_counting_core_does_not_run(project: Path) -> None:
    with (project / "sssnake/__main__.py").open("a") as file:
        file.write("raise SystemExit('no such luck')\n")
    done = build(project)
    [line] = [line for line in done.stderr.splitlines() if line.startswith("sssnake: ")]
    assert line == "sssnake: compiled once, as the core that counts does not run: no such luck"
    assert (project / "trained").exists() and not counts(project)
