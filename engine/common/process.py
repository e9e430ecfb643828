"""What a command relies on in its process: standard streams, Ctrl-C, where modules come from, how it ends.

Imports nothing that Python has not loaded anyway: UCI starts through here, too.
"""

import io
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

HOME = os.path.abspath(os.path.join(__file__, "..", "..", ".."))
# This engine, speaking UCI, from wherever it was imported here, be it an unpacked executable.
START = "from engine.commands import cli; sys.exit(cli.main())"
THIS_ENGINE = f"import sys; sys.path.insert(0, {HOME!r}); {START}"


_ours = False  # whether signals and streams of the process are
_replaced: list[io.TextIOWrapper] = []  # streams that share a buffer with those in use: it must not be closed


def this_engine() -> list[str]:
    """The command that starts this engine. -P: whatever lies in the current folder is not imported."""
    return [sys.executable, "-P", "-c", THIS_ENGINE]


class Telling(io.TextIOWrapper):
    """Standard output: its errors say what could not be written, and are remembered, for argparse drops them.

    Where the reader has gone the command is left, past all that would take it for a file's error.
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
        if isinstance(error, BrokenPipeError):
            raise SystemExit(0) from None
        raise error


class Forgiving(io.TextIOWrapper):
    """Standard error: where nobody can be told anything, a command goes on without telling."""

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
    """Make the process fit for any command; from now on it is ours."""
    global _ours
    _ours = True
    open_streams()
    ctrl_c(kills=True)
    here = not sys.flags.safe_path and sys.path and same_place(sys.path[0] or ".", ".")
    if here and not same_place(HOME, "."):  # `python -m` looks into the current folder first
        del sys.path[0]


def same_place(one: str, other: str) -> bool:
    """Whether both paths name one folder."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def open_streams() -> None:
    """Give closed standard streams an end that no file opened later can take.

    Nothing is read from a closed input; to write to a closed output is an error.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_WRONLY if number == 2 else os.O_RDONLY)  # takes the lowest number free
    if sys.stdin is None:
        sys.stdin = open(0, closefd=False)  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
    for name, kind in (("stdout", Telling), ("stderr", Forgiving)):
        old = getattr(sys, name)
        if isinstance(old, io.TextIOWrapper):  # names of files need not be text
            new = kind(old.buffer, old.encoding, "backslashreplace", line_buffering=old.line_buffering)
            setattr(sys, name, new)
            _replaced.append(old)


def ctrl_c(kills: bool) -> None:
    """Let Ctrl-C end the process without a word, as long as there is nothing to tidy up; or interrupt it.

    A shell may have had it ignored: that stays.
    """
    import _signal  # type: ignore[import-not-found]  # signal imports enum, which takes longer than all else

    usual, deadly = _signal.default_int_handler, _signal.SIG_DFL
    if _ours and _signal.getsignal(_signal.SIGINT) is (usual if kills else deadly):
        _signal.signal(_signal.SIGINT, deadly if kills else usual)


def guarded(name: str, command: "Callable[[], int]") -> int:
    """Run a command; its exit status. Whatever goes wrong is told here, in one line, and nowhere else.

    0 where nobody reads on. 2: bad input, or output that cannot be written. 130: interrupted.
    With SSSNAKE_TRACEBACK in the environment Python tells where an error comes from.
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
    if failure is None or isinstance(failure, BrokenPipeError):
        return status
    if not told and status == 0:
        print(f"{name}: {reason(failure)}", file=sys.stderr)
    return status or 2


def flushed() -> OSError | None:
    """Write out what is left on standard output; what went wrong there, now or before."""
    failure = None
    try:
        sys.stdout.flush()
    except OSError as error:
        failure = error
    except (SystemExit, ValueError):  # nobody reads it; it is closed
        pass
    failure = getattr(sys.stdout, "failure", failure)
    if failure is not None:
        abandon_output()
    return failure


def abandon_output() -> None:
    """Nobody reads it: nothing may be left to be flushed at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):  # it has no number, or is closed
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115


def reason(error: BaseException) -> str:
    """An exception in one line: of an OSError file and reason, of a defect its kind, too."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    if isinstance(error, MemoryError):
        return "out of memory"
    text = " ".join(str(error).split())
    return text if isinstance(error, ValueError) and text else f"{type(error).__name__}: {text}"
