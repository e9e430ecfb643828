"""`lab plot`: the tables as pictures."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.common.extras import how_to_get
from engine.lab.chess.table import BASE
from engine.lab.chess.table import Row as ChessRow
from engine.lab.trees.trees import TreeError
from engine.lab.views.table import Row

COLOURS = {
    "alphabeta": "#7b7d87",
    "scout": "#c9a227",
    "negascout": "#8a9a3b",
    "negascout+memory": "#3f7d4e",
    "sss": "#b4541c",
    "mtd+inf": "#b4541c",
    "dual": "#e39a66",
    "mtd-inf": "#e39a66",
    "mtdf": "#1f5f8b",
    "mtdf-true": "#74b6e3",
    "mtd-bi": "#6b4c9a",
    "mtd-step": "#b79be0",
    "alpha-beta": "#7b7d87",
    "NegaScout": "#8a9a3b",
    "aspiration NegaScout": "#3f7d4e",
    "SSS*": "#b4541c",
    "DUAL*": "#e39a66",
    "MTD(f)": "#1f5f8b",
}

Curve = list[tuple[int, float, float]]  # x, height, error


@dataclass(frozen=True)
class Sheet:
    """The axes of a plot: labels, ticks of the x axis, and whether the y axis is logarithmic."""

    title: str
    x: str
    y: str
    ticks: Sequence[str]
    log: bool


def axis(rows: Sequence[Row]) -> tuple[str, list[str], list[str]]:
    """Return what varies among the rows: its name, the value of every row, and the values in order."""
    if len({row.slots for row in rows}) > 1:
        labels = [f"{row.slots:,}" if row.slots else "∞" for row in rows]
        return "slots of the table", labels, list(dict.fromkeys(labels))
    if len({row.order for row in rows}) > 1:
        labels = [f"{row.order:g}" for row in rows]
        return "fraction of sorted nodes", labels, list(dict.fromkeys(labels))
    labels = [f"{row.width}×{row.depth}" for row in rows]
    return "width × depth", labels, list(dict.fromkeys(labels))


def pyplot() -> Any:
    """Return matplotlib's pyplot, without a window; TreeError without matplotlib."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise TreeError(f"lab plot needs matplotlib: {how_to_get('matplotlib')}") from None
    mpl.use("Agg")
    from matplotlib import pyplot as board

    return board


def draw(rows: Sequence[Row], target: str, measure: str) -> None:
    """Draw `measure` (a column of the table) against what varies.

    Evaluations and leaves are drawn relative to alpha-beta's leaves where alpha-beta is among the rows.
    """
    name, labels, order = axis(rows)
    base = {at: row.leaves for row, at in zip(rows, labels, strict=True) if row.algorithm == "alphabeta"}
    relative = bool(base) and measure in ("leaves", "evaluations")
    curves: dict[str, Curve] = {}
    for row, at in zip(rows, labels, strict=True):
        scale = 100 / base[at] if relative else 1.0
        error = row.error * scale if measure == "leaves" else 0.0
        curves.setdefault(row.algorithm, []).append((order.index(at), getattr(row, measure) * scale, error))
    label = f"{measure}, % of alpha-beta's leaves" if relative else measure
    title = f"uniform random trees, {rows[0].trees} each"
    plot(curves, Sheet(title, name, label, order, log=not relative), target)


def draw_chess(rows: Sequence[ChessRow], target: str, measure: str) -> None:
    """Draw a column of the chess table against the depth; leaves and nodes relative to the base driver's."""
    if measure == "evaluations" or (measure == "leaves" and rows[0].mode != "exact"):
        raise TreeError(f"{measure} are not counted there; nodes, passes and entries are")
    relative = measure in ("leaves", "nodes")
    depths = [str(depth) for depth in dict.fromkeys(row.depth for row in rows)]
    settings = dict.fromkeys((row.grain, row.clusters) for row in rows)
    curves: dict[str, Curve] = {}
    for row in rows:
        setting = f", grain {row.grain}, {row.clusters or '∞'} clusters" if len(settings) > 1 else ""
        value = 100 * getattr(row, f"{measure}_relative") if relative else getattr(row, measure)
        error = 100 * getattr(row, f"{measure}_error") if relative else 0.0
        curves.setdefault(row.driver + setting, []).append((depths.index(str(row.depth)), value, error))
    label = f"{measure}, % of {BASE[rows[0].mode]}'s" if relative else measure
    title = f"chess, {rows[0].mode} mode, {rows[0].positions} positions"
    plot(curves, Sheet(title, "depth", label, depths, log=not relative), target)


def plot(curves: dict[str, Curve], sheet: Sheet, target: str) -> None:
    """Draw the curves and write the picture; TreeError if that cannot be done."""
    board = pyplot()
    figure, axes = board.subplots(figsize=(10.5, 5.4), layout="constrained")
    for algorithm, points in curves.items():
        xs, heights, errors = zip(*points, strict=True)
        dashed = algorithm.startswith("mtd") and algorithm.endswith("inf")
        axes.errorbar(
            xs, heights, yerr=errors, label=algorithm, color=COLOURS.get(algorithm), marker="o",
            markersize=4, capsize=3, linewidth=1.6, linestyle="--" if dashed else "-",
        )  # fmt: skip
    axes.set_xticks(range(len(sheet.ticks)), sheet.ticks)
    axes.set(xlabel=sheet.x, ylabel=sheet.y, title=sheet.title)
    if sheet.log:
        axes.set_yscale("log")
    axes.grid(axis="y", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside right upper", frameon=False, fontsize=9)
    try:
        figure.savefig(Path(target), dpi=150)
    except (OSError, ValueError) as error:
        raise TreeError(f"cannot write {target}: {error}") from None
    finally:
        board.close(figure)
