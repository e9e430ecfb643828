"""What tests do with the page of `sssnake serve`: moves, pasted games, and fixtures."""

from collections.abc import Iterator

import pytest

from support.chromium import Chromium, Page
from support.web import Served

BUTTONS = "[...document.querySelectorAll('#moves button')]"
MOVES = f"{BUTTONS}.map((button) => button.firstChild.textContent)"
STATUS = "document.querySelector('#status').textContent"
CURRENT = "document.querySelector('#moves [aria-current]')?.firstChild.textContent"
WIDTH, HEIGHT = 1280, 900


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with Served("--searches", "2") as server:
        yield server


@pytest.fixture
def page(served: Served, browser: Chromium) -> Iterator[Page]:
    """The page; it must cause no errors, and ask nobody else for anything."""
    opened = browser.page(served.address, WIDTH, HEIGHT)
    opened.wait_for(
        "document.querySelector('cg-board piece') && document.querySelector('#status').textContent"
    )
    yield opened
    assert opened.complaints() == []
    assert all(address.startswith((served.origin, "data:")) for address in opened.requests())
    opened.close()


def square(page: Page, name: str) -> tuple[float, float]:
    """The middle of a square on the screen."""
    box = page.evaluate(
        "(() => { const box = document.querySelector('cg-board').getBoundingClientRect();"
        "return [box.x, box.y, box.width, document.querySelector('.orientation-black') !== null] })()"
    )
    file, rank = ord(name[0]) - 97, int(name[1]) - 1
    column, row = (7 - file, rank) if box[3] else (file, 7 - rank)
    return box[0] + box[2] * (column + 0.5) / 8, box[1] + box[2] * (row + 0.5) / 8


def drag(page: Page, move: str) -> None:
    """A move by dragging, promotion by a click."""
    page.wait_for("document.querySelector('.cg-wrap.manipulable')")
    page.drag(square(page, move[:2]), square(page, move[2:4]))
    if move[4:]:
        page.wait_for("document.querySelector('#promotion').open")
        page.click(f"#promotion button[value={move[4]}]")


def played(page: Page, count: int) -> list[str]:
    """The moves of the game, when there are so many."""
    page.wait_for(f"{MOVES}.length >= {count}")
    found: list[str] = page.evaluate(MOVES)
    return found


def paste(page: Page, text: str) -> None:
    """Load a FEN or a PGN; a game under way is given up."""
    page.evaluate(
        f"document.querySelector('#exchange').open = true; document.querySelector('#text').value = {text!r}"
    )
    page.click("#load .main")
    if page.evaluate("document.querySelector('#confirm').open"):
        page.click("#yes")


def pgn(page: Page) -> str:
    """What *Copy PGN* gives."""
    page.evaluate(
        "document.querySelector('#exchange').open = true; document.querySelector('#text').value = ''"
    )
    page.evaluate("document.querySelector('#copy-pgn').click()")  # lines of an analysis move it under a mouse
    page.wait_for("document.querySelector('#text').value")
    return str(page.evaluate("document.querySelector('#text').value"))


def confirm(page: Page, answer: str) -> None:
    """Answer the question that is asked once."""
    page.wait_for("document.querySelector('#confirm').open")
    page.click("#yes" if answer == "yes" else "#confirm button[value=no]")
    page.wait_for("!document.querySelector('#confirm').open")


def hold(page: Page, *kinds: str) -> None:
    """Messages of some kinds wait, until `go_on`: as if the server were far away."""
    page.evaluate(holding(*kinds))


def holding(*kinds: str) -> str:
    """The script of `hold`: for a page that is not there yet, too."""
    return (
        f"window.emit ??= WebSocket.prototype.send; window.held ??= []; window.kinds = {list(kinds)};"
        "WebSocket.prototype.send = function (text) {"
        "  kinds.includes(JSON.parse(text).do) ? held.push([this, text]) : emit.call(this, text) }"
    )


def release(page: Page) -> None:
    """Let those go that have waited. Others of these kinds wait."""
    page.evaluate("held.splice(0).forEach(([socket, text]) => emit.call(socket, text))")


def go_on(page: Page) -> None:
    """Let them go, and all that comes."""
    page.evaluate("kinds = []")
    release(page)
