"""A real engine process for the long-running scripts: lines in, lines out, without deadlock."""

import os
import select
import subprocess
import tempfile
from collections.abc import Iterator

from support.constants import ENGINE, ROOT

WAIT = 300.0  # seconds for an answer; machines may be busy, sanitizers are slow


class EngineError(Exception):
    """A fault of the engine; the message describes it."""


class Engine:
    """An engine process in `folder`; `sent` holds every line sent to it."""

    def __init__(self, folder: str):
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 (closed in `close`)
        self.process = subprocess.Popen(
            ENGINE,
            cwd=folder,
            env=environment,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
        )
        assert self.process.stdin and self.process.stdout
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self.sent: list[bytes] = []
        self._heard = b""

    def send(self, *lines: bytes) -> None:
        """Write lines, and read the engine's output meanwhile, so that neither blocks the other."""
        self.sent += lines
        data = b"".join(line + b"\n" for line in lines)
        try:
            while data:
                readable, writable, _ = select.select([self.stdout], [self.stdin], [], WAIT)
                if readable:
                    self._listen()
                elif writable:
                    data = data[os.write(self.stdin.fileno(), data[: select.PIPE_BUF]) :]
                else:
                    raise EngineError("reads no more")
        except BrokenPipeError:
            raise EngineError(f"died with {self.process.wait(WAIT)}") from None

    def _listen(self) -> None:
        data = os.read(self.stdout.fileno(), 1 << 16)
        if not data:
            raise EngineError(f"died with {self.process.wait(WAIT)}")
        self._heard += data

    def hear(self) -> Iterator[str]:
        """The engine's output, line by line."""
        while True:
            line, end, rest = self._heard.partition(b"\n")
            if end:
                self._heard = rest
                yield line.decode("utf-8", "replace")
            elif select.select([self.stdout], [], [], WAIT)[0]:
                self._listen()
            else:
                raise EngineError("no answer")

    def until(self, prefix: str) -> str:
        """The next line that begins with the prefix."""
        return next(line for line in self.hear() if line.startswith(prefix))

    def end(self, right: int) -> None:
        """Wait for the end of the process; the status must be this, and stderr empty."""
        try:
            status = self.process.wait(WAIT)
        except subprocess.TimeoutExpired:
            raise EngineError("does not end") from None
        self.errors.seek(0)
        complaint = self.errors.read().decode("utf-8", "replace")
        if status != right or complaint:
            raise EngineError(f"exit status {status}, stderr: {complaint[-2000:]}")

    def close(self) -> None:
        """End the process, and close its pipes."""
        self.process.kill()
        self.process.wait()
        for stream in (self.stdin, self.stdout, self.errors):
            stream.close()
