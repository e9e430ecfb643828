"""Commands that are run as the command line runs them, in this process."""

import sys
from collections.abc import Callable
from typing import NoReturn

from sssnake.engine.commands import cli


def status_of(main: Callable[[list[str]], int], words: list[str]) -> int:
    """The exit status of the command that has this function; its errors become a line on stderr."""
    name = next(name for name, (module, _) in cli.COMMANDS.items() if module == main.__module__)
    return cli.main([name, *words])


def leave(main: Callable[[list[str]], int], words: list[str]) -> NoReturn:
    """End with that status."""
    sys.exit(status_of(main, words))
