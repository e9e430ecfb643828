"""Files that are there whole or not at all, whatever ends the program that writes them.

Only a regular file is ever replaced. What else a path may name (a device, a pipe, a terminal) is written
into, and a link is followed.
"""

import os
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of `path` when the context is left without an error.

    Others see the old file until then. Two processes may write the same file: the last one's counts.
    """
    target = _target(path)
    if target is None:
        with path.open("wb") as file:
            yield file
        return
    partial = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with partial.open("wb") as file:
            yield file
        if target.exists():
            shutil.copymode(target, partial)
        partial.replace(target)
    except OSError as error:
        if error.filename is None and error.errno:  # a write; opening names its file
            raise type(error)(error.errno, error.strerror, str(path)) from None
        raise
    finally:
        partial.unlink(missing_ok=True)


def _target(path: Path) -> Path | None:
    """The regular file, there already or not, that a path names; None for anything else."""
    if path.is_dir():
        raise IsADirectoryError(21, "is a folder", str(path))
    try:
        return path.resolve() if stat.S_ISREG(path.stat().st_mode) else None
    except FileNotFoundError:
        return path.resolve()


def try_output(path: Path | None) -> None:
    """See, before the work begins, that `path` could be written at its end. OSError naming it if not.

    What stands there stays as it is. None: nothing is to be written.
    """
    if path is None:
        return
    target = _target(path)
    if target is None:
        if not os.access(path, os.W_OK):
            raise PermissionError(13, "cannot be written", str(path))
        return
    partial = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        partial.open("wb").close()
        partial.unlink()
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None


def save(path: Path, data: bytes) -> None:
    """Write all of `data`, or leave the file as it was."""
    with whole(path) as file:
        file.write(data)


def save_text(path: Path, text: str) -> None:
    """The same for text."""
    save(path, text.encode())


def append(file: BinaryIO, data: bytes) -> None:
    """Add to the end of an unbuffered file: all of `data`, or (OSError) nothing where it can be cut back."""
    size = os.fstat(file.fileno()).st_size
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(file.fileno(), rest) :]
    except OSError as error:
        if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            os.ftruncate(file.fileno(), size)
        raise type(error)(error.errno, error.strerror, file.name) from None


def own_source(path: Path) -> Path:
    """`path`, a file of this engine's own source. ValueError where it is an installed copy: to no effect."""
    root = Path(__file__).parents[2]
    if not all((root / name).is_file() for name in ("pyproject.toml", "setup.py")):
        raise ValueError(f"--adopt is for a source checkout, and {path} is an installed copy")
    return path


class InUseError(ValueError):
    """Another process writes the file."""


def lock(file: BinaryIO) -> None:
    """Take a file for this process alone, until it is closed. InUseError if somebody else has it."""
    try:
        if os.name == "posix":
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            _lock_windows(file)
    except (BlockingIOError, PermissionError):
        raise InUseError(f"{file.name}: another process is writing it") from None
    except OSError:
        return  # a file system without locks: better unlocked than useless


def _lock_windows(file: BinaryIO) -> None:
    import msvcrt

    locking, mode = vars(msvcrt)["locking"], vars(msvcrt)["LK_NBLCK"]
    file.seek(1 << 40)  # a byte that nobody reads: on Windows locks keep readers out
    locking(file.fileno(), mode, 1)
