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

from sssnake.engine.serve import laboratory
from sssnake.engine.serve.machine import Machine
from sssnake.engine.serve.messages import Message, is_name
from sssnake.engine.serve.security import Allowance
from sssnake.engine.serve.tab import Tab, cost

PAGE = Path(__file__).with_name("page")
MANUAL = Path(__file__).with_name("manual")  # links to the documents; files where it is installed
PAGES = ("serve.md", "analyse.md", "strength.md", "how-it-plays.md", "install.md")
TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
MOST_TABS = 300
MESSAGES = (300.0, 1500.0)  # of a tab: milliseconds of work a second, at once
MOST_REFUSED = 500  # messages too many, until the tab is closed
SLOWER = 0.02  # seconds that each of them waits
MOST_UNSENT = 8 << 20  # bytes that a tab has not taken, until it is closed
FEW_UNSENT = 1 << 18  # bytes, from which on nothing more is read from it
LARGEST_MESSAGE = 8 << 20  # bytes
TRY_LATER, POLICY = 1013, 1008  # websocket closing codes
READING = 50_000  # bytes of JSON that are read in a millisecond


class Outbox:
    """What is to be sent to a tab, as JSON; all that has gathered is sent as one list."""

    def __init__(self) -> None:
        self._waiting: list[str] = []
        self._under_way = 0
        self._some, self._room = asyncio.Event(), asyncio.Event()
        self._room.set()
        self.bytes = 0  # not taken yet

    def put(self, event: Message) -> None:
        """Add one; after too many the tab is closed, see `take`."""
        if self.bytes > MOST_UNSENT:
            return
        text = json.dumps(event, allow_nan=False)
        self._waiting.append(text)
        self._count(len(text))
        self._some.set()

    async def take(self) -> str:
        """Wait for some; what was taken before has been sent. OverflowError: it was not taken in time."""
        self._count(-self._under_way)
        self._under_way = 0
        await self._some.wait()
        self._some.clear()
        taken, self._waiting = self._waiting, []
        self._under_way = sum(map(len, taken))
        return f"[{','.join(taken)}]"

    async def room(self) -> None:
        """Wait until the tab has taken most of it."""
        await self._room.wait()

    def _count(self, more: int) -> None:
        self.bytes += more
        (self._room.clear if self.bytes > FEW_UNSENT else self._room.set)()

    @property
    def overflown(self) -> bool:
        """Whether the tab is too far behind."""
        return self.bytes > MOST_UNSENT


class Pages:
    """The application's state: files, tabs, machine."""

    def __init__(self, searches: int, hash_mb: int, threads: int):
        self._files = {
            path.relative_to(PAGE).as_posix(): path.read_bytes()
            for path in PAGE.rglob("*")
            if path.suffix in TYPES
        }
        self._manual = {name: (MANUAL / name).read_bytes() for name in PAGES if (MANUAL / name).is_file()}
        self._machine = Machine(searches)
        self._options = {"hash_mb": hash_mb, "threads": threads, "show_wdl": True}
        self._tabs = 0

    def app(self) -> Starlette:
        """The routes."""
        return Starlette(
            routes=[
                Route("/status", self.status),
                WebSocketRoute("/socket", self.socket),
                Route("/lab", self.lab),
                Route("/lab/{name}", laboratory.file),
                Route("/manual", self.contents),
                Route("/manual/{name:path}", self.manual),
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

    async def contents(self, _: Request) -> JSONResponse:
        """Names and titles of the pages of the manual that are here."""
        titles = [text.decode().partition("\n")[0].lstrip("# ") for text in self._manual.values()]
        return JSONResponse(list(zip(self._manual, titles, strict=True)))

    async def manual(self, request: Request) -> Response:
        """A page of the manual, as it is written: Markdown reads as text."""
        content = self._manual.get(request.path_params["name"])
        found = content is not None
        return Response(content or "not found\n", 200 if found else 404, media_type="text/plain")

    async def status(self, _: Request) -> JSONResponse:
        """How many tabs are open, how many searches run and wait."""
        machine = self._machine
        return JSONResponse({"tabs": self._tabs, "searching": machine.searching, "waiting": machine.waiting})

    async def socket(self, socket: WebSocket) -> None:
        """One tab, until it is closed or does not read."""
        await socket.accept()
        if self._tabs >= MOST_TABS:
            await socket.close(TRY_LATER, "too many tabs")
            return
        self._tabs += 1
        outbox = Outbox()

        def emit(event: Message) -> None:
            outbox.put(event)
            if outbox.overflown:
                sender.cancel()

        tab = Tab(self._machine, self._options, emit)
        sender = asyncio.create_task(send_all(socket, outbox))
        reader = asyncio.create_task(answer_all(socket, tab, outbox))
        try:
            await asyncio.wait([sender, reader], return_when=asyncio.FIRST_COMPLETED)
        finally:
            sender.cancel()
            reader.cancel()
            self._tabs -= 1
            await tab.close()
        if outbox.overflown:
            socket.scope["state"]["abort"]()  # a farewell would wait behind what is not taken


async def answer_all(socket: WebSocket, tab: Tab, outbox: Outbox) -> None:
    """Take messages one after the other and answer each, as long as the answers are taken."""
    allowance, refused = Allowance(*MESSAGES), 0
    while True:
        await outbox.room()
        received = await socket.receive()
        if received["type"] == "websocket.disconnect":
            return
        text = received.get("text") or ""
        message: object = None
        try:
            if not allowance.take(1 + len(text) / READING):
                raise PermissionError
            message = read(text)
            if not allowance.take(cost(message, tab.record.size)):
                raise PermissionError
            outbox.put(await tab.handle(message))
        except PermissionError:
            refused += 1
            outbox.put({"id": name_of(message), "error": "too many requests: wait a moment"})
            await asyncio.sleep(SLOWER)
        except ValueError:
            outbox.put({"id": None, "error": "a message is JSON"})
        if refused > MOST_REFUSED:
            await socket.close(POLICY, "too many messages")
            return


def read(text: str) -> object:
    """JSON as the standard has it. ValueError: it is none."""

    def refuse(word: str) -> None:
        raise ValueError(f"{word} is no JSON")

    try:
        return json.loads(text, parse_constant=refuse)
    except RecursionError:
        raise ValueError("too deep") from None


def name_of(message: object) -> object:
    """The "id" of a message, if it is one."""
    name = message.get("id") if isinstance(message, dict) else None
    return name if is_name(name) else None


async def send_all(socket: WebSocket, outbox: Outbox) -> None:
    """Send events as they come, until the tab is closed."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while True:
            await socket.send_text(await outbox.take())
            await asyncio.sleep(0.02)  # what comes in the meantime goes together
