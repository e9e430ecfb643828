"""What a small transposition table costs each driver: the objection of 1983, measured.

    python tests/measure/memory.py search ROWS.csv --positions 0 6     # hours a position: 10^8 nodes a search
    python tests/measure/memory.py table ROWS.csv [MORE.csv ...]       # writes what the documents show

`search` takes COUNT of the POSITIONS below, from FIRST on. Each driver searches a position in the largest
table, on one thread, until an iteration ends at or beyond `--nodes`; then to the same depth in each smaller
table, unless it needs PATIENCE times the nodes. A row is appended at the end of every iteration; a row that
is not `finished` is a search that was given up. Counts of nodes do not depend on the machine or its load.
Started again with the same file, it skips the searches that are there and goes on. So to add positions, give
a larger COUNT, or another FIRST and file to each of several runs; to search deeper, give more `--nodes`:
those searches begin anew and add what is new.

`table` keeps the rows that the tables need in docs/laboratory/hash.csv (give it that file and the new ones),
writes docs/measurements/memory.csv and docs/laboratory/hash.png. Then `python docs/measurements/tables.py`.

The size of a search is that of the first iteration that ends at or beyond 10^6, 10^7 or 10^8 nodes in the
largest table. Smaller tables are compared at that depth and the three before: the depth is the first with so
many nodes, so with the largest table it is a dear one by selection, and nodes vary much.

Overwritten: of the positions that a search stores, the share that the table has no room for, 1 - used /
stored. The core does not count what it overwrites, but keys fall into clusters of four at random, so the
share of used entries tells how many different ones there were. A table that is nearly full no longer tells:
then `stored` is that of the largest table at that depth.

Add only rows of the same search (`sssnake bench` the same): other versions make other trees.
"""

import argparse
import csv
import math
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from itertools import product
from pathlib import Path
from statistics import fmean, geometric_mean, stdev
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1]))
from support.constants import ROOT

from sssnake._fast.board.board import Board
from sssnake._fast.drivers.bracket import SWING, Bracket
from sssnake._fast.search.params import Parameters
from sssnake._fast.search.pv import finish_line
from sssnake._fast.search.tt import TranspositionTable
from sssnake._fast.search.worker import StopFlag, Worker
from sssnake.engine.lab.views import plot
from sssnake.engine.player import evaluation
from sssnake.engine.player.options import INTERNAL

DRIVERS = ("SSS*", "MTD(f)", "PVS", "SSS*-literal")
MEGABYTES = (1024, 256, 64, 16, 4, 1)  # the largest first: it sets the depth for the others
LARGEST, SMALLER = MEGABYTES[0], MEGABYTES[:0:-1]
SIZES = (10**6, 10**7, 10**8)  # nodes of a search
PATIENCE = 4  # times the nodes in the largest table
DEEPEST = 120  # plies
COMPARED = 4  # iterations, the last of a search: nodes are a mean over them
TELLING = 3  # positions at least: two do not say how much they vary
CLUSTER = 4  # entries that a key can stand in
FULL = 0.98  # of the entries: beyond that nobody can tell how many keys there were
ENTRY = 16  # bytes
POSITIONS = (  # of games of this engine with itself, drawn by chance: middle games, undecided, quiet
    "r1bqk2r/pp3p1p/4p1pb/2p1P3/1nP1BP2/PPQ2nPP/3P1K2/RNB4R b kq - 0 1",
    "r1bk4/2p1q3/1p1p4/1PnPp1p1/2P1P2b/p3B2P/P1K1B1Q1/1N4R1 b - - 0 1",
    "5r1r/1p2q1kp/1Nn1bpp1/p1p1p2P/P3P3/1PPP2P1/2Q2RB1/R5K1 b - - 0 1",
    "r7/1p3rpk/7p/3p4/2b5/B3PP1P/P4RP1/1R4K1 w - - 0 1",
    "r1b1k2r/ppp1b1pp/8/QP1p4/3P1P2/P4PP1/R4K2/1NB2BNq b kq - 0 1",
    "b1r5/R4pk1/8/1P4p1/2P1Pn1p/4NP1P/6P1/3K4 w - - 0 1",
    "r1bqr1k1/1p3ppp/1bn1p3/1B1p1n2/3P4/BQ2PN2/P2N1PPP/R4RK1 b - - 0 1",
    "r1b2r2/1p2kppp/8/1N1nP3/P1p1p3/1nP1P1P1/4N2P/R3KB1R w KQ - 0 1",
    "r3kb1r/1ppb4/8/p3p3/P2P1ppP/1PP1N3/4NP2/R1B1K2R w kq - 0 1",
    "1nbq1rk1/2n3pp/2p2p2/2bp2P1/2P4P/3P1N2/1P2PPB1/2BQ1RK1 b - - 0 1",
    "br6/2q2kp1/2nbpn1p/p1pp1p2/P2P1P2/1P2PN2/3BB1PP/R2Q1RK1 w - - 0 1",
    "1r4k1/p1p1rpp1/1b6/2p3P1/2P1p1pP/4P3/PB3P2/RR4K1 w - - 0 1",
)


class Row(NamedTuple):
    """The end of an iteration, or of a search that was given up in it."""

    position: int
    fen: str
    driver: str
    megabytes: int
    depth: int
    nodes: int  # since the beginning of the search
    value: int
    finished: bool
    used: int  # entries of the table
    capacity: int

    @classmethod
    def read(cls, row: dict[str, str]) -> "Row":
        """From a file."""
        number, megabytes, depth, nodes, value, used, capacity = (
            int(row[name])
            for name in ("position", "megabytes", "depth", "nodes", "value", "used", "capacity")
        )
        known = row["finished"] == "yes", used, capacity
        return cls(number, row["fen"], row["driver"], megabytes, depth, nodes, value, *known)

    def written(self) -> list[object]:
        """As it stands in a file."""
        return [*self[:7], "yes" if self.finished else "no", *self[8:]]


class Point(NamedTuple):
    """What a search of one size needs in a table, over the positions."""

    factor: float  # of the nodes in the largest table: geometric mean
    error: float  # standard error of it; 0: too few positions
    given_up: bool  # at least one search needs even more nodes
    overwritten: float


# Searches


def iterations(number: int, fen: str, driver: str, megabytes: int, limit: int = 0) -> Iterator[Row]:
    """Search, and say what stands at the end of each iteration; given up after `limit` nodes if not 0."""
    parameters, table, flag = Parameters(), TranspositionTable(megabytes), StopFlag()
    worker = Worker(table, flag, parameters)
    worker.use_network(evaluation.load(INTERNAL))
    worker.set_position(Board(fen))
    worker.set_multipv(0)
    flag.set_limits(limit, 0)
    value, swing = 0, float(SWING)
    for depth in range(1, DEEPEST + 1):
        worker.new_iteration(depth)
        bracket = Bracket(driver, parameters, depth, value, swing)
        finished = bracket.search_all(worker)
        if finished:
            worker.promote(worker.best_root(), 0)
            _moves, value = finish_line(worker, worker.line(0), bracket.lower, depth)
            swing = bracket.next_swing
            worker.obey_limits()
            worker.sort_roots(1)
        used, capacity = table.entries_used(), (megabytes << 20) // ENTRY
        yield Row(number, fen, driver, megabytes, depth, worker.nodes, value, finished, used, capacity)
        if not finished:
            return


def read(paths: Iterable[Path]) -> list[Row]:
    """The rows of files."""
    found: dict[Row, None] = {}
    for path in paths:
        with path.open(encoding="utf-8", newline="") as file:
            found |= dict.fromkeys(map(Row.read, csv.DictReader(file)))
    return list(found)


class Log:
    """The file that rows are appended to; those that it has already are not repeated."""

    def __init__(self, path: Path):
        self.path = path
        self.known: dict[tuple[object, ...], Row] = {}
        if path.exists():
            self.known = {self.key(row): row for row in read([path])}
        else:
            self.write(Row._fields)

    @staticmethod
    def key(row: Row) -> tuple[object, ...]:
        """What makes a row: a search given up may be tried again with more nodes."""
        return row.position, row.driver, row.megabytes, row.depth, row.finished or row.nodes

    def write(self, cells: Sequence[object]) -> None:
        """Append a line."""
        with self.path.open("a", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerow(cells)

    def add(self, row: Row) -> None:
        """Append a row that is new. ValueError: the same iteration was another one before."""
        before = self.known.get(self.key(row))
        if before is None:
            self.known[self.key(row)] = row
            self.write(row.written())
        elif before != row:
            raise ValueError(f"not what it was: {row}, {before}")

    def last(self, number: int, driver: str, megabytes: int, depth: int = DEEPEST) -> Row | None:
        """Of a search: the last row, to a depth."""
        search = number, driver, megabytes
        rows = [row for row in self.known.values() if (row.position, row.driver, row.megabytes) == search]
        rows = [row for row in rows if row.depth <= depth]
        return max(rows, key=lambda row: (row.depth, row.finished, row.nodes), default=None)


def search(args: argparse.Namespace) -> None:
    """Search all positions with all drivers in all tables."""
    log = Log(args.rows)
    first, count = args.positions
    numbered = list(enumerate(POSITIONS))[first : first + count]
    for (number, fen), driver in product(numbered, args.drivers):
        large = log.last(number, driver, LARGEST)
        if not large or large.nodes < args.nodes:
            for large in iterations(number, fen, driver, LARGEST):
                log.add(large)
                if large.nodes >= args.nodes:
                    break
        assert large
        tell(large)
        limit = PATIENCE * large.nodes
        for megabytes in MEGABYTES[1:]:
            small = log.last(number, driver, megabytes, large.depth)
            if not small or (small.depth < large.depth if small.finished else small.nodes < limit):
                for small in iterations(number, fen, driver, megabytes, limit):
                    log.add(small)
                    if small.depth == large.depth:
                        break
            assert small
            tell(small, large)


def tell(row: Row, base: Row | None = None) -> None:
    """Print the end of a search."""
    factor = "" if base is None else f" {row.nodes / base.nodes:6.3f}"
    ended = "" if row.finished else ", given up"
    words = (
        f"{row.position:3d} {row.driver:12s} {row.megabytes:4d} MB  depth {row.depth} {row.nodes:12d} nodes"
    )
    print(f"{words}  {100 * row.used / row.capacity:5.1f} % full{factor}{ended}", flush=True)


# Tables


def stored(used: int, capacity: int) -> float:
    """How many different keys a table was given, if so many entries are used; infinite if it is nearly full.

    Keys fall into clusters at random: their number in a cluster has a Poisson distribution.
    """
    if used > FULL * capacity:
        return math.inf

    def share(mean: float) -> float:
        chances = [math.exp(-mean) * mean**n / math.factorial(n) for n in range(CLUSTER)]
        kept = sum(n * chance for n, chance in enumerate(chances)) + CLUSTER * (1 - sum(chances))
        return kept / CLUSTER

    low, high = 0.0, 100.0  # keys for each cluster
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if share(middle) < used / capacity else (low, middle)
    return low * capacity / CLUSTER


def overwritten(small: Row, large: Row) -> float:
    """Of what a search stores: the share that its table has no room for."""
    given = stored(small.used, small.capacity)
    if math.isinf(given):
        given = stored(large.used, large.capacity)
    return 1 - small.used / given if small.used else 0.0


Ends = dict[int, list[Row]]  # megabytes -> the last iterations of a search


def compared(rows: Iterable[Row], size: int) -> dict[str, dict[int, Ends]]:
    """driver -> position -> the searches of that size. Whole positions alone."""
    searches: dict[tuple[str, int, int], list[Row]] = {}
    for row in sorted(rows, key=lambda row: row.depth):
        searches.setdefault((row.driver, row.position, row.megabytes), []).append(row)
    found: dict[str, dict[int, Ends]] = {driver: {} for driver in DRIVERS}
    for driver, number in sorted({key[:2] for key in searches}):
        large = searches.get((driver, number, LARGEST), [])
        depth = next((row.depth for row in large if row.nodes >= size), DEEPEST + 1)
        ends = {mb: last(searches.get((driver, number, mb), []), depth, large) for mb in MEGABYTES}
        if all(ends.values()):
            found[driver][number] = ends
    return found


def last(rows: Sequence[Row], depth: int, large: Sequence[Row]) -> list[Row]:
    """Of a search: its iterations up to that depth, or else the row that gives up; none: neither yet."""
    nodes = next((row.nodes for row in large if row.depth == depth), math.inf)
    reached = [row for row in rows if row.finished and row.depth <= depth][-COMPARED:]
    if reached and reached[-1].depth == depth:
        return reached
    return [row for row in rows if not row.finished and row.nodes >= PATIENCE * nodes][:1]


def point(searches: Iterable[Ends], megabytes: int) -> Point:
    """What those searches need in a table of that size."""
    logs, lost, given_up = [], [], False
    for ends in searches:
        small, large = ends[megabytes], ends[LARGEST]
        logs.append(fmean(ratios(small, large)))
        lost.append(overwritten(small[-1], large[-1]))
        given_up |= not small[-1].finished
    factor = math.exp(fmean(logs))
    error = factor * stdev(logs) / math.sqrt(len(logs)) if len(logs) >= TELLING else 0.0
    return Point(factor, error, given_up, fmean(lost))


def ratios(small: Sequence[Row], large: Sequence[Row]) -> list[float]:
    """Logarithms of the quotients of nodes, by iteration; of a search given up, against a finished one."""
    if not small[-1].finished:
        return [math.log(small[-1].nodes / large[-1].nodes)]
    nodes = {row.depth: row.nodes for row in large}
    return [math.log(row.nodes / nodes[row.depth]) for row in small if row.depth in nodes]


def shown(point: Point) -> str:
    """A factor and its standard error, as tables show it."""
    error = f" ± {point.error:.2f}" if point.error else ""
    return f"{'> ' if point.given_up else ''}{point.factor:.2f}{error}"


def summary(rows: Sequence[Row]) -> list[dict[str, str]]:
    """The rows of docs/measurements/memory.csv, but for their date and commit."""
    lines = []
    for size, driver in product(SIZES, DRIVERS):
        searches = compared(rows, size)[driver]
        if not searches:
            continue
        points = {megabytes: point(searches.values(), megabytes) for megabytes in MEGABYTES}
        nodes = geometric_mean([ends[LARGEST][-1].nodes for ends in searches.values()])
        lines.append(
            {
                "command": "python tests/measure/memory.py search ROWS.csv",
                "games": str(len(searches)),
                "result": str(round(nodes)),
                "error": "",
                "note": "nodes with 1024 MB: geometric mean",
                "driver": driver,
                "size": power(size),
                **{f"mb{megabytes}": shown(points[megabytes]) for megabytes in SMALLER},
                **{f"lost{mb}": f"{100 * points[mb].overwritten:.0f} %" for mb in (*SMALLER, LARGEST)},
                "table": "memory memory_overwritten",
            }
        )
    return lines


def kept(rows: Sequence[Row]) -> list[Row]:
    """The rows that the tables are made from."""
    ends = {
        row
        for size in SIZES
        for searches in compared(rows, size).values()
        for ends in searches.values()
        for last_ones in ends.values()
        for row in last_ones
    }
    return sorted(ends, key=lambda row: (row.position, DRIVERS.index(row.driver), -row.megabytes, row.depth))


def power(size: int) -> str:
    """A power of ten."""
    return "10" + "⁰¹²³⁴⁵⁶⁷⁸⁹"[len(str(size)) - 1]


def draw(rows: Sequence[Row], target: Path) -> None:
    """A panel for each size of the search: nodes by size of the table. Narrow, for a telephone."""
    found = {size: searches for size in SIZES if any((searches := compared(rows, size)).values())}
    figure, panels = plot.pyplot().subplots(
        len(found), 1, figsize=(6.4, 1 + 3.2 * len(found)), layout="constrained", sharex=True, squeeze=False
    )
    x = plot.Axis.of_numbers("", sorted(MEGABYTES), log=True)
    for axes, (size, drivers) in zip(panels[:, 0], found.items(), strict=True):
        curves = {
            driver: [
                (float(megabytes), 100 * at.factor, 100 * at.error)
                for megabytes in MEGABYTES
                for at in [point(searches.values(), megabytes)]
            ]
            for driver, searches in drivers.items()
            if searches
        }
        axes.axhline(100, color="#cccccc", linewidth=1)
        counts = "; ".join(f"{driver} {len(searches)}" for driver, searches in drivers.items())
        if len(set(map(len, drivers.values()))) == 1:
            counts = str(len(drivers[DRIVERS[0]]))
        title = f"{power(size)} nodes; positions: {counts}"
        plot.panel(axes, curves, plot.Sheet(title, x, "nodes, % of those with 1024 MB", log=False))
    panels[-1, 0].set_xlabel("transposition table, MB")
    figure.legend(
        *panels[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=2, frameon=False
    )
    plot.write(figure, target)


def table(args: argparse.Namespace) -> None:
    """Write the rows, the table and the plot of the documents."""
    rows = kept(read(args.rows))
    with args.kept.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([Row._fields, *(row.written() for row in rows)])
    lines = [{"date": args.date, "commit": args.commit, **line} for line in summary(rows)]
    with args.summary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)
    draw(rows, args.plot)
    for line in lines:
        print(*(line[name] for name in list(line)[7:-1]), f"({line['games']})", sep="  ")


def head() -> str:
    """The commit that is checked out."""
    words = ["git", "rev-parse", "--short=7", "HEAD"]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout.strip()


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("search")
    command.add_argument("rows", type=Path)
    command.add_argument("--positions", type=int, nargs=2, default=[0, 6], metavar=("FIRST", "COUNT"))
    command.add_argument("--nodes", type=int, default=SIZES[-1])
    command.add_argument("--drivers", nargs="+", choices=DRIVERS, default=DRIVERS)
    command.set_defaults(run=search)
    command = commands.add_parser("table")
    command.add_argument("rows", type=Path, nargs="+")
    laboratory = ROOT / "docs" / "laboratory"
    command.add_argument("--kept", type=Path, default=laboratory / "hash.csv")
    command.add_argument("--summary", type=Path, default=ROOT / "docs" / "measurements" / "memory.csv")
    command.add_argument("--plot", type=Path, default=laboratory / "hash.png")
    command.add_argument("--commit", default=head(), help="that was measured (default: the present one)")
    command.add_argument("--date", default=date.today().isoformat())
    command.set_defaults(run=table)
    args = parser.parse_args()
    args.run(args)
    return 0


if __name__ == "__main__":
    sys.exit(main())
