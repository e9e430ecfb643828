"""`sssnake serve` as a process, and its websocket as a program sees it."""

import http.client
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from support.constants import ENGINE, ROOT

PATIENCE = 30.0  # seconds


class Served:
    """The server, on a free port, by default that of the checkout. A context manager."""

    def __init__(
        self, *words: str, engine: Sequence[str] = ENGINE, environment: Mapping[str, str] | None = None
    ):
        self.process = subprocess.Popen(
            [*engine, "serve", "--no-browser", "--port", "0", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env={**os.environ, **(environment or {})},
        )
        assert self.process.stdout
        line = self.process.stdout.readline()
        found = re.search(r"http://(\S+):(\d+)/\?token=(\S+)", line)
        assert found and self.process.poll() is None, line
        self.address = found[0]
        self.host, self.port, self.token = found[1], int(found[2]), found[3]
        self.origin = f"http://{self.host}:{self.port}"
        self.cookie = f"sssnake-{self.port}={self.token}"

    def get(
        self, path: str = "/", method: str = "GET", payload: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Status, headers and body of an answer; the cookie goes with it, unless cookie="" is given."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=PATIENCE)
        given = {"cookie": self.cookie} | {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, payload, {name: value for name, value in given.items() if value})
        answer = connection.getresponse()
        result = answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        connection.close()
        return result

    def status(self) -> dict[str, int]:
        """How many tabs are open, how many searches run and wait."""
        found: dict[str, int] = json.loads(self.get("/status")[2])
        return found

    def wait_for(self, seconds: float = PATIENCE, **wanted: int) -> None:
        """Wait until the status is so."""
        end = time.monotonic() + seconds
        while {name: self.status()[name] for name in wanted} != wanted:
            assert time.monotonic() < end, (self.status(), wanted)
            time.sleep(0.1)

    def tab(self) -> "ServedTab":
        """A websocket of our own page."""
        return ServedTab(self.connect(origin=self.origin, cookie=self.cookie))

    def connect(self, origin: str | None, cookie: str, host: str | None = None) -> ClientConnection:
        """A websocket with these headers."""
        headers = {"Cookie": cookie} if cookie else {}
        manager = connect(
            f"ws://{host or self.host}:{self.port}/socket",
            origin=None if origin is None else Origin(origin),
            additional_headers=headers,
            open_timeout=PATIENCE,
            proxy=None,
        )
        return ExitStack().enter_context(manager)

    def interrupt(self) -> tuple[int, str]:
        """Ctrl-C: exit status and what was written to standard error."""
        self.process.send_signal(signal.SIGINT)
        _, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, errors

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            status, errors = self.interrupt()
            assert (status, errors) == (0, ""), (status, errors)


class ServedTab:
    """What a tab of the page does, without the page."""

    def __init__(self, socket: ClientConnection):
        self.socket = socket
        self._waiting: list[dict[str, Any]] = []
        self._last = 0

    def send(self, do: str, **fields: object) -> int:
        """Send a message; its number."""
        self._last += 1
        self.socket.send(json.dumps({"id": self._last, "do": do, **fields}))
        return self._last

    def next(self, seconds: float = PATIENCE) -> dict[str, Any]:
        """The next answer or event."""
        while not self._waiting:
            self._waiting = json.loads(self.socket.recv(timeout=seconds))
        return self._waiting.pop(0)

    def ask(self, do: str, **fields: object) -> dict[str, Any]:
        """An answer; events before it are dropped."""
        number = self.send(do, **fields)
        while (message := self.next()).get("id") != number:
            pass
        return message

    def events(self, do: str, **fields: object) -> list[dict[str, Any]]:
        """All events of some work, to its end."""
        number = self.send(do, **fields)
        found: list[dict[str, Any]] = []
        while not found or found[-1].get("event") not in ("done", "failed"):
            message = self.next()
            assert "error" not in message or "event" in message, message
            if message.get("job") == number:
                found.append(message)
        return found

    def close(self) -> None:
        """Close the tab."""
        self.socket.close()
