"""Distribution: one version, complete packages and source distribution, an executable that runs anywhere."""

import dataclasses
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib import metadata
from pathlib import Path

import bundle
import pytest
from setuptools import find_packages
from support.constants import ROOT

import sssnake
from sssnake._fast.evaluation import netfile
from sssnake.engine.common import build
from sssnake.engine.player.evaluation import SHIPPED

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = find_packages(str(ROOT), include=PROJECT["tool"]["setuptools"]["packages"]["find"]["include"])
NOT_SHIPPED = {".pyc", ".so", ".pyd"}


def test_the_version_is_written_once() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", sssnake.__version__)
    modules = [path for package in PACKAGES for path in folder(package).glob("*.p*")]
    sources = [*ROOT.glob("*.toml"), *ROOT.glob("*.py"), *modules]
    sources = [path for path in sources if path.suffix not in NOT_SHIPPED]
    written = [path for path in sources if f'"{sssnake.__version__}"' in path.read_text(encoding="utf-8")]
    assert written == [ROOT / "sssnake" / "__init__.py"]


def test_the_installed_version_is_this_one() -> None:
    try:
        installed = metadata.version("sssnake")
    except metadata.PackageNotFoundError:
        pytest.skip("sssnake is not installed in this environment: pip install -e .")
    assert installed == sssnake.__version__


def test_every_folder_is_a_declared_package() -> None:
    tops = [ROOT / "sssnake", *(ROOT / "sssnake" / name for name in ("_fast", "engine", "openings"))]
    modules = [path for top in tops for path in top.rglob("*.p*") if path.suffix not in NOT_SHIPPED]
    folders = {path.parent for path in modules}
    assert {".".join(path.relative_to(ROOT).parts) for path in folders} == set(PACKAGES)


def folder(package: str) -> Path:
    """Where a package lies."""
    return ROOT.joinpath(*package.split("."))


@pytest.mark.packages
def test_the_source_distribution_is_complete(tmp_path: Path) -> None:
    listing = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listing.returncode:
        pytest.skip("not a git checkout: git clone the project")
    links = ("engine", "_fast", "openings")  # below sssnake/: what they lead to is packed there
    tracked = {
        f"sssnake/{name}" if name.partition("/")[0] in links else name for name in listing.stdout.splitlines()
    } - {f"sssnake/{name}" for name in links}
    copy = tmp_path / "copy"
    ignore = shutil.ignore_patterns(".[!cg]*", ".git", "build", "dist", "*.egg-info", "__pycache__", "*.so")
    shutil.copytree(ROOT, copy, ignore=ignore, symlinks=True)
    subprocess.run(
        [sys.executable, "setup.py", "-q", "sdist", "-d", str(tmp_path)],
        cwd=copy,
        env={**os.environ, "SSSNAKE_NO_CORE": "1"},
        check=True,
        capture_output=True,
    )
    with tarfile.open(tmp_path / f"sssnake-{sssnake.__version__}.tar.gz") as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    assert tracked - {".gitignore"} <= packed


@pytest.fixture(scope="module")
def executable(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The one-file executable, moved away from where it was made."""
    made = tmp_path_factory.mktemp("made") / "snake"
    assert bundle.main([str(made)]) == 0
    return made.rename(tmp_path_factory.mktemp("moved to a place with blanks") / "renamed")


def start(executable: Path, cache: str, tmp_path: Path) -> "subprocess.Popen[str]":
    """The executable, far from the sources, with its own cache."""
    environment = {"PATH": os.environ["PATH"], "HOME": cache, "XDG_CACHE_HOME": cache}
    pipe = subprocess.PIPE
    return subprocess.Popen([executable], cwd=tmp_path, env=environment, stdin=pipe, stdout=pipe, text=True)


@pytest.mark.packages
def test_the_executable_plays_wherever_it_is(executable: Path, tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    engines = [start(executable, str(cache), tmp_path) for _ in range(4)]  # all unpack at once
    for process in engines:
        output, _ = process.communicate("uci\nposition startpos moves e2e4\ngo depth 3\n", timeout=60)
        assert "uciok" in output
        assert f"id name {build.name()}" in output
        assert re.search(r"^bestmove [a-h][1-8][a-h][1-8]", output, re.MULTILINE)
    unpacked = list((cache / "sssnake").iterdir())
    assert len(unpacked) == 1, "the same contents are unpacked once, and nothing is left behind"
    assert not list(unpacked[0].rglob("*.pyx"))


@pytest.mark.packages
def test_the_executable_needs_no_home(executable: Path, tmp_path: Path) -> None:
    output, _ = start(executable, "/dev/null", tmp_path).communicate("uci\n", timeout=60)
    assert "uciok" in output


@pytest.mark.packages
def test_equal_contents_make_equal_executables() -> None:
    assert bundle.archive() == bundle.archive()


@pytest.mark.packages
def test_another_network_takes_the_place_of_the_one_shipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    net, made = tmp_path / "x.sssn", tmp_path / "snake"
    netfile.write(net, dataclasses.replace(netfile.read(SHIPPED), description="another one"))
    assert bundle.main([str(made), str(net)]) == 0
    with zipfile.ZipFile(made) as archive:
        assert (
            archive.read("sssnake/engine/networks/internal.sssn") == net.read_bytes() != SHIPPED.read_bytes()
        )
    capsys.readouterr()
    net.write_bytes(b"no network")
    for bad in (net, tmp_path / "missing"):
        assert bundle.main([str(tmp_path / "never"), str(bad)]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "never").exists()


def recipe(*words: str) -> list[str]:
    """The commands that `make` would run."""
    if shutil.which("make") is None:
        pytest.skip("make is missing: apt install make")
    outside = {name: value for name, value in os.environ.items() if "MAKE" not in name}  # of `make test`
    done = subprocess.run(
        ["make", "-n", *words], cwd=ROOT, env=outside, check=True, capture_output=True, text=True
    )
    return done.stdout.splitlines()


def test_make_builds_as_openbench_asks() -> None:
    built = recipe("-j", "EXE=SSSnake-0a1b2c3d", "CC=gcc", "EVALFILE=/tmp/net")
    assert '.ci/packages/bundle.py "SSSnake-0a1b2c3d" "/tmp/net"' in built[-1]


def test_make_tests_with_pytorch() -> None:
    assert "sh .ci/torch none/bin/python" in recipe("test", "VENV=none")


@pytest.mark.packages
@pytest.mark.skipif(os.name != "posix", reason="a script of the shell")
def test_a_pytorch_of_another_hash_is_not_installed(tmp_path: Path) -> None:
    version = "2.13.0+cpu" if sys.platform == "linux" else "2.13.0"
    assert f"torch=={version} ;" in (ROOT / ".ci" / "torch.txt").read_text(encoding="utf-8")
    forged, target = tmp_path / f"torch-{version}-py3-none-any.whl", tmp_path / "target"
    info = f"torch-{version}.dist-info"
    with zipfile.ZipFile(forged, "w") as wheel:
        wheel.writestr("torch.py", "")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: torch\nVersion: {version}\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", f"torch.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n")
    pip = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path), "PIP_TARGET": str(target)}
    command = ["sh", str(ROOT / ".ci" / "torch"), sys.executable]
    done = subprocess.run(command, env={**os.environ, **pip}, capture_output=True, text=True)
    assert "no PyTorch of a known hash" in done.stderr and not target.exists()


def test_a_release_needs_a_clean_tree(tmp_path: Path) -> None:
    if shutil.which("git") is None:
        pytest.skip("there is no git")
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / "new").touch()
    command = ["sh", str(ROOT / ".ci" / "packages" / "release"), "none"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "git status" in done.stderr


def test_an_impossible_name_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert bundle.main([str(tmp_path / "missing" / "name")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert bundle.main([]) == 2
