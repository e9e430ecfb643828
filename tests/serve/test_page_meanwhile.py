"""The page when something goes on meanwhile: a search, a review, another tab, a server that is gone."""

# ruff: noqa: F811 (arguments are named as the fixtures are)

import io
import json
import time
from pathlib import Path

import chess.pgn
import pytest
from support import chromium
from support.chromium import (
    Chromium,
    Page,
    browser,  # noqa: F401  # a fixture
)
from support.page import (
    CURRENT,
    HEIGHT,
    MOVES,
    STATUS,
    WIDTH,
    confirm,
    drag,
    go_on,
    hold,
    page,  # noqa: F401  # a fixture
    paste,
    pgn,
    played,
    served,  # noqa: F401  # a fixture
)
from support.web import Served

pytestmark = pytest.mark.skipif(chromium.executable() is None, reason="there is no Chromium")

TROUBLE = "document.querySelector('#trouble').textContent"
SPOKEN = "document.querySelector('#spoken').textContent"
FEN = "document.querySelector('#words p').textContent"
EVALUATED = "!document.querySelector('#eval').hidden"  # the position is shown for analysis
LONG = "1. " + " ".join(["Nf3 Nf6 Ng1 Ng8"] * 10) + " *"
THREE = "".join(
    f'[White "P{n}"]\n[Black "Q"]\n\n1. {move} *\n\n' for n, move in enumerate(("a3", "b3", "c3"))
)


def game_of(text: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(text))
    assert game
    return game


def from_here(page: Page, start: str, level: str = "full strength") -> None:
    """Play White from a position."""
    paste(page, start)
    page.wait_for(f"document.body.dataset.tab == 'analyse' && {STATUS}.startsWith('White to move')")
    page.click("#tab-play")
    page.choose("#colour", "white")
    page.choose("#level", level)
    page.click("#from-here")
    page.wait_for(f"{STATUS}.startsWith('Your move')")


# Loading.


def test_a_text_that_cannot_be_read_stops_nothing(page: Page, served: Served) -> None:
    page.click("#tab-analyse")
    page.wait_for("document.querySelectorAll('#best li').length == 3")
    paste(page, "hello")
    page.wait_for(TROUBLE)
    time.sleep(0.5)
    assert served.status()["searching"] == 1
    page.click("#tab-play")
    page.choose("#level", "full strength")
    page.click("#new .main")
    page.wait_for(f"{STATUS} == 'Your move'")
    drag(page, "a2a3")
    paste(page, "hello")
    assert len(played(page, 2)) == 2


def test_a_game_is_loaded_during_a_review(page: Page) -> None:
    paste(page, LONG)
    played(page, 40)
    page.choose("#depth-of-review", "500000")
    page.click("#review")
    page.wait_for("document.querySelector('#progress').textContent.includes('of 41')")
    paste(page, "1. d4 d5 *")
    page.wait_for(f"{MOVES}.join() == 'd4,d5' && document.querySelector('#best strong')")
    page.wait_for("!document.querySelector('#progress').textContent")
    assert not page.evaluate("document.querySelector('#review').disabled")


def test_another_game_of_a_file_is_not_opened_over_a_game_under_way(page: Page) -> None:
    paste(page, THREE)
    page.wait_for("document.querySelectorAll('#games option').length == 3")
    page.click("#tab-play")
    page.choose("#colour", "white")
    page.click("#from-here")
    page.wait_for(f"{STATUS} == 'Your move' || {STATUS}.startsWith('The engine')")
    page.click("#new .main")
    page.wait_for(f"{MOVES}.length == 0")
    drag(page, "e2e4")
    played(page, 2)
    page.choose("#games", "2")
    confirm(page, "no")
    assert played(page, 2)[0] == "e4"
    page.choose("#games", "3")
    confirm(page, "yes")
    page.wait_for(f"{MOVES}.join() == 'c3'")


def test_looking_through_a_file_fills_no_list(page: Page) -> None:
    page.evaluate("localStorage.clear()")
    paste(page, THREE)
    page.wait_for("document.querySelectorAll('#games option').length == 3")
    page.choose("#games", "2")
    page.wait_for(f"{MOVES}.join() == 'b3'")
    assert page.evaluate("localStorage.getItem('sssnake-games')") is None
    drag(page, "e7e5")
    played(page, 2)
    (kept,) = json.loads(page.evaluate("localStorage.getItem('sssnake-games')"))
    assert "P1" in kept["title"] and "e5" in kept["pgn"]


def test_files_of_windows_are_read(page: Page) -> None:
    for number, form in enumerate(("utf-16-le", "utf-16-be", "utf-8")):
        data = list(f'\ufeff[White "Жук {number}"]\r\n\r\n1. e4 *\r\n'.encode(form))
        page.evaluate(
            "(() => { const data = new DataTransfer();"
            f"data.items.add(new File([new Uint8Array({data})], 'games.pgn'));"
            "document.body.dispatchEvent(new DragEvent('drop', {dataTransfer: data, bubbles: true})) })()"
        )
        page.wait_for(f"document.querySelector('#title').textContent == 'Жук {number}'")


def test_a_text_too_long_is_one_line(page: Page) -> None:
    page.evaluate(  # (to show it takes Chromium a minute)
        "Object.defineProperty(document.querySelector('#text'), 'value', {value: 'ж'.repeat(3_000_000)})"
    )
    page.evaluate("document.querySelector('#load').requestSubmit()")
    page.wait_for(f"{TROUBLE} == 'Too long: at most 4 MB are read'")
    drag(page, "e2e4")
    played(page, 2)


# A game against the engine.


def test_a_game_that_is_over_is_so_wherever_one_looks(page: Page) -> None:
    from_here(page, "6k1/5ppp/8/8/8/8/8/R6K w - - 0 1")
    drag(page, "a1a8")
    page.wait_for(f"{STATUS} == '1–0: checkmate'")
    assert "1-0: checkmate" in page.text("#spoken")
    page.click("#back")
    page.wait_for(f"{STATUS} == 'White to move'")
    assert page.evaluate("document.querySelector('#resign').disabled")
    page.click("#new .main")
    page.wait_for(f"{MOVES}.length == 0 && {STATUS} == 'Your move'")
    assert not page.evaluate("document.querySelector('#confirm').open")


def test_nobody_resigns_a_game_that_has_ended(page: Page) -> None:
    from_here(page, "6k1/8/8/8/8/r7/1r6/7K w - - 0 1")
    hold(page, "play")
    drag(page, "h1g1")
    page.wait_for("held.length")
    page.click("#resign")
    page.wait_for("document.querySelector('#confirm').open")
    go_on(page)
    played(page, 2)
    page.wait_for(f"{STATUS} == '0–1: checkmate'")
    page.click("#yes")
    time.sleep(0.5)
    assert page.evaluate(STATUS) == "0–1: checkmate"


def test_a_flag_falls_in_the_position_that_is_played(page: Page) -> None:
    """White has looked back to when Black had a rook to win with."""
    page.choose("#time", "60 1")
    from_here(page, "7k/8/8/8/8/8/r7/KQ6 w - - 0 1")
    drag(page, "a1a2")
    played(page, 2)
    page.wait_for(f"{STATUS} == 'Your move'")
    page.click("#first")
    page.wait_for(f"{FEN}.includes('rook')")
    page.evaluate(
        "(() => { const now = performance.now.bind(performance); performance.now = () => now() + 100_000 })()"
    )
    page.click("#latest")
    page.wait_for(f"{STATUS} == '½–½: time, insufficient material'")


def test_taking_back_drops_nothing_of_a_loaded_game(page: Page) -> None:
    text = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 *"
    paste(page, text)
    played(page, 10)
    for _ in range(4):
        page.key("ArrowLeft")
    page.wait_for(f"{CURRENT} == 'a6'")
    page.click("#tab-play")
    page.choose("#colour", "white")
    page.click("#from-here")
    page.wait_for(f"{STATUS} == 'Your move'")
    page.click("#undo")
    page.wait_for(f"{CURRENT} == 'Nc6'")
    drag(page, "f1b5")  # as it was played
    page.wait_for(f"{SPOKEN}.startsWith('SSSnake: ') && {STATUS} == 'Your move'")
    page.click("#undo")
    page.wait_for(f"{CURRENT} == 'Nc6'")
    assert str(game_of(pgn(page)).mainline()) == text.removesuffix(" *")


@pytest.mark.parametrize("tab", ["play", "analyse"])
def test_a_move_that_is_on_its_way_is_taken_back(page: Page, tab: str) -> None:
    paste(page, "1. e4 e5 2. Nf3 Nc6 *")
    played(page, 4)
    if tab == "play":
        page.click("#tab-play")
        page.choose("#colour", "white")
        page.click("#from-here")
        page.wait_for(f"{STATUS} == 'Your move'")
    hold(page, "move")
    drag(page, "f1b5")
    page.wait_for("held.length")
    page.click("#undo")
    go_on(page)
    page.wait_for(f"{SPOKEN}.startsWith('Taken back')")
    page.wait_for(f"{CURRENT} == 'Nc6'")
    assert len(played(page, 4)) == (5 if tab == "play" else 4)  # a variation of a loaded game stays


def test_what_is_looked_at_during_a_game_is_no_part_of_it(page: Page) -> None:
    page.choose("#level", "beginner")
    page.click("#new .main")
    drag(page, "a2a3")
    played(page, 2)
    page.wait_for(f"{STATUS} == 'Your move'")
    page.click("#tab-analyse")
    page.wait_for(EVALUATED)
    drag(page, "h2h4")
    played(page, 3)
    page.click("#tab-play")
    page.wait_for(f"{STATUS} == 'Your move'")
    drag(page, "h2h3")
    page.wait_for(f"{MOVES}.length >= 5 && {STATUS} == 'Your move'")
    page.click("#resign")
    confirm(page, "yes")
    page.wait_for(f"{STATUS} == '0–1: white resigned'")
    page.click("#tab-analyse")
    page.wait_for(EVALUATED)
    drag(page, "b2b3")
    page.wait_for(f"{CURRENT} == 'b3'")
    game = game_of(pgn(page))
    main = [node.san() for node in game.mainline()]
    assert (main[0], main[2], main[4]) == ("a3", "h3", "b3")
    assert game.headers["Result"] == "0-1" and game.headers["Termination"] == "white resigned"
    page.evaluate("document.querySelector('#mine').open = true")
    page.wait_for("document.querySelector('#kept li button')?.textContent.includes('0-1')")


def test_a_kept_game_shows_how_it_ended(page: Page) -> None:
    page.evaluate("localStorage.clear()")
    drag(page, "a2a3")
    played(page, 2)
    page.click("#resign")
    confirm(page, "yes")
    page.wait_for(f"{STATUS} == '0–1: white resigned'")
    page.wait_for("localStorage.getItem('sssnake-games').includes('Analysed by SSSnake')")  # the review, too
    page.evaluate("document.querySelector('#mine').open = true")
    page.wait_for("document.querySelector('#kept li button')")
    page.click("#kept li button")
    page.wait_for(f"document.body.dataset.tab == 'analyse' && {MOVES}.length >= 2")
    page.click("#latest")
    page.wait_for(f"{STATUS} == '0–1: white resigned'")


@pytest.mark.parametrize("button", ["#undo", "#new .main"])
def test_a_move_beforehand_is_for_one_position_only(page: Page, button: str) -> None:
    hold(page, "play")
    drag(page, "a2a3")
    page.wait_for("held.length")
    drag(page, "h2h3")
    page.wait_for("document.querySelector('square.current-premove')")
    page.click(button)
    if button != "#undo":
        confirm(page, "yes")
    page.wait_for(f"{MOVES}.length == 0 && {STATUS} == 'Your move'")
    time.sleep(0.5)
    assert page.evaluate(f"{MOVES}.length") == 0


def test_a_wrong_value_that_is_not_asked_for_stops_nothing(page: Page) -> None:
    page.choose("#level", "custom")
    page.evaluate("document.querySelector('#elo').value = 99")
    page.choose("#level", "beginner")
    page.choose("#time", "custom")
    page.evaluate("document.querySelector('#minutes').value = ''")
    page.choose("#time", "")
    page.click("#new .main")
    page.wait_for("document.querySelector('#far .name').textContent.includes('beginner')")
    page.wait_for(
        f"{STATUS} == 'Your move' && document.querySelector('#spoken').textContent.startsWith('New')"
    )


def test_a_stalemate_is_said(page: Page) -> None:
    from_here(page, "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1")
    drag(page, "f1f7")
    page.wait_for(f"{STATUS} == '½–½: stalemate'")
    assert page.text("#spoken") == "White: queen f7. 1/2-1/2: stalemate"


# Taking back.


def test_taking_back_many_moves_of_an_analysis_asks(page: Page) -> None:
    paste(page, "1. e4 e5 2. Nf3 *")
    played(page, 3)
    for _ in range(2):
        page.key("ArrowLeft")
    page.wait_for(f"{CURRENT} == 'e4'")
    page.click("#undo")
    page.wait_for(
        "document.querySelector('#question').textContent == 'Take back 1. e4 and the 2 moves after it?'"
    )
    confirm(page, "no")
    assert len(played(page, 3)) == 3
    page.click("#undo")
    confirm(page, "yes")
    page.wait_for(f"{MOVES}.length == 0")


# Other tabs, a reload, a server that is gone.


def test_a_long_game_outlasts_a_reload(page: Page) -> None:
    variations = " ".join(f"(1. {file}3 {other}6)" for file in "abcdefgh" for other in "abcdefgh")
    shuffles = " ".join(["Nf3 Nf6 Ng1 Ng8"] * 150)
    paste(page, f'[White "Long"]\n\n1. e4 {variations} e5 {shuffles} *')
    page.wait_for(f"{MOVES}.length > 602")
    copied = pgn(page)
    page.wait_for("JSON.parse(sessionStorage.getItem('sssnake-game')).pgn")
    page.reload()
    page.wait_for(f"{MOVES}.length > 602")
    assert pgn(page) == copied


def test_two_tabs_that_go_on_with_one_game_keep_two(page: Page, served: Served, browser: Chromium) -> None:
    page.evaluate("localStorage.clear()")
    page.click("#tab-analyse")
    drag(page, "e2e4")
    played(page, 1)
    page.wait_for("localStorage.getItem('sssnake-games')")
    copy = page.evaluate("sessionStorage.getItem('sssnake-game')")
    other = browser.page(served.origin, WIDTH, HEIGHT)  # a duplicate of the tab has its storage
    other.wait_for("document.querySelector('cg-board piece')")
    other.evaluate(f"onpagehide = () => sessionStorage.setItem('sssnake-game', {copy!r})")
    other.reload()
    played(other, 1)
    drag(other, "e7e5")
    played(other, 2)
    page.front()
    drag(page, "c7c5")
    played(page, 2)
    page.wait_for("localStorage.getItem('sssnake-games').includes('c5')")
    texts = [one["pgn"] for one in json.loads(page.evaluate("localStorage.getItem('sssnake-games')"))]
    assert len(texts) == 2 and "c5" in texts[0] and "e5" in texts[1]
    other.close()


def test_the_page_goes_on_after_the_server_was_gone(browser: Chromium, tmp_path: Path) -> None:
    words = ("--token-file", str(tmp_path / "token"))
    with Served(*words) as server:
        port = server.port
        left = browser.page(f"{server.address}#analyse", WIDTH, HEIGHT)
        left.wait_for("document.querySelector('cg-board piece')")
        paste(left, THREE)
        left.wait_for("document.querySelectorAll('#games option').length == 3")
        left.choose("#games", "2")
        left.wait_for(f"{MOVES}.join() == 'b3'")
        drag(left, "e7e5")
        played(left, 2)
    left.click("#first")  # nobody answers
    left.wait_for(f"{TROUBLE}.includes('does not answer')")
    drag(left, "e2e4")
    time.sleep(7)
    assert "does not answer" in left.evaluate(TROUBLE), "it is still so"
    with Served("--port", str(port), *words):
        left.wait_for(f"{TROUBLE} == '' && !{FEN}.includes('b3')")
        left.click("#forth")
        left.wait_for(f"{CURRENT} == 'b3' && {FEN}.includes('b3')")
        left.wait_for("document.querySelector('#best strong')")
        left.choose("#games", "3")
        left.wait_for(f"{MOVES}.join() == 'c3'")
        left.close()


def test_the_list_of_a_file_outlasts_a_reload(page: Page) -> None:
    paste(page, THREE)
    page.wait_for("document.querySelectorAll('#games option').length == 3")
    page.choose("#games", "2")
    page.wait_for(f"{MOVES}.join() == 'b3'")
    page.reload()
    page.wait_for(f"{MOVES}.join() == 'b3' && document.querySelector('#games').value == '2'")
    page.choose("#games", "3")
    page.wait_for(f"{MOVES}.join() == 'c3'")
    paste(page, "1. h3 *")
    page.wait_for(f"{MOVES}.join() == 'h3'")
    page.reload()
    page.wait_for(f"{MOVES}.join() == 'h3'")
    assert page.evaluate("document.querySelector('#which').hidden"), "that list is gone"


def test_a_game_needs_the_room_more_than_the_file_that_it_is_out_of(page: Page) -> None:
    paste(page, THREE)
    page.wait_for(f"{MOVES}.join() == 'a3' && sessionStorage.getItem('sssnake-file')")
    page.evaluate(
        "(() => { const set = Storage.prototype.setItem; Storage.prototype.setItem = function (name, text) {"
        "if (name == 'sssnake-game' && sessionStorage.getItem('sssnake-file')) throw new Error('full');"
        "return set.call(this, name, text) } })()"
    )
    drag(page, "e7e5")
    played(page, 2)
    page.reload()
    assert played(page, 2) == ["a3", "e5"]


def test_a_comment_that_is_being_written_outlasts_a_reload(page: Page) -> None:
    paste(page, "1. e4 e5 *")
    played(page, 2)
    page.click("#comment")
    page.type("half a thou")
    page.reload()
    page.wait_for("document.querySelector('#moves').textContent.includes('half a thou')")
    assert page.evaluate("JSON.parse(sessionStorage.getItem('sssnake-game')).draft") is None, "once"


def test_the_clock_rests_while_the_browser_keeps_the_page_behind_another(page: Page) -> None:
    """As it does through a reload. It runs for who looks back."""
    page.choose("#time", "60 1")
    page.click("#new .main")
    drag(page, "e2e4")
    played(page, 2)
    page.wait_for("document.querySelector('#near .clock.runs')")
    page.evaluate(
        "(() => { const leave = (name) => dispatchEvent(new PageTransitionEvent(name, {persisted: true}));"
        "const now = performance.now.bind(performance);"
        "leave('pagehide'); performance.now = () => now() + 70_000; leave('pageshow') })()"
    )
    page.wait_for("document.querySelector('#near .clock.runs')")
    assert page.evaluate(STATUS) == "Your move"
    page.click("#back")
    page.wait_for(f"{CURRENT} == 'e4'")
    page.reload()
    page.wait_for(f"{CURRENT} == 'e4' && document.querySelector('#near .clock.runs')")


def test_an_address_that_names_a_tab_leads_to_it_on_the_open_page(page: Page) -> None:
    page.evaluate("location.hash = 'analyse'")
    page.wait_for("document.body.dataset.tab == 'analyse' && location.hash == ''")
    page.evaluate("history.back()")
    page.wait_for(f"{STATUS} == 'White to move'")
    assert page.evaluate("document.body.dataset.tab") == "analyse"
