"""`sssnake lab ...`: the laboratory's command line. Each subcommand imports what it needs when it runs."""

import argparse
import os
import sys
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from sssnake.engine.common.arguments import Parser, picture
from sssnake.engine.common.files import STANDARD_INPUT, save_text, try_output, try_outputs
from sssnake.engine.common.messages import reason
from sssnake.engine.jobs.executor import ExecutorError, add_executor_arguments, open_executor
from sssnake.engine.lab.trees.named import FIRST, NAMED
from sssnake.engine.lab.trees.trees import TreeError

if TYPE_CHECKING:
    from sssnake.engine.lab.chess import table as chess_table
    from sssnake.engine.lab.chess.explicit import ChessTreeData
    from sssnake.engine.lab.trees.trees import NestedTree
    from sssnake.engine.lab.views.table import Row

T = TypeVar("T")
OF_RANDOM_TREES = ("shape", "trees", "seed", "order", "slots", "algorithms")  # of `table` and `plot`
OF_CHESS = ("mode", "epd", "positions", "depth", "grain", "clusters")


def main(argv: list[str]) -> int:
    """Run one subcommand; return the exit status: 0 done, 1 a property is violated, 2 bad input."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # half a surrogate pair is escaped, as JSON does it
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        arguments = parser().parse_args(argv)
        return int(arguments.run(arguments))
    except SystemExit as exit_:
        return exit_.code if isinstance(exit_.code, int) else 2
    except (TreeError, ExecutorError) as error:
        print(f"sssnake lab: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"sssnake lab: {reason(error)}", file=sys.stderr)
        return 2


def parser() -> argparse.ArgumentParser:
    """Describe every subcommand."""
    top = Parser("sssnake lab", description="The laboratory: SSS*, MTD and their relatives on game trees.")
    commands = top.add_subparsers(dest="command", required=True, parser_class=Parser)

    solve = commands.add_parser("solve", help="search trees, one JSON object a line")
    names = "sss, mtd+inf, alphabeta ...; a wrong name lists them"
    solve.add_argument("--algorithm", required=True, metavar="NAME[,NAME..]|all", help=names)
    solve.add_argument("file", nargs="?", default="-", help="JSON trees; - for stdin")
    solve.add_argument("--names", action="store_true", help="also name the leaves, as trace and show do")
    solve.set_defaults(run=run_solve)

    verify = commands.add_parser("verify", help="check every property on fresh random trees")
    verify.add_argument("--trees", type=positive, default=500, metavar="N", help="(default 500)")
    verify.add_argument("--seed", type=int, default=1, metavar="S", help="of the trees (default 1)")
    verify.set_defaults(run=run_verify)

    trace = commands.add_parser("trace", help="every OPEN list of SSS*, beside the pass of MT doing the same")
    trace.add_argument("file", help="a JSON tree, or the name of one (lab tree --list); - for stdin")
    trace.add_argument("--json", action="store_true", help="one JSON object a line")
    trace.set_defaults(run=run_trace)

    show = commands.add_parser("show", help="a page that steps through the searches of a tree")
    show.add_argument(
        "tree", nargs="?", help=f"a JSON tree, or the name of one (default: {FIRST}); - for stdin"
    )
    show.add_argument("--fen", help="the tree of a chess position")
    show.add_argument("--chess960", action="store_true", help="the position is one of Chess960")
    show.add_argument("--depth", type=plies, default=2, metavar="D", help="of the position's tree")
    show.add_argument("-o", dest="output", metavar="OUT.html", help="write the page, instead of opening it")
    show.set_defaults(run=run_show, parser=show)

    tree = commands.add_parser("tree", help="make a tree file: a tree by name, or a random one")
    tree.add_argument("name", nargs="?", help="of the tree (default: plaat)")
    tree.add_argument("--list", action="store_true", help="list the names")
    tree.add_argument("--shape", type=shape, metavar="WxD", help="width and depth of a random tree")
    tree.add_argument("--seed", type=int, default=1, metavar="S")
    tree.add_argument("--values", type=positive, default=100, metavar="N", help="leaves from 0 to N - 1")
    tree.add_argument("--irregular", action="store_true", help="1 to W children a node, leaves at any depth")
    tree.add_argument("--order", type=float, default=0.0, metavar="P", help="fraction of sorted nodes")
    tree.add_argument("-o", dest="output", metavar="OUT.json", help="write a file instead of stdout")
    tree.set_defaults(run=run_tree, parser=tree)

    lesson = commands.add_parser("lesson", help="a small lesson: hash keys, the horizon effect, and others")
    lesson.add_argument("name", nargs="?", help="without a name: the list of lessons")
    lesson.add_argument("-o", dest="output", metavar="OUT.html", help="write it as a page with boards")
    lesson.set_defaults(run=run_lesson, parser=lesson)

    chess = commands.add_parser("chess", help="the equivalence on chess positions, through the engine's core")
    source = chess.add_mutually_exclusive_group()
    source.add_argument("--fen", help="one position (default: a few of our own)")
    source.add_argument("--epd", metavar="FILE", help="the positions of a suite")
    chess.add_argument("--depth", type=plies, required=True, metavar="D", help="depths 1 to D")
    chess.add_argument("--positions", type=positive, metavar="N", help="no more than N of them")
    chess.set_defaults(run=run_chess)

    table = commands.add_parser("table", help="leaves, nodes and passes on random trees or chess positions")
    table.add_argument("--csv", metavar="FILE", help="write the table as CSV, too")
    table.add_argument("--markdown", metavar="FILE", help="write the Markdown to a file instead of stdout")
    table.set_defaults(run=run_table, parser=table)
    plot = commands.add_parser("plot", help="the same as a picture")
    drawn = ".png, .svg or .pdf"
    plot.add_argument("-o", "--png", dest="png", type=picture, metavar="FILE", required=True, help=drawn)
    plot.add_argument(
        "--measure",
        choices=["leaves", "evaluations", "nodes", "passes", "entries", "memory"],
        default="leaves",
        help="memory: evaluations and what is kept for them, by width",
    )
    plot.set_defaults(run=run_plot, parser=plot)
    for command in (table, plot):
        add_settings(command)
    return top


def add_settings(command: argparse.ArgumentParser) -> None:
    """Add what `table` and `plot` vary: every combination of shape, order and slots is tried."""
    command.add_argument(
        "--shape", type=shape, nargs="+", metavar="WxD", help="default: those of the literature"
    )
    command.add_argument("--trees", type=positive, default=40, metavar="N", help="trees a setting")
    command.add_argument("--seed", type=int, default=1, metavar="S")
    command.add_argument(
        "--order", type=float, nargs="+", default=[0.0], metavar="P", help="fraction of sorted nodes"
    )
    command.add_argument(
        "--slots", type=int, nargs="+", default=[0], metavar="N", help="table size; 0: unbounded"
    )
    command.add_argument("--algorithms", default="all", metavar="NAME[,NAME..]")
    add_executor_arguments(command, "trees or positions", os.cpu_count() or 1)
    chess = command.add_argument_group("chess positions instead of random trees")
    chess.add_argument("--chess", action="store_true", help="the engine's drivers, deepening iteratively")
    chess.add_argument(
        "--mode",
        choices=["exact", "full-width", "play"],
        default="exact",
        help="frozen order, living order, or the player's drivers as they play",
    )
    chess.add_argument("--epd", metavar="FILE", help="positions (default: 24 openings)")
    chess.add_argument("--positions", type=positive, metavar="N")
    chess.add_argument("--depth", type=plies, default=4, metavar="D")
    chess.add_argument(
        "--grain", type=positive, nargs="+", default=[1], metavar="G", help="grain of the evaluation"
    )
    chess.add_argument(
        "--clusters", type=int, nargs="+", default=[0], metavar="N", help="table size; 0: 64 MB"
    )


def shape(text: str) -> tuple[int, int]:
    """Parse WIDTHxDEPTH."""
    width, _, depth = text.partition("x")
    return positive(width), positive(depth)


def positive(text: str) -> int:
    """Parse a positive integer."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"a positive integer is wanted, not {text!r}")
    return int(text)


def plies(text: str) -> int:
    """Parse a depth that the engine can search to."""
    from sssnake.engine.player.limits import Limits

    try:
        Limits(depth=positive(text))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return int(text)


def progress(items: Iterable[T]) -> Iterable[T]:
    """Yield the items behind a progress bar, on a terminal, if tqdm is installed."""
    if sys.stderr.isatty():
        try:
            from tqdm import tqdm
        except ImportError:
            return items
        bar: Iterable[T] = tqdm(items, leave=False)
        return bar
    return items


def run_solve(arguments: argparse.Namespace) -> int:
    """Search the trees of a file."""
    from sssnake.engine.lab.trees import reading
    from sssnake.engine.lab.views import solve

    records = reading.read_records(arguments.file)
    for line in solve.lines(records, arguments.algorithm, arguments.names):
        print(line)
    return 0


def run_trace(arguments: argparse.Namespace) -> int:
    """Print the trace of a tree."""
    from sssnake.engine.lab.trees import reading
    from sssnake.engine.lab.trees.deep import deeply
    from sssnake.engine.lab.views import trace

    kind = trace.JsonTrace if arguments.json else trace.TextTrace
    tree = reading.read_tree(arguments.file)
    deeply(lambda: kind(tree, print).run())
    return 0


def run_show(arguments: argparse.Namespace) -> int:
    """Write the page of a tree, or open it in a browser."""
    from sssnake.engine.lab.views import show

    output = Path(arguments.output) if arguments.output else None
    try_outputs([output], [STANDARD_INPUT if arguments.tree == "-" else arguments.tree])
    text = show.page(*shown(arguments))
    if output is None:
        print(show.open_in_browser(text))
    else:
        save_text(output, text)
    return 0


def _remark_on(fen: str) -> None:
    """Say what is dropped of a position."""
    from sssnake._fast.board.playable import read_fen

    try:
        remark = read_fen(fen)[1]
    except ValueError as error:
        raise TreeError(str(error)) from None
    if remark:
        print(f"sssnake lab: {remark}", file=sys.stderr)


def shown(arguments: argparse.Namespace) -> "tuple[NestedTree, ChessTreeData | None]":
    """Return the tree that `show` is about, and its boards if it is one of chess."""
    from sssnake.engine.lab.trees import reading

    if arguments.fen is None:
        arguments.parser.refuse_idle(arguments, ("depth", "chess960"), "without --fen")
        return reading.read_tree(arguments.tree or FIRST), None
    if arguments.tree:
        raise TreeError("a tree or --fen, not both")
    from sssnake.engine.lab.chess import explicit

    _remark_on(arguments.fen)
    data = explicit.written_out(arguments.fen, arguments.depth, arguments.chess960)
    return data.tree, data


def run_tree(arguments: argparse.Namespace) -> int:
    """Print, or write, a tree."""
    from sssnake.engine.lab.trees import making

    if not arguments.shape:
        arguments.parser.refuse_idle(arguments, ("seed", "values", "irregular", "order"), "without --shape")
    if arguments.list:
        print("\n".join(f"{name:<14} {named.about}" for name, named in NAMED.items()))
        return 0
    if arguments.name and arguments.shape:
        raise TreeError("a name or --shape, not both")
    name = arguments.name or "plaat"
    if name not in NAMED:
        raise TreeError(f"no tree is called {name!r}; trees by name: {', '.join(NAMED)}")
    output = Path(arguments.output) if arguments.output else None
    try_output(output)
    tree = NAMED[name].tree
    if arguments.shape:
        width, depth = arguments.shape
        tree = making.random_tree(
            width, depth, arguments.seed, arguments.values, arguments.irregular, arguments.order
        )
    if output is None:
        print(making.text(tree), end="")
    else:
        save_text(output, making.text(tree))
    return 0


def run_lesson(arguments: argparse.Namespace) -> int:
    """Print a lesson, or write the page of one."""
    from sssnake.engine.lab.lessons.frames import page
    from sssnake.engine.lab.lessons.lessons import FRAMES, LESSONS

    if arguments.name is None:
        arguments.parser.refuse_idle(arguments, ("output",), "without a name")
        for name, lesson in LESSONS.items():
            print(f"{name:<12}{lesson.__doc__}")
        return 0
    if arguments.name not in LESSONS:
        raise TreeError(f"unknown lesson {arguments.name!r}; known: {', '.join(LESSONS)}")
    if arguments.output:
        if arguments.name not in FRAMES:
            raise TreeError(f"{arguments.name} has no boards to show; {', '.join(FRAMES)} have")
        output, frames = Path(arguments.output), FRAMES[arguments.name]
        try_output(output)
        save_text(output, page(arguments.name, str(frames.__doc__), frames()))
        return 0
    for line in LESSONS[arguments.name]():
        print(line)
    return 0


def refuse_other_trees(arguments: argparse.Namespace) -> None:
    """Refuse what is about random trees with --chess, and what is about chess without it."""
    idle, where = (OF_RANDOM_TREES, "with --chess") if arguments.chess else (OF_CHESS, "without --chess")
    arguments.parser.refuse_idle(arguments, idle, where)


def compared(arguments: argparse.Namespace) -> "list[Row]":
    """Search the trees that `table` and `plot` are about."""
    from sssnake.engine.lab.views import table

    names = list(table.SEARCHES) if arguments.algorithms == "all" else arguments.algorithms.split(",")
    for name in names:
        if name not in table.SEARCHES:
            raise TreeError(f"unknown algorithm {name!r}; known: {', '.join(table.SEARCHES)}")
    rows = []
    settings = table.settings(arguments.shape or table.SHAPES, arguments.order, arguments.slots)
    with open_executor(arguments, "sssnake lab") as executor:
        for setting in settings:
            rows += table.compare(setting, names, arguments.trees, arguments.seed, executor, progress)
    return rows


def compared_on_chess(arguments: argparse.Namespace) -> "list[chess_table.Row]":
    """Deepen the drivers that `table --chess` and `plot --chess` are about."""
    from sssnake.engine.lab.chess import table as chess_table

    positions = chosen_positions(arguments) or chess_table.opening_positions()[: arguments.positions]
    rows = []
    with open_executor(arguments, "sssnake lab", processes=True) as executor:
        for grain, clusters in product(arguments.grain, arguments.clusters):
            if grain > 64 or not 0 <= clusters < 1 << 24:
                raise TreeError("the grain lies in 1..64, a table has at most 2**24 clusters")
            conditions = chess_table.Conditions(arguments.depth, arguments.mode, clusters, grain)
            rows += chess_table.compare(positions, conditions, executor, progress)
    return rows


def chosen_positions(arguments: argparse.Namespace) -> list[str]:
    """Return the positions of --epd, no more than --positions; none without --epd."""
    from sssnake.engine.lab.chess import table as chess_table

    return chess_table.read_positions(arguments.epd)[: arguments.positions] if arguments.epd else []


def run_chess(arguments: argparse.Namespace) -> int:
    """Print the evidence; 1 if anything is not as claimed."""
    from sssnake.engine.lab.chess import proof
    from sssnake.engine.lab.chess.core import EXACT

    if arguments.fen:
        _remark_on(arguments.fen)
    fens = [arguments.fen] if arguments.fen else chosen_positions(arguments) or proof.POSITIONS
    heading, sound = f"{EXACT}\n", True
    for fen in progress(list(fens)[: arguments.positions]):
        for depth in range(1, arguments.depth + 1):
            evidence = proof.prove(fen, depth)
            print(heading + "\n".join(evidence.lines()), flush=True)
            heading = ""
            sound = sound and not evidence.violations
    return 0 if sound else 1


def run_table(arguments: argparse.Namespace) -> int:
    """Print, or write, a table."""
    from sssnake.engine.lab.views import table

    refuse_other_trees(arguments)
    files = [Path(name) if name else None for name in (arguments.csv, arguments.markdown)]
    try_outputs(files, [arguments.epd])
    if arguments.chess:
        from sssnake.engine.lab.chess import table as chess_table

        found = compared_on_chess(arguments)
        text, data = chess_table.markdown(found), table.comma_separated(found, chess_table.Row)
    else:
        rows = compared(arguments)
        text, data = table.markdown(rows), table.comma_separated(rows, table.Row)
    if files[1] is None:
        print(text, end="", flush=True)
    for file, content in zip(files, (data, text), strict=True):
        if file:
            save_text(file, content)
    return 0


def run_plot(arguments: argparse.Namespace) -> int:
    """Draw a picture."""
    from sssnake.engine.lab.views import plot

    refuse_other_trees(arguments)
    target = arguments.png
    plot.check(target, arguments.epd)
    if arguments.chess:
        plot.draw_chess(compared_on_chess(arguments), target, arguments.measure)
    else:
        plot.draw(compared(arguments), target, arguments.measure)
    return 0


def run_verify(arguments: argparse.Namespace) -> int:
    """Check the properties; 1 if one is violated."""
    from sssnake.engine.lab.proofs import verify

    sound = True
    for holds, line in verify.report(arguments.trees, arguments.seed, progress):
        mark = "    " if holds is None else "ok  " if holds else "FAIL"
        print(f"{mark}  {line}", flush=True)
        sound = sound and holds is not False
    return 0 if sound else 1
