"""The laboratory's page from `sssnake serve`: the position of the user's choice, and no inline script."""

from collections.abc import Iterator
from urllib.parse import parse_qs, quote, urlsplit

import chess
import pytest

pytest.importorskip("websockets", reason="the browser is driven over a websocket: pip install websockets")

from support import chromium
from support.chromium import Chromium
from support.constants import KIWIPETE
from support.web import Served

from sssnake.engine.lab.chess.core import EXACT
from sssnake.engine.lab.chess.explicit import written_out

FEN = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"
CHESS960 = "rk3r2/pppp1p2/8/8/8/8/PPPP1P2/RK3R2 w FAfa - 0 1"


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with Served() as server:
        yield server


def test_a_page_of_its_own_files(served: Served) -> None:
    status, headers, body = served.get("/lab")
    assert (status, headers["content-type"].split(";")[0]) == (200, "text/html")
    text = body.decode()
    assert "<style" not in text and 'src="lab/page.js"' in text and "[[5, -2, 0]" in text
    for name, kind in (("style.css", "text/css"), ("page.js", "text/javascript")):
        status, headers, body = served.get(f"/lab/{name}")
        assert (status, headers["content-type"].split(";")[0]) == (200, kind) and body
    assert served.get("/lab/app.js")[0] == 404
    assert served.get("/lab?tree=homework-3")[0] == 200


@pytest.mark.parametrize(
    "words",
    [
        "fen=x",
        "fen=8/8/8/8/8/8/8/8+w+-+-+0+1",
        f"fen={quote(FEN)}&depth=4",
        f"fen={quote(FEN)}&depth=x",
        f"fen={quote(KIWIPETE)}&depth=3",
        "tree=nope",
        f"fen={'9' * 5000}",
        f"fen={quote(FEN)}&depth=0",
    ],
)
def test_what_cannot_be_shown_is_one_line(served: Served, words: str) -> None:
    status, _, body = served.get(f"/lab?{words}")
    assert (status, body.decode().count("\n")) == (400, 1)


@pytest.mark.skipif(chromium.executable() is None, reason="chromium is missing: apt install chromium")
def test_a_position_of_the_user_s_choice(served: Served) -> None:
    """OPEN on the left, passes on the right; from the form to another position, a Chess960 one."""
    with Chromium() as browser:
        page = browser.page(served.address)
        page.wait_for("document.querySelector('cg-board piece')")
        page.click("#tab-watch")
        page.wait_for("document.querySelector('#lab').href.includes('fen=')")
        link = page.evaluate("document.querySelector('#lab').href")
        assert parse_qs(urlsplit(link).query) == {"fen": [chess.STARTING_FEN], "depth": ["2"]}
        page.evaluate(f"location.assign('lab?fen={quote(FEN)}&depth=1')")
        page.wait_for("document.querySelector('#open li') && location.pathname == '/lab'")
        page.key("ArrowRight")
        data = written_out(FEN, 1)
        board = chess.Board(FEN)
        assert page.evaluate("document.querySelectorAll('#open li').length") == board.legal_moves.count()
        page.key("End")
        value = data.tree.minimax_values()[0]
        assert page.text("#bracket") == f"{value} ≤ value ≤ {value}".replace("-", "−")
        assert page.evaluate("document.querySelectorAll('#passes li').length") == len(data.passes)
        assert EXACT in page.text("#about") and f"logged {len(data.log)} leaves" in page.text("#about")
        page.evaluate(
            f"""(() => {{
              const form = document.getElementById("chess"), {{ fen, depth, chess960 }} = form.elements;
              fen.value = "{CHESS960}"; depth.value = "1"; chess960.checked = true; form.requestSubmit();
            }})()"""
        )
        page.wait_for("location.search.includes('chess960=1') && document.querySelector('#open li')")
        page.wait_for("typeof chess !== 'undefined' && chess")
        moves = page.evaluate("chess.moves.filter((move) => move.startsWith('O-O')).sort().join(' ')")
        variant = chess.Board(CHESS960, chess960=True)
        castling = [variant.san(move) for move in variant.legal_moves if variant.is_castling(move)]
        assert moves == " ".join(sorted(castling))
        assert page.complaints() == []
        page.close()
