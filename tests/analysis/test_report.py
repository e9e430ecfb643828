"""The HTML page: complete, escaped, without requests, readable without eyes."""

import base64
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import chess
from support.studies import found, study

from sssnake.engine.analysis import report
from sssnake.engine.analysis.judge import judge
from sssnake.engine.analysis.study import Study, studies

HOSTILE = '"><script>alert(1)</script><img src=http://evil/x onerror=alert(1)>&'
VOID = {"meta", "img", "br"}


class Page(HTMLParser):
    """Tags with their attributes; fails on tags that do not match."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def game() -> Study:
    """A mistake, a blunder, names that attack."""
    name = HOSTILE.replace('"', '\\"')
    one = study(f'[Event "{name}"]\n[White "{name}"]\n[Black "B"]\n\n1. e4 e5 2. Nf3 Nc6 *')
    one.evaluations = [found(90, "d2d4"), found(30, "c7c5"), found(500, "d2d4"), found(-500, "b8c6"), None]
    return one


def page(one: Study) -> str:
    head, tail = report.head_and_tail(HOSTILE, HOSTILE)
    return head + report.section(one, judge(one), alone=True) + tail


def test_nothing_of_the_game_becomes_markup() -> None:
    read = Page(page(game()))
    assert HOSTILE in read.text
    assert {tag for tag, _ in read.tags}.isdisjoint({"script", "iframe", "link", "object", "form"})
    for _, attributes in read.tags:
        assert not [name for name in attributes if name.startswith("on")]


def test_the_page_asks_nothing_of_the_network() -> None:
    text = page(game())
    addresses = [
        value for _, found in Page(text).tags for name, value in found.items() if name in ("src", "href")
    ]
    assert addresses and all(value.startswith(("data:image/svg+xml;base64,", "#")) for value in addresses)
    assert "default-src 'none'" in text and "url(" not in text and "@import" not in text


def test_boards_are_images_with_a_text() -> None:
    images = [found for tag, found in Page(page(game())).tags if tag == "img"]
    assert len(images) == 2
    assert images[0]["alt"].startswith("Position before 1. e4. White: king e1, queen d1, rooks a1, h1,")
    assert images[1]["alt"].endswith("Black to move.")
    for image in images:
        ET.fromstring(base64.b64decode(image["src"].partition(",")[2]))


def test_graph_and_links() -> None:
    one = game()
    read = Page(page(one))
    graphs = [found for tag, found in read.tags if tag == "svg"]
    assert len(graphs) == 1 and graphs[0]["aria-label"].startswith("White's expected score: ")
    curve = next(found["d"] for tag, found in read.tags if found.get("class") == "curve")
    assert len(re.findall(r"[\d.]+ [\d.]+", curve)) == 4  # the last position was not reached
    targets = {found["id"] for _, found in read.tags if "id" in found}
    links = {found["href"][1:] for _, found in read.tags if found.get("href", "").startswith("#")}
    assert links == targets == {"g1p1", "g1p2"}


def test_the_worst_moves_are_critical() -> None:
    one = study("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 *")
    one.evaluations = [found(90 * (1 + ply), "a1a2") for ply in range(13)]
    shown = report.critical(judge(one))
    assert len(shown) == report.MOST_BOARDS
    assert [move.ply for move in shown] == sorted(move.ply for move in shown)
    losses = {move.ply: move.loss or 0 for move in judge(one)}
    left = [loss for ply, loss in losses.items() if ply not in {move.ply for move in shown}]
    assert min(losses[move.ply] for move in shown) >= max(left)


def test_positions_and_games_that_begin_with_black() -> None:
    (one,) = studies(['4k3/8/8/8/8/8/4P3/4K3 b - - 0 9 id "<b> \\"x\\"";'])
    assert isinstance(one, Study) and one.title == '<b> "x"'
    one.evaluations = [found(-20, "e8e7")]
    read = Page(page(one))
    assert one.title in read.text
    assert [tag["alt"].startswith(f"{one.title}. White:") for name, tag in read.tags if name == "img"] == [
        True
    ]
    black = study('[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 9"]\n[SetUp "1"]\n\n9... Kd7 10. Kd2 *')
    black.evaluations = [found(-20, "e8e7"), found(20, "e2e4"), found(-20, "d7d6")]
    assert "…" in Page(page(black)).text
    over = study('[FEN "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]\n[SetUp "1"]\n\n*')
    over.evaluations = [found(0)]
    assert "over" in Page(page(over)).text


def test_pieces_in_words() -> None:
    text = report.pieces(chess.Board("4k3/8/8/8/8/8/4P3/4K1NR b - - 0 9"))
    assert text == "White: king e1, rook h1, knight g1, pawn e2. Black: king e8. Black to move."
