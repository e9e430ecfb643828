"""The page in a real browser: mouse, keys, whole games, promotion, reload, tabs, hostile pages."""

# ruff: noqa: F811 (arguments are named as the fixtures are)

import http.server
import threading
import time
from functools import partial
from pathlib import Path

import chess
import pytest
from support import chromium
from support.chromium import (
    Chromium,
    Page,
    browser,  # noqa: F401  # a fixture
    until,
)
from support.page import BUTTONS, HEIGHT, MOVES, WIDTH, drag, page, paste, pgn, played, served, square  # noqa: F401  # fixtures
from support.web import Served

from sssnake.engine.player.engine import Engine, Limits

pytestmark = pytest.mark.skipif(chromium.executable() is None, reason="there is no Chromium")

MORPHY = """[White "Morphy"]
[Black "Duke and Count"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0"""


def test_moves_are_dragged_and_clicked_and_answered(page: Page) -> None:
    drag(page, "e2e4")
    assert played(page, 2)[0] == "e4"
    page.click_at(*square(page, "d2"))
    page.wait_for("document.querySelectorAll('cg-board square.move-dest').length == 2")
    page.click_at(*square(page, "d3"))
    assert played(page, 4)[2] == "d3"
    drag(page, "a1a5")  # not a move: nothing happens
    assert len(played(page, 4)) == 4
    page.wait_for("document.querySelector('#status').textContent == 'Your move'")
    page.click("#undo")
    page.wait_for(f"{MOVES}.length == 2")


def test_a_whole_game_to_mate_by_the_mouse(page: Page) -> None:
    page.choose("#level", "beginner")
    page.click("#new .main")
    page.wait_for("document.querySelector('#far .name').textContent.includes('beginner')")
    board = chess.Board()
    with Engine(hash_mb=4) as engine:
        while not board.is_game_over(claim_draw=True) and len(board.move_stack) < 200:
            move = engine.play(board, Limits(nodes=20_000)).move
            assert move
            drag(page, move.uci())
            board.push(move)
            if board.is_game_over():
                break
            board.push_san(played(page, len(board.move_stack) + 1)[len(board.move_stack)])
    assert board.is_checkmate() and not board.turn
    page.wait_for("document.querySelector('#status').textContent == '1–0: checkmate'")
    page.wait_for("document.querySelector('#graph .curve')")  # the finished game is reviewed


def test_a_promotion_is_chosen_or_left(page: Page) -> None:
    paste(page, "8/P6k/8/8/8/8/8/K7 w - - 0 1")
    page.wait_for("document.querySelectorAll('cg-board piece').length == 3")
    page.drag(square(page, "a7"), square(page, "a8"))
    page.wait_for("document.querySelector('#promotion').open")
    assert page.evaluate("document.activeElement.ariaLabel") == "queen"
    page.key("Escape")
    page.wait_for("document.querySelector('cg-board piece.pawn').cgKey == 'a7'")
    assert page.evaluate(f"{MOVES}.length") == 0
    drag(page, "a7a8n")
    assert played(page, 1) == ["a8=N"]
    page.wait_for("document.querySelector('cg-board piece.knight.white')")


def test_a_reload_in_mid_game_keeps_the_game(page: Page) -> None:
    page.choose("#colour", "black")
    page.choose("#time", "300 3")
    page.click("#new .main")
    played(page, 1)
    page.wait_for("document.querySelector('#status').textContent == 'Your move'")
    drag(page, "g8f6")
    before = played(page, 3)
    page.reload()
    page.wait_for("document.querySelector('#status').textContent == 'Your move'")
    assert played(page, 3) == before
    assert page.evaluate("document.querySelector('.orientation-black') !== null")
    page.wait_for("document.querySelector('#near .clock.runs')")
    assert page.text("#near .clock")[:2] in ("4:", "5:")
    drag(page, "b8c6")
    assert len(played(page, 5)) == 5


def test_a_reload_while_the_engine_thinks_lets_it_think_again(page: Page) -> None:
    page.choose("#level", "full strength")
    page.click("#new .main")
    drag(page, "a2a4")
    played(page, 1)
    page.reload()
    assert played(page, 2)[0] == "a4"


def test_two_tabs_have_two_games(page: Page, served: Served, browser: Chromium) -> None:
    other = browser.page(served.origin, WIDTH, HEIGHT)  # the cookie is enough
    other.wait_for(
        "document.querySelector('cg-board piece') && document.querySelector('#status').textContent"
    )
    page.front()
    drag(page, "e2e4")
    assert played(page, 2)[0] == "e4"
    other.front()
    drag(other, "d2d4")
    assert played(other, 2)[0] == "d4"
    assert other.complaints() == []
    other.close()


def test_a_tab_that_waits_for_a_place_says_so(browser: Chromium) -> None:
    """To the eye and, once, to screen readers."""
    with Served("--searches", "1") as server:
        first = browser.page(f"{server.address}#analyse", WIDTH, HEIGHT)
        server.wait_for(searching=1)
        assert first.evaluate("document.querySelector('#queue').hidden")
        second = browser.page(f"{server.address}#analyse", WIDTH, HEIGHT)
        second.evaluate(
            "window.said = []; const spoken = document.querySelector('#spoken');"
            "new MutationObserver(() => said.push(spoken.textContent)).observe(spoken, {childList: true})"
        )
        for _ in range(2):  # both give their places up and wait again
            second.wait_for("!document.querySelector('#queue').hidden")
            second.wait_for("document.querySelector('#queue').hidden")
        shown = second.text("#queue")
        assert shown.startswith("Waiting for a place") and second.evaluate("said") in ([shown], [])
        assert second.text("#spoken") == shown
        first.front()
        until(lambda: {"role": "StaticText", "name": shown} in first.accessible())
        second.close()
        first.wait_for("document.querySelector('#queue').hidden")
        server.wait_for(tabs=1, waiting=0)
        assert first.complaints() == []
        first.close()


def test_a_closed_tab_stops_its_search(served: Served, browser: Chromium) -> None:
    served.wait_for(tabs=0)
    closing = browser.page(served.address + "#analyse", WIDTH, HEIGHT)
    closing.wait_for("document.querySelectorAll('#best li').length == 3")
    assert served.status()["searching"] == 1
    closing.close()
    served.wait_for(tabs=0, searching=0)


def test_the_keyboard_is_enough(page: Page) -> None:
    page.evaluate("document.activeElement.blur()")
    for san in ("e4", "Nf3"):
        page.type(san)  # the first letter leads to the input
        page.key("Enter")
        played(page, 2 if san == "e4" else 4)
        page.wait_for("document.querySelector('#status').textContent == 'Your move'")
    page.type("Ka8")
    page.key("Enter")
    page.wait_for("document.querySelector('#trouble').textContent.includes('not a legal move')")
    page.evaluate("document.activeElement.blur()")
    for key, ply in (("ArrowLeft", 3), ("ArrowLeft", 2), ("ArrowRight", 3), ("Home", 0), ("End", 4)):
        page.key(key)
        page.wait_for(f"{BUTTONS}.findIndex((button) => button.matches('[aria-current]')) == {ply - 1}")
    page.evaluate("document.querySelector('#tab-play').focus()")
    page.key("ArrowRight")
    page.wait_for("!document.querySelector('#analyse').hidden && document.activeElement.id == 'tab-analyse'")


def test_screen_readers_hear_moves_and_find_names(page: Page) -> None:
    drag(page, "e2e4")
    page.wait_for("document.querySelector('#spoken').textContent.startsWith('SSSnake: ')")
    assert page.evaluate("document.querySelector('#spoken').ariaLive") == "polite"
    assert "pawn a2 b2 c2 d2 e4" in page.text("#words p")
    for tab in ("play", "analyse", "watch"):
        page.click(f"#tab-{tab}")
        roles = {"button", "textbox", "combobox", "slider", "checkbox", "tab", "tabpanel", "list"}
        nodes = [node for node in page.accessible() if node["role"] in roles]
        assert len(nodes) > 10
        assert [node for node in nodes if not node["name"] and node["role"] != "list"] == []


def test_analysis_shows_lines_arrows_graph_and_names(page: Page) -> None:
    page.click("#tab-analyse")
    paste(page, MORPHY)
    assert len(played(page, 33)) == 33
    page.click("#review")
    page.wait_for("document.querySelector('#graph .curve')?.getAttribute('points').split(' ').length == 34")
    page.wait_for("document.querySelector('#of-white td').textContent.endsWith('%')")  # no button moves then
    assert page.text("#near .name") == "Morphy"
    page.click("#moves button[data-id='19']")
    page.wait_for("document.querySelector('#best strong')")
    moves = len(played(page, 33))  # with the lines of the review
    page.choose("#lines", "5")
    page.wait_for("document.querySelectorAll('#best li').length == 5")
    page.wait_for("document.querySelectorAll('.cg-shapes line').length == 5")
    assert page.text("#opening") == "C41 Philidor Defence"
    page.click("#thinking")
    page.wait_for("!document.querySelector('#best li') && !document.querySelector('.cg-shapes line')")
    page.click("#first")
    page.wait_for("!document.querySelector('#moves [aria-current]')")
    drag(page, "d2d4")
    page.wait_for(f"{MOVES}.length == {moves + 1}")
    page.click("#undo")
    page.wait_for(f"{MOVES}.length == {moves}")


def test_moves_from_an_earlier_position_are_variations(page: Page) -> None:
    current = "document.querySelector('#moves [aria-current]')"
    page.click("#tab-analyse")
    paste(page, "1. e4 e5 2. Nf3 (2. f4 exf4 (2... d5)) 2... Nc6 *")
    assert played(page, 7) == ["e4", "e5", "Nf3", "f4", "exf4", "d5", "Nc6"]
    page.click("#moves li:first-child button")
    page.wait_for(f"{current}?.textContent == 'e4'")
    drag(page, "c7c5")  # a new one
    page.wait_for(f"{current}?.textContent == 'c5'")
    page.type("Nf3")
    page.key("Enter")
    page.wait_for(f"{current}?.textContent == 'Nf3'")
    assert played(page, 9) == ["e4", "e5", "c5", "Nf3", "Nf3", "f4", "exf4", "d5", "Nc6"]
    page.evaluate("document.activeElement.blur()")
    for key, move in (
        ("ArrowLeft", "c5"),
        ("ArrowUp", "e5"),
        ("ArrowRight", "Nf3"),
        ("ArrowDown", "f4"),
        ("ArrowRight", "exf4"),
        ("ArrowDown", "d5"),
        ("End", "d5"),
        ("ArrowLeft", "f4"),
        ("ArrowRight", "d5"),
        ("Home", None),
    ):
        page.key(key)
        page.wait_for(f"({current}?.textContent ?? null) == {move!r}".replace("None", "null"))
        if key in ("ArrowUp", "ArrowDown"):
            assert page.text("#spoken") == f"Variation: pawn {move}"
    drag(page, "e2e4")  # one that is there
    page.wait_for(f"{current}?.textContent == 'e4'")
    assert len(played(page, 9)) == 9
    named = [part["name"] for part in page.accessible() if part["role"] == "list"]
    assert {"Moves", "Instead of e5", "Instead of Nf3", "Instead of exf4"} <= set(named)
    page.reload()
    page.wait_for(f"{current}?.textContent == 'e4'")
    assert len(played(page, 9)) == 9
    page.click("#latest")
    page.wait_for(f"{current}?.textContent == 'd5'")
    page.click("#promote")
    page.wait_for("document.querySelector('#promote').disabled")
    assert pgn(page).endswith("1. e4 e5 (1... c5 2. Nf3 ) 2. f4 (2. Nf3 Nc6 ) 2... d5 (2... exf4 ) *")
    page.click("#undo")
    page.wait_for(f"{current}?.textContent == 'f4'")
    assert played(page, 8) == ["e4", "e5", "c5", "Nf3", "f4", "Nf3", "Nc6", "exf4"]


def test_fen_and_pgn_go_out(page: Page) -> None:
    page.click("#tab-analyse")
    drag(page, "e2e4")
    page.wait_for("document.querySelector('#status').textContent == 'Black to move'")
    drag(page, "c7c5")
    played(page, 2)
    assert pgn(page).endswith("1. e4 c5 *")
    page.evaluate("document.querySelector('#copy-fen').click()")
    page.wait_for("document.querySelector('#text').value.startsWith('rnbqkbnr/pp1ppppp/8/2p5/4P3/8/')")
    paste(page, "1. e4 e5 *\n\n1. d4 d5 2. c4 *")
    page.wait_for(f"{MOVES}.join() == 'e4,e5' && !document.querySelector('#which').hidden")
    assert page.evaluate("[...document.querySelectorAll('#games option')].map((one) => one.text)") == [
        "1. ? – ?",
        "2. ? – ?",
    ]
    page.choose("#games", "2")
    page.wait_for(f"{MOVES}.join() == 'd4,d5,c4'")
    paste(page, "x" * 70_000)
    page.wait_for("document.querySelector('#trouble').textContent.includes('is not a move')")
    page.click("#flip")
    page.wait_for("document.querySelector('.orientation-black')")


def test_a_fallen_flag_ends_the_game(page: Page) -> None:
    page.choose("#time", "60 1")
    page.click("#new .main")
    drag(page, "e2e4")
    played(page, 2)
    page.wait_for("document.querySelector('#near .clock.runs')")
    page.evaluate(  # a minute later
        "(() => { const now = performance.now.bind(performance); performance.now = () => now() + 70000 })()"
    )
    page.wait_for("document.querySelector('#status').textContent == '0–1: white ran out of time'")
    page.reload()
    page.wait_for("document.querySelector('#status').textContent == '0–1: white ran out of time'")


def test_the_descent_of_sss_star_is_seen_within_ten_seconds(page: Page) -> None:
    drag(page, "e2e4")
    played(page, 2)
    start = time.monotonic()
    page.click("#tab-watch")
    page.wait_for("document.querySelectorAll('article.literal .no').length > 10", 10)
    page.wait_for("document.querySelector('article.literal .final')", 10 - (time.monotonic() - start))
    heights = page.evaluate(
        "[...document.querySelectorAll('article.literal .no')]"
        ".map((mark) => mark.getBoundingClientRect().bottom)"
    )
    assert heights == sorted(heights), "each mark lies below the one before"
    for driver in ("literal", "default", "pvs"):
        page.wait_for(f"document.querySelector('article.{driver} .value')")
        assert "nodes" in page.text(f"article.{driver} .facts")
        page.wait_for(f"document.querySelector('article.{driver} .roots .best')")
    page.wait_for("document.querySelector('#depth').max >= 4")
    page.evaluate(
        "(() => { const depth = document.querySelector('#depth'); depth.value = 4; depth.oninput() })()"
    )
    assert page.text("#depth-shown") == "4"
    page.wait_for("document.querySelector('#spoken').textContent.startsWith('Depth 4. ')")


@pytest.mark.parametrize("tab", ["play", "analyse", "watch"])
def test_narrow_screens_need_no_sideways_scrolling(page: Page, tab: str) -> None:
    page.size(360, 740)
    page.click(f"#tab-{tab}")
    time.sleep(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.parametrize("dark", [False, True])
def test_text_stands_out_from_its_ground(page: Page, dark: bool) -> None:
    page.size(WIDTH, HEIGHT, dark)
    colours = page.evaluate(
        "['--text', '--soft', '--accent', '--literal', '--default', '--pvs', '--bad', '--mistake',"
        "'--inaccuracy', '--card', '--page']"
        ".map((name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim())"
    )
    *inks, card, ground = colours
    for ink in inks:
        assert min(contrast(ink, card), contrast(ink, ground)) >= 4.5, (ink, card, ground)


def contrast(one: str, other: str) -> float:
    """The ratio of WCAG 2."""

    def light(colour: str) -> float:
        digits = colour.lstrip("#")
        digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
        parts = [int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4)]
        linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    bright, dim = sorted((light(one), light(other)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def test_a_foreign_page_gets_nothing(served: Served, browser: Chromium, page: Page, tmp_path: Path) -> None:
    """From another port of the same host: the browser sends our cookie along."""
    (tmp_path / "index.html").write_text("<!doctype html><title>foreign</title>")
    handler = partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    handler.log_message = lambda *_: None  # type: ignore[attr-defined]
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as foreign:
        threading.Thread(target=foreign.serve_forever, daemon=True).start()
        evil = browser.page(f"http://127.0.0.1:{foreign.server_address[1]}/")
        opened = (
            f"new Promise((go) => {{ const socket = new WebSocket('ws://127.0.0.1:{served.port}/socket');"
        )
        opened += "socket.onopen = () => go('open'); socket.onclose = () => go('closed') })"
        assert evil.evaluate(opened) == "closed"
        assert (
            evil.evaluate(
                f"fetch('{served.origin}/', {{credentials: 'include'}}).then((a) => a.status, () => 'failed')"
            )
            == "failed"
        )
        framed = (
            "new Promise((go) => { const frame = document.createElement('iframe');"
            "frame.onload = () => go(frame.contentDocument === null);"
            f"frame.src = '{served.origin}/'; document.body.append(frame) }})"
        )
        assert evil.evaluate(framed) is True
        time.sleep(0.5)
        served.wait_for(tabs=1)  # one of a test before may still be closing
        evil.close()
        foreign.shutdown()


def test_a_server_that_ends_is_told_of(browser: Chromium) -> None:
    with Served() as server:
        left = browser.page(server.address, WIDTH, HEIGHT)
        left.wait_for("document.querySelector('cg-board piece')")
    left.wait_for("document.querySelector('#trouble').textContent.includes('does not answer')")
    left.close()
