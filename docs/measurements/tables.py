"""The tables of the documents, made from the measurements: `python docs/measurements/tables.py`.

A document marks the place of a table by the lines `<!-- measurements: NAME -->` and `<!-- end -->`. What
stands between them is written here. tests/project/test_documents.py fails where it differs.
"""

import csv
import re
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
COLUMNS = ["date", "commit", "command", "games", "result", "error", "note"]  # of every file, before its own
MARKED = re.compile(r"(<!-- measurements: (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)

# name of a table -> (file of the measurements whose column `table` says so, {heading: cell}). A cell is a
# format string of the file's columns. `value`: the result with its error; `count`: digits in groups of three.
TABLES: dict[str, tuple[str, dict[str, str]]] = {
    "ladder": (
        "matches",
        {
            "opponent": "{opponent}",
            "games": "{games}",
            "won, drawn, lost": "{won}, {drawn}, {lost}",
            "score": "{score}",
            "Elo": "{value}",
            "faults": "{faults}",
        },
    ),
    "strength": (
        "matches",
        {"opponent": "{opponent}", "games": "{games}", "score": "{score}", "Elo": "{value}"},
    ),
    "drivers": (
        "drivers",
        {"driver": "{driver}", "nodes": "{count}", "of PVS's": "{share}", "passes an iteration": "{passes}"},
    ),
    "depths": (
        "drivers",
        {"depth": "{depth}", "SSS*'s nodes": "{count}", "of PVS's": "{share}", "passes": "{passes}"},
    ),
    "driver_games": (
        "matches",
        {
            "driver": "{player}",
            "games": "{games}",
            "won, drawn, lost": "{won}, {drawn}, {lost}",
            "Elo": "{value}",
            "version": "{note}",
        },
    ),
    "driver_parameters": (
        "driver_parameters",
        {"without": "{without}", "setting": "`{setting}`", "nodes": "{result}", "passes": "{passes}"},
    ),
    "pvs": (
        "matches",
        {
            "games": "{games}",
            "won, drawn, lost": "{won}, {drawn}, {lost}",
            "pairs": "{pairs}",
            "Elo of SSS*": "{value}",
            "commit": "{commit}",
            "faults": "{faults}",
        },
    ),
    "mean_depths": (
        "mean_depths",
        {"moves": "{moves}", "SSS*": "{sss}", "PVS": "{pvs}", "difference": "{result}"},
    ),
    "ablation": ("ablation", {"rule": "`{rule}`", "games": "{games}", "Elo": "{result}"}),
    "rules": ("screening", {"rule": "`{parameter}`", "Elo": "{result}"}),
    "screening": (
        "screening",
        {"parameter": "`{parameter}`", "range": "{low} to {high}", "Elo": "{value}", "taken": "{taken}"},
    ),
    "tactics": (
        "suites",
        {
            "suite": "{suite}",
            "limit": "{limit}",
            "driver": "{driver}",
            "solved": "{solved} of {positions}",
        },
    ),
    "lone_kings": (
        "lone_kings",
        {
            "pieces": "{pieces}",
            "nodes a move": "{nodes}",
            "not won": "{result} of {games}",
            "moves": "{moves}",
        },
    ),
    "speed": (
        "speed",
        {
            "machine": "{machine}",
            "commit": "{commit}",
            "turns": "{games}",
            "range": "{low} to {high}",
            "median": "{result}",
            "of the sums": "{sums}",
        },
    ),
    "networks": (
        "matches",
        {
            "network": "{player}",
            "against": "{opponent}",
            "games": "{games}",
            "won, drawn, lost": "{won}, {drawn}, {lost}",
            "Elo": "{value}",
            "note": "{note}",
        },
    ),
    "threads": (
        "matches",
        {
            "player": "{player}",
            "opponent": "{opponent}",
            "games": "{games}",
            "won, drawn, lost": "{won}, {drawn}, {lost}",
            "Elo": "{value}",
        },
    ),
    "level_games": (
        "levels",
        {
            "level": "{level}",
            "Stockfish's UCI_Elo": "{opponent}",
            "its nodes a move": "{nodes}",
            "games": "{games}",
            "points": "{points}",
            "Elo": "{value}",
        },
    ),
    "trust": ("trust", {"run": "{run}", "commit": "{commit}", "result": "{result}", "note": "{note}"}),
    "levels": ("levels", {"level": "{level}", "UCI_Elo": "{value}"}),
    "training": (
        "training",
        {
            "line": "{line}",
            "H": "{hidden}",
            "learnt from": "{learnt}",
            "against": "{against}",
            "Elo": "{value}",
        },
    ),
    "tdleaf": (
        "tdleaf",
        {
            "games": "{games}",
            "pawn": "{pawn}",
            "knight": "{knight}",
            "bishop": "{bishop}",
            "rook": "{rook}",
            "queen": "{queen}",
            "error": "{prediction}",
            "points, %": "{value}",
        },
    ),
}

ACROSS = {
    "rules": 3,
    "ablation": 3,
    "screening": 2,
    "levels": 4,
}  # long, narrow tables: so many parts side by side


def measurements(name: str) -> list[dict[str, str]]:
    """The rows of a file."""
    with (HERE / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def render(name: str) -> str:
    """A table as Markdown."""
    file, cells = TABLES[name]
    lines = []
    for row in measurements(file):
        if name not in row["table"].split():
            continue
        row["value"] = f"{row['result']} ± {row['error']}" if row["error"] else row["result"]
        if row["result"].isdigit():
            row["count"] = f"{int(row['result']):,}".replace(",", " ")
        lines.append([cell.format(**row).replace("``", "") for cell in cells.values()])
    lines = side_by_side([list(cells), ["---"] * len(cells)], lines, ACROSS.get(name, 1))
    return "".join(f"| {' | '.join(line)} |\n".replace("|  |", "| |").replace("*", r"\*") for line in lines)


def side_by_side(head: list[list[str]], lines: list[list[str]], parts: int) -> list[list[str]]:
    """Head and lines of a long, narrow table, folded into `parts` that stand beside each other."""
    height = -(-len(lines) // parts)
    lines += [[""] * len(head[0])] * (parts * height - len(lines))
    folded = [[cell for line in lines[number::height] for cell in line] for number in range(height)]
    return [line * parts for line in head] + folded


def rendered(text: str) -> str:
    """A document with its tables as they should be."""
    return MARKED.sub(lambda found: found[1] + render(found[2]) + found[3], text)


def documents() -> Iterator[Path]:
    """All Markdown files of the project."""
    yield from sorted(ROOT.glob("*.md"))
    for folder in ("docs", "networks", "openings"):
        yield from sorted((ROOT / folder).rglob("*.md"))


def main() -> int:
    """Write every table into its document."""
    for path in documents():
        text = path.read_text(encoding="utf-8")
        if rendered(text) != text:
            path.write_text(rendered(text), encoding="utf-8")
            print(path.relative_to(ROOT))
    return 0


if __name__ == "__main__":
    sys.exit(main())
