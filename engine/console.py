"""Developer commands of the protocol loop: help, d, eval, flip, perft, bench, compiler."""

import contextlib
import io
import platform
import sys

from engine.uci import Uci

DEEPEST_PERFT = 15  # plies: deeper ones would never end

HELP = """\
SSSnake speaks UCI. Beside the protocol it knows
  d              the board, its FEN, Zobrist key and checkers
  eval           the static evaluation, group by group
  flip           the same position with colours exchanged
  perft N        legal move sequences of N plies, by first move (also: go perft N)
  bench [DEPTH]  nodes and speed over a fixed set of positions
  compiler       what this build runs on
  debug on|off   a line for every pass of the driver
  quit"""


def show_help(session: Uci, words: list[str]) -> None:
    """What can be typed."""
    session.out.line(HELP)


def display(session: Uci, words: list[str]) -> None:
    """The board as White sees it, with what a bug report needs."""
    import chess

    board = session.game.board
    mirror = board.to_chess()
    checkers = " ".join(chess.square_name(square) for square in mirror.checkers())
    lines = [f"{8 - i}  {row}" for i, row in enumerate(str(mirror).splitlines())]
    lines += ["", "   a b c d e f g h", "", f"Fen: {board.fen()}", f"Key: {board.key:016X}"]
    lines.append(f"Checkers: {checkers}".rstrip())
    session.out.line("\n".join(lines))


def evaluate(session: Uci, words: list[str]) -> None:
    """The static evaluation: each group of terms (White - Black; middle game, ending), and the whole."""
    from _fast import evaluate, weights

    board = session.game.board
    evaluator = evaluate.Evaluator()
    value = evaluator.evaluate(board)
    trace = evaluator.trace(board)
    lines = []
    if trace is None:
        lines.append("an ending judged by rule")
    else:
        counts, phase, scale = trace
        groups = evaluate.group_sizes()
        flat = [pair for group in groups for pair in weights.WEIGHTS[group]]
        lines.append(f"{'White - Black':<20}{'middle':>8}{'ending':>8}")
        for group, (first, size) in groups.items():
            here = [(flat[i], count) for i, count in counts if first <= i < first + size]
            middle, ending = (sum(pair[k] * count for pair, count in here) for k in (0, 1))
            lines.append(f"{group:<20}{middle:>8}{ending:>8}")
        lines.append(f"phase {phase}/24, ending scale {scale}/64")
    white = value if board.turn else -value
    lines.append(f"Evaluation: {white / 100:+.2f} (White's view, pawns)")
    session.out.line("\n".join(lines))


def flip(session: Uci, words: list[str]) -> None:
    """Exchange the colours."""
    board = session.game.board
    fen = board.to_chess().mirror().fen(shredder=board.chess960)
    session.game.set(fen, [], board.chess960)


def perft(session: Uci, words: list[str]) -> None:
    """`perft N`: a line a move, and the sum."""
    from _fast.perft import divide

    depth = int(words[0]) if len(words) == 1 and words[0].isdecimal() else 0
    if not 1 <= depth <= DEEPEST_PERFT:
        raise ValueError(f"expected a depth from 1 to {DEEPEST_PERFT}")
    counts = divide(session.game.board, depth, session.options.threads)
    lines = [f"{move}: {count}" for move, count in counts.items()]
    session.out.line("\n".join([*lines, "", f"Nodes searched: {sum(counts.values())}"]))


def bench(session: Uci, words: list[str]) -> None:
    """`bench [DEPTH]`: the same run as on the command line."""
    from engine.tools import bench

    complaint = io.StringIO()
    try:
        with contextlib.redirect_stderr(complaint):
            bench.main(words)
    except SystemExit:  # argparse's way of refusing
        raise ValueError(complaint.getvalue().strip().splitlines()[-1]) from None


def compiler(session: Uci, words: list[str]) -> None:
    """The interpreter, the system and the file of the compiled core."""
    from _fast import search

    python = f"Python {sys.version.split()[0]}, {platform.python_compiler()}"
    session.out.line("\n".join([python, platform.platform(), search.__file__]))


COMMANDS = {
    "help": show_help,
    "d": display,
    "eval": evaluate,
    "flip": flip,
    "bench": bench,
    "compiler": compiler,
}
