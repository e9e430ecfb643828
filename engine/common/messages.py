"""What people are told: text in one printable line, and an exception as such a line."""

NO_CORE = (
    "this copy of SSSnake is not compiled: type `make` in its folder; "
    "or, to use the copy that is installed, start Python in another folder"
)


class ToolError(Exception):
    """What a command could not do, in words for the person who called it."""


def printable(text: str) -> str:
    """Text without control characters and line ends; bytes that were not UTF-8 are read as Latin-1."""
    text = "".join(chr(ord(sign) - 0xDC00) if "\udc80" <= sign <= "\udcff" else sign for sign in text)
    return "".join(sign if sign.isprintable() else " " if sign.isspace() else "?" for sign in text)


def one_line(text: str, longest: int | None = None) -> str:
    """The words of a text in one printable line, cut to so many characters (then it ends in dots)."""
    text = printable(" ".join(text.split()))
    return text if longest is None or len(text) <= longest else text[: longest - 4] + " ..."


def lacks_core(error: BaseException) -> bool:
    """Whether a compiled module is missing, as in a source folder after `pip install .`."""
    return isinstance(error, ModuleNotFoundError) and str(error.name).startswith("sssnake._fast.")


def reason(error: BaseException) -> str:
    """An exception in one line: an OSError with file and reason, an unexpected one with its type."""
    if isinstance(error, OSError) and error.strerror:
        text = f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror
    elif isinstance(error, MemoryError):
        text = "out of memory"
    elif lacks_core(error):
        text = NO_CORE
    elif isinstance(error, ValueError | ToolError) and str(error):
        text = str(error)
    else:
        text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return one_line(text)
