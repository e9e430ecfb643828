"""The suite runner: what counts as solved, points, mates, options, bad files."""

import json
import sys
import time
from pathlib import Path

import pytest
from support.commands import status_of
from support.constants import FAKE
from support.suites import OWN, needed

from sssnake.engine.commands import epd
from sssnake.engine.commands.epd import Answer, Problem, parse_problem, read_suite
from sssnake.engine.match.client import InfoLine


def answer(problem: Problem, move: str, mate_found: bool = False) -> Answer:
    return Answer(problem, move, 0.1, InfoLine(), mate_found)


def test_best_and_avoided_moves() -> None:
    line = '2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";'
    problem = parse_problem(line, "x")
    assert problem == Problem("WAC.001", problem.fen, best=frozenset({"g3g6"}))
    assert answer(problem, "g3g6").solved
    assert not answer(problem, "f6h7").solved
    avoid = parse_problem("8/4nk2/1p3p2/2rp2pp/1P1R1N1P/6P1/3KPP2/8 b - - am Rb5;", "suite.7")
    assert (avoid.name, avoid.avoid) == ("suite.7", frozenset({"c5b5"}))
    assert answer(avoid, "c5c4").solved
    assert not answer(avoid, "c5b5").solved
    assert not parse_problem("8/4nk2/1p3p2/2rp2pp/1P1R1N1P/6P1/3KPP2/8 b - -", "x").asks


def test_graded_moves() -> None:
    line = '1n5k/3q3p/pp1p2pB/5r2/1PP1Qp2/P6P/6P1/2R3K1 w - - {}c8 "10 4 4 3"; c9 "c4c5 e4d4 b4b5 g2g4";'
    problem = parse_problem(line.format("bm c5; "), "x")
    assert [answer(problem, move).points for move in ("c4c5", "b4b5", "h3h4")] == [10, 4, 0]
    assert [answer(problem, move).solved for move in ("c4c5", "b4b5")] == [True, False]
    without = parse_problem(line.format(""), "x")
    assert [answer(without, move).solved for move in ("c4c5", "b4b5")] == [True, False]
    found = epd.summary([answer(problem, "b4b5"), answer(problem, "c4c5")])
    assert (found["points"], found["max_points"], found["solved"], found["failed"]) == (14, 20, 1, ["x"])
    assert "points 14/20 (70.0 %)" in epd.describe("s", found)


@pytest.mark.parametrize(
    ("wanted", "announced", "good"),
    [
        (3, 3, True),
        (3, 2, True),
        (3, 4, False),
        (3, -3, False),
        (3, None, False),
        (-2, -2, True),
        (-2, -1, False),
        (-2, -3, False),
        (-2, 2, False),
    ],
)
def test_mates(wanted: int, announced: int | None, good: bool) -> None:
    assert Problem("x", "", mate=wanted).mated_in_time(announced) == good


def test_since_when_a_position_is_solved() -> None:
    problem = Problem("x", "", best=frozenset({"a1a2", "a1b1"}))
    watch = epd.Watch(problem)
    line = "info depth {0} score cp 1 nodes {0}00 time {0} pv {1} h8h7"
    for depth, move in enumerate(["a1a2", "a1b2", "a1a2", "a1b1"], 1):
        watch.see(line.format(depth, move).encode())
        assert (watch.since is None) == (move == "a1b2")
    watch.see(b"info depth 5 score cp 1 nodes 500")  # no line: nothing new
    assert watch.since == InfoLine(depth=3, cp=1, nodes=300)
    moves = ("a1b1", "a1b2", "a1a2")
    answers = [Answer(problem, move, 0.1, InfoLine(), False, watch.since) for move in moves]
    assert [found.solved_by for found in answers] == [300, None, 300]
    assert epd.summary(answers)["half_by_nodes"] == 300
    assert epd.summary(answers[:2])["half_by_nodes"] == 300  # one of two is half
    assert epd.summary(answers[1:2])["half_by_nodes"] is None
    assert epd.summary([answer(problem, "a1b1")])["half_by_nodes"] is None  # an engine that tells no nodes


def test_a_found_mate_ends_the_search(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    suite = tmp_path / "mates.epd"
    suite.write_text("8/1k1K4/8/8/6R1/8/8/8 w - - dm 4;\n8/1k1K4/8/8/6R1/8/8/8 w - - dm 2;\n")
    start = time.monotonic()
    assert epd.main([str(suite), "--engine", f"{FAKE} mate", "--movetime", "30000", "--json"]) == 0
    assert time.monotonic() - start < 10
    found = json.loads(capsys.readouterr().out)
    assert (found["mates"], found["mates_found"], found["solved"]) == (2, 2, 2)


def test_run_with_several_processes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = tmp_path / "one.epd", tmp_path / "two.epd"
    lines = "# comment\nk7/8/8/8/8/8/8/K7 w - - bm Ka2 Kb1 Kb2;\n\n7k/8/8/8/8/8/8/K7 w - - am Kb2;\n"
    one.write_text(lines * 4)
    two.write_text("k7/8/2K5/8/8/8/8/8 b - - bm Kb8;\n" * 2)
    command = ["--engine", FAKE, "--depth", "1", "--concurrency", "3"]
    assert epd.main([str(one), str(two), *command, "--verbose"]) == 0
    shown = capsys.readouterr().out.splitlines()
    summaries = [line for line in shown if " solved " in line]
    assert [line.split(":")[0] for line in summaries] == ["one.epd", "two.epd"]
    solved = int(summaries[0].split()[2].split("/")[0])
    assert 4 <= solved <= 8
    assert sum(line.startswith("one.") for line in shown) - 1 == 8 - solved
    assert epd.main([str(one), *command, "--first", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["positions"] == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("no position\n", "line 1"),
        ("k7/8/8/8/8/8/8/K7 w - - bm Qg6;\n", "line 1"),
        ("\nk7/8/8/8/8/8/8/8 w - - bm Ka2;\n", "line 2"),
        ("k7/8/8/8/8/8/8/K7 w - - dm soon;\n", "soon"),
        ('k7/8/8/8/8/8/8/K7 w - - c8 "1 2"; c9 "a1a2";\n', "c8"),
        ("k7/8/8/8/8/8/8/K7 w - -\n", "no position with"),
    ],
)
def test_bad_suite_is_one_line(
    text: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bad.epd"
    path.write_text(text)
    assert status_of(epd.main, [str(path), "--engine", FAKE]) == 2
    errors = capsys.readouterr().err
    assert errors.count("\n") == 1
    assert message in errors


@pytest.mark.parametrize(
    "command", ["no-such-engine", f"{FAKE} crash-at-once", f"{sys.executable} -c pass", "''", "'"]
)
def test_bad_engine_is_one_line(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "suite.epd"
    path.write_text("k7/8/8/8/8/8/8/K7 w - - bm Ka2;\n" * 3)
    assert status_of(epd.main, [str(path), "--engine", command, "--depth", "1"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert status_of(epd.main, ["no-such-file.epd"]) == 2


def test_chess960_by_its_castling_rights_or_by_option(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The engine hears of it, position by position."""
    path = tmp_path / "a.epd"
    texts = ('4rkr1/4p1p1/8/8/8/8/8/5K1R w H - bm O-O; id "960";', "4k3/8/8/8/8/8/8/4K2R w K - bm O-O;")
    path.write_text("\n".join(texts))
    limits = ("--depth", "1", "--json", "--engine", f"{FAKE} castle")
    assert epd.main([str(path), *limits]) == 0
    assert json.loads(capsys.readouterr().out)["solved"] == 2
    assert epd.main([str(path), *limits, "--chess960"]) == 0
    assert json.loads(capsys.readouterr().out)["solved"] == 2
    assert status_of(epd.main, [str(path), "--depth", "1", "--engine", f"{FAKE} no-960"]) == 2
    assert "960: " in (errors := capsys.readouterr().err) and errors.count("\n") == 1


def test_bad_lines_are_refused_or_left_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.epd"
    path.write_text("4k3/8/8/8/8/8/8/4K2R w K - bm O-O;\n4k3/8/8/8/8/8/8/4K2R w K - bm Rh9;\n")
    limits = ("--depth", "1", "--engine", f"{FAKE} castle")
    assert status_of(epd.main, [str(path), *limits]) == 2
    assert "a.epd, line 2: illegal move 'Rh9'" in (errors := capsys.readouterr().err)
    assert errors.count("\n") == 1
    assert epd.main([str(path), *limits, "--skip-bad"]) == 0
    output = capsys.readouterr()
    assert "solved 1/1" in output.out and "1 lines left out" in output.err


def test_the_suite_of_our_own_is_solved(capsys: pytest.CaptureFixture[str]) -> None:
    assert epd.main([str(OWN / "mates.epd"), "--go-mate", "--first", "20"]) == 0
    assert "solved 20/20" in capsys.readouterr().out


def test_known_suites_are_read() -> None:
    assert len(read_suite(needed("wac300.epd"))) > 100
    assert all(problem.points for problem in read_suite(needed("sts1188_v6.epd")))
    fortresses = read_suite(needed("fortresses165.epd"))
    assert sum(problem.asks for problem in fortresses) < len(fortresses)
