"""The protocol loop: options, nonsense, the debug log."""

import random
import re
from pathlib import Path

import chess
import pytest
from support.sessions import InProcess, fen_of


def test_setoption_forms(session: InProcess) -> None:
    session.send(
        "setoption name hash value 32",
        "setoption NAME  move   overhead  VALUE 55",
        "setoption name MoveOverhead value 66",
        "setoption name Driver value mtd(F)",
        "setoption name Clear Hash",
        "setoption name UCI_AnalyseMode value true",
    )
    assert session.sync() == []
    values = session.uci.options
    assert (values.hash_mb, values.move_overhead, values.driver) == (32, 66, "MTD(f)")
    assert values.analyse_mode is True


@pytest.mark.parametrize(
    "command",
    [
        "setoption",
        "setoption name",
        "setoption value 3",
        "setoption name Nonsense value 1",
        "setoption name Hash",
        "setoption name Hash value x",
        "setoption name Hash value 0",
        "setoption name Driver value Best",
        "setoption name Ponder value perhaps",
        "setoption name Debug Log File value /nonexistent/dir/log",
        *("debug maybe", "perft", "perft x", "perft 99", "go perft", "bench x"),
        *("junk", "e2e4", "\x00\x01", "quit_"),
    ],
)
def test_nonsense_costs_one_info_string(session: InProcess, command: str) -> None:
    before = fen_of(session)
    session.send(command)
    complaint = session.sync()
    assert len(complaint) == 1 and complaint[0].startswith("info string ")
    assert fen_of(session) == before


def test_known_words_behind_unknown_ones(session: InProcess) -> None:
    session.send("joho debug on")
    assert session.sync() == [] and session.uci.debug
    session.send("please quit")
    assert len(session.sync()) == 1


def test_a_search_that_cannot_begin_is_answered_all_the_same(
    session: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.sync()

    def refuse(*arguments: object) -> None:
        raise MemoryError("no memory for a search")

    monkeypatch.setattr(session.engine, "start", refuse)
    session.send("position startpos moves e2e4", "go infinite", "stop")
    lines = session.lines.until("bestmove")
    assert lines[0].startswith("info string search failed") and chess.Move.from_uci(lines[-1].split()[1])
    monkeypatch.undo()
    session.send("go depth 1")
    assert session.lines.until("bestmove")


def test_a_position_waits_for_the_options_sent_before_it(session: InProcess) -> None:
    session.sync()
    session.send("go infinite", "setoption name UCI_Chess960 value true")
    session.send("position fen 4k3/8/8/8/8/8/8/4K1R1 w G - 0 1 moves e1g1", "go depth 1")
    assert not any("string" in line for _ in range(2) for line in session.lines.until("bestmove"))
    assert session.engine.board.fen().split()[1] == "b"


def test_debug_log(session: InProcess, tmp_path: Path) -> None:
    path = tmp_path / "a  log.txt"
    session.send(f"setoption name Debug Log File value {path}")
    session.sync()
    session.send("setoption name Debug Log File value <empty>", "go depth 1")
    session.lines.until("bestmove")
    assert path.read_text() == ">> isready\n<< readyok\n>> setoption name Debug Log File value <empty>\n"


def test_the_log_is_not_written_into_a_file_that_the_engine_reads(session: InProcess, tmp_path: Path) -> None:
    book, log = tmp_path / "book.bin", tmp_path / "log.txt"
    book.write_bytes(bytes(16))
    log.hardlink_to(book)
    session.send(f"setoption name BookFile value {book}", f"setoption name Debug Log File value {log}")
    (said,) = session.sync()  # long lines are cut
    assert said.startswith(f"info string setoption: {log}: the output cannot be one file with the input ")
    assert book.read_bytes() == bytes(16)
    assert session.uci.options.log_file == ""


def test_perft_and_flip(session: InProcess) -> None:
    session.send("position startpos moves e2e4", "flip", "go perft 2")
    lines = session.sync()
    assert lines[-3:] == ["", "Nodes searched: 600", ""]
    assert len(lines) == 23 and "e2e4: 29" in lines
    session.send("help", "compiler", "eval", "register later")
    assert any(line.startswith("Final evaluation: ") for line in session.sync())


def test_fuzz(session: InProcess) -> None:
    """Protocol words in any order: the session answers to the end, every line is of a known kind."""
    rng = random.Random(7)
    vocabulary = """
        uci isready setoption name value Hash MultiPV position startpos fen moves e2e4 e7e5 go depth 1 -1 0
        nodes wtime btime infinite ponder searchmoves movetime stop ponderhit debug on off
        ucinewgame d flip 0000 99999999999999999 w KQkq - 8/8/8/8/8/8/8/8 abc \xff \x00 é ; register mate winc
        """
    heads = ["position startpos moves", "go", "setoption name", "go depth 1", "stop", ""]
    for _ in range(3000):
        words = [rng.choice(heads), *rng.choices(vocabulary.split(), k=rng.randrange(6))]
        session.send(" ".join(words))
    session.send("stop")
    session.sync()
    known = {
        "info",
        "bestmove",
        "readyok",
        "uciok",
        "id",
        "option",
        "Fen:",
        "Key:",
        "Checkers:",
        "+---+---+---+---+---+---+---+---+",
        *"|a",
    }
    assert {line.split()[0] for line in session.lines.seen if line} <= known
    assert sum(line.startswith("bestmove") for line in session.lines.seen) > 50


def test_what_scripts_for_stockfish_read(session: InProcess) -> None:
    session.send("position fen 4k3/8/8/8/8/8/4q3/4K2R w K - 3 9", "d")
    lines = session.sync()
    frame = " +---+---+---+---+---+---+---+---+"
    assert lines[0:17:2] == 9 * [frame] and lines[17] == "   a   b   c   d   e   f   g   h"
    assert lines[1] == " |   |   |   |   | k |   |   |   | 8"
    assert lines[13] == " |   |   |   |   | q |   |   |   | 2"
    assert lines[15] == " |   |   |   |   | K |   |   | R | 1"
    assert lines[18:20] == ["", "Fen: 4k3/8/8/8/8/8/4q3/4K2R w K - 3 9"]
    assert lines[20].startswith("Key: ") and lines[21:] == ["Checkers: e2"]
    session.send("position startpos", "go perft 1", "eval")
    lines = session.sync()
    assert lines[20:23] == ["", "Nodes searched: 20", ""]
    assert lines[-2].split()[:2] == ["Final", "evaluation:"] and lines[-1] == ""
    float(lines[-2].split()[2])


def test_bench_as_scripts_for_stockfish_ask_for_it(session: InProcess) -> None:
    session.send("bench 1 1 1 default depth mixed")
    assert re.fullmatch(r"Nodes/second    : \d+", session.sync()[-1])
