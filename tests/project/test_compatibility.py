"""What the last column of docs/develop/compatibility.md says of SSSnake, with the facts typed in."""

import io
import re
import struct
import sys
from pathlib import Path

import chess
import chess.pgn
import chess.polyglot
import pytest
from support.constants import FAKE, ROOT
from support.matches import result
from support.sessions import InProcess, Process, fen_of

from sssnake._fast.board.board import Board
from sssnake.engine.analysis import analyse
from sssnake.engine.commands import book
from sssnake.engine.games.elo import Sprt
from sssnake.engine.games.opening_files import stream_items
from sssnake.engine.games.outcome import outcome_with_history
from sssnake.engine.games.pgn_reader import game_of
from sssnake.engine.match.report import Tally
from sssnake.engine.player.options import Options
from sssnake.engine.player.resources.book import Book

PAGE = ROOT / "docs/develop/compatibility.md"
# Each question and what the page says of SSSnake.
OURS = {
    "The castling letter of an inner rook": "`B`",
    "The same where standard chess is set": "`B`",
    "The en-passant square that nobody can use": "`-`",
    "The en-passant square of a pinned pawn": "`-`",
    "Threefold repetition behind such a pawn": "yes",
    "A move beside a pinned twin": "`Ne2`",
    "A mark behind a comment": "read",
    "A comment before the first move": "read",
    "A line that begins with a comment": "read",
    "Moves as two squares": "read",
    "Long moves": "read",
    "Figurines": "read",
    "`[%eval #0]`": "none written",
    "Weights of a book made of games": "from searches",
    "Book moves of weight 0": "no move",
    "Castling in a book as e1g1": "`e1g1`",
    "A promotion in a book": "`b7b8n`",
    "`bestmove` at a stalemate": "`bestmove (none)`",
    "An empty clock beside a movetime": "about a second",
    "KQvK at 95 and at 96 plies without a capture": "mate in 3; winning, no mate",
    "KQvK at 83 and at 84 plies without a capture": "mate in 9; winning, no mate",
    "The clock of the first move": "11000 ms",
    "`ucinewgame` and `isready`": "2 in two games; `ucinewgame`, `isready`, `position`",
    "The error of one pair": "`+0.0 +- ?`",
    "The error of a pair with a win": "`+190.8 +- ?`",
    "The error of a pair that is won": "`+inf +- ?`",
    "The model of the SPRT": "`0.17`",
}
INNER_ROOK = "4k3/8/8/8/8/8/8/RR2K3 w B - 0 1"
PINNED_PAWN = "8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1"
PINNED_TWIN = "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1"


def test_page_says_what_is_tested_here() -> None:
    rows = re.findall(r"^\| \*\*(.+?)\.\*\* .* \| (.+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(rows) == OURS and len(rows) == len(OURS)


def test_fens(session: InProcess) -> None:
    session.send(f"position fen {INNER_ROOK}")
    assert fen_of(session) == INNER_ROOK
    session.send("position startpos moves e2e4")
    assert fen_of(session).split()[3] == "-"
    session.send(f"position fen {PINNED_PAWN} moves d2d4")
    assert fen_of(session).split()[3] == "-"
    session.send("setoption name UCI_Chess960 value true", f"position fen {INNER_ROOK}")
    assert fen_of(session) == INNER_ROOK


def test_repetition_behind_a_pinned_pawn() -> None:
    theirs, ours = chess.Board(PINNED_PAWN), Board(PINNED_PAWN)
    for number, move in enumerate(["d2d4", *["a4b5", "d1d2", "b5a4", "d2d1"] * 2]):
        assert outcome_with_history(theirs) is None and not ours.is_repetition(3), number
        theirs.push_uci(move)
        ours.push(move)
    assert outcome_with_history(theirs) == ("1/2-1/2", "threefold repetition") and ours.is_repetition(3)


@pytest.mark.parametrize(
    "moves",
    [
        "1. e4 {c} $1 e5 2. Nf3 Nc6 *",
        "{ c } 1. e4 e5 2. Nf3 Nc6 *",
        "1. e4\n{ c } 1... e5 2. Nf3 Nc6 *",
        "1. e2e4 e7e5 2. g1f3 b8c6 *",
        "1. e2-e4 e7-e5 2. Ng1-f3 Nb8-c6 *",
        "1. e4 e5 2. \u2658f3 \u265ec6 *",
    ],
)
def test_movetexts(moves: str) -> None:
    file = io.BufferedReader(io.BytesIO(f'[Event "?"]\n[Result "*"]\n\n{moves}\n'.encode()))
    text = next(iter(stream_items("a", file))).game
    assert text is not None
    game, _remark = game_of(text)
    assert [move.uci() for move in game.mainline_moves()] == ["e2e4", "e7e5", "g1f3", "b8c6"]
    assert next(sorted(node.nags) for node in game.mainline()) == ([1] if "$1" in moves else [])


def test_analysed_games(tmp_path: Path) -> None:
    source, made = tmp_path / "a.pgn", tmp_path / "b.pgn"
    source.write_text(
        f'[Event "a"]\n[SetUp "1"]\n[FEN "{PINNED_TWIN}"]\n\n1. Nge2 Ke7 *\n\n'
        '[Event "b"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'
    )
    assert analyse.main([str(source), "--nodes", "100", "-o", str(made)]) == 0
    text = made.read_text()
    assert re.search(r"\b1\. Ne2\b", text) and "Nge2" not in text
    assert re.search(r"Qh4# 0-1", text) and "#0" not in text and "[%eval #-1]" in text


def entry(board: chess.Board, bits: int, weight: int) -> bytes:
    return struct.pack(">QHHI", chess.polyglot.zobrist_hash(board), bits, weight, 0)


@pytest.mark.parametrize(
    ("fen", "bits", "weight", "move"),
    [
        (chess.STARTING_FEN, chess.D2 << 6 | chess.D4, 0, None),
        ("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1", chess.E1 << 6 | chess.G1, 5, "e1g1"),
        ("r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1", chess.E1 << 6 | chess.H1, 5, "e1g1"),
        ("8/1P5k/8/8/8/8/8/K7 w - - 0 1", 1 << 12 | chess.B7 << 6 | chess.B8, 5, "b7b8n"),
    ],
)
def test_books(tmp_path: Path, fen: str, bits: int, weight: int, move: str | None) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(entry(chess.Board(fen), bits, weight))
    chosen = Book(Options(own_book=True, book_file=str(path)), print).choose(Board(fen))
    assert (chosen.move if chosen else None) == move


def test_weights_of_a_book_do_not_come_from_results(tmp_path: Path) -> None:
    """Who won is not looked at: moves that lost their games have the same weights, and none is left out."""
    books = []
    for results in (("1-0", "1/2-1/2", "*", "0-1"), ("0-1", "*", "1-0", "1-0")):
        source, target = tmp_path / "games.pgn", tmp_path / "book.bin"
        games = zip(("e4 e5", "d4 d5", "c4 c5", "Nf3 Nf6"), results, strict=True)
        source.write_text(
            "".join(f'[Event "?"]\n[Result "{end}"]\n\n1. {moves} {end}\n\n' for moves, end in games)
        )
        words = ["build", str(source), "-o", str(target), "--least", "1", "--margin", "100", "--nodes", "500"]
        assert book.main(words) == 0
        with chess.polyglot.open_reader(target) as reader:
            found = {one.move.uci(): one.weight for one in reader.find_all(chess.Board(), minimum_weight=0)}
        assert set(found) == {"e2e4", "d2d4", "c2c4", "g1f3"} and max(found.values()) == 1000
        books.append(target.read_bytes())
    assert books[0] == books[1]


def test_stalemate_and_empty_clock(engine: Process) -> None:
    engine.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "go depth 5")
    assert engine.lines.until("bestmove")[-1] == "bestmove (none)"
    engine.send("position startpos", "go wtime 0 btime 0 movetime 1000")
    said = engine.lines.until("bestmove")
    times = [int(found[1]) for line in said if (found := re.search(r"\btime (\d+)", line))]
    assert 300 < times[-1] <= 1000  # it has thought on, not moved at once


@pytest.mark.parametrize(
    ("position", "clock", "depth", "mate"),
    [
        ("4Q3/1k6/8/2K5/8/8/8/8 w - -", 95, 12, 3),
        ("4Q3/1k6/8/2K5/8/8/8/8 w - -", 96, 12, None),
        ("8/8/8/8/3k4/8/7Q/7K w - -", 83, 19, 9),  # 17 plies, by the tablebase
        ("8/8/8/8/3k4/8/7Q/7K w - -", 84, 13, None),
    ],
)
def test_mate_on_the_hundredth_ply(
    engine: Process, position: str, clock: int, depth: int, mate: int | None
) -> None:
    engine.send(f"position fen {position} {clock} 100", f"go depth {depth}")
    score = [line for line in engine.lines.until("bestmove") if " score " in line][-1]
    assert f"score mate {mate} " in score if mate else "score cp" in score


@pytest.mark.parametrize(
    ("wins", "draws", "pairs", "elo"),
    [
        (0, 2, [0, 0, 1, 0, 0], "+0.0 +- ?"),
        (1, 1, [0, 0, 0, 1, 0], "+190.8 +- ?"),
        (2, 0, [0, 0, 0, 0, 1], "+inf +- ?"),
        (3, 9, [0, 0, 3, 3, 0], "+88.7 +- 75.5"),  # as fastchess 1.8.2 has it
    ],
)
def test_elo_and_its_error(wins: int, draws: int, pairs: list[int], elo: str) -> None:
    assert f", Elo {elo}, LOS " in Tally("a", "b", wins=wins, draws=draws, pairs=pairs).line()


def test_sprt_is_of_logistic_elo_and_of_pairs() -> None:
    """0.17 is what fastchess 1.8.2 says with model=logistic; normalized Elo give 0.12, single games 0.39."""
    tally = Tally("a", "b", wins=3, draws=9, pairs=[0, 0, 3, 3, 0])
    assert "LLR 0.17 (-2.94, 2.94) [0, 10] undecided" in tally.line(Sprt(0, 10))


LOGGING = """#!{python}
import subprocess, sys
engine = subprocess.Popen({fake!r}.split(), stdin=subprocess.PIPE, text=True, bufsize=1)
for line in sys.stdin:
    with open({log!r}, "a") as log:
        log.write(line)
    engine.stdin.write(line)
engine.stdin.close()
engine.wait()
"""


def test_what_match_tells_engines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log, program = tmp_path / "log", tmp_path / "engine.py"
    program.write_text(LOGGING.format(python=sys.executable, fake=FAKE, log=str(log)))
    limits = ("--games", "2", "--tc", "10+1", "--max-moves", "2")
    result(capsys, f"{sys.executable} {program}", FAKE, *limits)
    told = log.read_text().splitlines()
    assert "wtime 11000" in next(line for line in told if line.startswith("go "))
    games = [number for number, line in enumerate(told) if line == "ucinewgame"]
    assert len(games) == 2
    for at in games:
        assert [line.split()[0] for line in told[at : at + 3]] == ["ucinewgame", "isready", "position"]
