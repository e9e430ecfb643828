"""Who may ask: the token, the Host and Origin headers, the rate; and what a page may load.

The token in the address becomes a cookie, which scripts cannot read. A foreign page cannot use it: a name
that a foreign server points at this machine (DNS rebinding) is no Host of ours, and a request that comes
from another origin (CSRF, websockets) is refused. The browser is started with an address that is good for
once, for a command line can be read by everybody on the machine.
"""

import hmac
import ipaddress
import re
import secrets
import socket
import time
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {  # ws: browsers differ on whether 'self' has websockets
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data:; connect-src 'self' ws://{host}; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    "Cache-Control": "no-store",
}
LOOPBACK = {"localhost", "127.0.0.1", "::1"}
REQUESTS = (100.0, 900.0)  # a second, at once: a browser may open sixteen tabs again
HOST = re.compile(r"[\w.-]+(?::\d+)?|\[[\da-fA-F:.]+\](?::\d+)?")
ADVICE = "open the address that `sssnake serve` has printed"
ONCE = 60.0  # seconds that an address for one use is good for


class Allowance:
    """So many a second, and so many at once (token bucket)."""

    def __init__(self, rate: float, burst: float):
        self._rate, self._burst = rate, burst
        self._left, self._since = burst, time.monotonic()

    def take(self, cost: float = 1) -> bool:
        """Use some of it up. False: there is not so much left."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + self._rate * (now - self._since))
        self._since = now
        if self._left < cost:
            return False
        self._left -= cost
        return True


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches an address."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def host_name(value: str) -> str:
    """The name in a Host header, without port and brackets; "" if it is none."""
    try:
        return (urlsplit(f"//{value}").hostname or "") if HOST.fullmatch(value) else ""
    except ValueError:
        return ""


class Guard:
    """Lets only our own page through to the application behind it."""

    def __init__(self, app: ASGIApp, host: str, port: int, token: str | None = None):
        self._app = app
        self._open = not is_loopback(host)
        self._names = LOOPBACK | {host.lower()} | ({socket.gethostname().lower()} if self._open else set())
        self.token = token or secrets.token_urlsafe(24)
        self.cookie = f"sssnake-{port}"  # cookies of one host are shared by all its ports
        self._requests = Allowance(*REQUESTS)
        self._once: tuple[str, float] | None = None

    def address_for_once(self) -> str:
        """Path and query that let in whoever asks first: what a browser is started with, others can see."""
        self._once = secrets.token_urlsafe(24), time.monotonic() + ONCE
        return f"/?once={self._once[0]}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] not in ("http", "websocket"):
            return
        headers = Headers(scope=scope)
        refusal = self._refusal(scope, headers)
        host = headers.get("host", "")
        sending = _with_headers(send, host if HOST.fullmatch(host) else "")
        if refusal is None:
            if door := scope.get("state", {}).get("door"):
                door.welcome()
            await self._app(scope, receive, sending)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "refused"})
        else:
            await refusal(scope, receive, sending)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """What is answered instead; None: the request is all right."""
        if not self._is_ours(headers.get("host", "")):
            return PlainTextResponse("this server does not go by that name\n", 421)
        if not self._from_our_page(scope, headers):
            return PlainTextResponse("requests of other pages are refused\n", 403)
        if scope["type"] == "http" and scope["method"] not in ("GET", "HEAD"):
            return PlainTextResponse("there is nothing to send here\n", 405, {"Allow": "GET, HEAD"})
        if headers.get("content-length", "0") != "0" or "transfer-encoding" in headers:
            return PlainTextResponse("a request has no body here\n", 413)
        if scope["type"] == "http" and scope["path"] == "/" and self._is_key(scope["query_string"]):
            answer = RedirectResponse("/", 303)
            answer.set_cookie(self.cookie, self.token, httponly=True, samesite="strict")
            return answer
        if not self._matches(cookie_of(headers, self.cookie)):
            return PlainTextResponse(f"no entry without the token: {ADVICE}\n", 403)
        if not self._requests.take():  # strangers cannot use it up
            return PlainTextResponse("too many requests\n", 429)
        return None

    def _is_ours(self, value: str) -> bool:
        """Whether a Host header names this machine. A numeric address cannot be rebound."""
        name = host_name(value)
        if name in self._names:
            return True
        try:
            return self._open and bool(ipaddress.ip_address(name))
        except ValueError:
            return False

    @staticmethod
    def _from_our_page(scope: Scope, headers: Headers) -> bool:
        """Whether the origin, if there is one, is this server; a websocket must have one."""
        origin = headers.get("origin")
        if origin is None:
            return scope["type"] == "http" and headers.get("sec-fetch-site") != "cross-site"
        return origin.lower() == f"http://{headers.get('host', '')}".lower()

    def _is_key(self, query: bytes) -> bool:
        """Whether a query has the token, or what is good for once."""
        fields = parse_qs(query.decode("latin-1"))
        token, once = (fields.get(name, [""])[0] for name in ("token", "once"))
        if token:
            return self._matches(token)
        if self._once is None or not hmac.compare_digest(once.encode(), self._once[0].encode()):
            return False
        (_, end), self._once = self._once, None
        return time.monotonic() < end

    def _matches(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self.token.encode())


def cookie_of(headers: Headers, name: str) -> str:
    """The value of a cookie, "" if there is none."""
    try:
        cookies = SimpleCookie(headers.get("cookie", ""))
    except CookieError:
        return ""
    return cookies[name].value if name in cookies else ""


def _with_headers(send: Send, host: str) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            extra = [
                (name.lower().encode(), value.replace("{host}", host).encode())
                for name, value in HEADERS.items()
            ]
            if message["status"] >= 400:  # strangers do not linger
                extra.append((b"connection", b"close"))
            message["headers"] = [*message["headers"], *extra]
        await send(message)

    return sending
