"""The web application: the page's files, and one websocket for each tab."""

import asyncio
import contextlib
import json
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from sssnake.engine.player.engine import Engine
from sssnake.engine.serve import laboratory
from sssnake.engine.serve.machine import Machine
from sssnake.engine.serve.security import Allowance
from sssnake.engine.serve.tab import Message, Tab, cost

PAGE = Path(__file__).with_name("page")
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
MOST_TABS = 32
MESSAGES = (300.0, 1500.0)  # of a tab: milliseconds of work a second, at once
MOST_REFUSED = 1000  # messages too many, until the tab is closed
MOST_UNSENT = 5000  # events that a tab has not taken
LARGEST_MESSAGE = 256 * 1024  # bytes
TOO_BIG, TRY_LATER, POLICY = 1009, 1013, 1008  # websocket closing codes


class Events:
    """What is to be sent to a tab; all that has gathered is sent as one list."""

    def __init__(self) -> None:
        self._waiting: list[Message] = []
        self._some = asyncio.Event()

    def put(self, event: Message) -> None:
        """Add one, unless the reader has fallen far behind."""
        if len(self._waiting) < MOST_UNSENT:
            self._waiting.append(event)
            self._some.set()

    async def take(self) -> list[Message]:
        """Wait for some."""
        await self._some.wait()
        self._some.clear()
        taken, self._waiting = self._waiting, []
        return taken


class Pages:
    """The application's state: files, tabs, machine."""

    def __init__(self, searches: int, hash_mb: int, threads: int):
        self._files = {
            path.relative_to(PAGE).as_posix(): path.read_bytes()
            for path in PAGE.rglob("*")
            if path.suffix in TYPES
        }
        self._machine = Machine(searches)
        self._hash_mb, self._threads = hash_mb, threads
        self._tabs = 0

    def app(self) -> Starlette:
        """The routes."""
        return Starlette(
            routes=[
                Route("/status", self.status),
                WebSocketRoute("/socket", self.socket),
                Route("/lab", self.lab),
                Route("/lab/{name}", laboratory.file),
                Route("/{name:path}", self.file),
            ]
        )

    async def file(self, request: Request) -> Response:
        """A file of the page."""
        name = request.path_params["name"] or "index.html"
        content = self._files.get(name)
        if content is None:
            return Response("not found\n", 404, media_type="text/plain")
        return Response(content, media_type=TYPES[Path(name).suffix])

    async def lab(self, request: Request) -> Response:
        """The laboratory's page of a position."""
        return await laboratory.page(request, self._machine)

    async def status(self, _: Request) -> JSONResponse:
        """How many tabs are open, how many searches run and wait."""
        machine = self._machine
        return JSONResponse({"tabs": self._tabs, "searching": machine.searching, "waiting": machine.waiting})

    async def socket(self, socket: WebSocket) -> None:
        """One tab, until it is closed."""
        await socket.accept()
        if self._tabs >= MOST_TABS:
            await socket.close(TRY_LATER, "too many tabs")
            return
        self._tabs += 1
        events = Events()
        engine = Engine(hash_mb=self._hash_mb, threads=self._threads)
        tab = Tab(self._machine, engine, events.put)
        sender = asyncio.create_task(send_all(socket, events))
        try:
            await answer_all(socket, tab, events)
        finally:
            sender.cancel()
            self._tabs -= 1
            await tab.close()


async def answer_all(socket: WebSocket, tab: Tab, events: Events) -> None:
    """Take messages one after the other and answer each."""
    allowance, refused = Allowance(*MESSAGES), 0
    while True:
        received = await socket.receive()
        if received["type"] == "websocket.disconnect":
            return
        try:
            message = json.loads(received.get("text") or "")
        except (ValueError, RecursionError):
            events.put({"id": None, "error": "a message is JSON"})
            continue
        if allowance.take(cost(message)):
            events.put(await tab.handle(message))
            continue
        refused += 1
        if refused > MOST_REFUSED:
            await socket.close(POLICY, "too many messages")
            return
        number = message.get("id") if isinstance(message, dict) else None
        events.put(
            {"id": number if type(number) is int else None, "error": "too many requests: wait a moment"}
        )
        await asyncio.sleep(0)


async def send_all(socket: WebSocket, events: Events) -> None:
    """Send events as they come, until the tab is closed."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while True:
            batch = await events.take()
            await socket.send_text(json.dumps(batch))
            await asyncio.sleep(0.02)  # what comes in the meantime goes together
