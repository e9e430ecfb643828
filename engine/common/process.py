"""The process of a command: standard streams, Ctrl-C, the import path, exit status and error messages.

UCI starts here too, so nothing of the library is imported that Python has not loaded anyway.
"""

import io
import os
import sys

from sssnake.engine.common.messages import reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

HOME = os.path.abspath(os.path.join(__file__, "..", "..", "..", ".."))
# Starts this engine from the folder it was imported from, which may be an unpacked executable.
START = "from sssnake.engine.commands import cli; sys.exit(cli.main())"
THIS_ENGINE = f"import sys; sys.path.insert(0, {HOME!r}); {START}"


_ours = False  # whether we may change the signals and streams of the process
_replaced: list[io.TextIOWrapper] = []  # old streams; closing them would close the buffers of the new ones


def this_engine() -> list[str]:
    """The command that starts this engine. -P: nothing is imported from the current folder."""
    return [sys.executable, "-P", "-c", THIS_ENGINE]


class Telling(io.TextIOWrapper):
    """Standard output. Its errors name it, and are stored, because argparse ignores them.

    If the reader has gone, the command ends by SystemExit, so that no handler of OSError sees it.
    """

    failure: OSError | None = None

    def write(self, text: str) -> int:
        """Write; OSError."""
        try:
            return super().write(text)
        except OSError as error:
            self._fail(error)

    def flush(self) -> None:
        """Flush; OSError."""
        try:
            super().flush()
        except OSError as error:
            self._fail(error)

    def _fail(self, error: OSError) -> "NoReturn":
        error.filename = "standard output"
        self.failure = self.failure or error
        if reader_gone(error):
            raise SystemExit(0) from None
        raise error


class Forgiving(io.TextIOWrapper):
    """Standard error that ignores write errors."""

    def write(self, text: str) -> int:
        """Write, if possible."""
        try:
            return super().write(text)
        except (OSError, ValueError):
            return len(text)

    def flush(self) -> None:
        """Flush, if possible."""
        try:  # noqa: SIM105  # contextlib would slow the start down
            super().flush()
        except (OSError, ValueError):
            pass


def begin() -> None:
    """Prepare the process for a command."""
    global _ours
    _ours = True
    open_streams()
    ctrl_c(kills=True)
    here = not sys.flags.safe_path and sys.path and same_place(sys.path[0] or ".", ".")
    if here and not same_place(HOME, "."):  # where `python -m` would look first
        del sys.path[0]


def same_place(one: str, other: str) -> bool:
    """Whether both paths name the same folder."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def open_streams() -> None:
    """Reopen closed standard streams, so that no other file gets their numbers.

    A closed input is empty; writing to a closed output is an error.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_WRONLY if number == 2 else os.O_RDONLY)  # gets the lowest free number
    if sys.stdin is None:
        sys.stdin = open(0, closefd=False)  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
    for name, kind in (("stdout", Telling), ("stderr", Forgiving)):
        old = getattr(sys, name)
        if isinstance(old, io.TextIOWrapper):  # file names need not be valid text
            new = kind(old.buffer, old.encoding, "backslashreplace", line_buffering=old.line_buffering)
            setattr(sys, name, new)
            _replaced.append(old)


def ctrl_c(kills: bool) -> None:
    """Let Ctrl-C end the process silently (`kills`), or raise KeyboardInterrupt.

    If the shell has made the process ignore Ctrl-C, that stays.
    """
    import _signal  # type: ignore[import-not-found]  # importing signal is slow: it imports enum

    usual, deadly = _signal.default_int_handler, _signal.SIG_DFL
    if _ours and _signal.getsignal(_signal.SIGINT) is (usual if kills else deadly):
        _signal.signal(_signal.SIGINT, deadly if kills else usual)


def guarded(name: str, command: "Callable[[], int]") -> int:
    """Run a command and return its exit status. An exception is reported here, in one line.

    0: also if the reader of the output has gone. 2: bad input, or output that cannot be written. 130:
    interrupted. With SSSNAKE_TRACEBACK in the environment exceptions are not caught.
    """
    told = False
    try:
        status = command()
    except SystemExit as exit_:
        if isinstance(exit_.code, str):
            print(exit_.code, file=sys.stderr)
        status = exit_.code if isinstance(exit_.code, int) else int(exit_.code is not None)
    except KeyboardInterrupt:
        status = 130
    except Exception as error:
        if os.environ.get("SSSNAKE_TRACEBACK"):
            raise
        print(f"{name}: {reason(error)}", file=sys.stderr)
        status, told = 2, True
    ctrl_c(kills=True)
    failure = flushed()
    if failure is None or reader_gone(failure):
        return status
    if not told and status == 0:
        print(f"{name}: {reason(failure)}", file=sys.stderr)
    return status or 2


def flushed() -> OSError | None:
    """Flush standard output; return its error, present or earlier."""
    failure = None
    try:
        sys.stdout.flush()
    except OSError as error:
        failure = error
    except (SystemExit, ValueError):  # the reader has gone; the stream is closed
        pass
    failure = getattr(sys.stdout, "failure", failure)
    if failure is not None:
        abandon_output()
    return failure


def reader_gone(error: OSError) -> bool:
    """Whether an error of output means that nobody reads it any more. Windows calls that EINVAL."""
    return isinstance(error, BrokenPipeError) or (os.name == "nt" and error.errno == 22)


def abandon_output() -> None:
    """Drop all output: nothing must be flushed at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # it has no file number, or is closed
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
