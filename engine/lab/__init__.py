"""The laboratory: trees and search algorithms in their textbook form.

For notebooks everything of use is here: `from sssnake.engine.lab import NestedTree, sss, mtd_f`. A tree shows
itself as a picture. The modules are imported when one of their names is used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sssnake.engine.lab.exports import *  # noqa: F403


def __getattr__(name: str) -> object:
    """One of the names of `exports`, or `__all__`, the list of them."""
    if name == "__all__":
        return names()
    if name.startswith("_") or name not in names():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.exports"), name)


def names() -> list[str]:
    """The names of `exports`."""
    return [name for name in vars(import_module(f"{__name__}.exports")) if not name.startswith("_")]


def __dir__() -> list[str]:
    return sorted([*globals(), *names()])
