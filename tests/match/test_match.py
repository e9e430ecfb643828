"""Matches between scripted engines: results, faults, pondering, SPRT, interrupts, options."""

import io
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import chess
import chess.pgn
import pytest
from support.constants import FAKE, ROOT
from support.matches import result, run

from sssnake.engine.games import gamelog
from sssnake.engine.match import game as match_game
from sssnake.engine.match.client import PrematureMoveError, UciEngine
from sssnake.engine.match.game import TimeControl
from sssnake.engine.match.runner import pairings

pytestmark = pytest.mark.usefixtures("short_patience")

LIMITS = ("--games", "8", "--depth", "1", "--max-moves", "20")


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_games_are_paired_and_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pgn, log = tmp_path / "games.pgn", tmp_path / "games.log"
    found = result(
        capsys,
        FAKE,
        "--games",
        "3",
        "--depth",
        "1",
        "--concurrency",
        "2",
        "--option-b",
        "Seed=7",
        "--max-moves",
        "40",
        "--pgn",
        str(pgn),
        "--log",
        str(log),
        "--plies",
        "3",
    )
    pairing = found["pairings"][0]
    assert pairing["games"] == 4 == pairing["wins"] + pairing["draws"] + pairing["losses"]
    assert sum(pairing["pentanomial"]) == 2
    assert [sum(faults.values()) for faults in pairing["faults"]] == [0, 0]
    assert [p["name"] for p in found["players"]] == ["Fake", "Fake (Seed=7)"]
    assert found["players"][0]["mean_depth"] == 3

    games = []
    with pgn.open() as file:
        while game := chess.pgn.read_game(file):
            games.append(game)
    assert sorted(game.headers["Round"] for game in games) == ["1.1", "1.2", "2.1", "2.2"]
    by_round = {game.headers["Round"]: game for game in games}
    for pair in ("1", "2"):
        one, two = by_round[f"{pair}.1"], by_round[f"{pair}.2"]
        assert one.headers["White"] == "Fake" == two.headers["Black"]
        assert [m.uci() for m in one.mainline_moves()][:3] == [m.uci() for m in two.mainline_moves()][:3]
    assert "+0.12/3" in str(games[0])
    assert not any(game.errors for game in games)

    logged = list(gamelog.read_games(log))
    assert len(logged) == 4
    for entry, record in zip(logged, games, strict=True):
        assert ["0-1", "1/2-1/2", "1-0"][entry.result] == record.headers["Result"]
        moves = [move.uci() for move in record.mainline_moves()][3:]
        assert [board.uci(gamelog.decode_move(code)) for board, code, _ in entry.positions()] == moves
        assert {score * (1 if board.turn else -1) for board, _, score in entry.positions()} == {12}


@pytest.mark.parametrize(
    ("mode", "fault"),
    [("illegal", "illegal"), ("none", "illegal"), ("crash", "crash"), ("time", "time"), ("stall", "stall")],
)
def test_faults_are_counted_and_the_match_goes_on(
    mode: str, fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pids = tmp_path / "pids"
    arguments = (FAKE, f"{FAKE} {mode} {pids}", "--games", "2", "--tc", "0.3+0.1")
    found = result(capsys, *arguments)
    pairing = found["pairings"][0]
    assert (pairing["games"], pairing["wins"]) == (2, 2)
    assert pairing["faults"][0] == dict.fromkeys(match_game.FAULTS, 0)
    assert pairing["faults"][1] == {**dict.fromkeys(match_game.FAULTS, 0), fault: 2}
    started = [int(pid) for pid in pids.read_text().split()]
    assert len(started) == (3 if fault in ("crash", "stall") else 2)  # the probe, and restarts where needed
    assert not any(alive(pid) for pid in started)


def test_ponder_hits_and_misses(capsys: pytest.CaptureFixture[str]) -> None:
    """Two engines that play alike guess right; one that plays at random guesses nothing."""
    limits = ("--games", "2", "--tc", "5+0.5", "--ponder", "--plies", "0", "--max-moves", "12")
    alike, other = (result(capsys, f"{FAKE} first", f"{FAKE} {mode}", *limits) for mode in ("first", ""))
    for found in (alike, other):
        assert not any(sum(faults.values()) for faults in found["pairings"][0]["faults"])
    for player in alike["players"]:
        assert player["pondered"] > 5 and player["ponder_hits"] >= player["pondered"] - 2
    first, random = other["players"]
    assert first["pondered"] > 5 and first["ponder_hits"] < first["pondered"] / 2
    assert "pondered" not in random


@pytest.mark.parametrize(("mode", "fault"), [("premature", "illegal"), ("deaf", "stall")])
def test_faults_while_pondering(mode: str, fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    found = result(capsys, FAKE, f"{FAKE} {mode}", "--games", "2", "--tc", "1+1", "--ponder", "--plies", "0")
    pairing = found["pairings"][0]
    assert pairing["faults"][1] == {**dict.fromkeys(match_game.FAULTS, 0), fault: 2}
    assert pairing["wins"] == 2


def test_a_move_while_pondering_is_told_from_one_after_it(tmp_path: Path) -> None:
    engine = UciEngine([*FAKE.split(), "premature"])
    try:
        engine.handshake()
        engine.ponder("position startpos moves e2e4 e7e5", "go ponder")
        engine.send("isready")
        time.sleep(0.3)
        with pytest.raises(PrematureMoveError, match="bestmove while pondering"):
            engine.ponderhit(20)
    finally:
        engine.close()
    pgn = tmp_path / "games.pgn"
    limits = ("--games", "2", "--tc", "1+1", "--ponder", "--plies", "0", "--pgn", str(pgn))
    assert run(f"{FAKE} premature", f"{FAKE} slow", *limits) == 0
    assert " ".join(pgn.read_text().split()).count("illegal, bestmove while pondering") == 2


def test_an_engine_without_the_option_does_not_ponder(capsys: pytest.CaptureFixture[str]) -> None:
    limits = ("--games", "2", "--depth", "1", "--max-moves", "9", "--ponder")
    assert run(f"{FAKE} no-ponder", f"{FAKE} first", *limits) == 0
    output = capsys.readouterr()
    assert output.err.splitlines() == ["sssnake match: Fake no-ponder has no option 'Ponder'"]
    assert "Fake first guessed " in output.out and "no-ponder guessed" not in output.out


def test_sprt_ends_the_match(capsys: pytest.CaptureFixture[str]) -> None:
    bounds = ("--sprt", "0", "300", "0.2", "0.2")
    found = result(capsys, FAKE, f"{FAKE} illegal", "--games", "500", "--depth", "1", *bounds)
    pairing = found["pairings"][0]
    assert pairing["sprt"]["verdict"] == "H1"
    assert pairing["games"] < 60


def test_round_robin_and_gauntlet(capsys: pytest.CaptureFixture[str]) -> None:
    assert pairings(3, gauntlet=False) == [(0, 1), (0, 2), (1, 2)]
    assert pairings(4, gauntlet=True) == [(0, 1), (0, 2), (0, 3)]
    names = ("--name-a", "A", "--name-b", "B", "--name-c", "C")
    assert run(FAKE, f"{FAKE} illegal", f"{FAKE} none", "--games", "2", "--depth", "1", *names) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0] for line in lines[:3]] == ["A - B", "A - C", "B - C"]
    assert "faults: B 2 illegal" in lines[0]
    assert lines[3].split()[:2] == ["A", "4/4"]


def test_chess960(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pgn = tmp_path / "games.pgn"
    result(capsys, FAKE, "--games", "2", "--depth", "1", "--max-moves", "30", "--chess960", "--pgn", str(pgn))
    game = chess.pgn.read_game(io.StringIO(pgn.read_text()))
    assert game is not None
    assert game.headers["Variant"] == "fischerandom"  # cutechess leaves out the moves of "Chess960"
    assert not game.errors


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_prints_the_result_so_far(number: signal.Signals, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    code = "import sys; from sssnake.engine.match.match import main; sys.exit(main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, f"{FAKE} '' {pids}", "--games", "9999", "--depth", "1"]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 20
    while not pids.exists() or len(pids.read_text().split()) < 4:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(0.3)
    process.send_signal(number)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert out.startswith("Fake - Fake #2: ")
    assert "Traceback" not in err
    assert not any(alive(int(pid)) for pid in pids.read_text().split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("no-such-engine", FAKE), "cannot start"),
        ((FAKE, f"{sys.executable} -c pass"), "gone"),
        ((FAKE, "--option-b", "NoSuch=1"), "has no option 'NoSuch'"),
        ((FAKE, "--option-c", "Seed=1"), "no engine c"),
        ((FAKE, "--option", "=1"), "not Name=Value"),
        ((FAKE, "--tc", "fast"), "time control"),
        ((FAKE, "--tc", "-1+0.1"), "expected"),
        ((FAKE, "--sprt", "5", "0"), "ELO0 must be below"),
        ((FAKE, "--sprt", "5"), "--sprt takes"),
        ((FAKE, "--sprt", "0", "6500"), "between -2000 and 2000"),
        ((FAKE, "--movetime", "99999999999999"), "is more than"),
        ((FAKE, "--stall", "10000000000"), "is more than"),
        ((FAKE, "--margin", "99999999999999999999"), "is more than"),
        ((FAKE, FAKE, FAKE, "--sprt", "0", "5"), "two engines"),
        ((FAKE, "--openings", "no-such-file.epd"), "no-such-file.epd"),
        ((FAKE, "--pgn", "no-such-folder/x.pgn"), "no-such-folder"),
        ((FAKE, "--games", "0"), "not positive"),
        ((FAKE, "--games", "many"), "invalid"),
        ((FAKE, "--tc", "1+1", "--nodes", "5"), "not allowed with"),
        ((FAKE, "'"), "quotation"),
        ((" ", FAKE), "empty"),
        ((), "required"),
    ],
)
def test_bad_input_is_one_line(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = run(*arguments)
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else -1
    assert status == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1
    assert message in output.err


def test_shared_options_go_to_those_who_have_them(capsys: pytest.CaptureFixture[str]) -> None:
    limits = ("--games", "1", "--depth", "1", "--max-moves", "2")
    assert run(FAKE, *limits, "--option", "NoSuch=1", "--option", "two words=x y") == 0
    assert capsys.readouterr().err.splitlines() == ["sssnake match: Fake has no option 'NoSuch'"] * 2


def test_an_increment_alone_is_a_clock(capsys: pytest.CaptureFixture[str]) -> None:
    found = result(capsys, FAKE, "--games", "2", "--tc", "0+2", "--max-moves", "5")
    assert not any(sum(faults.values()) for faults in found["pairings"][0]["faults"])
    clock = match_game._Clock(TimeControl.parse("0+0.2"))
    assert clock.left == 0.2, "as much as fastchess gives"
    clock.spend(0.15)
    assert clock.left == pytest.approx(0.25)


@pytest.mark.skipif(os.name != "posix", reason="names as bytes")
def test_names_of_any_bytes(tmp_path: Path) -> None:
    """Engines' own, and those of the command line."""
    pgn = tmp_path / "games.pgn"
    code = "import sys; from sssnake.engine.commands.cli import main; sys.exit(main())"
    evil = b"M\xfcl\x1b[31m 'E\"] [Result \"1-0'"
    own = FAKE.encode() + b" name 'M\xfcl\x1b[31m E\"] [Result \"1-0'"
    command = [sys.executable.encode(), b"-c", code.encode(), b"match", own, FAKE.encode(), b"--name-b", evil]
    no_such = [*command, b"--option-a", b"NoSuch=1"]
    refused = subprocess.run(no_such, cwd=ROOT, capture_output=True, check=False)
    assert refused.returncode == 2 and b"\x1b" not in refused.stderr and refused.stderr.count(b"\n") == 1
    words = [*LIMITS, "--pgn", str(pgn), "--plies", "0"]
    done = subprocess.run([*command, *map(str.encode, words)], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0 and b"8 games" in done.stdout and b"\x1b" not in done.stdout + done.stderr
    with pgn.open(encoding="utf-8") as file:
        games = [chess.pgn.read_game(file) for _ in range(9)]
    assert games[8] is None and all(game and not game.errors for game in games[:8])
