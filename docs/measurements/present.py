"""Measures again what a change of the search changes: `python docs/measurements/present.py`, five minutes.

The documents show the last release, so a change of the search need not touch them; `make release` runs this.
It counts nodes and passes of the drivers (drivers.csv), of the default driver without each of its departures
from SSS* (driver_parameters.csv), and of the laboratory's tables (docs/laboratory/), and writes the tables of
the documents and of the parameters. tests/project/test_figures.py compares the quick ones with the engine.
"""

import datetime
import re
import shlex
import subprocess
import sys
from copy import deepcopy

import tables

from sssnake.engine.tuning.params import PAGES

ROOT = tables.ROOT
SUMMARY = r"(\S+) passes an iteration, (\S+) fail high;.* searched, (\S+ %) of the nodes;.*\n(\d+) nodes"
LABORATORY = {  # file of docs/laboratory/ -> words after `sssnake lab table`
    "random": "",
    "exact": "--chess --depth 5",
    "full-width": "--chess --mode full-width --depth 7",
}


def sssnake(words: list[str]) -> str:
    """What a command of this checkout prints."""
    command = [sys.executable, "-m", "sssnake", *words]
    print(shlex.join(["sssnake", *words]), flush=True)
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def git(*words: str) -> str:
    """What git says."""
    return subprocess.run(["git", *words], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def version() -> str:
    """The last commit that changed how the engine plays."""
    return git("log", "-1", "--format=%H", "--", "_fast", "engine/player", "engine/networks/internal.sssn")[
        :7
    ]


def bench(row: dict[str, str]) -> tuple[str, ...]:
    """Passes, fail-highs, share of the first pass, and nodes."""
    text = sssnake(shlex.split(row["command"])[1:])
    found = re.search(SUMMARY, text)
    assert found, text
    return found.groups()


def sign(rows: list[dict[str, str]], before: list[dict[str, str]]) -> None:
    """Rows that have changed get the day and the commit, and so do those measured with them."""
    if rows != before:
        for row in rows:
            row["date"], row["commit"] = datetime.date.today().isoformat(), version()


def drivers() -> None:
    """Nodes and passes in `sssnake bench`, of the rows at the top: those of one commit."""
    rows = tables.measurements("drivers")
    present = [row for row in rows if row["commit"] == rows[0]["commit"]]
    before = deepcopy(present)
    for row in present:
        row["passes"], row["fail_highs"], row["first_pass"], row["result"] = bench(row)
    nodes = {row["depth"]: int(row["result"]) for row in present if row["driver"] == "PVS"}
    for row in present:
        row["share"] = f"{100 * int(row['result']) / nodes[row['depth']]:.0f} %"
    sign(present, before)
    tables.save("drivers", rows)


def driver_parameters() -> None:
    """Nodes, as a factor of the first row's, and passes without each departure of the default driver."""
    rows = tables.measurements("driver_parameters")
    shown = [row for row in rows if row["table"]]
    before, base = deepcopy(shown), 0
    for row in shown:
        row["passes"], _, _, nodes = bench(row)
        base = base or int(nodes)
        row["result"] = f"{int(nodes) / base:.2f}"
    sign(shown, before)
    tables.save("driver_parameters", rows)


def main() -> int:
    """Measure, and write the tables."""
    if git("status", "--porcelain", "--untracked-files=no", "_fast", "engine/player", "engine/lab"):
        print("present.py: commit the search first: the figures name the commit", file=sys.stderr)
        return 2
    drivers()
    driver_parameters()
    for name, words in LABORATORY.items():
        sssnake(["lab", "table", *words.split(), "--csv", f"docs/laboratory/{name}.csv"])
    for page, file in PAGES.items():
        text = sssnake(["params", "--markdown", page])
        (ROOT / "docs" / "develop" / file).write_text(text, encoding="utf-8")
    return tables.main()


if __name__ == "__main__":
    sys.exit(main())
