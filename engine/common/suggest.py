"""Mistyped words: which known one was probably meant."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 40  # characters of a word that are compared


def did_you_mean(word: str, known: "Iterable[str]") -> str:
    """`; did you mean NAME?` if a known name resembles the word, else nothing. Case does not matter."""
    from difflib import get_close_matches  # imported when needed: it would slow the start down

    names = {name.lower(): name for name in known}
    found = get_close_matches(word[:LONGEST].lower(), names, n=1)
    return f"; did you mean {names[found[0]]}?" if found else ""
