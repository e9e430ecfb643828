"""lichess-bot with its own default configuration, against a server on this machine.

lichess-bot is in no package registry. The environment variable LICHESS_BOT names a checkout, with its
requirements in the virtual environment `venv` inside it; without it these tests are skipped.
"""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import pytest
from support.constants import ROOT
from support.mock_lichess import BOT, Game, Lichess

CHECKOUT = Path(os.environ.get("LICHESS_BOT", "/nonexistent"))
PYTHON = CHECKOUT / "venv" / "bin" / "python"
DEFAULTS = CHECKOUT / "config.yml.default"
FRC = chess.Board.from_chess960_pos(111).fen()
PATIENCE = 240.0  # seconds for all games of a test

pytestmark = [
    pytest.mark.skipif(
        not PYTHON.is_file(),
        reason="no lichess-bot: set LICHESS_BOT to a checkout with a venv (docs/play/guis.md)",
    ),
    pytest.mark.timeout(2 * PATIENCE),
]


class Bot:
    """A lichess-bot process whose engines leave their process numbers, dialogues and complaints behind."""

    def __init__(self, folder: Path, games: list[Game], config: Path = DEFAULTS, **changes: str):
        self.folder, self.server = folder, Lichess(games)
        engine = folder / "engine.sh"
        engine.write_text(
            f'#!/bin/sh\necho $$ >>"{folder}/pids"\n'
            f'PYTHONPATH="{ROOT}" exec "{sys.executable}" -P -m sssnake 2>>"{folder}/complaints"\n'
        )
        engine.chmod(0o755)
        changes = {
            "token": '"secret"',
            "url": f'"{self.server.url}"',
            "dir": f'"{folder}"',
            "name": '"engine.sh"',
            "concurrency": str(len(games)),
            "max_base": "10800",
            **changes,
        }
        text = config.read_text()
        for key, value in changes.items():
            text, found = re.subn(rf"(?m)^( *){key}:.*$", rf"\1{key}: {value}", text, count=1)
            assert found, key
        text = re.sub(r"(?m)^#   - (chess960|fromPosition)", r"    - \1", text)
        text = text.replace("  uci_options:", f'  uci_options:\n    Debug Log File: "{folder}/dialogue"', 1)
        (folder / "config.yml").write_text(text)
        with (folder / "bot.log").open("w") as log:
            self.process = subprocess.Popen(
                [PYTHON, CHECKOUT / "lichess-bot.py", "-v"],
                cwd=folder,
                stdout=log,
                stderr=log,
                start_new_session=True,
                env={**os.environ, "COLUMNS": "400", "PYTHONDONTWRITEBYTECODE": "1"},
            )

    def text(self, name: str) -> str:
        """What one of the files holds so far."""
        path = self.folder / name
        return path.read_text(errors="replace") if path.exists() else ""

    def wait(self, games: list[Game]) -> None:
        """Until all games are over."""
        end = time.monotonic() + PATIENCE
        while not all(game.over.is_set() for game in games):
            assert self.process.poll() is None, self.text("bot.log")[-3000:]
            assert time.monotonic() < end, self.text("bot.log")[-3000:]
            time.sleep(0.2)

    def quit(self) -> None:
        """Ctrl-C, as a person would do it, twice; then nothing may be left of the engines."""
        for _ in range(2):
            if self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGINT)
                time.sleep(1)
        try:
            self.process.wait(30)
        finally:
            self.server.close()
            if self.process.poll() is None:
                os.killpg(self.process.pid, signal.SIGKILL)
        end = time.monotonic() + 30
        while any(alive(int(pid)) for pid in self.text("pids").split()):
            assert time.monotonic() < end, "an engine outlived the bot"
            time.sleep(0.1)

    def check(self) -> None:
        """No error in the bot's log, none from the engine; the one remark allowed is the missing folder."""
        log = re.sub(r"\x1b\[[0-9;]*m", "", self.text("bot.log"))
        bad = re.compile(r"ERROR|CRITICAL|Traceback|illegal|Exception")
        assert [line for line in log.splitlines() if bad.search(line)] == []
        assert self.text("complaints") == ""
        remarks = [line for line in self.text("dialogue").splitlines() if "info string" in line]
        assert [line for line in remarks if "yzygy" not in line] == []


def alive(pid: int) -> bool:
    """Whether a process exists and is no zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.fixture
def start(tmp_path: Path) -> Iterator[list[Bot]]:
    """A list for the bot of the test; ended whatever happens."""
    bots: list[Bot] = []
    yield bots
    for bot in bots:
        if bot.process.poll() is None:
            bot.quit()


def play(start: list[Bot], folder: Path, games: list[Game], config: Path = DEFAULTS, **changes: str) -> Bot:
    """Play all games to their end and check everything."""
    bot = Bot(folder, games, config, **changes)
    start.append(bot)
    bot.wait(games)
    time.sleep(2)  # the bot hears of it, and its engine quits
    bot.quit()
    bot.check()
    for game in games:
        assert game.faults == []
    return bot


def test_two_whole_games_at_the_same_time(start: list[Bot], tmp_path: Path) -> None:
    """Against random moves; a process for each game, besides the one that checks the configuration."""
    games = [Game("white001", True), Game("black001", False, deeds={4: "chat"})]
    bot = play(start, tmp_path, games)
    for game in games:
        assert (game.status, game.winner) == ("mate", "white" if game.bot_is_white else "black")
    assert len(set(bot.text("pids").split())) == 3
    assert any("running SSSnake" in said.replace("+", " ") for said in games[1].said)
    dialogue = bot.text("dialogue")
    assert ">> go ponder wtime" in dialogue and ">> setoption name Threads value 4" in dialogue
    assert ">> go movetime 10000" in dialogue


def test_the_configuration_that_is_shipped(start: list[Bot], tmp_path: Path) -> None:
    games = [Game("ownconf1", True), Game("ownconf2", False, fen=FRC, chess960=True)]
    play(start, tmp_path, games, ROOT / "engine" / "commands" / "lichess-bot.yml")
    assert [game.status for game in games] == ["mate", "mate"]


def test_chess960_and_a_given_position(start: list[Bot], tmp_path: Path) -> None:
    ending = "8/8/8/8/4k3/8/1Q6/K7 w - - 0 1"
    games = [Game("frc00001", True, fen=FRC, chess960=True), Game("fen00001", True, fen=ending)]
    play(start, tmp_path, games)
    assert [game.status for game in games] == ["mate", "mate"]


def test_games_that_end_or_turn_back_while_it_thinks(start: list[Bot], tmp_path: Path) -> None:
    games = [
        Game("resign01", True, deeds={6: "resign"}, thought=1),  # the bot thinks
        Game("resign02", True, deeds={7: "resign"}, thought=1),  # the bot ponders
        Game("abort001", True, deeds={0: "abort"}, thought=1),
        Game("takeback", True, deeds={5: "takeback", 6: "resign"}),
    ]
    bot = play(start, tmp_path, games, max_takebacks_accepted="1")
    assert [game.status for game in games] == ["resign", "resign", "aborted", "resign"]
    assert "takeback" in games[3].said
    assert len(set(bot.text("pids").split())) == 5


def test_the_bot_aborts_where_nobody_moves(start: list[Bot], tmp_path: Path) -> None:
    games = [Game("nobody01", False, deeds={0: "wait"})]
    play(start, tmp_path, games, abort_time="3")
    assert games[0].status == "aborted"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_the_bot_ends_in_the_middle_of_a_search(
    number: signal.Signals, start: list[Bot], tmp_path: Path
) -> None:
    """Told to, or killed with all its workers: the engine goes too."""
    bot = Bot(tmp_path, [Game("quit0001", True)])
    start.append(bot)
    end = time.monotonic() + PATIENCE
    while ">> go movetime" not in bot.text("dialogue"):
        assert time.monotonic() < end
        time.sleep(0.1)
    time.sleep(1)
    if number == signal.SIGKILL:
        os.killpg(bot.process.pid, signal.SIGKILL)
    bot.quit()
    assert bot.text("complaints") == ""
    assert BOT in bot.text("bot.log")
