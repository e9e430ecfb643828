"""Fuzzing: seeded nonsense, and what a GUI may do at the worst moment, against the real engine process.

    python tests/soak/fuzz.py [--lines 1000000] [--seed 1] [--session N] [TARGET ...]

A session starts an engine, sends it some thousand lines, most of them broken in some way, and ends it the
hard way as often as not. What must hold: the engine lives and answers; one `bestmove` for every `go`;
every line that has a form keeps it; nothing on stderr; after each batch a known position is still played
legally; it ends when it should. Exit status 1 and the session's number at the first fault; `--session`
runs one alone. What a faulty session sent is left in fuzz-SEED-SESSION.uci.
"""

import argparse
import os
import random
import re
import signal
import struct
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import chess
from chess.polyglot import zobrist_hash

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.constants import KIWIPETE
from support.engine_process import Engine, EngineError
from support.tablebases import FOLDER

BATCHES, BATCH = 20, 100  # a session: batches, lines in each
WORDS = """
    uci isready debug on off setoption name value ucinewgame position startpos fen moves go stop ponderhit
    infinite ponder wtime btime winc binc movestogo depth nodes mate movetime searchmoves register later
    perft bench eval d flip help compiler 0000 none true false e2e4 e7e8q e1g1 e1h1 a7a8N -1 0 1
    999999999999999999999 1e9 0x10 \x00 \ufeff é ٣ 🐍 <empty> " ' % %s {0} \\ / //// k7/8/8/8/8/8/8/7K w -
    KQkq HAha
"""
KEYWORDS = WORDS.split()
CONTROLS = "\x00\t\v\r /:\x7f\x85\u2028"
OPTIONS = """
    Hash, Clear Hash, Threads, Driver, MultiPV, Ponder, Move Overhead, nodestime, OwnBook, BookFile,
    BookDepth, SyzygyPath, SyzygyProbeDepth, SyzygyProbeLimit, Syzygy50MoveRule, Skill Level,
    UCI_LimitStrength, UCI_Elo, UCI_Chess960, UCI_ShowWDL, UCI_AnalyseMode, UCI_Opponent, UCI_EngineAbout,
    EvalFile, Nonsense
"""
NAMES = [name.strip() for name in OPTIONS.split(",")]
VALUES = ("true", "false", "1", "2", "3", "", "-1", "0", "x", "PVS", "MTD(f)", "SSS*")
LIMITS = ("depth", "nodes", "movetime", "wtime", "btime", "winc", "mate", "movestogo")
NUMBERS = (0, 1, 2, 5, 30, -1, -100, 10**9, 10**20)
COMMON = ("isready", "uci", "stop", "ponderhit", "ucinewgame", "d", "eval", "flip", "compiler", "help")
SLOW = ("bench 1", "go perft 2", "perft 1", "debug on", "debug off", "register later")
FENS = (
    chess.STARTING_FEN,
    KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "rnbqkbnr/ppp1pppp/8/8/3pP3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 3",
    "2r5/8/1n6/1P1p1pkp/p2P4/R1P1PKP1/8/1R6 w - - 98 80",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "k7/8/8/8/8/8/8/7K w - - 0 1",
    "7k/5K2/6P1/8/8/8/8/8 b - - 0 1",
    "8/8/8/8/8/5k2/6q1/7K w - - 0 1",
)
MOVE = "[a-h][1-8][a-h][1-8][nbrq]?"
LINE = re.compile(
    rf"bestmove ({MOVE}( ponder {MOVE})?|\(none\))"
    r"|info string [^\x00-\x1f]*"
    r"|info depth \d+( seldepth \d+ multipv \d+)? score (cp|mate) -?\d+( (upper|lower)bound)?"
    rf"( wdl \d+ \d+ \d+)?( nodes \d+ nps \d+ hashfull \d+ tbhits \d+ time \d+)?( pv( {MOVE})+)?"
)


class Nonsense:
    """Lines of input, good ones broken at random."""

    def __init__(self, rng: random.Random):
        self.rng = rng
        self.games = [self._game() for _ in range(4)]

    def _game(self) -> tuple[str, list[str]]:
        """A start and random legal moves from it."""
        fen = self.rng.choice(FENS)
        board = chess.Board(fen, chess960="HF" in fen)
        while not board.is_game_over() and board.ply() < 150:
            board.push(self.rng.choice(list(board.legal_moves)))
        return fen, [board.uci(move) for move in board.move_stack]

    def position(self) -> str:
        """`position`, mostly right."""
        fen, moves = self.rng.choice(self.games)
        count = self.rng.randint(0, len(moves))
        start = "startpos" if fen == chess.STARTING_FEN else f"fen {self.broken(fen, 0.3)}"
        return f"position {start} moves {' '.join(moves[:count])}"

    def go(self) -> str:
        """`go` with any limits. Endless ones are stopped by the next `go` or the end of the batch."""
        choice = self.rng.choice
        words = ["go"]
        for _ in range(choice((1, 1, 1, 2, 4))):
            name = choice(LIMITS)
            limit = f"{name} {choice(NUMBERS)}"
            words.append(choice((limit, "infinite", "ponder", "searchmoves e2e4 e1g1", name)))
        return " ".join([*words, f"nodes {self.rng.randint(1, 300)}"])

    def option(self) -> str:
        """`setoption`, with values that a machine of any size stands."""
        return f"setoption name {self.rng.choice(NAMES)} value {self.rng.choice(VALUES)}"

    def other(self) -> str:
        """The small commands."""
        return self.rng.choice(COMMON if self.rng.random() < 0.9 else SLOW)

    def words(self) -> str:
        """Any words at all."""
        return " ".join(self.rng.choices(KEYWORDS, k=self.rng.choice((1, 2, 3, 5, 8, 40))))

    def broken(self, text: str, chance: float) -> str:
        """`text`, changed in one place or several with that probability each time."""
        while text and self.rng.random() < chance:
            at, end = sorted(self.rng.choices(range(len(text) + 1), k=2))
            text = self.rng.choice(
                (
                    text[:at] + text[at + 1 :],
                    text[:at] + text[end:],
                    text[:at] + text[at:end] * 2 + text[end:],
                    text[:at] + self.rng.choice(CONTROLS) + text[at:],
                    text[:at] + self.rng.choice(KEYWORDS) + text[at:],
                    text[:at] + chr(self.rng.randint(33, 126)) + text[at + 1 :],
                    text[:at] + text[at:].swapcase(),
                    text[end:] + " " + text[:at],
                )
            )
        return text[:4000]

    def line(self) -> bytes:
        """One line, without its end."""
        kinds = (self.position, self.go, self.option, self.other, self.words)
        text = self.rng.choices(kinds, (4, 2, 2, 3, 1))[0]()
        text = self.broken(text, 0.4)
        data = tame(text).encode("utf-8", "surrogatepass").replace(b"\n", b" ")
        if self.rng.random() < 0.02:
            data = bytes(self.rng.randint(11, 255) for _ in range(self.rng.randint(0, 60)))
        return data.replace(b"\n", b"") if harmless(data) else b"isready"


def tame(text: str) -> str:
    """No numbers of threads or megabytes that would exhaust the machine rather than the engine."""
    if re.search(r"hash|threads|log|h\s*a\s*s\s*h", text, re.IGNORECASE):
        return re.sub(r"[\d٣]+", "2", text)
    return text


def harmless(data: bytes) -> bool:
    """Whether a line neither ends the session nor counts for minutes nor writes a file."""
    words = data.decode("utf-8", "replace").lower().split()
    if words[:1] == ["quit"] or "log" in words or any("debuglogfile" in word for word in words):
        return False
    return not {"perft", "bench"} & set(words) or " ".join(words) in SLOW


def exchange(engine: Engine, lines: list[bytes]) -> None:
    """Send a batch and see that the answers are in order."""
    mark = f"mark-{len(engine.sent)}"
    engine.send(*lines, b"stop", mark.encode())
    expected = sum(asks_for_a_move(line) for line in lines)
    moves = 0
    for line in engine.hear():
        if line.startswith(f"info string unknown command: {mark}"):
            break
        moves += line.startswith("bestmove")
        check_form(line)
    if moves != expected:
        raise EngineError(f"{moves} bestmoves for {expected} searches")


def probe(engine: Engine, rng: random.Random) -> None:
    """A known position is still played legally."""
    board = chess.Board("r1bq1rk1/1ppp1pp1/p1nb1n1p/4p3/4P3/2PP1N2/P1N2PPP/R1BQKB1R w - - 0 10")
    for _ in range(rng.randint(0, 3)):
        board.push(rng.choice(list(board.legal_moves)))
    moves = " ".join(map(str, board.move_stack))
    engine.send(f"position fen {board.root().fen()} moves {moves}".encode(), b"go nodes 30")
    for line in engine.hear():
        check_form(line)
        if line.startswith("bestmove"):
            if chess.Move.from_uci(line.split()[1]) not in board.legal_moves:
                raise EngineError(f"{line} in {board.fen()}")
            return


def asks_for_a_move(line: bytes) -> bool:
    """Whether a line is a `go` that owes a bestmove."""
    text = line.replace(b"\0", b"").removeprefix(b"\xef\xbb\xbf")  # as the engine reads lines of some shells
    words = text.decode("utf-8", "replace").lower().split()
    return words[:1] == ["go"] and words[1:2] != ["perft"]


def check_form(line: str) -> None:
    """Lines that GUIs parse keep their form; no search breaks down."""
    if line.startswith(("bestmove", "info")) and not LINE.fullmatch(line):
        raise EngineError(f"form: {line!r}")
    if "search failed" in line or "Traceback" in line:
        raise EngineError(line)


# How sessions end. Each returns the exit status that is right.


def by_quit(engine: Engine) -> int:
    """The polite way."""
    engine.send(b"quit")
    return 0


def by_end_of_input(engine: Engine) -> int:
    """As when the GUI is killed."""
    engine.stdin.close()
    return 0


def by_half_a_line(engine: Engine) -> int:
    """The GUI dies while writing."""
    os.write(engine.stdin.fileno(), b"position fen 8/8/8")
    return by_end_of_input(engine)


def by_deafness(engine: Engine) -> int:
    """Nobody reads any more: the first line that cannot be printed ends the engine."""
    engine.stdout.close()
    return by_end_of_input(engine)


def by_signal(number: signal.Signals) -> Callable[[Engine], int]:
    """A signal, which nobody catches."""

    def end(engine: Engine) -> int:
        engine.process.send_signal(number)
        return -number

    return end


ENDS: tuple[Callable[[Engine], int], ...] = (
    by_quit,
    by_end_of_input,
    by_half_a_line,
    by_deafness,
    by_signal(signal.SIGINT),
    by_signal(signal.SIGTERM),
    by_signal(signal.SIGHUP),
)


# Targets: what a session sends. Each is a generator of batches.


def uci(rng: random.Random, folder: Path) -> Iterator[list[bytes]]:
    """The protocol: commands, positions, options."""
    nonsense = Nonsense(rng)
    for _ in range(BATCHES):
        yield [nonsense.line() for _ in range(BATCH)]


def files(rng: random.Random, folder: Path) -> Iterator[list[bytes]]:
    """Books, tablebases and networks that are not what they should be."""
    good = book(rng)
    tables = sorted(FOLDER.glob("*.rtb[wz]")) if FOLDER else []
    for number in range(BATCHES):
        names = {f"{number}.bin": good}
        chosen = rng.sample(tables, min(3, len(tables)))
        names |= {f"{number}/{table.name}": table.read_bytes() for table in chosen}
        names[f"{number}.net"] = b"SSSN" + rng.randbytes(3000)
        for name, data in names.items():
            path = folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(damaged(rng, data))
        values = {
            "OwnBook": "true",
            "BookFile": rng.choice(("", ".", "/dev/null", "none", f"{number}.bin")),
            "SyzygyPath": rng.choice(("none", f"{number}", f"{number}:.")),
            "EvalFile": rng.choice(("", f"{number}.net", f"{number}.bin")),
        }
        yield [
            *(f"setoption name {name} value {value}".encode() for name, value in values.items()),
            *(line for _ in range(6) for line in (b"position startpos" + few_moves(rng), b"go nodes 30")),
            *(line for _ in range(6) for line in (b"position fen " + three_men(rng), b"go nodes 30")),
            b"setoption name EvalFile value <internal>",
        ]


def book(rng: random.Random) -> bytes:
    """A small book in order, of random moves from the starting position."""
    entries = []
    for _ in range(40):
        board = chess.Board()
        for _ in range(rng.randint(0, 2)):
            board.push(rng.choice(list(board.legal_moves)))
        move = rng.choice(list(board.legal_moves))
        entries.append((zobrist_hash(board), move.from_square << 6 | move.to_square, rng.randint(0, 3), 0))
    return b"".join(struct.pack(">QHHI", *entry) for entry in sorted(entries))


def damaged(rng: random.Random, data: bytes) -> bytes:
    """`data`, whole or with bits turned, blocks moved, cut or prolonged."""
    for _ in range(rng.choice((0, 1, 1, 2, 20))):
        at, end = sorted(rng.choices(range(len(data) + 1), k=2))
        data = rng.choice(
            (
                data[:at],
                data[end:],
                data[:at] + data[end:],
                data[end:] + data[:at],
                data + rng.randbytes(17),
                data[:at] + rng.randbytes(1) + data[at + 1 :],
                data[:at] + bytes(end - at) + data[end:],
                data[:at] + b"\xff" * min(16, end - at) + data[at + 16 :],
            )
        )
    return data


def few_moves(rng: random.Random) -> bytes:
    """` moves` and the first ones of a game."""
    board = chess.Board()
    for _ in range(rng.randint(0, 2)):
        board.push(rng.choice(list(board.legal_moves)))
    return f" moves {' '.join(map(str, board.move_stack))}".encode()


def three_men(rng: random.Random) -> bytes:
    """A legal position with two kings and one other piece."""
    while True:
        board = chess.Board(None)
        for square, piece in zip(rng.sample(range(64), 3), f"Kk{rng.choice('QRBNPqrbnp')}", strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(piece))
        board.turn = rng.random() < 0.5
        if board.is_valid():
            return board.fen().encode()


TARGETS = {"uci": uci, "files": files}


def play(target: str, seed: int, number: int) -> tuple[int, str]:
    """One session: lines sent, and the fault if there was one."""
    rng = random.Random(f"{seed}/{target}/{number}")
    with tempfile.TemporaryDirectory() as folder:
        engine = Engine(folder)
        try:
            for lines in TARGETS[target](rng, Path(folder)):
                exchange(engine, lines)
                probe(engine, rng)
            engine.send(*rng.choices((b"isready", b"uci", b"go infinite", b"go ponder wtime 100"), k=2))
            time.sleep(rng.choice((0, 0.001, 0.01, 0.1)))
            engine.end(rng.choice(ENDS)(engine))
        except EngineError as error:
            Path(f"fuzz-{seed}-{number}.uci").write_bytes(b"\n".join(engine.sent))
            return len(engine.sent), str(error)
        finally:
            engine.close()
    return len(engine.sent), ""


def main() -> int:
    """Sessions until enough lines were sent."""
    verbatim = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=verbatim)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)}; default: all")
    parser.add_argument("--lines", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--session", type=int, help="only this one")
    args = parser.parse_args()
    for ignored in (signal.SIGINT, signal.SIGHUP):  # nohup and a script's `&` ignore them, children too
        signal.signal(ignored, signal.SIG_DFL)
    sent = number = 0
    while sent < args.lines:
        number += 1
        target = (args.targets or list(TARGETS))[number % len(args.targets or TARGETS)]
        if args.session not in (None, number):
            continue
        lines, fault = play(target, args.seed, number)
        sent += lines
        if fault:
            print(f"session {number} of seed {args.seed} ({target}): {fault}")
            return 1
        if args.session:
            break
    print(f"{sent} lines, {number} sessions, seed {args.seed}: nothing found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
