"""`sssnake serve`: start the server, print its address, open a browser."""

import os
import socket
import sys
import threading
import webbrowser
from contextlib import suppress

from sssnake.engine.common.arguments import Parser, positive
from sssnake.engine.player.options import FIELDS

PORT = 8333
GRACE = 2  # seconds for open connections at the end
MOST_CONNECTIONS = 256


def main(argv: list[str]) -> int:
    """Serve until Ctrl-C; 2 and one line if that is impossible."""
    parser = Parser("sssnake serve", description=__doc__)
    parser.add_argument("--port", type=port, default=PORT, help=f"default {PORT}; 0: any that is free")
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: this machine only)"
    )
    parser.add_argument("--no-browser", action="store_true", help="print the address only")
    parser.add_argument("--threads", type=positive, default=1, help="of each search")
    parser.add_argument("--hash", type=positive, default=16, metavar="MIB", help="of each browser tab")
    parser.add_argument("--searches", type=positive, help="at once (default: processors / threads)")
    args = parser.parse_args(argv)
    for field, value in (("threads", args.threads), ("hash_mb", args.hash)):
        FIELDS[field].check(value)
    searches = args.searches or max(1, (os.cpu_count() or 1) // args.threads)

    import uvicorn

    from sssnake.engine.serve.app import LARGEST_MESSAGE, Pages
    from sssnake.engine.serve.security import Guard, is_loopback

    try:
        listening = listen(args.host, args.port)
    except OSError as error:
        parser.error(f"cannot listen on {args.host} port {args.port}: {error.strerror or error}")
    number = listening.getsockname()[1]
    guard = Guard(Pages(searches, args.hash, args.threads).app(), args.host, number)
    shown = f"[{args.host}]" if ":" in args.host else args.host
    address = f"http://{shown}:{number}/?token={guard.token}"
    if not is_loopback(args.host):
        print(
            f"sssnake serve: other machines can reach {args.host}, and the connection is not encrypted",
            file=sys.stderr,
        )
    print(f"SSSnake is at {address}\nCtrl-C ends it.", flush=True)
    config = uvicorn.Config(
        guard,
        lifespan="off",
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        http="h11",
        ws="websockets-sansio",
        ws_max_size=LARGEST_MESSAGE,
        ws_per_message_deflate=False,
        limit_concurrency=MOST_CONNECTIONS,
        timeout_graceful_shutdown=GRACE,
    )
    if not args.no_browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    with suppress(KeyboardInterrupt):  # the usual end
        uvicorn.Server(config).run(sockets=[listening])
    return 0


def port(text: str) -> int:
    """A port number."""
    value = int(text)
    if not 0 <= value < 65536:
        raise ValueError
    return value


def listen(host: str, number: int) -> socket.socket:
    """A listening socket. OSError: the port is taken, or the address is not ours."""
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, number, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    listening = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(128)
    except OSError:
        listening.close()
        raise
    return listening
