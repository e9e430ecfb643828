"""Packs SSSnake into one executable file for OpenBench and GUIs: `make EXE=name [EVALFILE=net]`.

The file is a shell line that starts this Python, followed by a zip of the player, its compiled core, its book
and python-chess. It may be moved, and does not need the source tree, only the interpreter. With EVALFILE that
network replaces the shipped one.
"""

import hashlib
import importlib.util
import io
import os
import py_compile
import shlex
import stat
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import bootstrap

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from sssnake._fast.evaluation import netfile
from sssnake.engine.common import build
from sssnake.engine.common.files import whole
from sssnake.engine.player.evaluation import SHIPPED

START = """

sys.path[0] = unpacked(sys.path[0], "{}", {!r})

from sssnake.engine.commands.cli import main

sys.exit(main())
"""
DATA = (".bin", ".css", ".html", ".js", ".sssn", ".yml")
EPOCH = (1980, 1, 1, 0, 0, 0)  # one date for all members: equal contents give equal files


def main(argv: list[str]) -> int:
    """Write the executable, with another network if one is named; 2 and one line on an error."""
    if not 1 <= len(argv) <= 2:
        print("usage: python .ci/packages/bundle.py NAME [NETWORK]", file=sys.stderr)
        return 2
    if os.name != "posix":
        print("sssnake: executables are for Linux and macOS; for Windows there is a zip", file=sys.stderr)
        return 2
    target = Path(argv[0])
    try:
        write(target, *map(network, argv[1:]))
    except (OSError, ValueError) as error:
        reason = f"cannot write {target}: {error.strerror}" if isinstance(error, OSError) else str(error)
        print(f"sssnake: {reason}", file=sys.stderr)
        return 2
    print(f"{target.resolve()}: {target.stat().st_size / 1e6:.1f} MB")
    return 0


def network(path: str) -> bytes:
    """The bytes of an evaluation network. ValueError if it is none."""
    netfile.read(path)
    return Path(path).read_bytes()


def write(target: Path, net: bytes = b"") -> None:
    """Write the bundle, executable, to `target`. A running engine keeps its old file."""
    data = archive(net)
    with whole(target) as file:
        file.write(launcher().encode() + data)
        mode = os.fstat(file.fileno()).st_mode
        os.fchmod(file.fileno(), mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)


def launcher() -> str:
    """The shell lines before the zip: they start this interpreter, or another of the same kind."""
    python = shlex.quote(os.path.realpath(sys.executable))  # not the virtual environment's link to it
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    check = (
        f"from importlib.machinery import EXTENSION_SUFFIXES as s; exit(s[0] != '{EXTENSION_SUFFIXES[0]}')"
    )
    # -IS: the bundle and the standard library only
    return f"""#!/bin/sh
[ -x {python} ] && exec {python} -IS "$0" "$@"
for python in python{version} python3; do
    "$python" -I -c "{check}" 2>/dev/null && exec "$python" -IS "$0" "$@"
done
echo "sssnake: there is no Python {version} (made with "{python}")" >&2
exit 2
"""


def archive(net: bytes = b"") -> bytes:
    """The zip of all files (with `net`, if any, as network) and a `__main__` with their digest."""
    members = dict(contents())
    if net:
        members[str(SHIPPED.relative_to(ROOT))] = net
    digest = hashlib.sha256()
    for name, data in sorted(members.items()):
        digest.update(f"{name} {len(data)}\n".encode() + data)
    sizes = "\n".join(f"{len(data)} {name}" for name, data in sorted(members.items()))
    start = Path(bootstrap.__file__).read_text(encoding="utf-8")
    start += START.format(digest.hexdigest()[:16], sizes)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as files:
        files.writestr(zipfile.ZipInfo("__main__.py", EPOCH), start)  # stored: it is read at every start
        for name, data in sorted(members.items()):
            files.writestr(zipfile.ZipInfo(name, EPOCH), data, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def contents() -> Iterator[tuple[str, bytes]]:
    """Name and bytes of every file that the player needs at run time."""
    yield "LICENSE", (ROOT / "LICENSE").read_bytes()
    if commit := build.commit():
        yield build.NOTE, f"{commit}{'+' if has_changes() else ''}\n".encode()
    home = ROOT / "sssnake"
    for folder in (home, *sorted(path for path in home.iterdir() if path.is_symlink())):
        yield from package_files(folder, ROOT)
    chess = importlib.util.find_spec("chess")
    assert chess is not None and chess.submodule_search_locations
    library = Path(chess.submodule_search_locations[0])
    yield from package_files(library, library.parent)


def has_changes() -> bool:
    """Whether files of the checkout differ from its commit; False without git."""
    try:
        asked = ["git", "status", "--porcelain", "--untracked-files=no"]
        return bool(subprocess.run(asked, cwd=ROOT, capture_output=True).stdout)
    except OSError:
        return False


def package_files(folder: Path, root: Path) -> Iterator[tuple[str, bytes]]:
    """Sources with bytecode, compiled modules of this interpreter, and data, named from `root`.

    Links below the folder are not followed. No Cython sources, no stubs.
    """
    extensions = tuple(EXTENSION_SUFFIXES)
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(root))
        if path.suffix == ".py":
            yield name, path.read_bytes()
            yield importlib.util.cache_from_source(name), bytecode(path, name)
        elif path.name.endswith(extensions) or path.suffix in DATA:
            yield name, path.read_bytes()


def bytecode(path: Path, name: str) -> bytes:
    """`path` compiled. It is not checked against its source: unpacking changes the date of that."""
    with tempfile.TemporaryDirectory() as folder:
        compiled = f"{folder}/module.pyc"
        unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
        py_compile.compile(str(path), compiled, dfile=name, doraise=True, invalidation_mode=unchecked)
        return Path(compiled).read_bytes()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
