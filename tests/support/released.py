"""Figures of the documents are those of the last release: a change of the search need not touch them.

Tests that measure them again run where the search is still that one, and in `make release`, which sets
SSSNAKE_RELEASE.
"""

import csv
import os
import re
import subprocess
from functools import cache

import pytest

from sssnake._fast.search.params import Parameters
from sssnake.engine.player.bench import bench
from support.constants import ROOT


@cache
def signature() -> int:
    """The node count of `sssnake bench`."""
    return bench(parameters=Parameters()).nodes


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


def is_due() -> bool:
    """Whether the documents' figures must be those of the engine at hand."""
    return bool(os.environ.get("SSSNAKE_RELEASE")) or signature() == released_signature()
