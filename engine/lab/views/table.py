"""`lab table`: the published comparisons redone on uniform random trees, with standard errors.

The trees are those of trees.RandomTree, searched by the compiled `sssnake._fast.lab.treelab`; leaves are
independent and uniform on 0 .. 2**30 - 1, unless a fraction `order` of the nodes has its children sorted,
best first.
"""

import csv
import io
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from statistics import fmean, stdev

from sssnake._fast.lab.treelab import TreeLab
from sssnake.engine.jobs.executor import JobExecutor
from sssnake.engine.lab.searches.mtd import Next, around, drive, from_above, from_below, halving, stepping
from sssnake.engine.lab.trees.trees import INF, TreeError, mix

SHAPES = ((2, 8), (4, 4), (5, 4), (5, 5), (8, 4), (20, 3), (20, 4))
MIDDLE = 1 << 29
STEP = 1 << 25  # a thirty-second of the range of values

Shape = tuple[int, int]


@dataclass(frozen=True)
class Setting:
    """What is compared: a shape, the fraction of sorted nodes, the slots of the table (0: unbounded)."""

    width: int
    depth: int
    order: float
    slots: int


@dataclass(frozen=True)
class Row:
    """Means over the trees of one setting and one algorithm; the error is the mean's standard error.

    entries: inner nodes stored in an unbounded transposition table. open_max: the greatest length of OPEN.
    """

    width: int
    depth: int
    order: float
    slots: int
    algorithm: str
    trees: int
    leaves: float
    error: float
    relative: float  # to alpha-beta's leaves
    evaluations: float
    nodes: float
    passes: float
    entries: float
    open_max: float


@dataclass(frozen=True)
class Cost:
    """What one search of one tree cost."""

    leaves: int
    evaluations: int
    nodes: int
    passes: int
    entries: int
    open_max: int


Done = tuple[int, list[Cost]]  # a tree's seed and what each search of it cost
Search = Callable[[TreeLab, int], int]  # searches, given the true value; returns the number of passes


def once(search: Callable[[TreeLab], int]) -> Search:
    """Make a search of one pass."""

    def run(lab: TreeLab, value: int) -> int:
        assert search(lab) == value
        return 1

    return run


def passes(first: int | None, following: Next) -> Search:
    """Make an MTD; first=None starts it at the true value."""

    def run(lab: TreeLab, value: int) -> int:
        found, answers = drive(lab.test, value if first is None else first, following)
        assert found == value
        return len(answers)

    return run


SEARCHES: dict[str, Search] = {
    "alphabeta": once(TreeLab.alpha_beta),
    "scout": once(TreeLab.scout),
    "negascout": once(TreeLab.negascout),
    "negascout+memory": once(partial(TreeLab.negascout, memory=True)),
    "sss": once(TreeLab.stockman),
    "dual": once(partial(TreeLab.stockman, dual=True)),
    "mtd+inf": passes(INF, from_above),
    "mtd-inf": passes(1 - INF, from_below),
    "mtdf": passes(MIDDLE, around),
    "mtdf-true": passes(None, around),
    "mtd-bi": passes(MIDDLE, halving),
    "mtd-step": passes(INF, stepping(STEP)),
}


def cost(setting: Setting, seed: int, algorithm: str, value: int) -> Cost:
    """Search one fresh tree."""
    lab = TreeLab(setting.width, setting.depth, seed, setting.order, setting.slots)
    count = SEARCHES[algorithm](lab, value)
    return Cost(lab.leaves, lab.evaluations, lab.nodes, count, lab.entries, lab.open_max)


def costs(setting: Setting, algorithms: Sequence[str], seed: int) -> list[Cost]:
    """Search one tree with every algorithm."""
    value = TreeLab(setting.width, setting.depth, seed, setting.order).alpha_beta()
    return [cost(setting, seed, algorithm, value) for algorithm in algorithms]


def compare(
    setting: Setting,
    algorithms: Sequence[str],
    trees: int,
    seed: int,
    executor: JobExecutor,
    progress: Callable[[Iterable[Done]], Iterable[Done]],
) -> list[Row]:
    """Search `trees` trees of one setting with every algorithm; the counts of alpha-beta are the measure."""
    names = ["alphabeta", *(name for name in algorithms if name != "alphabeta")]
    seeds = [mix(mix(seed) + number) for number in range(trees)]
    done = progress(executor.in_order(partial(costs, setting, names), seeds))
    table = [found for _seed, found in done]
    measure = fmean(line[0].leaves for line in table)
    rows = []
    for column, name in enumerate(names):
        found = [line[column] for line in table]
        leaves = [one.leaves for one in found]
        rows.append(
            Row(
                setting.width,
                setting.depth,
                setting.order,
                setting.slots,
                name,
                trees,
                leaves=fmean(leaves),
                error=stdev(leaves) / trees**0.5 if trees > 1 else 0.0,
                relative=fmean(leaves) / measure,
                evaluations=fmean(one.evaluations for one in found),
                nodes=fmean(one.nodes for one in found),
                passes=fmean(one.passes for one in found),
                entries=fmean(one.entries for one in found),
                open_max=fmean(one.open_max for one in found),
            )
        )
    return [row for row in rows if row.algorithm in algorithms]


def settings(shapes: Sequence[Shape], orders: Sequence[float], slots: Sequence[int]) -> list[Setting]:
    """Return every combination; TreeError, one line, on shapes that cannot be searched."""
    found = [
        Setting(width, depth, order, size) for (width, depth), order, size in product(shapes, orders, slots)
    ]
    for setting in found:
        if not 0 <= setting.order <= 1:
            raise TreeError(f"the fraction of sorted nodes lies between 0 and 1, not at {setting.order}")
        if setting.order > 0 and setting.width**setting.depth > 1 << 28:
            raise TreeError("an ordered tree of more than 2**28 leaves is beyond reach")
        if not 0 <= setting.slots < 1 << 32:
            raise TreeError(f"a table of {setting.slots} slots is beyond reach")
        try:
            TreeLab(setting.width, setting.depth, 0, 0.0, setting.slots)
        except (ValueError, MemoryError) as error:
            raise TreeError(str(error)) from None
    return found


def markdown(rows: Sequence[Row]) -> str:
    """Write a table for people."""
    counted = ("evaluations", "nodes", "passes", "entries", "open_max")
    head = " | ".join(("w d", "sorted", "slots", "algorithm", "leaves", "of αβ", *counted[:-1], "OPEN"))
    lines = [f"| {head} |", "|---|---|---|---|" + "---:|" * (2 + len(counted))]
    for row in rows:
        counts = " | ".join(f"{getattr(row, name):.1f}" for name in counted)
        lines.append(
            f"| {row.width} {row.depth} | {row.order:g} | {row.slots or '∞'} | {row.algorithm} "
            f"| {row.leaves:.1f} ± {row.error:.1f} | {100 * row.relative:.1f} % | {counts} |"
        )
    return "\n".join(lines) + "\n"


def comma_separated(rows: Sequence[object], kind: type) -> str:
    """Write a table for programs; `kind` is the dataclass of its rows."""
    text = io.StringIO()
    names = list(kind.__annotations__)
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([getattr(row, name) for name in names] for row in rows)
    return text.getvalue()
