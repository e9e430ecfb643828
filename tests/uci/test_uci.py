"""The protocol loop, with an engine that obeys the test, and as a process."""

import random
import subprocess
import sys
import time
from pathlib import Path

import chess
import pytest
from support.sessions import ENGINE, ROOT, WAIT, InProcess, Process

from _fast.board.board import Board
from engine.player.resources.memory import available_mib
from engine.uci.game import STARTPOS, CurrentGame

# Starting and answering


def test_uci_answers_without_the_heavy_imports() -> None:
    code = (
        "import sys; from engine.commands.cli import main; main([])\n"
        "heavy = {'chess', 'argparse', 'logging', 'importlib.metadata', 'typing', 'dataclasses'}\n"
        "bad = [m for m in sys.modules if m in heavy or m.startswith('_fast')]\n"
        "print(bad)"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        input="uci\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=WAIT,
    )
    lines = done.stdout.splitlines()
    assert lines[0].startswith("id name SSSnake ") and lines[1].startswith("id author ")
    assert lines[-2:] == ["uciok", "[]"]
    assert done.stderr == ""


def test_silence_before_being_addressed(engine: Process) -> None:
    time.sleep(0.3)
    assert engine.lines.seen == []


def test_uci_may_be_sent_again(session: InProcess) -> None:
    session.send("uci", "uci")
    assert session.lines.until("uciok") == session.lines.until("uciok")


# One bestmove a go, when it is due


def test_infinite_holds_the_bestmove_back(session: InProcess) -> None:
    session.send("go infinite depth 1")  # the fake is done at once
    assert not any(line.startswith("bestmove") for line in session.sync())
    session.send("ponderhit")  # not pondering: nothing
    assert session.sync() == []
    session.send("stop")
    assert session.lines.until("bestmove")[-1].startswith("bestmove ")
    session.send("stop", "stop")
    assert session.sync() == []


def test_ponder_holds_the_bestmove_until_ponderhit(session: InProcess) -> None:
    session.send("go ponder depth 3")
    assert not any(line.startswith("bestmove") for line in session.sync())
    session.send("ponderhit")
    session.lines.until("bestmove")
    session.send("ponderhit", "stop")
    assert session.sync() == []


def test_ponderhit_reaches_a_running_search(session: InProcess) -> None:
    session.send("go ponder wtime 1000 btime 1000")
    session.lines.until("info depth")
    session.send("ponderhit")
    assert session.sync() == []  # the fake goes on until stopped
    assert session.engine.hit
    session.send("stop")
    session.lines.until("bestmove")


def test_isready_and_position_during_a_search(session: InProcess) -> None:
    session.send("go infinite")
    session.lines.until("info depth")
    prepared = len(session.engine.calls)
    session.send("position startpos moves e2e4")
    assert session.sync() == []
    assert len(session.engine.calls) == prepared  # nothing is allocated under a running search
    assert session.engine.board.turn is True  # the search keeps its own board
    session.send("stop")
    session.lines.until("bestmove")
    session.send("go depth 1")
    session.lines.until("bestmove")
    assert session.engine.board.turn is False


def test_go_during_a_search_ends_it_first(session: InProcess) -> None:
    session.send("go infinite", "go infinite", "go depth 2")
    for _ in range(3):
        session.lines.until("bestmove")
    assert session.sync() == []


def test_what_must_wait_for_the_end_of_the_search(session: InProcess) -> None:
    session.send("go infinite")
    session.lines.until("info depth")
    session.send("setoption name MultiPV value 3", "ucinewgame", "setoption name Clear Hash")
    assert session.sync() == []
    assert session.uci.options.multipv == 1
    session.send("stop")
    session.lines.until("bestmove")
    session.sync()
    assert session.uci.options.multipv == 3
    assert session.engine.calls[-3:] == ["new_game", "clear_hash", "prepare"]


def test_end_of_input_and_quit_during_a_search() -> None:
    for last in ([], ["quit"]):
        engine = Process()
        engine.send("go infinite")
        engine.lines.until("info depth")
        engine.send(*last)
        start = time.monotonic()
        assert engine.end() == (0, "")
        assert time.monotonic() - start < 5
        assert sum(line.startswith("bestmove") for line in engine.lines.seen) == 1


def test_closed_stdout_ends_the_engine() -> None:
    process = subprocess.Popen(
        [*ENGINE], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin and process.stdout and process.stderr
    process.stdout.close()
    process.stdin.write(b"uci\n")
    process.stdin.flush()
    assert process.wait(WAIT) == 0
    assert process.stderr.read() == b""


def test_failing_search_still_moves(session: InProcess) -> None:
    session.sync()
    session.engine.error = RuntimeError("broken")
    session.send("go depth 1")
    lines = session.lines.until("bestmove")
    assert lines[0].startswith("info string search failed") and lines[-1].split()[1] in Board().legal_moves()


# Positions


def fen_of(session: InProcess) -> str:
    session.send("d")
    return next(line[5:] for line in session.sync() if line.startswith("Fen: "))


@pytest.mark.parametrize(
    ("command", "moves"),
    [
        ("position startpos", []),
        ("position startpos moves", []),
        ("position\tstartpos  moves  e2e4\te7e5\r", ["e2e4", "e7e5"]),
        (f"position fen {STARTPOS} moves ", []),
        ("position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - moves g1f3", ["g1f3"]),
        ("position startpos moves E2E4", ["e2e4"]),
    ],
)
def test_positions(session: InProcess, command: str, moves: list[str]) -> None:
    session.send(command)
    board = chess.Board()
    for move in moves:
        board.push_uci(move)
    assert fen_of(session) == board.fen()


@pytest.mark.parametrize(
    "command",
    [
        "position",
        "position fen",
        "position nonsense",
        "position moves e2e4",
        "position fen this is not a position",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen 4k3/4R3/8/8/8/8/4r3/4K3 w - - 0 1 moves e1e8",
        "position fen 4k3/8/8/8/8/8/4r3/4K3 b - - 0 1",
        "position startpos moves e2e4 e7e5 e1e3",
        "position startpos moves e2e4 0000",
        "position startpos moves z9z9",
    ],
)
def test_bad_positions_keep_the_old_one(session: InProcess, command: str) -> None:
    session.send("position startpos moves d2d4")
    before = fen_of(session)
    session.send(command)
    complaint = session.sync()
    assert len(complaint) == 1 and complaint[0].startswith("info string position: ")
    assert fen_of(session) == before


@pytest.mark.parametrize(
    "refused",
    [
        "position nonsense",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position startpos moves e2e4 e7e5 e1e3 g8f6",  # wrong in the middle
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 moves e1e2 0000",
    ],
)
def test_no_move_is_played_for_the_position_before_a_refused_one(session: InProcess, refused: str) -> None:
    session.send("position startpos moves d2d4", refused)
    assert len(session.sync()) == 1
    session.send("setoption name UCI_Chess960 value true", "ucinewgame", "go depth 3")
    answer = ["info string go: the last position was refused", "info depth 0 score cp 0", "bestmove (none)"]
    assert session.lines.until("bestmove") == answer
    session.send("go infinite")
    assert session.sync() == answer[:2]
    session.send("stop")
    assert session.lines.until("bestmove") == answer[2:]
    session.send("go perft 2")
    assert session.sync() == ["info string go: the last position was refused"]
    session.send("position startpos moves d2d4", "go depth 1")
    assert session.lines.until("bestmove")[-1].split()[1] in session.engine.board.legal_moves()


def test_longer_lists_of_the_same_game_push_only_the_new_moves() -> None:
    pushed: list[str] = []

    class Counting:
        def __init__(self, fen: str, chess960: bool):
            self.played: list[str] = []

        def copy(self) -> "Counting":
            copy = Counting("", False)
            copy.played = self.played[:]
            return copy

        def push(self, move: str) -> None:
            if move == "bad":
                raise ValueError("bad")
            pushed.append(move)
            self.played.append(move)

    game = CurrentGame(Counting)  # type: ignore[arg-type]
    moves = [f"m{i}" for i in range(300)]
    for length in range(0, 301, 2):
        game.set(STARTPOS, moves[:length], False)
    assert pushed == moves
    with pytest.raises(ValueError, match="bad"):
        game.set(STARTPOS, [*moves, "bad"], False)
    assert game.board.played == moves  # type: ignore[attr-defined]
    game.set(STARTPOS, moves[:2], False)  # a take-back: from the start again
    assert game.board.played == moves[:2]  # type: ignore[attr-defined]


def test_a_long_game_is_set_up_fast() -> None:
    rng, board = random.Random(1), chess.Board()
    moves: list[str] = []
    while len(moves) < 400 and not board.is_game_over():
        move = rng.choice(list(board.legal_moves))
        moves.append(move.uci())
        board.push(move)
    game = CurrentGame(Board)
    start = time.perf_counter()
    game.set(STARTPOS, moves, False)
    assert game.board.fen() == board.fen()
    assert time.perf_counter() - start < 0.25


def test_chess960_castling_in_and_out(session: InProcess) -> None:
    fen = "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w HBhb - 0 1"
    session.send(
        "setoption name UCI_Chess960 value true", f"position fen {fen}", "go depth 1 searchmoves f1h1"
    )
    assert session.lines.until("bestmove")[-1] == "bestmove f1h1"
    session.send(f"position fen {fen} moves f1h1")
    assert session.sync() == []


def test_chess960_set_after_the_position(session: InProcess) -> None:
    session.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1", "setoption name UCI_Chess960 value true")
    session.send("go depth 1 searchmoves e1h1")
    assert session.lines.until("bestmove")[-1] == "bestmove e1h1"


# go


@pytest.mark.parametrize(
    ("fen", "score"),
    [("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "mate 0"), ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "cp 0")],
)
def test_no_legal_move(session: InProcess, fen: str, score: str) -> None:
    session.send(f"position fen {fen}", "go depth 3")
    assert session.lines.until("bestmove") == [f"info depth 0 score {score}", "bestmove (none)"]
    session.send("go infinite")
    assert session.sync() == [f"info depth 0 score {score}"]
    session.send("stop")
    assert session.lines.until("bestmove") == ["bestmove (none)"]


@pytest.mark.parametrize(
    "command", ["go depht 5", "go foo", "go depth x", "go 5", "go searchmoves", "go movetime nan"]
)
def test_a_go_that_nobody_understands_is_answered_at_once(session: InProcess, command: str) -> None:
    session.send(command)
    lines = session.lines.until("bestmove")
    assert len([line for line in lines if line.startswith("info string")]) == 1
    assert lines[-1].split()[1] in Board().legal_moves()


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xef\xbb\xbf  ", b""])
@pytest.mark.parametrize("command", [b"isready", b"IsReady\r", b"\t isready \t", b"foo isready"])
def test_a_byte_order_mark_before_the_first_command(session: InProcess, mark: bytes, command: bytes) -> None:
    session.send_raw(mark + command + b"\n")
    assert session.lines.until("readyok") == ["readyok"]


@pytest.mark.parametrize("order", ["le", "be"])
def test_utf_16_is_read_with_a_remark(session: InProcess, order: str) -> None:
    for raw in ("\ufeffisready\r\ngo depth 1\n").encode(f"utf-16-{order}").splitlines(keepends=True):
        session.send_raw(raw)
    lines = session.lines.until("bestmove")
    assert [line for line in lines if line.startswith("info string")] == [
        "info string the input is UTF-16: only its ASCII characters are read"
    ]
    assert lines[1] == "readyok"


def test_capital_letters(session: InProcess) -> None:
    session.send("UCINEWGAME", "Position StartPos Moves E2E4", "Debug On", "GO Depth 1")
    assert session.lines.until("bestmove")[-1].split()[1] in session.engine.board.legal_moves()
    assert session.engine.board.turn is False and session.uci.debug
    session.send("D", "GO PERFT 1", "SetOption Name Hash Value 64.0")
    assert "Nodes searched: 20" in session.sync()
    assert session.uci.options.hash_mb == 64


def test_searchmoves(session: InProcess) -> None:
    session.send("go depth 1 searchmoves e2e5 g1f3 g1f3")
    session.lines.until("bestmove g1f3")
    assert session.engine.limits.searchmoves == ["g1f3"]
    session.send("go depth 1 searchmoves 0000")
    assert session.lines.until("bestmove")[-1] == "bestmove (none)"


def test_memory_refused_keeps_the_old_table(session: InProcess) -> None:
    session.send("setoption name Hash value 33")
    session.sync()
    session.engine.refuse_above = 100
    session.send("setoption name Hash value 4000")
    assert session.sync() == ["info string Hash 4000: too much; Hash 33 and Threads 1 stay in use"]
    assert session.uci.options.hash_mb == 33


def test_no_machine_has_so_much_memory(engine: Process) -> None:
    engine.send("setoption name Hash value 32", "isready")
    engine.lines.until("readyok")
    pool = "setoption name Hash value 65536"
    if (available_mib() or 0) < 66000:
        engine.send(pool)
        lines = engine.sync()
        assert len(lines) == 1 and lines[0].startswith("info string Hash 65536: this machine has ")
        assert lines[0].endswith("; Hash 32 and Threads 1 stay in use")
    engine.send("go depth 3")
    assert engine.lines.until("bestmove")[-1].split()[1] in Board().legal_moves()


def test_isready_is_answered_whatever_happens(session: InProcess) -> None:
    session.sync()

    def broken() -> None:
        raise RuntimeError("broken")

    session.engine.prepare = broken  # type: ignore[method-assign]
    session.send("isready", "isready")
    assert session.lines.until("info string isready: RuntimeError: broken")[0] == "readyok"
    assert session.lines.until("info string isready: RuntimeError: broken")[0] == "readyok"


# Options and noise


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


def test_perft_and_flip(session: InProcess) -> None:
    session.send("position startpos moves e2e4", "flip", "go perft 2")
    lines = session.sync()
    assert lines[-2:] == ["", "Nodes searched: 600"]
    assert len(lines) == 22 and "e2e4: 29" in lines
    session.send("help", "compiler", "eval", "register later")
    assert any(line.startswith("Evaluation: ") for line in session.sync())


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
        *"12345678a",
    }
    assert {line.split()[0] for line in session.lines.seen if line} <= known
    assert sum(line.startswith("bestmove") for line in session.lines.seen) > 50
