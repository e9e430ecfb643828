"""Command-line parsing of all tools. Bad input gives one line on stderr and exit status 2."""

import argparse
import os
import re
import shlex
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NoReturn

from sssnake.engine.common.messages import one_line
from sssnake.engine.common.suggest import did_you_mean

MOST_MS = 1_000_000_000  # eleven days
PICTURES = (".png", ".svg", ".pdf")
MISTYPED_OPTION = re.compile(r"^unrecognized arguments:.*?(?<!\S)(--?[a-z][\w-]*)")
MISTYPED_CHOICE = re.compile(r": invalid choice: ['\"](.*?)['\"] \(")


class Parser(argparse.ArgumentParser):
    """An ArgumentParser whose errors have no usage text, and whose options cannot be abbreviated."""

    def __init__(self, prog: str, **keywords: object) -> None:
        super().__init__(
            prog,
            allow_abbrev=False,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            **keywords,  # type: ignore[arg-type]
        )

    def error(self, message: str) -> NoReturn:
        """Print one line, with what was probably meant, and exit."""
        self.exit(2, f"{self.prog}: {one_line(message)}{advice(self, message)}\n")

    def refuse_idle(self, args: argparse.Namespace, names: Iterable[str], where: str) -> None:
        """An error if one of these arguments, which do nothing here, is given with a value of its own."""
        for action in self._actions:
            idle = action.dest in names and getattr(args, action.dest) not in (action.default, [])
            if idle:
                name = action.option_strings[-1] if action.option_strings else action.metavar
                self.error(f"{name} does nothing {where}")


def advice(parser: argparse.ArgumentParser, message: str) -> str:
    """What was probably meant by a word that a parser does not know, according to its error message."""
    actions = [*parser._actions]
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            actions += [own for command in action.choices.values() for own in command._actions]
    if found := MISTYPED_OPTION.search(message):
        return did_you_mean(found[1], [name for action in actions for name in action.option_strings])
    if found := MISTYPED_CHOICE.search(message):
        return did_you_mean(found[1], [str(choice) for action in actions for choice in action.choices or ()])
    return ""


def command_words(text: str, windows: bool = os.name == "nt") -> list[str]:
    r"""An engine's command line in words, as the system's shell quotes them. ValueError if it is none.

    The name of a file is one word, whatever is in it. On Windows a backslash is part of a path, and only
    double quotes quote.
    """
    try:
        if Path(text).is_file():
            return [text]
    except OSError:  # too long for a name
        pass
    lexer = shlex.shlex(text, posix=True, punctuation_chars=False)
    lexer.whitespace_split, lexer.commenters = True, ""
    if windows:
        lexer.escape, lexer.quotes = "", '"'
    words = list(lexer)
    if not words:
        raise ValueError("an empty engine command")
    return words


def positive(text: str) -> int:
    """An integer of at least 1."""
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text} is not positive")
    return value


def natural(text: str) -> int:
    """An integer of at least 0."""
    value = int(text)
    if value < 0:
        raise argparse.ArgumentTypeError(f"{text} is negative")
    return value


def at_most(most: int, kind: Callable[[str], int] = positive) -> Callable[[str], int]:
    """An integer of a kind up to a limit, beyond which a machine could not count it or nobody would wait."""

    def number(text: str) -> int:
        value = kind(text)
        if value > most:
            raise argparse.ArgumentTypeError(f"{text} is more than {most}")
        return value

    return number


milliseconds = at_most(MOST_MS)


def share(text: str) -> float:
    """A number from 0 to 1."""
    value = float(text)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError(f"{text} does not lie between 0 and 1")
    return value


def picture(text: str) -> Path:
    """A file for a picture, of a kind that is drawn. Without a suffix it is PNG."""
    path = Path(text)
    if path.suffix.lower() not in ("", *PICTURES):
        raise argparse.ArgumentTypeError(f"{text}: a picture is {', '.join(PICTURES)}")
    return path


def option_value(text: str) -> tuple[str, str | None]:
    """A UCI option "Name=Value"; without "=" it is a button."""
    name, equals, value = text.partition("=")
    if not name.strip() or "\n" in text:
        raise argparse.ArgumentTypeError(f"{text!r} is not Name=Value")
    return name.strip(), value.strip() if equals else None
