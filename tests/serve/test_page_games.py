"""Games on the page, in a browser: nothing is lost or invented, and what people look for is there."""

# ruff: noqa: F811 (arguments are named as the fixtures are)

import json
import time
from pathlib import Path

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
    square,
)
from support.web import Served

pytestmark = pytest.mark.skipif(chromium.executable() is None, reason="there is no Chromium")

CLUB = """[Event "Club"]
[Site "Here"]
[Date "1999.01.02"]
[Round "7"]
[White "Robert \\"Bobby\\" T"]
[Black "B"]
[Result "0-1"]

{ At the start } 1. e4 { [%clk 0:10:00] bold } e5 $6 { [%eval 0.4] } ( 1... -- 2. d4 ) 2. Nf3 Nc6 0-1"""
KEPT = "[...document.querySelectorAll('#kept li')].find((one) => one.textContent.includes('Keep me'))"
STORED = "localStorage.getItem('sssnake-games').includes('Keep me')"


def test_a_pasted_game_is_shown_and_copied_whole(page: Page) -> None:
    paste(page, CLUB)
    assert played(page, 6) == ["e4", "e5", "--", "d4", "Nf3", "Nc6"]
    assert page.text("#title") == 'Robert "Bobby" T – B'
    assert page.text("#facts") == "Club, Here, 1999.01.02, round 7, 0-1"
    shown = page.text("#moves")
    for part in ("At the start", "bold", "10:00", "e5?!"):
        assert part in shown
    copied = pgn(page)
    for line in (
        *CLUB.splitlines()[:7],
        "{ At the start }",
        "{ [%clk 0:10:00] bold }",
        "{ [%eval 0.4] }",
        "(1... -- 2. d4 )",
        "2. Nf3 Nc6 0-1",
    ):
        assert line in " ".join(copied.split()) or line in copied, line
    page.click("#latest")
    page.wait_for(f"{STATUS} == '0–1'")
    page.reload()
    page.wait_for(f"{STATUS} == '0–1'")
    assert pgn(page) == copied


def test_a_null_move_does_not_break_the_tab(page: Page) -> None:
    paste(page, CLUB)
    played(page, 6)
    for number in (3, 4, 1, 6):
        page.click(f"#moves button[data-id='{[1, 2, 5, 6, 3, 4][number - 1]}']")
        wanted = ["e4", "e5", "--", "d4", "Nf3", "Nc6"][number - 1]
        page.wait_for(f"{CURRENT} == {wanted!r}")
        page.wait_for("document.querySelector('#best strong')")
    assert page.text("#trouble") == ""


def test_chess960_518_has_one_castling(page: Page) -> None:
    fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    paste(page, f'[Variant "Chess960"]\n[FEN "{fen}"]\n\n1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. O-O O-O *')
    played(page, 8)
    page.click("#moves button[data-id='6']")
    page.wait_for(f"{CURRENT} == 'Be7'")
    page.type("O-O")
    page.key("Enter")
    page.wait_for(f"{CURRENT} == 'O-O'")
    assert len(played(page, 8)) == 8
    page.key("ArrowLeft")
    page.wait_for(f"{CURRENT} == 'Be7'")
    drag(page, "e1g1")
    page.wait_for(f"{CURRENT} == 'O-O'")
    assert len(played(page, 8)) == 8


def test_one_illegal_move_keeps_what_comes_before(page: Page) -> None:
    paste(page, "1. e4 e5 2. Nf3 Nc6 3. Ke3 a6 *")
    assert played(page, 4) == ["e4", "e5", "Nf3", "Nc6"]
    assert "illegal move 'Ke3'" in page.text("#remark")


def test_a_file_of_a_megabyte_is_dropped_and_a_game_chosen(page: Page) -> None:
    page.evaluate(
        """(() => {
            let text = '';
            for (let n = 1; n <= 1100; n++)
                text += `[White "Häuser ${n}"]\\n\\n1. e4 {${'x'.repeat(980)}} e5 2. Nf3 *\\n\\n`;
            const data = new DataTransfer();
            data.items.add(new File([text], 'games.pgn'));
            window.size = text.length;
            const how = {dataTransfer: data, bubbles: true, cancelable: true};
            document.body.dispatchEvent(new DragEvent('drop', how));
        })()"""
    )
    page.wait_for("document.querySelectorAll('#games option').length == 1100")
    assert page.evaluate("window.size") > 1_000_000
    page.evaluate(
        "(() => { const box = document.querySelector('#filter'); box.value = 'häuser 777'; box.oninput() })()"
    )
    assert page.evaluate("document.querySelectorAll('#games option').length") == 1
    page.choose("#games", "777")
    page.wait_for("document.querySelector('#title').textContent.startsWith('Häuser 777')")


def test_a_key_held_down_goes_through_a_file(page: Page) -> None:
    """The answers to the first presses come when the list is farther on, and do not take it back."""
    paste(page, "".join(f'[White "Nr {n}"]\n\n1. e4 *\n\n' for n in range(1, 41)))
    page.wait_for("document.querySelectorAll('#games option').length == 40")
    page.evaluate("document.querySelector('#games').focus()")
    for _ in range(30):
        page.key("ArrowDown")
    page.wait_for("document.querySelector('#games').value == '31'")
    page.wait_for("document.querySelector('#title').textContent.startsWith('Nr 31')")
    page.key("ArrowUp")
    page.wait_for("document.querySelector('#title').textContent.startsWith('Nr 30')")


def test_a_file_is_opened_and_saved(page: Page, tmp_path: Path) -> None:
    page._call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    paste(page, CLUB)
    played(page, 6)
    page.click("#save")
    end = time.monotonic() + 60
    while not list(tmp_path.glob("*.pgn")):
        assert time.monotonic() < end
        time.sleep(0.1)
    (saved,) = tmp_path.glob("*.pgn")
    text = saved.read_text(encoding="utf-8")
    assert '[Event "Club"]' in text and "{ [%clk 0:10:00] bold }" in text
    latin = tmp_path / "old.pgn"
    latin.write_bytes('[White "Müller"]\n\n1. d4 *\n'.encode("latin-1"))
    node = page._call("DOM.getDocument")["root"]["nodeId"]
    field = page._call("DOM.querySelector", nodeId=node, selector="#file")["nodeId"]
    page._call("DOM.setFileInputFiles", nodeId=field, files=[str(latin)])
    page.wait_for("document.querySelector('#title').textContent == 'Müller'")


def test_a_running_game_is_not_lost_by_a_slip(page: Page) -> None:
    drag(page, "e2e4")
    played(page, 2)
    page.wait_for(f"{STATUS} == 'Your move'")
    page.click("#resign")
    confirm(page, "no")
    page.click("#new .main")
    confirm(page, "no")
    page.evaluate(
        "document.querySelector('#exchange').open = true; document.querySelector('#text').value = '1. d4 *'"
    )
    page.click("#load .main")
    confirm(page, "no")
    assert played(page, 2)[0] == "e4" and page.evaluate(STATUS) == "Your move"
    page.click("#resign")
    confirm(page, "yes")
    page.wait_for(f"{STATUS} == '0–1: white resigned'")
    copied = pgn(page)
    assert '[Result "0-1"]' in copied and '[White "You"]' in copied and "SSSnake, club player" in copied
    page.click("#new .main")  # it is over: nothing is asked
    page.wait_for(f"{MOVES}.length == 0")


def test_a_loaded_game_is_played_on_only_when_somebody_says_so(page: Page) -> None:
    paste(page, "1. e4 e5 2. Nf3 *")
    played(page, 3)
    page.click("#tab-play")
    page.wait_for(f"{STATUS}.startsWith('Nobody plays')")
    time.sleep(1.5)
    assert len(played(page, 3)) == 3, "no move without a word"
    page.click("#back")
    page.wait_for(f"{CURRENT} == 'e5'")
    page.choose("#colour", "black")
    page.choose("#level", "beginner")
    page.click("#from-here")
    page.wait_for(f"{STATUS} == 'Your move'")
    assert page.evaluate("document.querySelector('.orientation-black') !== null")
    assert len(played(page, 3)) >= 3 and "beginner" in page.text("#far .name")


def test_analysis_goes_on_after_a_draw_that_could_be_claimed(page: Page) -> None:
    paste(page, '[SetUp "1"]\n[FEN "8/R7/1r6/1k6/3KB3/8/8/8 b - - 99 111"]\n\n111... Rh6 112. Ra1 Rd6+ *')
    played(page, 3)
    page.click("#latest")
    page.wait_for("document.querySelector('#best strong')")
    page.wait_for("document.querySelector('#note').textContent.includes('fifty moves could be claimed')")
    drag(page, "d4e5")
    page.wait_for(f"{CURRENT} == 'Ke5'")


def test_a_server_started_anew_is_told_of_and_takes_the_game_over(browser: Chromium, tmp_path: Path) -> None:
    with Served() as server:
        port = server.port
        left = browser.page(f"{server.address}#analyse", WIDTH, HEIGHT)
        left.wait_for("document.querySelector('cg-board piece')")
        paste(left, CLUB)
        played(left, 6)
        copied = pgn(left)
    with Served("--port", str(port)) as again:
        left.wait_for("document.querySelector('#trouble').textContent.includes('started anew')")
        other = browser.page(again.address, WIDTH, HEIGHT)
        left.wait_for("document.querySelector('#trouble').textContent == ''")
        left.front()
        assert pgn(left) == copied
        other.front()
        other.evaluate("document.querySelector('#mine').open = true")
        other.wait_for("document.querySelector('#kept button')?.textContent.includes('Bobby')")
        other.click("#kept button")
        assert played(other, 6)[0] == "e4"
        assert pgn(other) == copied
        other.close()
    left.close()


# What people look for.


def test_a_review_shows_accuracy_and_mistakes(page: Page) -> None:
    paste(page, '[White "A"]\n[Black "B"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0')
    played(page, 5)
    page.click("#review")
    page.wait_for("document.querySelector('#of-black td:last-child').textContent == '1'")
    assert page.text("#of-white td:last-child") == "0"
    page.wait_for("document.querySelector('#mistakes li:last-child button')?.textContent == '2… Ke7??'")
    assert "of a point lost. Best: 2..." in page.text("#mistakes li:last-child span")
    page.click("#mistakes li:last-child button")
    page.wait_for(f"{CURRENT} == 'Ke7'")
    page.wait_for("document.querySelector('#eval b').textContent == '#1'")
    copied = pgn(page)
    assert "Blunder. Better:" in copied and '[BlackAccuracy "' in copied and "[%eval" in copied
    page.reload()
    page.wait_for("!document.querySelector('#verdict').hidden && document.querySelector('#mistakes button')")


def test_comments_marks_and_tags_are_written(page: Page) -> None:
    paste(page, "1. e4 e5 *")
    played(page, 2)
    page.click("#moves button[data-id='1']")
    page.wait_for("document.querySelector('#of-what').textContent == 'Comment on 1. e4'")
    for field, value in (("#comment", "best by test"), ("#nag", "3")):
        page.choose(field, value)
        page.wait_for(
            f"document.querySelector('#moves').textContent.includes({ {'3': '!!'}.get(value, value)!r})"
        )
    page.evaluate("document.querySelector('#tags').open = true")
    page.choose("#tag-fields input[name=White]", 'A "quoted" name')
    page.wait_for("document.querySelector('#title').textContent.startsWith('A \"quoted\"')")
    copied = pgn(page)
    assert "1. e4 $3 { best by test }" in copied and '[White "A \\"quoted\\" name"]' in copied


def test_a_king_castles_onto_his_rook(page: Page) -> None:
    paste(page, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    page.wait_for("document.querySelectorAll('cg-board piece').length == 6")
    drag(page, "e1h1")
    assert played(page, 1) == ["O-O"]
    page.wait_for(f"{STATUS}.startsWith('Black to move')")
    drag(page, "e8c8")
    assert played(page, 2) == ["O-O", "O-O-O"]


def test_arrow_keys_and_escape_work_after_a_typed_move(page: Page) -> None:
    page.click("#tab-analyse")
    page.evaluate("document.activeElement.blur()")
    page.type("e4")
    page.key("Enter")
    page.wait_for(f"{CURRENT} == 'e4'")
    page.key("ArrowLeft")
    page.wait_for(f"{CURRENT} === undefined")
    page.type("Nf")
    page.key("Escape")
    assert page.evaluate("document.querySelector('#san').value + document.activeElement.tagName") == "BODY"
    page.key("ArrowRight")
    page.wait_for(f"{CURRENT} == 'e4'")


@pytest.mark.parametrize(("width", "height", "least"), [(1920, 1080, 800), (1280, 900, 640), (390, 844, 300)])
def test_the_board_uses_the_window(page: Page, width: int, height: int, least: int) -> None:
    page.size(width, height)
    page.wait_for(
        "(() => { const {width, bottom} = document.querySelector('cg-board').getBoundingClientRect();"
        "const {clientWidth, scrollWidth} = document.documentElement,"
        "letters = parseFloat(getComputedStyle(document.querySelector('coords')).fontSize);"
        f"return clientWidth == {width} && width >= {least} && bottom <= {height} && scrollWidth <= {width}"
        " && letters >= 12.5 })()",
        30,
    )


def test_a_clock_and_an_elo_of_ones_own(page: Page) -> None:
    page.choose("#level", "custom")
    page.choose("#elo", "1350")
    page.choose("#time", "custom")
    page.choose("#minutes", "2")
    page.choose("#increment", "7")
    page.click("#new .main")
    page.wait_for("document.querySelector('#far .name').textContent == 'SSSnake, Elo 1350'")
    page.wait_for("/^(2:00|1:5[0-9])$/.test(document.querySelector('#near .clock').textContent)")
    drag(page, "d2d4")
    played(page, 2)
    assert '[TimeControl "120+7"]' in pgn(page) and "[%clk 0:02:0" in pgn(page)


def test_a_move_is_entered_beforehand(page: Page) -> None:
    hold(page, "play")
    drag(page, "a2a3")
    page.wait_for("held.length")
    page.drag(square(page, "h2"), square(page, "h3"))
    page.wait_for("document.querySelector('cg-board square.current-premove')")
    go_on(page)
    assert played(page, 4)[2] == "h3"


def test_hint_and_draw_offer(page: Page) -> None:
    page.wait_for("!document.querySelector('#hint').disabled")
    page.click("#hint")
    page.wait_for("document.querySelector('#note').textContent.startsWith('Hint: ')")
    page.wait_for("document.querySelector('.cg-shapes line')")
    drag(page, "e2e4")
    played(page, 2)
    page.wait_for("!document.querySelector('#offer').disabled")
    page.click("#offer")
    page.wait_for("document.querySelector('#note').textContent == 'SSSnake declines the draw.'")


def test_a_position_is_set_up_by_mouse(page: Page) -> None:
    page.evaluate("document.querySelector('#exchange').open = true")
    page.click("#set-up")
    page.wait_for("document.querySelectorAll('#setup-board piece').length >= 32")
    page.click("#empty")

    def put(piece: str, name: str) -> None:
        page.click(f"#palette button[aria-label='{piece}']")
        box = page.evaluate(
            "(() => { const box = document.querySelector('#setup-board cg-board').getBoundingClientRect();"
            "return [box.x, box.y, box.width] })()"
        )
        step = box[2] / 8
        page.click_at(box[0] + step * (ord(name[0]) - 96.5), box[1] + step * (8.5 - int(name[1])))

    put("white king", "e1")
    put("white queen", "d1")
    put("black king", "e8")
    page.choose("#turn", "b")
    page.click("#setup button[value=done]")
    page.wait_for(
        "document.querySelector('#words p').textContent == 'White: king e1, queen d1. Black: king e8.'"
    )
    page.wait_for(f"{STATUS} == 'Black to move'")
    page.wait_for("document.querySelector('#best strong')")


def test_a_chess960_game_begins(page: Page) -> None:
    page.choose("#variant", "chess960")
    page.click("#new .main")
    page.wait_for("document.querySelector('#spoken').textContent.startsWith('New game')")
    page.type("a3")
    page.key("Enter")
    played(page, 2)
    assert '[Variant "fischerandom"]' in pgn(page)


def test_sounds_can_be_switched_off(page: Page) -> None:
    page.evaluate(
        "window.heard = 0; window.AudioContext = class { constructor() { heard++; throw new Error('none') } }"
    )
    page.click("#help-button")
    page.wait_for("document.querySelectorAll('#manual a').length == 5")
    page.click("#sound")
    page.click("#help .main")
    page.click("#tab-analyse")
    drag(page, "e2e4")
    played(page, 1)
    assert page.evaluate("heard") == 0
    page.evaluate(
        "(() => { const box = document.querySelector('#sound'); box.checked = true;"
        "box.onchange({target: box}) })()"
    )
    drag(page, "e7e5")
    played(page, 2)
    page.wait_for("heard > 0")


def keep(page: Page) -> None:
    """Load a game that the browser keeps, then another one."""
    page.evaluate("document.querySelector('#mine').open = true")
    paste(page, '[White "Keep me"]\n\n1. b4 b5 *')
    page.wait_for(f"{MOVES}.join() == 'b4,b5' && {KEPT}")
    paste(page, "1. c4 *")
    page.wait_for(f"{MOVES}.join() == 'c4'")


def test_games_are_kept_in_the_browser(page: Page) -> None:
    keep(page)
    page.evaluate(f"{KEPT}.firstChild.click()")
    page.wait_for(f"{MOVES}.join() == 'b4,b5'")
    kept = json.loads(page.evaluate("localStorage.getItem('sssnake-games')"))
    assert len({one["key"] for one in kept}) == len(kept)
    page.evaluate(f"{KEPT}.lastChild.click()")
    page.wait_for(f"!{KEPT}")


def test_a_forgotten_game_does_not_come_back(page: Page) -> None:
    """Neither when it was still being opened, nor when it is on the board and changes."""
    keep(page)
    page.evaluate(f"(() => {{ const one = {KEPT}; one.firstChild.click(); one.lastChild.click() }})()")
    page.wait_for(f"{MOVES}.join() == 'b4,b5'")
    assert not page.evaluate(f"!!{KEPT} || {STORED}")
    page.choose("#comment", "a change")
    page.wait_for("document.querySelector('#moves').textContent.includes('a change')")
    page.wait_for(f"{STATUS} == 'White to move'")
    assert not page.evaluate(f"!!{KEPT} || {STORED}")
    paste(page, '[White "Keep me"]\n\n1. b4 b5 *')  # a new game for the browser
    page.wait_for(KEPT)
    page.evaluate(f"{KEPT}.lastChild.click()")


def test_the_manual_is_there(served: Served) -> None:
    names = json.loads(served.get("/manual")[2])
    assert ["serve.md", "In the browser"] in names
    status, headers, text = served.get("/manual/serve.md")
    assert status == 200 and headers["content-type"].startswith("text/plain") and b"sssnake serve" in text
    assert served.get("/manual/app.py")[0] == served.get("/manual/../app.py")[0] == 404
