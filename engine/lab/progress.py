"""A progress bar on a terminal, nothing otherwise, and nothing without tqdm."""

import sys
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")


def progress(items: Iterable[T]) -> Iterable[T]:
    """Yield the items, telling a person at a terminal how far they have come."""
    if sys.stderr.isatty():
        try:
            from tqdm import tqdm
        except ImportError:
            return items
        bar: Iterable[T] = tqdm(items, leave=False)
        return bar
    return items
