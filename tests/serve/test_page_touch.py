"""The page under a finger, on a phone's screen."""

from collections.abc import Iterator

import pytest
from support.chromium import Chromium, Page, browser, executable
from support.page import MOVES, STATUS, go_on, hold, played, served, square
from support.web import Served

pytestmark = pytest.mark.skipif(executable() is None, reason="there is no Chromium")
__all__ = ["browser", "served"]
# Squares that are marked no longer are kept, but hidden.
PREMOVE = (
    "[...document.querySelectorAll('cg-board square.current-premove')]"
    ".filter((one) => one.checkVisibility({visibilityProperty: true})).length"
)
SET_UP = "document.querySelectorAll('#setup-board piece:not(.ghost)').length"


@pytest.fixture
def phone(served: Served, browser: Chromium) -> Iterator[Page]:
    """The page on a small screen; it must cause no errors."""
    opened = browser.page(served.address, 360, 740)
    opened.wait_for("document.querySelector('cg-board piece')")
    opened.wait_for(f"{STATUS} == 'Your move'")
    yield opened
    assert opened.complaints() == []
    opened.close()


def think(page: Page) -> None:
    """The engine thinks, until `go_on`."""
    hold(page, "play")
    page.slide(square(page, "a2"), square(page, "a3"))
    page.wait_for("held.length")
    page.wait_for(f"{STATUS}.startsWith('The engine is thinking')")


def test_a_piece_is_slid_and_tapped(phone: Page) -> None:
    phone.slide(square(phone, "e2"), square(phone, "e4"))
    assert played(phone, 2)[0] == "e4"
    phone.wait_for(f"{STATUS} == 'Your move'")
    phone.tap(square(phone, "g1"))
    phone.tap(square(phone, "f3"))
    assert played(phone, 4)[2] == "Nf3"


def test_a_piece_dropped_beside_the_board_goes_back(phone: Page) -> None:
    start = phone.evaluate("document.querySelectorAll('cg-board piece').length")
    x, y = square(phone, "e1")
    phone.slide(square(phone, "e2"), (x, y + 60))  # off the board
    phone.slide(square(phone, "e2"), square(phone, "e5"))  # where it cannot go
    assert phone.evaluate(f"{MOVES}.length") == 0
    phone.wait_for("!document.querySelector('cg-board piece.dragging')")
    assert phone.evaluate("document.querySelectorAll('cg-board piece').length") == start
    phone.slide(square(phone, "e2"), square(phone, "e4"))
    assert played(phone, 2)[0] == "e4"


def test_a_finger_enters_a_move_beforehand(phone: Page) -> None:
    think(phone)
    phone.slide(square(phone, "h2"), square(phone, "h3"))
    phone.wait_for(f"{PREMOVE} == 2")
    assert phone.evaluate(f"{MOVES}.length") == 1, "it waits"
    go_on(phone)
    assert played(phone, 4)[2] == "h3"


def test_a_finger_takes_a_move_beforehand_back(phone: Page) -> None:
    think(phone)
    phone.tap(square(phone, "h2"))
    phone.tap(square(phone, "h3"))
    phone.wait_for(f"{PREMOVE} == 2")
    phone.tap(square(phone, "b1"))  # another piece
    phone.wait_for(f"{PREMOVE} == 0")
    go_on(phone)
    phone.wait_for(f"{STATUS} == 'Your move'")
    assert len(played(phone, 2)) == 2


def test_a_move_beforehand_that_became_illegal_is_forgotten(phone: Page) -> None:
    think(phone)
    phone.slide(square(phone, "d2"), square(phone, "c3"))  # nothing will be there to take
    phone.wait_for(f"{PREMOVE} == 2")
    go_on(phone)
    phone.wait_for(f"{STATUS} == 'Your move' && {PREMOVE} == 0")
    assert len(played(phone, 2)) == 2


def test_a_position_is_set_up_by_a_finger(phone: Page) -> None:
    phone.evaluate("document.querySelector('#exchange').open = true")
    phone.click("#set-up")
    phone.wait_for(f"{SET_UP} == 32")

    def place(name: str) -> tuple[float, float]:
        box = phone.evaluate(
            "(() => { const box = document.querySelector('#setup-board cg-board').getBoundingClientRect();"
            "return [box.x, box.y, box.width / 8] })()"
        )
        return box[0] + box[2] * (ord(name[0]) - 96.5), box[1] + box[2] * (8.5 - int(name[1]))

    phone.slide(place("e2"), place("e4"))  # from square to square
    phone.slide(place("d8"), (place("d8")[0], place("d8")[1] - place("d8")[1] + 2))  # off the board
    phone.wait_for(f"{SET_UP} == 31")
    phone.tap(phone.place("#palette button[aria-label='white queen']"))
    phone.tap(place("h5"))
    phone.wait_for(f"{SET_UP} == 32")
    phone.click("#setup button[value=done]")
    phone.wait_for("document.querySelector('#words p').textContent.includes('queen d1 h5')")
    words = phone.text("#words p")
    assert "pawn a2 b2 c2 d2 e4 f2 g2 h2" in words
    assert "queen" not in words.partition("Black:")[2]
