"""Messages of a tab: their fields, and what they cost. ValueError, in one line: a field of another type."""

from typing import Any

LONGEST_ID, LARGEST_ID = 64, 2**53  # characters, number
LONGEST_REASON = 200  # characters of an error
LONGEST_CLOCK = 24 * 3600 * 1000  # ms

Message = dict[str, Any]


def take(message: Message, name: str, kind: type, default: Any) -> Any:
    """A field of a message. ValueError: it is of another type."""
    value = message.get(name, default)
    if value is not default and type(value) is not kind:
        raise ValueError(f'"{name}" is of type {kind.__name__}')
    return value


def texts(message: Message, name: str) -> dict[str, str]:
    """A field that is an object of strings."""
    found: dict[str, str] = take(message, name, dict, {})
    if not all(type(value) is str for value in found.values()):
        raise ValueError(f'"{name}" is an object of strings')
    return found


def moves(message: Message) -> list[str]:
    """The moves of a game."""
    found: list[str] = take(message, "moves", list, [])
    if not all(type(move) is str for move in found):
        raise ValueError('"moves" is a list of strings')
    return found


def clock(message: Message) -> dict[str, int] | None:
    """The clocks in a message, in milliseconds."""
    given = take(message, "clock", dict, None)
    if given is None:
        return None
    names = ("wtime", "btime", "winc", "binc")
    return {name: max(0, min(LONGEST_CLOCK, take(given, name, int, 0))) for name in names}


def is_name(value: object) -> bool:
    """Whether a value may be the "id" of a message: it is sent back."""
    if isinstance(value, str):
        return len(value) <= LONGEST_ID
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= LARGEST_ID
