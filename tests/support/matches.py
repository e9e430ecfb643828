"""`sssnake match` in the process of the test, and the scripted engine that plays in it."""

import json
from typing import Any

import pytest

from sssnake.engine.match import match
from support.commands import status_of


def run(*arguments: str) -> int:
    """The exit status of a match."""
    return status_of(match.main, [str(word) for word in arguments])


def result(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """What a match reports as JSON."""
    assert run(*arguments, "--json") == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found
