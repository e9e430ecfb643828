"""The wheel, installed by pip, pipx and uv: what it brings, and what it says is missing.

They fetch what the wheel depends on, so the tests need an index of packages.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from support.packages import one
from support.web import Served

INJECT = "pipx inject sssnake numpy scipy"
MESSAGES = {
    "pip": "{env}/bin/python -m pip install numpy scipy",
    "pipx": INJECT,
    "pipx with another home": INJECT,
    "uv": "uv tool install --reinstall --with numpy --with scipy, and the wheel or folder",
}


def call(
    *command: object, environment: Mapping[str, str], status: int = 0
) -> "subprocess.CompletedProcess[str]":
    """A command that ends with this status."""
    done = subprocess.run(
        [str(word) for word in command],
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == status, done.stderr
    return done


@pytest.mark.parametrize("kind", MESSAGES)
def test_an_installed_wheel_says_how_to_get_more(kind: str, packages: Path, tmp_path: Path) -> None:
    tool = kind.split()[0]
    if tool != "pip" and shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed: pip install {tool}")
    wheel, home, env = one(packages, "*manylinux*_x86_64.whl"), tmp_path / "home", tmp_path / "env"
    home.mkdir()
    outside = {
        name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PIPX", "UV"))
    }
    outside |= {"HOME": str(home), "PIPX_DEFAULT_PYTHON": sys.executable, "UV_PYTHON": sys.executable}
    if "another" in kind:
        outside |= {"PIPX_HOME": str(tmp_path / "opt"), "PIPX_BIN_DIR": str(tmp_path / "bin")}
    if tool == "pip":
        call(sys.executable, "-m", "venv", env, environment=outside)
        call(env / "bin" / "pip", "install", wheel, environment=outside)
    else:
        call(*(("uv", "tool") if tool == "uv" else ("pipx",)), "install", wheel, environment=outside)
    folders = {"pip": env / "bin", "pipx": home / ".local" / "bin", "uv": home / ".local" / "bin"}
    sssnake = folders.get(kind, tmp_path / "bin") / "sssnake"
    path = call(sssnake, "--print-path", environment=outside).stdout.strip()
    assert call(path, "bench", "2", environment=outside).stdout.endswith(" nps\n")
    message = call(sssnake, "wdl", "x", environment=outside, status=2).stderr
    message = re.sub(r"bin/python[\d.]+ ", "bin/python ", message)
    assert message == f"sssnake wdl: numpy is missing: {MESSAGES[kind].format(env=env)}\n"
    with Served(engine=[str(sssnake)], environment=outside) as server:
        assert server.get()[0] == 200
