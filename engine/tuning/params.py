"""`sssnake params`: the list of search parameters, as text, Markdown or OpenBench's SPSA inputs.

A file of values has lines NAME=VALUE, as `sssnake tune --method spsa -o FILE` writes them.
"""

import json
import re
import sys
from argparse import ArgumentTypeError
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sssnake._fast.search import parameters as table
from sssnake._fast.search.parameters import GROUPS, TABLE, Param, find
from sssnake._fast.search.params import Parameters
from sssnake.engine.common.arguments import Parser, positive
from sssnake.engine.common.files import own_source, save_text
from sssnake.engine.common.inputs import read_text

PAGES = {"search": "parameters.md", "drivers": "driver-parameters.md"}  # in docs/develop
R_END = 0.002  # SPSA's learning rate at the end, OpenBench's usual one
SOURCE = Path(table.__file__)
BRANCH = {"base_branch": "main"}
RULES = {"win_adj": "movecount=4 score=1000", "draw_adj": "movenumber=40 movecount=8 score=10"}
NO_RULES = {"win_adj": "None", "draw_adj": "None"}
BOOK = {"book_name": "8moves_v3.epd"}
SPRT = {"test_bounds": "[0.00, 5.00]", "test_confidence": "[0.05, 0.05]"}
SHORT = {"both_options": "Threads=1 Hash=16", "both_time_control": "8.0+0.08"}
LONG = {"both_options": "Threads=1 Hash=64", "both_time_control": "40.0+0.4"}
NODES = {"both_options": "Threads=1 Hash=16", "both_time_control": "N=5000"}


def text_table(values: Parameters) -> str:
    """All parameters as text, one a line."""
    width = max(len(row.name) for row in TABLE)
    lines = [f"{'name':{width}} {'value':>7} {'default':>7} {'min':>7} {'max':>9} {'step':>5}"]
    for row in TABLE:
        limits = f"{row.default:7} {row.minimum:7} {row.maximum:9} {row.step:5}"
        lines.append(f"{row.name:{width}} {values[row.name]:7} {limits}")
    return "\n".join(lines)


def markdown(page: str) -> str:
    """The parameters of a page of PAGES with their meanings: the text of its document."""
    other, file = next((other, file) for other, file in PAGES.items() if other != page)
    lines = [
        "# The search's parameters" if page == "search" else "# The drivers' parameters",
        "",
        f"Written by `sssnake params --markdown {page}`. `off`: the value that switches the rule off. Depths",
        "are plies, margins centipawns, history values units of the history tables, unless the meaning says",
        f"otherwise. Those of the {other}: [{file}]({file}).",
    ]
    for title, rows in GROUPS.items():
        if title.startswith("Drivers") != (page == "drivers"):
            continue
        lines += ["", f"## {title}", "", "| name | default | range | step | off | meaning |"]
        lines.append("|---|---|---|---|---|---|")
        for row in rows:
            off = "" if row.off is None else row.off
            limits = f"{row.minimum} to {row.maximum}"
            lines.append(f"| `{row.name}` | {row.default} | {limits} | {row.step} | {off} | {row.meaning} |")
    return "\n".join(lines)


def spsa_inputs(values: Parameters, rows: Sequence[Param] = TABLE) -> str:
    """All parameters in OpenBench's form: name, type, value, min, max, C_end, R_end."""
    return "\n".join(
        f"{row.name}, int, {values[row.name]}, {row.minimum}, {row.maximum}, {row.step}, {R_END}"
        for row in rows
    )


def engine_configuration(source: str, nps: int) -> dict[str, Any]:
    """OpenBench's Engines/SSSnake.json. `nps` is the speed of one core, by which OpenBench scales clocks."""
    return {
        "private": False,
        "nps": nps,
        "source": source,
        "build": {"path": "", "compilers": ["gcc"], "cpuflags": [], "systems": ["Linux"]},
        "test_presets": {
            "default": {**BRANCH, **BOOK, **SPRT, **RULES},
            "STC": {**SHORT, "workload_size": 32},
            "LTC": {**LONG, "workload_size": 8},
        },
        "tune_presets": {"default": {**BOOK, **RULES}, "STC": SHORT, "LTC": LONG},
        "datagen_presets": {
            "default": {**BRANCH, "book_name": "NONE", **NO_RULES, "workload_size": 128},
            "5k nodes": NODES,
        },
    }


def read_values(path: Path) -> dict[str, int]:
    """Read NAME=VALUE lines. ValueError, with the line, on anything else or a value out of range."""
    values = {}
    for number, line in enumerate(read_text(path).splitlines(), 1):
        name, _, text = (part.strip() for part in line.partition("="))
        if not line.strip():
            continue
        try:
            row = find(name)
        except KeyError:
            row = None
        if row is None or not re.fullmatch(r"-?\d+", text):
            raise ValueError(f"{path}, line {number}: expected the NAME=VALUE of a parameter")
        if not row.minimum <= int(text) <= row.maximum:
            raise ValueError(f"{path}, line {number}: {name} lies in {row.minimum}..{row.maximum}")
        values[row.name] = int(text)
    return values


def write_values(values: dict[str, int]) -> str:
    """The lines that `read_values` reads."""
    return "".join(f"{name}={value}\n" for name, value in values.items())


def adopt(values: dict[str, int], source: Path) -> None:
    """Write values into the source as defaults. They take effect when it has been compiled again."""
    text = source.read_text(encoding="utf-8")
    for name, value in values.items():
        text, found = re.subn(rf'(\("{name}", )-?\d+,', rf"\g<1>{value},", text)
        if found != 1:
            raise ValueError(f"{source} has no row for {name}")
    save_text(source, text)


def known(name: str) -> str:
    """Parse the name of a parameter."""
    try:
        return find(name).name
    except KeyError:
        raise ArgumentTypeError(f"no parameter {name!r}") from None


def main(argv: list[str]) -> int:
    """Run the command. OSError, ValueError or ToolError on bad input (`process.guarded`)."""
    parser = Parser("sssnake params", description=__doc__)
    add = parser.add_argument
    add("--values", type=Path, metavar="FILE", help="set these first")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--openbench", action="store_true", help="print OpenBench's SPSA inputs")
    engine = "print its JSON for the engine at URL, https://github.com/USER/NAME"
    what.add_argument("--openbench-engine", metavar="URL", help=engine)
    what.add_argument("--markdown", choices=PAGES, help="print the tables with what each one means")
    what.add_argument("--adopt", action="store_true", help="write --values into the source as the defaults")
    add("--nps", type=positive, default=1_000_000, help="for --openbench-engine: `sssnake bench` on one core")
    args = parser.parse_args(argv)
    if args.adopt and args.values is None:
        parser.error("--adopt needs --values")
    values = read_values(args.values) if args.values else {}
    parameters = Parameters(**values)
    if args.adopt:
        adopt(values, own_source(SOURCE))
        print(f"{parser.prog}: {SOURCE}: compile it again", file=sys.stderr)
    if args.openbench_engine:
        print(json.dumps(engine_configuration(args.openbench_engine, args.nps), indent=4))
    elif args.markdown:
        print(markdown(args.markdown))
    else:
        print(spsa_inputs(parameters) if args.openbench else text_table(parameters))
    return 0
