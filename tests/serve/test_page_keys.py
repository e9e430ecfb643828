"""The page by the keyboard: typed moves, a whole game, what has the focus, what a screen reader hears."""

# ruff: noqa: F811 (arguments are named as the fixtures are)

import time

import pytest
from support import chromium
from support.chromium import (
    Page,
    browser,  # noqa: F401  # a fixture
)
from support.page import (
    CURRENT,
    MOVES,
    STATUS,
    drag,
    go_on,
    hold,
    page,  # noqa: F401  # a fixture
    paste,
    played,
    served,  # noqa: F401  # a fixture
)

pytestmark = pytest.mark.skipif(chromium.executable() is None, reason="there is no Chromium")

WORDS = "document.querySelector('#words p').textContent"
SPOKEN = "document.querySelector('#spoken').textContent"
FOCUSED = "document.activeElement.id || document.activeElement.textContent.trim()"
RING = (  # what a person sees around what has the focus: beside it, or in another colour
    "(() => { const style = getComputedStyle(document.activeElement);"
    "const seen = parseFloat(style.outlineOffset) > 0 || style.outlineColor != style.backgroundColor;"
    "return [style.outlineStyle, style.outlineWidth, seen].join() })()"
)


def tab_to(page: Page, wanted: str) -> None:
    """The Tab key, until something has the focus: an element's id, or what is written on it."""
    for _ in range(40):
        page.key("Tab")
        if page.evaluate(FOCUSED) == wanted:
            assert page.evaluate(RING) == "solid,3px,true", wanted
            return
    pytest.fail(f"the Tab key does not lead to {wanted}")


def enter(page: Page, wanted: str) -> None:
    """Press a button by the keyboard."""
    tab_to(page, wanted)
    page.key("Enter")


def typed(page: Page, move: str) -> None:
    """A move, and the engine's answer to it."""
    page.type(move)
    page.key("Enter")
    page.wait_for(f"{SPOKEN}.startsWith('SSSnake: ') && {STATUS}.startsWith('Your move')")


def test_a_whole_game_by_the_keyboard(page: Page) -> None:
    """And what a screen reader hears of it."""
    tab_to(page, "level")
    for _ in range(2):
        page.key("ArrowUp")
    enter(page, "New game")
    page.wait_for(f"document.querySelector('#far .name').textContent.includes('beginner') && {SPOKEN}")
    assert page.evaluate(SPOKEN) == "New game: you have white"
    typed(page, "e4")
    typed(page, "g1f3")
    assert len(played(page, 4)) == 4
    enter(page, "undo")
    page.wait_for(f"{MOVES}.length == 2 && {SPOKEN}.startsWith('Taken back. Move 1, Black: ')")
    page.type("Ka9")
    page.key("Enter")
    page.wait_for("document.querySelector('#trouble').textContent.includes('is not a legal move')")
    page.key("Escape")
    enter(page, "resign")
    page.wait_for(f"document.querySelector('#confirm').open && ({FOCUSED}) == 'Cancel'")
    page.key("Escape")
    page.wait_for(f"!document.querySelector('#confirm').open && ({FOCUSED}) == 'resign'")
    page.key("Enter")
    enter(page, "yes")
    page.wait_for(f"{SPOKEN}.startsWith('The game is reviewed. ')")
    assert page.evaluate(STATUS) == "0–1: white resigned"
    for key, said in (
        ("Home", "The first position"),
        ("ArrowRight", "Move 1, White: pawn e4"),
        ("ArrowLeft", "The first position"),
        ("ArrowLeft", "The first position\u00a0"),  # else it would not be said again
    ):
        page.key(key)
        assert page.evaluate(SPOKEN) == said
    page.evaluate("document.querySelector('#exchange').open = true")
    enter(page, "copy-pgn")
    page.wait_for("document.querySelector('#text').value.endsWith('0-1')")
    enter(page, "help-button")
    page.wait_for("document.querySelector('#help').open")
    page.key("Escape")
    page.wait_for(f"({FOCUSED}) == 'help-button'")


def test_the_tab_key_finds_one_move_and_arrow_keys_take_it_along(page: Page) -> None:
    paste(page, "1. e4 e5 2. Nf3 Nc6 $4 3. Bb5 a6 *")
    assert len(played(page, 6)) == 6
    page.wait_for(f"{CURRENT} == 'a6'")
    page.key("Home")
    page.key("ArrowRight")
    page.wait_for(f"{CURRENT} == 'e4'")
    page.evaluate("document.querySelector('#review').focus()")
    tab_to(page, "e4")
    page.key("Tab")
    assert page.evaluate(FOCUSED) == "nag", "the other moves are no stops"
    page.evaluate("document.querySelector('#moves [aria-current]').focus()")
    for key, move in (("ArrowRight", "e5"), ("Home", "e4"), ("End", "a6")):
        page.key(key)
        page.wait_for(f"({FOCUSED}) == {move!r}")
    for _ in range(2):
        page.key("ArrowLeft")
    assert page.evaluate(SPOKEN) == "Move 2, Black: knight c6, blunder"


# Keys that are faster than the server, and words that it reads.


def test_a_second_move_waits_for_the_first(page: Page) -> None:
    hold(page, "move")
    for move in ("e4", "d4"):
        page.type(move)
        page.key("Enter")
    page.wait_for("held.length")
    time.sleep(0.3)
    go_on(page)
    played(page, 2)
    page.wait_for(f"{STATUS} == 'Your move'")
    assert len(played(page, 2)) == 2 and played(page, 2)[0] == "e4"


def test_the_position_shown_is_that_of_the_last_step(page: Page) -> None:
    page.click("#tab-analyse")
    page.wait_for("document.querySelector('#best strong')")
    hold(page, "position")
    page.key("Home")
    page.wait_for("held.length")
    drag(page, "e2e4")
    played(page, 1)
    go_on(page)
    time.sleep(0.3)
    page.wait_for(f"{WORDS}.includes('e4') && {STATUS} == 'Black to move'")


@pytest.mark.parametrize(
    ("start", "typed", "move"),
    [
        ("4k3/8/8/4p3/8/8/8/4K1N1 w - - 0 1", "Ngf3", "Nf3"),
        ("4k3/8/8/4p3/8/8/8/4K1N1 w - - 0 1", "Ng1-f3", "Nf3"),
        ("4k3/8/8/4p3/8/8/8/4K2R w K - 0 1", "o-o", "O-O"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8Q", "a8=Q"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8", "a8=Q"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8", "a8=Q"),
        ("1r6/P6k/8/8/8/8/8/K7 w - - 0 1", "axb8", "axb8=Q"),
    ],
)
def test_moves_are_typed_as_people_write_them(page: Page, start: str, typed: str, move: str) -> None:
    paste(page, start)
    page.wait_for(f"{STATUS} == 'White to move'")
    page.evaluate("document.activeElement.blur()")
    page.type(typed)
    page.key("Enter")
    if move.endswith("=Q") and not typed.endswith("Q"):
        page.wait_for("document.querySelector('#promotion').open")
        page.key("Enter")  # the queen has the focus
    assert played(page, 1) == [move]


def test_a_tag_is_written_after_the_other_by_keys(page: Page) -> None:
    paste(page, "1. e4 *")
    played(page, 1)
    page.evaluate("document.querySelector('#tags').open = true")
    page.click("#tag-fields input[name=White]")
    page.type("Ada")
    page.key("Tab")
    page.wait_for("document.querySelector('#title').textContent == 'Ada'")
    page.type("Bo")
    page.key("Enter")
    page.wait_for("document.querySelector('#title').textContent == 'Ada – Bo'")
    assert played(page, 1) == ["e4"] and page.evaluate("document.querySelector('#san').value") == ""
