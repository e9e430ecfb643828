"""The page under a finger, on a phone's screen."""

import json
from collections.abc import Iterator

import pytest
from support.chromium import Chromium, Page, browser, executable
from support.page import MOVES, STATUS, go_on, hold, paste, played, served, square
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
    phone.tap(phone.place("#palette button[aria-label='white pawn']"))
    phone.tap(place("g1"))
    phone.click("#setup button[value=done]")
    phone.wait_for("document.querySelector('#refused').textContent.endsWith('on the first or last rank')")
    phone.evaluate("document.querySelector('#setup-board').scrollIntoView()")
    phone.tap(place("g1"))  # it can be mended
    phone.wait_for(f"{SET_UP} == 31 && !document.querySelector('#refused').textContent")
    phone.click("#setup button[value=done]")
    phone.wait_for("document.querySelector('#words p').textContent.includes('queen d1 h5')")
    words = phone.text("#words p")
    assert "pawn a2 b2 c2 d2 e4 f2 g2 h2" in words
    assert "queen" not in words.partition("Black:")[2]


PAWN = "[...document.querySelectorAll('cg-board piece.pawn.white')].map((one) => one.cgKey).join()"


def promoting(page: Page) -> None:
    """The question for the piece is on the screen."""
    page.wait_for("document.querySelector('#promotion').open")


def loaded(page: Page, text: str, pieces: int) -> None:
    """A position is loaded, and the board is on the screen."""
    paste(page, text)
    page.wait_for(f"document.querySelectorAll('cg-board piece').length == {pieces}")
    page.evaluate("scrollTo(0, 0)")


def test_a_finger_chooses_the_piece_or_leaves_the_question(phone: Page) -> None:
    """With Black at the bottom; a phone has no Escape key."""
    loaded(phone, "1n5k/P7/8/8/8/8/8/K7 w - - 0 1", 4)
    phone.tap(phone.place("#flip"))
    phone.wait_for("document.querySelector('.orientation-black')")
    phone.slide(square(phone, "a7"), square(phone, "a8"))
    promoting(phone)
    x, y = phone.place("#promotion")
    phone.tap((x, y - 100))
    phone.wait_for(f"!document.querySelector('#promotion').open && {PAWN} == 'a7'")
    assert phone.evaluate(f"{MOVES}.length") == 0
    for target, letter in (("a8", "n"), ("b8", "r")):
        phone.tap(square(phone, "a7"))
        phone.tap(square(phone, target))
        promoting(phone)
        phone.tap(phone.place(f"#promotion button[value={letter}]"))
        phone.wait_for(f"{MOVES}.join().includes('8={letter.upper()}')")
        phone.tap(phone.place("#undo"))
        phone.wait_for(f"{MOVES}.length == 0 && {PAWN} == 'a7'")


def test_a_promotion_entered_beforehand_asks_when_it_is_made(phone: Page) -> None:
    loaded(phone, "7k/P7/8/8/8/8/7p/K7 w - - 0 1", 4)
    phone.evaluate(
        "document.querySelector('#tab-play').click(); document.querySelector('#from-here').click()"
    )
    phone.wait_for(f"{STATUS} == 'Your move'")
    hold(phone, "play")
    phone.slide(square(phone, "a1"), square(phone, "b2"))
    phone.wait_for("held.length")
    phone.slide(square(phone, "a7"), square(phone, "a8"))
    phone.wait_for(f"{PREMOVE} == 2")
    assert not phone.evaluate("document.querySelector('#promotion').open"), "not before its time"
    go_on(phone)
    promoting(phone)
    phone.tap(phone.place("#promotion button[value=b]"))
    assert played(phone, 3)[2] == "a8=B"


STANDING = (
    "[...document.querySelectorAll('#right button, #right summary, #right select, #bar button')]"
    ".filter((one) => one.checkVisibility()).map((one) => { const box = one.getBoundingClientRect();"
    "return [one.id || one.textContent.slice(0, 9), box.left, box.top + scrollY] })"
)


def tell(page: Page, *events: dict[str, object]) -> None:
    """Events of the analysis that is held back: they come from here."""
    page.evaluate(
        "(() => { const [socket, text] = held.at(-1), job = JSON.parse(text).id;"
        f"const told = {json.dumps(events)}.map((one) => ({{job, ...one}}));"
        "socket.onmessage({data: JSON.stringify(told)}) })()"
    )
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")


@pytest.mark.parametrize("width", [360, 1280])
def test_buttons_stand_still_while_lines_come(phone: Page, width: int) -> None:
    """Somebody may be pointing at them."""
    phone.size(width, 800)
    hold(phone, "analyse")
    phone.choose("#lines", "4")
    phone.evaluate("document.querySelector('#tab-analyse').click()")
    phone.wait_for("held.length")
    phone.evaluate("document.querySelector('#opening').textContent = 'C50 Italian Game'")
    before = phone.evaluate(STANDING)
    assert len(before) > 10
    line = {"event": "line", "score": "+0.31", "expected": 0.53, "moves": ["e2e4"]}
    short = [{**line, "line": number, "depth": 1, "text": "1. e4"} for number in (1, 2, 3, 4)]
    tell(phone, *short)
    with_lines = phone.evaluate(STANDING)
    assert [one for one in with_lines if one in before] == before
    long = " ".join(f"{number}. Nbxd7+ O-O-O" for number in range(10, 17))
    tell(phone, *({**one, "depth": 20, "text": long} for one in short), {"event": "waiting"})
    after = phone.evaluate(STANDING)
    assert [one[1:] for one in after] == [one[1:] for one in with_lines], "nor does a line move another one"
    assert phone.evaluate("document.querySelector('#queue').checkVisibility()")


def test_moves_entered_beforehand_are_seen(phone: Page) -> None:
    """Their squares have a colour of their own, and so has where a piece could go."""
    think(phone)
    phone.tap(square(phone, "h2"))
    phone.wait_for("document.querySelector('cg-board square.premove-dest')")
    colour = "getComputedStyle(document.querySelector('cg-board square.{}')).{}"
    assert "gradient" in phone.evaluate(colour.format("premove-dest", "backgroundImage"))
    phone.tap(square(phone, "h3"))
    phone.wait_for(f"{PREMOVE} == 2")
    found = {
        phone.evaluate(colour.format(name, "backgroundColor")) for name in ("current-premove", "last-move")
    }
    assert len(found) == 2 and "rgba(0, 0, 0, 0)" not in found


def test_the_verdict_fits_the_screen(phone: Page) -> None:
    paste(phone, "1. f3 e5 2. g4 Qh4# *")
    played(phone, 4)
    phone.evaluate("document.querySelector('#review').click()")
    phone.wait_for("document.querySelector('#of-white td')?.textContent.endsWith('%')")
    assert phone.evaluate(
        "document.querySelector('#verdict table').getBoundingClientRect().right"
        " <= document.querySelector('#best').getBoundingClientRect().right"
    )


def test_a_question_right_behind_another_is_not_answered_by_it(phone: Page) -> None:
    """A browser tells a little later that a dialog was closed."""
    answers = phone.evaluate(
        """(async () => {
            const { confirmed } = await import("/ui.js"), dialog = document.querySelector("#confirm");
            const first = confirmed("One?", "Yes");
            dialog.close("yes");
            const second = confirmed("Two?", "Yes");
            await new Promise((later) => setTimeout(later, 50));
            const open = dialog.open;
            dialog.close("yes");
            return [await first, open, await second];
        })()"""
    )
    assert answers == [True, True, True]
