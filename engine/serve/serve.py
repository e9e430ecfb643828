"""`sssnake serve`: start the server, print its address, open a browser."""

import argparse
import errno
import os
import sys
import threading
import webbrowser
from contextlib import suppress
from functools import partial
from pathlib import Path

from sssnake.engine.common.arguments import Parser, positive
from sssnake.engine.player.options import FIELDS
from sssnake.engine.serve.network.listening import in_url, is_any, kept_token, listen, own_addresses

PORT = 8333
GRACE = 2  # seconds for open connections at the end
MOST_CONNECTIONS = 800  # of all kinds: tabs, strangers, requests under way


def main(argv: list[str]) -> int:
    """Serve until Ctrl-C; 2 and one line if that is impossible."""
    parser = build_parser()
    args = parser.parse_args(argv)
    for field, value in (("threads", args.threads), ("hash_mb", args.hash)):
        FIELDS[field].check(value)
    searches = args.searches or max(1, (os.cpu_count() or 1) // args.threads)

    import uvicorn

    from sssnake.engine.serve.app import LARGEST_MESSAGE, Pages
    from sssnake.engine.serve.network.door import Door, Socket, Strangers
    from sssnake.engine.serve.security import Guard

    try:
        token = kept_token(args.token_file) if args.token_file else None
        listening = listen(args.host, args.port)
    except OSError as error:
        parser.error(in_words(error, args))
    number = listening.getsockname()[1]
    guard = Guard(Pages(searches, args.hash, args.threads).app(), args.host, number, token)
    with suppress(KeyboardInterrupt):  # the usual end
        own = announce(args.host, number, guard.token)
        config = uvicorn.Config(
            guard,
            lifespan="off",
            log_level="error",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            http=partial(Door, Strangers()),  # type: ignore[arg-type]  # what makes one
            ws=Socket,
            ws_max_size=LARGEST_MESSAGE,
            ws_per_message_deflate=False,
            limit_concurrency=MOST_CONNECTIONS,
            timeout_graceful_shutdown=GRACE,
        )
        if not args.no_browser:
            first = own + guard.address_for_once()
            threading.Thread(target=webbrowser.open, args=(first,), daemon=True).start()
        uvicorn.Server(config).run(sockets=[listening])
    return 0


def build_parser() -> Parser:
    """The command line."""
    parser = Parser("sssnake serve", description=__doc__)
    add = parser.add_argument
    add("--port", type=port, default=PORT, help=f"default {PORT}; 0: any that is free")
    add("--host", default="127.0.0.1", help="address to listen on (default: this machine only; 0.0.0.0: all)")
    add("--no-browser", action="store_true", help="print the address only")
    add("--token-file", type=Path, metavar="FILE", help="keep the token here: the address stays the same")
    add("--threads", type=positive, default=1, help="of each search")
    add("--hash", type=positive, default=16, metavar="MIB", help="of each browser tab")
    add("--searches", type=positive, help="at once (default: processors / threads)")
    return parser


def announce(host: str, number: int, token: str) -> str:
    """Print where the page is, for this machine and for others; returns the address for this one."""
    from sssnake.engine.serve.security import is_loopback

    if not is_loopback(host):
        print(
            f"sssnake serve: other machines can reach {host}, and the connection is not encrypted",
            file=sys.stderr,
        )
    here = {"::": "::1"}.get(host, "127.0.0.1") if is_any(host) else host
    own = f"http://{in_url(here)}:{number}"
    print(f"SSSnake is at {own}/?token={token}")
    if is_any(host):
        others = [f"http://{in_url(other)}:{number}/?token={token}" for other in own_addresses(host)]
        told = (
            ["From a phone or another machine:", *others]
            if others
            else ["This machine has no network address."]
        )
        print("\n  ".join(told))
    print("Ctrl-C ends it.", flush=True)
    return own


def in_words(error: OSError, args: argparse.Namespace) -> str:
    """Why it cannot listen, and what to do."""
    if error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    said = f"cannot listen on {args.host} port {args.port}: {error.strerror or error}"
    if error.errno == errno.EADDRINUSE:
        said += "; `--port 0` takes any that is free"
    return said


def port(text: str) -> int:
    """A port number."""
    value = int(text)
    if not 0 <= value < 65536:
        raise ValueError
    return value
