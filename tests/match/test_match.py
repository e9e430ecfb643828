"""Matches between scripted engines: results, clocks, faults, adjudication, openings, reports."""

import io
import json
import os
import random
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest
from support.suites import OWN, located

from engine.games import gamelog
from engine.games.openings import OpeningOptions, openings
from engine.match import client, match
from engine.match import game as match_game
from engine.match.client import Info, UciEngine
from engine.match.game import Rules, TimeControl
from engine.match.processes import Player
from engine.match.report import Report
from engine.match.runner import pairings, schedule

ROOT = Path(__file__).parents[2]
BOOKS = ("8moves_v3.pgn.zip", "2moves_v2.pgn.zip", "UHO_4060_v2.epd.zip")
FAKE = f"{sys.executable} {Path(__file__).parents[1] / 'support' / 'fake_uci.py'}"


@pytest.fixture(autouse=True)
def _short_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(match_game, "GRACE_SECONDS", 0.3)
    monkeypatch.setattr(client, "QUIT_SECONDS", 0.3)


def run(*arguments: str) -> int:
    return match.main([str(word) for word in arguments])


def result(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert run(*arguments, "--json") == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


# -- whole matches


def test_games_are_paired_and_recorded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pgn, log = tmp_path / "games.pgn", tmp_path / "games.log"
    found = result(
        capsys, FAKE, "--games", "3", "--depth", "1", "--concurrency", "2", "--option-b", "Seed=7",
        "--max-moves", "40", "--pgn", str(pgn), "--log", str(log), "--plies", "3",
    )  # fmt: skip
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
    assert game.headers["Variant"] == "Chess960"
    assert not game.errors


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt_prints_the_result_so_far(number: signal.Signals, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    code = "import sys; from engine.match.match import main; sys.exit(main(sys.argv[1:]))"
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


# -- clocks and rules


def test_time_controls() -> None:
    assert TimeControl.parse("3+0.03") == TimeControl(3, 0.03)
    assert TimeControl.parse("40/60") == TimeControl(60, 0, 40)
    assert str(TimeControl.parse("40/60+0.5")) == "40/60+0.5"
    for text in ("", "+1", "0", "0+0", "nan", "inf", "1/2/3", "x+1", "-5/3"):
        with pytest.raises(ValueError, match="time control"):
            TimeControl.parse(text)


def test_clock() -> None:
    clock = match_game._Clock(TimeControl(2, 0.5, 2))
    clock.spend(1)
    assert (clock.left, clock.to_go) == (1.5, 1)
    assert match_game._go_command((clock, clock), chess.WHITE) == (
        "go wtime 1500 winc 500 btime 1500 binc 500 movestogo 1"
    )
    clock.spend(1.505)  # inside the margin
    assert (clock.left, clock.to_go) == (2.5, 2)


def test_late_moves_forfeit_and_the_margin_forgives() -> None:
    class Slow(UciEngine):
        def __init__(self) -> None:
            self.board = chess.Board()

        def new_game(self) -> None: ...

        def go(self, position: str, go: str, seconds: float | None = None) -> client.Reply:
            board = chess.Board()
            for word in position.split()[3:]:
                board.push_uci(word)
            return client.Reply(next(iter(board.legal_moves)).uci(), 0.105, Info())

    engines, control = (Slow(), Slow()), TimeControl(0.1, 0.1)
    strict = match_game.play(engines, (control, control), chess.Board(), Rules(margin=0.0))
    assert (strict.result, strict.reason, strict.fault) == ("0-1", "time", chess.WHITE)
    lenient = match_game.play(engines, (control, control), chess.Board(), Rules(margin=0.01, max_moves=1))
    assert lenient.reason == "length"


@pytest.mark.parametrize(
    ("fen", "moves", "end"),
    [
        (chess.STARTING_FEN, "f2f3 e7e5 g2g4 d8h4", ("0-1", "checkmate")),
        ("7k/8/8/6Q1/8/8/8/K7 w - - 0 1", "g5g6", ("1/2-1/2", "stalemate")),
        ("7k/8/8/8/8/8/6q1/K7 w - - 99 80", "a1b1", ("1/2-1/2", "fifty moves")),
        ("7k/8/8/8/8/8/6q1/K7 w - - 98 80", "a1b1", None),
        ("k7/8/1K6/8/8/8/8/7R w - - 99 80", "h1h8", ("1-0", "checkmate")),
        ("7k/8/8/8/8/8/1q6/K7 w - - 0 80", "a1b2", ("1/2-1/2", "insufficient material")),
        ("7k/8/8/8/8/8/1p6/K7 b - - 0 80", "h8g8", None),
        (chess.STARTING_FEN, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1", None),
        (chess.STARTING_FEN, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", ("1/2-1/2", "threefold repetition")),
    ],
)
def test_ends_of_games(fen: str, moves: str, end: tuple[str, str] | None) -> None:
    *opening, last = moves.split()
    start = chess.Board(fen)
    for word in opening[:2]:
        start.push_uci(word)  # an opening: its positions count for repetitions too
    referee, board = match_game._Referee(start, Rules()), start.copy()
    for word in opening[2:]:
        board.push_uci(word)
        assert referee.end(board) is None
    board.push_uci(last)
    assert referee.end(board) == end


def test_adjudication_needs_both_sides() -> None:
    def feed(rules: Rules, scores: list[int], fullmove: int = 50) -> tuple[str, str] | None:
        board = chess.Board(f"4k3/8/8/8/8/8/4P3/4K3 w - - 0 {fullmove}")
        referee, found = match_game._Referee(board, rules), None
        for score in scores:
            assert found is None
            found = referee.agreement(board, Info(cp=score))
            board.push(chess.Move.null())
        return found

    resign = Rules(resign_moves=2, resign_score=500)
    assert feed(resign, [600, -600, 600]) is None
    assert feed(resign, [600, -600, 600, -600]) == ("1-0", "adjudicated win")
    assert feed(resign, [-600, 600, -600, 600]) == ("0-1", "adjudicated win")
    assert feed(resign, [600, -400, 600, -600, 600]) is None
    draw = Rules(draw_from=40, draw_moves=2, draw_score=10)
    assert feed(draw, [5, -5, 10, 0]) == ("1/2-1/2", "adjudicated draw")
    assert feed(draw, [5, -5, 11, 0, 0]) is None
    assert feed(draw, [0, 0, 0, 0, 0], fullmove=30) is None
    assert match_game._Referee(chess.Board(), Rules(resign_moves=1)).agreement(chess.Board(), Info()) is None


def agreed(rules: Rules, fullmoves: list[int], scores: list[int | None]) -> list[tuple[str, str] | None]:
    """What counters say after each ply; `scores` are White's, `fullmoves` the numbers of the scored moves."""
    winning, level, found = {1: 0, -1: 0}, 0, list[tuple[str, str] | None]()
    for number, score in zip(fullmoves, scores, strict=True):
        end = None
        for sign in (1, -1):
            ahead = score is not None and sign * score >= rules.resign_score
            winning[sign] = winning[sign] + 1 if ahead else 0
            if rules.resign_moves and winning[sign] >= 2 * rules.resign_moves:
                end = end or ("1-0" if sign > 0 else "0-1", "adjudicated win")
        drawn = score is not None and abs(score) <= rules.draw_score and number >= rules.draw_from
        level = level + 1 if drawn else 0
        if rules.draw_moves and level >= 2 * rules.draw_moves:
            end = end or ("1/2-1/2", "adjudicated draw")
        found.append(end)
    return found


def test_adjudication_counts_plies_in_a_row() -> None:
    rng = random.Random(1)
    ends = set[str | None]()
    for _ in range(500):
        rules = Rules(
            resign_moves=rng.randrange(4), resign_score=rng.choice((0, 100, 400)),
            draw_from=rng.randrange(16), draw_moves=rng.randrange(4), draw_score=rng.choice((0, 10, 100)),
        )  # fmt: skip
        board = chess.Board(f"4k3/8/8/8/8/8/4P3/4K3 {rng.choice('wb')} - - 0 {rng.randrange(1, 12)}")
        referee, found = match_game._Referee(board, rules), list[tuple[str, str] | None]()
        fullmoves, scores = list[int](), list[int | None]()
        centre = rng.choice((0, 0, 300, -300))
        for _ply in range(40):
            score = None if rng.random() < 0.05 else centre + rng.choice((0, 5, -10, 100, -100))
            mate = rng.choice((None,) * 9 + (3, -3, 0))
            found.append(referee.agreement(board, Info(cp=score, mate=mate)))
            if mate is not None:
                score = 100_000 if mate > 0 else -100_000
            scores.append(None if score is None else score if board.turn else -score)
            fullmoves.append(board.fullmove_number)
            board.push(chess.Move.null())
            centre = -centre
        first = next((ply for ply, end in enumerate(found) if end), 39)
        assert found[: first + 1] == agreed(rules, fullmoves, scores)[: first + 1]
        end = found[first]
        ends.add(end[0] if end else None)
    assert ends == {"1-0", "0-1", "1/2-1/2", None}


def test_position_command_keeps_the_opening_moves() -> None:
    board = chess.Board()
    assert match_game._position_command(board) == "position startpos"
    board.push_san("e4")
    assert match_game._position_command(board) == "position startpos moves e2e4"
    board = chess.Board("4k3/8/8/8/8/8/8/R3K3 w Q - 3 9")
    board.push_san("O-O-O")
    assert match_game._position_command(board) == ("position fen 4k3/8/8/8/8/8/8/R3K3 w Q - 3 9 moves e1c1")


def test_info_lines() -> None:
    line = b"info depth 12 seldepth 20 score mate -3 nodes 4096 nps 100 time 7 pv e2e4 depth 99"
    assert Info.parse(line) == Info(12, None, -3, 4096)
    assert Info.parse(b"info depth x score cp") == Info()


@pytest.mark.parametrize(("mode", "cp"), [("", 12), ("bounds", 999)])
def test_the_last_exact_score_counts_or_else_the_last_bound(mode: str, cp: int) -> None:
    engine = UciEngine([*FAKE.split(), mode])
    try:
        engine.handshake()
        assert engine.options["two words"].default == "a b"
        reply = engine.go("position startpos", "go depth 1", 20)
        assert reply.info.cp == cp
        assert chess.Board().is_legal(chess.Move.from_uci(reply.move))
        assert 0 < reply.seconds < 20
    finally:
        engine.close()


def test_schedule_is_paired() -> None:
    players = [Player(["x"], TimeControl(1), name=name) for name in "AB"]
    tasks = list(schedule([(0, 1)], 3, openings(None)))
    assert [(t.number, t.white, t.black, t.pair) for t in tasks[:4]] == [
        (0, 0, 1, 0), (1, 1, 0, 0), (2, 0, 1, 1), (3, 1, 0, 1),
    ]  # fmt: skip
    assert tasks[0].start is tasks[1].start is not tasks[2].start
    assert "no faults" in Report(players, [(0, 1)]).text()


# -- openings


FISCHER = """[Event "a"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB w KQkq - 0 1"]

1. b3 c5 2. Nf3 d5 3. d4 b6 4. O-O Nf6 *
[Event "b"]

1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 *
"""
LIMITS = ("--games", "8", "--depth", "1", "--max-moves", "20")


def test_chess960_by_the_tags_of_an_opening(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, pgn = tmp_path / "a.pgn", tmp_path / "games.pgn"
    path.write_text(FISCHER)
    found = result(capsys, FAKE, *LIMITS, "--openings", str(path), "--pgn", str(pgn))
    pairing = found["pairings"][0]
    assert pairing["games"] == 8 and not any(sum(faults.values()) for faults in pairing["faults"])
    with pgn.open() as file:
        games = [chess.pgn.read_game(file) for _ in range(8)]
    variants = sorted(game.headers.get("Variant", "") for game in games if game)
    assert variants == [""] * 4 + ["Chess960"] * 4 and not any(game.errors for game in games if game)


@pytest.mark.parametrize("option", [(), ("--chess960",)])
def test_an_engine_without_chess960_is_refused_before_the_first_game(
    option: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, pgn = tmp_path / "a.pgn", tmp_path / "games.pgn"
    path.write_text("1. e4 *" if option else FISCHER)
    assert run(FAKE, f"{FAKE} no-960", *LIMITS, *option, "--openings", str(path), "--pgn", str(pgn)) == 2
    output = capsys.readouterr()
    assert output.out == "" and output.err.count("\n") == 1 and "no option 'UCI_Chess960'" in output.err
    assert not pgn.exists() or not pgn.read_text()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1. e4 -- 2. d4 *", "a null move"),
        ("1. e4 e5 2. Nf7 *", "illegal san"),
        ("1. f3 e5 2. g4 Qh4# *", "checkmate"),
        ('[FEN "4k3/8/8/8/8/8/8/R3K3 w Q - 100 90"]\n\n*', "fifty moves"),
    ],
)
def test_bad_openings_are_refused_or_left_out(
    text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, pgn = tmp_path / "a.pgn", tmp_path / "games.pgn"
    path.write_text(f"1. d4 d5 *\n\n{text}\n\n1. c4 *\n")
    arguments = (FAKE, *LIMITS, "--openings", str(path), "--order", "sequential", "--pgn", str(pgn))
    assert run(*arguments) == 2
    output = capsys.readouterr()
    assert output.out == "" and output.err.count("\n") == 1
    assert "a.pgn, game 2 (line 3): " in output.err and said in output.err and "--skip-bad" in output.err
    assert not pgn.exists() or not pgn.read_text()
    assert run(*arguments, "--skip-bad") == 0
    output = capsys.readouterr()
    assert output.err.startswith("sssnake match: 1 of 3 openings left out, the first: ")
    assert "8 games" in output.out and "no faults" in output.out


def test_an_increment_alone_is_a_clock(capsys: pytest.CaptureFixture[str]) -> None:
    found = result(capsys, FAKE, "--games", "2", "--tc", "0+2", "--max-moves", "5")
    assert not any(sum(faults.values()) for faults in found["pairings"][0]["faults"])
    clock = match_game._Clock(TimeControl.parse("0+0.2"))
    assert clock.left == 0.2
    clock.spend(0.15)
    assert clock.left == pytest.approx(0.25)


@pytest.mark.skipif(os.name != "posix", reason="names as bytes")
def test_names_of_any_bytes(tmp_path: Path) -> None:
    """Engines' own, and those of the command line."""
    pgn = tmp_path / "games.pgn"
    code = "import sys; from engine.match.match import main; sys.exit(main(sys.argv[1:]))"
    evil = b"M\xfcl\x1b[31m 'E\"] [Result \"1-0'"
    own = FAKE.encode() + b" name 'M\xfcl\x1b[31m E\"] [Result \"1-0'"
    command = [sys.executable.encode(), b"-c", code.encode(), own, FAKE.encode(), b"--name-b", evil]
    no_such = [*command, b"--option-a", b"NoSuch=1"]
    refused = subprocess.run(no_such, cwd=ROOT, capture_output=True, check=False)
    assert refused.returncode == 2 and b"\x1b" not in refused.stderr and refused.stderr.count(b"\n") == 1
    words = [*LIMITS, "--pgn", str(pgn), "--plies", "0"]
    done = subprocess.run([*command, *map(str.encode, words)], cwd=ROOT, capture_output=True, check=False)
    assert done.returncode == 0 and b"8 games" in done.stdout and b"\x1b" not in done.stdout + done.stderr
    with pgn.open(encoding="utf-8") as file:
        games = [chess.pgn.read_game(file) for _ in range(9)]
    assert games[8] is None and all(game and not game.errors for game in games[:8])


def test_openings(tmp_path: Path) -> None:
    epd, pgn, packed = tmp_path / "a.epd", tmp_path / "a.pgn", tmp_path / "a.pgn.zip"
    epd.write_text("4k3/8/8/8/8/8/4P3/4K3 w - -\n\n8/8/8/8/8/8/6k1/4K2R w K - 0 1 bm O-O; \n")
    pgn.write_text('[Event "?"]\n[A "1"]\n\n1. e4 e5 2. Nf3 {[%clk 1]}\nNc6 *\n\n\n[Event "?"]\n\n1. d4 *\n')
    with zipfile.ZipFile(packed, "w") as archive:
        archive.write(pgn, "a.pgn")
    boards = openings(epd, OpeningOptions(shuffle=False))
    assert [next(boards).fen()[:8] for _ in range(3)] == ["4k3/8/8/", "8/8/8/8/", "4k3/8/8/"]
    for path in (pgn, packed):
        boards = openings(path, OpeningOptions(shuffle=False))
        assert [len(next(boards).move_stack) for _ in range(3)] == [4, 1, 4]
        assert len(next(openings(path, OpeningOptions(plies=2, shuffle=False))).move_stack) == 2


def test_a_book_is_found_among_other_files(tmp_path: Path) -> None:
    epd, packed, notes = tmp_path / "a.epd", tmp_path / "a.zip", tmp_path / "notes.zip"
    text = "\ufeff4k3/8/8/8/8/8/4P3/4K3 w - -\n"  # some editors write that mark
    epd.write_text(text, encoding="utf-8")
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("README.txt", "not a book")
        archive.write(epd, "books/A.EPD")
    with zipfile.ZipFile(notes, "w") as archive:
        archive.writestr("a.txt", text)
    for path in (epd, packed, notes):
        assert next(openings(path)).fen().startswith("4k3/")


def test_random_openings_depend_on_the_seed_alone() -> None:
    def fens(seed: int) -> list[str]:
        boards = openings(None, OpeningOptions(plies=8, seed=seed))
        return [next(boards).fen() for _ in range(5)]

    assert fens(1) == fens(1) != fens(2)
    assert len(set(fens(1))) == 5


@pytest.mark.parametrize("text", ["not a position\n", "k7/8/8/8/8/8/8/8 w - -\n", "", "\n\n"])
def test_bad_book_is_refused(text: str, tmp_path: Path) -> None:
    path = tmp_path / "book.epd"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"book\.epd"):
        next(openings(path))


@pytest.mark.parametrize(
    "path", [OWN / "openings.epd", OWN / "openings.pgn", *located(*BOOKS)], ids=lambda path: path.name
)
def test_books(path: Path) -> None:
    boards = openings(path, OpeningOptions(seed=3))
    assert len({next(boards).fen() for _ in range(50)}) == 50
