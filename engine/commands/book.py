"""book: makes a Polyglot book from opening lines. The weights of moves come from the engine's own search.

Each position of the lines is searched alone, without earlier memory and with a fixed number of nodes. So the
book depends only on the sources, the options and the version of the engine. The values are backed up through
the graph of the lines, where a position may also be left by the best move of its search (drop-out expansion,
Lincke 2000). Better and more frequent moves have more weight. Moves that lose more than a margin against the
best one, or would have almost no weight, are left out.
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

from sssnake._fast.board.board import Board
from sssnake.engine.commands.book_sources import Graph, Node, encode, gather
from sssnake.engine.common.arguments import Parser, natural, positive
from sssnake.engine.common.files import try_outputs, whole
from sssnake.engine.common.progress import Progress
from sssnake.engine.games.movetext import ENGLISH, LANGUAGE_HELP, LANGUAGES
from sssnake.engine.games.opening_files import BadOpeningError
from sssnake.engine.jobs.executor import JobExecutor, add_executor_arguments, open_executor
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits

NODES = 5000  # a position
MARGIN = 40  # centipawns a book move may lose against the best
LEAST = 4  # games of a PGN that must hold a move
PLIES = 30  # of a line
HASH_MB = 1  # enough for some thousand nodes, and fast to clear
CHUNK = 64  # positions a job
HEAVIEST = 1000  # weight of the best move of a position ...
LIGHTEST = 10  # ... and the least weight: moves with less are left out
ENTRY = struct.Struct(">QHHI")  # key, move, weight, learn


@cache
def judge_of(nodes: int, _thread: int) -> Callable[[str], tuple[int, str]]:
    """A function of EPDs, kept for the thread: (centipawns for the side to move, best move or "")."""
    engine = Engine(hash_mb=HASH_MB)
    engine.prepare()

    def judge(epd: str) -> tuple[int, str]:
        engine.new_game()
        result = engine.play(Board(epd), Limits(nodes=nodes))
        return result.score.value, result.move.uci() if result.move else ""

    return judge


def judge_some(nodes: int, epds: Sequence[str]) -> list[tuple[int, str]]:
    """The job: search some positions."""
    judge = judge_of(nodes, threading.get_ident())
    return [judge(epd) for epd in epds]


def judge_all(graph: Graph, nodes: int, executor: JobExecutor) -> None:
    """Search every position. The values do not depend on the number of workers."""
    found = list(graph.nodes.values())
    epds = [node.epd for node in found]
    chunks = [epds[first : first + CHUNK] for first in range(0, len(epds), CHUNK)]
    done = 0
    with Progress(len(found), "positions") as bar:
        for _chunk, verdicts in executor.in_order(partial(judge_some, nodes), chunks):
            for node, verdict in zip(found[done:], verdicts, strict=False):
                node.value, node.best = verdict
            done += len(verdicts)
            bar.advance(steps=len(verdicts))


def backed_up(graph: Graph, plies: int) -> dict[int, int]:
    """The value of every position: the mean of its own search and of the best value after it.

    The maximum of many searches is too high because of their errors; the mean halves these errors at each
    move. The graph may have cycles, so the values are computed in sweeps, each of which carries them up by
    one move.
    """
    values = {key: node.value for key, node in graph.nodes.items()}
    for _ in range(plies):
        new = {key: (node.value + best(node, values)) // 2 for key, node in graph.nodes.items()}
        if new == values:
            break
        values = new
    return values


def best(node: Node, values: dict[int, int]) -> int:
    """The value of the best move of a position: one of the lines, or the best move of its own search."""
    moves = [-values[choice.child] for choice in node.choices.values()]
    dropping_out = not any(move.uci() == node.best for move in node.choices)
    return max(moves + [node.value] * dropping_out)


def recommended(node: Node, values: dict[int, int], margin: int) -> Iterator[tuple[int, int]]:
    """(move in Polyglot's form, weight) of the recommended moves."""
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
    """The book: entries sorted by key, then by falling weight."""
    values = backed_up(graph, plies)
    rows = [
        (key, -weight, move)
        for key, node in graph.nodes.items()
        for move, weight in recommended(node, values, margin)
    ]
    return b"".join(ENTRY.pack(key, move, -weight, 0) for key, weight, move in sorted(rows))


def build(args: Namespace) -> bytes:
    """Read, search, and compute weights; print counts. ValueError, one line, on a bad source."""
    try:
        graph, left_out, dropped = gather(args.sources, args.plies, args.skip_bad, args.language)
    except BadOpeningError as error:
        raise ValueError(f"{error} (--skip-bad leaves it out)") from None
    if left_out:
        print(f"sssnake book build: {len(left_out)} left out, the first: {left_out[0]}", file=sys.stderr)
    if dropped:
        print(f"sssnake book build: {len(dropped)} with a remark, the first: {dropped[0]}", file=sys.stderr)
    graph.trim(args.least)
    if not graph.nodes:
        raise ValueError(f"no move is in {args.least} games or more (--least 1 takes them all)")
    moves = sum(len(node.choices) for node in graph.nodes.values())
    print(f"{len(graph.nodes)} positions, {moves} moves", flush=True)
    with open_executor(args, "sssnake book build", processes=True) as executor:
        judge_all(graph, args.nodes, executor)
    book = entries(graph, args.plies, args.margin)
    if not book:
        raise ValueError(
            f"every move loses more than {args.margin} centipawns against the best one (--margin)"
        )
    print(f"{len(book) // ENTRY.size} entries, the other moves lose too much against the best")
    return book


def save(book: bytes, target: Path) -> None:
    """Write the book atomically."""
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
    add("--language", choices=LANGUAGES, default=ENGLISH, help=LANGUAGE_HELP)
    add("--plies", type=positive, default=PLIES, help=f"where lines are cut (default {PLIES})")
    add("--skip-bad", action="store_true", help="leave out games and lines that cannot be read")
    add_executor_arguments(parser, "searches")
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
    try_outputs([args.output], args.sources)
    save(build(args), args.output)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
