"""Writes the table of UCI options in docs/play/options.md: `python docs/options.py`."""

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from sssnake.engine.player.options import ABOUT, TABLE, Option

DOCUMENT = ROOT / "docs" / "play" / "options.md"
HEAD = "| option | default | range | what it does |\n|---|---|---|---|\n"


def main() -> int:
    """Write the document anew."""
    DOCUMENT.write_text(renewed(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


def renewed(text: str) -> str:
    """`text` with the rows below HEAD as the options are now. ValueError: it has no such table."""
    before, head, after = text.partition(HEAD)
    if not head:
        raise ValueError(f"{DOCUMENT} has no table of options")
    rest = after[after.index("\n\n") :]
    return before + head + "\n".join(row(option) for option in TABLE if option.live) + rest


def row(option: Option) -> str:
    """One option as a row of the table."""
    default = str(option.default)
    if option.kind == "check":
        default = default.lower()
    if option.default == ABOUT:
        default = ""
    allowed = f"{option.low} to {option.high}" if option.kind == "spin" else ", ".join(option.choices)
    cells = (option.name, f"`{default}`" if "<" in default else default, allowed, option.meaning)
    return f"| {' | '.join(cells)} |".replace("*", r"\*").replace("|  |", "| |").replace("|  |", "| |")


if __name__ == "__main__":
    sys.exit(main())
