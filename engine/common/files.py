"""Atomic writing: a file exists completely or not at all, even if the writing program is killed.

Only regular files are replaced. Other things (a device, a pipe, a terminal) are written to directly. Links
are followed. A named pipe is opened before the work, as a shell opens one: what waits for its reader is not
yet done, and its reader sees one end of file, after the work.
"""

import errno
import io
import os
import shutil
import stat
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from sssnake.engine.common.cleanup import removed_by_signals

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

REMARK_SECONDS = 1.0  # that a pipe has had no reader when that is told
POLL_SECONDS = 0.05
File = Path | str | int | None  # its name, or the number of an open one; None: none is asked for
STREAMS = ("standard input", "standard output")
STANDARD_INPUT, STANDARD_OUTPUT = 0, 1
_pipes: dict[Path, BinaryIO] = {}  # opened before the work, by their absolute paths


class _Named(io.BufferedWriter):
    """A file whose errors of writing name the output that it is for."""

    def __init__(self, file: io.FileIO, output: str) -> None:
        super().__init__(file)
        self.output = output

    def write(self, data: "ReadableBuffer") -> int:
        """Write; OSError."""
        with named(self.output):
            return super().write(data)

    def flush(self) -> None:
        """Flush; OSError."""
        with named(self.output):
            super().flush()


@contextmanager
def named(output: str) -> Iterator[None]:
    """Give an OSError of writing, which names no file, the name of the output. Opening names its file."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.errno:
            raise type(error)(error.errno, error.strerror, output) from None
        raise


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """A file to write to. It replaces `path` when the block ends without an exception, and is on the disk.

    Other programs see the old file until then. If two processes write the same file, the last one wins. A
    signal that ends the process removes what was written.
    """
    target = _target(path)
    with named(str(path)):
        if target is None:
            with _pipes.pop(path.absolute(), None) or _Named(io.FileIO(path, "wb"), str(path)) as file:
                yield file
            return
        partial = _partial(target)
        with removed_by_signals(partial):
            with _Named(io.FileIO(partial, "wb"), str(path)) as file:
                with suppress(InUseError):  # by another thread
                    lock(file)
                yield file
                file.flush()
                os.fsync(file.fileno())
            if target.exists():
                shutil.copymode(target, partial)
            partial.replace(target)


def _partial(target: Path) -> Path:
    """Where this process writes a file before it takes the place of `target`."""
    return target.with_name(f"{target.name}.{os.getpid()}.part")


def _remove_partials(target: Path) -> None:
    """Remove what processes have left that were killed while they wrote `target`."""
    for partial in target.parent.glob(f"{escape(target.name)}.*.part"):
        number = partial.name.removeprefix(f"{target.name}.").removesuffix(".part")
        if not (number.isascii() and number.isdigit()) or _runs(int(number)):
            continue
        with suppress(OSError, InUseError):  # another machine may be writing it
            with partial.open("r+b") as file:
                lock(file)
            partial.unlink()


def _runs(process: int) -> bool:
    """Whether a process of this number exists. False where that cannot be asked."""
    if os.name != "posix":
        return False  # os.kill would end it
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _target(path: Path) -> Path | None:
    """The regular file, existing or new, that a path names; None for anything else."""
    if path.is_dir():
        raise IsADirectoryError(21, "is a folder", str(path))
    try:
        return path.resolve() if stat.S_ISREG(path.stat().st_mode) else None
    except FileNotFoundError:
        return path.resolve()


def try_outputs(outputs: Sequence[Path | int | None], inputs: Iterable[File] = ()) -> None:
    """Check before the work that each output can be written and is a file of its own. OSError, ValueError."""
    check_apart(outputs, inputs)
    for output in outputs:
        if not isinstance(output, int):
            try_output(output)


def check_apart(outputs: Iterable[File], inputs: Iterable[File] = ()) -> None:
    """Check before the work that no output is an input too, or another output. ValueError if one is.

    Files are compared, not names: a link is what it leads to. An input that does not exist is none. To share
    a device or a socket does no harm.
    """
    taken: dict[tuple[int, int] | str, str] = {}
    for file in inputs:
        if known := _identity(file):
            taken[known] = f"the input {_name(file)}"
    for file in outputs:
        known = _identity(file, may_be_new=True)
        if known in taken:
            raise ValueError(f"{_name(file)}: the output cannot be one file with {taken[known]}")
        if known:
            taken[known] = f"the output {_name(file)}"


def _identity(file: File, may_be_new: bool = False) -> tuple[int, int] | str | None:
    """What all names of a file have in common; None if there is none, or one that may be shared."""
    if file is None:
        return None
    try:
        status = os.stat(file)  # noqa: PTH116  # may be a number
    except (OSError, ValueError):
        return os.path.realpath(file) if may_be_new and not isinstance(file, int) else None
    if stat.S_ISCHR(status.st_mode) or stat.S_ISSOCK(status.st_mode):
        return None
    return (status.st_dev, status.st_ino)


def _name(file: File) -> str:
    return STREAMS[file] if isinstance(file, int) else str(file)


def try_output(path: Path | None) -> None:
    """Check before the work that `path` can be written after it. OSError, with the path, if not.

    An existing file is not changed. A named pipe is opened, which waits for a reader, and stays open until it
    is written. None: nothing will be written.
    """
    if path is None:
        return
    target = _target(path)
    if target is None:
        if path.is_fifo():
            _open_pipe(path)
        elif not os.access(path, os.W_OK):
            raise PermissionError(13, "cannot be written", str(path))
        return
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(13, "cannot be written", str(path))
    _remove_partials(target)
    partial = _partial(target)
    try:
        with removed_by_signals(partial):
            partial.open("wb").close()
    except OSError as error:
        raise type(error)(error.errno, error.strerror, str(path)) from None


def _open_pipe(path: Path) -> None:
    """Open a named pipe for writing, as soon as a program reads it."""
    began, told = time.monotonic(), False
    while path.absolute() not in _pipes:
        try:
            descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if not path.resolve().exists():  # /dev/stdout, of a pipe without a name: no reader will come
                raise BrokenPipeError(errno.EPIPE, "nobody reads it", str(path)) from None
            if not told and time.monotonic() - began > REMARK_SECONDS:
                print(f"sssnake: {path}: waiting for a program that reads it", file=sys.stderr, flush=True)
                told = True
            time.sleep(POLL_SECONDS)
        else:
            os.set_blocking(descriptor, True)
            _pipes[path.absolute()] = os.fdopen(descriptor, "wb")  # `whole` closes it


def close_pipes() -> None:
    """Close the pipes that were opened and not written."""
    while _pipes:
        _pipes.popitem()[1].close()


@contextmanager
def appending(path: Path) -> Iterator[BinaryIO]:
    """A file to append to, unbuffered. A pipe that `try_appending` has opened stays open."""
    pipe = _pipes.get(path.absolute())
    if pipe is not None:
        yield pipe
        return
    with path.open("ab", buffering=0) as file:
        yield file


def try_appending(path: Path) -> None:
    """Check before the work that can be appended to `path`. OSError if not. A named pipe is opened."""
    if path.is_fifo():
        _open_pipe(path)
    else:
        path.open("ab").close()


def save(path: Path, data: bytes) -> None:
    """Write `data` atomically."""
    with whole(path) as file:
        file.write(data)


def save_text(path: Path, text: str) -> None:
    """Write text atomically, as UTF-8."""
    save(path, text.encode())


def append(file: BinaryIO, data: bytes) -> None:
    """Append `data` to an unbuffered file. On OSError a regular file is truncated to its old length."""
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
    """`path`, a source file of the engine. ValueError in an installed copy: that is no place for changes."""
    try:  # a copy may be installed into the folder of another project
        project = (Path(__file__).parents[3] / "pyproject.toml").read_text(encoding="utf-8")
    except (OSError, ValueError):
        project = ""
    if '\nname = "sssnake"\n' not in project:
        raise ValueError(f"--adopt is for a source checkout, and {path} is an installed copy")
    return path


class InUseError(ValueError):
    """Another process is writing the file."""


def lock(file: BinaryIO) -> None:
    """Lock a file until it is closed. InUseError if another process has locked it."""
    try:
        if os.name == "posix":
            import fcntl

            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            _lock_windows(file)
    except (BlockingIOError, PermissionError):
        raise InUseError(f"{file.name}: another process is writing it") from None
    except OSError:
        return  # a file system without locks


def _lock_windows(file: BinaryIO) -> None:
    import msvcrt

    locking, mode = vars(msvcrt)["locking"], vars(msvcrt)["LK_NBLCK"]
    at = file.tell()
    file.seek((1 << 31) - 2)  # beyond the data: a lock excludes readers. `locking` counts in 32 bits
    try:
        locking(file.fileno(), mode, 1)
    except OSError as error:  # which one says "in use" depends on the C runtime
        if error.errno != errno.EINVAL:
            raise BlockingIOError from None
        raise
    finally:
        file.seek(at)
