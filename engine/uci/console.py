"""Developer commands of the protocol loop: each turns the game in force into a text. ValueError: refused."""

import contextlib
import io
import platform
import sys

from sssnake.engine.common import build
from sssnake.engine.player.options import Options
from sssnake.engine.uci.game import CurrentGame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sssnake._fast.board.board import Board
    from sssnake._fast.evaluation.nnue import Network

DEEPEST_PERFT = 15  # plies: deeper ones would never end

FRAME = " +---+---+---+---+---+---+---+---+"  # as clients expect it that read Stockfish's `d`

HELP = """\
SSSnake speaks UCI, the language between chess programs and engines. By hand:
  position startpos moves e2e4       the position, by moves or: position fen FEN
  go movetime 1000                   think for a second, then say bestmove (also: nodes N, depth N, infinite)
  stop                               end the search
  setoption name Threads value 2     change an option; uci lists them
Beside the protocol it knows
  d              the board, its FEN, Zobrist key and checkers
  eval           the static evaluation, and what it is made of
  flip           the same position with colours exchanged
  perft N        legal move sequences of N plies, by first move (also: go perft N)
  bench [DEPTH]  nodes and speed over a fixed set of positions
  genfens N seed S book None|FILE   openings for training games, as OpenBench asks for them
  compiler       what this build runs on
  debug on|off   a line for every pass of the driver
  quit
The other commands (matches, test suites, training, the laboratory): sssnake --help, in a shell"""


def greeting() -> str:
    """The first line on a terminal: who speaks, and what to type."""
    return f"{build.name()}, a UCI chess engine. Type help, go movetime 1000 or quit."


def show_help(game: CurrentGame, options: Options, words: list[str]) -> str:
    """What can be typed."""
    return HELP


def display(game: CurrentGame, options: Options, words: list[str]) -> str:
    """The board as White sees it, with what a bug report needs."""
    import chess

    board = game.board
    mirror = board.to_chess()
    checkers = " ".join(chess.square_name(square) for square in mirror.checkers())
    lines = [FRAME]
    for rank, row in enumerate(str(mirror).splitlines()):
        cells = "".join(f"| {piece.replace('.', ' ')} " for piece in row.split())
        lines += [f" {cells}| {8 - rank}", FRAME]
    lines += ["   a   b   c   d   e   f   g   h", "", f"Fen: {board.fen()}", f"Key: {board.key:016X}"]
    lines.append(f"Checkers: {checkers}")
    return "\n".join(lines)


def evaluate(board: "Board", network: "Network | None") -> str:
    """The static evaluation: what speaks for whom, and the whole."""
    from sssnake._fast.evaluation.evaluate import Evaluator
    from sssnake.engine.player import evaluation

    evaluator = Evaluator(network)
    lines = [f"Evaluated by: {evaluation.describe(network)}"]
    trace = evaluator.trace(board)
    if trace is None:
        lines.append("an ending judged by rule")
    else:
        lines.append(f"phase {trace[1]}/24, ending scale {trace[2]}/64")
    if network is not None:
        alone = network.value(board) if board.turn else -network.value(board)
        lines.append(f"the network alone: {alone / 100:+.2f}")
    value = evaluator.evaluate(board)
    white = value if board.turn else -value
    lines += [f"Final evaluation: {white / 100:+.2f} (White's view, pawns)", ""]  # clients read on
    return "\n".join(lines)


def flip(game: CurrentGame, options: Options, words: list[str]) -> str:
    """Exchange the colours."""
    board = game.board
    fen = board.to_chess().mirror().fen(shredder=board.chess960)
    game.set(fen, [], board.chess960)
    return ""


def perft(game: CurrentGame, options: Options, words: list[str]) -> str:
    """`perft N`: a line a move, and the sum."""
    from sssnake._fast.board.perft import divide

    depth = int(words[0]) if len(words) == 1 and words[0].isdecimal() else 0
    if not 1 <= depth <= DEEPEST_PERFT:
        raise ValueError(f"expected a depth from 1 to {DEEPEST_PERFT}")
    counts = divide(game.board, depth, options.threads)
    lines = [f"{move}: {count}" for move, count in counts.items()]
    return "\n".join([*lines, "", f"Nodes searched: {sum(counts.values())}", ""])


def bench(game: CurrentGame, options: Options, words: list[str]) -> str:
    """`bench [DEPTH]`: the same run as on the command line, which prints as it goes.

    `bench HASH THREADS DEPTH default depth mixed` is what scripts for Stockfish send: its last line is added.
    """
    from sssnake.engine.player import bench

    complaint, text = io.StringIO(), io.StringIO()
    as_stockfish = len(words) == 6 and words[3:5] == ["default", "depth"]
    try:
        with contextlib.redirect_stderr(complaint):
            if not as_stockfish:
                bench.main(words)
                return ""
            with contextlib.redirect_stdout(text):
                bench.main([words[2], "--hash", words[0], "--threads", words[1]])
    except SystemExit:  # argparse's way of refusing
        raise ValueError(complaint.getvalue().strip().splitlines()[-1]) from None
    return f"{text.getvalue()}Nodes/second    : {text.getvalue().split()[-2]}"


def genfens(game: CurrentGame, options: Options, words: list[str]) -> str:
    """`genfens N seed S book None|FILE`: level positions after random moves."""
    from sssnake.engine.selfplay import genfens

    count, seed, book = genfens.read(words)
    fens = zip(range(count), genfens.positions(seed, book), strict=False)
    return "\n".join(f"info string genfens {fen}" for _, fen in fens)


def compiler(game: CurrentGame, options: Options, words: list[str]) -> str:
    """The interpreter, the system and the file of the compiled core."""
    from sssnake._fast.search import root

    python = f"Python {sys.version.split()[0]}, {platform.python_compiler()}"
    return "\n".join([python, platform.platform(), root.__file__])


OF_POSITION = ("d", "flip")  # and eval and perft, which the protocol loop calls itself
COMMANDS = {
    "help": show_help,
    "d": display,
    "flip": flip,
    "bench": bench,
    "compiler": compiler,
    "genfens": genfens,
}
