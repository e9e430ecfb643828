"""The zip for Windows: sssnake.exe, a part of CPython, the engine, its libraries, licences, README.txt."""

import importlib.metadata
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

EPOCH = (1980, 1, 1, 0, 0, 0)  # one date for all members: equal contents give equal files
BINARIES = ("python.exe", "python3.dll", "python313.dll", "vcruntime140.dll", "vcruntime140_1.dll")
EXTENSIONS = (
    *("_asyncio", "_bz2", "_ctypes", "_lzma", "_multiprocessing", "_overlapped", "_queue", "_socket", "_ssl"),
    *("pyexpat", "select", "unicodedata", "libcrypto-3", "libffi-8", "libssl-3"),
)
# What sssnake depends on, and what that depends on. These libraries import ssl; the page is plain HTTP.
LIBRARIES = (
    *("anyio", "chess", "click", "h11", "idna", "starlette", "tqdm", "typing_extensions"),
    *("uvicorn", "websockets"),
)
LEFT_OUT = {  # of the standard library: what needs other parts of Python, or is of no use here
    "__phello__",
    "__pycache__",
    "_pyrepl",
    "curses",
    "dbm",
    "pydoc_data",
    "sqlite3",
    "unittest",
    "venv",
    "wsgiref",
    "xmlrpc",
    "__hello__.py",
    "antigravity.py",
    "doctest.py",
    "this.py",
    "turtle.py",
}
STACK = 64 << 20  # bytes of the main thread's: it may search, and recurse in Python
PATHS = "Lib\n.\nengine\n"  # what python313._pth makes the only places that Python imports from
UNUSED = (".pyx", ".pxd", ".pyi", ".h", ".typed")


def write(dist: Path, python: Path, here: Path, work: Path) -> None:
    """Write sssnake-VERSION-windows-x64.zip, with the core of the wheel for Windows, to `dist`."""
    [wheel] = dist.glob("sssnake-*-win_amd64.whl")
    version = wheel.name.split("-")[1]
    folder = f"sssnake-{version}-windows-x64"
    launcher = work / "sssnake.exe"
    compile_launcher(here / "launcher.c", launcher, work)
    members = dict(contents(wheel, python))
    members["sssnake.exe"] = launcher.read_bytes()
    text = (here / "README.windows.txt").read_text(encoding="utf-8").replace("VERSION", version)
    members["README.txt"] = text.replace("\n", "\r\n").encode()
    with zipfile.ZipFile(dist / f"{folder}.zip", "w") as archive:
        for name, data in sorted(members.items()):
            archive.writestr(zipfile.ZipInfo(f"{folder}/{name}", EPOCH), data, zipfile.ZIP_DEFLATED, 9)


def compile_launcher(source: Path, target: Path, work: Path) -> None:
    """Compile sssnake.exe. CalledProcessError."""
    zig = [sys.executable, "-m", "ziglang", "cc", "-target", "x86_64-windows-gnu", "-O2", "-s"]
    caches = {f"ZIG_{kind}_CACHE_DIR": str(work / "zig") for kind in ("GLOBAL", "LOCAL")}
    made = str(target.with_suffix(".o"))
    link = ["-nostdlib", "-Wl,-e,start", f"-Wl,--stack,{STACK}", "-lkernel32", "-lshell32"]
    for step in (["-c", "-o", made, str(source)], ["-o", str(target), made, *link]):
        subprocess.run([*zig, *step], env={**os.environ, **caches}, check=True)


def contents(wheel: Path, python: Path) -> Iterator[tuple[str, bytes]]:
    """Names in the folder, and bytes, but for the launcher and README.txt."""
    yield "python/python313._pth", PATHS.encode()
    for name in BINARIES:
        yield f"python/{name}", (python / name).read_bytes()
    for name in EXTENSIONS:
        path = python / "DLLs" / name
        path = path.with_suffix(".dll" if name.startswith("lib") else ".pyd")
        yield f"python/{path.name}", path.read_bytes()
    library = python / "Lib"
    for path in sorted(library.rglob("*.py")):
        parts = path.relative_to(library).parts
        if not LEFT_OUT.intersection(parts):
            yield "/".join(("python/Lib", *parts)), path.read_bytes()
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if ".dist-info/" not in name and not name.endswith(UNUSED):
                yield f"python/engine/{name}", archive.read(name)
    for name in LIBRARIES:
        yield from library_files(name)
    yield from licences(python)


def library_files(name: str) -> Iterator[tuple[str, bytes]]:
    """The Python sources of a distribution that is installed here, and its licence."""
    for file in importlib.metadata.files(name) or ():
        path = Path(str(file.locate()))
        if file.suffix == ".py" and file.parts[0] != "..":
            yield f"python/engine/{file.as_posix()}", path.read_bytes()
        elif file.name.upper().startswith(("LICENSE", "LICENCE", "COPYING")):
            yield f"licences/{'python-chess' if name == 'chess' else name}.txt", path.read_bytes()


def licences(python: Path) -> Iterator[tuple[str, bytes]]:
    """Of the engine and of Python; that of a library stands beside its files."""
    yield "licences/SSSnake.txt", (Path(__file__).parents[2] / "LICENSE").read_bytes()
    yield "licences/Python.txt", (python / "LICENSE.txt").read_bytes()
