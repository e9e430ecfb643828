"""Figures of the documents are those of the last release: a change of the search need not touch them.

Tests that measure them again run where the search is still that one, and in `make release`, which sets
SSSNAKE_RELEASE.
"""

import csv
import io
import os
import re
import subprocess
from contextlib import redirect_stdout
from functools import cache

import pytest

from sssnake.engine.player import bench
from support.constants import ROOT


@cache
def summary(*words: str) -> tuple[str, ...]:
    """Passes, fail-highs, share of the first pass, and nodes of `sssnake bench`, which is always the same."""
    with redirect_stdout(io.StringIO()) as printed:
        assert bench.main(list(words)) == 0
    pattern = r"(\S+) passes an iteration, (\S+) fail high;.* searched, (\S+ %) of the nodes;.*\n(\d+) nodes"
    found = re.search(pattern, printed.getvalue())
    assert found, "the summary of bench"
    return found.groups()


def signature() -> int:
    """The node count of `sssnake bench`."""
    return int(summary(str(bench.DEPTH))[-1])


@cache
def released_signature() -> int:
    """The node count that the documents show."""
    with (ROOT / "docs" / "measurements" / "drivers.csv").open(encoding="utf-8", newline="") as file:
        row = next(row for row in csv.DictReader(file) if row["driver"] == "SSS*" and row["depth"] == "12")
    return int(row["result"])


def signed(*commits: str) -> int:
    """What the newest commit that names a signature has named, or the newest up to `commits`; or skip."""
    log = subprocess.run(
        ["git", "log", "-n", "1", "-E", "--grep=^Bench: [0-9]+", "--format=%B", *commits],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    named = re.findall(r"^Bench: (\d+)", log.stdout, re.MULTILINE)
    if log.returncode or not named:
        pytest.skip("no git history here that names a signature: git clone the project")
    return int(named[-1])


def is_released() -> bool:
    """Whether `make release` runs the tests."""
    return bool(os.environ.get("SSSNAKE_RELEASE"))


def is_due() -> bool:
    """Whether the documents' figures must be those of the engine at hand."""
    return is_released() or signature() == released_signature()
