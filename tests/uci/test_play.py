"""Real play through the protocol, as a process that GUIs start."""

import os
import random
import subprocess
import time
from pathlib import Path

import chess
import pytest
from support.constants import ENGINE, ROOT
from support.sessions import WAIT, InProcess, Process, new_search

from sssnake._fast.board.board import Board
from sssnake._fast.evaluation import netfile
from sssnake.engine.commands.evalspeed import material_net
from sssnake.engine.player.engine import Engine
from sssnake.engine.player.limits import Limits
from sssnake.engine.player.result import Info


def test_real_searches(engine: Process) -> None:
    engine.send("uci", "setoption name Threads value 2", "ucinewgame", "isready")
    engine.lines.until("readyok")
    for limit in (
        "depth 4",
        "nodes 5000",
        "movetime 50",
        "wtime 100",
        "wtime -20 btime 0",
        "wtime 0 btime 0 winc 10",
    ):
        engine.send("position startpos moves e2e4", f"go {limit}")
        lines = engine.lines.until("bestmove")
        exact = [line for line in lines if " score " in line and "bound" not in line]
        assert exact
        words = lines[-1].split()
        board = chess.Board()
        board.push_uci("e2e4")
        board.push_uci(words[1])
        assert exact[-1].split(" pv ")[1].split()[0] == words[1]
        if len(words) > 2:
            assert words[2] == "ponder"
            board.push_uci(words[3])
    assert engine.sync() == []


@pytest.mark.clock
@pytest.mark.parametrize(
    "placement",
    ["qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ", "bbbbkbbb/bbbbbbbb/8/8/8/8/BBBBBBBB/BBBBKBBB"],
)
@pytest.mark.parametrize("limit", ["movetime 50", "nodes 1000", "wtime 200 btime 200", "infinite"])
def test_limits_hold_where_the_first_iteration_never_ends(
    engine: Process, placement: str, limit: str
) -> None:
    fen = f"{placement} w - - 0 1"
    engine.send(f"position fen {fen}", "isready")
    engine.lines.until("readyok")
    start = time.monotonic()
    engine.send(f"go {limit}", *["stop"] * (limit == "infinite"))
    move = engine.lines.until("bestmove")[-1].split()[1]
    assert time.monotonic() - start < 1
    assert chess.Move.from_uci(move) in chess.Board(fen).legal_moves


@pytest.mark.clock
def test_real_ponder(engine: Process) -> None:
    engine.send("position startpos moves e2e4 e7e5", "go ponder wtime 300 btime 300")
    engine.lines.until("info depth")
    time.sleep(0.5)  # longer than the budget
    assert not any(line.startswith("bestmove") for line in engine.sync())
    engine.send("ponderhit")
    start = time.monotonic()
    engine.lines.until("bestmove")
    assert time.monotonic() - start < 0.5


@pytest.mark.clock
def test_ponderhit_before_the_search_has_begun() -> None:
    """The thread of a search may start late: the hit is not lost, nor given to the search before."""
    engine = Engine()
    engine.prepare()
    engine.play(Board(), Limits(wtime=200, btime=200))
    time.sleep(0.2)
    reports: list[Info] = []
    start = time.monotonic()
    search = new_search(engine, Board(), Limits(wtime=2000, btime=2000, ponder=True), reports.append)
    search.ponderhit()
    search.run()
    assert reports and 0.01 < time.monotonic() - start < 2


@pytest.mark.clock
@pytest.mark.parametrize("movetime", [1, 100])
def test_movetime_is_kept(engine: Process, movetime: int) -> None:
    engine.sync()
    start = time.monotonic()
    engine.send(f"go movetime {movetime}")
    engine.lines.until("bestmove")
    assert time.monotonic() - start < movetime / 1000 + 0.2


def test_python_chess_client() -> None:
    import chess.engine

    with chess.engine.SimpleEngine.popen_uci(ENGINE, cwd=os.fspath(ROOT)) as client:
        board = chess.Board()
        assert client.play(board, chess.engine.Limit(time=0.05)).move in list(board.legal_moves)
        lines = client.analyse(board, chess.engine.Limit(depth=4), multipv=3)
        assert [line["multipv"] for line in lines] == [1, 2, 3]
        assert len({line["pv"][0] for line in lines}) == 3
        stalemate = chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
        assert client.play(stalemate, chess.engine.Limit(depth=3)).move is None
        mate = client.analyse(chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"), chess.engine.Limit(depth=4))
        assert mate["score"].white() == chess.engine.Mate(1)
        shuffled = chess.Board.from_chess960_pos(100)
        played = client.play(shuffled, chess.engine.Limit(depth=3), ponder=True)
        assert played.move in list(shuffled.legal_moves)


def test_parameters_of_the_search_are_undeclared_options() -> None:
    names = ("driver_margin value 10", "driver_margin value 9999", "driver_margin value x", "no_such value 1")
    commands = "".join(f"setoption name {words}\n" for words in names)
    done = subprocess.run(
        ENGINE, input=commands, capture_output=True, text=True, cwd=ROOT, timeout=WAIT, check=True
    )
    assert done.stdout.splitlines() == [
        "info string setoption: driver_margin must lie in 0..200, not 9999",
        "info string setoption: driver_margin is a whole number",
        "info string setoption: no option 'no_such'",
    ]


def test_parameters_come_to_the_sessions_engine(session: InProcess) -> None:
    session.send("setoption name driver_margin value 10", "setoption name lmr_pv value 512")
    assert session.sync() == []
    assert session.engine.parameters.changed() == {"driver_margin": 10, "lmr_pv": 512}


def test_the_evaluation_is_named_and_changed(engine: Process, tmp_path: Path) -> None:
    """EvalFile: a network is told in a line; a bad file is refused, and the evaluation before it plays on."""
    path = tmp_path / "a net.sssn"
    netfile.write(path, material_net(32))
    evaluated = "Evaluated by: network (768 -> 32) x 2 -> 1: material and the centre"

    def said(*commands: str) -> list[str]:
        engine.send(*commands, "eval")
        return engine.sync()

    assert said()[0].startswith("Evaluated by: ")
    lines = said(f"setoption name EvalFile value {path}")
    assert lines[0] == f"info string EvalFile: {evaluated.removeprefix('Evaluated by: ')}"
    assert lines[1] == evaluated and lines[-2].startswith("Final evaluation: ")
    path.write_bytes(path.read_bytes()[:-9])
    missing, text = tmp_path / "missing", ROOT / "setup.py"
    for name, reason in ((path, "a truncated network"), (missing, "missing file"), (text, "not a network")):
        lines = said(f"setoption name EvalFile value {name}")
        assert lines[0].startswith(f"info string setoption: {name}: {reason}") and lines[1] == evaluated
    engine.send("go depth 3")
    engine.lines.until("bestmove")
    assert said("position fen 8/8/4k3/8/1K6/8/8/1Q6 w - - 0 1")[1] == "an ending judged by rule"
    assert said("setoption name EvalFile value <internal>", "position startpos")[1] != evaluated


def lone_king_position(pieces: str, rng: random.Random) -> chess.Board:
    """White to move with `pieces` and its king against a bare king that can take nothing; it can be won."""
    while True:
        board = chess.Board(None)
        squares = rng.sample(chess.SQUARES, len(pieces) + 2)
        for symbol, square in zip(pieces + "Kk", squares, strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(symbol))
        dark = chess.SquareSet(squares[:2]) & chess.BB_DARK_SQUARES
        one_colour = pieces == "BB" and len(dark) != 1
        takes = board.attacks(squares[-1]) & board.occupied_co[chess.WHITE]
        if board.is_valid() and not one_colour and not takes:
            return board


GAMES = {("SSS*", "BB"): 12, ("PVS", "R"): 7, ("PVS", "BB"): 5, ("PVS", "BN"): 7}  # of others 20: what tells


@pytest.mark.parametrize(("pieces", "nodes"), [("Q", 10_000), ("R", 10_000), ("BB", 10_000), ("BN", 300)])
@pytest.mark.parametrize("driver", ["SSS*", "PVS"])
def test_a_lone_king_is_mated(driver: str, pieces: str, nodes: int) -> None:
    """By short searches without tablebases, from any position: no shuffling until it is a draw.

    Hundreds of games: tests/measure/lone_kings.py.
    """
    rng = random.Random(pieces)
    for _ in range(GAMES.get((driver, pieces), 20)):
        board = lone_king_position(pieces, rng)
        engine = Engine(driver=driver, hash_mb=4)
        while not board.is_game_over() and (board.turn or not board.can_claim_draw()):
            move = engine.play(Board.from_chess(board), Limits(nodes=nodes)).move
            assert move
            board.push(move)
        assert board.is_checkmate(), board.fen()
