"""Which evaluation plays: the network of a file, the one that is shipped, or piece-square tables."""

from functools import cache
from pathlib import Path

from sssnake._fast.evaluation.netfile import read
from sssnake._fast.evaluation.nnue import Network
from sssnake.engine import networks
from sssnake.engine.player.options import INTERNAL

SHIPPED = Path(networks.__file__).parent / "internal.sssn"


def load(name: str) -> Network | None:
    """The network called `name`, a file or "<internal>"; None (piece-square tables) if none is shipped.

    ValueError: the file holds no network.
    """
    if name not in ("", INTERNAL):
        return Network(read(name))
    return _shipped(SHIPPED)


@cache
def _shipped(path: Path) -> Network | None:
    """The network that is shipped, shared by all engines: reading it takes a tenth of a second."""
    return Network(read(path)) if path.is_file() else None


def describe(network: Network | None) -> str:
    """Which evaluation this is, in a line."""
    if network is None:
        return "piece-square tables"
    about = " ".join(network.description.split())
    return f"network {network.shape}" + (f": {about}" if about else "")
