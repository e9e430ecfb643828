"""Progress bars: tqdm's, on standard error. Without a terminal, or without tqdm, nothing is shown."""

import sys
from collections.abc import Callable
from typing import Any, Self, TextIO

BRIEF = "{l_bar}{bar}| {n_fmt}/{total_fmt} {elapsed}<{remaining}{postfix}"
REFRESH_SECONDS = 0.1  # the least time between two drawings


class Progress:
    """A bar that counts `unit`s up to `total`. A context manager; the bar disappears at the end."""

    def __init__(
        self, total: int | None, unit: str, *, done: int = 0, title: str | None = None, brief: bool = False
    ) -> None:
        """`brief`: without the rate, so that a text behind the bar has room on 80 columns."""
        self._bar: Any = None
        if not sys.stderr.isatty():
            return
        try:
            from tqdm import tqdm
        except ImportError:
            return
        form = {"bar_format": BRIEF} if brief else {}
        self._bar = tqdm(
            total=total,
            initial=done,
            unit=f" {unit}",
            desc=title,
            leave=False,
            file=sys.stderr,
            dynamic_ncols=True,
            mininterval=REFRESH_SECONDS,
            miniters=1,
            **form,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def advance(self, text: str = "", steps: int = 1) -> None:
        """Count `steps` more units, and show `text` behind the bar."""
        if self._bar is not None:
            self._bar.set_postfix_str(text, refresh=False)
            self._bar.update(steps)

    def print(self, text: str, file: TextIO | None = None) -> None:
        """Print a line above the bar (default: to standard output)."""
        self.above(lambda: print(text, file=file, flush=True))

    def above(self, show: Callable[[], None]) -> None:
        """Let something be printed above the bar."""
        if self._bar is not None:
            self._bar.clear()
        show()
        if self._bar is not None:
            self._bar.refresh()
