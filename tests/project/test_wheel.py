"""The wheel: made from the source distribution, for any Linux, with the core for old and new processors."""

import os
import platform
import shutil
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from support.constants import ROOT
from support.packages import one

from sssnake._fast import cpu

V3 = "x86-64-v3"
V3_FLAGS = {"avx2", "bmi1", "bmi2", "fma", "movbe", "f16c", "abm"}  # as /proc/cpuinfo spells them
OLDEST = "Opteron_G1"  # the first x86-64 processor
DEPTH = "4"  # of the benches compared

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or platform.machine() != "x86_64", reason="wheels are made on x86-64 Linux"
)


@pytest.fixture(scope="module")
def wheel(packages: Path) -> Path:
    """Made from a source distribution."""
    return one(packages, "*manylinux*_x86_64.whl")


def call(command: list[str], **environment: str) -> str:
    """What a command prints that must succeed."""
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's contents, to be searched before all others."""
    folder = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-P", "-m", "pip", "install", "-q", "--no-deps", "--target", str(folder)]
    call([*pip, str(wheel)])
    return folder


def run(
    folder: Path, *words: str, core: str = "", under: tuple[str, ...] = ()
) -> "subprocess.CompletedProcess[str]":
    """Python on the installed wheel, with SSSNAKE_CORE."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "SSSNAKE_CORE": core}
    command = [*under, sys.executable, "-P", *words]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=300)


def bench(folder: Path, core: str = "", under: tuple[str, ...] = ()) -> int:
    """The signature."""
    done = run(folder, "-m", "sssnake", "bench", DEPTH, core=core, under=under)
    assert done.returncode == 0, done.stderr
    return int(done.stdout.splitlines()[-1].split()[0])


def test_the_wheel_holds_every_module_twice(wheel: Path) -> None:
    assert "-cp311-abi3-" in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        compiled = {name for name in archive.namelist() if name.endswith(".so")}
    core = ROOT / "_fast"
    modules = {path.relative_to(core).with_suffix("").as_posix() for path in core.rglob("*.pyx")}
    assert compiled == {f"sssnake/_fast/{module}.abi3.so" for module in modules} | {
        f"sssnake/_fast/{V3}/{module}.abi3.so" for module in modules - {"cpu"}
    }


def test_the_wheel_runs_on_any_linux(wheel: Path) -> None:
    pytest.importorskip("auditwheel", reason="auditwheel is missing: pip install '.[wheel]'")
    shown = call([sys.executable, "-P", "-m", "auditwheel", "show", str(wheel)])
    assert "manylinux_2_17_x86_64" in shown


def test_the_wheel_keeps_to_the_stable_abi(wheel: Path) -> None:
    pytest.importorskip("abi3audit", reason="abi3audit is missing: pip install '.[wheel]'")
    call([sys.executable, "-P", "-m", "abi3audit", "--strict", str(wheel)], TERM="dumb")


def test_every_level_is_the_same_engine(installed: Path) -> None:
    ours = bench(ROOT)
    assert bench(installed, core=".") == ours
    if cpu.has_v3():
        assert bench(installed, core=V3) == ours


@pytest.mark.parametrize("core", ["", ".", V3])
def test_the_level_is_chosen_at_import(installed: Path, core: str) -> None:
    if core == V3 and not cpu.has_v3():
        pytest.skip("this processor does not reach x86-64-v3")
    done = run(installed, "-c", "from sssnake._fast.search import root; print(root.__file__)", core=core)
    expected = core or (V3 if cpu.has_v3() else ".")
    assert Path(done.stdout.strip()).parent == installed / "sssnake" / "_fast" / expected / "search", (
        done.stderr
    )


def test_the_processor_is_known() -> None:
    text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    flags = {flag for line in text.splitlines() if line.startswith("flags") for flag in line.split()}
    assert cpu.has_v3() == (flags >= V3_FLAGS)


def test_the_oldest_processor_plays(installed: Path) -> None:
    emulator = shutil.which("qemu-x86_64")
    if emulator is None:
        pytest.skip("qemu-x86_64 is missing: apt install qemu-user")
    old = (emulator, "-cpu", OLDEST)
    assert bench(installed, under=old) == bench(installed, core=".")
    forced = run(installed, "-m", "sssnake", "bench", "1", core=V3, under=old)
    assert forced.returncode == -signal.SIGILL, "the emulator would not notice a newer instruction"


def test_a_core_that_is_not_there_is_one_line(installed: Path) -> None:
    done = run(installed, "-m", "sssnake", "bench", "1", core="nowhere")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "nowhere" in done.stderr


@pytest.mark.packages
def test_a_missing_compiler_is_named(tmp_path: Path) -> None:
    command = [sys.executable, "setup.py", "-q", "build_ext", "-b", str(tmp_path), "-t", str(tmp_path)]
    environment = {**os.environ, "CC": "no-such-compiler"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode != 0
    assert "apt install gcc" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
