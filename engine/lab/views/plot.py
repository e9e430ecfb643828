"""`lab plot`: the tables as pictures."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sssnake.engine.common.extras import how_to_get
from sssnake.engine.common.files import save, try_outputs
from sssnake.engine.lab.chess.table import BASE
from sssnake.engine.lab.chess.table import Row as ChessRow
from sssnake.engine.lab.trees.trees import TreeError
from sssnake.engine.lab.views.table import Row

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
    "PVS": "#3f7d4e",
    "SSS*-literal": "#e39a66",
}

WIDE = 20  # heights that differ by a larger factor get a logarithmic axis

Curve = list[tuple[float, float, float]]  # x, height, error


@dataclass(frozen=True)
class Axis:
    """The x axis: what varies.

    connected   whether neighbours are joined by a line; shapes of trees are not, they have no order
    log         whether the scale is logarithmic (sizes); an unbounded size stands at the right end
    """

    label: str
    places: dict[float, float]  # value -> x
    ticks: dict[float, str]  # value -> text
    connected: bool = True
    log: bool = False

    @classmethod
    def of_sizes(cls, label: str, sizes: Sequence[int]) -> "Axis":
        """Table sizes, 0 for an unbounded one, at four times the largest."""
        known = sorted(set(sizes))
        largest = max(known) or 1
        places = {float(size): float(size or 4 * largest) for size in known}
        return cls(label, places, {size: f"{size:,.0f}" if size else "∞" for size in places}, log=True)

    @classmethod
    def of_numbers(cls, label: str, numbers: Sequence[float], log: bool = False) -> "Axis":
        """Numbers at their places."""
        known = sorted(set(numbers))
        return cls(label, {x: x for x in known}, {x: f"{x:g}" for x in known}, log=log)


@dataclass(frozen=True)
class Sheet:
    """What stands around the curves; whether the y axis is logarithmic in any case."""

    title: str
    x: Axis
    y: str
    log: bool


def shape_of(row: Row) -> str:
    """Write the shape of a row's trees."""
    return f"{row.width}×{row.depth}"


def axis(rows: Sequence[Row]) -> tuple[Axis, list[float], list[str]]:
    """Choose what the x axis shows; return it, the x value of every row, and how else the rows differ."""
    shapes = list(dict.fromkeys(map(shape_of, rows)))
    varies = {
        "slots": len({row.slots for row in rows}) > 1,
        "order": len({row.order for row in rows}) > 1,
        "shape": len(shapes) > 1,
    }
    chosen = next((name for name, does in varies.items() if does), "shape")
    if chosen == "slots":
        at = [float(row.slots) for row in rows]
        x = Axis.of_sizes("slots of the table", [row.slots for row in rows])
    elif chosen == "order":
        at = [row.order for row in rows]
        x = Axis.of_numbers("fraction of sorted nodes", at)
    else:
        at = [float(shapes.index(shape_of(row))) for row in rows]
        x = Axis("width × depth", {i: i for i in at}, {i: shapes[int(i)] for i in at}, connected=False)
    rest = [
        "".join(
            f", {text}"
            for name, text in (("order", f"{row.order:g} sorted"), ("shape", shape_of(row)))
            if varies[name] and name != chosen
        )
        for row in rows
    ]
    return x, at, rest


def fixed_settings(rows: Sequence[Row]) -> str:
    """Describe what is the same for all rows, for the title."""
    shapes = {shape_of(row) for row in rows}
    parts = [f"uniform random trees {', '.join(shapes)}" if len(shapes) == 1 else "uniform random trees"]
    parts.append(f"{rows[0].trees} each")
    if len({row.order for row in rows}) == 1 and rows[0].order:
        parts.append(f"{rows[0].order:g} of the nodes sorted")
    if len({row.slots for row in rows}) == 1 and rows[0].slots:
        parts.append(f"{rows[0].slots:,} slots")
    return ", ".join(parts)


def check(target: Path, epd: str | None) -> None:
    """Check before the work that the picture can be drawn, and written. TreeError, OSError, ValueError.

    epd: a file that is read.
    """
    pyplot()
    try_outputs([target], [epd])


def pyplot() -> Any:
    """Return matplotlib's pyplot, without a window; TreeError without matplotlib."""
    try:
        import matplotlib as mpl
    except ImportError:
        raise TreeError(f"lab plot needs matplotlib: {how_to_get('matplotlib')}") from None
    mpl.use("Agg")
    from matplotlib import pyplot as board

    return board


def draw(rows: Sequence[Row], target: Path, measure: str) -> None:
    """Draw `measure` (a column of the table) against what varies.

    Evaluations and leaves are drawn relative to alpha-beta's leaves where alpha-beta is among the rows.
    "memory" is a picture of its own: what a search saves, and what it keeps for that.
    """
    if measure == "memory":
        draw_memory(rows, target)
        return
    x, places, rest = axis(rows)
    base = {
        (at, other): row.leaves
        for row, at, other in zip(rows, places, rest, strict=True)
        if row.algorithm == "alphabeta"
    }
    relative = bool(base) and measure in ("leaves", "evaluations")
    curves: dict[str, Curve] = {}
    for row, at, other in zip(rows, places, rest, strict=True):
        scale = 100 / base[at, other] if relative else 1.0
        error = row.error * scale if measure == "leaves" else 0.0
        curves.setdefault(row.algorithm + other, []).append((at, getattr(row, measure) * scale, error))
    label = f"{measure}, % of alpha-beta's leaves" if relative else measure
    plot(curves, Sheet(fixed_settings(rows), x, label, log=not relative), target)


def draw_memory(rows: Sequence[Row], target: Path) -> None:
    """Draw the argument of 1983: on the left what a search evaluates, on the right what it has to keep.

    That is the greatest length of OPEN, or the inner nodes stored in the transposition table; a search that
    keeps nothing but its path is on the left alone. Trees differ in their width. TreeError if not.
    """
    if len({row.depth for row in rows}) > 1 or len({row.width for row in rows}) == 1:
        raise TreeError("the picture of memory wants trees of one depth and of several widths")
    if len({(row.order, row.slots) for row in rows}) > 1 or rows[0].slots:
        raise TreeError("the picture of memory wants one --order and an unbounded table")
    base = {row.width: row.leaves for row in rows if row.algorithm == "alphabeta"}
    if not base:
        raise TreeError("the picture of memory wants alphabeta among the --algorithms")
    x = Axis.of_numbers(f"width, at depth {rows[0].depth}", [row.width for row in rows])
    saved: dict[str, Curve] = {}
    kept: dict[str, Curve] = {}
    for row in rows:
        share = 100 / base[row.width]
        saved.setdefault(row.algorithm, []).append((row.width, row.evaluations * share, 0.0))
        if row.open_max or row.entries:
            kept.setdefault(row.algorithm, []).append((row.width, row.open_max or row.entries, 0.0))
    figure, (left, right) = pyplot().subplots(1, 2, figsize=(12.5, 5.2), layout="constrained")
    panel(left, saved, Sheet("evaluations", x, "% of alpha-beta's leaves", log=False))
    panel(right, kept, Sheet("memory", x, "states on OPEN, or stored entries", log=True))
    figure.suptitle(fixed_settings(rows))
    figure.legend(*left.get_legend_handles_labels(), loc="outside right upper", frameon=False, fontsize=9)
    write(figure, target)


def chess_axis(rows: Sequence[ChessRow]) -> tuple[Axis, str]:
    """Choose what the x axis shows, and the column that it is."""
    columns = {"depth": "depth", "clusters": "clusters of the table", "grain": "grain"}
    chosen = next((name for name in columns if len({getattr(row, name) for row in rows}) > 1), "depth")
    values = [getattr(row, chosen) for row in rows]
    if chosen == "clusters":
        return Axis.of_sizes(columns[chosen], values), chosen
    return Axis.of_numbers(columns[chosen], values, log=chosen == "grain"), chosen


def draw_chess(rows: Sequence[ChessRow], target: Path, measure: str) -> None:
    """Draw a column of the table against depth, table size or grain; leaves and nodes are relative."""
    if measure in ("evaluations", "memory") or (measure == "leaves" and rows[0].mode != "exact"):
        raise TreeError(f"{measure}: not counted there; nodes, passes and entries are")
    relative = measure in ("leaves", "nodes")
    x, chosen = chess_axis(rows)
    others = [name for name in ("depth", "clusters", "grain") if name != chosen]
    varying = [name for name in others if len({getattr(row, name) for row in rows}) > 1]
    curves: dict[str, Curve] = {}
    for row in rows:
        setting = "".join(f", {name} {getattr(row, name) or '∞'}" for name in varying)
        value = 100 * getattr(row, f"{measure}_relative") if relative else getattr(row, measure)
        error = 100 * getattr(row, f"{measure}_error") if relative else 0.0
        at = float(getattr(row, chosen))
        curves.setdefault(row.driver + setting, []).append((at, value, error))
    label = f"{measure}, % of {BASE[rows[0].mode]}'s" if relative else measure
    title = f"chess, {rows[0].mode} mode, {rows[0].positions} positions"
    if chosen != "depth":
        title += f", depth {rows[0].depth}"
    plot(curves, Sheet(title, x, label, log=not relative), target)


def figure_of(curves: dict[str, Curve], sheet: Sheet) -> Any:
    """Draw the curves, and name them beside the picture."""
    figure, axes = pyplot().subplots(figsize=(10.5, 5.4), layout="constrained")
    panel(axes, curves, sheet)
    figure.legend(loc="outside right upper", frameon=False, fontsize=9)
    return figure


def panel(axes: Any, curves: dict[str, Curve], sheet: Sheet) -> None:
    """Draw curves on axes."""
    for number, (name, points) in enumerate(curves.items()):
        placed = sorted((sheet.x.places[value], height, error) for value, height, error in points)
        xs = [x for x, _height, _error in placed]
        algorithm = name.split(",")[0]
        dashed = algorithm.startswith("mtd") and algorithm.endswith("inf")
        style = "--" if dashed else "-"
        if not sheet.x.connected:  # side by side, so that nothing hides behind another
            xs = [x + 0.6 * ((number + 0.5) / len(curves) - 0.5) for x in xs]
            style = "none"
        axes.errorbar(
            xs,
            [height for _x, height, _error in placed],
            yerr=[error for _x, _height, error in placed],
            label=name,
            color=COLOURS.get(algorithm),
            marker="d" if dashed else "o",
            markersize=4,
            capsize=3,
            linewidth=1.6,
            linestyle=style,
        )
    if sheet.x.log:
        axes.set_xscale("log", base=2)
        axes.minorticks_off()
    axes.set_xticks([sheet.x.places[value] for value in sheet.x.ticks], list(sheet.x.ticks.values()))
    axes.set(xlabel=sheet.x.label, ylabel=sheet.y, title=sheet.title)
    values = [height for points in curves.values() for _at, height, _error in points]
    if sheet.log or max(values) > WIDE * min(values) > 0:
        axes.set_yscale("log")
    axes.grid(axis="y", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)


def plot(curves: dict[str, Curve], sheet: Sheet, target: Path) -> None:
    """Draw the curves and write the picture: PNG, or what the file's name says. OSError."""
    write(figure_of(curves, sheet), target)


def write(figure: Any, target: Path) -> None:
    """Write a picture whole and close it. OSError."""
    picture = io.BytesIO()
    figure.savefig(picture, dpi=150, format=target.suffix[1:].lower() or "png")
    pyplot().close(figure)
    save(target, picture.getvalue())
