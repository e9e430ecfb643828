"""The wheel for 64-bit ARM Linux, run by qemu with Debian's Python for ARM."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import chess
import pytest
from support.constants import ENGINE, KIWIPETE, ROOT
from support.packages import Foreign, nodes, one, talk

from sssnake._fast.board.board import Board
from sssnake.engine.player.engine import Engine

DEBIAN = (  # what Python needs there
    "python3.11-minimal",
    "libpython3.11-minimal",
    "libpython3.11-stdlib",
    "libc6",
    "libexpat1",
    "zlib1g",
    "libgcc-s1",
    "libffi8",
    "libcrypt1",
    "libbz2-1.0",
    "liblzma5",
)
FENS = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 b - - 0 1",
)
VALUES = """
import sys
from sssnake._fast.board.board import Board
from sssnake._fast.evaluation import nnue
from sssnake.engine.player.engine import Engine
network = Engine().network
for name in nnue.instruction_sets():
    nnue.use(name)
    print(name, *[network.value(Board(fen)) for fen in sys.argv[1:]])
"""


@pytest.fixture(scope="session")
def arm(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[list[str], dict[str, str]]:
    """The command of an ARM Python with the wheel, and its environment."""
    wheel = one(packages, "*_aarch64.whl")
    emulator = shutil.which("qemu-aarch64-static") or shutil.which("qemu-aarch64")
    if emulator is None or shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        pytest.skip("qemu-aarch64 or apt is not installed: apt install qemu-user-static")
    folder = tmp_path_factory.mktemp("arm")
    for name in ("state/lists/partial", "cache/archives/partial", "root", "site"):
        (folder / name).mkdir(parents=True)
    (folder / "status").touch()
    options = {
        "APT::Architecture": "arm64",
        "APT::Architectures::": "arm64",
        "Dir::State": folder / "state",
        "Dir::State::status": folder / "status",
        "Dir::Cache": folder / "cache",
    }
    apt = ["apt-get", "-qq", *(word for name, value in options.items() for word in ("-o", f"{name}={value}"))]
    for words in (["update"], ["download", *DEBIAN]):
        if subprocess.run([*apt, *words], cwd=folder, capture_output=True).returncode:
            pytest.skip("Debian's packages for ARM cannot be fetched")
    for package in folder.glob("*.deb"):
        subprocess.run(["dpkg-deb", "-x", package, folder / "root"], check=True)
    with zipfile.ZipFile(wheel) as files:
        files.extractall(folder / "site")
    shutil.copytree(Path(chess.__file__).parent, folder / "site" / "chess")
    root = folder / "root"
    return [emulator, "-L", str(root), str(root / "usr/bin/python3.11"), "-P"], {
        "PYTHONPATH": str(folder / "site")
    }


def test_the_wheel_is_the_same_engine(arm: tuple[list[str], dict[str, str]], tmp_path: Path) -> None:
    command, environment = arm
    assert nodes([*command, "-m", "sssnake"], environment, 4, tmp_path) == nodes(ENGINE, {}, 4, ROOT)


def test_a_dialogue(arm: tuple[list[str], dict[str, str]]) -> None:
    command, environment = arm
    talk(Foreign([*command, "-m", "sssnake"], environment))


def test_neon_computes_the_same_integers(arm: tuple[list[str], dict[str, str]]) -> None:
    command, environment = arm
    done = subprocess.run(
        [*command, "-c", VALUES, *FENS], env={**os.environ, **environment}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    network = Engine().network
    assert network is not None
    ours = " ".join(str(network.value(Board(fen))) for fen in FENS)
    assert done.stdout.splitlines() == [f"portable {ours}", f"neon {ours}"]


def test_the_wheel_runs_on_any_linux(packages: Path) -> None:
    pytest.importorskip("auditwheel", reason="auditwheel is not installed")
    wheel = one(packages, "*_aarch64.whl")
    command = [sys.executable, "-P", "-m", "auditwheel", "show", str(wheel)]
    shown = subprocess.run(command, capture_output=True, text=True)
    assert "manylinux_2_17_aarch64" in shown.stdout, shown.stderr
