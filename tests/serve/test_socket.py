"""The server cannot be talked over: by tabs that do not read, floods, and strangers who hold the door."""

import asyncio
import http.client
import json
import os
import socket
import stat
import subprocess
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, ClassVar

import pytest
from support.commands import status_of
from support.constants import ENGINE, ROOT
from support.web import PATIENCE, Served
from websockets.exceptions import ConnectionClosed

from sssnake.engine.player.engine import Engine
from sssnake.engine.serve import app, levels, serve, work
from sssnake.engine.serve import tab as tab_module
from sssnake.engine.serve.machine import Machine
from sssnake.engine.serve.network import door, listening

MIB = 1 << 20


def resident(server: Served) -> int:
    """Bytes of memory that the server has."""
    status = Path(f"/proc/{server.process.pid}/status").read_text()
    return 1024 * next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))


class Deaf:
    """A tab that sends and never reads, on a bare socket."""

    def __init__(self, server: Served):
        self.socket = socket.create_connection((server.host, server.port), PATIENCE)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        lines = (
            "GET /socket HTTP/1.1",
            f"Host: {server.host}:{server.port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
            "Sec-WebSocket-Version: 13",
            f"Origin: {server.origin}",
            f"Cookie: {server.cookie}",
            "",
            "",
        )
        self.socket.sendall("\r\n".join(lines).encode())
        assert self.socket.recv(16).startswith(b"HTTP/1.1 101")

    def send(self, payload: bytes, opcode: int = 1) -> None:
        """A frame, masked with zeros. OSError: the server takes no more."""
        size = len(payload)
        head = bytes([0x80 | opcode])
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 1 << 16:
            head += bytes([0x80 | 126]) + size.to_bytes(2, "big")
        else:
            head += bytes([0x80 | 127]) + size.to_bytes(8, "big")
        self.socket.sendall(head + bytes(4) + payload)


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
@pytest.mark.parametrize("what", ["answers", "errors", "pings", "work"])
def test_a_tab_that_does_not_read_cannot_grow_the_server(what: str) -> None:
    """600 messages whose answers would be 180 kB each were 2.3 GB."""
    padding = "x" * 180_000
    payloads = {
        "answers": json.dumps({"id": 1, "do": "load", "text": f"1. e4 {{{padding[:60_000]}}} e5 *"}),
        "errors": json.dumps({"id": padding, "do": padding}),
        "pings": "x" * 125,
        "work": json.dumps({"id": 1, "do": "watch", "nodes": 2_000_000}),
    }
    with Served("--searches", "2") as server:
        assert server.get()[0] == 200
        before = resident(server)
        deaf = Deaf(server)
        deaf.socket.settimeout(3)
        payload, times = payloads[what].encode(), 100_000 if what == "pings" else 600
        with suppress(OSError):  # it takes no more, or has closed the tab
            for _ in range(times):
                deaf.send(payload, 9 if what == "pings" else 1)
        time.sleep(2)
        grown = resident(server) - before
        most = 250 if what == "work" else 60  # of two races of three engines, one may still be ending
        assert grown < most * MIB, f"{grown / MIB:.0f} MiB"
        assert server.tab().ask("position")["turn"] == "white", "others are served"
        deaf.socket.close()


def test_what_a_tab_has_not_taken_is_counted_in_bytes() -> None:
    async def fill() -> None:
        outbox = app.Outbox()
        while outbox.bytes <= app.FEW_UNSENT:
            await asyncio.wait_for(outbox.room(), PATIENCE)
            outbox.put({"text": "x" * 10_000})
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(outbox.room(), 0.05)
        taken = json.loads(await outbox.take())
        assert len(taken) * 10_000 < app.FEW_UNSENT + 10_000
        with pytest.raises(TimeoutError):  # taken, and not yet sent
            await asyncio.wait_for(outbox.room(), 0.05)
        outbox.put({})
        assert await outbox.take() == "[{}]"
        await asyncio.wait_for(outbox.room(), PATIENCE)
        while not outbox.overflown:
            outbox.put({"text": "x" * 100_000})
        full = outbox.bytes
        outbox.put({"text": "x" * 100_000})
        assert outbox.bytes == full < app.MOST_UNSENT + 200_000
        with pytest.raises(ValueError):
            app.Outbox().put({"nodes": float("nan")})

    asyncio.run(fill())


def test_a_tab_that_falls_too_far_behind_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nothing can be sent to it, not even a farewell. Its work ends."""
    monkeypatch.setattr(app, "MOST_UNSENT", 100_000)
    aborted, closed = [], []

    class Tab:
        def __init__(self, _machine: object, _options: object, emit: Any):
            asyncio.get_running_loop().call_later(0.05, lambda: [emit({"x": "y" * 30_000}) for _ in range(9)])

        async def close(self) -> None:
            closed.append(True)

    class Stuck:
        scope: ClassVar = {"state": {"abort": lambda: aborted.append(True)}}

        async def accept(self) -> None:
            pass

        async def receive(self) -> None:
            await asyncio.Event().wait()

        async def send_text(self, text: str) -> None:
            await asyncio.Event().wait()

    monkeypatch.setattr(app, "Tab", Tab)
    asyncio.run(asyncio.wait_for(app.Pages(1, 1, 1).socket(Stuck()), 10))  # type: ignore[arg-type]
    assert aborted == closed == [True]


@pytest.mark.parametrize("text", ["{", "[]", json.dumps({"id": 1, "do": []}), '{"id": NaN}'])
def test_a_flood_of_nonsense_closes_the_tab_that_sends_it(text: str) -> None:
    """82,000 messages in six seconds slowed others 447 times."""
    with Served() as server:
        flood, other = server.tab(), server.tab()
        closed = threading.Event()

        def send() -> None:
            with suppress(ConnectionClosed):
                for _ in range(82_000):
                    flood.socket.send(text)
            closed.set()

        def read() -> None:
            with suppress(ConnectionClosed):
                while True:
                    flood.socket.recv()

        for work in (send, read):
            threading.Thread(target=work, daemon=True).start()
        waits = []
        for _ in range(100):
            start = time.monotonic()
            other.ask("position")
            waits.append(time.monotonic() - start)
            time.sleep(0.02)
        assert sorted(waits)[90] < 0.25, sorted(waits)[-10:]
        assert closed.wait(60)
        other.close()


@pytest.mark.parametrize("payload", [b"\xff\xfe", b'{"id": 1, "do": "\xc3'])
def test_a_text_that_is_none_closes_the_tab_without_a_word(payload: bytes) -> None:
    with Served("--searches", "1") as server:  # which must print nothing
        deaf = Deaf(server)
        deaf.send(payload)
        deaf.socket.settimeout(PATIENCE)
        answer = b""
        while chunk := deaf.socket.recv(4096):
            answer += chunk
        assert answer.endswith(b"\x88\x02\x03\xef"), answer  # closed with 1007
        assert server.tab().ask("position")["turn"] == "white", "others are served"


def test_answers_come_back_under_short_names() -> None:
    with Served() as server:
        opened = server.tab()
        for name in (7, "seven", 0.5, -1, 2**53, "x" * 64):
            opened.socket.send(json.dumps({"id": name, "do": "position"}))
            assert opened.next()["id"] == name
        opened.close()


# Strangers.


REQUEST = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
UPGRADE = REQUEST + (
    b"Upgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
)
SILENT = (  # what strangers begin with, and do not go on
    b"",
    b"GET / HT",
    REQUEST + b"X: ",
    REQUEST + b"Transfer-Encoding: chunked\r\n\r\nno length\r\n",
    UPGRADE + b"Content-Length: 5\r\n\r\nhello",
    UPGRADE + b"X: " + b"x" * 9000 + b"\r\n\r\n",  # more than the library of websockets reads
)


def test_silent_strangers_do_not_shut_the_owner_out() -> None:
    with Served("--host", "0.0.0.0") as server, ExitStack() as stack:
        began = time.monotonic()
        held = [
            stack.enter_context(socket.create_connection(("127.0.0.1", server.port), PATIENCE))
            for _ in range(300)
        ]
        for number, silent in enumerate(held):
            with suppress(OSError):
                silent.sendall(SILENT[number % len(SILENT)])
        assert server.get(host=f"127.0.0.1:{server.port}")[0] == 200
        opened = server.connect(f"http://127.0.0.1:{server.port}", server.cookie, "127.0.0.1")
        opened.close()
        for silent in held:
            silent.settimeout(max(0.1, began + door.PATIENCE + 10 - time.monotonic()))
            with suppress(ConnectionError):
                while silent.recv(4096):
                    pass
        status, errors = server.interrupt()
    assert status == 0 and errors.count("\n") == 1, "nothing but the warning that others can reach it"


def test_one_address_has_few_places_and_the_oldest_goes() -> None:
    class Silent:
        def __init__(self) -> None:
            self.gone = False

        def dismiss(self) -> None:
            strangers.leave(self)  # type: ignore[arg-type]
            self.gone = True

    def fill(hosts: list[str]) -> list[Silent]:
        made = [Silent() for _ in hosts]
        for each, host in zip(made, hosts, strict=True):
            strangers.enter(each, host)  # type: ignore[arg-type]
        return made

    strangers = door.Strangers()
    (owner,) = fill(["10.0.0.1"])
    crowd = fill(["10.0.0.2"] * 100)
    assert [each.gone for each in crowd] == [True] * (100 - door.MOST_OF_ONE) + [False] * door.MOST_OF_ONE
    assert not owner.gone
    others = fill([f"10.0.1.{number}" for number in range(door.MOST_STRANGERS)])
    assert owner.gone and all(each.gone for each in crowd) and not others[-1].gone
    assert sum(not each.gone for each in others) == door.MOST_STRANGERS


def test_a_crowd_from_one_address_has_its_oldest_sent_away_at_once() -> None:
    with Served() as server, ExitStack() as stack:
        here = (server.host, server.port)
        crowd = [stack.enter_context(socket.create_connection(here)) for _ in range(door.MOST_OF_ONE + 1)]
        crowd[0].settimeout(0.8 * door.PATIENCE)  # then it would be sent away in any case
        with suppress(ConnectionError):
            assert crowd[0].recv(1) == b""


def test_who_is_known_may_be_silent() -> None:
    with Served() as server:
        connection = http.client.HTTPConnection(server.host, server.port, timeout=PATIENCE)
        connection.request("GET", "/", headers={"cookie": server.cookie})
        assert connection.getresponse().read()
        opened = server.tab()
        time.sleep(door.PATIENCE + 1)
        assert opened.ask("position")["turn"] == "white"
        connection.close()
        opened.close()


def test_a_refused_stranger_is_sent_away() -> None:
    with Served() as server:
        assert server.get(cookie="")[1]["connection"] == "close"
        assert "connection" not in server.get()[1]


# Addresses and the token.


def test_the_token_is_not_on_the_browsers_command_line(tmp_path: Path) -> None:
    told = tmp_path / "told"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$@" >{told}.new\nmv {told}.new {told}\n')
    browser.chmod(0o755)
    process = subprocess.Popen(
        [*ENGINE, "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "BROWSER": str(browser)},
    )
    try:
        assert process.stdout
        address = process.stdout.readline().split()[-1]
        token = address.partition("token=")[2]
        end = time.monotonic() + PATIENCE
        while not told.exists():
            assert time.monotonic() < end
            time.sleep(0.05)
        opened = told.read_text().strip()
        assert token and token not in opened
        host, port = address.split("/")[2].split(":")
        assert opened.startswith(f"http://{host}:{port}/?once=")
        answers = []
        for _ in range(2):
            connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE)
            connection.request("GET", opened.partition(port)[2])
            answers.append(connection.getresponse())
        assert [answer.status for answer in answers] == [303, 403], "it is good for once"
        assert token in str(answers[0].headers["set-cookie"])
    finally:
        process.terminate()
        process.wait(PATIENCE)


def test_addresses_that_a_phone_can_open_are_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serve, "own_addresses", lambda host: ["192.168.1.7", "2001:db8::7"])
    assert serve.announce("0.0.0.0", 8333, "abc") == "http://127.0.0.1:8333"
    lines = capsys.readouterr().out.splitlines()
    assert lines == [
        "SSSnake is at http://127.0.0.1:8333/?token=abc",
        "From a phone or another machine:",
        "  http://192.168.1.7:8333/?token=abc",
        "  http://[2001:db8::7]:8333/?token=abc",
        "Ctrl-C ends it.",
    ]
    assert serve.announce("::", 1, "abc") == "http://[::1]:1"
    assert serve.announce("192.168.1.7", 1, "abc") == "http://192.168.1.7:1"
    assert "phone" not in capsys.readouterr().out.splitlines()[-2]


def test_the_addresses_are_this_machines() -> None:
    for address in listening.own_addresses("0.0.0.0"):
        assert ":" not in address and not address.startswith("127.")
        socket.create_server((address, 0)).close()


@pytest.mark.parametrize(
    ("host", "right"), [("0.0.0.0", ["192.168.1.7"]), ("::", ["192.168.1.7", "2001:db8::7"])]
)
def test_only_addresses_that_others_can_open(
    monkeypatch: pytest.MonkeyPatch, host: str, right: list[str]
) -> None:
    """The name of a machine may stand for addresses of all kinds; without a network it is all there is."""
    known = ["127.0.1.1", "2001:db8::7", "192.168.1.7", "::1", "169.254.3.4", "fe80::1", "0.0.0.0", "::"]
    found = [(0, 0, 0, "", (address, 0)) for address in [*known, "192.168.1.7", "fe80::1%eth0"]]
    monkeypatch.setattr(listening, "OUTSIDE", ())
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: found)
    assert listening.own_addresses(host) == right


def test_a_token_is_kept_in_a_file(tmp_path: Path) -> None:
    kept = tmp_path / "token"
    with Served("--token-file", str(kept)) as server:
        first = server.token
        assert kept.read_text().strip() == first and server.get()[0] == 200
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    with Served("--token-file", str(kept)) as server:
        assert server.token == first and server.get()[0] == 200


@pytest.mark.parametrize("text", ["", "short", "x" * 15, "with blank with blank", "é" * 20])
def test_a_file_without_a_token_is_one_line(tmp_path: Path, text: str, capsys: Any) -> None:
    kept = tmp_path / "token"
    kept.write_text(text)
    for path in (kept, tmp_path / "no" / "folder"):
        status = status_of(serve.main, ["--no-browser", "--port", "0", "--token-file", str(path)])
        told = capsys.readouterr().err
        assert status == 2 and told.count("\n") == 1 and str(path) in told


# Sharing the machine.


def test_moves_go_first_and_share_the_time() -> None:
    async def order() -> list[str]:
        machine, went = Machine(1), []

        async def work(name: str, urgent: bool) -> None:
            async with machine.place(urgent=urgent):
                went.append(name)
                await asyncio.sleep(0.01)

        async with machine.place():
            tasks = [
                asyncio.create_task(work(name, urgent))
                for name, urgent in (("a", False), ("b", False), ("c", True), ("d", True), ("e", False))
            ]
            await asyncio.sleep(0)
            assert (machine.waiting, machine.crowd) == (5, 3) and machine.is_over(time.monotonic())
            tasks[1].cancel()
            await asyncio.sleep(0)
        await asyncio.gather(*tasks, return_exceptions=True)
        assert (machine.searching, machine.waiting) == (0, 0)
        async with asyncio.timeout(PATIENCE), machine.place():
            pass
        return went

    assert asyncio.run(order()) == ["c", "d", "a", "e"]
    assert [levels.limits(None, crowd).movetime for crowd in (1, 4, 1000)] == [1000, 250, levels.SHORTEST]


def test_a_place_given_to_one_who_leaves_at_that_moment_is_not_lost() -> None:
    async def leave() -> None:
        machine = Machine(1)

        async def work() -> None:
            async with machine.place():
                pass

        async with machine.place():
            task = asyncio.create_task(work())
            await asyncio.sleep(0)
        task.cancel()  # it has got the place, and has not run yet
        await asyncio.wait([task])
        async with asyncio.timeout(PATIENCE), machine.place():
            assert machine.searching == 1

    asyncio.run(leave())


def test_an_engine_is_made_off_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[threading.Thread] = []

    def make(**options: Any) -> Any:
        made.append(threading.current_thread())
        return Engine(**options)

    monkeypatch.setattr(work, "Engine", make)

    async def play() -> None:
        done = asyncio.Event()

        def told(event: dict[str, Any]) -> None:
            if event["event"] == "done":
                done.set()

        opened = tab_module.Tab(Machine(1), {"hash_mb": 1}, told)
        assert not made
        await opened.handle({"id": 1, "do": "play", "level": "beginner"})
        await asyncio.wait_for(done.wait(), 30)
        await opened.close()

    asyncio.run(play())
    assert len(made) == 1 and made[0] is not threading.main_thread()
