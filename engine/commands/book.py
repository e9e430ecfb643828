"""book: opening lines become a Polyglot book, every move weighed by the engine's own search.

Each position of the lines is searched by itself, with fresh memory and a fixed number of nodes, so that the
book depends on the sources, the options and the version of the engine alone. The values are backed up through
the graph of the lines, where a position may also be left by the move that its search prefers (drop-out
expansion, Lincke 2000). The better and the more frequent a move, the more it weighs. Moves that lose more
than a margin against the best, or would weigh next to nothing, are left out.
"""

import hashlib
import struct
import sys
import threading
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from math import isqrt
from pathlib import Path

import chess

from _fast.board.board import Board
from engine.commands.book_sources import Graph, Node, encode, gather
from engine.common.arguments import Parser, natural, positive
from engine.common.files import try_output, whole
from engine.common.progress import StatusLine
from engine.games.opening_files import BadOpeningError
from engine.jobs import executor
from engine.jobs.executor import Crew
from engine.player.limits import Limits
from engine.player.options import Options
from engine.player.searcher import Info, Searcher

NODES = 5000  # a position
MARGIN = 40  # centipawns a book move may lose against the best
LEAST = 4  # games of a PGN that must hold a move
PLIES = 30  # of a line
HASH_MB = 1  # a search of some thousand nodes needs no more, and it is quick to clear
CHUNK = 64  # positions a job
HEAVIEST = 1000  # weight of a position's most recommended move ...
LIGHTEST = 10  # ... and of the least: what would weigh less is left out
ENTRY = struct.Struct(">QHHI")  # key, move, weight, learn


@cache
def judge_of(nodes: int, _thread: int) -> Callable[[str], tuple[int, str]]:
    """A thread's judge of EPDs, kept: (centipawns for the side to move, best move or "")."""
    searcher = Searcher(Options(hash_mb=HASH_MB))
    searcher.prepare()

    def judge(epd: str) -> tuple[int, str]:
        reports: list[Info] = []
        searcher.new_game()
        best = searcher.search(Board(epd), Limits(nodes=nodes), reports.append).bestmove
        return [info.score for info in reports if not info.bound][-1], best or ""

    return judge


def judge_some(nodes: int, epds: Sequence[str]) -> list[tuple[int, str]]:
    """The job: search these positions."""
    judge = judge_of(nodes, threading.get_ident())
    return [judge(epd) for epd in epds]


def judge_all(graph: Graph, nodes: int, crew: Crew) -> None:
    """Search every position; the outcome does not depend on how many workers share the work."""
    found = list(graph.nodes.values())
    epds = [node.epd for node in found]
    chunks = [epds[first : first + CHUNK] for first in range(0, len(epds), CHUNK)]
    done = 0
    with StatusLine() as line:
        for _chunk, verdicts in crew.in_order(partial(judge_some, nodes), chunks):
            for node, verdict in zip(found[done:], verdicts, strict=False):
                node.value, node.best = verdict
            done += len(verdicts)
            line.show(f"{done}/{len(found)} positions")


def backed_up(graph: Graph, plies: int) -> dict[int, int]:
    """Value of every position: half its own search's, half the best that the lines behind it lead to.

    The best of many searches is too good by their errors, the more so the more lines there are; halved at
    each move, these errors stay small. Lines meet and may close a circle: a sweep carries values one move up.
    """
    values = {key: node.value for key, node in graph.nodes.items()}
    for _ in range(plies):
        new = {key: (node.value + best(node, values)) // 2 for key, node in graph.nodes.items()}
        if new == values:
            break
        values = new
    return values


def best(node: Node, values: dict[int, int]) -> int:
    """What the best move of a position leads to: one of the lines, or that of the position's own search."""
    moves = [-values[choice.child] for choice in node.choices.values()]
    dropping_out = not any(move.uci() == node.best for move in node.choices)
    return max(moves + [node.value] * dropping_out)


def recommended(node: Node, values: dict[int, int], margin: int) -> Iterator[tuple[int, int]]:
    """(move as Polyglot writes it, weight) of the moves worth playing."""
    if node.asked and not node.choices and node.best:
        yield encode(chess.Board(f"{node.epd} 0 1"), chess.Move.from_uci(node.best)), HEAVIEST
    merits = {}
    for choice in node.choices.values():
        loss = best(node, values) + values[choice.child]
        if loss <= margin:
            merits[choice.bits] = isqrt(10000 * choice.count) * (margin + 1 - loss) ** 2
    for bits, merit in merits.items():
        weight = HEAVIEST * merit // max(merits.values())
        if weight >= LIGHTEST:
            yield bits, weight


def entries(graph: Graph, plies: int, margin: int) -> bytes:
    """The book: entries by key, then the heaviest first."""
    values = backed_up(graph, plies)
    rows = [
        (key, -weight, move)
        for key, node in graph.nodes.items()
        for move, weight in recommended(node, values, margin)
    ]
    return b"".join(ENTRY.pack(key, move, -weight, 0) for key, weight, move in sorted(rows))


def build(args: Namespace) -> bytes:
    """Read, search, weigh; a line of counts for each step. ValueError, one line, on a bad source."""
    try:
        graph, left_out = gather(args.sources, args.plies, args.skip_bad)
    except BadOpeningError as error:
        raise ValueError(f"{error} (--skip-bad goes on without it)") from None
    if left_out:
        print(f"sssnake book build: {len(left_out)} left out, the first: {left_out[0]}", file=sys.stderr)
    graph.trim(args.least)
    if not graph.nodes:
        raise ValueError(f"no move is in {args.least} games or more (--least 1 takes them all)")
    moves = sum(len(node.choices) for node in graph.nodes.values())
    print(f"{len(graph.nodes)} positions, {moves} moves", flush=True)
    with executor.hire(args, "sssnake book build", processes=True) as crew:
        judge_all(graph, args.nodes, crew)
    book = entries(graph, args.plies, args.margin)
    if not book:
        raise ValueError(f"every move loses more than {args.margin} cp against the best (--margin)")
    print(f"{len(book) // ENTRY.size} entries, the other moves lose too much against the best")
    return book


def save(book: bytes, target: Path) -> None:
    """Write the whole file or none."""
    with whole(target) as file:
        file.write(book)
    print(f"{target}: {len(book)} bytes, sha256 {hashlib.sha256(book).hexdigest()}")


def build_parser() -> Parser:
    """The command line."""
    parser = Parser("sssnake book build", description=__doc__)
    add = parser.add_argument
    add("sources", nargs="+", type=Path, metavar="SOURCE", help="TSV, PGN or EPD, the last two also zipped")
    add("-o", "--output", type=Path, required=True, metavar="FILE", help="the book")
    add("--nodes", type=positive, default=NODES, help=f"of the search of a position (default {NODES})")
    add("--margin", type=natural, default=MARGIN, help=f"centipawns a move may lose (default {MARGIN})")
    add("--least", type=positive, default=LEAST, help=f"games that must hold a PGN's move (default {LEAST})")
    add("--plies", type=positive, default=PLIES, help=f"where lines are cut (default {PLIES})")
    add("--skip-bad", action="store_true", help="go on without games and lines that cannot be read")
    executor.add_arguments(parser, "searches")
    return parser


def main(argv: list[str]) -> int:
    """`sssnake book build SOURCE... -o FILE`."""
    if argv[:1] != ["build"]:
        if argv and argv[0] in ("-h", "--help"):
            build_parser().print_help()
            return 0
        Parser("sssnake book").error("expected: build SOURCE... -o FILE (--help)")
    parser = build_parser()
    args = parser.parse_args(argv[1:])
    try:
        try_output(args.output)
        save(build(args), args.output)
    except (OSError, ValueError, executor.CrewError) as error:
        parser.refuse(error)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
