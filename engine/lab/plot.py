"""`lab plot`: the tables as pictures."""

from collections.abc import Sequence
from pathlib import Path

from .table import Row
from .trees import TreeError

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
}


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


def draw(rows: Sequence[Row], target: str, measure: str) -> None:
    """Draw `measure` (a column of the table) against what varies; TreeError without matplotlib.

    Evaluations and leaves are drawn relative to alpha-beta's leaves where alpha-beta is among the rows.
    """
    try:
        import matplotlib as mpl
    except ImportError:
        raise TreeError("lab plot needs matplotlib (pip install sssnake[lab])") from None
    mpl.use("Agg")
    from matplotlib import pyplot

    name, labels, order = axis(rows)
    base = {
        label: row.leaves for row, label in zip(rows, labels, strict=True) if row.algorithm == "alphabeta"
    }
    relative = bool(base) and measure in ("leaves", "evaluations")
    figure, axes = pyplot.subplots(figsize=(9.5, 5.4), layout="constrained")
    for algorithm in dict.fromkeys(row.algorithm for row in rows):
        points = [
            (order.index(at), row, at)
            for row, at in zip(rows, labels, strict=True)
            if row.algorithm == algorithm
        ]
        scale = [100 / base[at] if relative else 1.0 for _, _, at in points]
        heights = [getattr(row, measure) * factor for (_, row, _), factor in zip(points, scale, strict=True)]
        error = [
            row.error * factor if measure == "leaves" else 0.0
            for (_, row, _), factor in zip(points, scale, strict=True)
        ]
        dashed = algorithm.startswith("mtd") and algorithm.endswith("inf")
        axes.errorbar(
            [x for x, _, _ in points], heights, yerr=error, label=algorithm, color=COLOURS.get(algorithm),
            marker="o", markersize=4, capsize=3, linewidth=1.6, linestyle="--" if dashed else "-",
        )  # fmt: skip
    axes.set_xticks(range(len(order)), order)
    axes.set_xlabel(name)
    axes.set_ylabel(f"{measure}, % of alpha-beta's leaves" if relative else measure)
    if not relative:
        axes.set_yscale("log")
    axes.grid(axis="y", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False, ncols=2, fontsize=9)
    axes.set_title(f"uniform random trees, {rows[0].trees} each")
    try:
        figure.savefig(Path(target), dpi=150)
    except (OSError, ValueError) as error_:
        raise TreeError(f"cannot write {target}: {error_}") from None
    finally:
        pyplot.close(figure)
