"""Where the server listens: its socket, the addresses that others open, a token kept in a file."""

import ipaddress
import os
import re
import secrets
import socket
from contextlib import suppress
from pathlib import Path

SHORTEST_TOKEN = 16  # characters
TOKEN = re.compile(rf"[A-Za-z0-9_-]{{{SHORTEST_TOKEN},200}}")
# Addresses for documents (RFC 5737, RFC 3849): the way to them is the way to other machines.
OUTSIDE = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))


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


def is_any(host: str) -> bool:
    """Whether an address stands for all of this machine, and so cannot be opened itself."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_unspecified
    return not host


def own_addresses(host: str) -> list[str]:
    """Addresses at which other machines reach a server that listens on all; IPv6 only if it does on those."""
    families = (socket.AF_INET, socket.AF_INET6) if ":" in host else (socket.AF_INET,)
    found: list[str] = []
    for family, outside in OUTSIDE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((outside, 9))  # sends nothing
            found.append(probe.getsockname()[0])
    with suppress(OSError):
        found += [str(each[4][0]) for each in socket.getaddrinfo(socket.gethostname(), None)]
    usable = [address for address in dict.fromkeys(found) if _is_usable(address, families)]
    return sorted(usable, key=lambda address: ":" in address)


def _is_usable(address: str, families: tuple[socket.AddressFamily, ...]) -> bool:
    try:
        known = ipaddress.ip_address(address)
    except ValueError:  # with a scope
        return False
    family = socket.AF_INET if known.version == 4 else socket.AF_INET6
    return family in families and not (known.is_loopback or known.is_link_local or known.is_unspecified)


def in_url(host: str) -> str:
    """A host as an address has it."""
    return f"[{host}]" if ":" in host else host


def kept_token(path: Path) -> str:
    """The token in a file, which is made if there is none. OSError; ValueError: it holds no token."""
    try:
        token = path.read_text(encoding="utf-8", errors="replace").strip()
    except FileNotFoundError:
        token = secrets.token_urlsafe(24)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(f"{token}\n")
    if not TOKEN.fullmatch(token):
        raise ValueError(f"{path}: no token ({SHORTEST_TOKEN} or more letters, digits, - and _)")
    return token
