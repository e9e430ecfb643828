"""The command: outputs, what is broken, interrupts, the same results for any number of workers."""

import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import chess.pgn
import pytest
from support.commands import leave
from support.constants import ENGINE, ROOT
from support.studies import LEGAL, Inline, run_here

from sssnake.engine.analysis import analyse
from sssnake.engine.analysis.segments import Segment, Settings
from sssnake.engine.analysis.segments import segments as cut

SHORT = "1. f3 e5 2. g4 Qh4# 0-1"
BROKEN = '[Event "broken"]\n\n1. e4 e5 2. Nf3 Qxh8 {kept as it is} *'
QUICK = ["--nodes", "500", "--hash", "1"]


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Three games, the second one broken."""
    path = tmp_path / "games.pgn"
    path.write_text(f'[Event "one"]\n\n{LEGAL}\n\n{BROKEN}\n\n[Event "three"]\n\n{SHORT}\n')
    return path


def events(path: Path) -> list[tuple[str, int]]:
    """(event, number of evaluations) of each game."""
    found = []
    with path.open() as file:
        while (game := chess.pgn.read_game(file)) is not None:
            found.append((game.headers["Event"], sum(node.eval() is not None for node in game.mainline())))
    return found


def test_games_go_on_after_a_broken_one(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_here(monkeypatch)
    out, page = tmp_path / "out.pgn", tmp_path / "report.html"
    assert analyse.main([str(games), *QUICK, "-o", str(out), "--html", str(page)]) == 0
    output = capsys.readouterr()
    assert output.err.count("\n") == 1 and "game 2 (line 5): line 7: illegal move 'Qxh8'" in output.err
    assert "7. Nd5#" in output.out and "2... Qh4#" in output.out
    assert events(out) == [("one", 12), ("broken", 0), ("three", 3)]
    assert "{kept as it is} *" in out.read_text()
    text = page.read_text()
    assert text.startswith("<!doctype html>") and text.rstrip().endswith("</html>")
    assert text.count("<section>") == 2 and text.count("<details open>") == 1


def test_one_game_and_json(
    games: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_here(monkeypatch)
    assert analyse.main([str(games), "--game", "3", "--json", *QUICK]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert found["number"] == 3 and found["headers"]["Event"] == "three"
    assert [move["san"] for move in found["moves"]] == ["f3", "e5", "g4", "Qh4#"]


def test_positions_have_several_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_here(monkeypatch)
    out = tmp_path / "out.pgn"
    fen = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
    assert analyse.main([*fen.split(), "--multipv", "2", "-o", str(out), *QUICK]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert rows[1] == fen and len(rows) == 5 and rows[3].split()[0] == "#1"
    game = chess.pgn.read_game(io.StringIO(out.read_text()))
    assert game is not None and game.board().fen() == fen
    assert game.variations[0].san() == "Ra8#" and len(game.variations) == 2


@pytest.mark.parametrize(
    ("words", "lines"),
    [(["--game", "1"], 1), (["--game", "1", "--multipv", "2"], 2), (["startpos"], analyse.LINES)],
)
def test_games_have_one_line_and_positions_several(
    words: list[str], lines: int, games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_here(monkeypatch)
    asked = list[int]()

    def noted(number: int, start: Any, moves: Any, settings: Settings) -> Iterator[Segment]:
        asked.append(settings.multipv)
        return cut(number, start, moves, settings)

    monkeypatch.setattr(analyse, "segments", noted)
    assert analyse.main([*([str(games)] if "--game" in words else []), *words, *QUICK]) == 0
    assert asked == [lines]


def test_standard_input(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    run_here(monkeypatch)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(SHORT.encode()))))
    assert analyse.main(["-", *QUICK]) == 0
    assert "2... Qh4#" in capsys.readouterr().out


def test_the_book_marks_its_moves(
    games: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_here(monkeypatch)
    assert analyse.main([str(games), "--game", "1", "--book", "own", *QUICK]) == 0
    assert "1. e4 book" in capsys.readouterr().out


@pytest.mark.parametrize("jobs", [0, 1, 2])
def test_ctrl_c_keeps_what_was_found(
    jobs: int,
    games: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The first game has two segments."""
    run_here(monkeypatch, jobs)
    out, page = tmp_path / "out.pgn", tmp_path / "report.html"
    out.write_text("old")
    with pytest.raises(KeyboardInterrupt):
        analyse.main([str(games), *QUICK, "-o", str(out), "--html", str(page)])
    told = capsys.readouterr()
    files = f"{out} and {page}"
    if jobs == 0:
        assert out.read_text() == "old" and not page.exists()
        assert told.err == f"sssnake analyse: interrupted, nothing was found yet; {files}: as before\n"
        return
    kept = "8 of 14 positions of game 1" if jobs == 1 else "1 game"
    assert told.err.splitlines()[-1] == f"sssnake analyse: interrupted: {kept} kept in {files}"
    assert events(out) == ([("one", 7)] if jobs == 1 else [("one", 12), ("broken", 0)])
    assert page.read_text().rstrip().endswith("</html>")
    assert told.out


def test_moves_are_shown_while_the_game_is_analysed(
    games: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first segment has eight positions; its last one may still take a mate from the next."""
    shown = []

    class Slow(Inline):
        def in_order(self, function: Callable[[Any], Any], jobs: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
            for one in super().in_order(function, jobs):
                yield one
                shown.append(capsys.readouterr().out)

    run_here(monkeypatch)
    assert analyse.main([str(games), "--game", "1", *QUICK]) == 0
    at_once = capsys.readouterr().out
    monkeypatch.setattr(analyse, "open_executor", lambda *_, **__: nullcontext(Slow()))
    assert analyse.main([str(games), "--game", "1", *QUICK]) == 0
    rest = capsys.readouterr().out
    assert shown[0].splitlines()[-1].startswith("3... Bg4 ") and rest.startswith("4. Nc3 ")
    assert "".join(shown) + rest == at_once


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("options", [["-o", "FILE"], ["--html", "FILE"], ["-o", "-"], []])
def test_a_full_standard_output_keeps_the_old_file(options: list[str], games: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_text("old")
    words = [word.replace("FILE", str(out)) for word in options]
    with Path("/dev/full").open("w") as full:
        command = [*ENGINE, "analyse", str(games), *QUICK, *words]
        done = subprocess.run(command, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr == "sssnake analyse: standard output: No space left on device\n"
    assert out.read_text() == "old" and sorted(tmp_path.iterdir()) == [games, out]


def test_who_stops_reading_the_table_gets_the_file(games: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.pgn"
    command = [*ENGINE, "analyse", str(games), *QUICK, "-o", str(out)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout
        process.stdout.close()
        assert process.wait(60) == 0
    assert events(out) == [("one", 12), ("broken", 0), ("three", 3)]


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_signal_keeps_what_was_found(name: str, games: Path, tmp_path: Path) -> None:
    link, out = tmp_path / "link.pgn", tmp_path / "out.pgn"
    out.write_text("old")
    link.symlink_to(out)
    limits = ["--hash", "1", "--movetime", "1000", "--concurrency", "1"]  # so the rest takes six seconds
    words = [str(games), "--game", "1", *limits, "-o", str(link)]
    command = [*ENGINE, "analyse", *words]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout and process.stderr
        while not process.stdout.readline().startswith("1. e4"):
            assert process.poll() is None
        process.send_signal(getattr(signal, name))
        told = process.stderr.read()
    assert process.returncode == 130
    assert told == f"sssnake analyse: interrupted: 8 of 14 positions of game 1 kept in {link}\n"
    assert events(out) == [("one", 7)] and link.is_symlink()
    assert sorted(tmp_path.iterdir()) == [games, link, out]


def test_results_do_not_depend_on_the_number_of_workers(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = []
    for workers in ("1", "2"):
        out = tmp_path / f"{workers}.pgn"
        assert analyse.main([str(games), *QUICK, "--json", "-o", str(out), "--concurrency", workers]) == 0
        found.append((capsys.readouterr().out, out.read_text()))
    assert found[0] == found[1] and found[0][0].count("\n") == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["missing.pgn"], "missing.pgn: No such file"),
        (["8/8/8/8/8/8/8/K7 w - - 0 1"], "illegal position"),
        (["GAMES", "--game", "4"], "no game 4: there are 3"),
        (["GAMES", "-o", "GAMES"], "the output cannot be one file with the input"),
        (["GAMES", "-o", "x.pgn", "--html", "x.pgn"], "the output cannot be one file with the output"),
        (["startpos", "-o", "-", "--html", "/dev/stdout"], "standard output cannot be both outputs"),
        (["startpos", "GAMES", "-o", "x.pgn"], "games.pgn: a position stands alone"),
        (["GAMES", "-o", "/no/such/folder/x.pgn"], "No such file or directory"),
        (["GAMES", "--book", "missing.bin"], "missing.bin: No such file"),
        (["GAMES", "--syzygy", "/no/such/folder"], "--syzygy: 0 files"),
        (["GAMES", "--hash", "99999999"], "--hash is a number from 1 to"),
        (["GAMES", "--multipv", "501"], "--multipv is a number from 1 to"),
        (["GAMES", "--nodes", "1", "--depth", "1"], "not allowed with"),
        (["GAMES", "--nodes", "0"], "not positive"),
    ],
)
def test_bad_input_is_one_line(
    words: list[str],
    message: str,
    games: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    run_here(monkeypatch)
    monkeypatch.chdir(tmp_path)
    before = sorted(tmp_path.iterdir())
    with pytest.raises(SystemExit) as ended:
        leave(analyse.main, [word.replace("GAMES", str(games)) for word in words])
    errors = capsys.readouterr().err
    assert ended.value.code == 2 and errors.count("\n") == 1 and message in errors
    assert sorted(tmp_path.iterdir()) == before


def test_a_full_disk_is_one_line(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run_here(monkeypatch)
    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(SystemExit):
        leave(analyse.main, [str(games), *QUICK, "-o", str(tmp_path / "out.pgn")])
    assert "out.pgn: No space left" in capsys.readouterr().err.splitlines()[-1]
    assert not (tmp_path / "out.pgn").exists()


def test_the_example_of_the_document(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Moves, columns and the blunder; scores and lines may change with the search."""
    run_here(monkeypatch)
    text = (ROOT / "docs" / "play" / "analyse.md").read_text(encoding="utf-8")
    game, words = re.findall(r'^echo "(.*)" \| sssnake analyse (.*)$', text, re.MULTILINE)[0]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(game.encode()))))
    assert analyse.main(words.split()) == 0
    shown = text.partition("```text\n")[2].partition("```")[0].splitlines()
    made = capsys.readouterr().out.splitlines()
    assert len(made) == len(shown) and made[:2] == shown[:2]
    moves = [[line.split()[:2] for line in lines[2:15]] for lines in (made, shown)]
    assert moves[0] == moves[1]
    for lines in (made, shown):
        assert lines[11].split()[:4] == ["5...", "Bxd1", "??", "#2"]
        assert lines[-1].startswith("Black: accuracy ") and ", 1 blunder" in lines[-1]


def fail(*_: object) -> None:
    raise OSError(28, "No space left on device")
