"""Who is let in, request by request, without a server: see `security.Guard`."""

import asyncio
from typing import Any

import pytest
from starlette.datastructures import Headers
from starlette.types import Message, Receive, Scope, Send

from sssnake.engine.serve.security import Allowance, Guard, is_loopback

HERE = "127.0.0.1:8333"
OURS = {"host": HERE, "cookie": "sssnake-8333=abc"}


async def inside(scope: Scope, receive: Receive, send: Send) -> None:
    """The application behind the guard."""
    await send({"type": "http.response.start", "status": 200, "headers": [(b"x-inside", b"1")]})


def status(fields: dict[str, str], kind: str = "http", host: str = "127.0.0.1", **scope: Any) -> int:
    """What a request is answered, 0 if it is let through."""
    whole = {"type": kind, "method": "GET", "path": "/", "query_string": b"", **scope}
    answer = Guard(inside, host, 8333, token="abc")._refusal(whole, Headers(fields))
    return 0 if answer is None else answer.status_code


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({}, 0),
        ({"host": "localhost:8333"}, 0),
        ({"host": "LOCALHOST"}, 0),
        ({"host": "[::1]:8333"}, 0),
        ({"host": "evil.example:8333"}, 421),
        ({"host": "127.0.0.1.evil.example"}, 421),
        ({"host": "192.168.1.7:8333"}, 421),
        ({"host": ""}, 421),
        ({"host": "127.0.0.1@evil.example"}, 421),
        ({"origin": f"http://{HERE}"}, 0),
        ({"origin": f"HTTP://{HERE}"}, 0),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": f"https://{HERE}"}, 403),
        ({"origin": "http://127.0.0.1:8334"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "same-origin"}, 0),
        ({"sec-fetch-site": "none"}, 0),
        ({"content-length": "0"}, 0),
        ({"content-length": "1"}, 413),
        ({"transfer-encoding": "chunked"}, 413),
        ({"cookie": ""}, 403),
        ({"cookie": "sssnake-8334=abc"}, 403),
        ({"cookie": "other=1; sssnake-8333=abc"}, 0),
        ({"cookie": "sssnake-8333=ABC"}, 403),
    ],
)
def test_each_header_by_itself(fields: dict[str, str], code: int) -> None:
    assert status({**OURS, **fields}) == code


def test_there_is_nothing_to_send() -> None:
    codes = {method: status(OURS, method=method) for method in ("GET", "HEAD", "POST", "PUT", "DELETE")}
    assert codes == {"GET": 0, "HEAD": 0, "POST": 405, "PUT": 405, "DELETE": 405}


def test_a_websocket_must_say_where_it_comes_from() -> None:
    assert status(OURS, "websocket") == 403
    assert status({**OURS, "origin": f"http://{HERE}"}, "websocket") == 0
    assert status({**OURS, "origin": "http://evil.example"}, "websocket") == 403
    alone = {"host": HERE, "origin": f"http://{HERE}"}
    assert status(alone, "websocket", query_string=b"token=abc") == 403, "an address's token is for the page"


def test_the_token_of_the_address_becomes_a_cookie_that_scripts_cannot_read() -> None:
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b"token=abc"}
    answer = Guard(inside, "127.0.0.1", 8333, token="abc")._refusal(scope, Headers({"host": HERE}))
    assert answer is not None and answer.status_code == 303 and answer.headers["location"] == "/"
    cookie = {part.strip().lower() for part in answer.headers["set-cookie"].split(";")}
    assert {"sssnake-8333=abc", "httponly", "samesite=strict"} <= cookie
    assert status({"host": HERE}, path="/page.js", query_string=b"token=abc") == 403
    assert status({"host": HERE}, query_string=b"token=") == 403
    assert status({"host": HERE}, query_string=b"token=x&token=abc") == 403


@pytest.mark.parametrize(
    ("name", "code"), [("192.168.1.7:8333", 0), ("[2001:db8::7]", 0), ("evil.example", 421)]
)
def test_a_server_of_the_network_goes_by_its_addresses(name: str, code: int) -> None:
    """A numeric address cannot be rebound; a name can."""
    assert status({**OURS, "host": name}, host="0.0.0.0") == code


@pytest.mark.parametrize(
    ("host", "alone"),
    [
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("192.168.1.7", False),
        ("::", False),
        ("example.org", False),
        ("", False),
    ],
)
def test_loopback(host: str, alone: bool) -> None:
    assert is_loopback(host) is alone


def test_an_allowance_fills_up_with_time_to_what_is_allowed_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("sssnake.engine.serve.security.time.monotonic", lambda: now[0])
    allowance = Allowance(2.0, 5.0)
    assert allowance.take(5) and not allowance.take(0.5)
    now[0] += 1
    assert allowance.take() and allowance.take() and not allowance.take(0.01)
    now[0] += 1000
    assert not allowance.take(5.01) and allowance.take(3) and allowance.take(2) and not allowance.take(0.01)


def test_a_strangers_requests_cost_nothing() -> None:
    guard = Guard(inside, "127.0.0.1", 8333, token="abc")
    scope = {"type": "http", "method": "GET", "path": "/", "query_string": b""}
    for _ in range(1000):
        answer = guard._refusal(scope, Headers({"host": HERE}))
        assert answer is not None and answer.status_code == 403
    assert guard._refusal(scope, Headers(OURS)) is None


def test_without_a_token_each_server_makes_its_own() -> None:
    tokens = {Guard(inside, "127.0.0.1", 8333).token for _ in range(50)}
    assert len(tokens) == 50 and min(map(len, tokens)) >= 32


def answered(fields: dict[str, str], kind: str = "http") -> list[Message]:
    """Everything that the guard sends."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": f"{kind}.connect"}

    headers = [(name.encode(), value.encode()) for name, value in fields.items()]
    scope = {"type": kind, "method": "GET", "path": "/", "query_string": b"", "headers": headers}
    asyncio.run(Guard(inside, "127.0.0.1", 8333, token="abc")(scope, receive, send))
    return sent


def test_every_answer_says_what_a_page_may_load() -> None:
    for fields, code in ((OURS, 200), ({"host": HERE}, 403), ({"host": "evil.example"}, 421)):
        start = answered(fields)[0]
        found = {name.decode().lower(): value.decode() for name, value in start["headers"]}
        assert start["status"] == code and ("x-inside" in found) == (code == 200)
        policy = found["content-security-policy"]
        assert "default-src 'none'" in policy and "script-src 'self';" in policy
        assert f"connect-src 'self' ws://{fields['host']};" in policy and "frame-ancestors 'none'" in policy
        assert found["x-content-type-options"] == "nosniff" and found["cache-control"] == "no-store"


def test_a_refused_websocket_is_closed_and_other_things_are_not_answered() -> None:
    assert answered(OURS, "websocket") == [{"type": "websocket.close", "code": 1008, "reason": "refused"}]
    assert answered(OURS, "lifespan") == []
