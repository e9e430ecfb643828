"""What a match says of its games: the tally, and PGN as its standard wants it."""

import contextlib
import os
import re
import struct
import subprocess
import sys
from pathlib import Path

import chess
import chess.pgn
import pytest
from support.constants import ENGINE, ROOT

from sssnake.engine.common import progress
from sssnake.engine.common.messages import printable
from sssnake.engine.games.elo import Sprt
from sssnake.engine.match import match
from sssnake.engine.match import pgn as match_pgn
from sssnake.engine.match.client import EngineError, InfoLine, UciEngine
from sssnake.engine.match.game import Played, TimeControl
from sssnake.engine.match.processes import EngineConfig
from sssnake.engine.match.report import Report, Tally
from sssnake.engine.match.runner import Task


def test_tally_counts_pairs_whatever_the_order() -> None:
    tally = Tally("A", "B")
    results = [(0, 0, "1-0"), (1, 0, "1/2-1/2"), (1, 1, "1-0"), (0, 1, "0-1"), (7, 0, "0-1"), (7, 1, "0-1")]
    for number, (pair, white, text) in enumerate(results):
        game = Played(chess.Board(), chess.Board(), result=text, reason="checkmate")
        tally.add(Task(number, 0, 1, white, pair, chess.Board()), game)
    # Pair 0: A won both; pair 1: A drew, then lost with Black; pair 7: A lost with White, won with Black.
    assert (tally.wins, tally.draws, tally.losses) == (3, 1, 2)
    assert tally.pairs == [0, 1, 1, 0, 1]
    assert tally.line().startswith("A - B: 6 games +3 =1 -2, 3.5/6 (58.3 %), pairs 0-1-1-0-1, Elo ")


def test_players_are_ranked_by_the_share_of_their_points() -> None:
    """Not by the points: after an interruption they have played different numbers of games."""
    players = [EngineConfig(["x"], TimeControl(1), name=name) for name in "ABC"]
    report = Report(players, [(0, 1), (0, 2), (1, 2)])
    results = [
        (0, 2, "1-0"),
        (1, 2, "1-0"),
        (1, 2, "1/2-1/2"),
        (1, 2, "1-0"),
    ]  # A: 1 of 1, B: 2.5 of 3, C: 0.5 of 4
    for number, (a, b, text) in enumerate(results):
        game = Played(chess.Board(), chess.Board(), result=text, reason="checkmate")
        report.add(Task(number, a, b, a, number, chess.Board()), game)
    assert [line.split()[:2] for line in report.text().splitlines()[-3:]] == [
        ["A", "1/1"],
        ["B", "2.5/3"],
        ["C", "0.5/4"],
    ]


def test_players_of_one_name_are_told_apart() -> None:
    commands = [["./old"], ["./new"], ["env", "-C", "a", "python"], ["env", "-C", "b", "python"]]
    players = [EngineConfig(words, TimeControl.parse("3"), name="Snake") for words in commands[:2]]
    assert match.told_apart(players) == ["Snake (./old)", "Snake (./new)"]
    players = [EngineConfig(words, TimeControl.parse("3"), name="Snake") for words in commands[2:]]
    assert match.told_apart(players) == ["Snake (a)", "Snake (b)"]
    players = [EngineConfig(["x"], TimeControl.parse("3"), name=name) for name in ("Snake", "Snake", "Other")]
    assert match.told_apart(players) == ["Snake", "Snake #2", "Other"]


def test_the_live_line_has_elo_and_llr_on_80_columns(tmp_path: Path) -> None:
    pty = pytest.importorskip("pty", reason="there are no pseudo terminals here")
    pytest.importorskip("tqdm", reason="tqdm is missing")
    import fcntl
    import termios

    screen, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    fake = f"{sys.executable} {Path(__file__).parents[1] / 'support' / 'fake_uci.py'}"
    words = f"--games 60 --depth 1 --max-moves 10 --sprt -900 900 --pgn {tmp_path / 'games.pgn'}".split()
    command = [*ENGINE, "match", fake, f"{fake} --", *words]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=theirs) as process:
        os.close(theirs)
        shown = b""
        with contextlib.suppress(OSError):  # the end
            while part := os.read(screen, 4096):
                shown += part
    os.close(screen)
    assert process.returncode == 0
    lines = re.split(r"[\r\n]+", shown.decode())
    heading = next(line for line in lines if line.startswith("sssnake match: "))
    assert str(tmp_path / "games.pgn") in heading and "60 games" in heading
    frames = [line for line in lines if line != heading]
    bars = [frame for frame in frames if re.search(r"Elo [+-]\d+\.\d.*, LLR -?\d+\.\d\d \(", frame)]
    assert bars and max(map(len, frames)) <= 80


def test_a_live_line_that_is_long_keeps_elo_and_llr() -> None:
    tqdm = pytest.importorskip("tqdm", reason="tqdm is missing").tqdm
    tally = Tally("A", "B", 3211, 4321, 3210, [123, 1234, 2345, 1236, 124])
    text = tally.live(Sprt(0, 5))
    bar = tqdm.format_meter(
        9999, 10000, 99999, ncols=80, unit=" games", postfix=text, bar_format=progress.BRIEF
    )
    assert len(bar) == 80 and re.search(r"Elo \+\d\.\d ± \d\.\d, LLR -?\d\.\d\d \(-2\.94, 2\.94\)", bar)


def test_a_program_in_this_folder_is_found_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("old").touch()
    with pytest.raises(EngineError, match=r"'old': No such file or directory; did you mean \./old\?"):
        UciEngine(["old"])
    with pytest.raises(EngineError, match=r"'none': No such file or directory$"):
        UciEngine(["none"])


def recorded(
    path: Path, reason: str, result: str = "1-0", clock: str = "3", moves: int = 2, detail: str = ""
) -> chess.pgn.Game:
    """A game of two players, read back from its PGN; `moves` after an opening of one ply."""
    start = chess.Board()
    start.push_san("e4")
    board = start.copy()
    plies = [(board.push_uci(move), 0.25, InfoLine(depth=9, cp=12)) for move in ("e7e5", "g1f3")[:moves]]
    game = Played(start, board, plies, result, reason, detail=detail)
    players = [EngineConfig(["x"], TimeControl.parse(text), name=text) for text in ("3", clock)]
    match_pgn.append_pgn(path, Task(0, 0, 1, 0, 0, start), game, players)
    with path.open() as file:
        found = chess.pgn.read_game(file)
    assert found
    path.unlink()
    return found


@pytest.mark.parametrize(
    ("reason", "standard"),
    [
        ("checkmate", "normal"),
        ("threefold repetition", "normal"),
        ("adjudicated win", "adjudication"),
        ("adjudicated draw", "adjudication"),
        ("length", "adjudication"),
        ("time", "time forfeit"),
        ("illegal", "rules infraction"),
        ("crash", "abandoned"),
        ("stall", "abandoned"),
    ],
)
def test_terminations_are_those_of_the_standard(reason: str, standard: str, tmp_path: Path) -> None:
    game = recorded(tmp_path / "a.pgn", reason)
    assert game.headers["Termination"] == standard
    comments = [node.comment for node in game.mainline()]
    assert comments == ["book", "+0.12/9 0.250s", f"+0.12/9 0.250s, {reason}"]
    short = recorded(tmp_path / "a.pgn", reason, moves=0, detail="too} bad")
    assert short.end().comment == f"book, {reason}, too bad"


EVIL = ['Evil"] [Result "1-0', "back\\slash", "new\nline\r", "\x1b[31mred", "M\udcfcller", "Ünïcode"]


@pytest.mark.parametrize("name", EVIL)
def test_names_do_not_forge_tags(name: str, tmp_path: Path) -> None:
    """Read back by what the standard says of strings: a backslash before quotation marks and backslashes."""
    path = tmp_path / "a.pgn"
    start = chess.Board()
    game = Played(start, start.copy(), [], "0-1", "crash", detail=f"{name} }} 1. e4 " + "long " * 30)
    players = [EngineConfig(["x"], TimeControl(1), name=text) for text in (name, "b")]
    for _ in range(2):
        match_pgn.append_pgn(path, Task(0, 0, 1, 0, 0, start), game, players)
    text = path.read_text(encoding="utf-8")
    assert max(map(len, text.splitlines())) < 80 and "\x1b" not in text
    assert text.count("\n[White ") == 2 == text.count("\n[Result "), "each on a line of its own"
    (line,) = {line for line in text.splitlines() if line.startswith("[White ")}
    value = line[len('[White "') : -len('"]')]
    found = value.replace("\\\\", "\0").replace('\\"', "'").replace("\0", "\\")
    assert '"' not in found
    assert found == printable(name).replace('"', "'")
    with path.open(encoding="utf-8") as file:
        games = [chess.pgn.read_game(file) for _ in range(3)]
    assert [game and game.headers["Result"] for game in games] == ["0-1", "0-1", None]
    assert not any(game.errors or list(game.mainline()) for game in games if game)


def test_backslashes_and_quotation_marks_are_escaped_in_tags() -> None:
    assert match_pgn.escaped('C:\\engines\\"x"\\') == r"C:\\engines\\\"x\"\\"


def test_pgn_is_wrapped_and_counts_plies(tmp_path: Path) -> None:
    path, board = tmp_path / "a.pgn", chess.Board()
    plies = []
    for number in range(40):
        move = list(board.legal_moves)[number % 3]
        board.push(move)
        plies.append((move, 0.25, InfoLine(depth=9, cp=12)))
    game = Played(chess.Board(), board, plies, "1/2-1/2", "length")
    players = [EngineConfig(["x"], TimeControl(1), name=text) for text in "ab"]
    match_pgn.append_pgn(path, Task(0, 0, 1, 0, 0, chess.Board()), game, players)
    text = path.read_text()
    assert max(map(len, text.splitlines())) < 80 and '\n[PlyCount "40"]\n' in text
    found = chess.pgn.read_game(path.open())
    assert found and not found.errors and list(found.mainline_moves()) == board.move_stack
    assert {node.comment for node in list(found.mainline())[:-1]} == {"+0.12/9 0.250s"}


@pytest.mark.parametrize(
    "torn",
    [
        '[Event "a"]',
        '[Event "a"]\n',
        '[Event "a"]\n[Whi',
        '[Event "a"]\n\n1. e4 { +0.1',
        "1. e4 e5\n",
        "1. e4 { x } *",
    ],
)
def test_a_torn_game_does_not_swallow_the_next(torn: str, tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    path.write_text(torn)
    start = chess.Board()
    board = start.copy()
    plies = [(board.push_uci("e2e4"), 0.25, InfoLine(depth=9, cp=12))]
    game = Played(start, board, plies, "1-0", "time")
    players = [EngineConfig(["x"], TimeControl(1), name=text) for text in "ab"]
    for _ in range(2):
        match_pgn.append_pgn(path, Task(0, 0, 1, 0, 0, start), game, players)
    games = []
    with path.open() as file:
        while found := chess.pgn.read_game(file):
            games.append(found)
    whole = [found for found in games if found.headers.get("Event") == "sssnake match"]
    assert len(whole) == 2
    for found in whole:
        assert found.headers["White"] == "a" and len(list(found.mainline())) == 1 and not found.errors


def test_time_controls_in_pgn(tmp_path: Path) -> None:
    same = recorded(tmp_path / "a.pgn", "time").headers
    differ = recorded(tmp_path / "a.pgn", "time", clock="5+2").headers
    assert same["TimeControl"] == "3" and "WhiteTimeControl" not in same and "Limit" not in same
    assert "TimeControl" not in differ
    assert (differ["WhiteTimeControl"], differ["BlackTimeControl"]) == ("3", "5+2")


@pytest.mark.parametrize(
    ("control", "tag"),
    [
        (TimeControl.parse("40/9000"), "40/9000"),
        (TimeControl.parse("300+3"), "300+3"),
        (TimeControl.parse("300"), "300"),
        (TimeControl.parse("0+2"), "0+2"),
        (TimeControl.parse("0.00001+0.03"), "0.00001+0.03"),
        (TimeControl.parse("999999.5"), "999999.5"),
        (TimeControl.parse("40/60+0.5"), "40/60+0.5"),
        (TimeControl(fixed="nodes 1000"), "-"),
        (TimeControl(fixed="depth 8"), "-"),
        (TimeControl(fixed="movetime 2500"), "1/2.5"),
    ],
)
def test_tags_of_the_standard(control: TimeControl, tag: str) -> None:
    assert control.tag == tag


def test_a_limit_that_is_no_clock_stands_in_a_tag_of_its_own(tmp_path: Path) -> None:
    players = [EngineConfig(["x"], TimeControl(fixed=text), name=text) for text in ("depth 5", "nodes 100")]
    game = Played(chess.Board(), chess.Board(), [], "1-0", "time")
    path = tmp_path / "a.pgn"
    match_pgn.append_pgn(path, Task(0, 0, 1, 0, 0, chess.Board()), game, players)
    lines = path.read_text().splitlines()
    assert '[TimeControl "-"]' in lines
    assert '[WhiteLimit "depth 5"]' in lines and '[BlackLimit "nodes 100"]' in lines
