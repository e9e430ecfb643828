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

OPPONENTS = {
    "opponent": "{opponent}",
    "games": "{games}",
    "won, drawn, lost": "{won}, {drawn}, {lost}",
    "score": "{score}",
    "Elo": "{value}",
}

PARTS = {
    "part": "{note}",
    "won, drawn, lost": "{won}, {drawn}, {lost}",
    "pairs": "{pairs}",
    "Elo": "{value}",
}

PAIRS = {
    "player": "{player}",
    "opponent": "{opponent}",
    "games": "{games}",
    "pairs": "{pairs}",
    "Elo": "{value}",
}

TAKEN = {"parameter": "`{parameter}`", "range": "{low} to {high}", "Elo": "{value}", "taken": "{taken}"}

# name of a table -> (file of the measurements whose column `table` says so, {heading: cell}). A cell is a
# format string of the file's columns. `value`: the result with its error; `count`: digits in groups of three.
TABLES: dict[str, tuple[str, dict[str, str]]] = {
    "opponents": ("matches", OPPONENTS),
    "opponents_six": ("matches", OPPONENTS),
    "opponents_now": ("matches", {"version": "{commit}", **OPPONENTS}),
    "ladder": ("matches", {**OPPONENTS, "faults": "{faults}"}),
    "clock_games": (
        "matches",
        {
            "date": "{date}",
            "commit": "{commit}",
            "games": "{games}",
            "Elo of SSS*": "{value}",
            "what was new": "{note}",
        },
    ),
    "declared": ("matches", PARTS),
    "declared_two": ("matches", PARTS),
    "drivers": (
        "drivers",
        {"driver": "{driver}", "nodes": "{count}", "of PVS's": "{share}", "passes an iteration": "{passes}"},
    ),
    "plays": (
        "drivers",
        {
            "driver": "{driver}",
            "nodes": "{count}",
            "passes an iteration": "{passes}",
            "that fail high": "{fail_highs}",
            "nodes of the first pass": "{first_pass}",
            "Elo": "{elo}",
        },
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
    "default_games": (
        "matches",
        {
            "driver": "{player}",
            "games": "{games}",
            "won, drawn, lost": "{won}, {drawn}, {lost}",
            "pairs": "{pairs}",
            "Elo": "{value}",
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
    "switches": (
        "screening",
        {"rule": "`{parameter}`", "off, on": "{low}, {high}", "Elo": "{value}"},
    ),
    "screening": ("screening", TAKEN),
    "tuned": (
        "screening",
        {
            "driver": "{driver}",
            "parameter": "`{parameter}`",
            "range": "{low} to {high}",
            "Elo": "{value}",
            "taken": "{taken}",
        },
    ),
    "values": ("screening", TAKEN),
    "values_games": ("matches", PAIRS),
    "values_again": ("screening", TAKEN),
    "values_again_games": ("matches", PAIRS),
    "tuned_games": (
        "matches",
        {
            "driver": "{player}",
            "limit": "{limit}",
            "games": "{games}",
            "pairs": "{pairs}",
            "Elo": "{value}",
        },
    ),
    "shares": (
        "matches",
        {
            "player": "{player}",
            "opponent": "{opponent}",
            "limit": "{limit}",
            "games": "{games}",
            "pairs": "{pairs}",
            "Elo": "{value}",
        },
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
            "commit": "{commit}",
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
    "threads_depth": ("matches", PAIRS),
    "threads_ways": (
        "matches",
        {
            "player": "{player}",
            "opponent": "{opponent}",
            "limit": "{limit}",
            "games": "{games}",
            "Elo": "{value}",
        },
    ),
    "simulated_threads": (
        "threads",
        {
            "threads": "{threads}",
            "histories": "{histories}",
            "SSS*, one bracket": "{team}",
            "one bracket, no ply ahead": "{narrow}",
            "SSS*, Lazy SMP": "{lazy}",
            "PVS, Lazy SMP": "{pvs}",
        },
    ),
    "level_games": (
        "levels",
        {
            "level": "{level}",
            "against": "{opponent}",
            "its nodes a move": "{nodes}",
            "games": "{games}",
            "points": "{points}",
            "Elo": "{value}",
        },
    ),
    "trust": ("trust", {"run": "{run}", "commit": "{commit}", "result": "{result}", "note": "{note}"}),
    "levels": ("levels", {"level": "{level}", "UCI_Elo": "{value}"}),
    "memory": (
        "memory",
        {
            "nodes": "{size}",
            "driver": "{driver}",
            "positions": "{games}",
            "1 MB": "{mb1}",
            "4 MB": "{mb4}",
            "16 MB": "{mb16}",
            "64 MB": "{mb64}",
            "256 MB": "{mb256}",
        },
    ),
    "memory_overwritten": (
        "memory",
        {
            "nodes": "{size}",
            "driver": "{driver}",
            "1 MB": "{lost1}",
            "4 MB": "{lost4}",
            "16 MB": "{lost16}",
            "64 MB": "{lost64}",
            "256 MB": "{lost256}",
            "1024 MB": "{lost1024}",
        },
    ),
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
    "gauge": (
        "training",
        {"network": "{note}", "against": "{against}", "positions": "{games}", "its error": "{value}"},
    ),
    "results": (
        "training",
        {"network": "{note}", "against": "{against}", "games": "{games}", "its error": "{value}"},
    ),
    "lessons": (
        "training",
        {"learnt with": "{note}", "H": "{hidden}", "games": "{games}", "its error": "{value}"},
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

# name of a table of docs/sss/visited.md -> file of docs/laboratory/, as `lab table --csv` writes it
LAB = {"lab_random": "random", "lab_exact": "exact", "lab_full_width": "full-width"}
LAB_COLUMNS = {  # of random trees: heading -> algorithm, and which one's passes stand beside it
    "alpha-beta": ("alphabeta", ""),
    "NegaScout, memory": ("negascout+memory", ""),
    "SSS*": ("sss", "mtd+inf"),
    "DUAL*": ("dual", "mtd-inf"),
    "MTD(f) from the true value": ("mtdf-true", ""),
}

ACROSS = {
    "rules": 3,
    "ablation": 3,
    "screening": 2,
    "switches": 2,
    "values": 2,
    "gauge": 2,
    "results": 2,
    "levels": 4,
    "declared": 2,
    "declared_two": 2,
}  # long, narrow tables: so many parts side by side


def measurements(name: str) -> list[dict[str, str]]:
    """The rows of a file."""
    with (HERE / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def save(name: str, rows: list[dict[str, str]]) -> None:
    """Write the rows of a file."""
    with (HERE / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def render(name: str) -> str:
    """A table as Markdown."""
    if name in LAB:
        with (ROOT / "docs" / "laboratory" / f"{LAB[name]}.csv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        made = {"lab_random": random_trees, "lab_exact": exact, "lab_full_width": full_width}[name](rows)
        made.insert(1, ["---", *["---:"] * (len(made[0]) - 1)])
        return "".join(f"| {' | '.join(line)} |\n".replace("*", r"\*") for line in made)
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
    return "".join(f"| {' | '.join(line)} |\n".replace("|  ", "| ").replace("*", r"\*") for line in lines)


def rounded(number: float, unit: float) -> str:
    """A number, with a decimal where `unit`, the number that it stands beside, is small."""
    return f"{number:.1f}" if unit < 150 else f"{number:.0f}"


def percent(row: dict[str, str], kind: str) -> str:
    """A share and its standard error: 100 % exactly for the driver that the others are compared with."""
    if float(row[f"{kind}_error"]) == 0:
        return f"{100 * float(row[f'{kind}_relative']):.0f} %"
    share, error = (100 * float(row[f"{kind}_{part}"]) for part in ("relative", "error"))
    return f"{share:.1f} ± {error:.1f} %"


def passes(text: str) -> str:
    """Passes; a decimal where they are few."""
    number = float(text)
    return "1" if number == 1 else f"{number:.1f}" if number < 20 else f"{number:.0f}"


def random_trees(rows: list[dict[str, str]]) -> list[list[str]]:
    """Leaves by shape of the tree."""
    lines = [["w d", *LAB_COLUMNS]]
    for shape in dict.fromkeys((row["width"], row["depth"]) for row in rows):
        found = {row["algorithm"]: row for row in rows if (row["width"], row["depth"]) == shape}
        cells = [" ".join(shape)]
        for algorithm, other in LAB_COLUMNS.values():
            leaves, error = (float(found[algorithm][key]) for key in ("leaves", "error"))
            cell = f"{rounded(leaves, leaves)} ± {rounded(error, leaves)}"
            cells.append(f"{cell} ({passes(found[other]['passes'])})" if other else cell)
        lines.append(cells)
    return lines


def exact(rows: list[dict[str, str]]) -> list[list[str]]:
    """The drivers at the greatest depth, in exact mode."""
    lines = [["driver", "leaves", "nodes", "passes", "entries"]]
    for row in deepest(rows):
        entries = f"{float(row['entries']) / 1000:.0f} k"
        shares = [percent(row, "leaves"), percent(row, "nodes")]
        lines.append([row["driver"], *shares, passes(row["passes"]), entries])
    return lines


def full_width(rows: list[dict[str, str]]) -> list[list[str]]:
    """The drivers' nodes at the three greatest depths."""
    last = int(rows[-1]["depth"])
    head = [f"depth {last - 2}", f"depth {last - 1}", f"depth {last}"]
    lines = [["driver", *head, f"passes at {last}", f"entries at {last}"]]
    for row in deepest(rows):
        if row["driver"] == "alpha-beta":  # not a fair comparison: see docs/sss/visited.md
            continue
        own = [other for other in rows if other["driver"] == row["driver"]][-3:]
        entries = f"{float(row['entries']) / 1000:.0f} k"
        shares = [percent(other, "nodes") for other in own]
        lines.append([row["driver"], *shares, passes(row["passes"]), entries])
    return lines


def deepest(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """The rows of the greatest depth."""
    return [row for row in rows if row["depth"] == rows[-1]["depth"]]


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
    for folder in ("docs", "engine/networks", "openings"):
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
