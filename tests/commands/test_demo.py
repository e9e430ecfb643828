"""`sssnake demo`: a real game through real processes, cut short."""

import io
import sys

import chess.pgn
import pytest
from support.commands import leave, status_of

from sssnake.engine.commands import demo


@pytest.mark.parametrize("opening", demo.OPENINGS)
def test_openings_are_legal(opening: str) -> None:
    board = chess.Board()
    for san in demo.OPENINGS[opening].split():
        board.push_san(san)


def test_a_short_demonstration(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(demo, "LONGEST_GAME", 10)
    monkeypatch.setattr(demo, "SECONDS", 1.0)
    monkeypatch.setattr(demo, "ANALYSIS", 0.3)
    assert demo.main(["--opening", "King's Gambit"]) == 0
    text = capsys.readouterr().out
    assert text.count("a  b  c  d  e  f  g  h") == 7 + 1  # ten plies less the opening's three; the study
    game = chess.pgn.read_game(io.StringIO(text[text.index("[Event") :]))
    assert game is not None
    assert not game.errors
    assert len(list(game.mainline_moves())) == 10
    assert all(node.comment for node in list(game.mainline())[3:]), "score and depth of every move"
    assert "\nSSSnake plays " in text


def test_when_a_game_is_over() -> None:
    opened = chess.Board()
    assert demo.over(opened, [1500] * demo.ADJUDICATION.win_plies) == ("1-0", "adjudication")
    assert demo.over(opened, [-1500] * demo.ADJUDICATION.win_plies) == ("0-1", "adjudication")
    assert demo.over(opened, [1500] * (demo.ADJUDICATION.win_plies - 1)) is None
    assert demo.over(opened, [0] * demo.ADJUDICATION.win_plies) is None, (
        "nobody agrees to a draw in the opening"
    )
    late = chess.Board("8/5k2/4p3/4P3/8/4K3/8/8 w - - 0 60")
    assert demo.over(late, [9, -9] * demo.ADJUDICATION.win_plies) == ("1/2-1/2", "adjudication")
    assert demo.over(chess.Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), []) == ("1-0", "normal")


def test_a_repetition_that_could_only_be_claimed_is_none() -> None:
    """As in matches: the third time counts when it is on the board."""
    board = chess.Board()
    for move in ["Nf3", "Nf6", "Ng1", "Ng8", "Nf3", "Nf6", "Ng1"]:
        board.push_san(move)
    assert board.can_claim_draw() and demo.over(board, []) is None
    board.push_san("Ng8")
    assert demo.over(board, []) == ("1/2-1/2", "normal")


@pytest.mark.parametrize("arguments", [["--opening", "Bongcloud"], ["--seed", "x"], ["more"]])
def test_bad_arguments_are_one_line(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        leave(demo.main, arguments)
    assert stopped.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_dead_engine(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "executable", "/bin/false")
    assert status_of(demo.main, []) == 2
    assert capsys.readouterr().err.count("\n") == 1


class Terminal(io.StringIO):
    """A terminal, as far as the screen can tell."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        """Claim to be one."""
        return True


def test_a_terminal_is_drawn_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    screen = demo.Screen()
    screen.draw(chess.Board(), ["x" * 500])
    screen.draw(chess.Board(), [])
    first, second = terminal.getvalue().split("\x1b[9A")
    assert first.count("\n") == second.count("\n") == 9
    assert "x" * 20 in first
    assert "x" * 40 not in first, "text ends at the terminal's edge"
