"""Clients that nobody here wrote: python-chess always, the others where they are installed.

uci-test-suite comes from PyPI (`pip install uci-test-suite`, Python 3.13 or newer), xboard, polyglot and Xvfb
from Debian (`apt-get install xboard polyglot xvfb`); fastchess and cutechess-cli are found on the PATH.
"""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
import chess.pgn
import pytest
from chess.engine import Cp, Limit, Mate, SimpleEngine
from support.constants import ENGINE, ROOT

PLACES = os.pathsep.join([os.environ.get("PATH", ""), "/usr/games"])  # where Debian puts games
MATE_IN_TWO = "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
CASTLING_960 = "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w HBhb - 0 1"

pytestmark = pytest.mark.timeout(900)


def program(name: str) -> str:
    """Path of an installed program; the test is skipped where there is none."""
    path = shutil.which(name, path=PLACES)
    if path is None:
        pytest.skip(f"{name} is missing: see What is checked in docs/play/guis.md")
    return path


@pytest.fixture
def command(tmp_path: Path) -> str:
    """The engine as one executable file, as most clients want it."""
    path = tmp_path / "sssnake"
    path.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -P -m sssnake "$@"\n')
    path.chmod(0o755)
    return str(path)


# python-chess


@pytest.fixture
def client() -> Iterator[SimpleEngine]:
    with SimpleEngine.popen_uci(ENGINE, cwd=os.fspath(ROOT), timeout=30) as engine:
        yield engine


@pytest.mark.parametrize(
    "limit",
    [
        Limit(time=0.05),
        Limit(depth=5),
        Limit(nodes=2000),
        Limit(time=5, depth=30, nodes=1000),
        Limit(white_clock=0.5, black_clock=0.5),
        Limit(white_clock=0.3, black_clock=10, white_inc=0.01, black_inc=0.02, remaining_moves=5),
        Limit(white_clock=0, black_clock=0),
        Limit(clock_id="x", white_clock=0.2, black_clock=0.2),
    ],
    ids=str,
)
def test_play_obeys_every_limit(limit: Limit, client: SimpleEngine) -> None:
    start = time.monotonic()
    found = client.play(chess.Board(), limit, info=chess.engine.INFO_ALL)
    assert found.move in list(chess.Board().legal_moves)
    assert found.info["pv"][0] == found.move
    assert {"score", "depth", "seldepth", "nodes", "nps", "time", "hashfull"} <= set(found.info)
    assert time.monotonic() - start < 4.5  # below the five seconds of one, which its nodes end
    if limit.nodes:
        assert found.info["nodes"] <= limit.nodes
    if limit.depth and not limit.nodes:
        assert found.info["depth"] == limit.depth


def test_games_with_pondering(client: SimpleEngine) -> None:
    """Right and wrong guesses: `ponderhit` or `stop` is sent, and anything unexpected is an error."""
    board, hits = chess.Board(), 0
    for ply in range(24):
        limit = Limit(white_clock=3, black_clock=3, white_inc=0.05, black_inc=0.05)
        found = client.play(board, limit, ponder=True)
        assert found.move is not None
        board.push(found.move)
        if board.is_game_over():
            break
        time.sleep(0.02)
        if found.ponder is not None and ply % 3:
            board.push(found.ponder)
            hits += 1
        elif board.is_game_over():
            break
        else:
            board.push(min(board.legal_moves, key=str))
        if board.is_game_over():
            break
    assert hits > 2


def test_analyse(client: SimpleEngine) -> None:
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
    lines = client.analyse(board, Limit(depth=6), multipv=3)
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    assert len({line["pv"][0] for line in lines}) == 3
    scores = [line["score"].relative for line in lines]
    assert scores[0] == max(scores)
    wanted = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    assert client.analyse(board, Limit(depth=4), root_moves=wanted)["pv"][0] in wanted


def test_analysis_as_it_goes(client: SimpleEngine) -> None:
    with client.analysis(chess.Board(), multipv=2) as analysis:
        depths = []
        for info in analysis:
            depths.append(info.get("depth", 0))
            if depths[-1] >= 5:
                break
        analysis.stop()
        assert analysis.wait().move is not None
    assert depths == sorted(depths)
    with client.analysis(chess.Board(MATE_IN_TWO), Limit(depth=10), game="new") as analysis:
        assert analysis.wait().move == chess.Move.from_uci("d2h6")
        assert analysis.info["score"].white() == Mate(2)
        assert len(analysis.info["pv"]) == 3
    with client.analysis(chess.Board()):
        pass  # left at once: stopped


def test_ends_of_games(client: SimpleEngine) -> None:
    assert client.play(chess.Board(STALEMATE), Limit(time=0.1)).move is None
    assert client.analyse(chess.Board(STALEMATE), Limit(depth=3))["score"].relative == Cp(0)
    mated = chess.Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
    assert client.analyse(mated, Limit(depth=3))["score"].relative == Mate(0)


def test_chess960(client: SimpleEngine) -> None:
    board = chess.Board(CASTLING_960, chess960=True)
    castle = board.parse_uci("f1h1")
    assert client.play(board, Limit(depth=2), root_moves=[castle]).move == castle
    board.push(castle)
    assert client.play(board, Limit(depth=4)).move in list(board.legal_moves)
    assert client.play(chess.Board(), Limit(depth=4)).move is not None  # and back to the usual chess
    for number in (0, 111, 518, 959):
        board = chess.Board.from_chess960_pos(number)
        for _ in range(20):
            if not board.is_game_over():
                move = client.play(board, Limit(nodes=300)).move
                assert move is not None
                board.push(move)


def test_options(client: SimpleEngine) -> None:
    client.configure({"Hash": 32, "Threads": 2, "Move Overhead": 100, "Clear Hash": None, "Driver": "PVS"})
    assert client.play(chess.Board(), Limit(depth=5)).move is not None
    for name, option in client.options.items():
        if option.type in ("check", "spin", "combo") and not option.is_managed():
            client.configure({name: option.default})
    client.ping()
    with pytest.raises(chess.engine.EngineError):
        client.configure({"No such option": 1})


def test_takeback_and_another_game(client: SimpleEngine) -> None:
    board = chess.Board()
    for word in ("e2e4", "e7e5", "g1f3"):
        board.push_uci(word)
    first = client.play(board, Limit(depth=3), game="one")
    board.pop()
    board.pop()
    assert client.play(board, Limit(depth=3), game="one").move in list(board.legal_moves)
    assert first.move is not None
    assert client.play(chess.Board("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), Limit(depth=3), game="two").move


def test_closing_in_the_middle_of_a_search() -> None:
    for end in ("quit", "close"):
        engine = SimpleEngine.popen_uci(ENGINE, cwd=os.fspath(ROOT))
        engine.analysis(chess.Board())
        getattr(engine, end)()
        assert engine.returncode.result(20) in (0, -15, -9)


def test_asynchronous_client() -> None:
    async def games() -> tuple[str, str]:
        async def game(nodes: int) -> str:
            transport, engine = await chess.engine.popen_uci(ENGINE, cwd=os.fspath(ROOT))
            board = chess.Board()
            for _ in range(12):
                found = await asyncio.wait_for(engine.play(board, Limit(nodes=nodes), ponder=True), 30)
                assert found.move is not None
                board.push(found.move)
            with await engine.analysis(board) as analysis:
                await asyncio.wait_for(analysis.get(), 30)
            cancelled = asyncio.create_task(engine.play(board, Limit(time=30)))
            await asyncio.sleep(0.1)
            cancelled.cancel()
            await asyncio.wait_for(engine.ping(), 30)
            await asyncio.wait_for(engine.quit(), 30)
            transport.close()
            return board.fen()

        return await asyncio.gather(game(500), game(800))

    assert len(asyncio.run(games())) == 2


# Programs that may be installed


def test_uci_test_suite(command: str) -> None:
    done = subprocess.run(
        [program("uci-test-suite"), "--timeout", "30", command], capture_output=True, text=True, timeout=600
    )
    summary = re.search(r"Summary: (\d+) passed, (\d+) failed", done.stdout)
    assert summary, done.stdout[-2000:] + done.stderr[-2000:]
    assert done.returncode == 0 and summary[2] == "0", done.stdout[-4000:]
    assert int(summary[1]) >= 44


def test_xboard_through_polyglot(command: str, tmp_path: Path) -> None:
    """Two whole games on a screen that nobody sees, pondering."""
    xboard, polyglot, screen = program("xboard"), program("polyglot"), program("Xvfb")
    for side in "12":
        (tmp_path / f"{side}.ini").write_text(
            f"[PolyGlot]\nEngineDir = {tmp_path}\nEngineCommand = {command}\nLog = true\n"
            f"LogFile = {tmp_path}/{side}.log\nBook = false\nResign = false\n[Engine]\nHash = 8\n"
        )
    display, show = os.pipe()
    with subprocess.Popen(
        [screen, "-displayfd", str(show), "-screen", "0", "1024x768x24", "-nolisten", "tcp"],
        pass_fds=[show],
        stderr=subprocess.DEVNULL,
    ) as server:
        os.close(show)
        try:
            number = os.read(display, 16).decode().strip()
            sides = [f'"{polyglot}" "{tmp_path}/{side}.ini"' for side in "12"]
            subprocess.run(
                [
                    xboard,
                    "-fcp",
                    sides[0],
                    "-scp",
                    sides[1],
                    "-mg",
                    "2",
                    "-tc",
                    "0:01",
                    "-inc",
                    "0.02",
                    "-ponder",
                    "-sgf",
                    str(tmp_path / "games.pgn"),
                    "-xexit",
                    "-noGUI",
                ],
                env={**os.environ, "DISPLAY": f":{number}", "HOME": str(tmp_path)},
                cwd=tmp_path,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=300,
            )
        finally:
            server.terminate()
            os.close(display)
    check_games(tmp_path / "games.pgn", 2)
    logs = "".join((tmp_path / f"{side}.log").read_text(errors="replace") for side in "12")
    assert re.search("Adapter->Engine: go .*ponder", logs) and "Adapter->Engine: ponderhit" in logs
    assert not re.search(r"(?i)illegal|forfeit|premature", logs)


def check_games(path: Path, number: int) -> None:
    """Whole games, ended by the rules."""
    with path.open() as file:
        games = list(iter(lambda: chess.pgn.read_game(file), None))
    assert len(games) == number
    for game in games:
        assert game.headers["Result"] in ("1-0", "0-1", "1/2-1/2")
        assert not game.errors
        text = str(game).lower()
        assert not re.search(r"forfeit|illegal|stall|disconnect|abandon|time forfeiture|loses on time", text)
        assert len(list(game.mainline_moves())) > 10


def test_fastchess(command: str, tmp_path: Path) -> None:
    fastchess = program("fastchess")
    done = subprocess.run([fastchess, "--compliance", command], capture_output=True, text=True, timeout=120)
    assert "passed all compliance checks" in done.stdout, done.stdout + done.stderr
    boards = [chess.Board.from_chess960_pos(number) for number in (1, 100, 518, 900)]
    (tmp_path / "book.epd").write_text("".join(board.epd() + "\n" for board in boards))
    done = subprocess.run(
        [
            fastchess,
            "-variant",
            "fischerandom",
            "-engine",
            f"cmd={command}",
            "name=A",
            "option.Driver=SSS*",
            "-engine",
            f"cmd={command}",
            "name=B",
            "option.Driver=PVS",
            "-each",
            "nodes=3000",
            "option.Hash=8",
            "-rounds",
            "4",
            "-strict",
            "-check-mate-pvs",
            "-pgnout",
            "file=games.pgn",
            "-openings",
            "file=book.epd",
            "format=epd",
        ],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=tmp_path,
    )
    assert "Warning" not in done.stdout + done.stderr
    check_games(tmp_path / "games.pgn", 8)


def test_cutechess(command: str, tmp_path: Path) -> None:
    cutechess = program("cutechess-cli")
    done = subprocess.run(
        [
            cutechess,
            "-engine",
            f"cmd={command}",
            "name=A",
            "-engine",
            f"cmd={command}",
            "name=B",
            "-each",
            "proto=uci",
            "tc=2+0.05",
            "ponder",
            "option.Hash=8",
            "-games",
            "2",
            "-rounds",
            "1",
            "-pgnout",
            "games.pgn",
            "-debug",
            "all",
        ],
        capture_output=True,
        text=True,
        timeout=300,
        cwd=tmp_path,
    )
    assert "go ponder" in done.stdout and "ponderhit" in done.stdout
    wrong = "Warning|Premature|Illegal|Unexpected|Invalid|no response"
    assert not re.search(wrong, done.stdout + done.stderr)
    check_games(tmp_path / "games.pgn", 2)
