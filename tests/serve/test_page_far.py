"""The page with a server that is far away: what is pressed before the answer to what was pressed before."""

# ruff: noqa: F811 (arguments are named as the fixtures are)

from collections.abc import Iterator

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
    confirm,
    drag,
    go_on,
    hold,
    holding,
    page,  # noqa: F401  # a fixture
    paste,
    played,
    release,
    served,  # noqa: F401  # a fixture
)

pytestmark = pytest.mark.skipif(chromium.executable() is None, reason="there is no Chromium")

TROUBLE = "document.querySelector('#trouble').textContent"
SPOKEN = "document.querySelector('#spoken').textContent"
NOTE = "document.querySelector('#note').textContent"
WORDS = "document.querySelector('#words p').textContent"
TEXT = "document.querySelector('#text').value"
SHORT = "1. e4 e5 2. Nf3 Nc6 *"


def your_move(page: Page, count: int) -> list[str]:
    """The moves of a game that is played, when the player is to move."""
    page.wait_for(f"{MOVES}.length == {count} && {STATUS} == 'Your move'")
    return played(page, count)


def thinking(page: Page) -> None:
    """The engine is asked for its first move, until `release`."""
    hold(page, "play")
    drag(page, "a2a3")
    page.wait_for("held.length")


# Moves.


def test_a_move_is_meant_for_the_board_that_was_seen(page: Page) -> None:
    """Not for the one that comes: there it may be another move, or none."""
    paste(page, "1. e4 e5 *")
    played(page, 2)
    hold(page, "position")
    page.key("ArrowLeft")
    page.wait_for("held.length")
    drag(page, "g1f3")
    go_on(page)
    page.wait_for(f"{STATUS} == 'Black to move'")
    drag(page, "c7c5")
    page.wait_for(f"{CURRENT} == 'c5'")
    assert played(page, 3) == ["e4", "e5", "c5"] and page.evaluate(TROUBLE) == ""


def test_a_typed_move_waits_for_the_position(page: Page) -> None:
    paste(page, "1. e4 e5 *")
    played(page, 2)
    page.evaluate("document.activeElement.blur()")
    hold(page, "position")
    page.key("ArrowLeft")
    page.wait_for("held.length")
    page.type("c5")
    page.key("Enter")
    go_on(page)
    page.wait_for(f"{CURRENT} == 'c5'")
    assert page.evaluate(TROUBLE) == ""


def test_a_move_is_none_of_the_game_that_is_loaded_meanwhile(page: Page) -> None:
    page.click("#tab-analyse")
    hold(page, "load", "move")
    paste(page, "1. d4 d5 *")
    page.wait_for("held.length")
    drag(page, "e2e4")
    go_on(page)
    page.wait_for(f"{MOVES}.length >= 2")
    page.key("ArrowLeft")
    page.wait_for(f"{CURRENT} == 'd4' && {STATUS} == 'Black to move'")
    assert played(page, 2) == ["d4", "d5"]


def test_nor_is_a_move_of_the_engine(page: Page) -> None:
    thinking(page)
    hold(page, "load", "move")
    paste(page, "1. d4 d5 *")
    page.wait_for("held.length == 2")
    page.evaluate(  # `play` comes first
        "(([socket, text]) => {"
        "  const isMove = ({event}) => event === 'move';"
        "  const heard = ({data}) => { window.moved ||= JSON.parse(data).some(isMove) };"
        "  socket.addEventListener('message', heard); emit.call(socket, text) })(held.shift())"
    )
    page.wait_for("window.moved")
    go_on(page)
    page.wait_for(f"{MOVES}.length >= 2")
    page.key("ArrowLeft")
    page.wait_for(f"{CURRENT} == 'd4' && {STATUS} == 'Black to move'")
    assert played(page, 2) == ["d4", "d5"]


def test_a_move_before_the_tab_is_left_belongs_to_the_game(page: Page) -> None:
    hold(page, "move")
    drag(page, "a2a3")
    page.wait_for("held.length")
    page.click("#tab-analyse")
    go_on(page)
    page.wait_for(f"{CURRENT} == 'a3'")
    page.click("#tab-play")
    assert your_move(page, 2)[0] == "a3"


def test_a_move_of_the_engine_is_announced_as_its_own_wherever_one_looks(page: Page) -> None:
    thinking(page)
    page.key("Home")
    page.wait_for(f"{STATUS} == 'White to move'")
    go_on(page)
    played(page, 2)
    page.wait_for(f"{STATUS} == 'Your move'")
    assert page.evaluate(SPOKEN).startswith("SSSnake: ")


def test_a_tag_may_be_written_while_the_engine_thinks(page: Page) -> None:
    thinking(page)
    page.evaluate("document.querySelector('#tags').open = true")
    page.choose("#tag-fields input[name=Event]", "At home")
    page.wait_for("document.querySelector('#facts').textContent.startsWith('At home')")
    go_on(page)
    your_move(page, 2)


# A game's end and the next one.


def test_the_game_is_resigned_where_the_engine_has_moved_meanwhile(page: Page) -> None:
    thinking(page)
    page.click("#resign")
    page.wait_for("document.querySelector('#confirm').open")
    hold(page, "move")
    release(page)
    page.wait_for("held.length")
    confirm(page, "yes")
    go_on(page)
    played(page, 2)
    page.wait_for(f"{STATUS} == '0–1: white resigned'")


def test_a_new_game_is_not_over_with_the_one_before(page: Page) -> None:
    """Which the engine mates while it is given up."""
    paste(page, "6k1/8/8/8/8/r7/1r6/7K w - - 0 1")
    page.wait_for("document.querySelectorAll('cg-board piece').length == 4")
    page.click("#tab-play")
    page.choose("#level", "full strength")
    page.click("#from-here")
    page.wait_for(f"{STATUS} == 'Your move'")
    hold(page, "play")
    drag(page, "h1g1")
    page.wait_for("held.length")
    page.click("#new .main")
    page.wait_for("document.querySelector('#confirm').open")
    hold(page, "move", "new")
    release(page)
    page.wait_for("held.length")
    confirm(page, "yes")
    go_on(page)
    your_move(page, 0)
    page.wait_for("document.querySelectorAll('cg-board piece').length == 32")
    drag(page, "e2e4")
    assert your_move(page, 2)[0] == "e4"


# Other buttons.


def test_take_back_pressed_twice_takes_two_moves_back(page: Page) -> None:
    paste(page, SHORT)
    played(page, 4)
    hold(page, "cut")
    page.click("#undo")
    page.click("#undo")
    page.wait_for("held.length")
    go_on(page)
    page.wait_for(f"{MOVES}.join() == 'e4,e5' && {CURRENT} == 'e5'")
    assert page.evaluate(TROUBLE) == ""


def two_moves(page: Page) -> list[str]:
    """A game with two moves of each side."""
    drag(page, "a2a3")
    your_move(page, 2)
    drag(page, "h2h3")
    return your_move(page, 4)


def test_take_back_pressed_twice_in_a_game(page: Page) -> None:
    two_moves(page)
    hold(page, "cut")
    page.click("#undo")
    page.click("#undo")
    page.wait_for("held.length")
    go_on(page)
    your_move(page, 0)
    assert page.evaluate(TROUBLE) == ""


@pytest.mark.parametrize(("button", "told"), [("#hint", "Hint: "), ("#offer", "SSSnake declines")])
def test_what_is_asked_while_moves_are_taken_back(page: Page, button: str, told: str) -> None:
    """It is asked of the position after that."""
    left = two_moves(page)[:2]
    hold(page, "cut", "analyse", "offer")
    page.click("#undo")
    page.wait_for("held.length")
    page.click(button)
    go_on(page)
    page.wait_for(f"{NOTE}.startsWith({told!r})")
    assert played(page, 2) == left and page.evaluate(TROUBLE) == ""


def test_what_is_copied_has_the_move_that_is_on_its_way(page: Page) -> None:
    page.click("#tab-analyse")
    page.evaluate("document.querySelector('#exchange').open = true")
    hold(page, "move", "pgn")
    drag(page, "e2e4")
    page.wait_for("held.length")
    page.evaluate("document.querySelector('#copy-fen').click()")
    go_on(page)
    page.wait_for(TEXT)
    assert page.evaluate(TEXT).startswith("rnbqkbnr/pppppppp/8/8/4P3/8/")


def test_the_move_that_is_on_its_way_is_reviewed(page: Page) -> None:
    paste(page, "1. f3 e5 2. g4 *")
    played(page, 3)
    hold(page, "move", "review")
    drag(page, "d8h4")
    page.wait_for("held.length")
    page.evaluate("document.querySelector('#review').click()")
    go_on(page)
    page.wait_for("document.querySelector('#of-white td').textContent.endsWith('%')")
    assert "Qh4#" in played(page, 4) and page.evaluate(TROUBLE) == ""


def test_a_position_that_is_set_up_can_be_left_to_the_last(page: Page) -> None:
    page.evaluate("document.querySelector('#exchange').open = true")
    page.click("#set-up")
    page.wait_for("document.querySelectorAll('#setup-board piece').length >= 32")
    hold(page, "position")
    page.click("#setup button[value=done]")
    page.wait_for("held.length")
    page.click("#setup button[value=no]")
    go_on(page)
    drag(page, "e2e4")
    your_move(page, 2)
    assert page.evaluate("document.body.dataset.tab") == "play"


# Loading, and a game that is not there yet.


def test_the_board_shows_the_game_that_was_loaded_during_a_step(page: Page) -> None:
    paste(page, SHORT)
    played(page, 4)
    page.evaluate("document.activeElement.blur()")
    hold(page, "load", "position")
    paste(page, "1. d4 *")
    page.wait_for("held.length")
    page.evaluate("document.activeElement.blur()")
    page.key("ArrowLeft")
    page.wait_for("held.length == 2")
    go_on(page)
    page.wait_for(f"{CURRENT} == 'd4' && {WORDS}.includes('c2 d4 e2')")
    assert page.evaluate(TROUBLE) == ""


def test_a_comment_is_none_of_the_game_that_is_loaded_meanwhile(page: Page) -> None:
    paste(page, "1. e4 e5 *")
    played(page, 2)
    hold(page, "load", "comment")
    paste(page, "1. d4 d5 *")
    page.wait_for("held.length")
    page.choose("#comment", "too late")
    go_on(page)
    page.wait_for(f"{TROUBLE}.startsWith('Another game was opened')")
    page.key("ArrowLeft")
    page.wait_for(f"{CURRENT} == 'd4' && {STATUS} == 'Black to move'")
    assert "too late" not in page.text("#moves")


@pytest.fixture
def late(page: Page) -> Iterator[Page]:
    """A reload after two moves; the server does not have the game yet, until `go_on`."""
    drag(page, "e2e4")
    your_move(page, 2)
    script = page._call("Page.addScriptToEvaluateOnNewDocument", source=holding("load"))["identifier"]
    page.reload()
    page._call("Page.removeScriptToEvaluateOnNewDocument", identifier=script)
    page.wait_for("held.length")
    yield page


def test_a_page_that_is_loaded_twice_in_a_row_keeps_the_game(late: Page) -> None:
    late.reload()
    moves = your_move(late, 2)
    late.wait_for(f"{CURRENT} == {moves[1]!r}")


def test_tabs_and_keys_before_the_game_is_there(late: Page) -> None:
    late.evaluate("document.activeElement.blur()")
    late.key("ArrowLeft")
    late.click("#tab-analyse")
    late.click("#tab-play")
    late.click("#flip")
    late.type("d3")
    late.key("Enter")
    go_on(late)
    assert your_move(late, 4)[2] == "d3"
    assert late.evaluate("document.querySelector('.orientation-black') !== null")
    assert late.evaluate(TROUBLE) == ""


def test_the_charts_are_asked_for_before_they_are_there(page: Page) -> None:
    hold(page, "position")
    page.click("#tab-watch")
    page.wait_for("held.length")
    page.click("#replay")
    page.click("#longer")
    page.evaluate("document.querySelector('#depth').oninput()")
    page.frame()
    go_on(page)
    page.wait_for("document.querySelector('#charts svg')")
