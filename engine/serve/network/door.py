"""Connections before they are known: who has shown no token yet has a few seconds, and few places.

uvicorn waits for ever for a first request, and counts every connection alike. So a hundred silent connections
of strangers would shut out the owner.
"""

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

PATIENCE = 5.0  # seconds until a request with the token
MOST_STRANGERS = 128  # connections without it at once, the oldest is closed for a new one
MOST_OF_ONE = 24  # of one address; a browser opens six


class Strangers:
    """The connections that have shown no token, oldest first."""

    def __init__(self) -> None:
        self._hosts: dict[Door, str] = {}
        self._count: Counter[str] = Counter()

    def enter(self, door: "Door", host: str) -> None:
        """Take a new one in, and send the oldest away if there are too many, those of its address first."""
        self._hosts[door] = host
        self._count[host] += 1
        if self._count[host] > MOST_OF_ONE:
            next(known for known, its in self._hosts.items() if its == host).dismiss()
        elif len(self._hosts) > MOST_STRANGERS:
            next(iter(self._hosts)).dismiss()

    def leave(self, door: "Door") -> None:
        """It is known now, or gone."""
        host = self._hosts.pop(door, None)
        if host is not None:
            self._count -= Counter([host])


class Door(H11Protocol):
    """A connection. The guard finds it in the scope's state, and tells it that the token was right."""

    def __init__(self, strangers: Strangers, **values: Any):
        super().__init__(**values)
        self._strangers = strangers
        self.app_state = {**self.app_state, "door": self}
        self._limit: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """It is a stranger's until it shows the token."""
        super().connection_made(transport)
        self._limit = self.loop.call_later(PATIENCE, self.dismiss)
        self._strangers.enter(self, self.client[0] if self.client else "")

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        self.welcome()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """What goes on as no request is told so, once: uvicorn prints a traceback of the other answer."""
        if self.cycle:
            self.cycle.disconnected = True
        super().send_400_response(msg)

    def welcome(self) -> None:
        """It has shown the token."""
        self._strangers.leave(self)
        if self._limit:
            self._limit.cancel()

    def dismiss(self) -> None:
        """Close it at once, whatever waits to be written."""
        self._strangers.leave(self)
        self.transport.abort()


class Socket(WebSocketsSansIOProtocol):
    """A websocket whose other end must read: while it does not, nothing is read from it, nor pings."""

    def __init__(self, *values: Any, **names: Any):
        super().__init__(*values, **names)
        self.app_state = {**self.app_state, "abort": lambda: self.transport.abort()}

    def send_receive_event_to_app(self) -> None:
        """A text that is no UTF-8 closes the tab without a word: uvicorn prints a traceback."""
        try:
            _ = self.curr_msg_data_type == "text" and b"".join(self.frames).decode()
        except UnicodeDecodeError:
            self.frames = []
            self.conn.send_close(1007)
            self.handle_parser_exception()
        else:
            super().send_receive_event_to_app()

    def pause_writing(self) -> None:
        """Too much waits to be taken."""
        super().pause_writing()
        self.transport.pause_reading()

    def resume_writing(self) -> None:
        """It was taken."""
        super().resume_writing()
        if not self.read_paused:
            self.transport.resume_reading()
