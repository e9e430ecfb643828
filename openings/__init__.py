"""The opening book that is shipped, for `OwnBook`. README.md beside it says where it came from."""

from pathlib import Path

BOOK = Path(__file__).with_name("book.bin")
