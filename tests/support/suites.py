"""Suites of positions: small ones of our own in tests/suites, larger ones where there are any.

SSSNAKE_SUITES names a folder, in which files are found by their names, however deep they lie.
"""

import os
from pathlib import Path

import pytest

from support.constants import ROOT

OWN = ROOT / "tests" / "suites"  # made by `python tests/suites/make.py`
PLACES = [Path(os.environ.get("SSSNAKE_SUITES") or ROOT.parent / "shared" / "data")]


def located(*names: str) -> list[Path]:
    """Those of the files, or of the patterns, that are on this machine; none is an error."""
    return sorted(path for place in PLACES for name in names for path in place.rglob(name))


def needed(name: str) -> Path:
    """One file; the test is skipped, with what to do, where it is not."""
    found = located(name)
    if not found:
        pytest.skip(
            f"no {name}: see Suites in docs/develop/contributing.md, and set SSSNAKE_SUITES to its folder"
        )
    return found[0]
