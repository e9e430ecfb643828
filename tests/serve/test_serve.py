"""The server: who may ask, what it answers, fair sharing, closed tabs, hostile requests, its end."""

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import chess
import pytest
from starlette.datastructures import Headers
from support.commands import leave
from support.constants import ENGINE, ROOT
from support.web import Served, ServedTab
from websockets.exceptions import ConnectionClosed, InvalidStatus

from sssnake.engine.serve import app, serve
from sssnake.engine.serve.security import REQUESTS, Allowance, Guard, host_name
from sssnake.engine.serve.tab import cost


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with Served("--searches", "1") as server:
        yield server


@pytest.fixture
def tab(served: Served) -> Iterator[ServedTab]:
    opened = served.tab()
    yield opened
    opened.close()
    served.wait_for(tabs=0, searching=0)


# Who may ask.


def test_the_token_becomes_a_cookie_that_scripts_cannot_read(served: Served) -> None:
    status, headers, _ = served.get(f"/?token={served.token}", cookie="")
    assert (status, headers["location"]) == (303, "/")
    assert served.cookie in headers["set-cookie"]
    assert "HttpOnly" in headers["set-cookie"] and "samesite=strict" in headers["set-cookie"].lower()
    assert served.get()[0] == 200


@pytest.mark.parametrize("path", ["/", "/app.js", "/status", "/?token=wrong", "/?token=", "/app.js?token=x"])
def test_nothing_without_the_token(served: Served, path: str) -> None:
    assert served.get(path, cookie="")[0] == 403
    assert served.get(path, cookie=f"sssnake-{served.port}=wrong")[0] == 403
    assert served.get(path, cookie="sssnake=\x80;;=\x01")[0] == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "evil.example:8333"}, 421),
        ({"host": "127.0.0.1.evil.example"}, 421),
        ({"host": "["}, 421),
        ({"host": "127.0.0.1:80/;script-src"}, 421),
        ({"host": "localhost"}, 200),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1:1"}, 403),
        ({"sec_fetch_site": "cross-site"}, 403),
        ({"sec_fetch_site": "same-origin"}, 200),
    ],
)
def test_foreign_names_and_origins_are_refused(served: Served, headers: dict[str, str], status: int) -> None:
    assert served.get("/", "GET", None, **headers)[0] == status


@pytest.mark.parametrize(
    ("method", "body", "status"), [("POST", b"x", 405), ("PUT", b"", 405), ("GET", b"x" * 100_000, 413)]
)
def test_there_is_nothing_to_send_by_http(served: Served, method: str, body: bytes, status: int) -> None:
    assert served.get("/", method, body)[0] == status


def test_only_files_of_the_page_are_served(served: Served) -> None:
    assert served.get("/vendor/chessground.js")[0] == 200
    for path in ("/../app.py", "/..%2fapp.py", "/vendor/README.md", "/%00", "//etc/passwd", "/tab.py"):
        assert served.get(path)[0] == 404


def test_the_page_may_load_nothing_from_elsewhere(served: Served) -> None:
    policy = served.get()[1]["content-security-policy"]
    assert "default-src 'none'" in policy and "unsafe" not in policy and "http" not in policy
    for path in app.PAGE.rglob("*"):
        if path.suffix in (".html", ".css", ".js") and path.parent == app.PAGE:
            text = path.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
            assert "http://" not in text and "https://" not in text, path
            assert "<script>" not in text and " style=" not in text and " onclick=" not in text, path


@pytest.mark.parametrize(
    ("origin", "cookie"),
    [("http://evil.example", True), (None, True), ("null", True), ("ours", False), ("https", True)],
)
def test_foreign_websockets_are_refused(served: Served, origin: str | None, cookie: bool) -> None:
    ours = {"ours": served.origin, "https": served.origin.replace("http", "https")}
    with pytest.raises(InvalidStatus) as raised:
        served.connect(ours.get(origin or "", origin), served.cookie if cookie else "")
    assert raised.value.response.status_code == 403


def test_a_flood_of_requests_is_refused_and_strangers_cannot_cause_it() -> None:
    with Served() as server:
        assert {server.get(cookie="")[0] for _ in range(400)} == {403}
        assert server.get()[0] == 200
        rate, at_once = REQUESTS
        tries, began = int(at_once) + 200, time.monotonic()
        found = {server.get("/icon.svg")[0] for _ in range(tries)}
        allowed = at_once + rate * (time.monotonic() - began)  # on a slow machine so many may be no flood
        assert found == {200, 429} or (found == {200} and allowed >= tries)
        time.sleep(0.2)
        assert server.get()[0] == 200, "it passes"


# What is answered.


def test_questions_are_answered(tab: ServedTab) -> None:
    assert tab.ask("position", moves=["e2e4"])["opening"] == "B00 King's Pawn Game"
    assert tab.ask("move", moves=["e2e4"], text="e5")["move"] == "e7e5"
    assert [entry["san"] for entry in tab.ask("load", text="1. d4 d5 *")["tree"]] == ["d4", "d5"]
    other = tab.ask("pgn", moves=["d2d4"], white="a", black="b", result="0-1")["pgn"]
    assert '[White "a"]' in other and '[Black "b"]' in other
    assert '[Result "0-1"]' in other and other.rstrip().endswith("1. d4 0-1")


def test_the_engine_plays_at_a_level(tab: ServedTab) -> None:
    started, moved, done = tab.events("play", moves=["e2e4"], level="beginner")
    board = chess.Board()
    board.push_uci("e2e4")
    assert chess.Move.from_uci(moved["move"]) in board.legal_moves
    assert moved["san"] == board.san(chess.Move.from_uci(moved["move"]))
    assert (started["event"], done["event"]) == ("started", "done")
    clock = {"wtime": 500, "btime": 500, "winc": 0, "binc": 0}
    start = time.monotonic()
    tab.events("play", start="8/8/4k3/8/8/3QK3/8/8 w - - 0 1", clock=clock)
    assert time.monotonic() - start < 5


def test_a_game_is_reviewed_from_whites_view(tab: ServedTab) -> None:
    moves = ["f2f3", "e7e5", "g2g4", "d8h4"]
    *judged, told, done = tab.events("review", moves=moves)
    found = {event["ply"]: event for event in judged}
    assert sorted(found) == [0, 1, 2, 3, 4]
    assert found[3]["expected"] == 0 and found[3]["score"] == "#-1"
    assert found[4] == {**found[4], "expected": 0.0, "score": "#"}
    assert told["event"] == "reviewed" and told["lost"]["2"]["mark"] == "??" and done["event"] == "done"


def test_a_review_writes_what_analyse_writes(tab: ServedTab, tmp_path: Path) -> None:
    game = tmp_path / "game.pgn"
    game.write_text(
        '[Event "Club"]\n[White "A"]\n[Black "B"]\n[Result "0-1"]\n\n'
        "1. e4 $1 { mine } e5 2. Bc4 Nf6 3. Nf3 ( 3. d3 ) Nxe4 4. Bxf7+ Kxf7 5. Nxe5+ Ke7 6. O-O Qe8 0-1\n"
    )
    analysed = tmp_path / "analysed.pgn"
    words = ["analyse", str(game), "--nodes", "3000", "-o", str(analysed), "--concurrency", "1"]
    subprocess.run([*ENGINE, *words], cwd=ROOT, check=True, capture_output=True, timeout=120)
    assert "error" not in tab.ask("load", text=game.read_text())
    *_, told, done = tab.events("review", nodes=3000)
    assert told["event"] == "reviewed" and done["event"] == "done"
    assert done["pgn"] == analysed.read_text() == tab.ask("pgn")["pgn"]
    for entry in done["tree"][:4]:
        assert {"score", "expected"} <= set(entry)


def test_new_work_takes_the_place_of_the_old(served: Served, tab: ServedTab) -> None:
    tab.send("analyse", moves=[], lines=2)
    served.wait_for(searching=1)
    assert tab.events("play", moves=[])[1]["event"] == "move"
    assert tab.ask("stop") and served.status()["searching"] == 0


def test_messages_are_not_compressed(tab: ServedTab) -> None:
    """A tab would cost memory for it, whoever opened it."""
    assert tab.socket.protocol.extensions == []


def test_words_for_no_move_are_about_the_game(tab: ServedTab) -> None:
    tab.ask("load", text="1. e4 *")
    tab.ask("comment", text="a short one")
    assert "\n{ a short one } 1. e4 *" in tab.ask("pgn")["pgn"]


@pytest.mark.parametrize(
    "message",
    [
        {"do": "nonsense"},
        {"do": []},
        {"do": {}},
        {"do": 5},
        {"do": "position", "moves": "e2e4"},
        {"do": "position", "moves": [1]},
        {"do": "position", "moves": ["e2e5"]},
        {"do": "position", "moves": ["g1f3"] * 2000},
        {"do": "position", "start": "8/8/8/8/8/8/8/8 w - - 0 1"},
        {"do": "position", "start": {}},
        {"do": "load", "text": "x" * 70_000},
        {"do": "load", "text": "1. e4 *", "game": 2},
        {"do": "choose", "game": 7},
        {"do": "position", "node": 7},
        {"do": "move", "node": 0, "text": "e5"},
        {"do": "cut", "node": 0},
        {"do": "mark", "node": 0, "nag": 9},
        {"do": "comment", "node": 3, "text": ""},
        {"do": "tag", "tags": {"White": 5}},
        {"do": "tag", "tags": {"FEN": "x"}},
        {"do": "end", "score": "2-0"},
        {"do": "new", "start": "nonsense"},
        {"do": "play", "elo": 9999},
        {"do": "load", "text": None, "game": "1"},
        {"do": "pgn", "moves": [], "result": "2-0"},
        {"do": "play", "level": "god"},
        {"do": "play", "clock": [1]},
        {"do": "play", "clock": {"wtime": "soon"}},
        {"do": "play", "moves": ["f2f3", "e7e5", "g2g4", "d8h4"]},
        {"do": "analyse", "lines": True},
        {"do": "analyse", "moves": ["f2f3", "e7e5", "g2g4", "d8h4"]},
        {"do": "watch", "nodes": 1e9},
        {"do": "watch", "moves": ["f2f3", "e7e5", "g2g4", "d8h4"]},
        {"do": "review", "nodes": "many"},
    ],
)
def test_bad_messages_cost_one_line(tab: ServedTab, message: dict[str, Any]) -> None:
    number = tab.send(**message)
    while "error" not in (answer := tab.next()):
        pass
    assert number in (answer.get("id"), answer.get("job"))
    assert answer["error"] and "\n" not in answer["error"] and len(answer["error"]) < 250
    assert tab.ask("position")["turn"] == "white"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "5",
        "null",
        '"x"',
        "[" * 100_000,
        '{"id": "1"}',
        b"\x00\xff",
        '{"id": NaN, "do": "position"}',
        '{"id": 1, "do": "watch", "nodes": Infinity}',
        '{"id": 1e999, "do": "position"}',
        '{"id": true, "do": "position"}',
        '{"id": [], "do": []}',
        json.dumps({"id": "x" * 65, "do": "position"}),
        '{"id": 1' + "0" * 30 + ', "do": "position"}',
    ],
)
def test_what_is_no_message_is_refused(tab: ServedTab, text: str | bytes) -> None:
    tab.socket.send(text)
    assert "error" in tab.next()
    assert tab.ask("position")["turn"] == "white"


def test_a_huge_message_closes_the_tab_alone(served: Served, tab: ServedTab) -> None:
    other = served.tab()
    with pytest.raises(ConnectionClosed):
        other.socket.send("x" * (app.LARGEST_MESSAGE + 1))
        other.next()
    assert tab.ask("position")["turn"] == "white"


def test_a_flood_is_refused_and_the_others_are_served(served: Served, tab: ServedTab) -> None:
    message = {"do": "load", "text": f"1. e4 e5 2. Nf3 Nc6 *{'  ' * 2000}"}
    with closing(served.tab()) as flood:
        began = time.monotonic()
        for _ in range(600):
            flood.send(**message)
        start = time.monotonic()
        assert tab.ask("position")["turn"] == "white"
        assert time.monotonic() - start < 5
        answers = [flood.next() for _ in range(600)]
        taken = [answer for answer in answers if "too many requests" not in answer.get("error", "")]
        rate, at_once = app.MESSAGES  # the slower the machine, the more are taken
        assert len(taken) * cost(message) <= at_once + rate * (time.monotonic() - began)


# Sharing the machine.


def test_a_closed_tab_stops_its_search(served: Served) -> None:
    for do in ("analyse", "watch", "review"):
        closing = served.tab()
        closing.send(
            do, moves=["e2e4"] * (do != "review") + ["g1f3", "g8f6"] * (do == "review"), nodes=2_000_000
        )
        served.wait_for(searching=1)
        closing.close()
        served.wait_for(5, tabs=0, searching=0)
    lost = served.tab()
    lost.send("analyse")
    served.wait_for(searching=1)
    lost.socket.socket.shutdown(socket.SHUT_RDWR)  # no farewell
    served.wait_for(tabs=0, searching=0)


def test_endless_searches_share_one_place(served: Served) -> None:
    tabs = [served.tab() for _ in range(3)]
    for each in tabs:
        each.send("analyse", moves=["e2e4"])
    served.wait_for(tabs=3, searching=1, waiting=2)
    for each in tabs:  # every one gets its slice
        while each.next().get("event") != "line":
            pass
    mover = served.tab()
    start = time.monotonic()
    told = [event["event"] for event in mover.events("play", moves=[], level="beginner")]
    assert told in (["started", "move", "done"], ["waiting", "searching", "started", "move", "done"])
    assert time.monotonic() - start < 5, (
        "a move in a game goes before analyses, without waiting for their slices"
    )
    for each in [*tabs, mover]:
        each.close()
    served.wait_for(tabs=0, searching=0, waiting=0)


def test_who_waits_for_a_place_is_told(served: Served) -> None:
    """At once, and whenever it has to give its place up; short waits are not told."""
    first, second = served.tab(), served.tab()
    for each in (first, second):
        each.send("analyse", moves=["e2e4"])
        served.wait_for(searching=1)
    for each in (second, first):
        while each.next().get("event") != "waiting":
            pass
        while (event := each.next().get("event")) != "searching":
            assert event != "line", "nothing is found meanwhile"
        while each.next().get("event") != "line":
            pass
    second.close()
    served.wait_for(tabs=1, waiting=0)
    assert {event["event"] for event in first.events("review", moves=["e2e4"])} == {
        "evaluated",
        "reviewed",
        "done",
    }
    first.close()
    served.wait_for(tabs=0, searching=0, waiting=0)


def test_depth_grows_from_slice_to_slice(served: Served) -> None:
    tabs = [served.tab(), served.tab()]
    for each in tabs:
        each.send("analyse", moves=["d2d4"])
    depths: list[int] = []
    end = time.monotonic() + 7
    while time.monotonic() < end:
        with suppress(TimeoutError):  # deep in the tree nothing new may be found for many slices
            event = tabs[0].next(end - time.monotonic())
            depths += [event["depth"]] if event.get("event") == "line" else []
    for each in tabs:
        each.close()
    assert depths == sorted(depths) and depths
    served.wait_for(tabs=0, searching=0)


def test_there_are_only_so_many_tabs(served: Served) -> None:
    tabs = [served.tab() for _ in range(app.MOST_TABS)]
    served.wait_for(tabs=app.MOST_TABS)
    with pytest.raises(ConnectionClosed, match="too many tabs"):
        served.tab().ask("position")
    for each in tabs:
        each.close()
    served.wait_for(tabs=0)


# Parts.


def test_an_allowance_runs_out_and_comes_back() -> None:
    allowance = Allowance(rate=1000, burst=3)
    assert [allowance.take() for _ in range(4)] == [True, True, True, False]
    time.sleep(0.01)
    assert allowance.take(3) and not Allowance(1, 5).take(6)


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("a:1", "a"),
        ("[::1]:80", "::1"),
        ("A", "a"),
        ("a@b", ""),
        ("a;b", ""),
        ("a/b", ""),
        ("", ""),
        ("[", ""),
    ],
)
def test_names_of_hosts(header: str, name: str) -> None:
    assert host_name(header) == name


# The command.


def run(*words: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [*ENGINE, "serve", *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=60,
    )


@pytest.mark.parametrize(
    "words",
    [
        ("--port", "x"),
        ("--port", "70000"),
        ("--threads", "0"),
        ("--threads", "1000"),
        ("--hash", "99999999"),
        ("--host", "no.such.name.invalid"),
        ("--host", "192.0.2.1"),
        ("--searches", "0"),
        ("nonsense",),
    ],
)
def test_bad_words_are_one_line(words: tuple[str, ...]) -> None:
    done = run("--no-browser", *words)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr


def test_a_port_in_use_is_one_line(served: Served) -> None:
    done = run("--no-browser", "--port", str(served.port))
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert str(served.port) in done.stderr and "in use" in done.stderr.lower()
    assert "--port 0" in done.stderr


def test_another_host_is_warned_about() -> None:
    with Served("--host", "0.0.0.0") as server:
        assert server.get(host="evil.example")[0] == 421
        assert server.get(host="10.1.2.3:80")[0] == 200
        status, errors = server.interrupt()
    assert status == 0 and errors.count("\n") == 1 and "not encrypted" in errors


def test_ctrl_c_in_the_middle_of_searches_is_quiet() -> None:
    with Served("--searches", "2") as server:
        tabs = [server.tab(), server.tab(), server.tab()]
        for each, do in zip(tabs, ("analyse", "watch", "analyse"), strict=True):
            each.send(do, nodes=2_000_000) if do == "watch" else each.send(do)
        server.wait_for(tabs=3, searching=2)
        start = time.monotonic()
        assert server.interrupt() == (0, "")
        assert time.monotonic() - start < 10


def test_a_missing_library_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from sssnake.engine.commands import cli

    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert cli.main(["serve", "--no-browser"]) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1 and "pip install ." in told and "uvicorn is missing" in told


def test_help_needs_no_library(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    with pytest.raises(SystemExit):
        leave(serve.main, ["--help"])
    assert "--port" in capsys.readouterr().out


def test_a_message_is_json(served: Served, tab: ServedTab) -> None:
    tab.socket.send(json.dumps({"id": 9, "do": "position"}))
    assert tab.next()["id"] == 9


def test_work_that_is_replaced_at_once_leaves_nothing_behind(served: Served, tab: ServedTab) -> None:
    for step in range(150):  # the searches are cancelled at all moments: before, in and after their start
        do = ("analyse", "review", "play", "watch")[step % 4]
        tab.send(do, moves=["e2e4", "e7e5"][: step % 3], **({"nodes": 1000} if do == "watch" else {}))
        time.sleep((0, 0, 0.002, 0.02, 0.1)[step % 5])
    assert tab.ask("stop") and tab.ask("position")["turn"] == "white"
    assert served.status()["searching"] == 0


@pytest.mark.parametrize("kind", ["http", "websocket"])
def test_no_part_of_the_token_is_the_token(kind: str) -> None:
    guard = Guard(nobody, "127.0.0.1", 8333, token="abcdefgh")
    whole = "abcdefgh"
    wrong = [whole[:length] for length in range(len(whole))] + [
        whole[1:],
        whole * 2,
        whole.upper(),
        "abcdefgx",
    ]
    for given in wrong:
        assert guard._refusal(*request(kind, cookie=given)) is not None, given
        answer = guard._refusal(*request("http", query=given))
        assert answer is not None and answer.status_code == 403, given
    assert guard._refusal(*request(kind, cookie=whole)) is None
    answer = guard._refusal(*request("http", query=whole))
    assert answer is not None and answer.status_code == 303


def test_requests_are_limited_whatever_the_machines_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("sssnake.engine.serve.security.time.monotonic", lambda: now[0])
    guard = Guard(nobody, "127.0.0.1", 8333, token="abc")
    rate, at_once = REQUESTS

    def allowed(tries: int) -> int:
        return sum(guard._refusal(*request("http", cookie="abc")) is None for _ in range(tries))

    assert allowed(1000) == at_once <= 1000
    refusal = guard._refusal(*request("http", cookie="abc"))
    assert refusal is not None and refusal.status_code == 429
    now[0] += 2
    assert allowed(1000) == 2 * rate < at_once


def test_sixteen_tabs_are_opened_at_once() -> None:
    files = sum(path.is_file() and path.suffix != ".md" for path in app.PAGE.rglob("*"))
    guard = Guard(nobody, "127.0.0.1", 8333, token="abc")
    assert files > 40
    assert all(guard._refusal(*request("http", cookie="abc")) is None for _ in range(16 * files))


def request(kind: str, cookie: str = "", query: str = "") -> tuple[dict[str, Any], Headers]:
    """A request to the page, as `Guard` takes it."""
    fields = {"host": "127.0.0.1:8333", "cookie": f"sssnake-8333={cookie}"}
    if kind == "websocket":
        fields["origin"] = "http://127.0.0.1:8333"
    scope = {"type": kind, "method": "GET", "path": "/", "query_string": f"token={query}".encode()}
    return scope, Headers(fields)


async def nobody(scope: Any, receive: Any, send: Any) -> None:
    """An application behind the guard."""
