"""Headless Chromium, driven by its devtools protocol over a websocket: pages, mouse, keys, screenshots."""

import base64
import json
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import pytest
from websockets.sync.client import ClientConnection, connect

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
OPTIONS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-extensions",
    "--disable-background-networking",
    "--hide-scrollbars",
    "--mute-audio",
    "--remote-debugging-port=0",
)
BETWEEN = ("context", "navigated")  # words of the browser while one page follows another
T = TypeVar("T")
PATIENCE = 120.0  # seconds
KEYS = {
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
    "Home": 36,
    "End": 35,
    "Enter": 13,
    "Escape": 27,
    "Tab": 9,
}


def executable() -> str | None:
    """Where Chromium is installed, if it is."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Chromium:
    """The browser. A context manager."""

    def __init__(self) -> None:
        program = executable()
        assert program, "there is no Chromium"
        self._profile = Path(tempfile.mkdtemp(prefix="chromium"))
        self._process = subprocess.Popen(
            [program, *OPTIONS, f"--user-data-dir={self._profile}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        told = self._profile / "DevToolsActivePort"
        until(lambda: told.is_file() and told.read_text().count("\n"))
        port, path = told.read_text().split()
        self._address = f"ws://127.0.0.1:{port}"
        self._browser = Connection(self._address + path)

    def page(self, address: str, width: int = 1280, height: int = 900, dark: bool = False) -> "Page":
        """A new tab."""
        target = self._browser.call("Target.createTarget", url="about:blank")["targetId"]
        page = Page(Connection(f"{self._address}/devtools/page/{target}"), self._browser, target)
        page.size(width, height, dark)
        page.open(address)
        return page

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._browser.close()
        self._process.terminate()
        self._process.wait(PATIENCE)
        shutil.rmtree(self._profile, ignore_errors=True)


class RefusedError(AssertionError):
    """What the browser says that it cannot do."""


class Connection:
    """One websocket of the protocol."""

    def __init__(self, address: str):
        self._socket: ClientConnection = ExitStack().enter_context(connect(address, max_size=None))
        self._last = 0
        self.events: list[dict[str, Any]] = []

    def call(self, method: str, **parameters: object) -> dict[str, Any]:
        """Call a method and wait for what it returns."""
        self._last += 1
        self._socket.send(json.dumps({"id": self._last, "method": method, "params": parameters}))
        while True:
            message = json.loads(self._socket.recv(timeout=PATIENCE))
            if message.get("id") == self._last:
                if "error" in message:
                    raise RefusedError(method, message["error"])
                result: dict[str, Any] = message["result"]
                return result
            self.events.append(message)

    def close(self) -> None:
        """Close it."""
        self._socket.close()


class Page:
    """One tab."""

    def __init__(self, connection: Connection, browser: Connection, target: str):
        self._call, self._connection = connection.call, connection
        self._browser, self._target = browser, target
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._call(f"{domain}.enable")

    def size(self, width: int, height: int, dark: bool = False) -> None:
        """The window, and whether it is dark outside."""
        mobile = width < 500
        self._call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=mobile,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])

    def open(self, address: str) -> None:
        """Go to an address."""
        self._call("Page.navigate", url=address)
        self.wait_for("document.readyState == 'complete' && location.href != 'about:blank'")

    def reload(self) -> None:
        """Load the page again."""
        self.evaluate("window.old = true")
        self._call("Page.reload")
        self.wait_for("!window.old && document.readyState == 'complete'")

    def front(self) -> None:
        """Show this tab: those behind others draw nothing."""
        self._call("Page.bringToFront")

    def close(self) -> None:
        """Close the tab."""
        self._browser.call("Target.closeTarget", targetId=self._target)
        self._connection.close()

    def evaluate(self, script: str) -> Any:
        """The value of an expression."""
        answer = self._call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def wait_for(self, script: str, seconds: float = PATIENCE) -> None:
        """Wait until an expression is true, on the page that comes if another one does."""

        def true() -> bool:
            try:
                return bool(self.evaluate(f"!!({script})"))
            except RefusedError as refused:
                if any(word in str(refused) for word in BETWEEN):
                    return False
                raise

        until(true, seconds, script)

    def text(self, selector: str) -> str:
        """The text of an element."""
        return str(self.evaluate(f"document.querySelector({selector!r}).textContent"))

    def place(self, selector: str) -> tuple[float, float]:
        """The middle of an element, in the window."""
        found = self.evaluate(
            f"(() => {{ const element = document.querySelector({selector!r});"
            "element.scrollIntoView({block: 'nearest'}); const box = element.getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2] })()"
        )
        return found[0], found[1]

    def mouse(self, kind: str, x: float, y: float) -> None:
        """Move, press or release the left button."""
        buttons = 0 if kind == "mouseReleased" else 1
        self._call(
            "Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=buttons, clickCount=1
        )

    def click(self, selector: str) -> None:
        """Click on the middle of an element, when it has come to rest."""
        places = [self.place(selector)]
        while len(places) < 2 or places[-1] != places[-2]:
            time.sleep(0.05)
            places.append(self.place(selector))
        self.click_at(*places[-1])

    def click_at(self, x: float, y: float) -> None:
        """Click on a point."""
        self.mouse("mousePressed", x, y)
        self.mouse("mouseReleased", x, y)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Press, move in steps, release."""
        self.mouse("mousePressed", *start)
        for step in range(1, 6):
            self.mouse("mouseMoved", *(a + (b - a) * step / 5 for a, b in zip(start, end, strict=True)))
        self.frame()
        self.mouse("mouseReleased", *end)

    def frame(self) -> None:
        """Wait for a frame to be drawn: the board takes a faster hand for a click."""
        self.evaluate("new Promise((drawn) => { requestAnimationFrame(drawn); setTimeout(drawn, 100) })")

    def touch(self, kind: str, *points: tuple[float, float]) -> None:
        """A finger on the screen: touchStart, touchMove, touchEnd (without a point)."""
        self._call("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y} for x, y in points])

    def tap(self, point: tuple[float, float]) -> None:
        """Touch a point for a moment."""
        self.touch("touchStart", point)
        self.touch("touchEnd")

    def slide(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Touch, move in steps, let go."""
        (x, y), (across, down) = start, (end[0] - start[0], end[1] - start[1])
        self.touch("touchStart", start)
        for step in range(1, 6):
            self.touch("touchMove", (x + across * step / 5, y + down * step / 5))
        self.frame()
        self.touch("touchEnd")

    def key(self, name: str) -> None:
        """Press and release a key."""
        code = {"windowsVirtualKeyCode": KEYS[name]} if name in KEYS else {}
        text = {"text": "\r"} if name == "Enter" else {} if name in KEYS else {"text": name}
        self._call("Input.dispatchKeyEvent", type="keyDown", key=name, **code, **text)
        self._call("Input.dispatchKeyEvent", type="keyUp", key=name, **code)

    def type(self, text: str) -> None:
        """Type a text."""
        for sign in text:
            self.key(sign)

    def choose(self, selector: str, value: str) -> None:
        """Choose an option of a select element."""
        self.evaluate(
            f"(() => {{ const list = document.querySelector({selector!r}); list.value = {value!r};"
            "list.dispatchEvent(new Event('change', {bubbles: true})) })()"
        )

    def screenshot(self) -> bytes:
        """A PNG of the window."""
        return base64.b64decode(self._call("Page.captureScreenshot", format="png")["data"])

    def accessible(self) -> list[dict[str, str]]:
        """Role and name of everything that assistive technology finds."""
        self._call("Accessibility.enable")
        nodes = self._call("Accessibility.getFullAXTree")["nodes"]
        return [
            {part: node.get(part, {}).get("value", "") for part in ("role", "name")}
            for node in nodes
            if not node["ignored"]
        ]

    def complaints(self) -> list[str]:
        """Errors that the page has caused: exceptions, refusals of the security policy, failed requests."""
        self.evaluate("0")
        told = []
        for event in self._connection.events:
            parameters = event.get("params", {})
            if event["method"] == "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                told.append(str(details.get("exception", details).get("description", details)))
            elif event["method"] == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                told.append(parameters["entry"]["text"])
        return told

    def requests(self) -> list[str]:
        """The addresses of all that the page has asked for."""
        sent = [event for event in self._connection.events if event["method"] == "Network.requestWillBeSent"]
        return [event["params"]["request"]["url"] for event in sent]


def until(condition: Callable[[], T], seconds: float = PATIENCE, what: str = "") -> T:
    """Wait until a condition is true, and return it."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < end, f"not within {seconds} s: {what}"
        time.sleep(0.05)


@pytest.fixture(scope="module")
def browser() -> Iterator[Chromium]:
    """One for the tests of a file, which import it."""
    with Chromium() as started:
        yield started
