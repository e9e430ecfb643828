"""A standard error that is a terminal, as far as programs can tell, and what they show on it."""

import io

import pytest

from sssnake.engine.common import progress


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        """It is."""
        return True


def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Put one in the place of standard error, with every step of a progress bar drawn. Skips without tqdm."""
    pytest.importorskip("tqdm", reason="tqdm is missing")
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(progress, "REFRESH_SECONDS", 0.0)
    return screen
